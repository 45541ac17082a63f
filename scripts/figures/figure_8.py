#!/usr/bin/python3
"""Fig. 8 of worksharing-2013: as Fig. 7, one panel a trace."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.names import risk_name  # noqa: E402
from coterie.pairs import best_shares, chunks_note, compared, label_pairs, say_differences, say_means  # noqa: E402
from coterie.paper import data_note  # noqa: E402


def draw(sheet: Sheet, traces: xr.Dataset) -> None:
    risks = list(dict.fromkeys(map(str, traces["risk"].values)))
    shown = compared([traces])
    pairs = sheet.pairs(len(risks), (2, 4), (1.1, 0.9) if sheet.single else (1.3, 1.1))
    for number, ((upper, lower), risk) in enumerate(zip(pairs, risks)):
        best_shares(sheet, upper, lower, select(traces, risk=risk), shown, f" of trace {number}")
        upper.set_title(f"{number} {risk_name(risk).removesuffix(' (synthetic)')}")
        sheet.label_x(lower, "x, % of instances")
    label_pairs(sheet, pairs)
    sheet.note = data_note(risks)
    sheet.call(8, "each trace", traces, bool(sheet.note))
    sheet.say("Against x: the mean over the x % instances most favourable to each strategy.", chunks_note(traces))
    say_differences(sheet, [traces], shown, of_best_shares=True)
    say_means(sheet, traces)


if __name__ == "__main__":
    sys.exit(figure_program("figure-8", draw, __doc__, ("traces",)))
