"""The model dispatch: what is measured beside the ratio, the log of an instance, and the same bytes however it is run."""
import json
from xml.etree import ElementTree

import h5py
import numpy
import pytest
from result_testing import datasets

CAMPAIGN = """\
model = "dispatch"
seed = 7
instances = 600
strategies = ["greedy", "skip(greedy)", "help", "central", "random-replication"]
[grid]
workers = [2, 6]
work = "0.4 workers"
startup = 0.05
latency = [0, 0.1, inf]
"""
NAMES = ["greedy", "skip(greedy)", "help", "central", "random-replication"]
MEASURES = ["makespan", "machine_time", "wasted"]


@pytest.fixture
def campaign(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(CAMPAIGN)
    return path


def run(coterie, campaign, name, *options):
    result = campaign.with_name(name)
    coterie("run", campaign, "--output", result, "--quiet", *options)
    return result


def test_the_same_bytes_for_any_number_of_threads_and_shards(coterie, campaign, tmp_path):
    one = datasets(run(coterie, campaign, "one.h5", "--threads", 1))
    assert set(MEASURES) <= set(one)
    assert datasets(run(coterie, campaign, "three.h5", "--threads", 3)) == one
    shards = [run(coterie, campaign, f"shard{i}.h5", "--shard", f"{i}/2") for i in (1, 2)]
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == one


def test_a_result_is_extended(coterie, campaign, tmp_path):
    whole = datasets(run(coterie, campaign, "whole.h5"))
    run(coterie, campaign, "part.h5", "--instances", 250)
    coterie("run", campaign, "--output", tmp_path / "part.h5", "--resume", "--quiet")
    assert datasets(tmp_path / "part.h5") == whole


def test_a_result_is_extended_by_strategies_and_configurations(coterie, campaign, tmp_path):
    whole = datasets(run(coterie, campaign, "whole.h5"))
    (tmp_path / "less.toml").write_text(CAMPAIGN.replace('"skip(greedy)", ', "").replace("[2, 6]", "[6]"))
    run(coterie, tmp_path / "less.toml", "part.h5")
    coterie("run", campaign, "--output", tmp_path / "part.h5", "--resume", "--quiet")
    assert datasets(tmp_path / "part.h5") == whole


def test_latencies_share_instances_with_one_another_and_with_worksharing(coterie, campaign, tmp_path):
    result = run(coterie, campaign, "dispatch.h5")
    text = CAMPAIGN.replace('"dispatch"', '"worksharing"').replace('"skip(greedy)", "help", "central", ', "")
    (tmp_path / "w.toml").write_text(text.replace("latency = [0, 0.1, inf]\n", ""))
    plain = run(coterie, tmp_path / "w.toml", "w.h5")
    with h5py.File(result) as heard, h5py.File(plain) as unheard:
        for c in range(6):
            assert (heard["reference"][c] == unheard["reference"][c // 3]).all()
            assert (heard["ratio"][c, [0, 4]] == unheard["ratio"][c // 3]).all()
            assert heard["latency"][c] == [0, 0.1, numpy.inf][c % 3]
        assert (heard["ratio"][2::3, 1] == heard["ratio"][2::3, 0]).all(), "nothing is heard"
        assert (heard["ratio"][:, 1].mean(axis=1) >= heard["ratio"][:, 0].mean(axis=1)).all()


def test_measures_fit_the_ratio(coterie, campaign):
    with h5py.File(run(coterie, campaign, "c.h5")) as file:
        ratio, reference = file["ratio"][...], file["reference"][...][:, None, :]
        work = file["work"][...][:, None, None]
        makespan, machine_time, wasted = (file[name][...] for name in MEASURES)
        known = [i for i, name in enumerate(NAMES) if name != "random-replication"]
        assert numpy.isnan(makespan[:, -1]).all(), "its orders are drawn anew"
        completed = (ratio * reference)[:, known]
        assert (numpy.isfinite(makespan[:, known]) == (completed >= work - 1e-9)).all()
        useful = machine_time[:, known] - wasted[:, known]
        assert (useful >= completed - 1e-9).all() and (wasted[:, known] >= 0).all()
        assert file["makespan"].attrs["long_name"] == "time when all work was completed; inf: never"
        assert file["wasted"].attrs["units"] == "work"


def test_replay_tells_who_ran_what_and_what_was_heard(coterie, campaign):
    result = run(coterie, campaign, "c.h5")
    call = ("replay", result, "--configuration", 4, "--instance", 5)
    answer = json.loads(coterie(*call, "--format", "json").stdout)
    with h5py.File(result) as file:
        for s, row in enumerate(answer["strategies"][:4]):
            assert row["name"] == NAMES[s] and row["ratio"] == file["ratio"][4, s, 5]
            assert [row[name] for name in ("machine_time", "wasted")] == [file[name][4, s, 5] for name in MEASURES[1:]]
            times = [event["time"] for event in row["log"]]
            assert times == sorted(times)
            ends = [event["worker"] for event in row["log"] if event["event"] == "ends"]
            assert [ends.count(worker) for worker in range(6)] == row["tasks_done"]
    events = {event["event"] for row in answer["strategies"][1:4] for event in row["log"]}
    assert {"is given", "begins", "ends", "heard complete"} <= events
    shown = coterie(*call, "--strategy", "central").stdout
    assert "is given chunk 0, " in shown and "begins chunk 0, " in shown and "heard complete chunk " in shown and "greedy" not in shown


def test_the_log_accounts_for_all_machine_time(coterie, campaign):
    result = run(coterie, campaign, "c.h5", "--instances", 40)
    for configuration, instance in ((0, 3), (1, 7), (3, 30), (4, 5), (5, 12)):
        answer = json.loads(coterie("replay", result, "--configuration", configuration, "--instance", instance,
                                    "--format", "json").stdout)
        lives = [worker["interruption"] for worker in answer["workers"]]
        for row in answer["strategies"][:4]:
            begun, spent, useful = {}, 0, 0
            for event in row["log"]:
                worker = event["worker"]
                assert event["event"].startswith("heard") or event["event"] == "is given" \
                    or event["time"] <= lives[worker] * (1 + 1e-9), "the dead do nothing"
                if event["event"] == "begins":
                    assert worker not in begun
                    begun[worker] = event["time"]
                elif event["event"] in ("ends", "drops", "is interrupted") and worker in begun:
                    spent += event["time"] - begun.pop(worker)
                    useful += event.get("new_work", 0)
            assert not begun, "what begins comes to an end"
            assert spent == pytest.approx(row["machine_time"], abs=1e-9)
            assert useful == pytest.approx(row["work"], abs=1e-9)


def test_replay_draws_one_strategy(coterie, campaign):
    result = run(coterie, campaign, "c.h5", "--instances", 2)
    call = ("replay", result, "--configuration", 4, "--instance", 1, "--format", "svg")
    picture = coterie(*call, "--strategy", "central").stdout
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg") and "central: ratio " in picture
    log = json.loads(coterie(*call[:-1], "json", "--strategy", "central").stdout)["strategies"][0]["log"]
    drawn = sum(event["event"] == "begins" for event in log)
    assert drawn > 0 and picture.count("<title>worker") == drawn
    refused = coterie(*call, check=False)
    assert refused.returncode == 2 and "say which by --strategy" in refused.stderr
    refused = coterie(*call, "--strategy", "random-replication", check=False)
    assert refused.returncode == 2 and "no log of random-replication" in refused.stderr


def test_an_infinite_latency_is_told_as_it_is_written(coterie, campaign):
    result = run(coterie, campaign, "c.h5", "--instances", 2)
    call = ("replay", result, "--configuration", 2, "--instance", 1)
    assert json.loads(coterie(*call, "--format", "json").stdout)["configuration"]["notice"] == "inf"
    assert "  latency      inf\n" in coterie(*call).stdout
    shown = json.loads(coterie("show", result, "--by", "latency", "--format", "json").stdout)
    assert {row["latency"] for row in shown} == {0, 0.1, "inf"}


def test_errors_of_averages_know_that_latencies_share_instances(coterie, campaign):
    result = run(coterie, campaign, "c.h5")
    single = json.loads(coterie("show", result, "--by", "workers", "--by", "latency", "--format", "json").stdout)
    (together,) = [row for row in json.loads(coterie("show", result, "--format", "json").stdout)
                   if row["strategy"] == "greedy"]
    errors = [row["standard_error"] for row in single if row["strategy"] == "greedy"]
    assert len(errors) == 6 and together["standard_error"] == pytest.approx(sum(errors) / 6, rel=1e-9)
