"""An installed coterie: a user's program built on it, with a strategy, a policy and a risk of its own (scripts/examples/own-program)."""

import json
import math
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import h5py
import pytest

from result_testing import datasets

LOW, HIGH = 0.5, 1.5
RISK = f"uniform(low={LOW}, high={HIGH})"
WORKERS, WORK, CHUNKS, INSTANCES = 3, 1, 12, 4000

CAMPAIGN = f"""
title = "mine"
seed = 20131
instances = {INSTANCES}
strategies = ["staggered", "greedy", "no-replication"]
baseline = "greedy"
[grid]
workers = {WORKERS}
work = {WORK}
chunks = {CHUNKS}
startup = 0.05
risk = "{RISK}"
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Where the build under test is installed."""
    build = Path(os.environ["COTERIE"]).resolve().parent
    if not (build / "cmake_install.cmake").exists() or not shutil.which("cmake"):
        pytest.skip(f"{build} is no build tree, or there is no cmake: nothing to install")
    prefix = tmp_path_factory.mktemp("prefix")
    # The command of the README, in a folder that looks like its root, with a home of its own.
    (prefix / "build").mkdir()
    (prefix / "build" / "release").symlink_to(build)
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text()
    command = re.search(r"^\$ (cmake --install .*)$", readme, flags=re.MULTILINE)[1]
    subprocess.run(["bash", "-c", command], check=True, capture_output=True, timeout=300, cwd=prefix,
                   env=dict(os.environ, HOME=str(prefix)))
    return prefix / ".local"


@pytest.fixture(scope="module")
def mine(prefix, root_of_tests, tmp_path_factory):
    """Runs the user's program, built out of tree from nothing but what is installed."""
    build = tmp_path_factory.mktemp("mine")
    source = root_of_tests / "scripts" / "examples" / "own-program"
    for command in (["cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_FLAGS=-Werror"],
                    ["cmake", "--build", build]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr

    def run(*arguments, code=0, cwd=None):
        done = subprocess.run([build / "my-coterie", *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              cwd=cwd)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    return run


@pytest.fixture(scope="module")
def root_of_tests():
    return Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def result(mine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "mine.toml").write_text(CAMPAIGN)
    mine("run", "mine.toml", "--quiet", cwd=folder)
    return folder / "mine.h5"


def schedule(mine, strategy="staggered"):
    return json.loads(mine("schedule", "--strategy", strategy, "--workers", WORKERS, "--work", WORK, "--chunks", CHUNKS,
                           "--startup", "0.05", "--risk", RISK, "--format", "json"))


def test_nothing_installed_knows_where_it_was_built(prefix, root_of_tests):
    files = [path for path in (prefix / "lib" / "cmake").rglob("*.cmake")]
    assert files
    for path in files:
        assert str(root_of_tests) not in path.read_text(), path
    headers = {path.relative_to(prefix / "include" / "coterie").as_posix()
               for path in (prefix / "include" / "coterie").rglob("*.hpp")}
    ours = {path.relative_to(root_of_tests).as_posix() for room in ("core", "heuristics", "traces", "sim")
            for path in (root_of_tests / room).rglob("*.hpp")}
    assert headers == ours


def test_exact_expected_work_of_ones_own_strategy_under_ones_own_risk(mine):
    answer = schedule(mine)

    lost = defaultdict(lambda: 1.0)
    sizes = {}
    for task in answer["tasks"]:
        lost[task["chunk"]] *= min(max((task["finish"] - LOW) / (HIGH - LOW), 0), 1)
        sizes[task["chunk"]] = task["end"] - task["begin"]
    assert len(sizes) == CHUNKS and len(answer["tasks"]) == WORKERS * CHUNKS
    assert answer["expected_work"] == pytest.approx(sum(sizes[k] * (1 - lost[k]) for k in sizes), rel=1e-12)
    assert [row[0] for row in answer["coteries"][0]["chart"]] == [1, 8, 11]  # 4 groups; row i begins 4 i / 3 further on


def test_a_simulation_agrees_with_it(mine, result):
    replayed = json.loads(mine("replay", result, "--configuration", 0, "--instance", 17, "--format", "json"))
    shown = {row["strategy"]: row for row in json.loads(mine("show", result, "--format", "json"))}

    assert [worker["interruption"] >= LOW and worker["interruption"] <= HIGH for worker in replayed["workers"]] == [True] * 3
    assert shown["staggered"]["expected_work"] == pytest.approx(schedule(mine)["expected_work"], rel=1e-12)
    with h5py.File(result) as file:
        names = [name.decode() for name in file["strategy"]]
        ratio, reference = file["ratio"][0], file["reference"][0]
        assert file.attrs["coterie_version"].endswith(", my-coterie 1")
        for row in replayed["strategies"]:
            assert row["ratio"] == ratio[names.index(row["name"])][17]
    # Work done is in [0, 1]: Hoeffding's inequality, false alarm 1e-9 for each of three strategies.
    tolerance = math.sqrt(math.log(2 / 1e-9) / (2 * INSTANCES))
    for i, name in enumerate(names):
        expected = schedule(mine, name)["expected_work"]
        assert (ratio[i] * reference).mean() == pytest.approx(expected, abs=tolerance), name
        assert 0.3 < expected < 1


def test_ones_own_policy_hands_out_work_by_what_is_heard(mine, tmp_path):
    (tmp_path / "listening.toml").write_text(
        'model = "dispatch"\ninstances = 500\nstrategies = ["no-replication", "tenths"]\n[grid]\nworkers = 4\nwork = 2\n'
        'startup = 0.01\nlatency = 0.01\n')
    mine("run", tmp_path / "listening.toml", "--output", tmp_path / "listening.h5", "--quiet")
    shown = {row["strategy"]: row["mean"] for row in json.loads(mine("show", tmp_path / "listening.h5", "--format", "json"))}
    assert shown["tenths"] > shown["no-replication"] + 0.05
    assert "tenths" in mine("list", "strategies", "--model", "dispatch")
    replay = ("replay", tmp_path / "listening.h5", "--configuration", 0, "--instance", 3, "--strategy", "tenths")
    (told,) = json.loads(mine(*replay, "--format", "json"))["strategies"]
    with h5py.File(tmp_path / "listening.h5") as file:
        assert [told[name] for name in ("ratio", "machine_time", "wasted")] == \
            [file[name][0, 1, 3] for name in ("ratio", "machine_time", "wasted")]
    assert {"is given", "begins", "heard complete"} <= {event["event"] for event in told["log"]}
    assert "tenths: ratio " in mine(*replay, "--format", "svg")
    mine("run", tmp_path / "listening.toml", "--output", tmp_path / "less.h5", "--instances", 100, "--quiet")
    mine("run", tmp_path / "listening.toml", "--output", tmp_path / "less.h5", "--resume", "--quiet")
    assert datasets(tmp_path / "less.h5") == datasets(tmp_path / "listening.h5")


def test_a_program_runs_a_campaign_and_goes_on_with_its_result(mine, result, tmp_path):
    campaign = result.parent / "mine.toml"
    printed = dict(line.split() for line in mine("ratios", campaign, tmp_path / "own.h5").splitlines())

    assert datasets(tmp_path / "own.h5") == datasets(result)
    with h5py.File(result) as file:
        assert printed == {name.decode(): f"{mean:.6g}" for name, mean in zip(file["strategy"], file["mean"][0])}
    assert mine("status", tmp_path / "own.h5").startswith(f"{tmp_path / 'own.h5'}: complete")
    mine("report", tmp_path / "own.h5", "--output", tmp_path / "own.html")
    written = (tmp_path / "own.h5").stat().st_mtime_ns
    mine("ratios", campaign, tmp_path / "own.h5")
    assert (tmp_path / "own.h5").stat().st_mtime_ns == written, "what is complete is not run again"
    assert "is the input" in mine("ratios", campaign, campaign, code=1)
    assert "cannot be opened" in mine("ratios", tmp_path / "none.toml", tmp_path / "own.h5", code=1)


def test_all_verbs_know_ones_own_names(mine, result, tmp_path):
    listed = {(row["name"], row["model"]): row for row in json.loads(mine("list", "strategies", "--format", "json"))}
    assert listed["staggered", "worksharing"]["source"] == listed["tenths", "dispatch"]["source"] == "mine"
    assert ("staggered", "dispatch") in listed and ("skip(staggered)", "dispatch") in listed
    laws = {row["name"]: row for row in json.loads(mine("list", "risks", "--format", "json"))}
    assert [parameter["name"] for parameter in laws["uniform"]["parameters"]] == ["low", "high"]
    assert mine("--version").startswith("my-coterie 1, made with\ncoterie ")
    assert mine("--help").startswith("my-coterie shares") and "Usage: my-coterie run" in mine("run", "--help")
    assert "staggered" in mine("completion", "answer", "bash", "schedule", "--strategy", "")
    assert "complete -F _my_coterie my-coterie" in mine("completion", "bash")
    assert '.TH MY\\-COTERIE\\-RUN' in mine("manual", "run")
    assert mine("validate", result.parent / "mine.toml")
    assert mine("status", result).startswith(f"{result}: complete")
    mine("run", result, "--output", tmp_path / "again.h5", "--quiet")
    mine("run", result.parent / "mine.toml", "--output", tmp_path / "more.h5", "--instances", 10, "--quiet")
    mine("run", result.parent / "mine.toml", "--output", tmp_path / "more.h5", "--instances", 20, "--resume", "--quiet")
    page = tmp_path / "mine.html"
    mine("report", result, "--output", page)
    assert "staggered: workers = 3" in page.read_text()
    plan = json.loads(mine("plan", "--risk", RISK, "--workers", 3, "--work", 1, "--checkpoint", 0.05, "--chunks", 12,
                           "--strategy", "staggered", "--instances", 100, "--format", "json"))
    assert "staggered" in json.dumps(plan)
    problem = tmp_path / "one.toml"
    problem.write_text(f'problem = "one-worker"\nwork = 1\nchunks = 3\nrisk = "{RISK}"\n')
    assert json.loads(mine("solve", problem, "--format", "json"))["expected_work"] > 0.5


def test_coterie_itself_does_not_know_them(coterie, result):
    refused = coterie("replay", result, "--configuration", 0, "--instance", 0, check=False)
    assert refused.returncode == 2 and "staggered" in refused.stderr


def test_wrong_values_are_told_at_their_place(mine, result):
    campaign = result.parent / "wrong.toml"
    campaign.write_text(CAMPAIGN.replace(f"low={LOW}", "low=2"))
    message = mine("validate", campaign, code=2)
    assert message.startswith(f"{campaign}:12:") and "high must be greater than low" in message
    assert "unknown risk \"unifrm\" (did you mean \"uniform\"?)" in mine(
        "schedule", "--strategy", "staggered", "--workers", 2, "--work", 1, "--risk", "unifrm", code=2)


def test_what_is_installed_runs_from_there(prefix, tmp_path):
    program = prefix / "bin" / "coterie"
    campaign = prefix / "share" / "coterie" / "scripts" / "campaigns" / "traces.toml"
    subprocess.run([program, "validate", campaign], check=True, capture_output=True)  # finds its traces
    environment = dict(os.environ, COTERIE=str(program), PYTHONPATH=str(prefix / "lib" / "python3" / "dist-packages"))
    done = subprocess.run(["/usr/bin/python3", "-c", "import coterie; print(coterie.__file__, coterie.find_program())"],
                          env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == [f"{prefix}/lib/python3/dist-packages/coterie/__init__.py", str(program)]
    assert (prefix / "share" / "man" / "man1" / "coterie-run.1").stat().st_size > 1000
    assert "complete -F _coterie coterie" in (
        prefix / "share" / "bash-completion" / "completions" / "coterie").read_text()
    assert "complete -c coterie " in (prefix / "share" / "fish" / "vendor_completions.d" / "coterie.fish").read_text()
    assert (prefix / "share" / "zsh" / "site-functions" / "_coterie").read_text().startswith("#compdef coterie\n")


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh here: scripts/setup --full installs it")
def test_zsh_finds_its_completion_where_it_is_installed(prefix):
    code = f"fpath=({prefix}/share/zsh/site-functions $fpath); autoload -Uz compinit && compinit -u -D; print $_comps[coterie]"
    assert subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, check=True).stdout == "_coterie\n"
