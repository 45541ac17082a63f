"""Reads coterie's result files in Python; nothing here ever writes into one.

    from coterie import open_results, to_dataframe
    results = open_results("out/e5-automatic-chunks.h5")
    print(results["mean"].sel(strategy="greedy").mean().item())
    print(to_dataframe(results).groupby(["strategy", "startup"])["mean"].mean())
"""

from .curves import (Curve, Estimate, best_share_curve, gap_closed, grand_mean, paired_difference,
                     share_where_average_reaches)
from .results import ResultError, average, open_results, select, to_dataframe, trace_name

__all__ = [
    "Curve", "Estimate", "ResultError", "average", "best_share_curve", "gap_closed", "grand_mean", "open_results",
    "paired_difference", "select", "share_where_average_reaches", "to_dataframe", "trace_name",
]
