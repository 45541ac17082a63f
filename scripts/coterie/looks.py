"""One look for all figures: told apart by the colour-blind and in grey, the same line for the same strategy everywhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.lines import CARETDOWN  # type: ignore[attr-defined]

from .names import strategy_name
from .shell import in_a_notebook

if not in_a_notebook():  # a notebook shows figures its own way
    matplotlib.use("Agg")

#: No text of a figure is smaller, in points at print size.
LEAST_TEXT = 7.0

#: Colour (of Okabe and Ito, and of Tol, safe for the colour-blind), dashes in widths of the line, and marker of each
#: strategy or policy, and spare ones for those that have none and for traces. The page of `coterie report` has the same.
_TABLE = json.loads(Path(__file__).with_name("styles.json").read_text(encoding="utf-8"))
STYLES: dict[str, tuple[str, list[float], str]] = _TABLE["named"]
SPARE_STYLES: list[tuple[str, list[float], str]] = _TABLE["spare"]

#: Of what the mean of no static schedule can exceed (`ratio_ceiling`), and of no policy that listens.
CEILING_STYLE: dict[str, Any] = {"color": "0.35", "linestyle": (0, (1, 1)), "linewidth": 1.2,
                                 "label": "no static schedule exceeds"}
CEILING_MARK = CEILING_STYLE | {"linestyle": "none", "marker": CARETDOWN, "markersize": 5, "clip_on": False}
CEILING_WORDS = ("No static schedule exceeds: a bound on the mean over all instances, from the proven bound on expected work "
                 "(static_ceiling) and from mean and deviation of the omniscient's work; far off where the latter varies.")
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


def _look(colour: str, dashes: Sequence[float], marker: str) -> dict[str, object]:
    return {"color": colour, "linestyle": (0, tuple(dashes)) if dashes else "-", "marker": marker}


def spare_style(number: int) -> dict[str, object]:
    """Colour, line and marker number `number` of those that belong to no strategy."""
    return _look(*SPARE_STYLES[number % len(SPARE_STYLES)])


def style(strategy: str, strategies: Sequence[str] = ()) -> dict[str, object]:
    """Keyword arguments of Axes.plot for a strategy; one that has no style of its own takes a spare one."""
    others = [name for name in strategies if name not in STYLES]
    if strategy in STYLES:
        look = _look(*STYLES[strategy])
    else:
        look = spare_style(others.index(strategy) if strategy in others else 0)
    return {**look, "label": strategy_name(strategy)}
