#!/usr/bin/python3
"""Figs. 7, 8 and 9 of return-messages-2005: throughput relative to the best FIFO schedule, and how many workers it enrols.

From the results of scripts/campaigns/return-messages-fig07.toml, return-messages-fig08.toml and
return-messages-fig09.toml. Curves are means over random stars, bands the middle 90 %.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

from coterie.drawing import figure_program, source_line  # noqa: E402

#: Strategy: name in the paper, colour (Okabe and Ito), line, marker, its size. FIFO-INC-C and FIFO-INC-W coincide for
#: z = 1: the large open marker stays visible around the small one.
LOOKS = {
    "opt-lifo": ("OPT-LIFO", "#D55E00", "-", "s", 4), "fifo-inc-c": ("FIFO-INC-C", "#009E73", "-", "o", 8),
    "fifo-inc-w": ("FIFO-INC-W", "#000000", ":", "v", 4),
}
FIFO = "#0072B2"


def ratio_axis(axes: Axes, results: xr.Dataset) -> np.ndarray:
    """w/c of the configurations; the axis is logarithmic, with plain numbers."""
    axes.set(xscale="log", xlabel="ratio w/c")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    return results["wc_ratio"].values


def relative_throughput(results: xr.Dataset, axes: Axes, title: str) -> None:
    x = ratio_axis(axes, results)
    axes.axhline(1, color=FIFO, linewidth=1.6, label="OPT-FIFO")
    for name in map(str, results["strategy"].values):
        one = results.sel(strategy=name)
        label, colour, line, marker, size = LOOKS[name]
        axes.fill_between(x, one["q05"].values, one["q95"].values, color=colour, alpha=0.15, linewidth=0)
        axes.plot(x, one["mean"].values, color=colour, linestyle=line, marker=marker, markersize=size,
                  markerfacecolor="white" if size > 4 else colour, label=label)
    axes.set(ylabel="relative throughput", title=title, ylim=(0.3, 1.1))
    axes.legend(loc="lower right")


def enrolled(results: xr.Dataset, axes: Axes) -> None:
    x = ratio_axis(axes, results)
    count = results["reference"].values
    workers = float(results["workers"].values[0])
    axes.fill_between(x, count.min(axis=-1), count.max(axis=-1), color=FIFO, alpha=0.15, linewidth=0, label="all stars")
    axes.fill_between(x, *np.quantile(count, (0.05, 0.95), axis=-1), color=FIFO, alpha=0.25, linewidth=0, label="90 %")
    axes.plot(x, count.mean(axis=-1), color=FIFO, marker="o", label="mean")
    axes.set(ylabel="workers that OPT-FIFO enrols", title=f"Fig. 8: enrolled of {workers:g}, z = 0.8",
             ylim=(0, 1.03 * workers))
    axes.legend(loc="upper left")


def draw(fig07: xr.Dataset, fig08: xr.Dataset, fig09: xr.Dataset) -> Figure:
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.3), layout="constrained")
    relative_throughput(fig07, axes[0], "Fig. 7: z = 0.8")
    enrolled(fig08, axes[1])
    relative_throughput(fig09, axes[2], "Fig. 9: z = 1")
    workers = float(fig07["workers"].values[0])
    figure.suptitle(f"return-messages-2005, Figs. 7, 8, 9: {workers:g} workers, costs within 50 % of their means",
                    fontsize=11)
    figure.get_layout_engine().set(rect=(0, 0.03, 1, 0.97))
    source_line(figure, fig07, fig08, fig09)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program("return-messages", draw, ["fig07", "fig08", "fig09"], __doc__))
