"""coterie plan: from a trace to a decision."""
import csv
import json
import random

import h5py
import pytest


@pytest.fixture
def trace(tmp_path):
    draw = random.Random(7)
    path = tmp_path / "lab machines.txt"
    path.write_text("".join(f"{draw.weibullvariate(9000, 0.8):.1f}\n" for _ in range(300)))
    return path


def plan(coterie, trace, *more, workers=6, work="20h", checkpoint="5min"):
    words = ["--trace", trace, "--workers", workers, "--work", work, "--checkpoint", checkpoint, *more]
    return json.loads(coterie("plan", *words, "--instances", 2000, "--format", "json").stdout)


def test_plain_words_fit_a_terminal(coterie, trace):
    words = ["--workers", 6, "--work", "20h", "--checkpoint", "5min"]
    text = coterie("plan", "--trace", trace, *words, cwd=trace.parent).stdout
    for part in ("20 h of work for 6 machines", "Do this: strategy", "checkpoint of 5 min", "Expect", "no-replication",
                 "brute", "How sure is that?", "do not come", "longer"):
        assert part in text
    assert all(len(line) <= 80 for line in text.splitlines() 
               if str(trace.parent) not in line and not line.startswith("  the "))  # the registry's words


def test_says_why_a_plainer_strategy_is_taken(coterie, trace):
    """Where the strategy that is taken expects less than another one, a sentence names both, and else none does."""
    met = set()
    for workers, work in ((1, "1h"), (2, "1h"), (4, "2h"), (6, "20h"), (6, "60h")):
        words = ("--trace", trace, "--workers", workers, "--work", work, "--checkpoint", "5min", "--instances", 200)
        found = json.loads(coterie("plan", *words, "--format", "json").stdout)
        most = max([found["answer"], *found["alternatives"]], key=lambda one: one["expected_work"])
        more = most["expected_work"] > found["answer"]["expected_work"]
        text = coterie("plan", *words).stdout
        assert ("plainer strategy is taken" in text) == more
        assert not more or f"{most['strategy']} expects" in text
        met.add(more)
    assert True in met


def test_says_what_listening_would_be_worth(coterie, trace):
    found = plan(coterie, trace, "--latency", "30s", "--deadline", "6h", work="10h")["listening"]
    assert found["latency"] == pytest.approx(30) and found["deadline"] == pytest.approx(21600)
    assert (found["instances"], found["if_gone"]) == (2000, None)
    assert [one["listens"] for one in found["strategies"]] == [False, True, True, True, True]
    names = [one["strategy"] for one in found["strategies"]]
    assert names[1:] == [f"skip({names[0]})", "help", "central", "adaptive"]
    for one in found["strategies"]:
        assert 0 <= one["in_time"] <= one["all_done"] <= 1 and one["completed"] <= 36000 * (1 + 1e-9)
        assert 0 <= one["wasted"] <= one["machine_time"]
        by = [time if time is not None else float("inf") for time in one["done_by"].values()]
        assert by == sorted(by)
        assert (by[0] <= 21600) == (one["in_time"] >= 0.5)
    words = ["--workers", 6, "--work", "10h", "--checkpoint", "5min", "--latency", "30s", "--deadline", "6h"]
    text = coterie("plan", "--trace", trace, *words).stdout
    assert "never come back" in text and "known after 30 s" in text and "in time: by 6 h" in text
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)


def test_late_news_is_worth_less(coterie, trace):
    """Central, on the same lives: at once, and later than anything lasts."""
    def central(latency):
        options = plan(coterie, trace, "--latency", latency, work="10h")["listening"]["strategies"]
        return next(one for one in options if one["strategy"] == "central")

    assert central("0s")["completed"] > 1.01 * central("200h")["completed"]


def test_what_is_not_known_beside_jobs_is_refused(coterie, trace):
    words = ["--trace", trace, "--workers", 6, "--work", "20h", "--checkpoint", "5min", "--jobs-every", "20min",
             "--jobs-last", "5min"]
    for option in ("--deadline", "--latency"):
        done = coterie("plan", *words, option, "3h", check=False)
        assert done.returncode != 0 and option in done.stderr and "background jobs" in done.stderr
    assert json.loads(coterie("plan", *words, "--format", "json").stdout)["listening"] is None


@pytest.mark.parametrize("jobs", [[], ["--jobs-every", "20min", "--jobs-last", "5min"]])
def test_json_holds_together(coterie, trace, jobs):
    found = plan(coterie, trace, *jobs)
    answer = found["answer"]
    assert found["unit"] == "s"
    assert found["question"]["work"] == 72000 and found["question"]["checkpoint"] == 300
    assert 0 < answer["expected_work"] <= answer["deployed_work"] <= 72000
    assert answer["simulated"]["q05"] <= answer["simulated"]["q50"] <= answer["simulated"]["q95"]
    assert abs(answer["simulated"]["mean"] - answer["expected_work"]) < 6 * answer["simulated"]["standard_error"]
    assert {one["strategy"] for one in found["alternatives"]} >= {"no-replication", "brute"}
    for one in found["alternatives"]:
        assert one["expected_work"] <= 1.001 * answer["expected_work"]
    sure = found["confidence"]
    assert sure["expected_work_low"] < answer["expected_work"] < sure["expected_work_high"]
    thought = found["what_if"][0]
    assert thought["circumstance"] == "as thought"
    assert thought["expected_work"][answer["strategy"]] == pytest.approx(answer["expected_work"], rel=1e-9)


@pytest.mark.parametrize("more", [[], ["--jobs-every", "20min", "--jobs-last", "5min"]])
def test_the_number_of_threads_changes_nothing(coterie, trace, more, monkeypatch):
    texts = []
    for threads in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        texts.append(plan(coterie, trace, "--resamples", 0, *more))
    assert texts[0] == texts[1]


def test_same_as_the_verb_schedule(coterie, trace):
    answer = plan(coterie, trace, "--strategy", "greedy")["answer"]
    risk = f'trace(file="{trace}", normalise=horizon(72000))'
    alone = json.loads(coterie("schedule", "--strategy", "greedy", "--workers", 6, "--work", 1, "--startup", 300 / 72000,
                               "--risk", risk, "--format", "json").stdout)
    assert answer["expected_work"] == pytest.approx(72000 * alone["expected_work"], rel=1e-9)
    assert answer["chunks"] == alone["chunks"]


def test_units_say_the_same(coterie, trace):
    assert plan(coterie, trace, work="20h", checkpoint="5min") == plan(coterie, trace, work="1200 min", checkpoint="300s")


def test_seed_decides(coterie, trace):
    assert plan(coterie, trace) == plan(coterie, trace, "--seed", 1)
    assert plan(coterie, trace)["answer"]["simulated"] != plan(coterie, trace, "--seed", 2)["answer"]["simulated"]


def test_export_is_the_schedule(coterie, trace, tmp_path):
    table = tmp_path / "schedule.csv"
    answer = plan(coterie, trace, "--export", table)["answer"]
    rows = list(csv.DictReader(table.open()))
    assert {row["worker"] for row in rows} == {str(worker) for worker in range(6)}
    assert len({row["chunk"] for row in rows}) == answer["chunks"]
    assert max(float(row["finish"]) for row in rows) == pytest.approx(answer["last_finish_without_jobs"])
    for worker in range(6):
        time = 0.0
        for row in (row for row in rows if row["worker"] == str(worker)):
            time += 300 + float(row["end"]) - float(row["begin"])
            assert float(row["finish"]) == pytest.approx(time)
    picture = tmp_path / "schedule.svg"
    plan(coterie, trace, "--export", picture)
    assert picture.read_text().startswith("<svg")


def test_the_median_is_that_of_trace_info(coterie, tmp_path):
    (tmp_path / "t").write_text("100\n200\n300\n400\n")
    words = ["--workers", 2, "--work", "100s", "--checkpoint", "1s", "--instances", 10]
    text = coterie("plan", "--trace", tmp_path / "t", *words).stdout
    info = json.loads(coterie("trace", "info", tmp_path / "t", "--format", "json").stdout)
    assert info["median"] == 250 and "(4 spells, median 4.167 min, 95 %: 0 s or more)" in text


def test_a_spell_of_the_age_and_none_longer_is_told(coterie, tmp_path):
    (tmp_path / "t").write_text("100\n200\n300\n400\n")
    (tmp_path / "c.toml").write_text('instances = 10\nstrategies = ["greedy"]\n[grid]\nworkers = 2\nwork = 100\n'
                                     'chunks = 4\nstartup = 1\nrisk = "trace(file=t, normalise=none, age=400)"\n')
    words = ["--workers", 2, "--work", "100s", "--checkpoint", "1s"]
    for done in (coterie("plan", "--trace", tmp_path / "t", "--age", "400s", *words, check=False),
                 coterie("validate", tmp_path / "c.toml", check=False)):
        assert done.returncode == 2
        assert "age = 400: no spell of the trace is longer, so every worker is interrupted at once" in done.stderr


def test_times_beside_jobs_are_said_to_be_without_them(coterie, trace):
    words = ["plan", "--trace", trace, "--workers", 3, "--work", "20h", "--checkpoint", "5min", "--resamples", 0]
    note = '("through in" is without any job.)'
    assert note in coterie(*words, "--jobs-every", "20min", "--jobs-last", "5min").stdout
    assert note not in coterie(*words).stdout
    assert "none is there when the work begins" in " ".join(coterie("plan", "--help").stdout.split())


def test_with_open_spells_it_is_better_in_either_case(coterie, tmp_path):
    """One share for either case; a share of resamples in which it is better in both says little of each."""
    path = tmp_path / "censored.csv"
    path.write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 10)
    words = ["--trace", path, "--workers", 3, "--work", "20h", "--checkpoint", "5min", "--resamples", 50]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)["confidence"]
    text = coterie("plan", *words).stdout
    for name in {"no-replication", "brute"} & set(found["better_than"]):
        never, gone = (f"{100 * found[key][name]:.3g} %" for key in ("better_than", "better_than_if_gone"))
        assert f"better than {name} in {never} of them if the open ones\nnever leave, in {gone} if they leave." in text
    decided = json.loads(coterie("plan", *words, "--tail", "gone", "--format", "json").stdout)["confidence"]
    assert decided["better_than_if_gone"] is None


def test_background_jobs_cost_work(coterie, trace):
    alone = plan(coterie, trace)["answer"]["expected_work"]
    shared = plan(coterie, trace, "--jobs-every", "10min", "--jobs-last", "5min")["answer"]["expected_work"]
    assert shared < 0.9 * alone


def test_age_and_estimator(coterie, tmp_path):
    trace = tmp_path / "censored.csv"
    trace.write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 30)
    young = plan(coterie, trace, "--tail", "immortal")
    naive = plan(coterie, trace, "--estimator", "naive")
    old = plan(coterie, trace, "--tail", "immortal", "--age", "90min")
    assert naive["answer"]["expected_work"] < young["answer"]["expected_work"] < old["answer"]["expected_work"]
    both = plan(coterie, trace)
    assert abs(both["open"]["share"] - 1 / 3) < 1e-9 and both["open"]["last_seen"] == 36000
    assert both["answer"]["expected_work"] <= young["answer"]["expected_work"] * 1.001
    assert any("never seen to leave" in one for one in young["warnings"])
    assert naive["open"] is None and naive["answer"]["if_gone"] is None


def test_both_answers_to_an_open_tail_are_told_and_neither_ruins_the_plan(coterie, tmp_path):
    trace = tmp_path / "open.csv"
    trace.write_text("duration,observed\n60,1\n70,1\n" + "150,0\n" * 10)
    words = dict(workers=2, work="10min", checkpoint="5s")
    both = plan(coterie, trace, **words)
    options = [both["answer"], *both["alternatives"]]
    most = max(one["expected_work"] for one in options)
    most_if_gone = max(one["if_gone"]["expected_work"] for one in options)
    assert both["answer"]["expected_work"] > 0.85 * most
    assert both["answer"]["if_gone"]["expected_work"] > 0.85 * most_if_gone
    assert both["open"] == {"share": pytest.approx(10 / 12), "last_seen": 150}
    for tail in ("immortal", "gone"):
        alone = plan(coterie, trace, "--tail", tail, **words)
        assert alone["open"] is None and alone["answer"]["if_gone"] is None
    text = coterie("plan", "--trace", trace, "--workers", 2, "--work", "10min", "--checkpoint", "5s").stdout
    assert "How long 83.3 % of the machines stay is open" in text and "watched for more than 2.5 min" in text
    assert "If these never leave, expect" in text and "If all of them leave then, expect" in text
    assert "none stays longer than was seen" in text
    assert all(len(line) <= 80 for line in text.splitlines() if str(tmp_path) not in line)


def test_a_tail_needs_kaplan_meier(coterie, trace):
    words = ["--workers", 2, "--work", "1h", "--checkpoint", "1min"]
    refused = coterie("plan", "--trace", trace, *words, "--estimator", "naive", "--tail", "gone", check=False)
    assert refused.returncode == 2
    assert "--tail goes with --estimator kaplan-meier" in refused.stderr


def test_parametric_risks_with_and_without_a_unit(coterie):
    words = ["plan", "--workers", 4, "--instances", 500, "--format", "json"]
    hours = json.loads(coterie(*words, "--risk", "exponential(rate=1)", "--risk-unit", "8h", "--work", "16h",
                               "--checkpoint", "8min").stdout)
    bare = json.loads(coterie(*words, "--risk", "exponential(rate=1)", "--work", 2, "--checkpoint", 1 / 60).stdout)
    assert bare["unit"] is None and bare["confidence"] is None
    assert hours["answer"]["expected_work"] == pytest.approx(8 * 3600 * bare["answer"]["expected_work"], rel=1e-9)


@pytest.mark.parametrize("risk", ["mix(1 : exponential(rate=1), 1 : exponential(rate=3))", "linear", "weibull(shape=.5, scale=1)"])
def test_other_risks(coterie, risk):
    found = json.loads(coterie("plan", "--risk", risk, "--workers", 4, "--work", 1, "--checkpoint", .01, "--format",
                               "json", "--instances", 4000).stdout)["answer"]
    assert abs(found["simulated"]["mean"] - found["expected_work"]) < 6 * found["simulated"]["standard_error"] + 1e-12


@pytest.mark.parametrize("words, message", [
    (["--work", "20h", "--checkpoint", "5min"], "--trace FILE or --risk"),
    (["--trace", "T", "--work", "20", "--checkpoint", "5min"], "--work must be a time above 0 with its unit"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--option", "tail=gone"], "option tail=gone: unknown"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5 minutes"], "--checkpoint must be"),
    (["--trace", "T", "--work", "0h", "--checkpoint", "5min"], "--work must be a time above 0 with its unit"),
    (["--trace", "T", "--work", "-5m", "--checkpoint", "5min"], "--work must be a time above 0 with its unit"),
    (["--trace", "T", "--work", "1h", "--checkpoint", "1s", "--age", "40"], "--age must be a time not below 0 with its unit"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "0"], "--chunks N"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--strategy", "gredy"], "greedy"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--strategy", "random-replication"], "drawn anew"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--export", "plan.txt"], ".csv or .svg"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--jobs-every", "1h"], "go together"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--risk", "linear"], "either"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--age", "1000d"], "age"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--option", "unit"], "KEY=VALUE"),
    (["--risk", "linear", "--work", "20h", "--checkpoint", "5min"], "--risk-unit"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--age", "5"], "--age goes with --trace"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--workers", "0"], "--workers"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--instances", "0"], "--instances"),
])
def test_bad_input_is_told(coterie, trace, words, message):
    words = [trace if word == "T" else word for word in words]
    workers = [] if "--workers" in words else ["--workers", 3]
    result = coterie("plan", *words, *workers, check=False)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("risk, in_seconds", [
    ("exponential(rate=1)", "exponential(rate=1/1800)"),
    ("hyperexponential(p=0.3, rate1=4, rate2=0.5)", "hyperexponential(p=0.3, rate1=4/1800, rate2=0.5/1800)")])
def test_beside_jobs_the_expected_work_of_exponential_risks_is_a_campaigns(coterie, tmp_path, risk, in_seconds):
    words = ["plan", "--risk", risk, "--risk-unit", "30min", "--workers", 3, "--work", "2h", "--checkpoint", "2min",
             "--jobs-every", "20min", "--jobs-last", "5min", "--resamples", 0]
    text = coterie(*words, "--export", "plan.csv", cwd=tmp_path).stdout
    assert "If no job ever slows it down, a machine is through after" in text
    answer = json.loads(coterie(*words, "--format", "json", cwd=tmp_path).stdout)["answer"]
    (tmp_path / "c.toml").write_text(f"""seed = 1
instances = 1
strategies = ["file(path=plan.csv)"]
[grid]
workers = 3
work = 7200
startup = 120
risk = "{in_seconds}"
background = "mm1(arrival=1/1200, service=1/300)"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "c.h5") as file:
        assert answer["expected_work"] == pytest.approx(file["expected_work"][0, 0], rel=1e-8)
    assert answer["expected_work"] != answer["simulated"]["mean"]
