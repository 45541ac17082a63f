#!/usr/bin/python3
"""Beyond worksharing-2013: the value of hearing what has been completed, by load, latency and start-up cost."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.curves import differences, ratio_ceiling  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import CEILING_STYLE, LISTENING_CEILING_STYLE, style  # noqa: E402
from coterie.names import risk_names, strategy_name  # noqa: E402

BASE = "best"
#: The panels end so many points below `best`.
DEPTH = 3
AXES = {"load": "load W / p", "latency": "latency", "startup": "start-up cost ε"}


def expected_ratio(results: xr.Dataset) -> np.ndarray:
    """Of `best`: its mean ratio, less what these instances happen to exceed its exact expected work by. Ceilings are of
    expectations; beside the mean ratio alone, chance would put them below the best.
    """
    best = results.sel(strategy=BASE)
    done = (best["ratio"] * best["reference"]).mean("instance")
    return (best["mean"] - (done - best["expected_work"]) / best["work"]).values


def gains(sheet: Sheet, axes: Axes, results: xr.Dataset, x: xr.DataArray) -> float:
    """What each policy completes more than `best` on the same instances, in points, and what nobody can exceed; the most
    that anybody could gain comes back. Adaptive, which mostly follows another one, is points without a line.
    """
    order = x.values.argsort()
    base = results["mean"].sel(strategy=BASE).values
    axes.axhline(0, color=style(BASE)["color"], linewidth=1.2, label=strategy_name(BASE))
    most = 100 * (1 - base)[order]
    axes.fill_between(x.values[order], most, 100, color="0.92", linewidth=0)
    axes.plot(x.values[order], most, color="0.6", linewidth=1.2, label="omniscient")
    names = [name for name in map(str, results["strategy"].values) if name != BASE]
    for name in names:
        mean, half_width = differences(results, name, BASE)
        look = style(name, names) | ({"linestyle": "none"} if name == "adaptive" else {"marker": ""})
        sheet.curve(axes, x.values[order], 100 * mean[order], 100 * half_width[order], look, markers=len(order))
    for ceiling, look in (("static_ceiling", CEILING_STYLE), ("listening_ceiling", LISTENING_CEILING_STYLE)):
        bound = ratio_ceiling(results, ceiling)
        if bound is not None:
            above = 100 * (bound - expected_ratio(results))[order]
            axes.plot(x.values[order], np.where(above < most, above, np.nan), **look)  # a bound above everybody's says nothing
    return float(most.max())


def without_prefetch(sheet: Sheet, axes: Axes, results: xr.Dataset) -> str:
    """`central` where each chunk waits for news of the one before; says from which latency on it is below `best`."""
    order = results["latency"].values.argsort()
    latency = results["latency"].values[order]
    mean, half_width = (100 * values[order] for values in differences(results, "central", BASE))
    sheet.curve(axes, latency, mean, half_width, {"color": style("central")["color"], "linewidth": 0.9, "linestyle": (0, (1, 2)),
                                                  "marker": "", "label": f"{strategy_name('central')}, no prefetch"})
    below = latency[mean + half_width < 0]
    return f"from {below.min():g} on (at {latency[-1]:g} by {-mean[-1]:.0f} points)" if below.size else "nowhere"


def short(value: float, _: int) -> str:
    return f"{value:g}".replace("0.", ".")


def scale(axes: Axes, axis: str, results: xr.Dataset) -> None:
    if axis == "latency":
        axes.set_xscale("symlog", linthresh=0.01, linscale=0.5)
        axes.xaxis.set_major_locator(FixedLocator([0, 0.01, 0.1, 1]))
        axes.set_xlim(-0.002, 1.15 * float(results["latency"].values.max()))
    elif axis == "startup":
        axes.set_xscale("log")
    else:
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 4, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(short))
    axes.xaxis.set_minor_locator(NullLocator())


def draw(sheet: Sheet, load: xr.Dataset, latency: xr.Dataset, startup: xr.Dataset) -> None:
    every = (load, latency, startup)
    risks = list(dict.fromkeys(map(str, load["risk"].values)))
    if any(list(dict.fromkeys(map(str, other["risk"].values))) != risks for other in every):
        raise ResultError("the three results have different risks")
    if any(BASE not in one["strategy"].values for one in every):
        raise ResultError(f"results with the strategy {BASE} are needed")
    plain = {risk: name.removesuffix(" (synthetic)") for risk, name in risk_names(risks).items()}
    if sheet.single:  # the risks of one axis together
        across = min(2, len(risks))
        cells = [(axis, risk) for axis in AXES for risk in risks]
        panels = sheet.panels(len(cells), (across, 3), 1.15, sharey=True)
    else:
        cells = [(axis, risk) for risk in risks for axis in AXES]
        panels = sheet.panels(len(cells), (2, 3), 1.5, sharey=True)
    most, waits = 0.0, []
    for axes, (axis, risk) in zip(panels, cells):
        one = select(dict(zip(AXES, every))[axis], risk=risk)
        if axis == "latency":
            held = one
            one = select(one, prefetch=1)
        x = one["work"] / one["workers"] if axis == "load" else one[axis]
        most = max(most, gains(sheet, axes, one, x))
        if axis == "latency" and "central" in one["strategy"].values:
            waits.append(f"{plain[risk]} {without_prefetch(sheet, axes, select(held, prefetch=0))}")
        scale(axes, axis, one)
        if sheet.single or axis == "load":
            axes.set_title(plain[risk])
        last = risk in risks[-across:] if sheet.single else risk == risks[-1]
        axes.tick_params(labelbottom=last)
        if last:
            axes.set_xlabel(AXES[axis])
    panels[0].set_ylim(-DEPTH, 1.03 * most)
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("above best,\npoints" if sheet.single else "above best, points")
    say(sheet, every, waits)


def say(sheet: Sheet, every: tuple[xr.Dataset, ...], waits: list[str]) -> None:
    load, latency, _ = every
    sheet.title = "The value of listening, by load, latency and start-up cost"
    if any("synthetic" in str(risk) for risk in load["risk"].values):
        sheet.note = "traces: synthetic stand-ins"
    sheet.say("Mean work in % of the omniscient's, minus that of the static schedule best on the same instances, for each risk; "
              "the grey area cannot be reached. No static schedule, no policy that listens exceeds: bounds on mean ratios, from "
              "the proven bounds on expected work, minus best's expectation.", f"{load['workers'].values[0]:g} workers of mean life 1; "
              f"where not varied: load {(latency['work'] / latency['workers']).values[0]:g}, latency "
              f"{load['latency'].values[0]:g}, start-up cost ε = {load['startup'].values[0]:g}.",
              '"Skipping": the static schedule without the chunks that are known to be complete.')
    if waits:
        sheet.say(f"Without prefetch, where each chunk waits for news of the one before, the central queue falls below best by "
                  f"latency: {', '.join(waits)}; more than {DEPTH} points below best are cut off.")
    gain = [100 * float(np.max(one["mean"].values.max(axis=1) - one["mean"].sel(strategy=BASE).values)) for one in every]
    sheet.say("Greatest gains of listening over best: " + ", ".join(
        f"{value:.1f} points by {word}" for value, word in zip(gain, ("load", "latency", "start-up cost"))) + ".")


if __name__ == "__main__":
    sys.exit(figure_program("value-of-listening", draw, __doc__, ("load", "latency", "startup")))
