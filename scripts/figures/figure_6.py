#!/usr/bin/python3
"""Fig. 6 of worksharing-2013: experiment E6, mean ratio against the potential for replication p X / W."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import select  # noqa: E402
from coterie.drawing import (draw_curve, drawn_strategies, figure_program, legend_below, panels,  # noqa: E402
                             per_cent, source_line, style)

NAME = "figure-6"
CAMPAIGNS = ("e6",)


def draw(e6: xr.Dataset) -> Figure:
    """One panel a start-up cost. X = 1, the time by which an interruption is certain under the linear risk."""
    startups = sorted(set(e6["startup"].values.tolist()), reverse=True)
    figure, grid = panels(len(startups), 2, (4.3, 3.3), (0, 1), sharey=True)
    names = drawn_strategies(e6)
    for axes, startup in zip(grid.flat, startups):
        chosen = select(e6, startup=startup)
        potential = chosen["workers"].values / chosen["work"].values
        order = np.argsort(potential)
        for name in names:
            one = chosen.sel(strategy=name)
            draw_curve(axes, potential[order], 100 * one["mean"].values[order],
                       100 * one["standard_error"].values[order], style(name, names))
        axes.set_title(f"start-up cost ε = {startup:g}")
        axes.set_xlabel("potential for replication, p X / W")
        per_cent(axes)
    for axes in grid[:, 0]:
        axes.set_ylabel("mean work, % of the omniscient's")
    figure.suptitle("worksharing-2013, Fig. 6: experiment E6, W = 10 units of work on 10 to 100 workers; bands: 95 %",
                    fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    legend_below(figure, grid[0, 0])
    source_line(figure, e6)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
