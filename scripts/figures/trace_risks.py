#!/usr/bin/python3
"""The risk of any traces, as Fig. 9 of worksharing-2013 shows it: for each file the share of the spells shorter than t,
Kaplan-Meier, which knows that a censored spell was not interrupted, and the fitted laws."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import LogLocator  # noqa: E402
from scipy.special import ndtr  # noqa: E402

from coterie import ResultError  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.names import risk_name  # noqa: E402
from coterie.program import find_program  # noqa: E402

#: Law: its risk Pr(t), from the parameters that `coterie trace fit` prints.
LAWS: dict[str, Callable[..., np.ndarray]] = {
    "exponential": lambda t, rate: -np.expm1(-rate * t),
    "weibull": lambda t, shape, scale: -np.expm1(-((t / scale) ** shape)),
    "lognormal": lambda t, median, sigma: ndtr(np.log(t / median) / sigma),
    "hyperexponential": lambda t, p, rate1, rate2: -p * np.expm1(-rate1 * t) - (1 - p) * np.expm1(-rate2 * t),
}
LAW_NAMES = {"weibull": "Weibull"}
LOOKS = {"exponential": ("#E69F00", (0, (3, 1))), "weibull": ("#009E73", "--"), "lognormal": ("#CC79A7", "-."),
         "hyperexponential": ("#56B4E9", ":")}


def ask(*arguments: object) -> dict:
    """What `coterie ARGUMENTS` prints, as JSON."""
    try:
        done = subprocess.run([find_program(), *map(str, arguments)], capture_output=True, text=True, check=False)
    except OSError as error:
        raise ResultError(str(error)) from error
    if done.returncode != 0:
        raise ResultError(done.stderr.strip())
    return json.loads(done.stdout)


def empirical(durations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the share of the spells shorter than t jumps, and the share just after (Section 7.2.1)."""
    times, counts = np.unique(durations, return_counts=True)
    return times, np.cumsum(counts) / durations.size


def kaplan_meier(durations: np.ndarray, observed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the product-limit estimate jumps, and the risk just after; it may end below 1."""
    times, first = np.unique(np.sort(durations), return_index=True)
    at_risk = durations.size - first
    events = np.bincount(np.searchsorted(times, durations[observed]), minlength=times.size)
    risk = 1 - np.cumprod(1 - events / at_risk)
    return times[events > 0], risk[events > 0]


def steps(axes: Axes, jumps: tuple[np.ndarray, np.ndarray], end: float, **look: object) -> None:
    """A risk that jumps, up to time `end`, thinned to what can be seen."""
    times, risk = jumps
    kept = np.unique(np.linspace(0, times.size - 1, min(times.size, 2000)).round().astype(int))
    axes.plot(np.append(times[kept], end), np.append(risk[kept], risk[-1]), drawstyle="steps-post", **look)


def panel(sheet: Sheet, axes: Axes, path: Path, reading: list[str]) -> None:
    trace = ask("trace", "convert", path, "--to", "json", *reading)
    durations = np.array([record[2] for record in trace["records"]], dtype=float)
    observed = np.array([record[3] for record in trace["records"]], dtype=bool)
    positive = durations[durations > 0]
    if positive.size == 0:
        raise ResultError(f"{path}: no spell is longer than zero")
    start, end = positive.min(), positive.max()
    grid = np.geomspace(start, end, 300) if end > start else np.array([end])
    if observed.any():
        for law, fit in ask("trace", "fit", path, "--format", "json", *reading).items():
            if "parameters" in fit:
                axes.plot(grid, LAWS[law](grid, **fit["parameters"]), color=LOOKS[law][0], linestyle=LOOKS[law][1],
                          label=f"{LAW_NAMES.get(law, law)}, fitted")
        steps(axes, kaplan_meier(durations, observed), end, color="#0072B2", linewidth=2.2, label="Kaplan-Meier")
    steps(axes, empirical(durations), end, color="black", linewidth=1, label="share of spells below t")
    axes.set_title(risk_name(f'trace(file="{path}")'))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=5))
    axes.set_ylim(0, 1.01)
    axes.set_xlabel("t, seconds")
    censored = 1 - observed.mean()
    sheet.say(f"{path.name}: {durations.size} spells, {100 * censored:.3g} % censored.")


def draw(sheet: Sheet, arguments: argparse.Namespace) -> None:
    reading = ["--trace-format", arguments.trace_format] if arguments.trace_format else []
    for option in arguments.option:
        reading += ["--option", option]
    sheet.title = "Probability of interruption before t"
    sheet.made_by = f"{', '.join(path.name for path in arguments.traces)}; coterie trace convert and fit"
    panels = sheet.panels(len(arguments.traces), (2, 4), 1.7, sharey=True)
    for axes, path in zip(panels, arguments.traces):
        panel(sheet, axes, path, reading)
    for axes in sheet.first_of_rows(panels):
        axes.set_ylabel("interrupted by t")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("traces", type=Path, nargs="+", metavar="TRACE", help="a file that `coterie trace` reads")
    parser.add_argument("--trace-format", help="the format of all files (default: recognised from the content)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="options for reading them")


if __name__ == "__main__":
    sys.exit(figure_program("trace-risks", draw, __doc__, configure=configure))
