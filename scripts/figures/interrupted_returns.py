#!/usr/bin/python3
"""Which protocol survives unreliable workers: work that comes back, relative to the best FIFO schedule.

Lines are exact expectations, points the means of sampled instances with 95 % intervals. From the results of
scripts/campaigns/return-messages-interruptions.toml and now-interruptions.toml.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.drawing import CONFIDENCE, figure_program, source_line  # noqa: E402

#: Strategy: colour (Okabe and Ito), line, marker.
LOOKS = {
    "opt-lifo": ("#D55E00", "--", "s"), "lifo": ("#D55E00", "--", "s"), "fifo-inc-c": ("#009E73", "-.", "^"),
    "fifo-inc-w": ("#CC79A7", ":", "v"), "random-fifo": ("#CC79A7", ":", "v"), "best-pair": ("#E69F00", (0, (6, 2)), "D"),
    "best-expected": ("#000000", "-", "o"),
}


def rates(results: xr.Dataset) -> np.ndarray:
    found = [re.fullmatch(r"exponential\(rate=([0-9.e+-]+)\)", str(risk)) for risk in results["risk"].values]
    if not all(found):
        raise ResultError("the risks of this figure are exponential(rate=...)")
    return np.array([float(match[1]) for match in found])


def points(axes: Axes, sampled: xr.Dataset, strategy: str, shift: float) -> None:
    one = sampled.sel(strategy=strategy)
    colour, _, marker = LOOKS[strategy]
    axes.errorbar(rates(sampled) * shift, one["mean"].values, CONFIDENCE * one["standard_error"].values, color=colour,
                  linestyle="none", marker=marker, markersize=4, markerfacecolor="white", linewidth=0.9)


def lines(axes: Axes, x: np.ndarray, y: np.ndarray, strategy: str) -> None:
    colour, line, _ = LOOKS[strategy]
    axes.plot(x, y, color=colour, linestyle=line, label=strategy)


def finish(axes: Axes, title: str, reference: str) -> None:
    axes.axhline(1, color="#0072B2", linewidth=1.2, label=reference)
    axes.set(xscale="log", title=title, xlabel="interruptions per lifespan (rate of the exponential law)",
             ylabel="returned work / expected work of the best FIFO")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.legend(fontsize=7, loc="upper left")


def star_panel(axes: Axes, results: xr.Dataset, wc_ratio: float) -> None:
    exact, sampled = (select(results, wc_ratio=wc_ratio, metric=metric) for metric in ("expected", "returned"))
    names = [str(name) for name in results["strategy"].values]
    for k, name in enumerate(names):
        lines(axes, rates(exact), exact["mean"].sel(strategy=name).values, name)
        points(axes, sampled, name, 1.04 ** (k - len(names) // 2))
    finish(axes, f"return-messages: four workers, w/c = {wc_ratio:g}", "opt-fifo")


def now_panel(axes: Axes, results: xr.Dataset, rates_of_work: str) -> None:
    one = select(results, rates=rates_of_work)
    reference = one["reference"].isel(instance=0).values
    for k, name in enumerate(str(name) for name in results["strategy"].values):
        exact = one["expected_work"].sel(strategy=name).values / reference
        if np.isfinite(exact).all():
            lines(axes, rates(one), exact, name)
        else:  # random orders are only sampled
            axes.plot([], [], color=LOOKS[name][0], linestyle="none", marker=LOOKS[name][2], markerfacecolor="white",
                      label=f"{name} (sampled)")
        points(axes, one, name, 1.04 ** (k - 1))
    finish(axes, f"now: five workstations, rates {rates_of_work}", "fifo")


def draw(stars: xr.Dataset, nows: xr.Dataset) -> Figure:
    figure, axes = plt.subplots(2, 2, figsize=(11, 7.6), layout="constrained")
    for panel, wc_ratio in zip(axes[0], sorted(set(stars["wc_ratio"].values.tolist()))):
        star_panel(panel, stars, wc_ratio)
    for panel, rates_of_work in zip(axes[1], sorted(set(nows["rates"].values.tolist()))):
        now_panel(panel, nows, rates_of_work)
    figure.suptitle("Work that comes back from unreliable workers: lines exact, points sampled (all strategies in one sample)", fontsize=11)
    figure.get_layout_engine().set(rect=(0, 0.02, 1, 0.98))
    source_line(figure, stars, nows)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program("interrupted-returns", draw, ["return-messages-interruptions", "now-interruptions"], __doc__))
