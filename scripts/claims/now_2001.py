"""Claims of now-2001: robust protocols, FIFO and LIFO, and when FIFO overtakes."""

from __future__ import annotations

import random
from pathlib import Path

from coterie import ask, find_program, open_results, select
from now_crossover import WORKERS, crossovers, duration, is_reproduced, seconds_of
from verdicts import Claim

#: Name of the result, campaign, settings.
CAMPAIGNS = [("now-orders", "now-orders", "lifespan=3.2e8")]
FIGURES: list[tuple[str, ...]] = []

#: Networks drawn for the claim on pairs of orders.
NETWORKS = 200


def crossover_table() -> list[Claim]:
    cells = crossovers(find_program(), WORKERS)
    missed = [cell for cell in cells if not is_reproduced(*cell[1:])]
    bounds = sum(seconds <= seconds_of(printed) for _, printed, seconds in cells)
    claims = [Claim("crossover", "cells, as upper bounds", f"{len(cells)}", f"{bounds}", bounds == len(cells)),
              Claim("crossover", "cells reproduced: printed at most 6.5 % above, most values being rounded up", f"{len(cells)}",
                    f"{len(cells) - len(missed)}", not missed, differs="the six cells below, all pipelined. Five are "
                    "round numbers of seconds: 31.8 and 318 years (of 364 days) are 10^9 and 10^10 s, 17.37 days 1.5 10^6 s, 1.6 years 5 "
                    "10^7 s. So they are likely ends of a coarse search upwards; as bounds they hold")]
    for (pipelined, rates, grain, workers), printed, seconds in missed:
        claims.append(Claim("crossover", f"{'pipelined' if pipelined == 'yes' else 'not pipelined'}, {rates}, grain {grain} s, n = {workers}",
                            printed, duration(seconds, printed), False,
                            differs=f"the print is {seconds_of(printed):.4g} s, see above"))
    return claims


def pairs_of_orders() -> Claim:
    draw = random.Random(2001)
    carried_out = 0
    for _ in range(NETWORKS):
        workers = [{"work_time": draw.uniform(0.5, 2)} for _ in range(4)]
        start, finish = draw.sample(range(1, 5), 4), draw.sample(range(1, 5), 4)
        costs = {name: draw.uniform(0, 1) for name in ("delta", "transit", "packaging")}
        costs["latency"] = costs["transit"] + draw.uniform(0, 1)
        carried_out += ask("solve", {"problem": "now", "lifespan": 1000, **costs, "start": start, "finish": finish,
                                     "worker": workers})["feasible"]
    return Claim("generic", "a pair of orders has a solution (robust)", "every", f"{carried_out} of {NETWORKS} random ones",
                 carried_out == NETWORKS, differs="each pair gives a system that is not singular, but some of its solutions have a "
                 "negative share, which nobody can carry out")


def claims(folder: Path) -> list[Claim]:
    with open_results(folder / "now-orders.h5") as results:
        long = select(results, lifespan=float(results["lifespan"].values.max()))
        lifo = long["expected_work"].sel(strategy="lifo").values / long["reference"].values[:, 0]
        equal = select(long, rates="equal", workers=8, grain=1, pipelined="yes")
        lifespan = float(equal["lifespan"].values[0])
        bound = lifespan / float(equal["reference"].values[0, 0])
        fifo = long["mean"].sel(strategy="random-fifo").values
    return [
        Claim("theorem", "FIFO outperforms LIFO in a long lifespan (ten years)", "always",
              f"in {(lifo < 1).sum()} of {lifo.size} networks", bool((lifo < 1).all())),
        Claim("theorem", "hypothesis: rho_1 is at most about L / W(FIFO)", "rho_1 = 1", f"L / W = {bound:.4f} for n = 8", 1 <= bound,
              differs="it cannot hold for two or more workers and long L; FIFO outperforms LIFO without it"),
        Claim("FIFO", "work of FIFO in any order of the workers", "the same", f"ratio to FIFO {fifo.min():.9f} to {fifo.max():.9f}",
              bool(abs(fifo - 1).max() < 1e-6)),
        pairs_of_orders(),
        *crossover_table(),
    ]
