"""coterie plan --job restart: how often to save, when to give up spot, what it takes and costs."""
import json

import pytest

BASE = ("plan", "--job", "restart", "--work", "48h", "--checkpoint", "5min", "--restart", "2min", "--risk",
        "exponential(rate=1)", "--risk-unit", "12h", "--replaced", "10min")


@pytest.fixture
def plan(coterie):
    def run(*more):
        return json.loads(coterie(*BASE, *more, "--format", "json").stdout)

    return run


def test_the_interval_is_that_of_solve_and_times_are_those_of_its_law(plan, solve):
    best = next(one for one in plan()["options"] if one["policy"] == "optimal")
    answer = solve('problem = "restart"\nwork = 172800\ncheckpoint = 300\nrestart = 120\ndown = 600\n'
                   'risk = "exponential(rate=1/43200)"\n')
    assert best["parameters"]["interval"] == pytest.approx(answer["interval"])
    assert best["finish"]["q50"] == pytest.approx(answer["expected_time"], rel=0.02)  # nearly symmetric: many chunks


def test_a_deadline_chooses_the_cheapest_that_meets_it(plan):
    found = plan("--deadline", "60h", "--price", "0.3", "--on-demand", "1")
    assert {one["policy"] for one in found["options"]} >= {"optimal", "young", "daly", "tries", "on-demand", "last-moment"}
    best = found["options"][0]
    assert best["done_by_deadline"] >= 0.95
    for one in found["options"][1:]:
        if one["done_by_deadline_low"] >= 0.95:
            assert one["cost"] >= best["cost"] / 1.01
    sure = next(one for one in found["options"] if one["policy"] == "on-demand")
    assert sure["cost"] == pytest.approx(48) and sure["finish"]["q95"] == pytest.approx(48 * 3600)
    last = next(one for one in found["options"] if one["policy"] == "last-moment")
    assert last["parameters"]["switch_at"] == pytest.approx(12 * 3600 - 120)
    assert last["done_by_deadline"] == 1


def test_many_jobs_end_with_the_last(plan):
    found = plan("--jobs", "20")["options"][0]
    assert found["last_finish"]["q50"] > found["finish"]["q95"]


def test_a_gang_is_interrupted_more_often_and_spares_help(plan):
    alone, gang, spared = (plan(*more)["options"][0] for more in ((), ("--gang", "8"), ("--gang", "8", "--spares", "2")))
    assert alone["interruptions"] * 6 < gang["interruptions"]
    assert spared["finish"]["q50"] < gang["finish"]["q50"]


def test_shell_lines(coterie):
    lines = dict(line.split("=") for line in
                 coterie(*BASE, "--price", "0.3", "--on-demand", "1", "--deadline", "60h", "--format", "shell").stdout.split())
    assert lines["POLICY"] and int(lines["INTERVAL"]) > 0 and float(lines["COST"]) > 0
    assert 0.95 <= float(lines["DONE_BY_DEADLINE"]) <= 1
    assert int(lines["FINISH_Q50"]) <= int(lines["FINISH_Q95"])


def test_text_has_at_most_25_lines(coterie, root):
    text = coterie("plan", "--job", "restart", "--trace", root / "traces/real/bamboo-spot/bamboo-p3.csv", "--work", "10h",
                   "--checkpoint", "2min", "--restart", "3min", "--price", "0.9", "--on-demand", "3", "--deadline", "14h").stdout
    assert text.startswith("Do this: ") and "resamples" in text.replace("\n", " ")
    assert len(text.splitlines()) <= 25 and all(len(line) <= 80 for line in text.splitlines())


def test_same_seed_same_answer(plan):
    assert plan("--seed", "5") == plan("--seed", "5")
    assert plan("--seed", "5")["options"] != plan("--seed", "6")["options"]


@pytest.mark.parametrize("more, message", [
    (("--machines", "5"), "--machines is not for --job restart"),
    (("--gang", "0"), "--gang"),
    (("--confidence", "0.95"), "write --confidence 95"),
    (("--option", "unit=h"), "--option goes with --trace"),
    (("--resamples", "50"), "--resamples goes with --trace"),
    (("--change", "1h"), "--change goes with --on-demand"),
    (("--deadline", "40h", "--price", "0.3", "--on-demand", "1"), "--deadline 40h is below --work 48h"),
    (("--on-demand", "1"), "--on-demand goes with --price"),
    (("--price", "1", "--on-demand", "0.5"), "--on-demand must be at least --price"),
    (("--warning", "30"), "give both a unit"),
])
def test_bad_input(coterie, more, message):
    done = coterie(*BASE, *more, check=False)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


def test_another_job_is_refused(coterie):
    done = coterie("plan", "--job", "array", check=False)
    assert done.returncode == 2 and "--job must be restart, not" in done.stderr


def test_spares_are_rented_on_spot_alone(plan):
    found = plan("--gang", "4", "--spares", "4", "--price", "0.3", "--on-demand", "1")["options"]
    sure = next(one for one in found if one["policy"] == "on-demand")
    assert sure["cost"] == pytest.approx(4 * 48) and sure["machine_time"] == pytest.approx(4 * 48 * 3600)
    spot = next(one for one in found if one["policy"] == "optimal")
    assert spot["cost"] == pytest.approx(0.3 * spot["machine_time"] / 3600) and spot["cost"] > 0.3 * 8 * 48
    assert {one["work_done"] for one in found} == {4 * 48 * 3600}


def test_options_of_readers_are_those_of_plan(coterie, tmp_path):
    rows = "".join(f"h{i},0,{3600 * (i + 2)},{'ab'[i % 2]}\n" for i in range(20))
    (tmp_path / "log.csv").write_text("host,start,end,reason\n" + rows)
    words = ("plan", "--job", "restart", "--work", "4h", "--checkpoint", "1min", "--trace", "log.csv", "--option", "unit=s",
             "--format", "json")
    assert json.loads(coterie(*words, "--option", "observed=a,b", cwd=tmp_path).stdout)["options"]
    for option in ("estimator=naive", "age=1h", "nonsense"):
        assert coterie(*words, "--option", option, cwd=tmp_path, check=False).returncode == 2, option
