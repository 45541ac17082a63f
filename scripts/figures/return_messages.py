#!/usr/bin/python3
"""Figs. 7, 8 and 9 of return-messages-2005: throughput relative to the best FIFO schedule, and how many workers it enrols.

From the results of scripts/campaigns/return-messages-fig07.toml, return-messages-fig08.toml and
return-messages-fig09.toml. Curves are means over random stars, bands the middle 90 %.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.names import strategy_name  # noqa: E402

FIFO = style("opt-fifo")
#: FIFO-INC-C and FIFO-INC-W coincide for z = 1: the large open marker stays visible around the small one.
MARKER = {"fifo-inc-c": {"markersize": 6.5, "markerfacecolor": "white"}}


def ratio_axis(axes: Axes, results: xr.Dataset) -> np.ndarray:
    """w/c of the configurations; the axis is logarithmic, with plain numbers."""
    axes.set(xscale="log", xlabel="ratio w/c")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    return results["wc_ratio"].values


def relative_throughput(sheet: Sheet, results: xr.Dataset, axes: Axes, title: str) -> None:
    x = ratio_axis(axes, results)
    axes.axhline(1, color=FIFO["color"], linewidth=1.4, label=FIFO["label"])
    told = []
    for name in map(str, results["strategy"].values):
        one = results.sel(strategy=name)
        look = {"markersize": 3, **style(name), **MARKER.get(name, {})}
        axes.fill_between(x, one["q05"].values, one["q95"].values, color=look["color"], alpha=0.15, linewidth=0)
        axes.plot(x, one["mean"].values, **look)
        told.append(f"{strategy_name(name)} {one['mean'].values[x.argmin()]:.3f}")
    axes.set(ylabel="relative throughput", ylim=(0.3, 1.1))
    axes.set_title(title)
    sheet.say(f"{title}, means at w/c = {x.min():g}: {', '.join(told)}.")


def enrolled(sheet: Sheet, results: xr.Dataset, axes: Axes) -> None:
    x = ratio_axis(axes, results)
    count = results["reference"].values
    workers = float(results["workers"].values[0])
    axes.fill_between(x, np.nanmin(count, axis=-1), np.nanmax(count, axis=-1), color=FIFO["color"], alpha=0.15, linewidth=0)
    axes.fill_between(x, *np.nanquantile(count, (0.05, 0.95), axis=-1), color=FIFO["color"], alpha=0.25, linewidth=0)
    means = np.nanmean(count, axis=-1)
    axes.plot(x, means, color=FIFO["color"])
    axes.set(ylabel="enrolled workers", ylim=(0, 1.03 * workers))
    axes.set_title("Fig. 8, z = 0.8")
    sheet.say(f"Fig. 8: how many of {workers:g} workers the best FIFO enrols, {means[x.argmin()]:.1f} on average "
              f"at w/c = {x.min():g}; the light band covers all stars.")


def draw(sheet: Sheet, fig07: xr.Dataset, fig08: xr.Dataset, fig09: xr.Dataset) -> None:
    panels = sheet.panels(3, (1, 3), 1.9)
    sheet.shows, sheet.title = "return-messages-2005, Figs. 7, 8, 9", "throughput relative to the best FIFO"
    sheet.say(f"Stars of {fig07['workers'].values[0]:g} workers with costs within 50 % of their means; z: size of a result "
              "relative to its work; w/c: mean cost of computing relative to sending.",
              "Curves: means over random stars; bands: their middle 90 %.")
    relative_throughput(sheet, fig07, panels[0], "Fig. 7, z = 0.8")
    enrolled(sheet, fig08, panels[1])
    relative_throughput(sheet, fig09, panels[2], "Fig. 9, z = 1")


if __name__ == "__main__":
    sys.exit(figure_program("return-messages", draw, __doc__, ("fig07", "fig08", "fig09")))
