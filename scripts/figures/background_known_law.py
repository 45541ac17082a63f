#!/usr/bin/python3
"""The value of knowing the law of the background jobs. A table from the result of
scripts/campaigns/background-known-law.toml: mean work of schedules made for the interruptions alone and for the law of
the capacity, % of the omniscient's, and their difference, paired by instance.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import ResultError, open_results, select  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.text import table  # noqa: E402


def by_instance(results: xr.Dataset, background: str, planned: str, strategy: str) -> np.ndarray:
    """Means over all settings, per cent. The settings of a campaign with common random numbers share instances, so
    that only instances are independent."""
    chosen = select(results, background=background, planned_risk=planned)
    return 100 * chosen["ratio"].sel(strategy=strategy).values.mean(axis=0)


def text_of(results: xr.Dataset) -> str:
    if "planned_risk" not in results or set(map(str, results["planned_risk"].values)) != {"same", "capacity"}:
        raise ResultError("both planned_risk = same and planned_risk = capacity are needed")
    if np.isnan(results["reference"].values).any():
        raise ResultError("settings are paired by instance: a fixed number of instances is needed, not precision")
    rows = []
    gains = []
    for background in dict.fromkeys(map(str, results["background"].values)):
        for strategy in map(str, results["strategy"].values):
            ignorant, knowing = (by_instance(results, background, planned, strategy)
                                 for planned in ("same", "capacity"))
            gain = knowing - ignorant
            error = gain.std(ddof=1) / np.sqrt(len(gain))
            gains.append(gain.mean())
            rows.append([background, strategy, f"{ignorant.mean():.2f}", f"{knowing.mean():.2f}",
                         f"{gain.mean():+.2f} ± {error:.2f}"])
    settings = results.sizes["configuration"] // (2 * len(set(map(str, results["background"].values))))
    return (f"mean work, % of the omniscient's, over {settings} settings x {results.sizes['instance']} instances; "
            "± standard error of the paired difference\n"
            + table(["background", "strategy", "law ignored", "law known", "gain"], rows)
            + f"\nKnowing the law of the background jobs is worth {min(gains):+.2f} to {max(gains):+.2f} points here.")


def print_table(arguments: argparse.Namespace) -> None:
    with open_results(arguments.result) as results:
        print(text_of(results))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("result", type=Path, metavar="RESULT.h5")


if __name__ == "__main__":
    sys.exit(table_program("background-known-law", print_table, __doc__, configure))
