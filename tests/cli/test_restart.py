"""Jobs that go on from their last checkpoint: coterie solve with problem = "restart", campaigns of the model restart."""
import json
import math

import h5py
import numpy as np
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
    (job('method = "interval"\ninterval = 1e-9\n'), "makes more than ten million chunks"),
    (job().replace("checkpoint = 0.2", "checkpoint = 1e-18"), "makes more than ten million chunks"),
    (job().replace("checkpoint = 0.2", "checkpoint = 1e6"), "\"work\" takes longer than any number"),
])
def test_bad_problems_are_refused_at_their_place(refused, text, message):
    refused(text, message)


@pytest.fixture
def results(coterie, tmp_path):
    """The datasets of a campaign of the model restart."""
    def run(strategies, grid, instances=4000):
        text = f'model = "restart"\nseed = 7\ninstances = {instances}\nstrategies = {json.dumps(strategies)}\n[grid]\n{grid}'
        (tmp_path / "restart.toml").write_text(text)
        coterie("run", "restart.toml", "--output", "restart.h5", "--quiet", "--threads", 2, cwd=tmp_path)
        with h5py.File(tmp_path / "restart.h5") as file:
            return {name: file[name][:] for name in ("ratio", "reference", "makespan", "machine_time", "wasted")}

    return run


GRID = 'work = 48\ncheckpoint = 0.2\nrestart = 0.5\ndown = 2\nrisk = "{}"\n'


@pytest.mark.parametrize("risk", ["exponential(rate=0.05)", "weibull(shape=0.5, scale=10)", "lognormal(median=9, sigma=1)"])
def test_mean_times_of_campaigns_are_the_expected_ones(solve, results, risk):
    """Within 6 standard errors."""
    found = results(["optimal", "daly"], GRID.format(risk))
    assert ((found["ratio"] > 0) & (found["ratio"] <= 1)).all()
    for row, method in enumerate(("optimal", "daly")):
        times = found["makespan"][0, row]
        expected = solve(job(f'method = "{method}"\n', risk=risk))["expected_time"]
        assert abs(times.mean() - expected) < 6 * times.std() / math.sqrt(times.size)


def test_spares_are_a_markov_chain(results):
    """Gang rate L, each lost machine back at rate m, one spare: with a machine away for a share P(t) of the time, the
    gang waits 1 / 2m for every further loss. Within 6 standard errors."""
    gang, back, work = 0.4, 0.3, 60
    found = results(["spot"], f'work = {work}\ngang = 4\nspares = 1\nrisk = "exponential(rate={gang / 4})"\n'
                              f'down = "exponential(rate={back})"\n')
    both = gang + back
    waits = gang * gang / both * (work - (1 - math.exp(-both * work)) / both)
    times = found["makespan"][0, 0]
    assert abs(times.mean() - (work + waits / (2 * back))) < 6 * times.std() / math.sqrt(times.size)


def test_policies_meet_the_deadline_and_none_beats_the_optimal_switch(results):
    """Paired differences of costs: above -6 standard errors."""
    strategies = ["optimal-switch", "on-demand", "last-moment", "uniform-progress", "time-sliced(slices=5)"]
    found = results(strategies, 'work = 20\nrestart = 0.1\nchange = 0.1\nprice = 3\ndeadline = 25\nmetric = "cost"\n'
                                'risk = "exponential(rate=0.3)"\ndown = "exponential(rate=0.6)"\n', 1000)
    assert (found["makespan"] <= 25 * (1 + 1e-9)).all()
    assert (found["ratio"] <= 1 + 1e-9).all()
    costs = 20 / found["reference"][:, None] / found["ratio"]
    for row in range(1, len(strategies)):
        more = costs[0, row] - costs[0, 0]
        assert more.mean() > -6 * more.std() / math.sqrt(more.size), strategies[row]


def test_a_warning_as_long_as_a_checkpoint_saves_all(results):
    found = results(["optimal", "periodic(interval=1)"], GRID.format("exponential(rate=0.05)") + "warning = 0.2\n", 500)
    assert (found["wasted"] == 0).all()
    assert (found["makespan"][0, 0] <= found["makespan"][0, 1] + 1e-9).all()


@pytest.mark.parametrize("strategy, change, message", [
    ("young", {"work": 0}, "work must be positive and finite, not 0"),
    ("young", {"checkpoint": -1}, "checkpoint must be finite and not negative, not -1"),
    ("young", {"restart": -1}, "restart must be finite and not negative, not -1"),
    ("young", {"gang": 0}, "gang must be a whole number from 1 to 100000, not 0"),
    ("young", {"price": 0.5}, "price must be finite and at least 1, that of spot, not 0.5"),
    ("spot", {"interval": 6}, "interval must be at most the work, 5, not 6"),
    ("periodic(interval=6)", {}, "interval must not exceed the work, 5"),
    ("periodic(length=6)", {}, 'unknown argument "length"'),
    ("tries", {}, "metric must be cost with tries, which uses on-demand, not time"),
    ("tries(losses=0.5)", {"metric": '"cost"', "deadline": 9}, "losses must be a whole number"),
    ("on-demand", {"metric": '"cost"', "deadline": 4}, "deadline must be finite and at least the work, 5,"),
    ("on-demand", {"metric": '"cost"'}, "deadline must be finite and at least the work, 5,"),
    ("young", {"risk": '"none"'}, 'risk must be a law of lives where spot = "renewal", not none'),
    ("young", {"down": '"recorded"'}, 'down = "recorded" needs risk = "trace(file=...)"'),
    ("young", {"spot": '"recording(trace=gapless.json)"'}, "metadata.gap_seconds is missing"),
    ("young", {"spot": '"recording(trace=day.json)"', "deadline": 7201}, "deadline must be at most the length of the recording, 7200"),
    ("young", {"spot": '"recording(trace=day.json)"', "deadline": 60, "gang": 2}, "gang must be at most 1, the machines of the recording"),
    ("young", {"spot": '"recording(trace=$COTERIE_TRACES/x.json)"', "deadline": 60}, "needs the environment variable COTERIE_TRACES"),
])
def test_bad_campaigns_are_refused_at_their_place(coterie, tmp_path, monkeypatch, strategy, change, message):
    monkeypatch.delenv("COTERIE_TRACES", raising=False)
    (tmp_path / "gapless.json").write_text('{"data": [1, 0, 1]}')
    (tmp_path / "day.json").write_text('{"metadata": {"gap_seconds": 600}, "data": [1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1]}')
    grid = {"work": 5, "checkpoint": 0.1, "risk": '"exponential(rate=1)"', **change}
    head = f'model = "restart"\ninstances = 2\nstrategies = ["{strategy}"]\n[grid]\n'
    (tmp_path / "c.toml").write_text(head + "".join(f"{key} = {value}\n" for key, value in grid.items()))
    done = coterie("run", "c.toml", "--output", "c.h5", "--quiet", check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.startswith(("c.toml:", "day.json", "gapless.json")), done.stderr
