"""What no static schedule can exceed, wherever a schedule is shown."""
import json
import re

import h5py
import numpy
import pytest

CAMPAIGN = """
title = "ceilings"
seed = 5
instances = 20
strategies = ["greedy", "best", "no-replication", "random-replication"]
baseline = "greedy"
[grid]
workers = [3, 8]
work = [1, 4]
startup = 0.05
risk = ["linear", "weibull(shape=0.6, scale=1)", "mix(2 : linear, 1 : exponential(rate=1))"]
"""


@pytest.fixture
def result(coterie, tmp_path):
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    return tmp_path / "c.h5"


STRATEGIES = ["greedy", "refined", "best", "brute", "no-replication", "cyclic-replication", "random-replication",
              "single-optimal", "snake"]


@pytest.mark.parametrize("risk", ["linear", "exponential(rate=2)", "mix(2 : linear, 1 : weibull(shape=0.5))"])
def test_no_strategy_exceeds_the_ceiling_that_is_shown_beside_it(coterie, risk):
    words = ["--workers", 5, "--work", 2, "--startup", 0.05, "--risk", risk]
    found = set()
    for strategy in STRATEGIES:
        answer = json.loads(coterie("schedule", "--strategy", strategy, *words, "--format", "json").stdout)
        assert answer["expected_work"] <= answer["static_ceiling"] <= 2
        found.add(answer["static_ceiling"])
        text = coterie("schedule", "--strategy", strategy, *words).stdout
        shown, within = re.search(r"no static schedule can expect more than (\S+); this one is at most (\S+) % below that\n",
                                  text).groups()
        assert answer["static_ceiling"] <= float(shown) <= answer["static_ceiling"] * (1 + 1e-9)
        gap = 100 * (1 - answer["expected_work"] / answer["static_ceiling"])
        assert gap <= float(within) <= max(0.0011, 1.11 * gap)
    assert len(found) == 1


def test_two_workers_have_the_ceiling_too(coterie):
    answer = json.loads(coterie("schedule", "--strategy", "two-workers", "--workers", 2, "--work", 1, "--startup", 0.1,
                                "--format", "json").stdout)
    assert 0.98 * answer["static_ceiling"] <= answer["expected_work"] <= answer["static_ceiling"]


def test_nothing_can_be_done_within_a_start_up_cost(coterie):
    text = coterie("schedule", "--strategy", "brute", "--workers", 2, "--work", 1, "--startup", 1, "--chunks", 2).stdout
    assert "no static schedule can expect more than 0\n" in text


def test_the_ceiling_is_a_dataset_by_configuration(coterie, result):
    with h5py.File(result) as file:
        ceiling = file["static_ceiling"]
        assert ceiling.attrs["units"] == "work" and "static" in ceiling.attrs["long_name"]
        assert ceiling.dims[0][0].name == "/configuration"
        assert (file["expected_work"][...].max(axis=1) <= ceiling[...]).all()
        assert (ceiling[...] <= file["work"][...]).all()
        for c, risk in enumerate(file["risk"].asstr()[...]):
            words = ["--workers", int(file["workers"][c]), "--work", file["work"][c], "--startup", 0.05]
            alone = coterie("schedule", "--strategy", "greedy", *words, "--risk", risk, "--format", "json").stdout
            assert ceiling[c] == json.loads(alone)["static_ceiling"]


def test_it_does_not_depend_on_the_plans_threads_or_shards(coterie, result):
    folder = result.parent
    for number in (1, 2):
        coterie("run", "c.toml", "--output", f"s{number}.h5", "--shard", f"{number}/2", "--threads", number, "--quiet",
                cwd=folder)
    coterie("merge", "s1.h5", "s2.h5", "--output", "m.h5", cwd=folder)
    (folder / "p.toml").write_text(CAMPAIGN + 'planned_risk = "exponential(rate=3)"\nlambda = 0.5\n')
    coterie("run", "p.toml", "--output", "p.h5", "--quiet", cwd=folder)
    whole = h5py.File(result)["static_ceiling"][...]
    for name in ("m.h5", "p.h5"):
        assert h5py.File(folder / name)["static_ceiling"][...].tolist() == whole.tolist()


def test_none_is_known_beside_background_jobs(coterie, tmp_path):
    text = CAMPAIGN.replace("[1, 4]", "1").replace("random-replication", "brute")
    (tmp_path / "c.toml").write_text(text + 'background = ["none", "mm1(arrival=0.5, service=1)"]\n')
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "c.h5") as file:
        alone = file["background"].asstr()[...] == "none"
        assert (numpy.isfinite(file["static_ceiling"][...]) == alone).all()
    shown = coterie("show", "c.h5", "--by", "background", cwd=tmp_path).stdout.splitlines()
    lines = [line for line in shown if line.startswith("background = ")]
    assert ["static ceiling" in line for line in lines] == [line.startswith("background = none") for line in lines]


def test_show_and_report_tell_it(coterie, result):
    with h5py.File(result) as file:
        mean = file["static_ceiling"][...].mean()
    rows = json.loads(coterie("show", result, "--format", "json").stdout)
    assert all(row["static_ceiling"] == pytest.approx(mean, rel=1e-14) for row in rows)
    header, *lines = coterie("show", result, "--format", "csv").stdout.splitlines()
    place = header.split(",").index("static_ceiling")
    assert float(lines[0].split(",")[place]) == pytest.approx(mean, rel=1e-14)
    assert f"; static ceiling: {mean:.6g})" in coterie("show", result).stdout
    coterie("report", "c.h5", "--output", "c.html", cwd=result.parent)
    assert "upper bound on the expected work of any static schedule" in (result.parent / "c.html").read_text()


def test_plans_tell_it_for_every_answer_to_what_is_open(coterie, tmp_path):
    (tmp_path / "lab.csv").write_text("duration,observed\n" + "".join(f"{600 * k},{k % 5 != 0:d}\n" for k in range(1, 61)))
    words = ["--trace", "lab.csv", "--workers", 6, "--work", "20h", "--checkpoint", "5min", "--instances", 200,
             "--resamples", 0, "--option", "unit=s", "--explain"]
    for more in ([], ["--tail", "gone"]):
        found = json.loads(coterie("plan", *words, *more, "--format", "json", cwd=tmp_path).stdout)["explain"]
        for one in found["strategies"]:
            assert one["expected_work"] <= found["static_ceiling"] <= 72000
            if not more:
                assert one["if_gone"]["expected_work"] <= found["static_ceiling_if_gone"] <= found["static_ceiling"]
        assert not more or found["static_ceiling_if_gone"] is None
        text = coterie("plan", *words, *more, cwd=tmp_path).stdout
        assert " ".join(text.split()).count("no static schedule can expect more than ") == (1 if more else 2)
    jobs = ["--jobs-every", "20min", "--jobs-last", "5min"]
    assert "no static schedule" not in coterie("plan", *words, *jobs, cwd=tmp_path).stdout
    assert json.loads(coterie("plan", *words, *jobs, "--format", "json", cwd=tmp_path).stdout)["explain"]["static_ceiling"] is None
