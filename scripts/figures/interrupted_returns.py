#!/usr/bin/python3
"""Which protocol survives unreliable workers: work that comes back, relative to the best FIFO schedule.

Lines are exact expectations, points the means of sampled instances with 95 % intervals. From the results of
scripts/campaigns/return-messages-interruptions.toml and now-interruptions.toml.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.curves import half_widths  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.results import reference_moments  # noqa: E402


def rates(results: xr.Dataset) -> np.ndarray:
    found = [re.fullmatch(r"exponential\(rate=([0-9.e+-]+)\)", str(risk)) for risk in results["risk"].values]
    if not all(found):
        raise ResultError("the risks of this figure are exponential(rate=...)")
    return np.array([float(match[1]) for match in found])


def points(sheet: Sheet, axes: Axes, sampled: xr.Dataset, strategy: str, shift: float, **more: object) -> None:
    one = sampled.sel(strategy=strategy)
    look = {key: value for key, value in style(strategy).items() if key in ("color", "marker")}
    sheet.points(axes, rates(sampled) * shift, one["mean"].values, half_widths(sampled, strategy), look, linestyle="none", **more)


def lines(axes: Axes, x: np.ndarray, y: np.ndarray, strategy: str) -> None:
    axes.plot(x, y, **{**style(strategy), "marker": "", "label": None})
    axes.plot([], [], markerfacecolor="white", **style(strategy))  # the legend shows line and point


def finish(axes: Axes, title: str, reference: str) -> None:
    look = style(reference)
    axes.axhline(1, color=look["color"], linewidth=1.2, label=look["label"])
    axes.set(xscale="log", xlabel="rate of interruptions, per lifespan", ylabel="returned work")
    axes.set_title(title)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def star_panel(sheet: Sheet, axes: Axes, results: xr.Dataset, wc_ratio: float) -> None:
    exact, sampled = (select(results, wc_ratio=wc_ratio, metric=metric) for metric in ("expected", "returned"))
    names = [str(name) for name in results["strategy"].values]
    for k, name in enumerate(names):
        lines(axes, rates(exact), exact["mean"].sel(strategy=name).values, name)
        points(sheet, axes, sampled, name, 1.04 ** (k - len(names) // 2))
    finish(axes, f"star, w/c = {wc_ratio:g}", "opt-fifo")


def now_panel(sheet: Sheet, axes: Axes, results: xr.Dataset, rates_of_work: str) -> None:
    one = select(results, rates=rates_of_work)
    reference = reference_moments(one)[0]
    for k, name in enumerate(str(name) for name in results["strategy"].values):
        exact = one["expected_work"].sel(strategy=name).values / reference
        if np.isfinite(exact).all():
            lines(axes, rates(one), exact, name)
            points(sheet, axes, one, name, 1.04 ** (k - 1))
        else:  # random orders are only sampled
            points(sheet, axes, one, name, 1.04 ** (k - 1), label=style(name)["label"])
    finish(axes, f"workstations, {rates_of_work} rates", "fifo")


def draw(sheet: Sheet, stars: xr.Dataset, nows: xr.Dataset) -> None:
    ratios, kinds = sorted(set(stars["wc_ratio"].values.tolist())), sorted(set(map(str, nows["rates"].values)))
    panels = sheet.panels(len(ratios) + len(kinds), (1, 2), 1.8)
    for axes, wc_ratio in zip(panels, ratios):
        star_panel(sheet, axes, stars, wc_ratio)
    for axes, rates_of_work in zip(panels[len(ratios):], kinds):
        now_panel(sheet, axes, nows, rates_of_work)
    sheet.title, sheet.unit = "Work that comes back from unreliable workers", ""
    sheet.say(f"Returned work relative to the expected work of the best FIFO. Stars: {stars['workers'].values[0]:g} workers "
              f"with return messages; workstations: {nows['workers'].values[0]:g} of a network, with the named rates. Lines are "
              "exact expectations; points are means over the same samples for all strategies, shifted by a few per cent along "
              "the axis; FIFO in random order is only sampled.",
              "Lives are exponential; abscissa: their rate, per lifespan; in stars it is multiplied for each worker by a "
              f"factor drawn from {stars['hazard'].values[0]}.")


if __name__ == "__main__":
    sys.exit(figure_program("interrupted-returns", draw, __doc__, ("return-messages-interruptions", "now-interruptions")))
