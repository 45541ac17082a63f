#!/usr/bin/python3
"""Fig. 9 of worksharing-2013: the risk function of each trace of a campaign.

The trace files are expected where the campaign names them; `coterie trace convert` reads them. Spells that did not end
with an interruption count as in the campaign: Kaplan-Meier, or estimator=naive.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402
from matplotlib.ticker import FixedLocator, NullLocator  # noqa: E402

import trace_risks  # noqa: E402
from coterie import ResultError  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import spare_style  # noqa: E402
from coterie.names import trace_titles  # noqa: E402
from coterie.paper import STAND_IN_NOTE, stand_ins  # noqa: E402

#: Arguments of trace(...) that say how the file is read, not what becomes of it.
NOT_OF_READING = {"file", "estimator", "tail", "sampling", "age", "normalise"}


def risk_of(risk: str, folder: Path) -> tuple[np.ndarray, np.ndarray]:
    """Where the risk of trace(file=...) jumps, with the longest duration as unit, and the risk just after."""
    words = {name: quoted or plain.strip()
             for name, quoted, plain in re.findall(r'(\w+)\s*=\s*(?:"([^"]*)"|([^,()]*))', risk)}
    if "file" not in words or not risk.lstrip().startswith("trace("):
        raise ResultError(f"the risk {risk} is not a trace")
    if words.get("age", "0") not in ("0", "0s") or words.get("sampling") == "per-host":
        raise ResultError(f"the risk {risk}: ages and sampling=per-host are not drawn")
    reading = [f"--option={name}={folder / value if name.endswith('_tab') else value}" for name, value in words.items()
               if name not in {*NOT_OF_READING, "format"}]
    if "format" in words:
        reading.append(f"--trace-format={words['format']}")
    trace = trace_risks.ask("trace", "convert", folder / words["file"], "--to", "json", *reading)
    values = np.array([record[2] for record in trace["records"]], dtype=float)
    observed = np.array([record[3] for record in trace["records"]], dtype=bool)
    jumps = (trace_risks.empirical(values) if words.get("estimator") == "naive" or observed.all()
             else trace_risks.kaplan_meier(values, observed))
    if words.get("tail") == "gone" and jumps[1][-1] < 1:
        jumps = np.append(jumps[0], values.max()), np.append(jumps[1], 1.0)
    return jumps[0] / values.max(), jumps[1]


def estimators(risks: list[str]) -> str:
    naive = ["estimator=naive" in risk.replace(" ", "") for risk in risks]
    if all(naive):
        return "their ends count as interruptions"
    return "Kaplan-Meier" + (", but for estimator=naive, which counts their ends as interruptions" if any(naive) else "")


def thinned(jumps: tuple[np.ndarray, np.ndarray], most: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """At most about `most` of the jumps, both ends among them."""
    at = np.unique(np.linspace(0, jumps[0].size - 1, min(jumps[0].size, most)).round().astype(int))
    return jumps[0][at], jumps[1][at]


def draw(sheet: Sheet, traces: xr.Dataset) -> None:
    """Pr_trace(t), the share of the intervals shorter than t (Section 7.2.1), or Kaplan-Meier's where some are censored;
    t as it is and on a logarithmic axis."""
    folder = Path(str(traces.attrs["campaign_path"])).parent
    titles = trace_titles(traces["risk"].values)
    sheet.call(9, "risk functions of the traces", traces, stand_ins(titles), STAND_IN_NOTE)
    plain, logarithmic = sheet.panels(2, (1, 2), 2.2, sharey=True)
    told = []
    for number, (risk, name) in enumerate(titles.items()):
        jumps = risk_of(risk, folder)
        times, shares = thinned(jumps)
        for axes, places in ((plain, np.linspace(0.03, 0.97, 9)), (logarithmic, np.logspace(-6, -0.05, 13))):
            marks = np.unique(np.searchsorted(times, places * (1 + 0.1 * (number % 4))).clip(0, times.size - 1))
            axes.plot(times, shares, markevery=marks.tolist(), markerfacecolor="white", label=name, drawstyle="steps-post",
                      **spare_style(number))
        half = jumps[1].searchsorted(0.5)
        told.append(f"{name} {jumps[0][half]:.2g}" if half < jumps[1].size else f"{name} beyond 1")
    grid = np.logspace(-7, 0, 200)
    for axes in (plain, logarithmic):
        axes.plot(grid, grid, color="0.5", linewidth=3, alpha=0.5, label="linear risk")
        axes.set_xlabel("time, longest interval = 1")
        axes.set_ylim(0, 1.01)
        if axes in sheet.first_of_rows((plain, logarithmic)):
            axes.set_ylabel("interrupted by then")
    plain.set_xlim(0, 1)
    logarithmic.set_xscale("log")
    logarithmic.xaxis.set_major_locator(FixedLocator([1e-6, 1e-4, 1e-2, 1]))
    logarithmic.xaxis.set_minor_locator(NullLocator())
    logarithmic.set_xlim(1e-6, 1)
    sheet.say("Probability that a machine is interrupted before a given time, with the longest interval of its trace as 1, on "
              f"a linear and on a logarithmic axis; if spells are censored: {estimators(list(titles))}.",
              f"Half are interrupted by: {', '.join(told)}.")


if __name__ == "__main__":
    sys.exit(figure_program("figure-9", draw, __doc__, ("traces",)))
