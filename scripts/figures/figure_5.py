#!/usr/bin/python3
"""Fig. 5 of worksharing-2013: experiment E5, mean over the x % instances most favourable to each strategy."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import best_share_curve  # noqa: E402
from coterie.curves import best_share_ceiling  # noqa: E402
from coterie.drawing import (CEILING_STYLE, draw_curve, drawn_strategies, figure_program, legend_below, per_cent,  # noqa: E402
                             source_line, style)

NAME = "figure-5"
CAMPAIGNS = ("e5",)


def draw_best_shares(axes: Axes, results: xr.Dataset) -> None:
    """The curve of each strategy; all its instances, over all configurations given, are sorted together."""
    names = drawn_strategies(results)
    for name in names:
        curve = best_share_curve(results["ratio"].sel(strategy=name).values)
        draw_curve(axes, curve.x, 100 * curve.y, 100 * curve.error, style(name, names))
    ceiling = best_share_ceiling(results)
    if ceiling is not None:
        axes.plot(ceiling.x, 100 * ceiling.y, **CEILING_STYLE)
    axes.set_xlim(0, 100)
    per_cent(axes)


def draw(e5: xr.Dataset, title: str = "worksharing-2013, Fig. 5: experiment E5, number of chunks chosen automatically",
         note: str = "") -> Figure:
    figure, axes = plt.subplots(figsize=(7, 5))
    draw_best_shares(axes, e5)
    axes.set_xlabel("x, % of the instances, the most favourable to each strategy first")
    axes.set_ylabel("mean work over them, % of the omniscient's")
    requested = ", ".join(sorted(set(map(str, e5["chunks_requested"].values))))
    axes.set_title("\n".join(filter(None, [title, note, f"chunks: {requested}; bands: 95 %"])))
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    legend_below(figure, axes)
    source_line(figure, e5)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
