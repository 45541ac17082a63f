"""Runs coterie and reads its result files in Python; nothing here ever writes into a result.

    from coterie import run, to_dataframe
    results = run("mine.toml", "mine.h5")                  # or a dict in place of the file; an xarray.Dataset: configuration x strategy x instance
    print(results["mean"].sel(strategy="greedy").mean().item())
    print(by_axes(results)["mean"].sel(workers=5, strategy="greedy"))    # a dimension for each axis that varies
    print(to_dataframe(results).groupby(["strategy", "startup"])["mean"].mean())
"""

from .curves import (Curve, best_share_curve, gap_closed, grand_mean, paired_difference, same_schedules,
                     share_where_average_reaches)
from .intervals import Estimate, standard_errors
from .program import ProgramError, Stopped, ask, find_program, run
from .results import ResultError, average, by_axes, open_results, select, to_dataframe, trace_name

__all__ = [
    "Curve", "Estimate", "ProgramError", "ResultError", "Stopped", "ask", "average", "best_share_curve", "by_axes",
    "find_program", "gap_closed", "grand_mean", "open_results", "paired_difference", "run", "same_schedules", "select",
    "share_where_average_reaches", "standard_errors", "to_dataframe", "trace_name",
]
