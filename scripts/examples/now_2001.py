#!/usr/bin/python3
"""now-2001 in a few cells: when to rent a network of workstations by FIFO and when by LIFO."""

# %% Setup: coterie's Python package is beside this folder (or installed).
import sys
from fractions import Fraction
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SCRIPTS))

import matplotlib.pyplot as plt  # noqa: E402

from coterie import ask, run, select  # noqa: E402
from coterie.plots import example_arguments, plot_mean, save_example  # noqa: E402

arguments = example_arguments(__doc__, instances=20)

# %% Work in a lifespan L is slope L - offset: exact, for four workstations, each slower than the one before.
head = 'problem = "now"\nlifespan = 1000\ndelta = 1\nlatency = "1/10"\ntransit = "1/100"\npackaging = "1/100"\n'
tables = "".join(f'[[worker]]\nwork_time = "{1 - Fraction(1, 2**i)}"\nsetup_to = "1/5"\nsetup_from = "1/5"\n'
                 for i in range(1, 5))
lines = {}
for protocol in ("fifo", "lifo"):
    problem = arguments.output / f"{protocol}.toml"
    problem.write_text(f'protocol = "{protocol}"\n{head}{tables}')
    answer = ask("solve", problem)
    lines[protocol] = [Fraction(answer["slope_exact"]), Fraction(answer["offset_exact"])]
    print(f"{protocol}: work {answer['work']:.4f} in lifespan 1000, feasible: {answer['feasible']}")
(fifo, fifo_offset), (lifo, lifo_offset) = lines["fifo"], lines["lifo"]
print(f"FIFO overtakes LIFO at L = {float((fifo_offset - lifo_offset) / (fifo - lifo)):.4f}")

# %% Other orders, on the networks of the crossover table.
results = run(SCRIPTS / "campaigns" / "now-orders.toml", arguments.output / "orders-small.h5",
              settings={"workers": 8, "rates": ["halving", "doubling"], "grain": 1},
              instances=arguments.instances, force=True)
pipelined = select(results, pipelined="yes", rates="halving")
for strategy in results["strategy"].values:
    print(f"{strategy:14}", *(f"{value:9.6f}" for value in pipelined["mean"].sel(strategy=strategy).values))

# %% Work relative to FIFO's, by the length of the rental.
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
plot_mean(pipelined, "lifespan", axes=axes, scale=1)
axes.set(xscale="log", ylabel="work / FIFO's")
save_example(figure, arguments.output, "now-2001", results)
