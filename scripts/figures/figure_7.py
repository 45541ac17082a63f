#!/usr/bin/python3
"""Fig. 7 of worksharing-2013: the traces together, mean over the x % instances most favourable to each strategy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import xarray as xr  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import figure_5  # noqa: E402
from coterie.drawing import figure_program  # noqa: E402
from coterie.paper import data_note  # noqa: E402

NAME = "figure-7"
CAMPAIGNS = ("traces",)


def draw(traces: xr.Dataset) -> Figure:
    return figure_5.draw(traces, "worksharing-2013, Fig. 7: risks from availability traces",
                         data_note(traces["risk"].values))


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
