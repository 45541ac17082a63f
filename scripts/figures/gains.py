#!/usr/bin/python3
"""Gains of refined and best over greedy: paired differences of the ratios, with 95 % intervals, by start-up cost.

Reads the results of the campaigns e1-workload to e6-replication and traces in a folder (out), if they ran greedy,
refined and best; draws one panel for each.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.curves import add_differences, mean_difference  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program, shared_results  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.names import strategy_name  # noqa: E402
from coterie.paper import STAND_IN_NOTE, stand_ins  # noqa: E402

CAMPAIGNS = ("e1-workload", "e2-workers", "e3-chunks", "e4-startup", "e5-automatic-chunks", "e6-replication", "traces")
GAINERS = ("refined", "best")


def panel(sheet: Sheet, axes: Axes, results: xr.Dataset) -> str:
    """The points of one campaign; its greatest gains in words."""
    startups = sorted(set(results["startup"].values.tolist()))
    told = []
    for name in GAINERS:
        gains = []
        for startup in startups:
            gains.append(mean_difference(select(results, startup=startup), name, "greedy") * 100)
        sheet.points(axes, np.array(startups), np.array([gain.value for gain in gains]),
                     np.array([gain.half_width for gain in gains]), style(name))
        most = max(range(len(gains)), key=lambda k: gains[k].value)
        told.append(f"{strategy_name(name)} {gains[most].value:+.2f} ± {gains[most].half_width:.2f} at ε = "
                    f"{startups[most]:g}")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    if len(startups) == 1:
        axes.set_xlim(startups[0] / 10, startups[0] * 10)
    axes.set_xlabel("start-up cost ε")
    title = str(results.attrs["title"]).split(",")[0].split(":")[0].split(" (")[0]
    axes.set_title(title)
    return f"{title}: {', '.join(told)}"


def compared(folder: Path) -> list[xr.Dataset]:
    """The results in the folder that hold greedy, refined and best."""
    found = []
    for name in CAMPAIGNS:
        if (folder / f"{name}.h5").exists():
            results = shared_results(folder / f"{name}.h5")
            if {"greedy", *GAINERS} <= set(results["strategy"].values):
                add_differences(results, "greedy")
                found.append(results)
    if not found:
        raise ResultError(f"{folder}: no result in it compares greedy, refined and best; run scripts/run")
    return found


def draw(sheet: Sheet, arguments: argparse.Namespace) -> None:
    sheet.results = compared(arguments.folder)
    panels = sheet.panels(len(sheet.results), (2, 4), 1.6)
    told = [panel(sheet, axes, results) for axes, results in zip(panels, sheet.results)]
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("minus greedy, points")
    sheet.title = "Gains of refined and best over greedy"
    sheet.say("Difference of the ratios to the omniscient's work, instance by instance, by start-up cost ε.",
              f"The greatest gains in points (± 95 %): {'; '.join(told)}.")
    if any(stand_ins(one["risk"].values) for one in sheet.results):
        sheet.note = STAND_IN_NOTE


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path("out"), help="folder of results (default: out)")


if __name__ == "__main__":
    sys.exit(figure_program("gains", draw, __doc__, configure=configure))
