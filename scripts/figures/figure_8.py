#!/usr/bin/python3
"""Fig. 8 of worksharing-2013: as Fig. 7, one panel a trace."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import xarray as xr  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import figure_5  # noqa: E402
from coterie import select, trace_name  # noqa: E402
from coterie.drawing import figure_program, legend_below, panels, source_line  # noqa: E402
from coterie.paper import data_note  # noqa: E402

NAME = "figure-8"
CAMPAIGNS = ("traces",)


def draw(traces: xr.Dataset) -> Figure:
    risks = list(dict.fromkeys(map(str, traces["risk"].values)))
    figure, grid = panels(len(risks), 4, (3, 2.8), (0.4, 1.3), sharex=True, sharey=True)
    for number, (axes, risk) in enumerate(zip(grid.flat, risks)):
        figure_5.draw_best_shares(axes, select(traces, risk=risk))
        axes.set_title(f"Trace {number}: {trace_name(risk)}")
    for axes in grid[-1]:
        axes.set_xlabel("x, % most favourable instances")
    for axes in grid[:, 0]:
        axes.set_ylabel("mean work, % of omniscient's")
    requested = ", ".join(sorted(set(map(str, traces["chunks_requested"].values))))
    figure.suptitle(f"worksharing-2013, Fig. 8: each trace\n{data_note(risks)}; chunks: {requested}; bands: 95 %",
                    fontsize=11)
    figure.tight_layout(rect=(0, 0.72 / figure.get_figheight(), 1, 1))  # inches
    legend_below(figure, grid[0, 0])
    source_line(figure, traces)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
