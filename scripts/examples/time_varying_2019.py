#!/usr/bin/python3
"""time-varying-2019 in a few cells: finishing times under background jobs, planned and real."""

# %% Setup: coterie's Python package is beside this folder (or installed).
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import matplotlib.pyplot as plt  # noqa: E402

from coterie import ask, run, select, to_dataframe  # noqa: E402
from coterie.plots import example_arguments, save_example  # noqa: E402

arguments = example_arguments(__doc__, instances=200)

# %% Algorithm I: known background jobs. Each level of jobs halves, thirds, ... the speed of processor or link.
problem = arguments.output / "loaded.toml"
problem.write_text("""
problem = "background"
tcm = 1
tcp = 4
[control]
inverse_speed = 1
[[worker]]
inverse_speed = 0.5
inverse_bandwidth = 0.25
jobs = {times = [0, 0.5], counts = [2, 0]}
[[worker]]
inverse_speed = 1
inverse_bandwidth = 0.5
jobs = {times = [0], counts = [1]}
""")
answer = ask("solve", problem)
print(f"all are through at {answer['finish_time']:.4f}; shares {[round(share, 4) for share in answer['shares']]}")

# %% Fig. 12 in small: plans for random jobs, what they predict and what happens on fresh jobs.
results = run(SCRIPTS / "campaigns" / "time-varying-fig12.toml", arguments.output / "fig12-small.h5",
              settings={"trials": arguments.instances, "varying": "workers", "rates": "time-unit"},
              instances=arguments.instances, force=True)
print(to_dataframe(results).groupby(["evaluation", "strategy"])["mean"].mean().unstack().round(3))

# %% Finishing time relative to that of a master who knows the jobs beforehand.
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for shift, evaluation in ((-0.2, "predicted"), (0.2, "realised")):
    one = select(results, evaluation=evaluation).isel(configuration=0)
    axes.bar([i + shift for i in range(one.sizes["strategy"])], one["mean"].values, width=0.38, label=evaluation,
             yerr=1.96 * one["standard_error"].values)
axes.set_xticks(range(results.sizes["strategy"]), results["strategy"].values)
axes.set(ylabel="finishing time / the clairvoyant's", title="4 processors, the workers' speeds vary")
axes.legend()
save_example(figure, arguments.output, "time-varying-2019", results)
