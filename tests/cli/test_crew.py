"""Axes task, tries, restart, warning and speeds of the model dispatch, and zones whose workers come back."""
import math

import h5py
import numpy
import pytest

SURE = 'risk = "exponential(rate=1e-12)"\n'


def run(coterie, folder, axes, strategies='"central"', instances=10, check=True):
    campaign = folder / "c.toml"
    campaign.write_text(f'model = "dispatch"\nseed = 5\ninstances = {instances}\nstrategies = [{strategies}]\n'
                        f"[grid]\n{axes}")
    answer = coterie("run", campaign, "--output", folder / "c.h5", "--quiet", "--force", check=check)
    if check:
        return h5py.File(folder / "c.h5")
    assert answer.returncode == 2
    return answer.stderr


# False alarm 2e-9 for each strategy if the mean of 20,000 is nearly normal.
def test_one_task_with_immediate_returns_takes_the_known_time(coterie, tmp_path):
    axes = ('workers = 1\nwork = 1.5\ntask = 1.5\nchunks = 1\nstartup = 0\nrisk = "exponential(rate=2)"\n'
            'horizon = 400\navailability = "renewal(down=exponential(rate=1e12))"\n')
    with run(coterie, tmp_path, axes, '"central", "no-replication", "skip(greedy)"', 20000) as file:
        for makespan in file["makespan"][0]:
            error = makespan.std() / math.sqrt(len(makespan))
            assert abs(makespan.mean() - math.expm1(3) / 2) < 6 * error
        assert file["ratio"][:].max() <= 1


@pytest.mark.parametrize("axes,makespan", [
    ('workers = 3\nwork = 8\ntask = 1\nspeeds = "1 2"\nstartup = 0\nchunks = 1\n', 2),  # speeds 1, 2, 1
    ('workers = 1\nwork = 1\nrestart = 0.5\nstartup = 0.1\nchunks = 2\n', 1.7),
    ('workers = 1\nwork = 1\nspeeds = "4"\nstartup = 0.1\nchunks = 2\n', 0.45),
    ('workers = 1\nwork = 2.5\ntask = 1\nspeeds = "2"\nstartup = 0.1\nchunks = 1\n', 1.55),  # tasks of 1, 1, 0.5
])
def test_workers_that_nothing_interrupts(coterie, tmp_path, axes, makespan):
    with run(coterie, tmp_path, SURE + axes, '"central"' if "workers = 3" in axes else '"no-replication"') as file:
        assert file["makespan"][:] == pytest.approx(makespan, abs=1e-9)
        assert file["ratio"][:] == pytest.approx(1)


def test_a_warning_saves_what_is_done_and_tries_give_up(coterie, tmp_path):
    # Lives of 1, chunks of 1 + 0.25: the first life saves 0.75 of one, the second one the rest and 0.25 of the next one.
    (tmp_path / "one.durations").write_text("1\n1\n")
    lives = 'risk = "trace(file=one.durations, normalise=none)"\nworkers = 1\nhorizon = 50\n' \
            'availability = "renewal(down=exponential(rate=1e9))"\n'
    with run(coterie, tmp_path, lives + "work = 2\nchunks = 1\nstartup = 0.25\nwarning = [0.2, 0.25]\n",
             '"no-replication"') as file:
        late, saved = file["makespan"][:, 0]
        assert numpy.isinf(late).all()
        assert saved == pytest.approx(3, abs=1e-6)
    with run(coterie, tmp_path, lives + "work = 2\ntask = 1.5\nchunks = 1\nstartup = 0.25\ntries = [0, 3]\n") as file:
        assert (file["ratio"][:] * file["reference"][:][:, None] == pytest.approx(0.5))  # the last task is shorter
        spent = file["machine_time"][:, 0]
        assert spent[0] == pytest.approx(50, abs=1e-3)
        assert spent[1] == pytest.approx(3, abs=1e-3)  # the first task is lost in each of three lives


# Each worker keeps its law: the lists of workers that share nothing complete as much as without zones. False alarm
# 2e-9 for each comparison if the mean of 4000 is nearly normal.
def test_zones_whose_workers_come_back_leave_each_law(coterie, tmp_path):
    axes = ('workers = 6\nwork = 12\nchunks = 2\nstartup = 0.05\nrisk = "weibull(shape=0.7, scale=1)"\nhorizon = 3\n'
            'availability = "renewal(down=exponential(rate=2))"\nzones = 2\ncommon = [0, 0.5, 1]\n')
    with run(coterie, tmp_path, axes, '"no-replication"', 4000) as file:
        work = file["ratio"][:, 0] * file["reference"][:]
        for zoned in work[1:]:
            error = math.hypot(zoned.std(), work[0].std()) / math.sqrt(4000)
            assert abs(zoned.mean() - work[0].mean()) < 6 * error
            assert zoned.std() > 1.15 * work[0].std()  # they go together


@pytest.mark.parametrize("axes,strategies,message", [
    ("tries = 2\n", '"central"', "tries must be 0 without a task"),
    ("task = -1\n", '"central"', "task must be"),
    ('speeds = "0 1"\n', '"central"', "speeds must be numbers above 0"),
    ('speeds = "1, 2"\n', '"central"', "speeds must be numbers above 0"),
    ("task = 1\n", '"adaptive"', "task must be 0 for adaptive"),
    ("restart = 1\n", '"random-replication"', "availability must be once for random-replication"),
])
def test_what_is_refused(coterie, tmp_path, axes, strategies, message):
    assert message in run(coterie, tmp_path, "workers = 2\nwork = 2\nstartup = 0.05\n" + axes, strategies, check=False)
