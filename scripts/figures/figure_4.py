#!/usr/bin/python3
"""Fig. 4 of worksharing-2013: experiments E1 to E4 around 25 workers, 147 chunks, start-up cost 0.001, W = 0.3 p."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import ResultError, select  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.pairs import along_axis, compared, label_pairs, say_differences  # noqa: E402

WORKERS, CHUNKS, STARTUP, LOAD = 25, "147", 0.001, 0.3


def with_load(results: xr.Dataset, load: float) -> xr.Dataset:
    """The configurations with work = load x workers."""
    near = abs(results["work"].values / results["workers"].values - load) < 1e-9
    if not near.any():
        raise ResultError(f"no configuration has work = {load} workers")
    return results.isel(configuration=near.nonzero()[0])


def draw(sheet: Sheet, e1: xr.Dataset, e2: xr.Dataset, e3: xr.Dataset, e4: xr.Dataset) -> None:
    work = LOAD * WORKERS
    chosen = [
        ("work", "work W", "E1", select(e1, workers=WORKERS, chunks_requested=CHUNKS, startup=STARTUP)),
        ("workers", "workers p", "E2", select(with_load(e2, LOAD), chunks_requested=CHUNKS, startup=STARTUP)),
        ("chunks_requested", "chunks per unit n", "E3", select(e3, workers=WORKERS, work=work, startup=STARTUP)),
        ("startup", "start-up cost ε", "E4", select(e4, workers=WORKERS, work=work, chunks_requested=CHUNKS)),
    ]
    results = [one for *_, one in chosen]
    shown = compared(results)
    pairs = sheet.pairs(len(chosen), (2, 4), (1.35, 1.15), same_x=False)
    for (upper, lower), (axis, label, experiment, one) in zip(pairs, chosen):
        along_axis(sheet, upper, lower, one, one[axis].values.astype(float), shown, f" of {experiment}")
        upper.set_title(experiment)
        lower.set_xlabel(label)
    pairs[3][1].set_xscale("log")
    label_pairs(sheet, pairs)
    sheet.shows, sheet.title = "worksharing-2013, Fig. 4", "experiments E1 to E4"
    sheet.say(f"Fixed values: p = {WORKERS} workers, n = {CHUNKS} chunks per unit of work, start-up cost ε = "
              f"{STARTUP:g}, W = {LOAD:g} p.")
    own = [one["chunks"].sel(strategy="best").values / one["work"].values for one in results if "best" in one["strategy"].values]
    if own:
        sheet.say(f"Best chooses its own chunks instead: {min(map(np.min, own)):.3g} to {max(map(np.max, own)):.3g} per unit of work.")
    say_differences(sheet, results, shown)


if __name__ == "__main__":
    sys.exit(figure_program("figure-4", draw, __doc__, ("e1", "e2", "e3", "e4")))
