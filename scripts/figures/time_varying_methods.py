#!/usr/bin/python3
"""Figs. 12 and 13 of time-varying-2019 from the results of scripts/campaigns/time-varying-fig12.toml or -fig13.toml.

Boxes: quartiles of type 7; whiskers to 1.5 box lengths, as in the paper. Upper row: what the methods predict, which the
paper plots. Lower row: the realised finishing times of their fixed splits on fresh background jobs.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.names import strategy_name  # noqa: E402

#: What varies, and what the rates of background jobs are counted by.
SETTINGS = [("workers", "time-unit"), ("workers", "slot"), ("all", "time-unit"), ("all", "slot")]
EVALUATIONS = ("predicted", "realised")


def panel(axes: Axes, results: xr.Dataset) -> list[float]:
    """A box for each method; their medians."""
    reference = results["reference"].values.ravel()
    rows = [reference] + [results["ratio"].sel(strategy=name).values.ravel() * reference
                          for name in map(str, results["strategy"].values)]
    axes.boxplot(rows, widths=0.6, flierprops={"markersize": 1, "alpha": 0.3}, boxprops={"linewidth": 0.8},
                 medianprops={"color": "#D55E00", "linewidth": 1.2}, whiskerprops={"linewidth": 0.8})
    axes.grid(axis="x", visible=False)
    return [float(np.median(row)) for row in rows]


def draw(sheet: Sheet, results: xr.Dataset) -> None:
    names = ["clairvoyant"] + [strategy_name(str(name)) for name in results["strategy"].values]
    if sheet.single:  # a column a kind of evaluation
        cells = [(varying, rates, evaluation) for varying, rates in SETTINGS for evaluation in EVALUATIONS]
        panels = sheet.panels(8, (2, 2), 1.5, sharex=True)
    else:
        cells = [(varying, rates, evaluation) for evaluation in EVALUATIONS for varying, rates in SETTINGS]
        panels = sheet.panels(8, (4, 4), 2.0, sharex=True)
    for axes, (varying, rates, evaluation) in zip(panels, cells):
        medians = panel(axes, select(results, varying=varying, rates=rates, evaluation=evaluation))
        axes.set_xticks(range(1, len(names) + 1), names, rotation=90)
        axes.set_title(f"{'abcd'[SETTINGS.index((varying, rates))]}, {evaluation}")
        if (varying, evaluation) == ("workers", "predicted"):
            words = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, medians))
            sheet.say(f"Medians in ({'abcd'[SETTINGS.index((varying, rates))]}), predicted: {words}.")
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("finishing time")
    processors = int(results["processors"].values[0])
    sheet.shows = f"time-varying-2019, Fig. {12 if processors == 4 else 13}"
    sheet.title = f"finishing times of the methods, {processors} processors"
    sheet.say("Background jobs vary (a, b) on the workers, (c, d) everywhere; their rates are per (a, c) unit of time, (b, d) "
              "slot. Predicted: what a method expects; realised: what its split takes on fresh jobs. Boxes: quartiles; whiskers: "
              "to 1.5 box lengths; clairvoyant: who knows all jobs.")


if __name__ == "__main__":
    sys.exit(figure_program("time-varying-methods", draw, __doc__, ("methods",)))
