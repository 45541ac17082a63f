#!/usr/bin/python3
"""What policies for spot and on-demand cost, beside on-demand alone and the omniscient, by the time to the deadline, and how
much of the distance between the greedy one and the omniscient each closes. From the result of
scripts/campaigns/restart-deadline.toml or cant-be-late.toml.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.names import strategy_name  # noqa: E402

GREEDY, SURE = "last-moment", "on-demand"


def costs(results: xr.Dataset) -> tuple[np.ndarray, np.ndarray]:
    """The omniscient's cost (configuration x instance) and the strategies' (configuration x strategy x instance), in
    per cent of on-demand alone."""
    least = results["work"].values[:, None] / results["reference"].values
    alone = (results["work"].values * results["price"].values)[:, None]
    ratios = results["ratio"].transpose("configuration", "strategy", "instance").values
    with np.errstate(divide="ignore"):
        return 100 * least / alone, 100 * (least / alone)[:, None, :] / ratios


def closed(least: np.ndarray, greedy: np.ndarray, cost: np.ndarray) -> float:
    """Of the distance from the greedy policy to the omniscient, in per cent."""
    distance = greedy.mean() - least.mean()
    return 100 * (greedy.mean() - cost.mean()) / distance if distance > 0 else 0.0


def panel(sheet: Sheet, axes: Axes, one: xr.Dataset, title: str, names: list[str]) -> str:
    deadlines = sorted(set(one["deadline"].values.tolist()))
    least, cost = costs(one)
    all_names = list(map(str, one["strategy"].values))
    here = [one["deadline"].values == deadline for deadline in deadlines]
    x = np.array(deadlines) / one["work"].values[0]
    for k, name in enumerate(names):
        rows = [cost[chosen, all_names.index(name)].ravel() for chosen in here]
        half_width = np.array([1.96 * row.std(ddof=1) / np.sqrt(row.size) for row in rows])
        sheet.points(axes, x + 0.004 * (k - len(names) / 2), np.array([row.mean() for row in rows]), half_width, style(name, names))
    axes.plot(x, [least[chosen].mean() for chosen in here], color="black", linewidth=1.2, label="omniscient")
    axes.axhline(100, color="0.5", linewidth=0.8)
    axes.set_title(title)
    axes.set_xlabel("deadline / work")
    tightest = here[0]
    greedy = cost[tightest, all_names.index(GREEDY)]
    shares = [f"{strategy_name(name)} {closed(least[tightest], greedy, cost[tightest, all_names.index(name)]):.0f}"
              for name in names if name != GREEDY]
    return f"{title}: {', '.join(shares)}"


def draw(sheet: Sheet, results: xr.Dataset) -> None:
    if GREEDY not in results["strategy"].values or "deadline" not in results:
        raise ResultError("a result of the model restart with metric = \"cost\" and the strategy last-moment is needed")
    names = [name for name in map(str, results["strategy"].values)  # a job that is late has no cost to compare
             if name != SURE and (results["ratio"].sel(strategy=name).values > 0).all()]
    spots = list(dict.fromkeys(results["spot"].values.astype(str).tolist()))
    cases = [(spot, gang) for spot in spots for gang in sorted(set(select(results, spot=spot)["gang"].values.tolist()))]
    panels = sheet.panels(len(cases), (2, 3), 1.7, sharey=True)
    told = []
    for axes, (spot, gang) in zip(panels, cases):
        market = "laws" if spot == "renewal" else Path(spot.split("trace=")[1].split(",")[0].rstrip(")")).stem
        title = f"{market}, {gang:g} machine{'s' if gang > 1 else ''}"
        told.append(panel(sheet, axes, select(results, spot=spot, gang=gang), title, names))
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("cost, % of that on demand")
    sheet.title, sheet.unit = "Cost of a job with a deadline on spot and on demand", "%"
    sheet.say("Mean cost in per cent of on-demand alone (grey line), by the time to the deadline. The omniscient knows when spot "
              "will be there.",
              f"Of the distance from {strategy_name(GREEDY)} to the omniscient each closes at the nearest deadline, in %: {'; '.join(told)}.")


if __name__ == "__main__":
    sys.exit(figure_program("restart-deadline", draw, __doc__, ("restart-deadline",)))
