#!/usr/bin/python3
"""Table 5 of worksharing-2013: mean and standard deviation of the ratio over all instances of the traces.

One pair of columns per result, such as chunks auto and auto-paper.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import Estimate  # noqa: E402
from coterie.figure_files import shared_results, table_program  # noqa: E402
from coterie.paper import TABLE_5, data_note  # noqa: E402
from coterie.results import mean_estimate  # noqa: E402
from coterie.text import chunks_of, table  # noqa: E402


def spread(results: xr.Dataset, strategy: str) -> tuple[Estimate, float]:
    """Mean ratio and standard deviation over all instances, configurations weighing the same, per cent."""
    one = results.sel(strategy=strategy)
    count = results["instances_done"].values
    within = one["stddev"].values**2 * (count - 1) / count
    return mean_estimate(results, strategy) * 100, 100 * float(np.sqrt(within.mean() + one["mean"].values.var()))


def table_5(columns: list[xr.Dataset]) -> str:
    """The table as text; measurements of the paper and data here have different headings."""
    header = ["", "paper: its measured traces"] + [f"here, chunks {chunks_of(one)}" for one in columns]
    risks = [risk for one in columns for risk in one["risk"].values]
    rows = []
    for strategy, (mean, deviation) in TABLE_5.items():
        row = [strategy, f"{mean:.1f}  (stdv {deviation:.1f})"]
        for results in columns:
            estimate, here = spread(results, strategy)
            row.append(f"{estimate.value:.2f} ± {estimate.error:.3f}  (stdv {here:.1f})")
        rows.append(row)
    instances = " and ".join(dict.fromkeys(f"{int(one['instances_done'].sum()):,}" for one in columns))
    note = data_note(risks)
    data = f"{note}: the same experiment, not the same data" if note else "here: no traces"
    return (f"worksharing-2013, Table 5: mean work, % of the omniscient's, over {instances} instances (paper: "
            f"6,080,000); ± standard error\n{data}\n" + table(header, rows))


def print_table(arguments: argparse.Namespace) -> None:
    print(table_5(list(map(shared_results, arguments.results))))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, nargs="+", metavar="TRACES.h5")


if __name__ == "__main__":
    sys.exit(table_program("table-5", print_table, __doc__, configure))
