#!/usr/bin/python3
"""worksharing-2013 in a few cells: one schedule, its exact value, and experiment E5 in small."""

# %% Setup: coterie's Python package is beside this folder (or installed).
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import matplotlib.pyplot as plt  # noqa: E402

from coterie import ask, average, best_share_curve, gap_closed, run  # noqa: E402
from coterie.plots import example_arguments, plot_mean, save_example  # noqa: E402

arguments = example_arguments(__doc__, instances=200)

# %% One schedule: four workers that each run all of the work, in orders chosen by greedy.
schedule = ask("schedule", strategy="greedy", workers=4, work=1, chunks=20)
chart = schedule["coteries"][0]
print(f"greedy expects {schedule['expected_work']:.4f} of 1; K = {chart['K']}, and no chart is below {chart['K_min']}")

# %% Experiment E5 for up to 10 workers: every strategy with the number of chunks that is best for it.
results = run(SCRIPTS / "campaigns" / "e5-automatic-chunks.toml", arguments.output / "e5-small.h5",
              settings={"workers": [5, 10], "startup": [0.1, 0.01]}, instances=arguments.instances, force=True)
for strategy in results["strategy"].values:
    mean, error = average(results, strategy)
    print(f"{strategy:20} {mean:5.1f} +- {error:.1f} % of the omniscient's work")
closed = gap_closed(results["ratio"].sel(strategy="greedy").values,
                    results["ratio"].sel(strategy="no-replication").values, results)
print(f"greedy closes {100 * closed.value:.1f} % of the gap of no-replication (printed, over all of E5: 27.4 %)")

# %% Fig. 5: the mean over the x % instances most favourable to each strategy; and the means by start-up cost.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for strategy in ("greedy", "no-replication"):
    curve = best_share_curve(results["ratio"].sel(strategy=strategy).values)
    left.plot(curve.x, 100 * curve.y, label=strategy)
left.set(xlabel="x, % of the instances", ylabel="mean over the best x %, % of the omniscient's", ylim=(0, 101))
left.legend()
plot_mean(results, "startup", ["greedy", "best", "cyclic-replication", "no-replication"], right).set_xscale("log")
save_example(figure, arguments.output, "worksharing-2013", results)
