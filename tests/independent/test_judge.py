"""The judge itself: closed forms, worked cases, and its two ways to say what is done (formula and sampling)."""
import math
import random
from bisect import bisect_left

import laws
import problems
import pytest
import sharing
from program import SEED


def test_equal_chunks_of_one_worker_are_theorem_2():
    # worksharing-2013, Theorem 2: D - (n + 1) kappa D^2 / (2 n)
    work, chunks, kappa = 0.6, 7, 0.9
    expected = work - (chunks + 1) * kappa * work ** 2 / (2 * chunks)
    tasks = sharing.once_tasks(1, work, chunks)
    assert sharing.expected_work(tasks, 0, [laws.Linear(kappa)]) == pytest.approx(expected, rel=1e-14)


def test_work_that_two_workers_run_counts_once():
    # [0, 1) ends at 1.5 on worker 0 and, as [0.5, 1.5), at 1.5 on worker 1 too
    law = laws.Linear(0.5)
    once = 0.5 * (1 - 0.75)
    assert sharing.expected_work([(0, 0, 1), (1, 0.5, 1.5)], 0.5, [law] * 2) == pytest.approx(
        once + 0.5 * (1 - 0.75 ** 2) + once, rel=1e-14)


def test_the_greedy_chart_is_table_3():
    # worksharing-2013, Table 3(f): 4 workers, 20 chunks
    chart = sharing.greedy_chart(4, 20, laws.Linear(0.01).before, 1)
    assert chart[0] == [1, 2, 3, 4, 5]
    assert sum(math.prod(row[j] for row in chart) for j in range(5)) == 24390


def test_a_task_that_ends_with_the_life_is_done():
    law = laws.empirical([1.0, 2.0, 2.0, 3.0])
    assert [law.before(t) for t in (1.0, 1.5, 2.0, 2.5, 3.5)] == [0, 0.25, 0.25, 0.75, 1]
    assert law.aged(2.0).before(0.5) == pytest.approx(2 / 3)


def test_kaplan_meier_leaves_open_what_nobody_saw():
    # five sixths survive 1, two thirds 2 (where who is cut off at 2 was at risk), four ninths 3.5
    spells = [(1.0, True), (2.0, True), (2.0, False), (3.5, True), (7.0, False), (9.0, False)]
    for tail, last in (("immortal", math.inf), ("gone", 9.0)):
        law = laws.kaplan_meier(spells, tail)
        assert law.times == [1.0, 2.0, 3.5, last]
        assert law.masses == pytest.approx([1 / 6, 1 / 6, 2 / 9, 4 / 9])


@pytest.mark.parametrize("kind", problems.KINDS)
def test_draws_follow_their_law(kind, tmp_path):
    """DKW at 1e-9 for each of the eleven kinds: 1.1e-8 in all. Lives half as long again are found."""
    draw = random.Random(SEED)
    _, _, law = problems.random_law(draw, tmp_path, [kind])
    lives = [law.draw(draw) for _ in range(2000)]
    margin = math.sqrt(math.log(2 / 1e-9) / 2 / len(lives))
    assert greatest_distance(law, lives) < margin
    assert greatest_distance(law, [1.5 * life for life in lives]) > margin


def greatest_distance(law, lives):
    """Between P(T < t) and the share of lives below t, at a hundred lives."""
    ordered = sorted(lives)
    return max(abs(law.before(t) - bisect_left(ordered, t) / len(ordered)) for t in ordered[::20])


def test_what_is_expected_is_what_is_sampled(tmp_path):
    """Random lists of tasks on unlike workers. Hoeffding at 1e-9, eight times: 8e-9 in all. Forgotten start-up costs
    are found."""
    draw, found = random.Random(SEED), 0
    for _ in range(8):
        workers, work, startup = draw.randint(1, 5), 2.0, draw.uniform(0, 0.3)
        who = [problems.random_law(draw, tmp_path, ["linear", "weibull", "few", "hyperexponential"])[2]
               for _ in range(workers)]
        tasks = problems.random_tasks(draw, workers, work)
        parts = sharing.pieces(tasks, sharing.finish_times(tasks, startup))
        runs = 4000
        mean = math.fsum(sharing.completed_work(parts, [law.draw(draw) for law in who]) for _ in range(runs)) / runs
        margin = work * math.sqrt(math.log(2 / 1e-9) / 2 / runs)
        assert abs(mean - sharing.expected_work(tasks, startup, who)) < margin
        found += abs(mean - sharing.expected_work(tasks, 0, who)) >= margin
    assert found > 0
