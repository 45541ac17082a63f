"""How much work any static schedule can be expected to complete, under the linear risk Pr(t) = min(1, t)."""

from __future__ import annotations

import math

TINY_STARTUP = 1e-12  # in horizons: costs a worker some 1e-6 of its work at most; without it the bound holds as well


def one_worker_optimum(work: float, startup: float) -> float:
    """Greatest expected work of one worker with `work` units at hand, each chunk behind a start-up cost.

    For m chunks dE/dw_k = 1 - S - w_k - k eps, S their sum, so that sizes fall by eps and, where the work does not
    bind, S = m / (m + 1) - m eps / 2. [worksharing-2013, Theorem 4]

    Without a start-up cost, or with one too small to matter, it is the integral of 1 - t up to min(work, 1), which
    more and more chunks come near. [worksharing-2013, Theorem 3]

    >>> round(one_worker_optimum(10, 0.1), 9), round(one_worker_optimum(0.5, 0.1), 9)
    (0.25, 0.243333333)
    >>> one_worker_optimum(10, 0), one_worker_optimum(0.5, 0)
    (0.5, 0.375)
    """
    load = min(work, 1.0)
    unlimited = load - load**2 / 2  # no start-up cost, chunks without number
    if startup < TINY_STARTUP or not load > 0:
        return unlimited
    # The most chunks none of which is empty; where rounding takes one too many its size is about 0.
    chunks = int(min(math.sqrt(0.25 + 2 / startup) - 0.5, math.sqrt(0.25 + 2 * work / startup) + 0.5))
    if chunks < 1:
        return 0.0
    m = chunks
    load = min(work, m / (m + 1) - m * startup / 2)
    largest = load / m + startup * (m + 1) / 2  # chunk k has size largest - k eps and ends at k largest - eps k(k-1)/2
    ones, squares, cubes = m * (m + 1) / 2, m * (m + 1) * (2 * m + 1) / 6, (m * (m + 1) / 2) ** 2
    expected = largest * m - startup * ones
    expected -= largest**2 * ones - largest * startup * (squares - ones) / 2
    expected += largest * startup * squares - startup**2 * (cubes - squares) / 2
    return min(max(expected, 0.0), unlimited)


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
