#!/usr/bin/python3
"""Fig. 7 of worksharing-2013: the traces together, mean over the x % instances most favourable to each strategy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import xarray as xr  # noqa: E402

import figure_5  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.paper import STAND_IN_NOTE, stand_ins  # noqa: E402


def draw(sheet: Sheet, traces: xr.Dataset) -> None:
    sheet.call(7, "risks from availability traces", traces, stand_ins(traces["risk"].values), STAND_IN_NOTE)
    figure_5.draw_best_shares(sheet, traces)


if __name__ == "__main__":
    sys.exit(figure_program("figure-7", draw, __doc__, ("traces",)))
