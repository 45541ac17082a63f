#!/usr/bin/python3
"""Fig. 8 of worksharing-2013: as Fig. 7, one panel a trace."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402

from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.names import trace_titles  # noqa: E402
from coterie.pairs import best_shares, chunks_note, compared, label_pairs, say_differences, say_means  # noqa: E402
from coterie.paper import STAND_IN_NOTE, stand_ins  # noqa: E402


def draw(sheet: Sheet, traces: xr.Dataset) -> None:
    risks, titles = traces["risk"].values.astype(str), trace_titles(traces["risk"].values)
    shown = compared([traces])
    pairs = sheet.pairs(len(titles), (2, 4), (1.1, 0.9) if sheet.single else (1.3, 1.1))
    best_shares(sheet, pairs, traces, shown, [(risks == risk, f" of {title}") for risk, title in titles.items()])
    for (upper, lower), title in zip(pairs, titles.values()):
        upper.set_title(title)
        sheet.label_x(lower, "x, % of instances")
    label_pairs(sheet, pairs)
    sheet.call(8, "each trace", traces, stand_ins(titles), STAND_IN_NOTE)
    sheet.say("Against x: the mean over the x % instances most favourable to each strategy.", chunks_note(traces))
    say_differences(sheet, [traces], shown, of_best_shares=True)
    say_means(sheet, traces)


if __name__ == "__main__":
    sys.exit(figure_program("figure-8", draw, __doc__, ("traces",)))
