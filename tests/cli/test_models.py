"""coterie run, show, validate and replay for every model but worksharing, and the campaigns that come with coterie."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent

MODELS = {
    "dispatch": ('["skip(greedy)", "help", "central"]', "workers = [2, 3]\nwork = 1\nstartup = 0.1\nlatency = 0.05"),
    "heterogeneous": ('["optimal", "equal-shares"]', 'workers = [2, 3]\nwork = 1\nspeed = "uniform(low=0.5, high=2)"'),
    "return-messages": ('["opt-lifo", "fifo-inc-c"]', "workers = [3, 4]\nz = 0.8"),
    "background": ('["no-background", "iterative"]', "processors = [3, 4]\ntrials = 20"),
    "now": ('["lifo", "random-orders"]', 'workers = [3, 4]\nrates = "halving"\nlifespan = 60'),
    "restart": ('["optimal", "periodic(interval=2)"]',
                'work = [9, 10]\ncheckpoint = 0.2\nrestart = 0.1\nrisk = "weibull(shape=0.7, scale=4)"\ndown = "exponential(rate=1)"'),
}


@pytest.fixture
def write(tmp_path):
    def run(model, extra=""):
        strategies, grid = MODELS[model]
        path = tmp_path / "campaign.toml"
        head = f'model = "{model}"\nseed = 1\ninstances = 300\nstrategies = {strategies}\n'
        path.write_text(f"{head}[grid]\n{grid}\n{extra}")
        return path

    return run


@pytest.mark.parametrize("model", MODELS)
def test_run_show_and_replay(coterie, write, tmp_path, model):
    campaign = write(model)
    result = tmp_path / "result.h5"
    coterie("run", campaign, "--output", result, "--threads", 2, "--quiet")

    shown = coterie("show", result, "--format", "json").stdout
    assert json.loads(shown)
    replay = json.loads(coterie("replay", result, "--configuration", 1, "--instance", 299, "--format", "json").stdout)
    assert [row["name"] for row in replay["strategies"]] == json.loads(MODELS[model][0])
    assert replay["reference"] > 0
    assert coterie("replay", result, "--configuration", 0, "--instance", 0).stdout.startswith("configuration")


@pytest.mark.parametrize("model", MODELS)
def test_unknown_axes_and_strategies_are_refused(coterie, write, model):
    done = coterie("validate", write(model, "wrokers = 3\n"), check=False)
    assert done.returncode == 2
    assert 'unknown key "wrokers" in [grid]' in done.stderr

    done = coterie("validate", write(model), "--set", 'strategies=["nobody"]', check=False)
    assert done.returncode == 2


def test_networks_whose_messages_do_not_fit_are_refused(coterie, write):
    grains = "grain = 0.001\npipelined = \"yes\"\n"
    done = coterie("validate", write("now", grains), "--set", 'rates="equal"', "--set", "workers=[200, 1000]", "--set",
                   "lifespan=1000000", check=False)
    assert done.returncode == 2
    assert "so few that FIFO's messages, which would fill 1.091 times the lifespan, fit one at a time" in done.stderr
    coterie("validate", write("now", grains), "--set", 'rates="equal"', "--set", "workers=200", "--set", "lifespan=1000000")


def test_messages_say_where(coterie, write):
    done = coterie("validate", write("heterogeneous", 'kappa = "uniform(low=2, high=1)"\n'), check=False)
    assert done.returncode == 2
    assert "campaign.toml:9:1: uniform: must have 0 < low <= high" in done.stderr


def test_laws_are_listed(coterie):
    def names(kind):
        return [law["name"] for law in json.loads(coterie("list", kind, "--format", "json").stdout)]

    assert names("platform-laws") == ["constant", "uniform", "log-uniform"]
    assert names("job-laws") == ["mm1", "pairs"]


def test_the_crossover_table_misses_six_cells(coterie):
    script = ROOT / "scripts" / "figures" / "now_crossover.py"
    full = os.environ.get("COTERIE_FULL") == "1"
    columns = [8, 32, 128] if full else [8, 32]  # 128 workers take half a minute, and none of the six is theirs
    done = subprocess.run([sys.executable, script, "--coterie", os.environ["COTERIE"], "--workers", *map(str, columns)],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert f"\n{24 * len(columns)} cells, 6 not reproduced (*: " in done.stdout
    assert done.stdout.count(" *\n") == 6
    assert re.search(r"31\.8 years +1\.808 years +17\.5879  \*", done.stdout)
    assert re.search(r"2\.15 days +2\.114 days +1\.0169 *\n", done.stdout)  # in the unit of the printed cell
    assert "100 %, " in done.stderr
