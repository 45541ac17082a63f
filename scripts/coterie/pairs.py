"""Figures 4 to 8 of worksharing-2013: mean work of each strategy, and below it the differences to greedy.

Strategies that complete far less, as brute force does, squeeze the curves that matter together: the lower panels leave
them out, and show how far the others are from greedy: on the same instances, or where the best x % of them are drawn,
from greedy on its own best ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from .curves import (BestShares, add_differences, best_shares_of, differences, half_widths, mean_difference,
                     ratio_ceiling)
from .drawing import Sheet, drawn_strategies, per_cent
from .intervals import Array
from .looks import CEILING_MARK, CEILING_STYLE, CEILING_WORDS, LEAST_TEXT, style
from .names import strategy_name
from .progress import reported
from .results import ResultError, independent, ratios_of

BASE = "greedy"
#: A strategy is left out of the differences where it completes less than this share of greedy's work on average.
FAR = 0.75
#: Panels of differences show at least so many points, and cut what is more than so many times as far.
LEAST_SPAN, CUT = 2.0, 2.5


def compared(results: Sequence[xr.Dataset]) -> list[str]:
    """The strategies whose differences to greedy are drawn. Raises ResultError where greedy did not run."""
    names = list(dict.fromkeys(str(name) for one in results for name in one["strategy"].values))
    if BASE not in names:
        raise ResultError(f"these figures compare strategies with {BASE}, which the results do not have")

    def mean(name: str) -> float:
        there = [one for one in results if name in one["strategy"].values]
        return float(np.mean([one["mean"].sel(strategy=name).values.mean() for one in there]))

    return [name for name in names if name != BASE and mean(name) >= FAR * mean(BASE)]


def _scale(sheet: Sheet, axes: Axes, drawn: list[Array], where: str) -> None:
    """Zero is greedy; the few values that would squeeze all others together are cut off, and said."""
    look = style(BASE)
    axes.axhline(0, color=look["color"], linestyle=look["linestyle"], linewidth=1)
    values = np.concatenate([np.zeros(1), *drawn])
    low, high = np.quantile(values, (0.03, 0.97))
    span = max(high - low, LEAST_SPAN)
    if values.max() - values.min() < CUT * span:
        low, high = values.min(), values.max()
    else:
        low, high = max(low, values.min()), min(high, values.max())
        sheet.remark(f"The lower panel{where} is cut off: differences there range from {values.min():+.3g} to "
                     f"{values.max():+.3g} points.")
    axes.yaxis.set_major_locator(MaxNLocator(4, min_n_ticks=3))
    middle, half = (low + high) / 2, max(high - low, LEAST_SPAN) / 2
    axes.set_ylim(middle - 1.12 * half, middle + 1.12 * half)


def label_pairs(sheet: Sheet, pairs: Sequence[tuple[Axes, Axes]]) -> None:
    for upper, lower in pairs:
        for axes, words in ((upper, "mean work, % of\nomniscient's"), (lower, "minus greedy,\npoints")):
            if sheet.first_of_rows([axes]):
                axes.set_ylabel(words, fontsize=LEAST_TEXT if sheet.single and axes is lower else None)


def along_axis(sheet: Sheet, upper: Axes, lower: Axes, results: xr.Dataset, x: Array, shown: Sequence[str],
               where: str = "") -> None:
    """Mean ratio of each strategy against x, a value for each configuration, and the differences of those `shown`."""
    order = np.argsort(x)
    names = list(map(str, results["strategy"].values))
    for name in drawn_strategies(results):
        sheet.curve(upper, x[order], 100 * results["mean"].sel(strategy=name).values[order],
                    100 * half_widths(results, name)[order], style(name, names))
    ceiling = ratio_ceiling(results)
    if ceiling is not None:
        upper.plot(x[order], 100 * ceiling[order], **CEILING_STYLE)
        sheet.remark(CEILING_WORDS)
    per_cent(upper)
    drawn = []
    for name in (name for name in shown if name in names):
        mean, half_width = differences(results, name, BASE)
        drawn.append(100 * mean)
        sheet.curve(lower, x[order], 100 * mean[order], 100 * half_width[order], style(name, names))
    _scale(sheet, lower, drawn, where)


def known_errors(sheet: Sheet, results: xr.Dataset) -> float:
    """1, or 0 where no error of best shares is known: it is for independent instances. The caption then says so."""
    if independent(results):
        return 1.0
    sheet.remark("No bands: configurations share their instances.")
    return 0.0


def best_shares(sheet: Sheet, panels: Sequence[tuple[Axes, Axes]], results: xr.Dataset, shown: Sequence[str],
                parts: Sequence[tuple[Array | slice, str]] = ((slice(None), ""),)) -> None:
    """Means over the best x % instances of each strategy, and the differences: a pair of panels for each part of the
    configurations, all of a part together, with the words that say which. The ratios of each strategy are read once.
    """
    names = list(map(str, results["strategy"].values))
    bands = [100 * known_errors(sheet, results.isel(configuration=rows)) for rows, _ in parts]
    ceiling = ratio_ceiling(results)

    def ranked(name: str) -> list[BestShares]:
        ratios = ratios_of(results, name)
        return [best_shares_of(ratios[rows]) for rows, _ in parts]

    base = ranked(BASE)
    drawn: list[list[Array]] = [[] for _ in parts]
    seen = drawn_strategies(results)
    for name in reported(names, "best shares"):
        for number, one in enumerate(base if name == BASE else ranked(name)):
            (upper, lower), band = panels[number], bands[number]
            if name in seen:
                curve = one.curve()
                sheet.curve(upper, curve.x, 100 * curve.y, band * curve.half_width, style(name, names))
            if name in shown:
                curve = one.minus(base[number])
                sheet.curve(lower, curve.x, 100 * curve.y, band * curve.half_width, style(name, names))
                drawn[number].append(100 * curve.y)
    for (upper, lower), (rows, where), values in zip(panels, parts, drawn):
        if ceiling is not None:  # a bound on means over all instances says little of the best ones
            upper.plot(100, 100 * ceiling[rows].mean(), **CEILING_MARK)
            sheet.remark(CEILING_WORDS)
        upper.set_xlim(0, 100)
        per_cent(upper)
        _scale(sheet, lower, values, where)


def say_differences(sheet: Sheet, results: Sequence[xr.Dataset], shown: Sequence[str], of_best_shares: bool = False) -> None:
    """What the panels are, which strategies are not in the lower ones, and why."""
    sheet.say("Upper panels: mean work in % of the omniscient's. Lower panels: the difference to greedy"
              + (", which has its own best instances." if of_best_shares else " in the same instances."))
    names = list(dict.fromkeys(str(name) for one in results for name in one["strategy"].values))
    far = [strategy_name(name) for name in names if name not in (BASE, *shown)]
    if far and shown:
        left_out = ' and '.join(far)
        sheet.say(f"{left_out[0].upper()}{left_out[1:]}, below {100 * FAR:.0f} % of greedy's work on average, "
                  f"{'is' if len(far) == 1 else 'are'} left out of the lower panels.")
    if "refined" in shown:
        sheet.say("Refined is shown only in the lower panels.")


def say_means(sheet: Sheet, results: xr.Dataset) -> None:
    """The means over all instances, and the paired differences to greedy with their intervals."""
    add_differences(results, BASE)
    told = []
    for name in map(str, results["strategy"].values):
        words = f"{strategy_name(name)} {100 * float(results['mean'].sel(strategy=name).values.mean()):.2f}"
        if name != BASE and BASE in results["strategy"].values:
            gap = mean_difference(results, name, BASE) * 100
            words += f" ({gap.value:+.2f} ± {gap.half_width:.2f})"
        told.append(words)
    sheet.say("Means of configurations, each weighing the same, % (in parentheses the difference to greedy in points, "
              f"± 95 %): {', '.join(told)}.")
    if "static_ceiling" in results:
        with np.errstate(invalid="ignore"):
            reached = np.nanmean(results["expected_work"].values / results["static_ceiling"].values[:, None], axis=0)
        most = int(np.nanargmax(reached))
        sheet.say(f"{strategy_name(str(results['strategy'].values[most])).capitalize()} expects {100 * reached[most]:.2f} % of the "
                  "expected work that no static schedule exceeds, on average.")


def chunks_note(results: xr.Dataset) -> str:
    """How the number of chunks was chosen, in words."""
    words = {"auto": "the best one for each strategy", "auto-paper": "found by the paper's binary search"}
    asked = dict.fromkeys(map(str, results["chunks_requested"].values))
    return f"Number of chunks: {', '.join(words.get(one, one) for one in asked)}."
