#!/usr/bin/python3
"""Fig. 9 of worksharing-2013: the risk function of each trace of a campaign.

The trace files are looked for where the campaign names them, and must be of the format durations.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from coterie import ResultError, trace_name  # noqa: E402
from coterie.drawing import figure_program, legend_below, source_line  # noqa: E402
from coterie.paper import STAND_IN_NOTE  # noqa: E402

NAME = "figure-9"
CAMPAIGNS = ("traces",)
LOOKS = [("#000000", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"), ("#0072B2", ":", "v"),
         ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "D"), ("#56B4E9", (0, (8, 2)), "P"), ("#E69F00", (0, (3, 1)), "X"),
         ("#666666", (0, (1, 1)), "*")]


def durations(risk: str, folder: Path) -> np.ndarray:
    """The durations of the trace named in trace(file=...), in increasing order and with the longest as unit."""
    found = re.search(r'file\s*=\s*(?:"([^"]*)"|([^,)]*))', risk)
    if not found:
        raise ResultError(f"the risk {risk} is not made of a trace")
    path = folder / (found[1] or found[2]).strip()
    try:
        values = np.sort(np.loadtxt(path, comments="#", ndmin=1))
    except (OSError, ValueError) as error:
        raise ResultError(f"{path}: no list of durations can be read there ({error})") from error
    return values / values[-1]


def thinned(times: np.ndarray, most: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """At most about `most` of the increasing times, both ends among them, and the share of the intervals up to each."""
    at = np.unique(np.linspace(0, times.size - 1, min(times.size, most)).round().astype(int))
    return times[at], (at + 1) / times.size


def draw(traces: xr.Dataset) -> Figure:
    """Pr_trace(t), share of the intervals shorter than t (Section 7.2.1); t as it is and on a logarithmic axis."""
    folder = Path(str(traces.attrs["campaign_path"])).parent
    risks = list(dict.fromkeys(map(str, traces["risk"].values)))
    figure, (plain, logarithmic) = plt.subplots(1, 2, figsize=(10.6, 5.2), sharey=True)
    for number, risk in enumerate(risks):
        colour, line, marker = LOOKS[number % len(LOOKS)]
        times, shares = thinned(durations(risk, folder))
        for axes, places in ((plain, np.linspace(0.03, 0.97, 9)), (logarithmic, np.logspace(-6, -0.05, 13))):
            marks = np.unique(np.searchsorted(times, places * (1 + 0.1 * (number % 4))).clip(0, times.size - 1))
            axes.plot(times, shares, color=colour, linestyle=line, marker=marker, markevery=marks.tolist(),
                      markerfacecolor="white", label=f"{number}: {trace_name(risk)}", drawstyle="steps-post")
    grid = np.logspace(-7, 0, 200)
    for axes in (plain, logarithmic):
        axes.plot(grid, grid, color="0.5", linewidth=3, alpha=0.5, label="linear risk")
        axes.set_xlabel("time, longest interval = 1")
        axes.set_ylim(0, 1.01)
    plain.set_xlim(0, 1)
    logarithmic.set_xscale("log")
    logarithmic.set_xlim(1e-6, 1)
    plain.set_ylabel("probability of interruption")
    figure.suptitle(f"worksharing-2013, Fig. 9: risk functions of the traces\n{STAND_IN_NOTE}", fontsize=11)
    figure.tight_layout(rect=(0, 0.11, 1, 1))
    legend_below(figure, plain, columns=5)
    source_line(figure, traces)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
