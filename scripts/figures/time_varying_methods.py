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
from matplotlib.ticker import MaxNLocator  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import LEAST_TEXT  # noqa: E402
from coterie.names import strategy_name  # noqa: E402

#: What varies, which are the paper's panels (a) and (b), and what the rates of background jobs are counted by.
SETTINGS = {("workers", "time-unit"): "(a) per unit", ("workers", "slot"): "(a) per slot",
            ("all", "time-unit"): "(b) per unit", ("all", "slot"): "(b) per slot"}
EVALUATIONS = ("predicted", "realised")
MEDIAN = "#D55E00"


#: A method is cut off where it alone makes an ordinate more than so many times as long.
CUT = 2.0


def far_off(rows: list[np.ndarray]) -> int | None:
    """The method whose times are all beyond those of the others and squeeze these together."""
    highest = int(np.argmax([row.min() for row in rows]))
    others = np.concatenate([row for number, row in enumerate(rows) if number != highest])
    squeezed = rows[highest].max() - others.min() > CUT * (others.max() - others.min())
    return highest if squeezed and rows[highest].min() > others.max() else None


def panel(axes: Axes, results: xr.Dataset) -> tuple[list[float], bool]:
    """A box for each method; their medians, and whether one of them is beyond the panel: an arrow and its median."""
    reference = results["reference"].values.ravel()
    rows = [reference] + [results["ratio"].sel(strategy=name).values.ravel() * reference
                          for name in map(str, results["strategy"].values)]
    rows = [row[~np.isnan(row)] for row in rows]  # with `precision`, not all are run
    medians = [float(np.median(row)) for row in rows]
    far = far_off(rows)
    drawn = [row for number, row in enumerate(rows) if number != far]
    axes.boxplot(drawn, positions=[number + 1 for number in range(len(rows)) if number != far], widths=0.6,
                 flierprops={"markersize": 1, "alpha": 0.3}, boxprops={"linewidth": 0.8},
                 medianprops={"color": MEDIAN, "linewidth": 1.2}, whiskerprops={"linewidth": 0.8})
    axes.grid(axis="x", visible=False)
    axes.set_xlim(0.4, len(rows) + 0.6)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    if far is not None:
        axes.annotate(f"{medians[far]:.2f}", (far + 1, 1), (far + 1, 0.8), xycoords=("data", "axes fraction"), ha="center",
                      va="top", fontsize=LEAST_TEXT, arrowprops={"arrowstyle": "->", "color": MEDIAN, "linewidth": 1.2})
    return medians, far is not None


def draw(sheet: Sheet, results: xr.Dataset) -> None:
    names = ["clairvoyant"] + [strategy_name(str(name)) for name in results["strategy"].values]
    if sheet.single:  # a column a kind of evaluation
        cells = [(varying, rates, evaluation) for varying, rates in SETTINGS for evaluation in EVALUATIONS]
        panels = sheet.panels(8, (2, 2), 1.5, sharex=True)
    else:
        cells = [(varying, rates, evaluation) for evaluation in EVALUATIONS for varying, rates in SETTINGS]
        panels = sheet.panels(8, (4, 4), 2.0, sharex=True)
    beyond = False
    for axes, (varying, rates, evaluation) in zip(panels, cells):
        medians, one_beyond = panel(axes, select(results, varying=varying, rates=rates, evaluation=evaluation))
        beyond |= one_beyond
        axes.set_xticks(range(1, len(names) + 1), names, rotation=90)
        axes.set_title(f"{SETTINGS[varying, rates]}, {evaluation}")
        if (varying, evaluation) == ("workers", "predicted"):
            words = ", ".join(f"{name} {value:.2f}" for name, value in zip(names, medians))
            sheet.say(f"Medians in {SETTINGS[varying, rates]}, predicted: {words}.")
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("finishing time")
    processors = int(results["processors"].values[0])
    sheet.shows = f"time-varying-2019, Fig. {12 if processors == 4 else 13}"
    sheet.title = f"finishing times of the methods, {processors} processors"
    sheet.say("Background jobs vary (a) on the workers, (b) everywhere; their rates are per unit of time or per slot. Predicted: what a method expects; realised: the time of its split on fresh jobs. Boxes: quartiles; "
              "whiskers: to 1.5 box lengths; clairvoyant: knows all jobs.")
    if beyond:
        sheet.say("Arrow: all times of that method are beyond the panel; their median is beside it.")


if __name__ == "__main__":
    sys.exit(figure_program("time-varying-methods", draw, __doc__, ("methods",)))
