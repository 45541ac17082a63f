#!/usr/bin/python3
"""Fig. 6 of worksharing-2013: experiment E6, mean ratio against the potential for replication p X / W."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import xarray as xr  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.pairs import along_axis, chunks_note, compared, label_pairs, say_differences, say_means  # noqa: E402


def draw(sheet: Sheet, e6: xr.Dataset) -> None:
    """One panel a start-up cost. X = 1, the time by which an interruption is certain under the linear risk."""
    startups = sorted(set(e6["startup"].values.tolist()), reverse=True)
    shown = compared([e6])
    pairs = sheet.pairs(len(startups), (2, 4), (1.35, 1.15))
    for (upper, lower), startup in zip(pairs, startups):
        one = select(e6, startup=startup)
        along_axis(sheet, upper, lower, one, one["workers"].values / one["work"].values, shown,
                   f" of ε = {startup:g}")
        upper.set_title(f"ε = {startup:g}")
        sheet.label_x(lower, "potential p X / W")
    label_pairs(sheet, pairs)
    work, workers = e6["work"].values, e6["workers"].values
    sheet.call(6, "experiment E6, potential for replication", e6, str(e6.attrs["title"]).startswith("E6: potential"))
    linear = all("linear" in risk for risk in map(str, e6["risk"].values))
    sheet.say(f"W = {work.min():g} units of work on p = {workers.min():g} to {workers.max():g} workers; ε: start-up cost; "
              f"X = 1{': the time by which an interruption is certain' if linear else ''}.", chunks_note(e6))
    say_differences(sheet, [e6], shown)
    say_means(sheet, e6)


if __name__ == "__main__":
    sys.exit(figure_program("figure-6", draw, __doc__, ("e6",)))
