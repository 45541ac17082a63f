"""coterie solve with problem = "restart": jobs that go on from their last checkpoint."""
import math

import pytest

JOB = 'problem = "restart"\nwork = {work}\ncheckpoint = 0.2\nrestart = 0.5\ndown = 2\nrisk = "{risk}"\n'


def job(more="", work=48, risk="exponential(rate=0.05)"):
    return JOB.format(work=work, risk=risk) + more


def chunk_time(length, rate=0.05):
    return math.exp(rate * 0.5) * (1 / rate + 2) * math.expm1(rate * (length + 0.2))


def test_equal_intervals_of_exponential_lives_are_dalys_exact_sum(solve):
    answer = solve(job('method = "interval"\ninterval = 5\n'))
    assert answer["expected_time"] == pytest.approx(9 * chunk_time(5) + chunk_time(3), rel=1e-12)
    assert answer["interval"] == 5 and answer["exact"] is True


def test_the_optimum_is_not_above_young_and_daly(solve):
    times = {method: solve(job(f'method = "{method}"\n'))["expected_time"] for method in ("optimal", "young", "daly")}
    assert times["optimal"] < min(times["young"], times["daly"])
    best = solve(job())
    assert sum(best["chunks"]) == pytest.approx(48)
    assert best["expected_time"] == times["optimal"]
    chunks = round(48 / best["interval"])
    assert best["expected_time"] == pytest.approx(chunks * chunk_time(48 / chunks), rel=1e-12)
    assert best["expected_time"] <= min((n * chunk_time(48 / n) for n in range(1, 200))) * (1 + 1e-12)


def test_a_gang_of_exponential_lives_is_one_life_of_n_times_the_rate(solve):
    many = solve(job("gang = 16\n", risk="exponential(rate=0.05)"))
    one = solve(job(risk="exponential(rate=0.8)"))
    assert many == one


def test_a_table_of_chunks_is_evaluated(solve):
    """One step at a time is the interval of a step; rows may differ by age."""
    rows = ", ".join("[1]" for _ in range(48))
    table = solve(job(f'method = "table"\nage_step = 1\nchunks = [{rows}]\n'))
    assert table["expected_time"] == pytest.approx(48 * chunk_time(1), rel=1e-9)


def test_down_may_be_a_law(solve):
    length = solve(job())
    law = solve(job().replace("down = 2", 'down = "weibull(shape=1, scale=2)"'))
    assert law["expected_time"] == pytest.approx(length["expected_time"], rel=1e-9)


@pytest.mark.parametrize("text, message", [
    (job().replace("checkpoint = 0.2", "checkpoint = -1"), ":3:1: \"checkpoint\" must be finite and not negative"),
    (job().replace("restart = 0.5", "restart = -0.5"), "\"restart\" must be finite and not negative"),
    (job(work=0), "\"work\" must be positive and finite"),
    (job("gang = 0\n"), "\"gang\" must be from 1 to 1000000"),
    (job('method = "yuong"\n'), 'unknown method "yuong" (did you mean "young"?)'),
    (job('method = "interval"\ninterval = 49\n'), "\"interval\" must not exceed the work, 48"),
    (job("interval = 4\n"), 'unknown key "interval"'),
    (job("steps = 0\n"), "\"steps\" must be from 1 to 20000"),
    (job().replace("checkpoint = 0.2", "checkpoint = 0"), "it is best to save all the time"),
    (job('method = "daly"\n').replace("checkpoint = 0.2", "checkpoint = 0"), "needs a checkpoint above 0"),
    (job('method = "interval"\ninterval = 4\n', risk="linear(kappa=0.5)"), "no chunk of 4 is ever done"),
    (job('method = "table"\nage_step = 1\nchunks = [[1], [3]]\n'), "a whole number of steps from 1 to 2"),
    (job('method = "table"\nage_step = 1\nchunks = []\n'), "a list of rows"),
])
def test_bad_problems_are_refused_at_their_place(refused, text, message):
    refused(text, message)
