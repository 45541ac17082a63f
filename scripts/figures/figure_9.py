#!/usr/bin/python3
"""Fig. 9 of worksharing-2013: the risk function of each trace of a campaign.

The trace files are looked for where the campaign names them; `coterie trace convert` reads them. Spells that no
interruption ended count as the campaign counts them: Kaplan-Meier, or estimator=naive.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

sys.path.insert(0, str(Path(__file__).resolve().parent))

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

import trace_risks  # noqa: E402
from coterie import ResultError, trace_name  # noqa: E402
from coterie.drawing import figure_program, legend_below, source_line  # noqa: E402
from coterie.paper import data_note  # noqa: E402

NAME = "figure-9"
CAMPAIGNS = ("traces",)
LOOKS = [("#000000", "-", "o"), ("#D55E00", "--", "s"), ("#009E73", "-.", "^"), ("#0072B2", ":", "v"),
         ("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "D"), ("#56B4E9", (0, (8, 2)), "P"), ("#E69F00", (0, (3, 1)), "X"),
         ("#666666", (0, (1, 1)), "*")]


#: Arguments of trace(...) that say how the file is read, not what becomes of it.
NOT_OF_READING = {"file", "estimator", "tail", "sampling", "age", "normalise"}


def risk_of(risk: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Where the risk of trace(file=...) jumps, with the longest duration as unit, and the risk just after."""
    words = {name: quoted or plain.strip()
             for name, quoted, plain in re.findall(r'(\w+)\s*=\s*(?:"([^"]*)"|([^,()]*))', risk)}
    if "file" not in words:
        raise ResultError(f"the risk {risk} is not made of a trace")
    reading = [f"--option={name}={value}" for name, value in words.items() if name not in {*NOT_OF_READING, "format"}]
    if "format" in words:
        reading.append(f"--trace-format={words['format']}")
    trace = trace_risks.ask("trace", "convert", folder / words["file"], "--to", "json", *reading)
    values = np.array([record[2] for record in trace["records"]], dtype=float)
    observed = np.array([record[3] for record in trace["records"]], dtype=bool)
    jumps = (trace_risks.empirical(values) if words.get("estimator") == "naive" or observed.all()
             else trace_risks.kaplan_meier(values, observed))
    return jumps[0] / values.max(), jumps[1]


def thinned(jumps: tuple[np.ndarray, np.ndarray], most: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """At most about `most` of the jumps, both ends among them."""
    at = np.unique(np.linspace(0, jumps[0].size - 1, min(jumps[0].size, most)).round().astype(int))
    return jumps[0][at], jumps[1][at]


def draw(traces: xr.Dataset) -> Figure:
    """Pr_trace(t), the share of the intervals shorter than t (Section 7.2.1), or Kaplan-Meier's where some are censored;
    t as it is and on a logarithmic axis."""
    folder = Path(str(traces.attrs["campaign_path"])).parent
    risks = list(dict.fromkeys(map(str, traces["risk"].values)))
    figure, (plain, logarithmic) = plt.subplots(1, 2, figsize=(10.6, 5.2), sharey=True)
    for number, risk in enumerate(risks):
        colour, line, marker = LOOKS[number % len(LOOKS)]
        times, shares = thinned(risk_of(risk, folder))
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
    figure.suptitle(f"worksharing-2013, Fig. 9: risk functions of the traces\n{data_note(risks)}", fontsize=11)
    figure.tight_layout(rect=(0, 0.11, 1, 1))
    legend_below(figure, plain, columns=5)
    source_line(figure, traces)
    return figure


if __name__ == "__main__":
    sys.exit(figure_program(NAME, draw, CAMPAIGNS, __doc__))
