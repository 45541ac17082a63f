#!/usr/bin/python3
"""heterogeneous-2011 in a few cells: whom to serve first and how much to give, and what that is worth."""

# %% Setup: coterie's Python package is beside this folder (or installed).
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import matplotlib.pyplot as plt  # noqa: E402

from coterie import ask, average, run, select  # noqa: E402
from coterie.plots import example_arguments, plot_mean, save_example  # noqa: E402

arguments = example_arguments(__doc__, instances=200)

# %% One platform: a fast worker behind a slow link, a slow and safe one behind a fast link, one in between.
WORKERS = [(2, 4, 1), (0.5, 50, 0.2), (1, 10, 0.5)]  # speed, bandwidth, kappa (interruptions per unit of time)
tables = [f'[[worker]]\nspeed = {s}\nbandwidth = {b}\nrisk = "linear(kappa={k})"\n' for s, b, k in WORKERS]
problem = arguments.output / "platform.toml"
problem.write_text('problem = "heterogeneous"\nwork = 0.5\ndeployment = "optional"\n' + "".join(tables))
answer = ask("solve", problem)
print("serve in the order", answer["order"], "by non-increasing kappa times bandwidth (Conjecture 1, which holds)")
for number, share in enumerate(answer["shares"], start=1):
    print(f"worker {number}: {share:.4f} units of work")
print(f"expected work: {answer['expected_work']:.4f} of {answer['deployed_work']:.4f}; {answer['method']}")

# %% The optimum against simple rules, on random platforms.
results = run(SCRIPTS / "campaigns" / "heterogeneous-baselines.toml", arguments.output / "rules-small.h5",
              settings={"workers": [2, 5, 10], "work": ["0.2 workers", "0.5 workers"]},
              instances=arguments.instances, force=True)
for strategy in results["strategy"].values:
    mean, error = average(results, strategy)
    print(f"{strategy:20} {mean:5.1f} +- {error:.1f} % of the omniscient's work")

# %% By number of workers, where links are slow.
slow = select(results, bandwidth="log-uniform(low=1, high=10)")
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
plot_mean(slow, "workers", ["optimal", "equal-finish", "equal-shares", "order-by-risk"], axes)
save_example(figure, arguments.output, "heterogeneous-2011", results)
