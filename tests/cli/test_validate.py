"""`coterie validate` and what a run tells before it begins: refusals of strategies, size and time."""
import re

import pytest

HEAD = "seed = 1\ninstances = {instances}\n{model}strategies = [{strategies}]\n[grid]\n{grid}\n"
DURATION = r"\S+ (us|ms|s|min|h|d) of computing with \d+ threads? \(measured on \d+ of \d+ configurations\)"


def write(folder, strategies, grid, model="", instances=10):
    path = folder / "c.toml"
    path.write_text(HEAD.format(instances=instances, strategies=strategies, grid=grid,
                                model=f'model = "{model}"\n' if model else ""))
    return path


WORK = "work = 1\nchunks = 4\nstartup = 0"


@pytest.mark.parametrize("model, strategies, good, bad, message", [
    ("", '"two-workers"', f"workers = 2\n{WORK}", f"workers = [2, 3]\n{WORK}", "exactly 2 workers, not 3"),
    ("", '"two-workers"', f"workers = 2\n{WORK}", "workers = 2\nwork = 1\nstartup = 0", "start-up cost"),
    ("heterogeneous", '"printed-theorem-4"', "workers = 3\nwork = 1",
     'workers = 3\nwork = 1\nspeed = "uniform(low=1, high=2)"', "printed-theorem-4"),
    ("return-messages", '"best-pair"', "workers = 3", "workers = [3, 500]", "best-pair"),
    ("return-messages", '"best-expected"', 'workers = 3\nmetric = "expected"\nrisk = "exponential(rate=1)"', "workers = 3",
     "best-expected"),
    ("now", '"random-orders"', "workers = 3\nlifespan = 10", "workers = 5000\nlifespan = 10", "random-orders"),
    ("now", '"lifo"', "workers = 3\nlifespan = 10", "workers = 3\nlifespan = 1e-9", "long enough"),
    ("background", '"before-correction"', "processors = 3\ntrials = 10",
     'processors = 3\ntrials = 10\njobs = "mm1(arrival=2, service=1)"', "equilibrium"),
])
def test_strategies_that_are_not_for_a_configuration_are_refused_at_once(coterie, tmp_path, model, strategies, good, bad,
                                                                         message):
    coterie("validate", write(tmp_path, strategies, good, model), "--format", "json")
    path = write(tmp_path, strategies, bad, model)
    for verb in (["validate", path, "--format", "json"], ["run", path, "--output", tmp_path / "out.h5"]):
        refused = coterie(*verb, check=False)
        assert refused.returncode == 2 and message in refused.stderr and "c.toml:" in refused.stderr, refused
    assert not list(tmp_path.glob("out.h5*"))


def test_size_and_time_are_told_before_a_run(coterie, tmp_path):
    path = write(tmp_path, '"greedy", "brute"', 'workers = "1..30"\nwork = 1\nchunks = 4\nstartup = 0.1', instances=300)
    told = coterie("validate", path).stdout
    assert "9000 instances, 0.216 MB of results" in told
    assert re.search(r"^time +about " + DURATION, told, re.MULTILINE), told
    run = coterie("run", path, "--output", tmp_path / "out.h5")
    assert re.search("^about " + DURATION, run.stderr, re.MULTILINE), run.stderr
    again = coterie("run", path, "--output", tmp_path / "out.h5", "--force", "--quiet")
    assert again.stderr == ""
    few = coterie("run", path, "--output", tmp_path / "few.h5", "--set", "workers=3")
    assert "measured" not in few.stderr, "not worth a second"
    precise = coterie("validate", path, "--precision", "0.1").stdout
    assert re.search("^time +at most about .* thread.?, and deciding on one of them when to stop", precise, re.MULTILINE)


def test_the_size_of_all_measurements_is_told(coterie, tmp_path):
    """Of the model dispatch: the reference; ratio, makespan, machine time and wasted time of each strategy."""
    path = write(tmp_path, '"central"', "workers = 5\nwork = 2\nchunks = 20\nstartup = 0.01", "dispatch", 1000)
    assert "1000 instances, 0.04 MB of results" in coterie("validate", path).stdout
