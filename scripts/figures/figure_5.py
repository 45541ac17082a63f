#!/usr/bin/python3
"""Fig. 5 of worksharing-2013: experiment E5, mean over the x % instances most favourable to each strategy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402

from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.pairs import best_shares, chunks_note, compared, label_pairs, say_differences, say_means  # noqa: E402


def draw_best_shares(sheet: Sheet, results: xr.Dataset) -> None:
    shown = compared([results])
    pairs = sheet.pairs(1, (1, 1), (2.1, 1.4) if sheet.single else (2.6, 1.7))
    best_shares(sheet, pairs, results, shown)
    pairs[0][1].set_xlabel("x, % of the instances, the most favourable first")
    label_pairs(sheet, pairs)
    sheet.say("Against x: the mean over the x % instances most favourable to each strategy.", chunks_note(results))
    say_differences(sheet, [results], shown, of_best_shares=True)
    say_means(sheet, results)


def draw(sheet: Sheet, e5: xr.Dataset) -> None:
    sheet.call(5, "experiment E5, number of chunks chosen automatically", e5,
               str(e5.attrs["title"]).startswith("E5: automatic chunks"))
    draw_best_shares(sheet, e5)


if __name__ == "__main__":
    sys.exit(figure_program("figure-5", draw, __doc__, ("e5",)))
