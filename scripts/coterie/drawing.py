"""One look for all figures: readable in black and white, the same line for the same strategy everywhere."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Callable, Sequence

import matplotlib

if "ipykernel" not in sys.modules:  # a notebook shows figures its own way
    matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from .curves import CONFIDENCE  # noqa: E402
from .results import ResultError, open_results  # noqa: E402

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
}
SPARE_STYLES = [("#8B4513", (0, (8, 2)), "h"), ("#999933", (0, (3, 1)), "X"), ("#666666", "-", "*")]

#: Of what no static schedule can exceed.
CEILING_STYLE = {"color": "0.35", "linestyle": (0, (1, 1)), "linewidth": 1.2, "label": "no static schedule exceeds"}

plt.rcParams.update({
    "figure.dpi": 100, "savefig.dpi": 150, "font.size": 9, "axes.titlesize": 10, "axes.grid": True,
    "grid.alpha": 0.3, "grid.linewidth": 0.5, "axes.spines.top": False, "axes.spines.right": False,
    "pdf.fonttype": 42,  # TrueType: some printers and journals refuse matplotlib's own (3)
    "lines.linewidth": 1.4, "lines.markersize": 4.5, "legend.frameon": False, "svg.hashsalt": "coterie",
    "axes.axisbelow": True,
})


def style(strategy: str, strategies: Sequence[str] = ()) -> dict[str, object]:
    """Keyword arguments of Axes.plot for a strategy; one that has no style of its own takes a spare one."""
    others = [name for name in strategies if name not in STYLES]
    colour, line, marker = STYLES.get(strategy) or SPARE_STYLES[others.index(strategy) % len(SPARE_STYLES)
                                                                if strategy in others else 0]
    return {"color": colour, "linestyle": line, "marker": marker, "label": strategy}


def drawn_strategies(results: xr.Dataset) -> list[str]:
    """All strategies but refined: its curve lies under greedy's (gains.py shows the difference)."""
    names = [str(name) for name in results["strategy"].values]
    return [name for name in names if name != "refined" or "greedy" not in names]


def draw_curve(axes: Axes, x: np.ndarray, y: np.ndarray, error: np.ndarray, look: dict[str, object],
               markers: int = 10) -> None:
    """A curve with its 95 % band and about `markers` markers, staggered so that close curves keep theirs apart."""
    spacing = max(1, len(x) // markers)
    offset = {"o": 0, "s": 1, "^": 2, "D": 3, "v": 4, "P": 5}.get(str(look["marker"]), 0) * spacing // 6
    axes.fill_between(x, y - CONFIDENCE * error, y + CONFIDENCE * error, color=look["color"], alpha=0.2, linewidth=0)
    axes.plot(x, y, markevery=(offset, spacing), markerfacecolor="white", **look)


def per_cent(axes: Axes, low: float = 0, high: float = 100) -> None:
    axes.set_ylim(low, high + 0.015 * (high - low))  # room for markers at the top
    axes.set_yticks(np.arange(low, high + 1, 20))


def source_line(figure: Figure, *results: xr.Dataset) -> None:
    """A small line at the foot: from which campaign, how many instances, which version made them."""
    parts = [f"{one.attrs.get('title', '')}: {one.sizes['configuration']} configurations × {one.sizes['instance']}"
             for one in results]
    text = ";  ".join(parts) + f";  seed {int(np.atleast_1d(results[0].attrs['seed'])[0])}, coterie " \
        f"{results[0].attrs.get('coterie_version', '?')} ({results[0].attrs.get('git_revision', '?')})"
    figure.text(0.01, 0.005, text, fontsize=5.5, color="0.4", ha="left", va="bottom", wrap=True)


def legend_below(figure: Figure, axes: Axes, columns: int = 5, height: float = 0.03) -> None:
    """A legend in at most `columns` columns, as many as the figure is wide enough for."""
    handles, labels = axes.get_legend_handles_labels()
    for fewer in range(columns, 0, -1):
        legend = figure.legend(handles, labels, loc="lower center", ncol=fewer, bbox_to_anchor=(0.5, height),
                               handlelength=3.6, columnspacing=1.5)
        if legend.get_window_extent(figure.canvas.get_renderer()).width <= figure.bbox.width or fewer == 1:
            return
        legend.remove()


def panels(count: int, most_columns: int, size: tuple[float, float], margin: tuple[float, float],
           **shared: object) -> tuple[Figure, np.ndarray]:
    """A figure of `count` panels in rows of at most `most_columns`; `size` of each and `margin` around them in inches."""
    columns = min(most_columns, count)
    rows = -(-count // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(size[0] * columns + margin[0], size[1] * rows + margin[1]),
                                squeeze=False, **shared)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, grid


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Writes name.png, name.svg and name.pdf (the same bytes for the same data) and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    undated = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    paths = [folder / f"{name}.{kind}" for kind in undated]
    for path, metadata in zip(paths, undated.values()):
        figure.savefig(path, metadata=metadata)
    plt.close(figure)
    return paths


def draw_and_save(draw: Callable[[], Figure], folder: Path, name: str) -> int:
    """Prints the paths of the figure, or why there is none; returns the exit status."""
    try:
        for path in save(draw(), folder, name):
            print(path)
    except (ResultError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    return 0


def figure_program(name: str, draw: Callable[..., Figure], campaigns: Sequence[str], text: str | None) -> int:
    """The main program of a figure: result files in the order of `campaigns`, --output FOLDER (default: out)."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for campaign in campaigns:
        parser.add_argument(campaign, type=Path, metavar=f"{campaign.upper()}.h5")
    parser.add_argument("--output", type=Path, default=Path("out"), help="folder of the PNG, SVG and PDF files (out)")
    parser.add_argument("--name", default=name, help=f"name of the PNG, SVG and PDF files ({name})")
    arguments = vars(parser.parse_args())
    with ExitStack() as stack:
        return draw_and_save(lambda: draw(*(stack.enter_context(open_results(arguments[one])) for one in campaigns)),
                             arguments["output"], arguments["name"])
