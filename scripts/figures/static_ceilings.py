#!/usr/bin/python3
"""How far strategies stay below what no static schedule can exceed: per cent of the ceiling that a strategy's exact
expected work is short of it, on average over configurations and at most, by risk. Exit status 1 where any exceeds it.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import ResultError, open_results, trace_name  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.text import table  # noqa: E402

ROUNDING = 1e-12


def rows_of(results: xr.Dataset) -> tuple[list[list[str]], int]:
    """A row for each risk, and in how many cases a strategy exceeds the ceiling."""
    if "static_ceiling" not in results:
        raise ResultError("no dataset static_ceiling: the result is from another model or an older program")
    ceiling = results["static_ceiling"].values[:, None]
    expected = results["expected_work"].values
    with np.errstate(invalid="ignore"):
        short = 100 * np.where(ceiling > 0, 1 - expected / ceiling, 0)
    risks = results["risk"].values.astype(str)
    rows = []
    for risk in dict.fromkeys(risks.tolist()):
        here = short[risks == risk]
        cells = [f"{here[:, s].mean():.2f} / {here[:, s].max():.2f}" for s in range(here.shape[1])]
        rows.append([trace_name(risk), str(len(here)), *cells])
    return rows, int((expected > ceiling * (1 + ROUNDING)).sum())


def print_table(arguments: argparse.Namespace) -> int:
    exceeded = 0
    for path in arguments.results:
        with open_results(path) as results:
            rows, wrong = rows_of(results)
            head = ["below the ceiling, mean / most in %", "cases", *map(str, results["strategy"].values)]
            print(f"{results.attrs['title']}\n{table(head, rows)}\n")
        exceeded += wrong
    if exceeded:
        print(f"static-ceilings: {exceeded} cases above the ceiling", file=sys.stderr)
    return 1 if exceeded else 0


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", type=Path, nargs="+", metavar="RESULT.h5", help="of the model worksharing")


if __name__ == "__main__":
    sys.exit(table_program("static-ceilings", print_table, __doc__, configure))
