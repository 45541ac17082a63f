"""coterie plan for machines that come back, and for recordings that do not stay as they were."""
import json
import math

import h5py
import pytest

RENEWAL = "renewal(down=exponential(rate=2), resume=0.1)"
WORDS = ["--risk", "exponential(rate=1)", "--risk-unit", "10h", "--machines", 4, "--work", "50h", "--checkpoint", "30min",
         "--latency", "1h"]
NUMBERS = ("completed", "all_done", "machine_time", "wasted", "done_by")


def plan(coterie, *more, words=WORDS):
    return json.loads(coterie("plan", *words, "--instances", 3000, *more, "--format", "json").stdout)


def rows(answer):
    return {row["strategy"]: row for row in answer["listening"]["strategies"]}


def test_a_campaign_says_the_same(coterie, tmp_path):
    """Of each mean 7.5 standard errors: false alarm 6e-14."""
    found = plan(coterie, "--strategy", "best", "--availability", RENEWAL, "--horizon", "24h")
    campaign = tmp_path / "same.toml"
    campaign.write_text("""model = "dispatch"
instances = 3000
strategies = ["best", "no-replication", "brute", "skip(best)", "help", "central"]
[grid]
workers = 4
work = 5
startup = 0.05
risk = "exponential(rate=1)"
latency = 0.1
horizon = 2.4
availability = "renewal(down=exponential(rate=2), resume=0.1)"
""")
    coterie("run", campaign, "--output", tmp_path / "same.h5", "--quiet")
    with h5py.File(tmp_path / "same.h5") as file:
        for number, name in enumerate(["best", "no-replication", "brute", "skip(best)", "help", "central"]):
            completed = file["ratio"][0, number] * file["reference"][0]
            for key, values in (("completed", completed), ("machine_time", file["machine_time"][0, number]),
                                ("wasted", file["wasted"][0, number])):
                apart = 36000 * 7.5 * values.std() * math.sqrt(2 / 3000)
                assert abs(rows(found)[name][key] - 36000 * values.mean()) < apart, (name, key)
    assert rows(found)["central"]["policy"]["c_min"] in [pytest.approx(1800 * k) for k in (1, 2, 3, 5, 10, 20)]


def test_machines_that_come_back_too_late_are_gone_for_ever(coterie):
    """With the risk over before the horizon nothing else differs."""
    words = ["--risk", "linear(kappa=1)", "--risk-unit", "10h", *WORDS[4:]]
    once = rows(plan(coterie, words=words))
    late = rows(plan(coterie, "--availability", "renewal(down=exponential(rate=1e-12))", "--horizon", "20h", words=words))
    for name in list(once)[:3]:  # the list, without what is complete, and help
        for key in NUMBERS:
            assert late[name][key] == pytest.approx(once[name][key], rel=1e-9), (name, key)


def test_once_is_what_is_assumed_anyway(coterie):
    assert plan(coterie, "--availability", "once") == plan(coterie)


def test_machines_resume_after_a_length_with_a_unit(coterie):
    found, same = (plan(coterie, "--availability", text, "--horizon", "24h")
                   for text in (RENEWAL, RENEWAL.replace("0.1", "1h")))
    for part in ("answer", "alternatives", "listening"):
        assert found[part] == same[part], part


def test_coming_back_is_worth_something_and_said(coterie):
    once, back = plan(coterie), plan(coterie, "--availability", RENEWAL, "--horizon", "40h")
    assert back["assumed"]["machines_return"] and not once["assumed"]["machines_return"]
    assert (back["assumed"]["availability"], back["assumed"]["horizon"]) == (RENEWAL, 144000)
    assert (once["assumed"]["availability"], once["assumed"]["horizon"]) == ("once", None)
    assert rows(back)["central"]["completed"] > 1.2 * rows(once)["central"]["completed"]
    first = back["listening"]["strategies"][0]
    assert back["answer"]["with_returns"] == {key: first[key] for key in ("completed", "all_done")}
    assert once["answer"]["with_returns"] is None and first["completed"] > 1.05 * back["answer"]["expected_work"]
    assert back["what_if"] == [] and back["confidence"] is None and back["other_intervals"] is None
    text = " ".join(coterie("plan", *WORDS, "--availability", RENEWAL, "--horizon", "40h").stdout.split())
    median = math.log(2) / 2 * 10 + 1
    assert f"come back as new, half of them within about {median:.4g} h." in text and "never come back" not in text
    assert text.index("from machines that come back: the mean of") < text.index("If none came back, expect")
    assert "Nothing done after 40 h counts." in text and "before a machine first leaves, but compared" in text
    assert all(len(line) <= 80 for line in coterie("plan", *WORDS, "--availability", RENEWAL, "--horizon",
                                                   "40h").stdout.splitlines())


def test_schedules_are_compared_for_machines_that_come_back(coterie):
    """Those that are back soon end their own lists: copies are of little use."""
    words = ["--availability", "renewal(down=exponential(rate=50))", "--horizon", "40h"]
    found, once = plan(coterie, *words), plan(coterie)
    static = {row["strategy"]: row for row in found["listening"]["strategies"] if not row["listens"]}
    told = {option["strategy"]: option for option in [found["answer"], *found["alternatives"]]}
    assert set(static) == set(told)
    for name, row in static.items():
        assert told[name]["with_returns"] == {key: row[key] for key in ("completed", "all_done")}
    most = max(row["completed"] for row in static.values())
    half = {name: row["done_by"]["q50"] or math.inf for name, row in static.items() if 1.001 * row["completed"] >= most}
    order = ["no-replication", "brute", "cyclic-replication", "greedy", "refined", "best"]
    soon = [name for name in order if name in half and 0.99 * half[name] <= min(half.values())]
    assert found["answer"]["strategy"] == soon[0] != once["answer"]["strategy"]
    named = plan(coterie, *words, "--strategy", once["answer"]["strategy"])
    assert named["answer"]["strategy"] == once["answer"]["strategy"]
    text = coterie("plan", *WORDS, *words).stdout
    assert f"{soon[0]} is the plainest of those that finish soonest" in " ".join(text.split()) and all(len(line) <= 80 for line in text.splitlines())


def test_nothing_is_said_to_be_soonest_if_none_is_ever_done(coterie):
    text = " ".join(coterie("plan", *WORDS, "--availability", RENEWAL, "--horizon", "2h", "--instances", 200).stdout.split())
    assert "is the plainest." in text and "soonest" not in text


def test_windows_of_a_recording(coterie, tmp_path):
    """Machines that are always up do all of it; those that are up for one hour in two have half the time."""
    log = tmp_path / "recorded.csv"
    log.write_text("host,start,end\n" + "".join(f"h{k},0,1000000\n" for k in range(4)))
    words = ["--risk", "exponential(rate=1)", "--risk-unit", "10h", "--machines", 4, "--work", "8h", "--checkpoint", "6min"]
    found = plan(coterie, "--strategy", "no-replication", "--availability", f"replay(trace={log}, window=20h)", words=words)
    for row in rows(found).values():
        assert row["completed"] == pytest.approx(28800) and row["all_done"] == 1, row
    chunks = found["answer"]["chunks"]
    assert rows(found)["no-replication"]["machine_time"] == pytest.approx(28800 + 360 * chunks)
    assert found["assumed"]["horizon"] == 72000
    log.write_text("host,start,end\n" + "".join(f"h{k},{7200 * i},{7200 * i + 3600}\n" for k in range(4) for i in range(100)))
    half = rows(plan(coterie, "--availability", f"replay(trace={log}, window=2h)", words=words))
    assert all(row["completed"] <= 4 * 3600 and row["machine_time"] <= 4 * 3600 * (1 + 1e-9) for row in half.values())
    assert half["central"]["machine_time"] > 0.8 * 4 * 3600
    assert "as recorded in " + str(log) + "," in " ".join(coterie(
        "plan", *words, "--availability", f"replay(trace={log}, window=2h)").stdout.split())


@pytest.mark.parametrize("words, message", [
    (["--availability", RENEWAL], "needs --horizon, such as 24h"),
    (["--horizon", "24h"], "--horizon goes with --availability renewal"),
    (["--availability", "renew(down=linear)"], 'unknown availability "renew"'),
    (["--availability", "renewal(up=linear)", "--horizon", "24h"], "up"),
    (["--availability", "renewal(down=liner)", "--horizon", "24h"], "linear"),
    (["--availability", "renewal(down=linear, resume=-60)", "--horizon", "24h"],
     "--availability: renewal: resume must be a time not below 0, bare or with its unit"),
    (["--availability", "renewal(down=linear, resume=soon)", "--horizon", "24h"],
     "--availability: renewal: resume must be a time"),
    (["--availability", "renewal(down=linear, resume=5min, scale=1h)", "--horizon", "24h"],
     "--availability renewal(...): times are in the unit of the risk; leave out scale"),
    (["--availability", "replay(trace=R, window=0)"], "--availability: replay: window must be a time above 0"),
    (["--availability", RENEWAL, "--horizon", "24h", "--deadline", "30h"], "--deadline 30h is beyond --horizon"),
    (["--availability", RENEWAL, "--horizon", "24h", "--price", "spot=1,on-demand=2"], "leave out --price"),
    (["--availability", RENEWAL, "--horizon", "24h", "--zones", "2", "--common", ".5"], "leave out --zones"),
    (["--availability", RENEWAL, "--horizon", "24h", "--jobs-every", "1h", "--jobs-last", "1min"], "leave out --jobs-every"),
    (["--availability", RENEWAL, "--horizon", "24h", "--resamples", "9"], "leave out --resamples"),
    (["--availability", "renewal(down=trace(file=R))", "--horizon", "24h"],
     "would become one unit of time, 10 h; write normalise=horizon(36000) into it"),
    (["--availability", "replay(trace=R, window=5h)", "--horizon", "5h"], "is the horizon"),
    (["--availability", "replay(trace=R, window=5h, scale=1h)"], "leave out scale"),
    (["--availability", "replay(trace=R, window=900h)"],
     "--availability: replay: the window of 37.5 d is longer than the recording"),
    (["--availability", "replay(trace=R, window=2h)"], "at most 1, the machines of the recording"),
    (["--availability", "replay"], '"window" is missing'),
])
def test_what_makes_no_sense_is_refused(coterie, tmp_path, words, message):
    log = tmp_path / "r.csv"
    log.write_text("host,start,end\na,0,40000\n")
    done = coterie("plan", *WORDS, *(word.replace("=R", f"={log}") for word in words), check=False)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


def test_what_makes_no_sense_with_a_log_is_refused(coterie, tmp_path):
    log, back = tmp_path / "log.durations", ["--availability", RENEWAL, "--horizon", "24h"]
    log.write_text("duration,observed\n" + "".join(f"{3600 * k},{k % 2}\n" for k in range(1, 61)))
    words = ["--trace", log, "--work", "50h", "--checkpoint", "5min", *back]
    for more, message in ((["--machines", 4], "--tail immortal or gone"),
                          (["--machines", "2-9", "--deadline", "9h", "--tail", "gone"], "not --machines 2-9"),
                          (["--machines", 4, "--tail", "gone", "--age", "2h"], "leave out --age")):
        done = coterie("plan", *words, *more, check=False)
        assert done.returncode == 2 and message in done.stderr and done.stdout == "", more
    bare = coterie("plan", "--risk", "linear", "--machines", 1, "--work", 2, "--checkpoint", 0.1, "--availability",
                   f"replay(trace={log}, window=1)", check=False)
    assert bare.returncode == 2 and "--risk-unit" in bare.stderr
    bare = coterie("plan", "--risk", "linear", "--machines", 1, "--work", 2, "--checkpoint", 0.1, "--horizon", 1,
                   "--availability", "renewal(down=linear, resume=5min)", check=False)
    assert bare.returncode == 2 and "such as --risk-unit 1h: resume = 5min is not a number" in bare.stderr


def recording(path, growth):
    """Of hosts with spells of 1 to 20 thousand seconds in turn, so many times shorter from halfway on."""
    lines = ["host,start,end"]
    for host in range(10):
        time, spell = 0, 2 * host
        while time < 1_000_000:
            end = time + 1000 * (spell % 20 + 1) // (growth if time > 500_000 else 1)
            lines.append(f"h{host},{time},{end}")
            time, spell = end + 60, spell + 7
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_recording_that_changes_is_told(coterie, tmp_path):
    words = ["--machines", 4, "--work", "20h", "--checkpoint", "5min", "--tail", "gone"]
    changed, stays = recording(tmp_path / "changed.csv", 4), recording(tmp_path / "stays.csv", 1)
    info = json.loads(coterie("trace", "info", changed, "--format", "json").stdout)
    found = plan(coterie, words=["--trace", changed, *words])
    assert info["change_p"] < 0.01 and found["question"]["machines"]["change"] == pytest.approx(info["change"])
    assert any("at equal age" in warning for warning in found["warnings"])
    for text in (coterie("plan", "--trace", changed, *words).stdout,
                 coterie("plan", "--risk", f"trace(file={changed}, tail=gone, normalise=none)", *words[:-2]).stdout):
        told = " ".join(text.split())
        assert "machines go on as recorded. But" in told and f"{info['change']:.3g} times as many" in told
        assert told.index("go on as recorded. But") < told.index("Do this")
    assert "go on as recorded" not in coterie("plan", "--trace", stays, *words).stdout
    assert not any("at equal age" in warning for warning in plan(coterie, words=["--trace", stays, *words])["warnings"])


def test_what_a_machine_that_comes_back_does_with_its_list_is_told(coterie):
    for more, returns in ((["--availability", RENEWAL, "--horizon", "24h"], True), ([], False)):
        text = coterie("plan", *WORDS, *more, "--instances", 50).stdout
        assert ("goes on with its list, from the chunk that it lost" in text) == returns


def test_absences_that_may_never_end_are_told(coterie, tmp_path):
    (tmp_path / "down").write_text("duration,observed\n" + "60,1\n" * 6 + "3600,0\n" * 4)
    text = coterie("plan", *WORDS, "--instances", 50, "--horizon", "24h", "--availability",
                   f"renewal(down=trace(file={tmp_path / 'down'}, normalise=none))").stdout
    assert "40.0 % of absences are assumed never to end" in " ".join(text.split())
