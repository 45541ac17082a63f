#!/usr/bin/python3
"""return-messages-2005 in a few cells: the best FIFO and LIFO orders where workers return results."""

# %% Setup: coterie's Python package is beside this folder (or installed).
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import matplotlib.pyplot as plt  # noqa: E402

from coterie import ask, run  # noqa: E402
from coterie.plots import example_arguments, plot_mean, save_example  # noqa: E402

arguments = example_arguments(__doc__, instances=100)

# %% The star of Fig. 4, exactly: neither FIFO nor LIFO is best.
STAR = [(7, 6, 7), (8, 5, 8), (12, 5, 12)]  # time to send, compute and return a unit of load
tables = "".join(f"[[worker]]\nsend = {c}\ncompute = {w}\nreturn = {d}\n" for c, w, d in STAR)
for strategy in ("opt-fifo", "opt-lifo", "best-pair"):
    problem = arguments.output / "star.toml"
    problem.write_text(f'problem = "return-messages"\nstrategy = "{strategy}"\n{tables}')
    answer = ask("solve", problem)
    print(f"{strategy:10} throughput {answer['throughput_exact']:>9} = {answer['throughput']:.5f}, "
          f"sends {answer['send']}, returns {answer['return']}")

# %% Fig. 7 in small: random stars of 20 workers, from cheap computation (left) to cheap communication (right).
results = run(SCRIPTS / "campaigns" / "return-messages-fig07.toml", arguments.output / "fig07-small.h5",
              settings={"workers": 20, "wc_ratio": [0.1, 1, 10, 100]}, instances=arguments.instances, force=True)
for strategy in results["strategy"].values:
    print(f"{strategy:10}", *(f"{value:6.3f}" for value in results["mean"].sel(strategy=strategy).values))

# %% Throughput relative to the best FIFO schedule.
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
plot_mean(results, "wc_ratio", axes=axes, scale=1)
axes.set(xscale="log", ylabel="throughput / that of the best FIFO schedule")
axes.axhline(1, color="0.5", linewidth=1)
save_example(figure, arguments.output, "return-messages-2005", results)
