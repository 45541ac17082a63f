#!/usr/bin/python3
"""Figs. 7 and 8, or 10 and 11, of time-varying-2019 from the results of time-varying-fig07-jobs.toml and
time-varying-fig07-processors.toml (or fig10) in scripts/campaigns.

Mean finishing times, and mean speedups: the ratio of the control processor alone.
"""

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.intervals import student  # noqa: E402
from coterie.looks import spare_style  # noqa: E402
from coterie.results import reference_moments  # noqa: E402
from coterie.text import at_most  # noqa: E402

#: Mean, standard deviation and number of instances, by configuration.
Moments = tuple[np.ndarray, np.ndarray, np.ndarray]


def curves(sheet: Sheet, axes: Axes, results: xr.Dataset, x_of: Callable[[xr.Dataset], list[float]],
           moments_of: Callable[[xr.Dataset], Moments]) -> None:
    for number, w in enumerate(np.unique(results["w"].values)):
        chosen = select(results, w=w)
        mean, deviation, count = moments_of(chosen)
        half_width = student(count - 1) * deviation / np.sqrt(count)
        sheet.points(axes, np.array(x_of(chosen)), mean, half_width,
                     spare_style(number) | {"label": f"W = {w:g}"})
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))


def jobs_of(results: xr.Dataset) -> list[float]:
    return [float(str(law).split("=")[1].rstrip(")")) for law in results["jobs"].values]


def processors_of(results: xr.Dataset) -> list[float]:
    return results["processors"].values.astype(float).tolist()


def speedups(results: xr.Dataset) -> Moments:
    one = results.sel(strategy="control-alone")
    return one["mean"].values, one["stddev"].values, reference_moments(results)[2]


def draw(sheet: Sheet, jobs: xr.Dataset, processors: xr.Dataset) -> None:
    first = 7 if set(map(str, jobs["varying"].values)) == {"workers"} else 10
    panels = sheet.panels(3, (1, 3), 1.9)
    curves(sheet, panels[0], jobs, jobs_of, reference_moments)
    curves(sheet, panels[1], processors, processors_of, reference_moments)
    curves(sheet, panels[2], processors, processors_of, speedups)
    for axes, words, x, y in zip(panels, (f"Fig. {first}a", f"Fig. {first}b", f"Fig. {first + 1}"),
                                 ("background jobs", "processors", "processors"),
                                 ("finishing time", "finishing time", "speedup")):
        axes.set(xlabel=x, ylabel=y)
        axes.set_title(words)
    where = "the workers" if first == 7 else "all processors and links"
    sheet.shows = f"time-varying-2019, Figs. {first} and {first + 1}"
    sheet.title, sheet.unit = f"finishing time and speedup, background jobs on {where}", ""
    most = speedups(processors)[0]
    sheet.say(f"({first}a) {jobs['processors'].values[0]:g} processors; ({first}b) and Fig. {first + 1}: "
              f"{jobs_of(processors)[0]:g} background jobs. W: inverse speed. Speedup: the control processor's time alone divided by "
              f"the finishing time, at most {at_most(most.max(), 0.01)} on average.")


if __name__ == "__main__":
    sys.exit(figure_program("time-varying-sweeps", draw, __doc__, ("jobs", "processors")))
