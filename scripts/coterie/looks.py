"""One look for all figures: told apart by the colour-blind and in grey, the same line for the same strategy everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib

from .names import strategy_name
from .shell import in_a_notebook

if not in_a_notebook():  # a notebook shows figures its own way
    matplotlib.use("Agg")

#: No text of a figure is smaller, in points at print size.
LEAST_TEXT = 7.0

#: Strategy or policy: colour (of Okabe and Ito, and of Tol, safe for the colour-blind), line, marker.
STYLES = {
    "greedy": ("#0072B2", "-", "o"),
    "refined": ("#56B4E9", (0, (1, 1)), "x"),
    "best": ("#E69F00", (0, (6, 1, 1, 1)), "P"),
    "cyclic-replication": ("#D55E00", "--", "s"),
    "no-replication": ("#009E73", "-.", "^"),
    "random-replication": ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "D"),
    "brute": ("#000000", ":", "v"),
    "skip(best)": ("#882255", (0, (8, 2)), "h"),
    "help": ("#999933", (0, (3, 1)), "X"),
    "central": ("#000000", "-", "*"),
    "adaptive": ("#0072B2", "--", "d"),
    "opt-fifo": ("#0072B2", "-", ""),
    "opt-lifo": ("#D55E00", "--", "s"),
    "fifo-inc-c": ("#009E73", "-.", "o"),
    "fifo-inc-w": ("#000000", ":", "v"),
    "best-pair": ("#E69F00", (0, (6, 2)), "D"),
    "best-expected": ("#CC79A7", (0, (5, 1, 1, 1)), "P"),
    "fifo": ("#56B4E9", "-", ""),
    "lifo": ("#882255", (0, (4, 1)), "<"),
    "random-fifo": ("#000000", ":", "v"),
}
#: For what has no style of its own: other strategies, traces.
SPARE_STYLES = [("#000000", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"), ("#0072B2", ":", "v"),
                ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "D"), ("#56B4E9", (0, (8, 2)), "P"),
                ("#E69F00", (0, (3, 1)), "X"), ("#666666", (0, (1, 1)), "*")]

#: Of what no static schedule can exceed, and no policy that listens.
CEILING_STYLE = {"color": "0.35", "linestyle": (0, (1, 1)), "linewidth": 1.2, "label": "no static schedule exceeds"}
LISTENING_CEILING_STYLE = CEILING_STYLE | {"linestyle": (0, (4, 2)), "label": "no policy that listens exceeds"}

matplotlib.rcParams.update({
    "figure.dpi": 100, "savefig.dpi": 300, "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8,
    "axes.titlelocation": "left", "axes.titlepad": 4, "axes.labelpad": 2.5,
    "xtick.labelsize": LEAST_TEXT, "ytick.labelsize": LEAST_TEXT, "legend.fontsize": 7.5,
    "xtick.major.size": 2.5, "ytick.major.size": 2.5, "xtick.minor.size": 1.5, "ytick.minor.size": 1.5,
    "xtick.major.pad": 2.5, "ytick.major.pad": 2.5, "axes.linewidth": 0.6,
    "axes.grid": True, "grid.alpha": 0.3, "grid.linewidth": 0.5, "axes.spines.top": False, "axes.spines.right": False,
    "pdf.fonttype": 42,  # TrueType: some printers and journals refuse matplotlib's own (3)
    "lines.linewidth": 1.2, "lines.markersize": 3.8, "lines.markeredgewidth": 0.8, "legend.frameon": False,
    "svg.hashsalt": "coterie", "axes.axisbelow": True,
})


def spare_style(number: int) -> dict[str, object]:
    """Colour, line and marker number `number` of those that belong to no strategy."""
    return dict(zip(("color", "linestyle", "marker"), SPARE_STYLES[number % len(SPARE_STYLES)]))


def style(strategy: str, strategies: Sequence[str] = ()) -> dict[str, object]:
    """Keyword arguments of Axes.plot for a strategy; one that has no style of its own takes a spare one."""
    others = [name for name in strategies if name not in STYLES]
    if strategy in STYLES:
        look: dict[str, object] = dict(zip(("color", "linestyle", "marker"), STYLES[strategy]))
    else:
        look = spare_style(others.index(strategy) if strategy in others else 0)
    return {**look, "label": strategy_name(strategy)}
