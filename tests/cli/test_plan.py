"""coterie plan: a question in, one answer out, as JSON and in at most 25 lines."""
import csv
import json
import math
import random
import re

import pytest

LAW = ["--risk", "exponential(rate=1)", "--risk-unit", "10h"]


@pytest.fixture
def trace(tmp_path):
    draw = random.Random(7)
    path = tmp_path / "lab machines.txt"
    path.write_text("".join(f"{draw.weibullvariate(9000, 0.8):.1f}\n" for _ in range(400)))
    return path


def log_of(path, rows):
    """(host, begin, end, whether it was interrupted), in hours after a Monday, as a log with calendar times."""
    def time(hours):
        return f"2026-06-{1 + int(hours // 24):02d}T{int(hours % 24):02d}:{int(hours * 60 % 60):02d}:{round(hours * 3600) % 60:02d}Z"

    path.write_text("instance,start,end,reason\n" + "".join(
        f"{host},{time(begin)},{time(end)},{'preempted' if gone else 'stop'}\n" for host, begin, end, gone in rows))
    return path


@pytest.fixture
def returning(tmp_path):
    """Hosts that are up for an exponential time of mean 5 h and away for 12 to 36 minutes."""
    draw, rows = random.Random(5), []
    for host in range(12):
        now = draw.random()
        while now < 500:
            end = min(now + draw.expovariate(1 / 5), 500)
            rows.append((f"vm{host}", now, end, end < 500))
            now = end + draw.uniform(0.2, 0.6)
    return log_of(tmp_path / "spot.csv", rows)


def plan(coterie, *words, runs=2000, **options):
    return json.loads(coterie("plan", *words, "--instances", runs, "--format", "json", **options).stdout)


def best(answer):
    return answer["options"][answer["chosen"]]


def text_of(coterie, *words, runs=2000, **options):
    return coterie("plan", *words, "--instances", runs, **options).stdout


def refuses(coterie, *words, message, **options):
    done = coterie("plan", *words, check=False, **options)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert done.stdout == ""


# What is said

QUESTIONS = {
    "lists and queue": [*LAW, "--machines", 8, "--work", "40h", "--checkpoint", "5min"],
    "deadline and price": [*LAW, "--machines", 8, "--work", "40h", "--checkpoint", "5min", "--replaced", "20min",
                           "--price", 0.12, "--deadline", "9h"],
    "out of reach": [*LAW, "--machines", 3, "--work", "40h", "--checkpoint", "5min", "--deadline", "9h"],
    "zones": [*LAW, "--machines", 8, "--work", "40h", "--checkpoint", "5min", "--zones", 2, "--common", 0.5],
    "tasks": [*LAW, "--machines", 8, "--work", "36h", "--task", "1h", "--replaced", "10min"],
    "jobs": [*LAW, "--machines", 4, "--work", "10h", "--checkpoint", "5min", "--jobs-every", "5h", "--jobs-last", "30min"],
    "bare": ["--risk", "linear", "--machines", 4, "--work", 2, "--checkpoint", 0.02],
}
KEYS = {"policy", "machines", "parameters", "runs", "done_by_deadline", "done_by_deadline_low", "done_by_deadline_high",
        "finish", "work_done", "machine_time", "rented_time", "cost", "wasted", "failed_tasks", "interruptions"}


@pytest.mark.parametrize("words", QUESTIONS.values(), ids=QUESTIONS)
def test_an_answer_is_short_and_its_json_has_the_keys(coterie, words):
    text, answer = text_of(coterie, *words, runs=500), plan(coterie, *words, runs=500)
    lines = text.splitlines()
    assert len(lines) <= 25 and max(map(len, lines)) <= 80
    assert lines[0].startswith("Do this: ") and "Assumed: " in text
    assert {"question", "chosen", "reason", "assumptions", "doubts", "options"} <= set(answer)
    assert answer["chosen"] == 0 and all(KEYS <= set(option) for option in answer["options"])
    assert all(set(option["finish"]) == {"q50", "q90", "q95"} for option in answer["options"])
    flat = " ".join(text.split())
    assert answer["reason"] in flat
    assert all(sentence in flat for sentence in answer["assumptions"])
    if answer["unit"]:
        assert answer["question"]["work"] == pytest.approx(3600 * float(words[words.index("--work") + 1].rstrip("h")))


def test_the_text_shows_the_numbers_of_the_json(coterie):
    words = QUESTIONS["deadline and price"]
    answer, text = plan(coterie, *words), text_of(coterie, *words)
    for option, row in zip(answer["options"], text.split("\n\n")[1].splitlines()[1:]):
        name, in_time, _, _, _, cost, hours = re.fullmatch(
            r"(\S+) +(\S+ %) +(\S+ %) +(\S+ \w+|-) +(\S+ \w+|-) +(\S+) +(\S+)", row).groups()
        share = option["done_by_deadline"]
        assert name == option["policy"]
        assert in_time == ("0 %" if share == 0 else "100 %" if share == 1 else "<0.1 %" if share < .001
                           else ">99.9 %" if share > .999 else f"{100 * share:.1f} %")
        assert float(cost) == pytest.approx(option["cost"], rel=1e-3)
        assert float(hours) == pytest.approx(option["machine_time"] / 3600, rel=1e-3)


def test_same_seed_same_answer_for_any_number_of_threads(coterie, monkeypatch):
    words = QUESTIONS["deadline and price"]
    first = plan(coterie, *words, runs=300)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert plan(coterie, *words, runs=300) == first
    assert plan(coterie, *words, "--seed", 2, runs=300) != first


# The choice

def test_a_deadline_takes_the_cheapest_that_meets_it(coterie):
    answer = plan(coterie, *QUESTIONS["deadline and price"])
    met = [one for one in answer["options"] if one["done_by_deadline_low"] >= 0.94]
    assert met and best(answer)["cost"] <= 1.01 * min(one["cost"] for one in met)
    assert answer["options"][:len(met)] == met  # those that do not meet it come after


def test_without_a_deadline_the_earliest_is_taken(coterie):
    answer = plan(coterie, *QUESTIONS["lists and queue"], "--replaced", "20min")
    ends = [one["finish"]["q95"] for one in answer["options"] if one["finish"]["q95"] is not None]
    assert best(answer)["finish"]["q95"] <= 1.02 * min(ends)


def test_a_deadline_out_of_reach_says_what_it_would_take(coterie):
    answer = plan(coterie, *QUESTIONS["out of reach"])
    assert best(answer)["done_by_deadline"] == max(one["done_by_deadline"] for one in answer["options"])
    more = answer["takes"]["machines"]["machines"]
    assert more > 3 and f"{more} machines" in answer["reason"]
    words = [more if word == 3 else word for word in QUESTIONS["out of reach"]]
    assert best(plan(coterie, *words))["done_by_deadline"] >= 0.9


def test_what_hardly_ever_gets_done_is_judged_by_work(coterie):
    answer = plan(coterie, *LAW, "--machines", 4, "--work", "100h", "--checkpoint", "5min")
    assert best(answer)["all_done"] < 0.5
    assert best(answer)["work_done"] >= 0.999 * max(one["work_done"] for one in answer["options"])


def test_a_number_of_machines_is_found_and_is_one(coterie):
    words = [*LAW, "--work", "40h", "--checkpoint", "5min", "--replaced", "20min", "--price", 0.1, "--deadline", "9h"]
    answer = plan(coterie, *words, "--machines", "auto")
    count = best(answer)["machines"]["machines"]
    assert best(answer)["done_by_deadline_low"] >= 0.94
    assert best(plan(coterie, *words, "--machines", count))["cost"] == pytest.approx(best(answer)["cost"], rel=0.02)
    few = plan(coterie, *words, "--machines", f"1-{max(2, count // 2)}")
    assert best(few)["cost"] >= 0.97 * best(answer)["cost"] or best(few)["done_by_deadline"] < 0.95


def test_several_groups_are_searched_alike(coterie, tmp_path):
    """Sure machines cost four times as much; spot machines alone are fast enough."""
    (tmp_path / "q.toml").write_text("""work = "40h"
checkpoint = "5min"
deadline = "9h"
[[machines]]
name = "spot"
count = "0-16"
risk = "exponential(rate=1)"
risk_unit = "10h"
replaced = "20min"
price = 0.1
[[machines]]
name = "sure"
count = "0-8"
price = 0.4
""")
    answer = plan(coterie, tmp_path / "q.toml", runs=1000)
    assert best(answer)["machines"]["sure"] == 0 and best(answer)["machines"]["spot"] >= 5
    assert best(answer)["done_by_deadline_low"] >= 0.94


# The numbers

def test_one_task_on_one_machine_that_is_replaced_at_once(coterie):
    """Mean machine time (e^(l t) - 1) / l, from independent tries; 6 standard errors of 20000 runs."""
    answer = plan(coterie, *LAW, "--machines", 1, "--work", "10h", "--task", "10h", "--replaced", 0, "--strategy", "queue",
                  runs=20000)
    mean, tries = 36000 * (math.e - 1), math.e  # a geometric number of tries
    deviation = 36000 * math.sqrt(tries * (tries - 1) + 1)  # not below the true one
    assert best(answer)["machine_time"] == pytest.approx(mean, abs=6 * deviation / math.sqrt(20000))
    assert best(answer)["interruptions"] == pytest.approx(tries - 1, abs=6 * math.sqrt(tries * (tries - 1) / 20000))


def test_sure_machines_are_exact(coterie, tmp_path):
    """Whole tasks of an hour on machines of speed 1 and 2: after 7 h these have done 7 and 14 of 21."""
    (tmp_path / "sure.toml").write_text("""work = "21h"
task = "1h"
policy = "queue"
[[machines]]
name = "slow"
count = 1
price = 1
[[machines]]
name = "fast"
count = 1
speed = 2
price = 3
""")
    option = best(plan(coterie, tmp_path / "sure.toml", runs=10))
    assert option["finish"] == {"q50": pytest.approx(25200), "q90": pytest.approx(25200), "q95": pytest.approx(25200)}
    assert option["cost"] == pytest.approx(7 * 1 + 7 * 3) and option["machine_time"] == pytest.approx(2 * 25200)


def test_machines_in_one_zone_are_lost_together(coterie):
    """One chunk on two machines of one zone with all of the risk in common: done with P = e^(-t)."""
    words = ["--risk", "exponential(rate=1)", "--machines", 2, "--work", 1, "--task", 1, "--zones", 1, "--common", 1,
             "--strategy", "brute"]
    assert best(plan(coterie, *words, runs=4000))["all_done"] == pytest.approx(math.exp(-1), abs=6 * 0.5 / math.sqrt(4000))


def test_chunks_are_not_shorter_than_their_checkpoint(coterie, tmp_path):
    draw = random.Random(3)
    (tmp_path / "few.txt").write_text("".join(f"{draw.expovariate(1 / 7000):.0f}\n" for _ in range(30)))
    for strategy in ("best", "greedy", "refined", "no-replication"):
        export = tmp_path / f"{strategy}.csv"
        coterie("plan", "--trace", tmp_path / "few.txt", "--option", "unit=s", "--machines", 6, "--work", "4h", "--checkpoint",
                "3min", "--strategy", strategy, "--export", export, "--instances", 50)
        rows = list(csv.DictReader(export.open()))
        last = {row["worker"]: row for row in rows}
        short = [row for row in rows if float(row["end"]) - float(row["begin"]) < 178 and last[row["worker"]] is not row]
        assert short == []


# What is assumed and doubted

def test_recorded_down_times_are_those_of_the_hosts(coterie, returning):
    words = ["--trace", returning, "--machines", 4, "--work", "40h", "--checkpoint", "5min"]
    recorded, like = (plan(coterie, *words, "--replaced", how) for how in ("recorded", "24min"))
    assert any("as recorded, half within 2" in one for one in recorded["assumptions"])
    assert best(recorded)["finish"]["q50"] == pytest.approx(best(like)["finish"]["q50"], rel=0.03)


def test_zones_that_the_trace_shows_are_assumed(coterie, tmp_path):
    draw, rows = random.Random(2), []
    for zone in range(3):
        shocks = sorted(draw.uniform(0, 500) for _ in range(40))
        for host in range(4):
            now = 0
            while now < 500:
                end = min([now + draw.expovariate(1 / 15), 500] + [one for one in shocks if one > now])
                rows.append((zone, host, now, end))
                now = end + 0.5
    path = tmp_path / "zones.csv"
    path.write_text("host,start,end,zone,observed\n" + "".join(
        f"z{zone}h{host},{begin * 3600:.0f},{end * 3600:.0f},z{zone},{int(end < 500)}\n" for zone, host, begin, end in rows))
    words = ["--trace", path, "--machines", 6, "--work", "20h", "--checkpoint", "5min", "--option", "unit=s"]
    group = plan(coterie, *words, runs=200)["question"]["machines"][0]
    assert group["zones"] == 3 and 0.2 < group["common"] < 0.8
    assert "zones share" in text_of(coterie, *words, runs=200)
    told = plan(coterie, *words, "--zones", 1, "--common", 0, runs=200)["question"]["machines"][0]
    assert told["common"] == 0


def clocked(path):
    """All machines are taken at 9 o'clock each morning."""
    return log_of(path, [(f"vm{host}", 24 * day + 9 + 0.01 * host + 0.1, 24 * day + 33, True)
                         for day in range(25) for host in range(10)])


def test_interruptions_that_follow_the_clock_are_a_doubt_and_a_replay_knows_them(coterie, tmp_path):
    log = clocked(tmp_path / "clock.csv")
    words = ["--work", "60h", "--checkpoint", "5min", "--machines", 6, "--deadline", "14h"]
    answer = plan(coterie, "--trace", log, *words, runs=200)
    assert any("follow the clock" in one for one in answer["doubts"])
    replay = ["--replay", log, "--window", "20h", *words]
    evening = plan(coterie, *replay, "--start", "Mon 18:00", runs=200)
    morning = plan(coterie, *replay, "--start", "Mon 08:00", runs=200)
    assert best(evening)["done_by_deadline"] == 1 and not any("clock" in one for one in evening["doubts"])
    assert best(morning)["interruptions"] >= 6


def test_a_deadline_may_be_a_time(coterie, tmp_path):
    log = clocked(tmp_path / "clock.csv")
    words = ["--trace", log, "--work", "60h", "--checkpoint", "5min", "--machines", 6]
    question = plan(coterie, *words, "--start", "Mon 18:00", "--deadline", "Tue 08:00", runs=50)["question"]
    assert question["deadline"] == 14 * 3600
    refuses(coterie, *words, "--deadline", "Tue 08:00", message="when does the work start?")
    refuses(coterie, *LAW, *words[2:], "--start", "Mon 18:00", message="no recording has the time of day")


def test_few_spells_give_a_range(coterie, tmp_path):
    draw = random.Random(4)
    for count, told in ((30, True), (300, False)):
        (tmp_path / "log.txt").write_text("".join(f"{draw.expovariate(1 / 9000):.0f}\n" for _ in range(count)))
        answer = plan(coterie, "--trace", tmp_path / "log.txt", "--option", "unit=s", "--machines", 6, "--work", "8h",
                      "--checkpoint", "3min", "--deadline", "3h", runs=400)
        assert any(f"only {count} interruptions" in one and "in 95 % of the cases" in one for one in answer["doubts"]) == told


def test_machines_that_were_not_seen_to_leave_leave_or_stay(coterie, tmp_path):
    (tmp_path / "open.csv").write_text("duration,observed\n" + "3600,1\n" * 120 + "7200,0\n" * 120)
    words = ["--trace", tmp_path / "open.csv", "--option", "unit=s", "--machines", 4, "--work", "12h", "--checkpoint", "3min",
             "--deadline", "6h", "--strategy", "queue"]
    both, gone, stay = (plan(coterie, *words, *tail) for tail in ([], ["--tail", "gone"], ["--tail", "immortal"]))
    assert best(both)["done_by_deadline"] == best(gone)["done_by_deadline"] == 0
    assert best(stay)["done_by_deadline"] > 0.3
    assert any("If they never leave" in one for one in both["doubts"]) and gone["doubts"] == []


# Questions in files

def test_a_question_file_asks_what_options_ask(coterie, tmp_path):
    (tmp_path / "q.toml").write_text("""confidence = 90
[job]
work = "40h"
checkpoint = "5min"
restart = "1min"
deadline = "9h"
[news]
latency = "1min"
[[machines]]
count = 8
risk = "exponential(rate=1)"
risk_unit = "10h"
replaced = "20min"
zones = 2
common = 0.5
price = 0.12
billed = "1h"
""")
    words = [*LAW, "--confidence", 90, "--work", "40h", "--checkpoint", "5min", "--restart", "1min", "--deadline", "9h",
             "--latency", "1min", "--machines", 8, "--replaced", "20min", "--zones", 2, "--common", .5, "--price", .12,
             "--billed", "1h"]
    assert plan(coterie, tmp_path / "q.toml", runs=200) == plan(coterie, *words, runs=200)


@pytest.mark.parametrize("lines, message", [
    ("", "q.toml:1:1: work is missing"),
    ('work = "1h"', "q.toml:1:1: checkpoint is missing"),
    ('work = "1h"\ncheckpoint = "1min"', "q.toml: a table [[machines]] is missing"),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\nprice = 1', "q.toml:3:1: count is missing"),
    ('work = 5\ncheckpoint = "1min"\n[[machines]]\ncount = 2', "q.toml:1:1: work must be a time with its unit"),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = "9-2"', "q.toml:4:1: count 9-2: the smaller number comes first"),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = 2\nprize = 3',
     'q.toml:5:1: unknown key "prize" in [[machines]] (did you mean "price"?)'),
    ('work = "1h"\n[job]\nwork = "2h"', "given twice"),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = 2\n[[machines]]\nname = "machines"\ncount = 1',
     'q.toml:6:1: name "machines": each group needs a name of its own'),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = 2\ntrace = "t.csv"\nrisk = "linear"', "q.toml:6:1: risk and trace"),
    ('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = 2\nfallback = "yes"', "q.toml:5:1: fallback must be"),
    ('work = "1h"\ncheckpoint = "1min"\npolicy = "greddy"\n[[machines]]\ncount = 2', 'q.toml:3:1: unknown strategy "greddy"'),
    ('work = "1h"\ncheckpoint = "1min"\njobs_every = "5h"\njobs_last = "1h"\n[[machines]]\ncount = 2',
     "q.toml:3:1: background jobs need machines with a trace or a risk"),
])
def test_bad_question_files_are_told_with_the_place(coterie, tmp_path, lines, message):
    (tmp_path / "q.toml").write_text(lines + "\n")
    refuses(coterie, "q.toml", cwd=tmp_path, message=message)


def test_explain_tells_how_long_chunks_of_each_group_may_be(coterie, tmp_path):
    """The faster machines are given twice the work for the same time, and machines that stay longer the longer chunks."""
    groups = "".join(f'[[machines]]\nname = "{name}"\ncount = 3\nspeed = {speed}\nrisk = "exponential(rate={rate})"\n'
                     'risk_unit = "10h"\n' for name, speed, rate in (("slow", 1, 1), ("fast", 2, 1), ("short", 1, 9)))
    (tmp_path / "q.toml").write_text(f'work = "40h"\ncheckpoint = "5min"\npolicy = "queue"\n{groups}')
    parameters = best(plan(coterie, tmp_path / "q.toml", "--explain", runs=50))["parameters"]
    first = {name: ages[0][1] for name, ages in parameters["longest_by_age"].items()}
    assert first["fast"] == pytest.approx(2 * first["slow"]) and first["short"] < 0.6 * first["slow"]


def test_options_beside_a_question_file_are_refused(coterie, tmp_path):
    (tmp_path / "q.toml").write_text('work = "1h"\ncheckpoint = "1min"\n[[machines]]\ncount = 2\n')
    refuses(coterie, "q.toml", "--deadline", "2h", cwd=tmp_path, message="--deadline: the question file q.toml says that")
    assert plan(coterie, "q.toml", "--seed", 7, runs=20, cwd=tmp_path)["question"]["seed"] == 7


# Messages

BASE = ["--trace", "T", "--work", "20h", "--checkpoint", "5min"]


@pytest.mark.parametrize("words, message", [
    (["--work", "20h", "--checkpoint", "5min", "--machines", 3], "--trace FILE or --risk"),
    (BASE, "--machines is missing"),
    ([*BASE, "--machines", "5-50"], "to find a number of machines takes --deadline"),
    ([*BASE, "--machines", "50-5", "--deadline", "9h"], "the smaller number comes first"),
    ([*BASE, "--machines", "0"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    ([*BASE, "--machines", "5.5"], "--machines must be a whole number from 1 to 10000, a range such as 5-50"),
    ([*BASE, "--machines", "auto", "--deadline", "5min"], "no number of machines"),
    ([*BASE, "--machines", 3, "--workers", 3], "either --workers or --machines"),
    ([*BASE[:3], "20", *BASE[4:], "--machines", 3], "--work must be a time with its unit"),
    ([*BASE[:3], "0h", *BASE[4:], "--machines", 3], "--work must be a time above 0"),
    ([*BASE[:4], "--machines", 3], "--checkpoint is missing"),
    ([*BASE[:5], "0", "--machines", 3], "--checkpoint 0: if chunks cost nothing"),
    ([*BASE, "--machines", 3, "--task", "30h"], "--task is longer than --work"),
    ([*BASE, "--machines", 3, "--billed", "1h"], "--billed goes with --price"),
    ([*BASE, "--machines", 3, "--jobs-every", "5h", "--jobs-last", "1h", "--price", "1"],
     "--price is not available with background jobs"),
    ([*BASE, "--machines", 3, "--option", "tail=gone"], "option tail=gone: unknown"),
    ([*BASE, "--machines", 3, "--age", "40"], "age must be a time with its unit"),
    ([*BASE, "--machines", 3, "--age", "1000d"], "--age 1000d: no machine of"),
    ([*BASE, "--machines", 3, "--strategy", "gredy"], "greedy"),
    ([*BASE, "--machines", 3, "--strategy", "random-replication"], "drawn anew"),
    ([*BASE, "--machines", 3, "--strategy", "queue", "--latency", "inf"], "queue listens, but nothing is heard"),
    ([*BASE, "--machines", 3, "--export", "plan.txt"], ".csv, .json, .sbatch, .sub or .svg"),
    ([*BASE, "--machines", 3, "--confidence", "100"], "below 100"),
    ([*BASE, "--machines", 3, "--confidence", "0.95"], "write --confidence 95"),
    ([*BASE, "--machines", 3, "--deadline", "soon"], "--deadline must be a length such as 12h or a time such as"),
    ([*BASE, "--machines", 3, "--price", "spot=1,on-demand=2"], "write a question file with two tables [[machines]]"),
    ([*BASE, "--machines", 3, "--jobs-every", "1h"], "go together"),
    ([*BASE, "--machines", 3, "--jobs-every", "1h", "--jobs-last", "1min", "--replaced", "1h"],
     "--replaced is not available with background jobs"),
    ([*BASE, "--machines", 3, "--jobs-every", "1h", "--jobs-last", "1min", "--deadline", "1h"], "with background jobs"),
    ([*BASE, "--machines", 3, "--risk", "linear"], "either"),
    ([*BASE, "--machines", 3, "--zones", 2], "--zones and --common go together"),
    ([*BASE, "--machines", 3, "--zones", 2, "--common", 1.5], "--common must be from 0 to 1"),
    ([*BASE, "--machines", 3, "--replaced", "recorded"], "a spell has no host"),
    ([*BASE, "--machines", 3, "--replaced", "linaer"], "linear"),
    ([*BASE, "--machines", 3, "--window", "1h"], "--window goes with --replay"),
    ([*BASE, "--machines", 3, "--estimator", "naive", "--tail", "gone"], "--tail goes with kaplan-meier"),
    ([*BASE, "--machines", 3, "--availability", "renewal(down=linear)"], "--replaced 20min"),
    ([*BASE, "--machines", 3, "--horizon", "5h"], "give a --deadline"),
    ([*BASE, "--machines", 3, "--chunks", "0"], "--chunks must be a whole number from 1"),
    ([*BASE, "--machines", 3, "--lambda", ".5"], "coterie schedule takes --lambda"),
    ([*BASE, "--machines", 3, "--frontier", "f.svg"], "--format json"),
    (["--risk", "linear", "--work", "20h", "--checkpoint", "5min", "--machines", 3], "--risk-unit"),
    (["--risk", "trace(file=x)", "--risk-unit", "1h", "--work", "20h", "--checkpoint", "5min", "--machines", 3],
     "leave that out"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--age", "5", "--machines", 3], "--age goes with --trace"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--machines", 3, "--instances", "0"], "--instances"),
    (["--risk", "linear", "--work", "1", "--checkpoint", ".01", "--machines", 3, "--replaced", "recorded"], "goes with --trace"),
])
def test_bad_input_is_told(coterie, trace, words, message):
    refuses(coterie, *[trace if word == "T" else word for word in words], message=message, cwd=trace.parent)


def test_a_file_of_times_in_no_unit_is_asked_about(coterie, tmp_path):
    (tmp_path / "hours.txt").write_text("1\n13\n183\n")
    refuses(coterie, "--trace", tmp_path / "hours.txt", "--machines", 2, "--work", "20h", "--checkpoint", "5min",
            message="in which unit are they? Give --option unit=s, min, h or d")


def test_hosts_that_never_return_are_told(coterie, tmp_path):
    log = log_of(tmp_path / "once.csv", [(f"vm{host}", host, host + 5, True) for host in range(20)])
    refuses(coterie, "--trace", log, "--machines", 2, "--work", "20h", "--checkpoint", "5min", "--replaced", "recorded",
            message="no machine returns under its name")


# Lists, classes and what is exact

def test_lists_are_exported_whole(coterie, trace, tmp_path):
    words = ["--trace", trace, "--machines", 4, "--work", "6h", "--checkpoint", "5min"]
    answer = plan(coterie, *words, "--export", tmp_path / "lists.csv", runs=200)
    assert best(answer)["policy"] in ("no-replication", "brute", "cyclic-replication", "greedy", "refined", "best")
    assert any("only fixed lists" in one for one in answer["assumptions"])
    rows = list(csv.DictReader((tmp_path / "lists.csv").open()))
    assert {row["worker"] for row in rows} == {"0", "1", "2", "3"}
    assert max(float(row["end"]) for row in rows) == pytest.approx(6 * 3600)
    for kind in ("json", "sbatch", "sub", "svg"):
        coterie("plan", *words, "--export", tmp_path / f"lists.{kind}", "--instances", 50)
        assert (tmp_path / f"lists.{kind}").stat().st_size > 300
    refuses(coterie, *words, "--export", trace, message="", cwd=tmp_path)


def test_the_schedule_of_a_file_is_a_policy(coterie, tmp_path):
    (tmp_path / "mine.csv").write_text("worker,begin,end\n0,0,1\n0,1,2\n1,1,2\n1,0,1\n")
    answer = plan(coterie, "--risk", "linear", "--machines", 2, "--work", 2, "--checkpoint", 0.1, "--strategy",
                  "file(path=mine.csv)", cwd=tmp_path)
    assert best(answer)["parameters"]["chunks"] == 2 and best(answer)["parameters"]["copies"] == 2


def test_an_answer_about_many_classes_is_as_short(coterie, trace, tmp_path):
    rows = [f"2;{trace.name}"] * 12
    (tmp_path / "many.csv").write_text("\n".join(["machines;trace", *rows]) + "\n")
    text = text_of(coterie, "--classes", "many.csv", "--work", "3h", "--checkpoint", "2min", runs=50, cwd=tmp_path)
    assert len(text.splitlines()) <= 25 and "(--explain tells all)" in text and "mach.-h" in text


def test_classes_are_groups(coterie, trace, tmp_path):
    (tmp_path / "short.txt").write_text("600\n1800\n4000\n" * 30)
    (tmp_path / "ours.csv").write_text(f"machines;trace;age\n3;{trace.name};\n2;short.txt;5min\n")
    answer = plan(coterie, "--classes", "ours.csv", "--work", "3h", "--checkpoint", "2min", runs=200, cwd=tmp_path)
    assert best(answer)["machines"] == {"class-1": 3, "class-2": 2}
    assert [one["age"] for one in answer["question"]["machines"]] == [0, 300]
    refuses(coterie, "--classes", "ours.csv", "--machines", 3, "--work", "3h", "--checkpoint", "2min", cwd=tmp_path,
            message="the column machines of the file says that")


def test_explain_tells_what_is_exact(coterie, trace):
    words = ["--trace", trace, "--machines", 4, "--work", "6h", "--checkpoint", "5min", "--resamples", 40]
    explained = plan(coterie, *words, "--explain", runs=5000)["explain"]
    for one in explained["strategies"]:
        assert abs(one["mean"] - one["expected_work"]) <= 6 * one["standard_error"]
        assert one["expected_work"] <= explained["static_ceiling"] * (1 + 1e-12)
        schedule = json.loads(coterie("schedule", "--strategy", one["strategy"], "--workers", 4, "--work", 21600, "--startup", 300,
                                      "--risk", f'trace(file="{trace}", normalise=none)', "--format", "json").stdout)
        assert one["expected_work"] == pytest.approx(schedule["expected_work"], rel=1e-6)
    assert explained["confidence"]["expected_work_low"] < explained["confidence"]["expected_work_high"]
    (as_assumed,) = [one for one in explained["what_if"] if one["kind"] == "as-thought"]
    assert as_assumed["expected_work"]["best"] == pytest.approx(
        [one["expected_work"] for one in explained["strategies"] if one["strategy"] == "best"][0])
    text = text_of(coterie, *words, "--explain")
    assert "What if" in text and "no static schedule can expect more" in text and "resamples of the trace" in text


def test_explain_knows_the_rules_of_one_machine_and_both_tails(coterie, tmp_path):
    (tmp_path / "open.csv").write_text("duration,observed\n" + "3600,1\n" * 60 + "7200,0\n" * 60)
    explained = plan(coterie, "--trace", tmp_path / "open.csv", "--option", "unit=s", "--machines", 1, "--work", "3h",
                     "--checkpoint", "3min", "--explain", runs=200)["explain"]
    assert explained["open"]["share"] == pytest.approx(0.5)
    assert all(one["if_gone"]["expected_work"] <= one["expected_work"] for one in explained["strategies"])
    rules = plan(coterie, *LAW, "--machines", 1, "--work", "8h", "--checkpoint", "2min", "--explain", runs=200)
    assert rules["explain"]["other_intervals"]["young"]["interval"] == pytest.approx(math.sqrt(2 * 120 * 36000))
    assert "Young's rule" in text_of(coterie, *LAW, "--machines", 1, "--work", "8h", "--checkpoint", "2min", "--explain", runs=50)


def test_what_is_simulated_only_says_so(coterie):
    assert "never replaced" in plan(coterie, *QUESTIONS["deadline and price"], "--explain", runs=50)["explain"]["why_not"]


def test_machines_of_an_age_at_which_one_left(coterie, tmp_path):
    """Of the two spells of 13 s and more one lasts long enough."""
    (tmp_path / "three.durations").write_text("1\n13\n183\n")
    answer = plan(coterie, "--trace", tmp_path / "three.durations", "--option", "unit=s", "--age", "13s", "--machines", 1,
                  "--work", "85s", "--task", "85s", "--checkpoint", "0.1s", "--strategy", "brute", runs=4000)
    assert best(answer)["all_done"] == pytest.approx(0.5, abs=6 * 0.5 / math.sqrt(4000))
