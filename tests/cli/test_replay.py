"""`coterie replay`: one instance alone, equal to what the file holds to the last bit."""
import json
import shutil

import h5py
import pytest

CAMPAIGN = """\
seed = 3
instances = 400
strategies = ["greedy", "cyclic-replication", "random-replication", "brute"]
[grid]
workers = [2, 6]
work = ["0.5 workers"]
chunks = [5, "auto"]
startup = 0.05
risk = ["linear", "exponential(rate=2)"]
background = ["none", "mm1(arrival=1, service=2, initial=1)"]
"""
NAMES = ["greedy", "cyclic-replication", "random-replication", "brute"]


@pytest.fixture
def result(coterie, tmp_path):
    path = tmp_path / "replayed.toml"
    path.write_text(CAMPAIGN)
    coterie("run", path, "--output", tmp_path / "replayed.h5", "--quiet")
    return tmp_path / "replayed.h5"


def replay(coterie, result, configuration, instance, *options):
    return json.loads(coterie("replay", result, "--configuration", configuration, "--instance", instance, *options,
                              "--format", "json").stdout)


def test_the_table_has_numbers_of_any_size(coterie, tmp_path):
    (tmp_path / "c.toml").write_text('''strategies = ["greedy"]
instances = 20
[grid]
workers = 2
work = 1
chunks = 5
startup = 0
risk = ["exponential(rate=1e-9)", "exponential(rate=1e6)"]
''')
    coterie("run", tmp_path / "c.toml", "--output", tmp_path / "c.h5", "--quiet")
    for configuration in (0, 1):
        rows = coterie("replay", tmp_path / "c.h5", "--configuration", configuration, "--instance", 0).stdout.split("capacity\n")[1]
        told = [list(map(float, line.split()[1:3])) for line in rows.splitlines()[:2]]
        exact = [list(worker.values()) for worker in replay(coterie, tmp_path / "c.h5", configuration, 0)["workers"]]
        assert told == [pytest.approx(row, rel=1e-7) for row in exact]


def test_json_is_as_documented_and_equals_the_file(coterie, result):
    with h5py.File(result) as file:
        ratio, reference = file["ratio"][...], file["reference"][...]
        workers, background = file["workers"][...], file["background"].asstr()[...]
    for configuration in range(16):
        for instance in (0, 249, 250, 399):
            answer = replay(coterie, result, configuration, instance)
            assert list(answer) == ["configuration", "instance", "reference", "workers", "strategies"]
            assert answer["instance"] == instance
            assert answer["configuration"]["workers"] == workers[configuration]
            assert answer["reference"] == reference[configuration, instance]
            assert len(answer["workers"]) == workers[configuration]
            capacities = []
            for worker in answer["workers"]:
                assert list(worker) == ["interruption", "capacity"]
                assert worker["capacity"] <= worker["interruption"]
                if background[configuration] == "none":
                    assert worker["capacity"] == worker["interruption"]
                capacities.append(worker["capacity"])
            work = answer["configuration"]["work"]
            assert answer["reference"] == pytest.approx(min(work, sum(max(0, c - 0.05) for c in capacities)), rel=1e-14)
            assert [row["name"] for row in answer["strategies"]] == NAMES
            for s, row in enumerate(answer["strategies"]):
                assert list(row) == ["name", "work", "ratio", "tasks_done"]
                assert row["ratio"] == ratio[configuration, s, instance]
                assert len(row["tasks_done"]) == workers[configuration]
                if answer["reference"] > 0:
                    assert row["ratio"] == min(1, row["work"] / answer["reference"])


def test_tasks_done_follow_from_schedule_and_capacities(coterie, result):
    """The published schedule and the replayed capacities give the work again, piece by piece."""
    with h5py.File(result) as file:
        axes = {name: file[name][...] for name in ("workers", "work", "startup")}
        texts = {name: file[name].asstr()[...] for name in ("risk", "chunks_requested")}
    for configuration in range(16):
        schedules = {}
        for name in ("greedy", "cyclic-replication", "brute"):
            schedules[name] = json.loads(coterie(
                "schedule", "--strategy", name, "--workers", int(axes["workers"][configuration]), "--work",
                axes["work"][configuration], "--startup", axes["startup"][configuration], "--risk",
                texts["risk"][configuration], "--chunks", texts["chunks_requested"][configuration], "--format",
                "json").stdout)["tasks"]
        for instance in range(0, 400, 57):
            answer = replay(coterie, result, configuration, instance)
            for row in answer["strategies"]:
                if row["name"] not in schedules:
                    continue
                done = [0] * len(answer["workers"])
                pieces = {}
                for task in schedules[row["name"]]:
                    if task["finish"] <= answer["workers"][task["worker"]]["capacity"]:
                        done[task["worker"]] += 1
                        pieces[task["chunk"]] = task["end"] - task["begin"]
                assert row["tasks_done"] == done
                assert row["work"] == pytest.approx(sum(pieces.values()), rel=1e-12, abs=1e-14)


def test_one_strategy_alone(coterie, result):
    answer = replay(coterie, result, 3, 7, "--strategy", "brute")
    assert [row["name"] for row in answer["strategies"]] == ["brute"]
    assert answer["strategies"][0] == replay(coterie, result, 3, 7)["strategies"][3]


def test_table_tells_the_same(coterie, result):
    text = coterie("replay", result, "--configuration", 1, "--instance", 2).stdout
    answer = replay(coterie, result, 1, 2)
    for row in answer["strategies"]:
        assert f"{row['name']}: ratio " in text
    assert "instance       2" in text


def test_overrides_of_the_run_are_remembered(coterie, tmp_path, result):
    other = tmp_path / "other.h5"
    coterie("run", tmp_path / "replayed.toml", "--output", other, "--quiet", "--seed", 99, "--instances", 30, "--set",
            "workers=[3]", "--set", "risk=weibull(shape=0.5)")
    with h5py.File(other) as file:
        ratio = file["ratio"][...]
    assert [row["ratio"] for row in replay(coterie, other, 2, 29)["strategies"]] == ratio[2, :, 29].tolist()


@pytest.mark.parametrize("options,message", [
    (["--configuration", "16", "--instance", "0"], "--configuration must be below 16"),
    (["--configuration", "0", "--instance", "400"], "--instance must be below 400"),
    (["--configuration", "-1", "--instance", "0"], "--configuration must be a whole number of at least 0"),
    (["--configuration", "x", "--instance", "0"], "--configuration must be a whole number"),
    (["--configuration", "0", "--instance", "0", "--strategy", "snake"], "the result has only"),
    (["--instance", "0"], "--configuration"),
    (["--configuration", "0", "--instance", "0", "--format", "csv"], "--format must be"),
])
def test_wrong_usage_is_code_2(coterie, result, options, message):
    answer = coterie("replay", result, *options, check=False)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert answer.stdout == ""


def test_a_changed_file_is_found_out(coterie, root, tmp_path):
    result = tmp_path / "changed.h5"
    shutil.copy(root / "tests" / "data" / "result.h5", result)
    with h5py.File(result, "a") as file:
        file["ratio"][0, 0, 0] = 0.123
    answer = coterie("replay", result, "--configuration", 0, "--instance", 0, check=False)
    assert answer.returncode == 1
    assert "0.123" in answer.stderr


def test_a_changed_trace_is_found_out(coterie, tmp_path):
    (tmp_path / "t.durations").write_text("1\n2\n3\n")
    path = tmp_path / "traced.toml"
    path.write_text('instances = 5\nstrategies = ["brute"]\n[grid]\nworkers = 2\nwork = 1\nstartup = 0.1\n'
                    'risk = "trace(file=t.durations, format=durations)"\n')
    coterie("run", path, "--output", tmp_path / "t.h5", "--quiet")
    arguments = ("replay", tmp_path / "t.h5", "--configuration", 0, "--instance", 0)
    coterie(*arguments, cwd="/")
    (tmp_path / "t.durations").write_text("1\n2\n4\n")
    answer = coterie(*arguments, check=False)
    assert answer.returncode == 1
    assert "an input file changed" in answer.stderr
