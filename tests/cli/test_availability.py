"""Axes horizon and availability of the model dispatch: lives that are cut, workers that come back."""
import itertools
import json
import math

import h5py
import numpy
import pytest
from result_testing import datasets

POLICIES = '"greedy", "no-replication", "skip(greedy)", "help", "central", "adaptive"'
MEASURES = ["makespan", "machine_time", "wasted"]
NEVER_BACK = "renewal(down=exponential(rate=1e-300))"


def run(coterie, folder, axes, strategies='"no-replication"', instances=300, name="c", options=()):
    """The result file of one campaign of the model dispatch."""
    campaign = folder / f"{name}.toml"
    campaign.write_text(f'model = "dispatch"\nseed = 27\ninstances = {instances}\nstrategies = [{strategies}]\n'
                        f"[grid]\n{axes}")
    result = folder / f"{name}.h5"
    coterie("run", campaign, "--output", result, "--quiet", *options)
    return result


def replay(coterie, result, instance, configuration=0):
    return json.loads(coterie("replay", result, "--configuration", configuration, "--instance", instance, "--format",
                              "json").stdout)


def replays(coterie, result, count, configuration):
    """The first instances of a configuration, by one call."""
    return json.loads(coterie("replay", result, "--configuration", configuration, "--instance", 0, "--count", count,
                              "--format", "json").stdout)


def near(values, mean, most):
    """Is that the mean of values in [0, most]? False alarm 1e-10. [Hoeffding 1963]"""
    return abs(numpy.mean(values) - mean) <= most * math.sqrt(math.log(2e10) / (2 * len(values)))


ONE = 'workers = 1\nwork = 1\nchunks = 4\nstartup = 0.05\nrisk = "exponential(rate=2)"\n'


# Chunks of 1/4 end at 0.3, 0.6, 0.9. False alarm 6e-10.
def test_a_horizon_cuts_lives_by_the_closed_form(coterie, tmp_path):
    horizons = [0.59, 0.6, 0.8]
    with h5py.File(run(coterie, tmp_path, ONE + f"horizon = {horizons}\n", instances=40000)) as file:
        for c, horizon in enumerate(horizons):
            done = 0.25 * (math.exp(-0.6) + (math.exp(-1.2) if horizon >= 0.6 else 0))
            assert file["expected_work"][c, 0] == pytest.approx(done, abs=1e-12)
            assert near(file["ratio"][c, 0] * file["reference"][c], done, 0.5)
            assert near(file["reference"][c], (math.exp(-0.1) - math.exp(-2 * horizon)) / 2, horizon)
            assert file["listening_ceiling"][c] >= done


def test_a_horizon_that_nobody_reaches_changes_no_bit(coterie, tmp_path):
    result = run(coterie, tmp_path, "workers = 5\nwork = 2\nstartup = 0.05\nlatency = 0.1\nhorizon = [inf, 1, 5]\n",
                 POLICIES + ', "random-replication"', 60)
    with h5py.File(result) as file:
        for name in ("ratio", "reference", *MEASURES):
            for c in (1, 2):
                assert numpy.array_equal(file[name][c], file[name][0], equal_nan=True), name


@pytest.mark.parametrize("risk", ["linear", "exponential(rate=1)", "mix(1 : linear, 1 : exponential(rate=0.5))"])
def test_all_know_the_horizon(coterie, tmp_path, risk):
    axes = f'workers = 5\nwork = 1.2\nstartup = 0.05\nrisk = "{risk}"\nhorizon = [0.4, inf]\n'
    result = run(coterie, tmp_path, axes, '"greedy", "skip(greedy)", "help", "central"', 60)
    finished = 0
    for cut, whole in zip(*(replays(coterie, result, 40, c) for c in (0, 1)), strict=True):
        lives = [worker["interruption"] for worker in whole["workers"]]
        assert [worker["interruption"] for worker in cut["workers"]] == [min(life, 0.4) for life in lives]
        assert cut["reference"] == pytest.approx(min(1.2, sum(max(0, min(life, 0.4) - 0.05) for life in lives)))
        for strategy in cut["strategies"]:
            done = strategy["work"] >= 1.2 - 1e-9
            finished += done
            assert (strategy["makespan"] is not None) == done
            assert not done or strategy["makespan"] <= 0.4 + 1e-9
            assert all(event["time"] <= 0.4 + 1e-9 for event in strategy["log"])
            if strategy["name"] == "central":
                assert all(event["time"] + 0.05 + event["work"] <= 0.4 + 1e-9
                           for event in strategy["log"] if event["event"] == "is given")
    assert finished > 0, "something to look at"


# One worker, up exp(2) and down exp(3). Chunks of 1/4 take 0.3; up to 0.6 no second one can be done, and one is done
# if it is begun in time, at the start or at one of M(0.2) returns on average. False alarm 8e-10.
def test_renewal_by_the_closed_forms(coterie, tmp_path):
    up, down, instances = 2, 3, 40000
    axes = ONE.replace("startup = 0.05", "startup = [0.05, 0]").replace('"exponential(rate=2)"',
                                                                      f'"exponential(rate={up})"')
    axes += f'availability = "renewal(down=exponential(rate={down}))"\nhorizon = [0.5, 3]\n'
    both = up + down

    def returns(time):
        return up * down / both * time - up * down / both**2 * (1 - math.exp(-both * time))

    with h5py.File(run(coterie, tmp_path, axes.replace("work = 1\n", "work = 100\n"), instances=instances)) as file:
        for c, (startup, horizon) in enumerate(zip(file["startup"][...], file["horizon"][...])):
            reference = file["reference"][c]
            if startup == 0:  # availability
                expected = down / both * horizon + up / both**2 * (1 - math.exp(-both * horizon))
                assert near(reference, expected, horizon), horizon
                continue
            steps = numpy.linspace(0, horizon - startup, 200001)  # spells that begin then, and what they are good for
            useful = (math.exp(-up * startup) - numpy.exp(-up * (horizon - steps))) / up
            density = up * down / both * (1 - numpy.exp(-both * steps))
            assert near(reference, useful[0] + numpy.trapz(density * useful, steps), horizon), horizon
            if horizon == 0.5:
                done = 0.25 * math.exp(-up * 0.3) * (1 + returns(0.2))
                assert near(file["ratio"][c, 0] * reference, done, 0.25)
    with h5py.File(tmp_path / "c.h5") as file:
        assert numpy.isnan(file["expected_work"][...]).all(), "nobody knows it"
        assert numpy.isnan(file["static_ceiling"][...]).all() and numpy.isnan(file["listening_ceiling"][...]).all()


@pytest.mark.parametrize("risk", ["linear", "exponential(rate=1)", "weibull(shape=0.6, scale=0.8)"])
def test_workers_that_never_come_back_are_interrupted_once(coterie, tmp_path, risk):
    axes = f'workers = 6\nwork = 2\nstartup = 0.04\nlatency = 0.05\nrisk = "{risk}"\nhorizon = 0.7\n'
    axes += f'availability = ["once", "{NEVER_BACK}"]\n'
    with h5py.File(run(coterie, tmp_path, axes, POLICIES)) as file:
        for name in ("ratio", "reference", *MEASURES):
            assert numpy.array_equal(file[name][1], file[name][0], equal_nan=True), name
    for c in (0, 1):
        one = [strategy["ratio"] for strategy in replay(coterie, tmp_path / "c.h5", 7, c)["strategies"]]
        with h5py.File(tmp_path / "c.h5") as file:
            assert one == list(file["ratio"][c, :, 7])


def test_who_comes_back_sooner_does_more(coterie, tmp_path):
    axes = ('workers = 6\nwork = 6\nstartup = 0.02\nhorizon = 2\navailability = ["once", '
            '"renewal(down=exponential(rate=1), resume=0.5)", "renewal(down=exponential(rate=10), resume=0.01)"]\n')
    with h5py.File(run(coterie, tmp_path, axes, POLICIES)) as file:
        done = (file["ratio"][...] * file["reference"][...][:, None, :]).mean(axis=2)
        assert (numpy.diff(done, axis=0) > 0).all()
        assert (file["ratio"][...] <= 1).all()
        assert len(set(file["identity"].asstr()[...])) == 1, "first spells are the same"
        strategies = list(file["strategy"].asstr()[...])
        assert done[2, strategies.index("central")] > 1.1 * done[2, strategies.index("greedy")]


def test_a_worker_may_resume_after_a_length_with_a_unit(coterie, tmp_path):
    axes = 'workers = 3\nwork = 3\nstartup = 0.02\nhorizon = 2\navailability = "renewal(down=exponential(rate=5), {})"\n'
    told = [datasets(run(coterie, tmp_path, axes.format(resume), '"greedy", "central"', 40, name))
            for name, resume in (("bare", "resume=0.25"), ("part", "resume=1/4"), ("unit", "resume=1h15min, scale=5h"))]
    for name in ("ratio", "reference", *MEASURES):
        assert told[1][name] == told[0][name] and told[2][name] == told[0][name], name


def test_the_log_of_workers_that_come_back(coterie, tmp_path):
    axes = ('workers = 3\nwork = 3\nstartup = 0.02\nhorizon = 2\n'
            'availability = "renewal(down=exponential(rate=5), resume=0.1)"\n')
    result = run(coterie, tmp_path, axes, '"greedy", "central"', 40)
    seen = 0
    for instance in range(10):
        one = replay(coterie, result, instance)
        assert one["reference"] == pytest.approx(
            min(3, sum(max(0, end - begin - 0.02) for worker in one["workers"] for begin, end in worker["up"])))
        for worker in one["workers"]:
            times = [time for spell in worker["up"] for time in spell]
            assert times[0] == 0 and times[-1] <= 2 and times == sorted(times)
            assert all(after[0] - before[1] >= 0.1 for before, after in zip(worker["up"], worker["up"][1:]))
        for strategy in one["strategies"]:
            for event in strategy["log"]:
                up = one["workers"][event["worker"]]["up"]
                if event["event"] == "comes back":
                    seen += 1
                    assert any(abs(event["time"] - begin) < 1e-9 for begin, _ in up)
                if event["event"] in ("begins", "ends"):
                    assert any(begin - 1e-9 <= event["time"] <= end + 1e-9 for begin, end in up)
    assert seen > 10
    assert "up" in coterie("replay", result, "--configuration", 0, "--instance", 0).stdout


RECORDING = "host,start,end,observed\n" + "".join(
    f"h{h},{start},{start + length},1\n" for h, (first, length, gap) in enumerate(
        [(0, 500, 100), (100, 1200, 700), (0, 3000, 10), (2500, 40, 40), (50, 7000, 2000)])
    for start in range(first, 10000, length + gap))


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "recorded.csv"
    path.write_text(RECORDING)
    spells = {}
    for line in RECORDING.splitlines()[1:]:
        host, start, end, _ = line.split(",")
        spells.setdefault(host, []).append((int(start), int(end)))
    return spells


REPLAY = 'workers = 3\nwork = 3\nstartup = 0.02\navailability = "replay(trace=recorded.csv, window=30 min, scale=1h)"\n'


def test_replay_shows_windows_of_the_recording(coterie, tmp_path, recording):
    strategies = '"greedy", "skip(greedy)", "help"'
    result = run(coterie, tmp_path, REPLAY, strategies, 300)
    last = max(end for spells in recording.values() for _, end in spells)
    starts, met = set(), set()
    for instance in range(20):
        one = replay(coterie, result, instance)
        assert one["reference"] == pytest.approx(
            min(3, sum(max(0, end - begin - 0.02) for worker in one["workers"] for begin, end in worker["up"])))
        # All hosts have one clock: any begin or end within the window tells where it is.
        def shown(spells, start):
            return [[max(0, a - start) / 3600, min(1800, b - start) / 3600] for a, b in spells
                    if b > start and a < start + 1800]
        candidates = {round(time - edge * 3600, 3)
                      for worker in one["workers"] for spell in worker["up"] for edge in spell if 0 < edge < 0.5
                      for spells in recording.values() for one_spell in spells for time in one_spell}
        def hosts(start):
            return [[host for host, spells in recording.items()
                     if len(shown(spells, start)) == len(worker["up"]) and
                     numpy.allclose(shown(spells, start), worker["up"], atol=1e-6)] for worker in one["workers"]]
        fitting = [start for start in candidates if 0 <= start <= last - 1800 and all(hosts(start))]
        assert fitting or not candidates
        if fitting:
            starts.add(fitting[0])
            met.update(name for names in hosts(fitting[0]) for name in names)
            assert any(len(set(names)) == 3 for start in fitting for names in itertools.product(*hosts(start)))
    assert len(starts) > 10 and len(met) == 5
    with h5py.File(result) as file:
        assert (file["ratio"][...] <= 1).all() and (file["ratio"][...] > 0).any()
    assert datasets(result) == datasets(run(coterie, tmp_path, REPLAY, strategies, 300, "threads", ("--threads", 3)))


def test_replay_in_slots(coterie, tmp_path):
    spells = [(0, 10), (20, 70), (12, 15), (30, 100)]
    (tmp_path / "recorded.csv").write_text(
        "host,start,end,observed\n" + "".join(f"h{i},{a},{b},1\n" for i, (a, b) in enumerate(spells)))
    axes = 'workers = 2\nwork = 3\nstartup = 0.02\navailability = "replay(trace=recorded.csv, window=100, machines={})"\n'
    one = replay(coterie, run(coterie, tmp_path, axes.format("slots"), instances=3), 0)
    shown = sorted([begin, end] for worker in one["workers"] for begin, end in worker["up"])
    assert numpy.allclose(shown, sorted(spells), atol=1e-4), "the window is the whole recording"
    assert sorted(len(worker["up"]) for worker in one["workers"]) == [1, 3]
    hosts = replay(coterie, run(coterie, tmp_path, axes.format("hosts"), instances=3, name="hosts"), 0)
    assert [len(worker["up"]) for worker in hosts["workers"]] == [1, 1]


@pytest.mark.parametrize("axes, message", [
    ("horizon = 0\n", "c.toml:9:1: horizon must be above 0; inf: none, not 0"),
    ("horizon = -1\n", "horizon must be above 0; inf: none, not -1"),
    ('availability = "often"\n', 'c.toml:9:1: unknown availability "often": once, renewal(down=RISK, resume=TIME) or '),
    ('availability = "once(down=3)"\n', "down"),
    ('availability = "renewal(down=exponential(rate=1))"\n', "c.toml:9:1: availability = \"renewal(...)\" needs a finite "
     "horizon"),
    ('horizon = 2\navailability = "renewal"\n', "down"),
    ('horizon = 2\navailability = "renewal(down=linear, up=linear)"\n', "up"),
    ('horizon = 2\navailability = "renewal(down=lineal)"\n', "did you mean"),
    ('horizon = 2\navailability = "renewal(down=linear, resume=-1)"\n', "c.toml:10:1: renewal: resume must be a "
     "time not below 0, bare or with its unit d, h, min, s, ms or us, such as 40h, 1h30m or \"1.5 min\", not \"-1\""),
    ('horizon = 2\navailability = "renewal(down=linear, resume=soon)"\n', "renewal: resume must be a time not below 0"),
    ('horizon = 2\navailability = "renewal(down=linear, resume=5min)"\n', "renewal: resume = 5min: say how long one unit "
     "of time is, such as scale=1h"),
    ('horizon = 2\navailability = "renewal(down=linear, resume=5, scale=1h)"\n', "renewal: scale goes with a resume that "
     "has a unit"),
    ('horizon = 2\navailability = "renewal(down=linear, resume=5min, scale=0)"\n', "renewal: scale must be a time above 0"),
    ('availability = "replay(trace=recorded.csv)"\n', "window"),
    ('availability = "replay(trace=recorded.csv, window=0)"\n', "c.toml:9:1: replay: window must be a time above 0"),
    ('availability = "replay(trace=recorded.csv, window=1, scale=0)"\n', "replay: scale must be a time above 0"),
    ('availability = "replay(trace=recorded.csv, window=5h)"\n', "c.toml:9:1: replay: the window of 5 h is longer than the "
     "recording, 4.458 h"),
    ('availability = "replay(trace=recorded.csv, window=1h, machines=racks)"\n', "machines must be hosts or slots"),
    ('horizon = 5\navailability = "replay(trace=recorded.csv, window=1h)"\n', "horizon must be left out, or the window "
     "(3600), where availability = \"replay(...)\", not 5"),
    ('availability = "replay(trace=durations.txt, window=1)"\n', "a recording needs hosts and times"),
])
def test_what_makes_no_sense_is_refused_where_it_is_written(coterie, tmp_path, recording, axes, message):
    (tmp_path / "durations.txt").write_text("3\n4\n5\n")
    (tmp_path / "c.toml").write_text('model = "dispatch"\nseed = 27\ninstances = 3\nstrategies = ["help"]\n'
                                     f"[grid]\nworkers = 3\nwork = 2\nstartup = 0.05\n{axes}")
    answer = coterie("run", "c.toml", "--output", "c.h5", check=False, cwd=tmp_path)
    assert answer.returncode == 2 and message in answer.stderr, answer.stderr


def test_what_else_is_refused(coterie, tmp_path, recording):
    def refused(text, strategies='"help"'):
        (tmp_path / "c.toml").write_text('model = "dispatch"\nseed = 27\ninstances = 3\n'
                                         f"strategies = [{strategies}]\n[grid]\nstartup = 0.05\nwork = 2\n{text}")
        answer = coterie("run", "c.toml", "--output", "c.h5", check=False, cwd=tmp_path)
        assert answer.returncode == 2
        return answer.stderr

    replayed = 'availability = "replay(trace=recorded.csv, window=1h, scale=1h)"\n'
    assert "workers must be at most 5, the machines of the recording, not 6" in refused("workers = 6\n" + replayed)
    assert "availability must be once for random-replication" in refused("workers = 3\n" + replayed,
                                                                         '"random-replication"')
    aged = 'workers = 3\nrisk = "trace(file=recorded.csv, age=60)"\nhorizon = 2\n'
    assert "a worker that comes back is new" in refused(aged + 'availability = "renewal(down=linear)"\n')
    assert "a worker is up more than" in refused(
        'workers = 1\nrisk = "exponential(rate=1e9)"\nhorizon = 2\navailability = "renewal(down=exponential(rate=1e9))"\n')
    zoned = "workers = 4\nzones = {}\ncommon = 0.5\n" + replayed
    assert "availability must be once or renewal(...) if zones have a common part" in refused(zoned.format(2))
    (tmp_path / "c.toml").write_text('model = "dispatch"\nseed = 27\ninstances = 3\nstrategies = ["help"]\n'
                                     f"[grid]\nstartup = 0.05\nwork = 2\n{zoned.format(4)}")
    coterie("run", "c.toml", "--output", "alone.h5", cwd=tmp_path)  # nobody shares a zone
