#!/usr/bin/python3
"""Fig. 4 of worksharing-2013: experiments E1 to E4 around 25 workers, 147 chunks, start-up cost 0.001, W = 0.3 p."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.curves import ratio_ceiling  # noqa: E402
from coterie.drawing import (CEILING_STYLE, draw_curve, drawn_strategies, figure_program, legend_below, per_cent,  # noqa: E402
                             source_line, style)

NAME = "figure-4"
CAMPAIGNS = ("e1", "e2", "e3", "e4")
WORKERS, CHUNKS, STARTUP, LOAD = 25, "147", 0.001, 0.3


def panel(axes: Axes, results: xr.Dataset, along: str, title: str, **fixed: float | str) -> None:
    """Mean ratio in per cent of each strategy against the axis `along`, all others fixed."""
    chosen = select(results, **fixed)
    x = chosen[along].values.astype(float)
    order = x.argsort()
    names = drawn_strategies(chosen)
    for name in names:
        one = chosen.sel(strategy=name)
        draw_curve(axes, x[order], 100 * one["mean"].values[order], 100 * one["standard_error"].values[order],
                   style(name, names), markers=12)
    ceiling = ratio_ceiling(chosen)
    if ceiling is not None:
        axes.plot(x[order], 100 * ceiling[order], **CEILING_STYLE)
    axes.set_title(title)
    per_cent(axes)


def with_load(results: xr.Dataset, load: float) -> xr.Dataset:
    """The configurations with work = load x workers."""
    near = abs(results["work"].values / results["workers"].values - load) < 1e-9
    if not near.any():
        raise ResultError(f"no configuration has work = {load} workers")
    return results.isel(configuration=near.nonzero()[0])


def draw(e1: xr.Dataset, e2: xr.Dataset, e3: xr.Dataset, e4: xr.Dataset) -> Figure:
    figure, grid = plt.subplots(2, 2, figsize=(8.6, 7.2), sharey=True)
    work = LOAD * WORKERS
    panel(grid[0, 0], e1, "work", "E1: workload W", workers=WORKERS, chunks_requested=CHUNKS, startup=STARTUP)
    panel(grid[0, 1], with_load(e2, LOAD), "workers", "E2: number of workers p (W = 0.3 p)", chunks_requested=CHUNKS,
          startup=STARTUP)
    panel(grid[1, 0], e3, "chunks_requested", "E3: chunks per unit of work n", workers=WORKERS, work=work,
          startup=STARTUP)
    panel(grid[1, 1], e4, "startup", "E4: start-up cost ε", workers=WORKERS, work=work, chunks_requested=CHUNKS)
    grid[1, 1].set_xscale("log")
    labels = ("W, units of work", "p, workers", "n, chunks per unit of work", "ε, units of work")
    for axes, label in zip(grid.flat, labels):
        axes.set_xlabel(label)
    for axes in grid[:, 0]:
        axes.set_ylabel("mean work, % of the omniscient's")
    figure.suptitle("worksharing-2013, Fig. 4: experiments E1 to E4\n"
                    "where not varied: p = 25, n = 147, ε = 0.001, W = 0.3 p; bands: 95 %", fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    legend_below(figure, grid[0, 0])
    source_line(figure, e1, e2, e3, e4)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
