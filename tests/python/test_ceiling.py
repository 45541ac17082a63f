"""The ceiling of any static schedule, beside plain sums over chunks."""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from coterie.ceiling import one_worker_optimum, static_bound  # noqa: E402


def best_over_counts(work, startup):
    """Theorem 4 of worksharing-2013, count by count and chunk by chunk."""
    best = 0.0
    for m in range(1, 500):
        load = min(work, m / (m + 1) - m * startup / 2)
        sizes = [load / m + startup * ((m + 1) / 2 - k) for k in range(1, m + 1)]
        if load <= 0 or sizes[-1] < 0:
            break
        clock = expected = 0.0
        for size in sizes:
            clock += size + startup
            expected += size * (1 - clock)
        best = max(best, expected)
    return best


@pytest.mark.parametrize("startup", [0.5, 0.1, 1 / 3, 0.06, 0.01, 1e-3, 1e-4])
@pytest.mark.parametrize("work", [0.01, 0.1, 0.5, 0.75, 1, 10])
def test_one_worker_is_worth_the_best_count_of_chunks(work, startup):
    assert one_worker_optimum(work, startup) == pytest.approx(best_over_counts(work, startup), rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("work", [0.3, 1, 2, 1e9])
def test_without_a_start_up_cost_it_is_the_integral_of_the_survival(work):
    load = min(work, 1)
    assert one_worker_optimum(work, 0) == load - load**2 / 2
    assert static_bound(1, work, 0) == one_worker_optimum(work, 0)
    assert static_bound(3, work, 0) <= min(work, 1.5)


def test_smaller_start_up_costs_never_lower_it():
    values = [one_worker_optimum(1, 10.0**-k) for k in range(1, 320, 3)] + [one_worker_optimum(1, 0)]
    assert all(a <= b for a, b in zip(values, values[1:]))
    assert values[-1] == 0.5
    assert math.isclose(one_worker_optimum(1, 1e-11), 0.5, rel_tol=1e-5)


def test_a_start_up_cost_of_the_whole_horizon_leaves_nothing():
    assert one_worker_optimum(1, 1) == 0
    assert one_worker_optimum(1, 2) == 0
    assert one_worker_optimum(0, 0.1) == 0
