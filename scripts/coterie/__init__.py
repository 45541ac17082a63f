"""Runs coterie and reads its result files in Python; nothing here ever changes a result.

    from coterie import Campaign, plan
    campaign = Campaign(strategies=["greedy", "no-replication"], instances=200, grid={"workers": [5, 20], "work": 2, "startup": 0.1})
    results = campaign.run("mine.h5")                           # an xarray.Dataset: workers x strategy x instance
    print(results["mean"].sel(workers=20, strategy="greedy").item())
    print(plan(trace="lab.csv", workers=20, work="40h", checkpoint="5min").advice.policy)
"""

from .answers import Answer
from .campaign import Campaign, run
from .curves import (Curve, best_share_curve, gap_closed, grand_mean, paired_difference,
                     share_where_average_reaches)
from .intervals import Estimate, standard_errors
from .planning import Advice, Fit, Law, Plan, fit, plan
from .program import ProgramError, Stopped, ask, find_program
from .results import (ResultError, average, by_axes, by_configuration, open_results, select, to_dataframe, trace_name)
from .schedules import Coterie, Schedule, Task, schedule
from .solving import Background, Heterogeneous, ListeningWorkers, Now, OneWorker, Restart, ReturnMessages, Solution, TwoWorkers, solve

__all__ = [
    "Advice", "Answer", "Background", "Campaign", "Coterie", "Curve", "Estimate", "Fit", "Heterogeneous", "Law",
    "ListeningWorkers", "Now", "OneWorker", "Plan", "ProgramError", "Restart", "ResultError",
    "ReturnMessages", "Schedule", "Solution", "Stopped", "Task", "TwoWorkers", "ask", "average", "best_share_curve", "by_axes",
    "by_configuration", "find_program", "fit", "gap_closed", "grand_mean", "open_results", "paired_difference", "plan",
    "run", "schedule", "select", "share_where_average_reaches", "solve", "standard_errors",
    "to_dataframe", "trace_name",
]
