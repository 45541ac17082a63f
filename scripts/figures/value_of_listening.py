#!/usr/bin/python3
"""Beyond worksharing-2013: what is it worth to hear what has been completed, by load, latency and start-up cost?"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.curves import half_widths, ratio_ceiling  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import CEILING_STYLE, LISTENING_CEILING_STYLE, style  # noqa: E402
from coterie.names import risk_name, strategy_name  # noqa: E402

LOWEST = 60


def curves(sheet: Sheet, axes: Axes, results: xr.Dataset, x: xr.DataArray) -> None:
    """Mean ratio in per cent of each strategy, and what nobody can exceed."""
    order = x.values.argsort()
    names = list(map(str, results["strategy"].values))
    for name in names:
        sheet.curve(axes, x.values[order], 100 * results["mean"].sel(strategy=name).values[order],
                    100 * half_widths(results, name)[order], style(name, names), markers=5)
    for ceiling, look in (("static_ceiling", CEILING_STYLE), ("listening_ceiling", LISTENING_CEILING_STYLE)):
        bound = ratio_ceiling(results, ceiling)
        if bound is not None:
            axes.plot(x.values[order], 100 * bound[order].clip(max=1), **look)


def without_prefetch(axes: Axes, results: xr.Dataset) -> None:
    """`central` where each chunk waits for news of the one before."""
    order = results["latency"].values.argsort()
    axes.plot(results["latency"].values[order], 100 * results["mean"].sel(strategy="central").values[order],
              color=style("central")["color"], linewidth=0.9, linestyle=(0, (1, 2)),
              label=f"{strategy_name('central')}, no prefetch")


def axis_of_latency(axes: Axes) -> None:
    axes.set_xscale("symlog", linthresh=0.01, linscale=0.5)
    axes.xaxis.set_major_locator(FixedLocator([0, 0.01, 0.1, 1]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("0.", ".")))


def axis_of_startup(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("0.", ".")))
    axes.xaxis.set_minor_locator(NullLocator())


def draw(sheet: Sheet, load: xr.Dataset, latency: xr.Dataset, startup: xr.Dataset) -> None:
    risks = list(dict.fromkeys(map(str, load["risk"].values)))
    if any(list(dict.fromkeys(map(str, other["risk"].values))) != risks for other in (latency, startup)):
        raise ResultError("the three results are not of the same risks")
    panels = sheet.panels(3 * len(risks), (3, 3), 1.3 if sheet.single else 1.5, sharex="col", sharey=True)
    for row, risk in enumerate(risks):
        cells = panels[3 * row:3 * row + 3]
        one = select(load, risk=risk)
        curves(sheet, cells[0], one, one["work"] / one["workers"])
        one = select(select(latency, risk=risk), prefetch=1)
        curves(sheet, cells[1], one, one["latency"])
        without_prefetch(cells[1], select(select(latency, risk=risk), prefetch=0))
        one = select(startup, risk=risk)
        curves(sheet, cells[2], one, one["startup"])
        cells[0].set_title(risk_name(risk).removesuffix(" (synthetic)"))
        cells[0].set_ylabel("mean work, %")
        cells[0].set_ylim(LOWEST, 101)
    for axes, label in zip(panels[-3:], ("load W / p", "latency", "start-up cost ε")):
        axes.set_xlabel(label)
    axis_of_latency(panels[1])
    panels[1].set_xlim(-0.002, 1.15 * float(latency["latency"].values.max()))
    axis_of_startup(panels[2])
    sheet.title = "What listening is worth, by load, latency and start-up cost"
    if any("synthetic" in risk for risk in risks):
        sheet.note = "traces: synthetic stand-ins"
    sheet.say("Mean work in % of the omniscient's, one row a risk.", f"{load['workers'].values[0]:g} workers of mean life 1; "
              f"where not varied: load {(latency['work'] / latency['workers']).values[0]:g}, latency "
              f"{load['latency'].values[0]:g}, start-up cost ε = {load['startup'].values[0]:g}.",
              '"Skipping": the static schedule without what is known to be complete.')
    lowest = min(float(100 * one["mean"].values.min()) for one in (load, latency, startup))
    if lowest < LOWEST:
        sheet.say(f"Means below {LOWEST} % (down to {lowest:.0f} %) are cut off.")
    gain = [100 * float(np.max(one["mean"].values.max(axis=1) - one["mean"].sel(strategy="best").values))
            for one in (load, latency, startup)]
    sheet.say("The most that listening gains on the best static schedule: " + ", ".join(
        f"{value:.1f} points by {word}" for value, word in zip(gain, ("load", "latency", "start-up cost"))) + ".")


if __name__ == "__main__":
    sys.exit(figure_program("value-of-listening", draw, __doc__, ("load", "latency", "startup")))
