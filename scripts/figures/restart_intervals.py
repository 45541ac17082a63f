#!/usr/bin/python3
"""What the least expected time between checkpoints wins over the formulas of Young and Daly, by law of lives and cost of a
checkpoint. From the result of scripts/campaigns/restart-intervals.toml.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FuncFormatter  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.names import risk_names, strategy_name  # noqa: E402

BEST, OTHERS = "optimal", ("young", "daly")


def more_time(results: xr.Dataset, strategy: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean time above the optimum's in per cent, by configuration, and the half-width of its 95 % interval (paired)."""
    best = results["makespan"].sel(strategy=BEST).values
    more = 100 * (results["makespan"].sel(strategy=strategy).values - best) / best.mean(axis=1, keepdims=True)
    return more.mean(axis=1), 1.96 * more.std(axis=1, ddof=1) / np.sqrt(more.shape[1])


def panel(sheet: Sheet, axes: Axes, one: xr.Dataset, title: str) -> float:
    minutes = 60 * one["checkpoint"].values
    most = 0.0
    for k, name in enumerate(OTHERS):
        mean, half_width = more_time(one, name)
        sheet.points(axes, minutes * 1.06 ** (k - 0.5), mean, half_width, style(name, OTHERS))
        most = max(most, float(mean.max()))
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xscale="log", xticks=minutes)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    axes.set_title(title)
    return most


def draw(sheet: Sheet, results: xr.Dataset) -> None:
    if BEST not in results["strategy"].values or "checkpoint" not in results:
        raise ResultError("a result of the model restart with the strategy optimal is needed")
    names = {risk: "\n".join(name.split(", ")[:2]) for risk, name in risk_names(results["risk"].values).items()}
    panels = sheet.panels(len(names), (2, 4), 1.5, sharey=True)
    told = []
    for axes, (risk, name) in zip(panels, names.items()):
        one = select(results, risk=risk)
        told.append(f"{name.replace(chr(10), ', ')} {panel(sheet, axes, one, name):.1f}")
        axes.set_xlabel("checkpoint, min")
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("more time, %")
    sheet.title, sheet.unit = "Time above the least between checkpoints", "%"
    sheet.say(f"Mean time of a job of {results['work'].values[0]:g} h above that of the intervals of least expected time, with "
              f"those of {' and '.join(strategy_name(name) for name in OTHERS)}, on the same machines; abscissa: cost "
              "of a checkpoint.", f"At most, in %: {'; '.join(told)}.")


if __name__ == "__main__":
    sys.exit(figure_program("restart-intervals", draw, __doc__, ("restart-intervals",)))
