"""Claims of heterogeneous-2011: its theorems on drawn platforms, by `coterie solve`, and the conjecture."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

from coterie import ask, open_results
from verdicts import Claim

#: Name of the result, campaign, settings.
CAMPAIGNS = [("heterogeneous-theorem-4", "heterogeneous-theorem-4")]
FIGURES: list[tuple[str, ...]] = []

PLATFORMS, WORKERS, ROUNDING = 20, 4, 1e-9
#: Speed, bandwidth, kappa of a worker.
Worker = tuple[float, float, float]


def solved(workers: list[Worker], work: float, **more: Any) -> dict[str, Any]:
    tables = [{"speed": speed, "bandwidth": bandwidth, "risk": f"linear(kappa={kappa!r})"} for speed, bandwidth, kappa in workers]
    answer: dict[str, Any] = ask("solve", {"problem": "heterogeneous", "work": work, "method": "optimal", **more, "worker": tables})
    return answer


def platforms(seed: int, varying: str) -> list[tuple[list[Worker], float]]:
    """Random workers that differ in what is named, and a workload within the domain of the theorems."""
    draw = random.Random(seed)
    found = []
    for _ in range(PLATFORMS):
        common = [draw.uniform(0.5, 2), draw.uniform(1, 8), draw.uniform(0.2, 1)]
        workers = [tuple(draw.uniform(0.5, 2) * value if name in varying else value
                         for name, value in zip(("speed", "bandwidth", "kappa"), common)) for _ in range(WORKERS)]
        speed, bandwidth, kappa = (list(values) for values in zip(*workers))
        found.append((workers, 0.9 / (max(kappa) / min(bandwidth) + max(kappa) / min(speed))))
    return found


def formula(place: str, words: str, varying: str, factor: Any) -> Claim:
    """E = W - f W^2 with the printed f."""
    apart = []
    for workers, work in platforms(1, varying):
        if place == "Theorem 1":
            workers = [(speed, 1e12, kappa) for speed, _, kappa in workers]  # no communication
        printed = work - factor(workers) * work**2
        apart.append(abs(solved(workers, work)["expected_work"] / printed - 1))
    return Claim(place, words, "the formula", f"at most {max(apart):.1g} from it on {PLATFORMS} platforms", max(apart) < ROUNDING)


def z_and_x(workers: list[Worker]) -> tuple[list[float], list[float]]:
    return [kappa / bandwidth for _, bandwidth, kappa in workers], [kappa / speed for speed, _, kappa in workers]


def theorem_1(workers: list[Worker]) -> float:
    return 1 / sum(1 / x for x in z_and_x(workers)[1])


def theorem_2(workers: list[Worker]) -> float:
    (z, *_), (x, *_) = z_and_x(workers)
    return ((len(workers) + 1) * z + 2 * x) / (2 * len(workers))


def theorem_3(workers: list[Worker]) -> float:
    (z, *_), xs = z_and_x(workers)
    return z / 2 + 1 / sum(1 / (x + z / 2) for x in xs)


def best_order(place: str, words: str, varying: str, key: Any) -> Claim:
    """Whether serving by non-increasing `key` is as good as the best of all orders."""
    lost = 0.0
    for workers, work in platforms(2, varying):
        of = {order: solved(workers, work, order=[worker + 1 for worker in order])["expected_work"]
              for order in itertools.permutations(range(WORKERS))}
        claimed = tuple(sorted(range(WORKERS), key=lambda worker: -key(workers[worker])))
        lost = max(lost, 1 - of[claimed] / max(of.values()))
    return Claim(place, words, "optimal", f"loses at most {max(lost, 0):.1g} against all orders on {PLATFORMS} platforms", lost < ROUNDING)


def any_order() -> Claim:
    apart = 0.0
    for workers, work in platforms(3, "speed"):
        values = [solved(workers, work, order=list(order))["expected_work"] for order in itertools.permutations(range(1, WORKERS + 1))]
        apart = max(apart, max(values) / min(values) - 1)
    return Claim("Theorem 3", "order of service, speeds differ", "does not matter", f"at most {apart:.1g} apart", apart < ROUNDING)


def claims(folder: Path) -> list[Claim]:
    example = [(1.0, 4.0, 1.0), (1.0, 2.0, 1.0), (1.0, 1.0, 1.0)]
    printed, best = (solved(example, 0.5, method=method)["expected_work"] for method in ("printed-theorem-4", "optimal"))
    with open_results(folder / "heterogeneous-theorem-4.h5") as results:
        loss = 1 - (results["expected_work"].sel(strategy="printed-theorem-4") / results["expected_work"].sel(strategy="optimal")).values
        workers = results["workers"].values
    return [
        formula("Theorem 1", "expected work without communication", "speed", theorem_1),
        formula("Theorem 2", "expected work of identical workers", "", theorem_2),
        formula("Theorem 3", "expected work where speeds differ", "speed", theorem_3),
        any_order(),
        best_order("Lemma 1", "service by non-increasing bandwidth, where only they differ", "bandwidth", lambda worker: worker[1]),
        Claim("Theorem 4", "the recurrence is optimal, p = 2", "optimal", f"loses {max(0.0, loss[workers == 2].max()):.1g}",
              bool(loss[workers == 2].max() < ROUNDING)),
        Claim("Theorem 4", "the recurrence is optimal, p >= 3", "optimal", f"loses up to {100 * loss.max():.2f} % on random platforms",
              bool(loss.max() < ROUNDING), differs="the induction keeps the first n shares at their own optimum, but the waiting time of "
              "worker n + 1 depends on them; corrected in heuristics/results"),
        Claim("Theorem 4", "bandwidths 4, 2, 1, W = 1/2: expected work", f"{28227 / 81280:.6f} (28227/81280)", f"{best:.6f} (33/95)",
              abs(best - printed) < ROUNDING, differs=f"the printed shares expect {printed:.6f}: the same cause"),
        best_order("Theorem 5", "service by non-increasing risk, where only they differ", "kappa", lambda worker: worker[2]),
        best_order("Conjecture 1", "service by non-increasing kappa bw", "speed bandwidth kappa", lambda worker: worker[1] * worker[2]),
    ]
