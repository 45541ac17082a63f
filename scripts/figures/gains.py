#!/usr/bin/python3
"""What refined and best gain on greedy: paired differences of the ratios, with 95 % intervals, by start-up cost.

Usage: gains.py [FOLDER] [--output FOLDER]   (default: out) with results of the campaigns e1-workload to e6-replication
and traces that ran greedy, refined and best; one panel for each that is there
"""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import ResultError, open_results, paired_difference, same_schedules, select  # noqa: E402
from coterie.drawing import draw_and_save, legend_below, panels, source_line, style  # noqa: E402
from coterie.paper import STAND_IN_NOTE  # noqa: E402

CAMPAIGNS = ("e1-workload", "e2-workers", "e3-chunks", "e4-startup", "e5-automatic-chunks", "e6-replication", "traces")
GAINERS = ("refined", "best")


def panel(axes: Axes, results: xr.Dataset) -> None:
    startups = sorted(set(results["startup"].values.tolist()))
    for name in GAINERS:
        gains = []
        for startup in startups:
            some = select(results, startup=startup)
            ratio = some["ratio"]
            gains.append(paired_difference(ratio.sel(strategy=name).values, ratio.sel(strategy="greedy").values,
                                           same_schedules(some, name, "greedy"), some) * 100)
        axes.errorbar(startups, [gain.value for gain in gains], [gain.half_width for gain in gains], capsize=3,
                      **{**style(name), "markerfacecolor": "white"})
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlabel("start-up cost ε, units of work")
    axes.set_title(str(results.attrs["title"]).split(",")[0], fontsize=9)


def compared(folder: Path, stack: ExitStack) -> list[xr.Dataset]:
    """The results in the folder that hold greedy, refined and best."""
    found = []
    for name in CAMPAIGNS:
        if (folder / f"{name}.h5").exists():
            results = stack.enter_context(open_results(folder / f"{name}.h5"))
            if {"greedy", *GAINERS} <= set(results["strategy"].values):
                found.append(results)
    if not found:
        raise ResultError(f"{folder}: no result there compares greedy, refined and best; run scripts/run")
    return found


def draw(found: list[xr.Dataset]) -> Figure:
    figure, grid = panels(len(found), 3, (3.6, 3.0), (0.6, 1.1))
    for axes, results in zip(grid.flat, found):
        panel(axes, results)
    for axes in grid[:, 0]:
        axes.set_ylabel("mean ratio less greedy's, points")
    notes = [STAND_IN_NOTE] if any("trace" in str(one["risk"].values[0]) for one in found) else []
    figure.suptitle("\n".join(["refined and best against greedy, instance by instance; bars: 95 %"] + notes), fontsize=10)
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    legend_below(figure, grid[0, 0], columns=2)
    source_line(figure, *found)
    return figure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("out"))
    parser.add_argument("--output", type=Path, default=Path("out"), help="folder of the PNG, SVG and PDF files (out)")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        return draw_and_save(lambda: draw(compared(arguments.folder, stack)), arguments.output, "gains")


if __name__ == "__main__":
    sys.exit(main())
