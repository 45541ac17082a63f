#!/usr/bin/python3
"""Beyond worksharing-2013: experiment E5 where workers are interrupted by zones, by the placement of copies."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402

from coterie import paired_difference, select  # noqa: E402
from coterie.curves import best_share_curve, best_share_difference  # noqa: E402
from coterie.drawing import Sheet, per_cent  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.intervals import Array  # noqa: E402
from coterie.looks import spare_style, style  # noqa: E402
from coterie.names import strategy_name  # noqa: E402
from coterie.pairs import known_errors  # noqa: E402

SHOWN, BASE = "best", "no-replication"
COPIED = ("greedy", SHOWN)
PLACEMENTS = {"packed": "packed in zones", "blind": "dealt blindly", "spread": "spread over zones",
              "known": "made and placed for the zones"}


def ratios(results: xr.Dataset, strategy: str) -> Array:
    return results["ratio"].sel(strategy=strategy).values


def say_gains(sheet: Sheet, results: xr.Dataset, common: float) -> None:
    told = []
    for name in COPIED:
        gains = []
        for placement in PLACEMENTS:
            some = select(results, placement=placement)
            gain = paired_difference(ratios(some, name), ratios(some, BASE), of=some) * 100
            gains.append(f"{placement} {gain.value:+.2f} ± {gain.half_width:.2f}")
        told.append(f"{strategy_name(name)} {', '.join(gains)}")
    sheet.say(f"With {100 * common:.0f} % of the hazard shared, points above no replication, each configuration "
              f"weighing the same (± 95 %): {'; '.join(told)}.")


def draw(sheet: Sheet, results: xr.Dataset) -> None:
    shares = sorted(set(results["common"].values.tolist()))
    pairs = sheet.pairs(len(shares), (1, 3), (1.6, 1.1))
    sheet.title = "Experiment E5 of worksharing-2013 with workers that are interrupted by zones"
    sheet.say("Against x: the mean over the x % instances most favourable to each. Upper panels: mean work in % of the "
              f"omniscient's, of the strategy {SHOWN} by the placement of its copies, and without copies. Lower panels: "
              "the gain over no replication, which has its own best instances.",
              "Number of chunks: the best one for each strategy.")
    for (upper, lower), common in zip(pairs, shares):
        some = select(results, common=common)
        base = ratios(select(some, placement="known"), BASE)
        band = 100 * known_errors(sheet, select(some, placement="known"))
        curve = best_share_curve(base)
        sheet.curve(upper, curve.x, 100 * curve.y, band * curve.half_width, style(BASE))
        for number, (placement, words) in enumerate(PLACEMENTS.items()):
            one = ratios(select(some, placement=placement), SHOWN)
            look = spare_style((1, 3, 0, 6)[number]) | {"label": words}
            curve, gap = best_share_curve(one), best_share_difference(one, base)
            sheet.curve(upper, curve.x, 100 * curve.y, band * curve.half_width, look)
            sheet.curve(lower, gap.x, 100 * gap.y, band * gap.half_width, look)
        upper.set_title(f"{100 * common:.0f} % of the hazard shared")
        upper.set_xlim(0, 100)
        per_cent(upper, 60)
        lower.axhline(0, **style(BASE) | {"marker": "", "linewidth": 1, "label": None})
        sheet.label_x(lower, "x, % of the instances")
        say_gains(sheet, some, common)
    low, high = zip(*(lower.get_ylim() for _, lower in pairs))
    for number, (upper, lower) in enumerate(pairs):
        lower.set_ylim(min(low), max(high))
        if sheet.first_of_rows([upper]):
            upper.set_ylabel("mean work, % of\nomniscient's")
            lower.set_ylabel("gain, points")


if __name__ == "__main__":
    sys.exit(figure_program("figure-5-zones", draw, __doc__, ("e5-zones",)))
