#!/usr/bin/python3
"""What worksharing-2013 prints of E5 and the traces beside what came out, as scripts/reproduce does for all of it. Then
goes beyond the paper: measured traces, refined and best against greedy, and the distance of every static schedule from
the omniscient.

Reads a folder (out) with e5-automatic-chunks.h5, e5-auto-paper.h5 and, if present, traces.h5, traces-auto-paper.h5,
traces-measured.h5 and the other results of scripts/run --all.
"""

import argparse
import sys
import textwrap
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "claims")]

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

import verdicts  # noqa: E402
from coterie import ResultError, gap_closed, trace_name  # noqa: E402
from coterie.curves import add_differences, mean_difference  # noqa: E402
from coterie.figure_files import shared_results, table_program  # noqa: E402
from coterie.paper import data_note  # noqa: E402
from coterie.results import mean_estimate, ratios_of, reference_moments  # noqa: E402
from coterie.text import table  # noqa: E402
from worksharing_2013 import e5, of_traces, shown  # noqa: E402


MEASURED_STRATEGIES = ("greedy", "refined", "best", "cyclic-replication", "no-replication", "brute")


def measured_rows(results: xr.Dataset, title: str) -> list[list[str]]:
    """All traces of a result together, then one by one: mean of each strategy, and the gap that greedy closes."""
    risks = results["risk"].values.astype(str)
    greedy, none = (ratios_of(results, one) for one in ("greedy", "no-replication"))
    rows = []
    for name, here in [(title, slice(None)), *(("  " + trace_name(risk), risks == risk) for risk in dict.fromkeys(risks))]:
        chosen = results.isel(configuration=here)
        rows.append([name] + [f"{100 * float(chosen['mean'].sel(strategy=one).values.mean()):.2f}"
                              for one in MEASURED_STRATEGIES]
                    + [shown(gap_closed(greedy[here], none[here], chosen) * 100)])
    return rows


def measured_notes(synthetic: xr.Dataset, measured: xr.Dataset) -> list[str]:
    """What changes, from the two results."""
    def mean(results: xr.Dataset, name: str) -> float:
        return 100 * float(results["mean"].sel(strategy=name).values.mean())

    def ranked(results: xr.Dataset) -> list[str]:
        return sorted(MEASURED_STRATEGIES, key=lambda name: -mean(results, name))

    notes = []
    before, now = (mean(results, "greedy") for results in (synthetic, measured))
    notes.append(f"greedy completes {now:.1f} % of the omniscient's work on the measured traces and {before:.1f} % on the "
                 f"stand-ins, no-replication {mean(measured, 'no-replication'):.1f} and "
                 f"{mean(synthetic, 'no-replication'):.1f} %.")
    if ranked(synthetic) == ranked(measured):
        notes.append(f"the order of the strategies is the same: {', '.join(ranked(measured))}.")
    else:
        notes.append(f"the order of the strategies differs: measured {', '.join(ranked(measured))}; stand-ins "
                     f"{', '.join(ranked(synthetic))}.")
    gains = [100 * (results["expected_work"].sel(strategy="best") / results["expected_work"].sel(strategy="greedy") - 1)
             for results in (measured, synthetic)]
    notes.append(f"best gains {float(gains[0].mean()):.2f} % of expected work over greedy; on the stand-ins "
                 f"{float(gains[1].mean()):.2f} %.")
    notes.append("the measured machines are spot machines of 2019 to 2022, the paper's were desktops and clusters: "
                 "this does not check the stand-ins, but shows which conclusions remain on other data.")
    return notes


def measured_text(synthetic: xr.Dataset, measured: xr.Dataset) -> str:
    rows = measured_rows(synthetic, "synthetic stand-ins") + measured_rows(measured, "measured traces")
    return ("measured traces of spot machines beside the stand-ins: mean work, % of the omniscient's, same "
            "grid;\ngap: share of the gap of no-replication closed by greedy, % ± standard error\n"
            + table(["", *MEASURED_STRATEGIES, "gap"], rows) + "\n\n" + notes_text(measured_notes(synthetic, measured)))


BEYOND = ("e1-workload.h5", "e2-workers.h5", "e3-chunks.h5", "e4-startup.h5", "e5-automatic-chunks.h5",
          "e6-replication.h5", "traces.h5")
GAINERS = ("refined", "best")


def compared(results: list[xr.Dataset]) -> list[xr.Dataset]:
    return [one for one in results if {"greedy", *GAINERS} <= set(one["strategy"].values)]


def gain_row(title: str, results: xr.Dataset, name: str) -> list[str]:
    """Mean ratio, paired difference to greedy in points, and the gain in exact expected work."""
    add_differences(results, "greedy")
    difference = mean_difference(results, name, "greedy") * 100
    low, high = difference.interval
    expected = results["expected_work"].sel(strategy=name).values
    gain = 100 * (expected / results["expected_work"].sel(strategy="greedy").values - 1)
    mean = shown(mean_estimate(results, name) * 100)
    return [title, name, mean, f"{difference.value:+.4f} [{low:+.4f}, {high:+.4f}]",
            f"{gain.mean():.3f}", f"{gain.max():.2f}", f"{(gain > 1e-7).sum()} of {gain.size}"]


def gains_table(results: list[xr.Dataset]) -> str:
    rows = []
    for one in results:
        title = str(one.attrs["title"]).split(":")[0].split(" (")[0]
        rows.append([title, "greedy", shown(mean_estimate(one, "greedy") * 100)]
                    + ["-"] * 4)
        rows += [gain_row("", one, name) for name in GAINERS]
    return ("beyond the paper: mean work, % of the omniscient's (± standard error), and the paired difference to greedy with its 95 % "
            "interval;\nexact expected work above greedy's: mean and greatest gain in %, configurations that gain\n"
            + table(["", "", "mean", "difference to greedy, points", "mean", "max", "gain in"], rows))


def bound_of(results: xr.Dataset) -> np.ndarray:
    """What no static schedule can be expected to exceed, by configuration; NaN where it is not known."""
    if "static_ceiling" not in results:  # of an older program
        return np.full(results.sizes["configuration"], np.nan)
    return results["static_ceiling"].values


def ceiling_table(results: list[xr.Dataset]) -> str:
    """Expected work as a share of the omniscient's mean work, each configuration weighing the same."""
    rows = []
    for one in results:
        title = str(one.attrs["title"]).split(":")[0].split(" (")[0]
        omniscient = reference_moments(one)[0]
        bound = bound_of(one) / omniscient
        startups = one["startup"].values
        for startup in sorted(set(startups.tolist()), reverse=True):
            here = startups == startup
            parts = [one["expected_work"].sel(strategy=name).values / omniscient for name in ("greedy", *GAINERS)]
            parts.append(bound)
            cells = [100 * float(part[here].mean()) for part in parts]
            rows.append([title, f"{startup:g}"] + [f"{cell:.2f}" if np.isfinite(cell) else "-" for cell in cells]
                        + [f"{100 - cells[2]:.2f}"])
            title = ""
    return ("distance from the omniscient: exact expected work in % of the omniscient's mean work, by start-up cost; "
            "bound: no static\nschedule of any kind exceeds it (proven); left: distance of best from the "
            "omniscient. By configuration:\ncoterie show FILE.h5 --by workers --by work --by startup --format csv\n"
            + table(["", "startup", "greedy", "refined", "best", "bound", "left"], rows))


BEYOND_NOTES = [
    "refined gains little in the ratio: most of greedy's chunks are safe, and refining saves a few per cent of what it "
    "loses. In expected work it is never below greedy; an interval that contains 0 means that the data do not show it.",
    "best gains most at large start-up costs, with chunks that shrink as the remaining risk weighs more, "
    "and on traces with chunks that grow as the hazard falls. With a fixed number of chunks per unit of work (E1 to "
    "E4) it keeps that number for equal chunks, but uses it as the maximum for unequal chunks.",
    "the rest of the gap to the omniscient, at least 100 minus the bound, is due to not knowing when workers will "
    "be interrupted: no prior choice of chunks, charts or replicas can close it.",
]


def notes_text(notes: list[str]) -> str:
    return "\n".join(textwrap.fill(note, 118, initial_indent="- ", subsequent_indent="  ") for note in notes)


def print_table(arguments: argparse.Namespace) -> None:
    folder = arguments.folder

    def existing(*names: str) -> list[xr.Dataset]:
        return [shared_results(folder / name) for name in names if (folder / name).exists()]

    of_e5 = existing("e5-automatic-chunks.h5", "e5-auto-paper.h5")
    if len(of_e5) < 2:
        raise ResultError(f"{folder}: e5-automatic-chunks.h5 or e5-auto-paper.h5 is missing; run scripts/run")
    print(verdicts.table("worksharing-2013, experiment E5", e5(*of_e5)))
    traces = existing("traces.h5", "traces-auto-paper.h5")
    if len(traces) == 2:
        print(f"\n{data_note(risk for one in traces for risk in one['risk'].values)}")
        print(verdicts.table("worksharing-2013, traces", of_traces(*traces)))
    measured = existing("traces.h5", "traces-measured.h5")
    if len(measured) == 2:
        print("\n" + measured_text(*measured))
    beyond = compared(existing(*BEYOND))
    if beyond:
        print("\n" + gains_table(beyond) + "\n\n" + ceiling_table(beyond) + "\n\n" + notes_text(BEYOND_NOTES))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path("out"), help="the folder of the results (out)")


if __name__ == "__main__":
    sys.exit(table_program("summary", print_table, __doc__, configure))
