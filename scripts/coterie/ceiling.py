"""How much work any static schedule can be expected to complete, under the linear risk Pr(t) = min(1, t)."""

from __future__ import annotations

import math


def one_worker_optimum(work: float, startup: float) -> float:
    """Greatest expected work of one worker with `work` units at hand, each chunk behind a start-up cost.

    For m chunks dE/dw_k = 1 - S - w_k - k eps, S their sum, so that sizes fall by eps and, where the work does not
    bind, S = m / (m + 1) - m eps / 2. [worksharing-2013, Theorem 4]

    >>> round(one_worker_optimum(10, 0.1), 9), round(one_worker_optimum(0.5, 0.1), 9)
    (0.25, 0.243333333)
    """
    best = 0.0
    m = 1
    while m * (m + 1) * startup <= 2 and m < 100_000:
        load = min(work, m / (m + 1) - m * startup / 2)
        largest = load / m + startup * (m + 1) / 2
        if load <= 0 or largest - m * startup < 0:
            break
        clock = expected = 0.0
        for k in range(1, m + 1):
            size = largest - k * startup
            clock += size + startup
            expected += size * (1 - clock)
        best = max(best, expected)
        m += 1
    return best


def static_bound(workers: int, work: float, startup: float) -> float:
    """No static schedule of identical workers expects more; two bounds, the smaller of which holds.

    Each worker alone: at most the optimum of one worker. All together: a worker runs a piece at most once, and what it
    runs after u units of work ends at u + eps or later; so the logarithms of the pieces' probabilities of being lost,
    which are products over workers, sum to at least p times the integral of ln Pr(u + eps) over [0, W], and by the
    inequality of the means the work lost is at least W exp(that / W).

    >>> static_bound(10, 10, 0.1) == 10 * one_worker_optimum(1, 0.1)
    True
    >>> static_bound(1000, 1, 0.01) <= 1
    True
    """
    end = min(1.0, work + startup)
    integral = 0.0
    if end > startup:
        integral = end * math.log(end) - end - (startup * math.log(startup) - startup if startup > 0 else 0.0)
    together = -work * math.expm1(workers * integral / work)
    return min(together, workers * one_worker_optimum(work, startup))
