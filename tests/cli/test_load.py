"""Worksharing under load: the axes background = mm1(...) and planned_risk = capacity, from the command line."""

import json
import math

import h5py
import numpy
import pytest

NAMES = ["greedy", "no-replication", "brute", "cyclic-replication"]


@pytest.fixture
def run(coterie, tmp_path):
    """A campaign of worksharing with these axes, run: its open result file, and replay(configuration, instance)."""

    def go(instances=300, strategies=NAMES, check=True, **axes):
        keys = {"workers": 6, "work": 3, "chunks": 4, "startup": 0.05, "risk": "linear(kappa=0.5)"} | axes
        path = tmp_path / "load.toml"
        path.write_text(f"seed = 5\ninstances = {instances}\nstrategies = {json.dumps(strategies)}\n"
                        "common_random_numbers = true\n[grid]\n"
                        + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
        output = tmp_path / "load.h5"
        output.unlink(missing_ok=True)
        done = coterie("run", path, "--output", output, "--quiet", check=check)
        if not check:
            return done

        def replay(configuration, instance):
            return json.loads(coterie("replay", output, "--configuration", configuration, "--instance", instance,
                                      "--format", "json").stdout)

        return h5py.File(output), replay

    return go


def test_a_steady_load_by_hand(run):
    """k jobs that stay make a worker 1 / (k + 1) as fast: chunk i of size w ends at i (eps + (k + 1) w) by the wall
    clock, and at i (k + 1) (eps + w) where a start-up cost is work."""
    k, eps, chunk = 2, 0.05, 0.25
    steady = f"mm1(arrival=0, service=0, initial={k}"
    file, replay = run(background=[f"{steady}, startup=wall)", f"{steady})"])

    for configuration, step, start in ((0, eps + (k + 1) * chunk, eps), (1, (k + 1) * (eps + chunk), (k + 1) * eps)):
        for instance in range(0, 300, 23):
            answer = replay(configuration, instance)
            times = [worker["interruption"] for worker in answer["workers"]]
            for worker, time in zip(answer["workers"], times):
                assert worker["capacity"] == pytest.approx(time / (k + 1), rel=1e-14)
            assert answer["reference"] == pytest.approx(
                min(3, sum(max(0, time - start) / (k + 1) for time in times)), rel=1e-12)
            brute = next(row for row in answer["strategies"] if row["name"] == "brute")
            assert brute["tasks_done"] == [min(12, math.floor(time / step)) for time in times]
            assert brute["work"] == pytest.approx(min(3, chunk * max(brute["tasks_done"])), rel=1e-12)


def test_the_file_holds_what_replay_shows(run):
    file, replay = run(background=["mm1(arrival=4, service=5, startup=wall)", "mm1(arrival=4, service=5, common=yes)"],
                       planned_risk=["same", "capacity"], chunks="auto")
    for configuration in range(4):
        for instance in (0, 17, 299):
            answer = replay(configuration, instance)
            assert answer["reference"] == file["reference"][configuration, instance]
            assert [row["ratio"] for row in answer["strategies"]] == file["ratio"][configuration, :, instance].tolist()


def test_start_up_costs_by_the_wall_clock_cost_least(run):
    """The same jobs and interruptions for both: whatever is completed with start-up costs in work units is completed
    with the same costs in wall-clock time, by strategies and by the omniscient master."""
    jobs = "mm1(arrival=8, service=10"
    for chunks in (4, "auto"):
        file, _ = run(background=[f"{jobs}, startup=wall)", f"{jobs})"], chunks=chunks)
        wall, work = (file["ratio"][c] * file["reference"][c] for c in (0, 1))
        assert (wall >= work - 1e-12).all() and (wall > work + 1e-3).mean() > 0.1
        assert (file["reference"][0] >= file["reference"][1] - 1e-12).all()
        assert (file["ratio"][...] <= 1).all()


@pytest.mark.parametrize("more", ["", ", startup=wall", ", common=yes", ", common=yes, startup=wall"])
def test_without_arrivals_there_is_no_load(run, more):
    file, _ = run(background=["none", f"mm1(arrival=0, service=1{more})"], planned_risk=["same", "capacity"])
    rows = {(jobs, planned): c for c, (jobs, planned) in
            enumerate(zip(file["background"].asstr()[...], file["planned_risk"].asstr()[...]))}
    (loaded,) = {jobs for jobs, _ in rows} - {"none"}
    for name in ("ratio", "reference"):
        values = file[name][...]
        numpy.testing.assert_array_equal(values[rows["none", "same"]], values[rows[loaded, "same"]])
        numpy.testing.assert_array_equal(values[rows["none", "same"]], values[rows["none", "capacity"]])


def test_one_background_for_all_workers(run):
    """Under common jobs who is interrupted later has done more; under jobs of their own some overtake."""
    jobs = "mm1(arrival=8, service=10"
    _, replay = run(background=[f"{jobs}, common=yes)", f"{jobs})"])
    overtaken = 0
    for instance in range(40):
        common, own = ([(worker["interruption"], worker["capacity"]) for worker in replay(c, instance)["workers"]]
                       for c in (0, 1))
        assert [time for time, _ in common] == [time for time, _ in own]  # the same interruptions
        capacities = [capacity for _, capacity in sorted(common)]
        assert capacities == sorted(capacities)
        capacities = [capacity for _, capacity in sorted(own)]
        overtaken += capacities != sorted(capacities)
    assert overtaken > 5


def transient(arrival, service, initial, time, states=200):
    """P(n(t) = k) of the M/M/1 queue by uniformisation: a Poisson number of steps of the embedded chain."""
    rate = arrival + service
    law = numpy.zeros(states)
    law[initial] = 1.0
    weight, total = math.exp(-rate * time), numpy.zeros(states)
    for step in range(1, 2000):
        total += weight * law
        up = numpy.append([0.0], law[:-1]) * (arrival / rate)
        down = numpy.append(law[1:], [0.0]) * (service / rate)
        down[0] += law[0] * (service / rate)  # a service with nobody there changes nothing
        up[-1] += law[-1] * (arrival / rate)
        law = up + down
        weight *= rate * time / step
        if step > rate * time and weight < 1e-16:
            break
    return total


def test_uniformisation_has_the_known_limit():
    law = transient(0.5, 1, 3, 150)
    assert law.sum() == pytest.approx(1, abs=1e-9)
    assert law @ numpy.arange(len(law)) == pytest.approx(1, abs=1e-4)  # rho / (1 - rho)


@pytest.mark.parametrize("arrival, service, initial", [(0.8, 1, 0), (0.8, 1, 5), (2, 1, 0), (6, 5, 1)])
def test_mean_capacity_is_that_of_the_transient_queue(run, tmp_path, arrival, service, initial):
    """Workers interrupted at time d for certain, start-up cost 0 and plenty of work: the omniscient master gets the sum
    of the integrals of 1 / (n + 1) over [0, d]. Hoeffding's bound at a false alarm of 1e-8; capacities in [0, d]."""
    (tmp_path / "one.durations").write_text("3\n3\n")
    d, workers, instances = 3, 20, 2000
    file, _ = run(instances=instances, strategies=["brute"], workers=workers, work=100, chunks=1, startup=0,
                  risk="trace(file=one.durations, normalise=none)",
                  background=f"mm1(arrival={arrival}, service={service}, initial={initial})")
    points, weights = numpy.polynomial.legendre.leggauss(12)
    speeds = [transient(arrival, service, initial, d * (x + 1) / 2) @ (1 / numpy.arange(1, 201)) for x in points]
    exact = d / 2 * (weights @ speeds)

    mean = file["reference"][0].mean() / workers

    bound = d * math.sqrt(math.log(2e8) / (2 * workers * instances))
    assert abs(mean - exact) < bound
    assert abs(d / 2 * (weights @ numpy.ones(12)) - exact) > 3 * bound, "to ignore the jobs must be seen"


def test_knowing_the_law_of_the_jobs_pays(run):
    """Paired over 1500 instances; 6 standard errors (false alarm 1e-9). Many chunks of which none is sent in vain."""
    file, _ = run(instances=1500, strategies=["no-replication"], workers=10, work=4, chunks="auto", startup=0.02,
                  risk="linear", background="mm1(arrival=3, service=4, initial=2)", planned_risk=["same", "capacity"])
    gain = file["ratio"][1, 0] - file["ratio"][0, 0]
    assert gain.mean() > 6 * gain.std(ddof=1) / math.sqrt(len(gain))


@pytest.mark.parametrize("axes, message", [
    ({"background": "mm1(arrival=1, service=1, common=perhaps)"}, "common must be no or yes, not perhaps"),
    ({"background": "mm1(arrival=1, service=1, startup=clock)"}, "startup must be work or wall, not clock"),
    ({"background": "mm1(arrival=1, service=1, departures=half)"}, "departures must be full or shared, not half"),
    ({"background": "mm1(arrival=1, service=1, known=yes)"}, "known"),
    ({"background": "mm1(arrival=1, service=1, startup=wall)", "chunks": 4, "work": 2.9,
      "strategies": ["random-replication"]}, "equal chunks"),
])
def test_messages(run, axes, message):
    done = run(check=False, **axes)
    assert done.returncode == 2
    assert message in done.stderr and "load.toml" in done.stderr
