#!/usr/bin/python3
"""Beyond worksharing-2013: what is it worth to hear what has been completed, by load, latency and start-up cost?"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import ResultError, select, trace_name  # noqa: E402
from coterie.curves import ratio_ceiling  # noqa: E402
from coterie.drawing import CEILING_STYLE, draw_curve, figure_program, legend_below, source_line, style  # noqa: E402

NAME = "value-of-listening"
CAMPAIGNS = ("load", "latency", "startup")
LISTENING_CEILING_STYLE = CEILING_STYLE | {"linestyle": (0, (4, 2)), "label": "no policy that listens exceeds"}


def curves(axes: Axes, results: xr.Dataset, x: xr.DataArray) -> None:
    """Mean ratio in per cent of each strategy, and what nobody can exceed."""
    order = x.values.argsort()
    names = list(map(str, results["strategy"].values))
    for name in names:
        one = results.sel(strategy=name)
        draw_curve(axes, x.values[order], 100 * one["mean"].values[order], 100 * one["standard_error"].values[order],
                   style(name, names))
    for ceiling, look in (("static_ceiling", CEILING_STYLE), ("listening_ceiling", LISTENING_CEILING_STYLE)):
        bound = ratio_ceiling(results, ceiling)
        if bound is not None:
            axes.plot(x.values[order], 100 * bound[order].clip(max=1), **look)


def without_prefetch(axes: Axes, results: xr.Dataset) -> None:
    """`central` where each chunk waits for news of the one before."""
    order = results["latency"].values.argsort()
    axes.plot(results["latency"].values[order], 100 * results["mean"].sel(strategy="central").values[order],
              color=style("central", list(map(str, results["strategy"].values)))["color"], linewidth=0.9,
              linestyle=(0, (1, 2)), label="central, prefetch = 0")


def draw(load: xr.Dataset, latency: xr.Dataset, startup: xr.Dataset) -> Figure:
    risks = list(dict.fromkeys(map(str, load["risk"].values)))
    if any(list(dict.fromkeys(map(str, other["risk"].values))) != risks for other in (latency, startup)):
        raise ResultError("the three results are not of the same risks")
    figure, grid = plt.subplots(3, len(risks), figsize=(2.7 * len(risks) + 0.4, 9), sharey=True, sharex="row",
                                squeeze=False)
    for column, risk in zip(grid.T, risks):
        one = select(load, risk=risk)
        curves(column[0], one, one["work"] / one["workers"])
        one = select(latency, risk=risk)
        curves(column[1], select(one, prefetch=1), select(one, prefetch=1)["latency"])
        without_prefetch(column[1], select(one, prefetch=0))
        one = select(startup, risk=risk)
        curves(column[2], one, one["startup"])
        column[0].set_title(trace_name(risk))
        column[1].set_xscale("symlog", linthresh=0.01, linscale=0.5)
        column[2].set_xscale("log")
        for axes, label in zip(column, ("load, W / p", "latency", "start-up cost ε")):
            axes.set_xlabel(label)
            axes.set_ylim(60, 100.6)
    for axes in grid[:, 0]:
        axes.set_ylabel("mean work, % of the omniscient's")
    figure.suptitle("What listening is worth, by load, latency and start-up cost\n25 workers of mean life 1; where not "
                    "varied: load 0.5, latency 0.02, ε = 0.01; traces: synthetic stand-ins; bands: 95 %", fontsize=11)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    legend_below(figure, grid[1, 0], columns=4)
    source_line(figure, load, latency, startup)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
