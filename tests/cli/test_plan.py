"""coterie plan: from a trace to a decision."""
import csv
import json
import math
import random
import re

import h5py
import pytest


@pytest.fixture
def trace(tmp_path):
    draw = random.Random(7)
    path = tmp_path / "lab machines.txt"
    path.write_text("".join(f"{draw.weibullvariate(9000, 0.8):.1f}\n" for _ in range(60)))
    return path


def plan(coterie, trace, *more, workers=6, work="20h", checkpoint="5min"):
    words = ["--trace", trace, "--workers", workers, "--work", work, "--checkpoint", checkpoint, *more]
    return json.loads(coterie("plan", *words, "--instances", 2000, "--format", "json").stdout)


def test_plain_words_fit_a_terminal(coterie, trace):
    words = ["--workers", 6, "--work", "20h", "--checkpoint", "5min"]
    text = coterie("plan", "--trace", trace, *words, cwd=trace.parent).stdout
    for part in ("20 h of work for 6 machines", "Do this: strategy", "checkpoint of 5 min", "Expect", "no-replication",
                 "brute", "How sure is that?", "each machine away", "earlier"):
        assert part in text
    assert all(len(line) <= 80 for line in text.splitlines() 
               if str(trace.parent) not in line and not line.startswith("  the "))  # the registry's words


def test_says_why_a_plainer_strategy_is_taken(coterie, trace):
    """Where the strategy that is taken expects less than another one by more than rounding, a sentence names both, and else
    none does."""
    met = set()
    for workers, work in ((1, "1h"), (4, "2h"), (6, "8h")):
        words = ("--trace", trace, "--workers", workers, "--work", work, "--checkpoint", "10min", "--instances", 200, "--resamples", 0)
        found = json.loads(coterie("plan", *words, "--format", "json").stdout)
        most = max([found["answer"], *found["alternatives"]], key=lambda one: one["expected_work"])
        more = most["expected_work"] > found["answer"]["expected_work"] * (1 + 1e-12)
        text = " ".join(coterie("plan", *words).stdout.split())
        assert ("plainer strategy is taken" in text) == more
        assert not more or f"{most['strategy']} expects" in text
        met.add(more)
    assert met == {True, False}


def test_says_what_listening_would_be_worth(coterie, trace):
    found = plan(coterie, trace, "--latency", "30s", "--deadline", "6h", work="10h")["listening"]
    assert found["latency"] == pytest.approx(30) and found["deadline"] == pytest.approx(21600)
    assert (found["instances"], found["if_gone"]) == (2000, None)
    names = [one["strategy"] for one in found["strategies"]]
    assert [name for name, one in zip(names, found["strategies"]) if one["listens"]] == [
        f"skip({names[0]})", "help", "central", "adaptive"]
    assert 1 <= sum(not one["listens"] for one in found["strategies"]) <= 2
    for one in found["strategies"]:
        assert 0 <= one["in_time"] <= one["all_done"] <= 1 and one["completed"] <= 36000 * (1 + 1e-9)
        assert 0 <= one["wasted"] <= one["machine_time"]
        by = [time if time is not None else float("inf") for time in one["done_by"].values()]
        assert by == sorted(by) and by[2] == by[3]  # --confidence is 95
        assert one["in_time_interval"][0] <= one["in_time"] <= one["in_time_interval"][1]
        assert (by[0] <= 21600) == (one["in_time"] >= 0.5)
    words = ["--workers", 6, "--work", "10h", "--checkpoint", "5min", "--latency", "30s", "--deadline", "6h"]
    text = coterie("plan", "--trace", trace, *words).stdout
    assert "never come back" in text and "30 s after it happens" in text
    assert "Is all work done by 6 h in at least 95 % of the runs?" in " ".join(text.split())
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)


def test_news_that_comes_too_late_is_worth_nothing(coterie):
    """All lists end before the first news: what listens is nothing but other static lists, and chance."""
    for seed in range(1, 6):
        text = coterie("plan", "--risk", "exponential(rate=1)", "--workers", 2, "--work", 1, "--checkpoint", 0.2, "--latency", 100,
                       "--instances", 300, "--seed", seed).stdout
        assert "Listening pays off" not in " ".join(text.split()), seed


def test_no_list_ends_with_what_nobody_can_complete(coterie):
    """Under linear risk nobody lives beyond 1. [worksharing-2013, Theorem 4]"""
    words = ["--risk", "linear", "--workers", 1, "--checkpoint", 0.1, "--instances", 100, "--format", "json"]
    for work in (1, 100):
        answer = json.loads(coterie("plan", "--work", work, *words).stdout)["answer"]
        assert answer["chunks"] == 3 and answer["expected_work"] == pytest.approx(0.25, rel=1e-9)


def test_a_deadline_at_the_horizon_is_not_beyond_it(coterie):
    back = "renewal(down=exponential(rate=2),resume=0.05)"
    for time in ("3h", "1h", "7h"):
        coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "1h", "--workers", 2, "--work", "13min", "--checkpoint",
                "5min", "--availability", back, "--horizon", time, "--deadline", time, "--instances", 50)


def test_rules_that_make_one_chunk_of_all_work_say_so(coterie):
    text = " ".join(coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "1000h", "--workers", 1, "--work", "1h",
                            "--checkpoint", "5min", "--instances", 50).stdout.split())
    assert "with all of it in one chunk; Daly's rule" in text


def test_chunks_of_two_machines_are_counted_once(coterie, tmp_path):
    words = ["--risk", "exponential(rate=1)", "--workers", 2, "--work", 1, "--checkpoint", 0.1, "--instances", 100, "--strategy",
             "best", "--export", tmp_path / "list.csv"]
    chunks = json.loads(coterie("plan", *words, "--format", "json").stdout)["answer"]["chunks"]
    with open(tmp_path / "list.csv") as file:
        rows = list(csv.DictReader(file))
    assert chunks == len({row["chunk"] for row in rows}) < len(rows)
    assert f"into {chunks} chunks" in coterie("plan", *words).stdout


def test_whether_the_deadline_is_kept_often_enough(coterie, trace):
    """Yes and no by the interval of the share; null where the runs do not tell."""
    def answers(confidence):
        words = ("--deadline", "6h", "--confidence", confidence)
        found = plan(coterie, trace, *words, work="2h")["listening"]
        assert found["confidence"] == pytest.approx(float(confidence.rstrip("%")) / 100)
        for one in found["strategies"]:
            low, high = one["in_time_interval"]
            asked = found["confidence"]
            assert one["meets_deadline"] == (True if low >= asked else False if high < asked else None)
            by = one["done_by"]["confident"]
            assert (by is not None and by <= 21600 * (1 + 1e-9)) == (one["in_time"] >= asked - 1e-12)
        return {one["strategy"]: one for one in found["strategies"]}

    central = answers("95")["central"]
    assert answers("10%")["central"]["meets_deadline"] is True
    assert answers("99.99")["help"]["meets_deadline"] in (False, None)
    exactly = answers(str(100 * central["in_time"]))["central"]
    assert exactly["meets_deadline"] is None
    words = ["--trace", trace, "--workers", 6, "--work", "2h", "--checkpoint", "5min", "--deadline", "6h",
             "--instances", 2000]
    said = " ".join(coterie("plan", *words, "--confidence", 10).stdout.split())
    assert "in at least 10 % of the runs? Yes. Of those that manage it," in said
    said = " ".join(coterie("plan", *words, "--confidence", 100 * central["in_time"]).stdout.split())
    assert "Too close to tell" in said or "Yes" in said


def test_many_machines_of_few_classes_have_a_ceiling(coterie):
    words = ["--risk", "mix(1 : linear, 1 : linear(kappa=2))", "--risk-unit", "1h", "--work", "400h", "--checkpoint", "36s",
             "--chunks", 2, "--instances", 100, "--format", "json"]
    found = json.loads(coterie("plan", *words, "--machines", 1001).stdout)
    assert found["answer"]["expected_work"] <= found["static_ceiling"] <= (501 * 0.5 + 500 * 0.25) * 3600
    # Half an hour is the longest life of half of them and cuts the others' short.
    cut = json.loads(coterie("plan", *words, "--machines", 1001, "--availability", "renewal(down=exponential(rate=1))",
                             "--horizon", "30min").stdout)
    assert cut["answer"]["expected_work"] <= cut["static_ceiling"] < found["static_ceiling"]


def test_who_keeps_lambda_is_told(coterie, trace):
    words = ["--trace", trace, "--workers", 8, "--work", "10h", "--checkpoint", "5min", "--lambda", 0.2]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)
    options = {one["strategy"]: one["keeps_lambda"] for one in [found["answer"], *found["alternatives"]]}
    assert options["greedy"] and not options["brute"]
    assert not {one["strategy"]: one["keeps_lambda"] for one in found["listening"]["strategies"]}["central"]
    said = " ".join(coterie("plan", *words).stdout.split())
    assert "not keep to --lambda 0.2: a machine is more likely" in said
    assert "help, central, adaptive do not keep to --lambda 0.2." in said
    assert "--lambda" not in coterie("plan", *words[:-2]).stdout


def test_lambda_is_kept_even_if_none_stays_longer_than_was_seen(coterie, tmp_path):
    """Two spells of twelve are known to end; the others were seen for a quarter of the work."""
    path = tmp_path / "open.csv"
    path.write_text("duration,observed\n60,1\n70,1\n" + "150,0\n" * 10)
    words = ["--trace", path, "--workers", 2, "--work", "10min", "--checkpoint", "20s", "--lambda", 0.2, "--latency", "1s"]
    for tail, kept in (("both", False), ("immortal", True), ("gone", False)):
        found = json.loads(coterie("plan", *words, "--tail", tail, "--format", "json").stdout)
        brute = next(one for one in [found["answer"], *found["alternatives"]] if one["strategy"] == "brute")
        assert brute["keeps_lambda"] == kept, tail
        said = " ".join(coterie("plan", *words, "--tail", tail).stdout.split())
        assert ("time that its work takes without checkpoints, if none stays longer than was seen." in said) == (tail == "both")
        assert ("do not keep to --lambda 0.2, if none stays longer than was seen." in said) == (tail == "both")


def test_what_is_in_no_list_is_not_counted_but_has_its_place(coterie, tmp_path):
    """Worker 0 runs the first quarter twice, worker 1 the last; half of the work is left out."""
    (tmp_path / "mine.csv").write_text("worker,begin,end\n0,0,1\n0,0,1\n1,3,4\n")
    words = ["--risk", "exponential(rate=1/9)", "--workers", 3, "--work", 4, "--checkpoint", 0.1, "--instances", 100,
             "--strategy", f"file(path={tmp_path / 'mine.csv'})"]
    text = " ".join(coterie("plan", *words, "--export", tmp_path / "plan.json").stdout.split())
    assert "Each chunk is run by one machine only." in text and "into 2 chunks" in text
    found = json.loads((tmp_path / "plan.json").read_text())
    assert [(one["chunk"], one["begin"], one["end"]) for one in found["chunks"]] == [(0, 0, 1), (1, 1, 3), (2, 3, 4)]
    assert [one["chunks"] for one in found["machines"]] == [[0, 0], [2], []]
    for kind in ("sbatch", "sub"):
        coterie("plan", *words, "--export", tmp_path / f"plan.{kind}")
        assert "3 machines, 2 chunks, strategy file" in (tmp_path / f"plan.{kind}").read_text()


def test_a_plan_without_work_does_not_blame_the_machines(coterie, tmp_path):
    (tmp_path / "none.csv").write_text("worker,begin,end\n")
    text = coterie("plan", "--risk", "linear", "--workers", 2, "--work", 1, "--checkpoint", 0.1, "--instances", 100,
                   "--strategy", f"file(path={tmp_path / 'none.csv'})").stdout
    assert "xpect 0 of 1" in text and "no machine stays long enough" not in text
    assert "It gives no machine any work." in text and "chunks of 0" not in text


def test_a_schedule_that_misses_some_of_the_work_never_does_all(coterie, tmp_path):
    (tmp_path / "mine.csv").write_text("worker,begin,end\n0,0,0.4999999999\n1,0.5,0.9999999999\n")
    words = ["plan", "--risk", "exponential(rate=0.1)", "--workers", 2, "--work", 1, "--checkpoint", 0.01, "--instances", 400,
             "--deadline", 3, "--strategy", f"file(path={tmp_path / 'mine.csv'})"]
    answer = json.loads(coterie(*words, "--format", "json").stdout)
    (own,) = [row for row in answer["listening"]["strategies"] if row["strategy"].startswith("file")]
    assert answer["answer"]["simulated"]["all_done"] == own["all_done"] == 0
    text = coterie(*words).stdout
    assert "Cut all but " in text and "Cut all of" not in text


def test_machines_that_are_away_may_all_be(coterie):
    words = ["plan", "--risk", "exponential(rate=0.000000001)", "--workers", 2, "--work", 1, "--checkpoint", 0.1, "--instances",
             100, "--strategy", "brute", "--chunks", 2]
    (away,) = [one["expected_work"]["brute"] for one in json.loads(coterie(*words, "--format", "json").stdout)["what_if"]
               if (one["kind"], one["value"]) == ("absent", 0.5)]
    assert away == pytest.approx(0.75, abs=1e-6)  # one of the two alone does all
    assert "each machine away with P = 50 %" in coterie(*words).stdout


def test_the_middle_of_the_runs_is_no_share_of_those_that_got_all(coterie):
    text = coterie("plan", "--risk", "exponential(rate=0.001)", "--workers", 2, "--work", 1, "--checkpoint", 0.01,
                   "--instances", 2000).stdout
    assert ", the middle 90 % got " in text and ", 90 % got" not in text


def test_the_name_of_a_schedule_is_no_line_of_a_script(coterie, tmp_path):
    folder = tmp_path / "a\nexit 7"
    folder.mkdir()
    (folder / "mine.csv").write_text("worker,begin,end\n0,0,1\n")
    coterie("plan", "--risk", "linear", "--workers", 1, "--work", 1, "--checkpoint", 0.1, "--instances", 100, "--strategy",
            f"file(path={folder / 'mine.csv'})", "--export", tmp_path / "plan.sbatch")
    assert "\nexit 7" not in (tmp_path / "plan.sbatch").read_text()


def test_the_smallest_number_of_machines(coterie, trace):
    words = ["--trace", trace, "--machines", "2-40", "--work", "2h", "--checkpoint", "20min", "--deadline", "4h",
             "--confidence", 80, "--latency", "1min", "--resamples", 0]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)
    for way in ("static", "listening"):
        number = found["machine_count"][way]
        assert number["found"]["in_time_interval"][0] >= 0.8
        assert number["one_less"] is None or number["one_less"]["in_time_interval"][0] < 0.8
        assert number["found"]["workers"] in range(2, 41)
        assert {one["workers"] for one in number["tried"]} <= set(range(2, 41))
    # With --latency the plan is for what listens.
    assert found["question"]["workers"] == found["machine_count"]["listening"]["found"]["workers"]
    text = coterie("plan", *words).stdout
    said = " ".join(text.split())
    assert "How many machines finish all work by 4 h in at least 80 % of the runs?" in said
    assert "Without news:" in said and "With news after 60 s:" in said and "fresh runs" in said
    tried = [", ".join(str(one["workers"]) for one in found["machine_count"][way]["tried"])
             for way in ("static", "listening")]
    assert f"Tried first: {tried[0]} (without news); {tried[1]} (with news)." in said
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)


def test_machines_auto_looks_as_far_as_needed(coterie, trace):
    words = ["--trace", trace, "--machines", "auto", "--work", "2h", "--checkpoint", "5min", "--confidence", 60,
             "--deadline", "3h", "--resamples", 0]
    done = coterie("plan", *words, "--format", "json")
    found = json.loads(done.stdout)
    assert done.stderr == ""  # what takes long is told on terminals only
    assert found["machine_count"]["static"]["found"]["workers"] == found["question"]["workers"]
    assert found["answer"]["strategy"] == found["machine_count"]["static"]["found"]["strategy"]


def test_open_ends_count_by_the_worse_case(coterie, tmp_path):
    path = tmp_path / "open.csv"
    path.write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 10)
    words = ["--trace", path, "--machines", "3-9", "--work", "5h", "--checkpoint", "5min", "--deadline", "6h",
             "--confidence", 60, "--resamples", 0, "--instances", 200]
    for tail in ("both", "gone"):
        done = coterie("plan", *words, "--tail", tail)
        assert ("the worse case counts" in " ".join(done.stdout.split())) == (tail == "both")


def test_lines_end_before_a_number_and_its_per_cent(coterie, trace):
    words = ["--trace", trace, "--workers", 6, "--work", "2h", "--checkpoint", "5min", "--deadline", "3h"]
    for confidence in (50, 75, 90, 99):
        text = coterie("plan", *words, "--instances", 200, "--resamples", 0, "--confidence", confidence).stdout
        assert not any(line.startswith("%") for line in text.splitlines())


def test_a_number_of_machines_is_a_number_of_workers(coterie, trace):
    words = ["--trace", trace, "--work", "2h", "--checkpoint", "5min", "--instances", 200, "--resamples", 0]
    assert coterie("plan", *words, "--machines", 6).stdout == coterie("plan", *words, "--workers", 6).stdout


@pytest.mark.parametrize("zones, common, lost", [
    (1, 1, lambda s: 1 - s), (2, 1, lambda s: (1 - s) ** 2), (4, 0.7, lambda s: (1 - s) ** 4),
    (1, 0.5, lambda s: 1 - s ** 0.5 * (1 - (1 - s ** 0.5) ** 4)), (3, 0, lambda s: (1 - s) ** 4)])
def test_in_zones_one_chunk_on_all_is_lost_by_the_closed_form(coterie, zones, common, lost):
    """Runs: 4 standard errors are exceeded by chance in 6e-5 of all tests."""
    words = ["--risk", "exponential(rate=1)", "--risk-unit", "1h", "--machines", 4, "--work", "1h", "--checkpoint",
             "6min", "--chunks", 1, "--strategy", "brute", "--zones", zones, "--common", common, "--deadline", "66min",
             "--instances", 20000, "--format", "json"]
    found = json.loads(coterie("plan", *words).stdout)
    share = 1 - lost(math.exp(-1.1))
    sd = math.sqrt(share * (1 - share) / 20000)
    assert found["answer"]["expected_work"] == pytest.approx(3600 * share, rel=1e-9)
    assert found["answer"]["simulated"]["all_done"] == pytest.approx(share, abs=4 * sd)
    assert found["listening"]["strategies"][0]["in_time"] == pytest.approx(share, abs=4 * sd)
    assert found["assumed"]["machines_leave_independently"] == (common == 0 or zones == 4)
    assert (found["question"]["zones"], found["question"]["common"]) == (zones, common)


def test_plans_are_made_for_the_zones(coterie, trace, tmp_path):
    words = ["--trace", trace, "--machines", 12, "--work", "5h", "--checkpoint", "5min", "--resamples", 0,
             "--instances", 200]
    known = json.loads(coterie("plan", *words, "--zones", 4, "--common", 1, "--format", "json").stdout)
    text = coterie("plan", *words, "--zones", 4, "--common", 1).stdout
    assert "They are in 4 zones, independent of each other: machines 0 to 2, 3 to 5, 6 to 8, 9 to 11." in " ".join(text.split())
    assert [line[:8] for line in text[text.index("Assumed:"):].split("\n\n")[0].splitlines()] == ["Assumed:", "Static s"]
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)
    coterie("plan", *words, "--export", tmp_path / "blind.csv")
    shares = ["--import", tmp_path / "blind.csv", "--workers", 12, "--work", 18000, "--startup", 300, "--risk",
              f"trace(file='{trace}', normalise=none)".replace("'", '"'), "--zones", 4, "--common", 1]
    blind = json.loads(coterie("schedule", *shares, "--format", "json").stdout)["expected_work"]
    assert known["answer"]["expected_work"] >= blind * (1 - 1e-3)  # a plainer strategy may be taken
    for free in (["--zones", 12, "--common", 0.5], ["--zones", 3, "--common", 0], ["--zones", 1, "--common", 0]):
        assert coterie("plan", *words, *free).stdout == coterie("plan", *words).stdout


def test_zones_and_the_number_of_machines(coterie):
    """All run all: one of n lives until then with P = 1 - (1 - exp(-1.1))^n, 0.555 of two, 0.704 of three; where all leave
    at once with 0.333 whatever n. 1000 runs are on the wrong side of 0.6 with probability 0.002 and 1e-12."""
    words = ["--risk", "exponential(rate=1)", "--risk-unit", "1h", "--work", "1h", "--checkpoint", "6min", "--deadline",
             "66min", "--confidence", 60, "--instances", 1000, "--machines", "1-9", "--strategy", "brute", "--chunks", 1,
             "--format", "json", "--zones", 1, "--common"]
    alone, together = (json.loads(coterie("plan", *words, common).stdout) for common in (0, 1))
    assert alone["machine_count"]["static"]["found"]["workers"] == 3
    assert together["machine_count"]["static"]["found"] is None


@pytest.mark.parametrize("words, message", [
    (["--zones", 2], "--zones and --common go together"), (["--common", 0.5], "--zones and --common go together"),
    (["--zones", 0, "--common", 0.5], "--zones"), (["--zones", 2, "--common", 1.5], "--common must be from 0 to 1"),
    (["--zones", 2, "--common", 0.5, "--jobs-every", "1h", "--jobs-last", "1min"], "cannot be combined with --jobs-every"),
    (["--zones", 2, "--common", 0.5, "--price", "spot=1,on-demand=2"], "cannot be combined with --price")])
def test_bad_zones_are_told(coterie, trace, words, message):
    done = coterie("plan", "--trace", trace, "--machines", 4, "--work", "20h", "--checkpoint", "5min", *words, check=False)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


def test_classes_seen_at_a_random_moment_are_named_so(coterie, trace, tmp_path):
    (tmp_path / "ours.csv").write_text(f"machines;trace;age\n1;{trace.name};stationary\n1;{trace.name};0s\n")
    text = " ".join(coterie("plan", "--classes", "ours.csv", "--work", "3h", "--checkpoint", "2min", "--instances", 50,
                            cwd=tmp_path).stdout.split())
    assert "seen at a random moment of life: machine 0" in text and "up for" not in text


def test_classes_of_machines_are_a_mixture(coterie, trace, tmp_path):
    (tmp_path / "short.txt").write_text("600\n1800\n4000\n" * 30)
    (tmp_path / "ours.csv").write_text(f"machines;trace;age\n3;{trace.name};\n2;short.txt;5min\n")
    words = ["--work", "3h", "--checkpoint", "2min", "--instances", 500]
    text = coterie("plan", "--classes", "ours.csv", *words, cwd=tmp_path).stdout
    assert "for 5 machines of 2 classes, listed in ours.csv" in text
    assert f"3 stay as long as those in {trace.name} (60 spells" in text and "machines 0, 2, 4" in text
    assert "up for 5min already: machines 1, 3" in " ".join(text.split())
    mine = json.loads(coterie("plan", "--classes", "ours.csv", *words, "--format", "json", cwd=tmp_path).stdout)
    assert [one["numbers"] for one in mine["question"]["machines"]] == [[0, 2, 4], [1, 3]]
    mix = f'mix(3 : trace(file="{trace.name}", normalise=none), 2 : trace(file=short.txt, normalise=none, age=300))'
    theirs = json.loads(coterie("plan", "--risk", mix, "--risk-unit", "1s", "--machines", 5, *words, "--format", "json",
                                cwd=tmp_path).stdout)
    for name in ("answer", "alternatives", "listening", "static_ceiling"):
        assert mine[name] == theirs[name]


@pytest.mark.parametrize("rows, words, message", [
    ("machines,trace\n", [], "c.csv:1: E_HEADER: a row for each class"),
    ("machines,trace\n0,t.txt\n", [], "c.csv:2: E_CLASSES: machines must be a whole number from 1 to 10000, not 0"),
    ("machines,trace\n2.5,t.txt\n", [], "E_CLASSES"), ("machines,trace\n3,\n", [], "trace must be a file"),
    ("machines,trace\n9999,t.txt\n9999,t.txt\n", [], "at most 10000 machines in all"),
    ("machines,trace,speed\n3,t.txt,2\n", [], "machines, trace and perhaps age, not speed"),
    ("machines\n3\n", [], "trace"),
    ("machines,trace,age\n3,t.txt,soon\n", [], "c.csv:2: age must be a time not below 0 with its unit"),
    ("machines,trace,age\n3,t.txt,\n3,t.txt,2\n", [], "c.csv:3: age must be a time"),
    ("machines,trace,age\n3,t.txt,\n3,t.txt,100h\n", [], "c.csv:3: trace: age = 360000 s (100 h): the trace has no "
     "interruption at that age or later; its last is at 7200 s (2 h)"),
    ("machines,trace\n3,t.txt\n", ["--age", "1h"], "write ages into the column age of the file"),
    ("machines,trace\n3,gone.txt\n", [], "c.csv:2: trace: gone.txt"),
    ("machines,trace\n3,t.txt\n", ["--machines", 3], "--classes says how many machines there are"),
    ("machines,trace\n3,t.txt\n", ["--risk", "linear"], "or --classes FILE"),
    ("machines,trace\n3,t.txt\n", ["--price", "spot=1,on-demand=2"], "leave out --classes")])
def test_bad_classes_are_told(coterie, tmp_path, rows, words, message):
    (tmp_path / "t.txt").write_text("3600\n7200\n" * 30)
    (tmp_path / "c.csv").write_text(rows)
    done = coterie("plan", "--classes", "c.csv", "--work", "2h", "--checkpoint", "5min", *words, check=False, cwd=tmp_path)
    assert done.returncode in (1, 2) and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize("work", ["4h", "10h"])
def test_a_deadline_that_is_likely_to_be_met_chooses_the_schedule(coterie, trace, work):
    """Unless it may be chance that another meets it more often than the one with the most expected work."""
    words = ("--deadline", "6h", "--resamples", 0)
    asked = dict(work=work, checkpoint="20min")
    found, usual = plan(coterie, trace, *words, **asked), plan(coterie, trace, **asked)["answer"]["strategy"]
    in_time = {}
    for option in [found["answer"], *found["alternatives"]]:
        named = plan(coterie, trace, *words, "--strategy", option["strategy"], **asked)
        in_time[option["strategy"]] = 2000 * named["listening"]["strategies"][0]["in_time"]
    most = max(in_time.values())
    differ = min(most + in_time[usual], 4000 - most - in_time[usual])
    changes = most >= 1000 and most - in_time[usual] > 3 * math.sqrt(differ)
    chosen = found["answer"]["strategy"]
    assert in_time[chosen] == most if changes else chosen == usual
    text = " ".join(coterie("plan", "--trace", trace, "--workers", 6, "--work", work, "--checkpoint", "20min", "--instances", 2000,
                            *words).stdout.split())
    assert (f"No other has all work done by 6 h in more of the runs than {chosen}." in text) == changes


@pytest.mark.parametrize("runs", [72, 100, 400])
def test_runs_that_cannot_tell_are_not_said_to(coterie, trace, runs):
    words = ["--trace", trace, "--machines", "1-4", "--work", "2h", "--checkpoint", "20min", "--deadline", "9h", "--resamples", 0,
             "--instances", runs]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)["machine_count"]
    said = " ".join(coterie("plan", *words).stdout.split())
    nearest = [one["nearest"] for one in (found["static"], found["listening"]) if one["found"] is None]
    missed = [one["in_time_interval"][1] < 0.95 for one in nearest]
    assert all(one["in_time_interval"][0] < 0.95 for one in nearest)
    assert said.count("no number that was tried is enough") == missed.count(True)
    assert said.count("these runs do not show that a number is enough") == missed.count(False)
    assert ("The plan below is for 4 machines, the most that were asked about." in said) == (len(nearest) == 2)


def test_runs_that_can_show_nothing_are_refused(coterie, trace):
    words = ["--trace", trace, "--machines", "1-4", "--work", "2h", "--checkpoint", "5min", "--deadline", "9h"]
    done = coterie("plan", *words, "--instances", 71, check=False)
    assert done.returncode == 2 and "give at least 72 --instances" in done.stderr


def test_no_number_of_machines_is_enough(coterie, trace):
    words = ["--trace", trace, "--machines", "1-3", "--work", "20h", "--checkpoint", "30min", "--resamples", 0]
    text = coterie("plan", *words, "--deadline", "5h").stdout
    assert "Up to 3, no number is enough: even if no machine leaves" in text
    said = " ".join(coterie("plan", *words, "--deadline", "24h").stdout.split())
    assert said.count("no number that was tried is enough") == 2


def test_prices_make_a_frontier(coterie, trace, tmp_path):
    picture = tmp_path / "frontier.svg"
    words = ["--trace", trace, "--workers", 4, "--work", "2h", "--checkpoint", "5min", "--instances", 500,
             "--resamples", 0, "--price", "spot=0.30,on-demand=1.00", "--frontier", picture]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)["prices"]
    assert (found["spot"], found["on_demand"], found["confidence"]) == (0.3, 1, 0.95)
    dropped = [one for one in found["mixes"] if one["spot"] > 0 and (one["instances"] < 500 or one["planned"] is False)]
    late = [one for one in found["mixes"] if one not in dropped and one["done_by"] is None]
    said = " ".join(coterie("plan", *words).stdout.split())
    assert f"Tried were {len(found['mixes'])} combinations; {len(dropped)} w" in said
    assert ("have all work done in 95 % of the runs" in said) == (late != [])
    assert not late or f"; {len(late)} do" in said
    frontier = [one for one in found["mixes"] if one["on_frontier"]]
    assert frontier and all(one["done_by"] is not None and one["all_done"] >= 0.95 for one in frontier)
    assert [one["cost"] for one in frontier] == sorted(one["cost"] for one in frontier)
    times = [one["done_by"] for one in frontier]
    assert times == sorted(times, reverse=True)
    alone = [one for one in found["mixes"] if one["spot"] == 0]
    assert {one["on_demand"] for one in alone} == {1, 2, 4}
    for one in alone:  # 1.00 an hour, for the work and a checkpoint each
        assert one["cost"] == pytest.approx(2 + one["on_demand"] / 12)
        assert one["done_by"] == pytest.approx(7200 / one["on_demand"] + 300)
    for one in found["mixes"]:
        assert one["spot"] + one["on_demand"] <= 4
    assert picture.read_text().startswith("<svg") and "polyline" in picture.read_text()
    text = coterie("plan", *words[:-2]).stdout
    assert "What does it cost?" in text and f"{frontier[0]['cost']:.4g}" in text
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)


def test_prices_do_not_know_lambda(coterie, trace):
    refused = coterie("plan", "--trace", trace, "--workers", 4, "--work", "20h", "--checkpoint", "5min", "--lambda", 0.5, "--price",
                      "spot=0.3,on-demand=1", check=False)
    assert refused.returncode == 2 and "--price does not know --lambda" in refused.stderr


def test_one_machine_beside_the_rules_of_others(coterie, trace):
    words = ["--trace", trace, "--workers", 1, "--work", "5h", "--checkpoint", "20min", "--resamples", 0]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)
    rules = found["other_intervals"]
    assert rules["young"]["interval"] == pytest.approx((2 * 1200 * rules["mean_life"]) ** 0.5)
    for rule in ("young", "daly"):
        assert rules[rule]["expected_work"] <= 1.001 * found["answer"]["expected_work"]
    text = coterie("plan", *words).stdout
    assert "for 1 machine that stays as long as those in" in text
    assert "Young's rule" in " ".join(text.split()) and "Daly's rule" in " ".join(text.split())
    assert plan(coterie, trace)["other_intervals"] is None


def test_help_and_messages_fit_a_terminal(coterie):
    told = coterie("plan", "--help").stdout
    assert max(map(len, told.splitlines())) <= 80
    assert coterie("plan", "-h").stdout == told == coterie("help", "plan").stdout
    for words in ("shows which mixes are cheapest", "finds a number that is enough (not always the smallest)"):
        assert words in " ".join(told.split())
    assert coterie("-h").stdout == coterie("help").stdout == coterie("--help").stdout


def test_json_has_fields_and_no_prose(coterie, trace):
    found = plan(coterie, trace, "--jobs-every", "20min", "--jobs-last", "5min")
    assert found["question"]["machines"]["spells"] == 60
    assert found["question"]["background"] == {"every": 1200, "last": 300}
    assert found["listening_missing"] == "background-jobs"
    kinds = {(one["kind"], one["value"]) for one in found["what_if"]}
    assert {("as-thought", None), ("absent", 0.25), ("lives-times", 2), ("stationary", None)} <= kinds
    assert plan(coterie, trace)["listening_missing"] is None
    text = coterie("plan", "--trace", trace, "--workers", 6, "--work", "20h", "--checkpoint", "5min", "--jobs-every",
                   "20min", "--jobs-last", "5min").stdout
    assert "not known with background jobs" in text
    assert all(len(line) <= 80 for line in text.splitlines() if str(trace.parent) not in line)


def test_beside_jobs_lists_that_are_much_longer_than_the_work_keep_their_jobs_in_other_circumstances(coterie):
    """50 checkpoints of 6 min before 1 h of work: one machine that does not show up once in ten does nine tenths, but for
    the sampled law, which is good to 1 %."""
    words = ["--risk", "exponential(rate=0.1)", "--risk-unit", "1h", "--machines", 1, "--work", "1h", "--checkpoint",
             "6min", "--chunks", 50, "--jobs-every", "2h", "--jobs-last", "114min", "--format", "json"]
    what_if = json.loads(coterie("plan", *words).stdout)["what_if"]
    assumed, absent = (next(one["expected_work"]["no-replication"] for one in what_if if (one["kind"], one["value"]) == kind)
                       for kind in (("as-thought", None), ("absent", 0.1)))
    assert absent == pytest.approx(0.9 * assumed, rel=0.02)


@pytest.mark.parametrize("chunks, own", [(1, False), (19, False), (20, True)])
def test_machines_have_orders_of_their_own_where_there_are_as_many(coterie, chunks, own):
    text = coterie("plan", "--risk", "exponential(rate=0.1)", "--risk-unit", "1h", "--machines", 20, "--work", "1h",
                   "--checkpoint", "6min", "--chunks", chunks, "--strategy", "greedy").stdout
    assert "Each of the 20 machines runs all chunks" in " ".join(text.split())
    assert ("in an order of its own" in " ".join(text.split())) == own


def test_late_news_is_worth_less(coterie, trace):
    """Central, on the same lives: at once, and later than anything lasts."""
    def central(latency):
        options = plan(coterie, trace, "--latency", latency, work="10h", checkpoint="20min")["listening"]["strategies"]
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
    assert thought["circumstance"] == "as assumed"
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
    assert max(float(row["finish"]) for row in rows) == pytest.approx(answer["last_finish_without_jobs"], abs=len(rows))  # whole seconds
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
        assert "age = 400 s (6.667 min): no spell of the trace is longer, so every worker is interrupted at once" in done.stderr


def test_times_beside_jobs_are_said_to_be_without_them(coterie, trace):
    words = ["plan", "--trace", trace, "--workers", 3, "--work", "20h", "--checkpoint", "5min", "--resamples", 0]
    note = '("lists take" is the time without any background job.)'
    assert note in coterie(*words, "--jobs-every", "20min", "--jobs-last", "5min").stdout
    assert note not in coterie(*words).stdout
    assert "none is there when the work begins" in " ".join(coterie("plan", "--help").stdout.split())


def test_with_open_spells_it_is_better_in_either_case(coterie, tmp_path):
    """One share for either case; a share of resamples in which it is better in both says little of each."""
    path = tmp_path / "censored.csv"
    path.write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 10)
    words = ["--trace", path, "--workers", 3, "--work", "20h", "--checkpoint", "5min", "--resamples", 50]
    found = json.loads(coterie("plan", *words, "--format", "json").stdout)["confidence"]
    text = " ".join(coterie("plan", *words).stdout.split())
    for name in {"no-replication", "brute"} & set(found["better_than"]):
        never, gone = (f"{100 * found[key][name]:.3g} %" for key in ("better_than", "better_than_if_gone"))
        assert f"better than {name} in {never} of them if those machines never leave, in {gone} if they do." in text
    decided = json.loads(coterie("plan", *words, "--tail", "gone", "--format", "json").stdout)["confidence"]
    assert decided["better_than_if_gone"] is None


@pytest.mark.parametrize("hours, said", [
    ([1, 3, 9, 27], "The trace has only 4 interruptions of such machines, too few to say; 200 resamples of it give "),
    ([30, 40], "The trace does not say: resamples of it all give the same."),
    ([1, 2, 3, 5, 8, 13], "in 95 % of the cases"),
])
def test_traces_of_few_spells_tell_no_95_per_cent(coterie, tmp_path, hours, said):
    (tmp_path / "few.durations").write_text("".join(f"{3600 * one}\n" for one in hours))
    text = coterie("plan", "--trace", tmp_path / "few.durations", "--option", "unit=s", "--workers", 2, "--work", "6h",
                   "--checkpoint", "5min", "--instances", 100).stdout
    text = " ".join(text.split())
    assert said in text and text.count("95 % of the cases") == said.count("95 % of the cases")


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


def test_an_age_means_the_same_wherever_it_is_said(coterie, tmp_path):
    log = tmp_path / "whole-hours.txt"
    log.write_text("".join(f"{3600 * hours}\n" for hours in [1, 1, 2, 2, 2, 3, 4, 4, 5, 10]))
    words = dict(workers=1, work="1h", checkpoint="5min")
    fixed = ["--strategy", "brute", "--chunks", 1]

    def expected(age):
        return plan(coterie, log, *fixed, "--age", age, **words)["answer"]["expected_work"]

    asked = plan(coterie, log, *fixed, **words)
    what_if = {one["value"]: one["expected_work"][asked["answer"]["strategy"]] for one in asked["what_if"]
               if one["kind"] == "up-longer"}

    assert set(what_if) == {1800, 7200}  # a quarter of the median, and the median
    for age, value in what_if.items():
        assert abs(expected(f"{age}s") - value) < 1e-12 * 3600
    # Half of the three spells of 2 h and some minutes still run at 2 h: 4 of 5 + 1.5 last for the chunk.
    assert abs(expected("2h") / 3600 - 4 / 6.5) < 1e-12
    assert abs(expected("119min") - expected("2h")) < 0.01 * 3600 and abs(expected("121min") - expected("2h")) < 0.01 * 3600


def test_both_answers_to_an_open_tail_are_told_and_neither_ruins_the_plan(coterie, tmp_path):
    trace = tmp_path / "open.csv"
    trace.write_text("duration,observed\n60,1\n70,1\n" + "150,0\n" * 10)
    words = dict(workers=2, work="10min", checkpoint="20s")
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
    text = coterie("plan", "--trace", trace, "--workers", 2, "--work", "10min", "--checkpoint", "20s").stdout
    said = " ".join(text.split())
    assert "How long 83.3 % of the machines stay is unknown" in said and "nothing is known beyond 2.5 min from the start" in said
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
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--export", "plan.txt"], ".csv, .json, .sbatch, .sub or .svg"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--confidence", "100"], "below 100"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--machines", "3-5", "--deadline", "9h"], "give either --workers"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--price", "spot=1"], "--price must be two prices"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--price", "spot=1,on-demand=0"], "--price must be two prices"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--price", "spot=1,spot=2"], "--price must be two prices"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--frontier", "f.svg"], "--frontier needs --price"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--jobs-every", "1h"], "go together"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--risk", "linear"], "either"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--age", "1000d"],
     "--age: trace: age = 8.64e+07 s (1000 d): the trace has no interruption at that age or later; its last is at"),
    (["--trace", "T", "--work", "20h", "--checkpoint", "5min", "--option", "unit"], "KEY=VALUE"),
    (["--risk", "linear", "--work", "20h", "--checkpoint", "5min"], "--risk-unit"),
    (["--risk", "trace (file=normalised.txt)", "--risk-unit", "1h", "--work", "20h", "--checkpoint", "5min"],
     "leave out --risk-unit"),
    (["--risk", "trace(file=x)", "--risk-unit", "1h", "--work", "20h", "--checkpoint", "5min"], "leave out --risk-unit"),
    (["--risk", "mix(1 : trace(file=x, normalise=none), 1 : trace(file=y))", "--risk-unit", "1s", "--work", "20h",
      "--checkpoint", "5min"], "leave out --risk-unit"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--age", "5"], "--age goes with --trace"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--workers", "0"], "--workers"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--instances", "0"], "--instances"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--instances", "1e-3"], "--instances must be a whole number"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--chunks", "1e9"], "--chunks must be at most 10000000"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--lambda", "2"], "lambda must be above 0 and at most 1, not 2"),
    (["--trace", "T", "--work", "1e10h", "--checkpoint", "5min", "--tail", "gone"],
     "the work is more than 10000000 times what one worker can do before it is interrupted"),
])
def test_bad_input_is_told(coterie, trace, words, message):
    words = [trace if word == "T" else word for word in words]
    workers = [] if "--workers" in words else ["--workers", 3]
    result = coterie("plan", *words, *workers, check=False)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("words, message", [
    (["--machines", "5-50"], "--machines needs --deadline"),
    (["--machines", "50-5", "--deadline", "9h"], "the smaller number comes first"),
    (["--machines", "5.5", "--deadline", "9h"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    (["--machines", "0"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    (["--machines", "10001"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    (["--machines", "0-5", "--deadline", "9h"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    (["--machines", "2-5", "--deadline", "9h", "--tail", "gone", "--price", "spot=1,on-demand=2"], "not --machines 2-5"),
    (["--machines", "auto", "--deadline", "5min"], "no number of machines"),
    (["--machines", "2-5", "--deadline", "9h", "--confidence", "99.99999999"], "that takes 36888832442 runs to show"),
    (["--machines", "abc"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    (["--machines", "2-5", "--deadline", "9h", "--confidence", "99.9", "--instances", 300],
     "even if all of 300 runs succeed, they do not show that; give at least 3688 --instances"),
    (["--machines", "auto", "--deadline", "9h", "--jobs-every", "1h", "--jobs-last", "1min"], "with background jobs"),
    ([], "--machines is missing"),
])
def test_bad_numbers_of_machines_are_told(coterie, trace, words, message):
    done = coterie("plan", "--trace", trace, "--work", "20h", "--checkpoint", "5min", *words, check=False)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize("risk, in_seconds", [
    ("exponential(rate=1)", "exponential(rate=1/1800)"),
    ("hyperexponential(p=0.3, rate1=4, rate2=0.5)", "hyperexponential(p=0.3, rate1=4/1800, rate2=0.5/1800)")])
def test_beside_jobs_the_expected_work_of_exponential_risks_is_a_campaigns(coterie, tmp_path, risk, in_seconds):
    words = ["plan", "--risk", risk, "--risk-unit", "30min", "--workers", 3, "--work", "2h", "--checkpoint", "2min",
             "--jobs-every", "20min", "--jobs-last", "5min", "--resamples", 0]
    text = coterie(*words, "--export", "plan.csv", cwd=tmp_path).stdout
    assert "Without jobs, a machine that stays finishes its list after" in text
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


def test_a_log_without_an_interruption_is_no_answer(coterie, tmp_path):
    log = tmp_path / "quiet.durations"
    log.write_text("duration,observed\n3600,0\n7200,0\n")
    words = ["--trace", log, "--machines", 3, "--work", "5h", "--checkpoint", "5min"]
    done = coterie("plan", *words, check=False)
    assert done.returncode != 0 and "the trace does not say how long such machines stay" in done.stderr
    assert "observed=" in done.stderr and "estimator naive" in done.stderr


def test_what_cannot_be_done_is_said(coterie, tmp_path):
    """Machines that are gone before a checkpoint is through, and a deadline before the first chunk can end."""
    log = tmp_path / "short.durations"
    log.write_text("10\n20\n30\n25\n")
    words = ["--machines", 3, "--work", "5h", "--checkpoint", "5min", "--instances", 500]
    text = coterie("plan", "--trace", log, "--option", "unit=s", *words).stdout
    assert "no machine stays long enough for the first chunk of its list and its checkpoint" in text
    text = coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "3h", *words, "--deadline", "3min").stdout
    assert "No: none of these succeeds in any run." in text.replace("\n", " ")
    assert "no machine stays" not in text


def test_what_there_is_one_of_is_named_so(coterie, tmp_path):
    (tmp_path / "one.csv").write_text("duration,observed\n18000,1\n")
    (tmp_path / "classes.csv").write_text(f"machines,trace\n1,{tmp_path / 'one.csv'}\n")
    (tmp_path / "one.toml").write_text('seed = 1\ninstances = 2\nstrategies = ["greedy"]\n[grid]\nworkers = 1\nwork = 0.5\n'
                                       'startup = 0.01\n')
    asked = ["--work", "2h", "--checkpoint", "10min", "--option", "unit=s", "--instances", 2, "--resamples", 1]
    of_trace = ["plan", "--trace", tmp_path / "one.csv", *asked]
    commands = [[*of_trace, "--workers", 1], [*of_trace, "--workers", 2, "--zones", 1, "--common", 0.5],
                ["plan", "--classes", tmp_path / "classes.csv", *asked],
                [*of_trace, "--machines", "1-2", "--deadline", "9h", "--confidence", 5],
                ["trace", "info", tmp_path / "one.csv", "--option", "unit=s"],
                ["validate", tmp_path / "one.toml"],
                ["run", tmp_path / "one.toml", "--output", tmp_path / "one.h5"],
                ["status", tmp_path / "one.h5"], ["show", tmp_path / "one.h5"],
                ["replay", tmp_path / "one.h5", "--configuration", 0, "--instance", 1],
                ["schedule", "--strategy", "greedy", "--workers", 1, "--work", 0.5, "--chunks", 1],
                ["schedule", "--strategy", "greedy", "--workers", 2, "--work", 0.5, "--chunks", 1, "--zones", 1,
                 "--common", 0.5]]
    said = [coterie(*command) for command in commands]
    text = "\n".join(one.stdout + one.stderr for one in said)
    words = "spells runs machines workers chunks classes zones configurations strategies instances resamples hosts rows".split()
    assert re.findall(rf"(?<![\d.])1 (?:{'|'.join(words)})\b.*", text) == []
    for word in ("1 spell", "1 machine ", "1 worker", "1 chunk", "1 class", "1 zone", "1 configuration", "1 strategy"):
        assert word in text, word


def test_what_is_known_of_open_tails_starts_at_the_age(coterie, tmp_path):
    """Watched for 10 h at most, machines that are 90 min old are known for 8.5 h more."""
    trace = tmp_path / "t.csv"
    trace.write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 30)
    said = " ".join(coterie("plan", "--trace", trace, "--workers", 2, "--work", "10h", "--checkpoint", "5min", "--age",
                            "90min", "--instances", 100).stdout.split())
    assert "nothing is known beyond 8.5 h from the start" in said


OPEN = "host,start,end,reason\nb,0,,preempted\n" + "".join(f"a{k},0,{k},preempted\n" for k in range(100, 8000, 100))


@pytest.mark.parametrize("words", [
    ["--risk", "trace(file=log.csv, normalise=none)"],
    ["--risk", "mix(1 : trace(file=log.csv, normalise=none), 1 : exponential(rate=0.001))", "--risk-unit", "1s"],
    ["--risk", "exponential(rate=0.001)", "--risk-unit", "1s", "--horizon", "10h", "--availability",
     "renewal(down=trace(file=log.csv, normalise=none))"]])
def test_plan_warns_of_what_any_file_leaves_out(coterie, tmp_path, words):
    (tmp_path / "log.csv").write_text(OPEN)
    words = [*words, "--workers", 2, "--work", "1h", "--checkpoint", "2min", "--instances", 100]
    answer = json.loads(coterie("plan", *words, "--format", "json", cwd=tmp_path).stdout)
    assert any("1 row has an interruption as its cause but no end" in one for one in answer["warnings"])


def test_plan_warns_of_each_file_though_both_leave_out_the_same(coterie, tmp_path):
    for name in ("one.csv", "other.csv"):
        (tmp_path / name).write_text(OPEN)
    risk = "mix(1 : trace(file=one.csv, normalise=none), 1 : trace(file=other.csv, normalise=none))"
    answer = json.loads(coterie("plan", "--risk", risk, "--risk-unit", "1s", "--workers", 2, "--work", "1h", "--checkpoint",
                                "10s", "--instances", 100, "--format", "json", cwd=tmp_path).stdout)
    told = [one for one in answer["warnings"] if "1 row has an interruption as its cause but no end" in one]
    assert [one.split(":")[0] for one in told] == ["one.csv", "other.csv"]


def test_a_format_is_a_name_and_no_more(coterie, trace):
    done = coterie("plan", "--trace", trace, "--workers", 2, "--work", "1h", "--checkpoint", "10s", "--trace-format",
                   "durations, tail=gone", check=False)
    assert done.returncode == 2
    assert 'unknown trace format "durations, tail=gone"' in done.stderr


def test_resamples_of_one_spell_have_no_effect(coterie, tmp_path):
    (tmp_path / "one.durations").write_text("5000\n")
    done = coterie("plan", "--trace", tmp_path / "one.durations", "--workers", 2, "--work", "1h", "--checkpoint", "10s",
                   "--resamples", 50, "--instances", 100)
    assert "--resamples has no effect: resamples of one spell are that spell" in done.stderr


def test_a_picture_of_several_classes_has_the_risks_of_their_machines(coterie, tmp_path):
    """The shades of a plan in hours are those of the same schedule in bare numbers."""
    (tmp_path / "short.durations").write_text("".join(f"{600 * k}\n" for k in range(1, 61)))
    (tmp_path / "long.durations").write_text("".join(f"{3600 * k}\n" for k in range(1, 61)))
    (tmp_path / "c.csv").write_text("machines,trace\n1,short.durations\n1,long.durations\n")
    coterie("plan", "--classes", "c.csv", "--work", "10h", "--checkpoint", "6min", "--strategy", "brute", "--chunks", 5,
            "--instances", 100, "--option", "unit=s", "--export", "p.svg", cwd=tmp_path)
    drawn = (tmp_path / "p.svg").read_text()
    rows = re.findall(r'y="([\d.]+)" width="[\d.]+" height="[\d.]+" fill="#b03030" fill-opacity="([\d.]+)"', drawn)
    shades = {row: [float(opacity) for of, opacity in rows if of == row] for row, _ in rows}
    short, long = shades.values()
    # The lists take 10.5 h: all of the short ones are gone by then, of the long ones one in six.
    assert short[0] < 0.01 and short[-1] == pytest.approx(0.35, abs=0.001)
    assert long[0] < 0.01 and long[-1] == pytest.approx(0.35 * 10 / 60, abs=0.005)


def test_pictures_and_exports_tell_both_answers_to_an_open_tail(coterie, tmp_path):
    (tmp_path / "open.csv").write_text("duration,observed\n" + "3600,1\n7200,1\n36000,0\n" * 30)
    words = ["--trace", "open.csv", "--workers", 2, "--work", "10h", "--checkpoint", "20min", "--instances", 100]
    for kind in ("svg", "json"):
        coterie("plan", *words, "--export", f"p.{kind}", cwd=tmp_path)
    answer = json.loads(coterie("plan", *words, "--format", "json", cwd=tmp_path).stdout)["answer"]
    exported = json.loads((tmp_path / "p.json").read_text())
    assert exported["expected_work_if_gone"] == pytest.approx(answer["if_gone"]["expected_work"])
    assert "if all not seen to leave do)" in (tmp_path / "p.svg").read_text()
