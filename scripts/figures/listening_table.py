#!/usr/bin/python3
"""The value of hearing what has been completed. A table from the result of scripts/campaigns/value-of-listening.toml:
mean work of static schedules and of policies that listen, % of the omniscient's, and upper bounds for both kinds, by
configuration and averaged over those with one kind of risk and one latency; how much of the distance of `best` from the
omniscient listening gains; and how long it takes.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import ResultError, open_results, trace_name  # noqa: E402
from coterie.curves import ratio_ceiling  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.results import instances_text  # noqa: E402
from coterie.text import table  # noqa: E402

CEILINGS = {"static_ceiling": "any static <=", "listening_ceiling": "any listening <="}


def kind_of(risk: str) -> str:
    """All traces are one kind."""
    return "traces" if trace_name(risk) != risk else risk


def text_of(results: xr.Dataset) -> str:
    strategies = list(map(str, results["strategy"].values))
    if "latency" not in results or "best" not in strategies:
        raise ResultError("a result of the model dispatch with the strategy best is needed")
    means = 100 * results["mean"].values
    ceilings = {title: ratio_ceiling(results, name) for name, title in CEILINGS.items() if name in results}
    columns = [*strategies, *ceilings]
    means = np.column_stack([means, *(100 * ceiling for ceiling in ceilings.values())])
    risks = list(map(str, results["risk"].values))
    latencies = results["latency"].values
    rows = [[trace_name(risk), f"{int(workers)}", f"{work:g}", f"{startup:g}", f"{latency:g}",
             *(f"{value:.2f}" for value in row)]
            for risk, workers, work, startup, latency, row in zip(
                risks, results["workers"].values, results["work"].values, results["startup"].values, latencies, means)]
    averages, sentences = [], []
    for kind in dict.fromkeys(map(kind_of, risks)):
        for latency in dict.fromkeys(latencies):
            chosen = np.array([kind_of(risk) == kind for risk in risks]) & (latencies == latency)
            if not chosen.any():
                continue
            row = means[chosen].mean(axis=0)
            averages.append([kind, f"{chosen.sum()}", f"{latency:g}", *(f"{value:.2f}" for value in row)])
            best, most = row[strategies.index("best")], row[:len(strategies)].max()
            sentences.append(f"{kind}, latency {latency:g}: {strategies[row[:len(strategies)].argmax()]} gains "
                             f"{most - best:.1f} points, {100 * (most - best) / (100 - best):.0f} % of the distance "
                             "of best from the omniscient.")
    return (f"mean work, % of the omniscient's, over {instances_text(results)} instances\n"
            + table(["risk", "workers", "work", "startup", "latency", *columns], rows)
            + "\naveraged over configurations\n" + table(["risk", "number", "latency", *columns], averages)
            + "\n" + "\n".join(sentences) + "\n\n" + time_table(results))


def time_table(results: xr.Dataset) -> str:
    """Time that strategies take: makespans relative to work / workers, machine time and waste relative to the work."""
    risks = [kind_of(str(risk)) for risk in results["risk"].values]
    work, workers = results["work"].values.astype(float), results["workers"].values.astype(float)
    rows = []
    for kind in dict.fromkeys(risks):
        for latency in dict.fromkeys(results["latency"].values):
            chosen = np.flatnonzero((np.array(risks) == kind) & (results["latency"].values == latency))
            title = [kind, f"{latency:g}"] if chosen.size else None
            for name in map(str, results["strategy"].values) if chosen.size else ():
                ends = results["makespan"].sel(strategy=name).values[chosen] / (work / workers)[chosen, None]
                if np.isnan(ends).all(axis=1).any():  # not measured
                    continue
                run = ~np.isnan(ends)  # with `precision`, not all
                middle = np.mean([np.sort(row[of])[(of.sum() + 1) // 2 - 1] for row, of in zip(ends, run)])
                spent, wasted = (np.nanmean(results[kept].sel(strategy=name).values[chosen], axis=1) / work[chosen]
                                 for kept in ("machine_time", "wasted"))
                share = np.mean(np.isfinite(ends).sum(axis=1) / run.sum(axis=1))
                rows.append([*title, name, f"{100 * share:.1f}",
                             "never" if np.isinf(middle) else f"{middle:.2f}",
                             f"{spent.mean():.2f}", f"{wasted.mean():.2f}"])
                title = ["", ""]
    return ("share of instances in which all work was completed, %, and the time by which this was so in half of all "
            "instances, in\nmultiples of work / workers (never: in fewer than half, in some configuration); "
            "machine time and wasted machine time,\nin multiples of the work\n"
            + table(["risk", "latency", "", "all done", "in half by", "machine time", "wasted"], rows))


def print_table(arguments: argparse.Namespace) -> None:
    with open_results(arguments.result) as results:
        print(text_of(results))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", type=Path, metavar="RESULT.h5")


if __name__ == "__main__":
    sys.exit(table_program("listening-table", print_table, __doc__, configure))
