"""Logs that could be read in a way that nobody meant: each is refused, or what is assumed is counted in a warning."""
import json

import pytest


def kubernetes(uid, reason, minute, count=1):
    return json.dumps({"metadata": {"uid": uid}, "involvedObject": {"kind": "Node", "name": "n"}, "reason": reason,
                       "lastTimestamp": f"2026-06-01T{minute // 60:02}:{minute % 60:02}:00Z", "count": count})


def state(instance, state, minute):
    return json.dumps({"detail-type": "EC2 Instance State-change Notification", "time": at(minute),
                       "detail": {"instance-id": instance, "state": state}})


def warned(instance, minute):
    return json.dumps({"detail-type": "EC2 Spot Instance Interruption Warning", "time": at(minute),
                       "detail": {"instance-id": instance, "instance-action": "terminate"}})


def at(minute):
    return f"2026-06-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:00Z"


def read(coterie, path, lines, *options):
    path.write_text("".join(line + "\n" for line in lines))
    done = coterie("trace", "convert", path, "--to", "json", *options)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    return [(host, duration / 60, observed) for host, _, duration, observed, _ in answer["records"]], answer["warnings"]


def test_an_interruption_that_was_announced_happens(coterie, tmp_path):
    """Also where its end is missing, or of another life; not where the log ends before."""
    log = [state("i-1", "running", 0), warned("i-1", 60), state("i-2", "running", 0), warned("i-2", 60),
           state("i-2", "terminated", 5000), state("i-3", "running", 0), warned("i-3", 60), state("i-3", "terminated", 70),
           state("i-4", "running", 0), warned("i-4", 4995), state("i-5", "running", 5000)]
    records, warnings = read(coterie, tmp_path / "ec2.jsonl", log)
    assert sorted(records) == [("i-1", 62, 1), ("i-2", 62, 1), ("i-3", 70, 1), ("i-4", 5000, 0), ("i-5", 0, 0)]
    assert warnings["W_NOEND"] == 2 and warnings["W_LATE"] == 1 and "W_AGAIN" not in warnings
    said = coterie("trace", "info", tmp_path / "ec2.jsonl").stderr
    assert "W_NOEND: 2 notices of interruption are not followed by an end within ten minutes: the spells end at" in said
    assert "W_LATE: 1 end comes more than ten minutes after its notice of interruption and was skipped" in said


def test_events_that_are_told_twice_happen_once(coterie, tmp_path):
    log = [kubernetes("a", "NodeReady", 0), kubernetes("b", "Rebooted", 60), kubernetes("b", "Rebooted", 90, 2)]
    once, _ = read(coterie, tmp_path / "once.jsonl", log)
    twice, warnings = read(coterie, tmp_path / "twice.jsonl", log + log)
    assert sorted(once) == sorted(twice) == [("n", 0, 0), ("n", 30, 1), ("n", 60, 1)]
    assert warnings["W_AGAIN"] == 3


@pytest.mark.parametrize("rows, said", [
    (["a,0,7200", "b,5,2026-06-01T10:00:00Z"], '"2026-06-01T10:00:00Z" is a date, but line 2 has numbers'),
    (["a,2026-06-01T10:00:00Z,2026-06-01T11:00:00Z", "b,5,7"], '"5" is a number, but line 2 has dates'),
    (["a,1788220800000,1788260000000"], "1788220800000 seconds would be 56665 years; which unit is it in?"),
])
def test_times_that_cannot_be_meant_are_refused(coterie, tmp_path, rows, said):
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["host,start,end", *rows]) + "\n")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and said in done.stderr, done.stderr
    if "unit" in said:
        assert coterie("trace", "info", path, "--option", "unit=ms").returncode == 0


def test_times_of_geological_length_are_refused(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end\na,0,1e20\n")
    done = coterie("trace", "info", path, "--option", "unit=h", check=False)
    assert done.returncode == 2 and "1e20 is 3.6e+23 s; times must be less than 1e15 s" in done.stderr, done.stderr


@pytest.mark.parametrize("lines, said", [
    (["0 a up", "2026-06-01T10:00:00Z a down"], '"2026-06-01T10:00:00Z" is a date, but line 1 has numbers'),
    (["1788220800000 a up", "1788260000000 a down"], "which unit is it in? Give --option unit=ms"),
])
def test_events_whose_times_cannot_be_meant_are_refused(coterie, tmp_path, lines, said):
    path = tmp_path / "log.txt"
    path.write_text("\n".join(lines) + "\n")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_columns_with_other_names_are_asked_about(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("server,launched,gone,why\na,0,7200,preempted\nb,0,3600,stop\n")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and 'log.csv:1: E_HEADER: a CSV of spells has the columns host, start and end; which of ' \
        '"server", "launched", "gone" or "why" is host, and which start, and which end? Give --option name=COLUMN, ' \
        "--option start=COLUMN, --option end=COLUMN" in done.stderr, done.stderr
    records, _ = read(coterie, path, path.read_text().splitlines(), "--option", "name=server",
                      "--option", "start=launched", "--option", "end=gone")
    assert sorted(records) == [("a", 120, 1), ("b", 60, 0)]


@pytest.mark.parametrize("options", [["end=start"], ["start=end"], ["name=end"]])
def test_one_column_is_not_taken_for_two_things(coterie, tmp_path, options):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end\na,0,7200\n")
    done = coterie("trace", "info", path, "--option", *options, check=False)
    assert done.returncode == 2 and "log.csv:1: E_HEADER: the column" in done.stderr and "cannot be both" in done.stderr


def test_a_job_on_several_nodes_is_one_machine_and_counted(coterie, tmp_path):
    rows = ["JobID|NodeList|State|Start|End", "1|n[06-07]|PREEMPTED|0|3600", "2|n1|PREEMPTED|0|3600",
            "3|n1,n2|COMPLETED|0|3600"]
    records, warnings = read(coterie, tmp_path / "slurm.txt", rows)
    assert sorted(records) == [("n1", 60, 1), ("n1,n2", 60, 0), ("n[06-07]", 60, 1)] and warnings["W_NODES"] == 2


def test_events_without_a_name_happen_once(coterie, tmp_path):
    def unnamed(reason, minute):
        event = json.loads(kubernetes("a", reason, minute))
        del event["metadata"]
        return json.dumps(event)
    log = [unnamed("NodeReady", 0), unnamed("Rebooted", 60), unnamed("Rebooted", 90)]
    records, warnings = read(coterie, tmp_path / "twice.jsonl", log + log)
    assert sorted(records) == [("n", 0, 0), ("n", 30, 1), ("n", 60, 1)] and warnings["W_AGAIN"] == 3


def test_a_unit_that_dates_do_not_need_is_not_said_to_be_used(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end\na,2026-06-01T10:00:00Z,2026-06-01T11:00:00Z\n")
    assert "calendar" in coterie("trace", "info", path, "--option", "unit=h").stdout


@pytest.mark.parametrize("column", ["preempted", "was_interrupted", "why"])
def test_a_column_that_says_why_is_asked_about(coterie, tmp_path, column):
    path = tmp_path / "log.csv"
    path.write_text(f"host,start,end,{column}\na,0,7200,spot\nb,0,7200,user\n")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and "E_CAUSE" in done.stderr and "--option observed=" in done.stderr, done.stderr
    records, _ = read(coterie, path, path.read_text().splitlines(), "--option", "observed=spot", "--option", "censored=user")
    assert sorted(records) == [("a", 120, 1), ("b", 120, 0)]


def test_one_spell_is_not_resampled(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end\na,0,7200\n")
    done = coterie("plan", "--trace", path, "--workers", 2, "--work", "2h", "--checkpoint", "5min", "--explain",
                   "--format", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["explain"]["confidence"] is None, done.stderr


def test_a_share_is_not_taken_for_per_cent(coterie):
    done = coterie("plan", "--risk", "exponential(rate=1)", "--workers", 2, "--work", 1, "--checkpoint", 0.1,
                   "--confidence", 0.95, check=False)
    assert done.returncode == 2 and "write --confidence 95" in done.stderr, done.stderr


REASONS = ["host,start,end,reason", "a,0,7200,preempted", "b,0,3600,stop"]
DATES = ["host,start,end", "a,2026-06-01T10:00:00+02:00,2026-06-01 11:00:00+02:00"]


def info(coterie, path, lines, *options, code):
    path.write_text("".join(line + "\n" for line in lines))
    done = coterie("trace", "info", path, *[word for option in options for word in ("--option", option)], check=False)
    assert done.returncode == code and (done.stdout == "") == (code != 0), done.stderr
    return done.stderr


@pytest.mark.parametrize("lines, options, said", [
    (REASONS, ["observed=stopp"],
     'log: E_CAUSE: observed= names "stopp", which ends no spell in the file (did you mean "stop"?)\n'),
    (REASONS, ["censored=stop,preemptd"], 'censored= names "preemptd", which ends no spell in the file (did you mean "pree'),
    (["end_type,time_in_sec", "Stop,5"], ["observed=stopp"], 'observed= names "stopp", which ends no spell in the file (did'),
    ([kubernetes("a", "NodeReady", 0)], ["observed=rebootet"],
     'log: E_CAUSE: observed= names "rebootet", which ends no spell in the file (did you mean "rebooted"?)\n'),
    (REASONS, ["cause=none", "observed=stop"],
     "option observed=stop: with cause=none every end counts as an interruption; leave one out"),
    (REASONS, ["cause=none", "censored=stop"], "option censored=stop: with cause=none every end counts"),
    (["host,start,end", "a,0,9"], ["observed=stop"],
     "log:1: E_HEADER: observed= names causes, but no column is known to say why spells end; give cause=COLUMN, or leave "
     "observed= out"),
    (["host,start,end,observed", "a,0,9,1"], ["censored=stop"],
     "log:1: E_HEADER: censored= names causes, but the column observed already says how spells end; leave censored= out"),
])
def test_causes_that_mean_nothing_here_are_refused(coterie, tmp_path, lines, options, said):
    assert said in info(coterie, tmp_path / "log", lines, *options, code=2)


@pytest.mark.parametrize("lines, options, said", [
    (["host,start,end", "a,0,7200"], ["timezone=Europe/Berlin"],
     "W_TIMEZONE: 2 times are numbers or have offsets, so timezone= has no effect: leave it out"),
    (DATES, ["timezone=Europe/Berlin"], "W_TIMEZONE: 2 times"),
    (["0 a up", "5 a down"], ["timezone=UTC"], "W_TIMEZONE: 2 times"),
    (["JobID|State|Start|End", "1|PREEMPTED|0|5"], ["timezone=UTC"], "W_TIMEZONE: 2 times"),
    (["001 (1.0.0) 2026-06-01 04:20:00Z Job executing on host: <h>", "...",
      "004 (1.0.0) 2026-06-01 05:20:00Z Job was evicted.", "..."], ["timezone=UTC"], "W_TIMEZONE: 2 times"),
    (DATES, ["unit=h"], "W_UNIT: 2 times are dates, on which unit= has no effect: leave it out"),
    (["host,start,end,reason", "a,0,5,preempted", "b,0,,preempted", "c,0,-,Preempted"], [],
     "W_OPEN: 2 rows have an interruption as their cause but no end, and count as still running: write their ends; the "
     "first is in line 3"),
    (["host,start,end,reason", "a,0,5,preempted", "a,0,5,stop"], ["overlap=merge"],
     "W_DIFFER: 1 spell was merged from rows that end at the same time, not all by an interruption, and counts as "
     "interrupted: see line 3\n"),
    (["1 1", "2 0", "3 1"], [], "W_LASTUP: 1 host comes up at the last date and was skipped, since nothing says how long it "
     "stayed: give t1=\n"),
    (["host,start,end,reason", "a,0,7200,stop"], ["observed=preempted,reclaimed"],
     "W_ABSENT: 2 causes that are named end no spell in the file: observed=preempted,reclaimed\n"),
    (REASONS, ["censored=STOP,halt"], "W_ABSENT: 1 cause that is named ends no spell in the file: censored=halt\n"),
    (["host,start,end,reason", "a,0,7200,"], ["observed=x"], "W_ABSENT: 1 cause that is named ends no spell in the file"),
    (["end_type,time_in_sec", "Stop,5"], ["observed=preempted"], "W_ABSENT: 1 cause that is named ends no spell in the"),
    ([kubernetes("a", "NodeReady", 0)], ["observed=reclaimed"],
     "W_ABSENT: 1 cause that is named ends no spell in the file: observed=reclaimed\n"),
])
def test_what_has_no_effect_or_two_meanings_is_counted(coterie, tmp_path, lines, options, said):
    assert said in info(coterie, tmp_path / "log", lines, *options, code=0)


def test_fits_tell_of_it_too(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end,reason\n" + "".join(f"h{i},0,{i + 1},{'evicted' if i else 'preempted'}\n" for i in range(9)))
    said = coterie("trace", "fit", path, "--option", "observed=preempted").stderr
    assert "W_CAUSE: 8 rows" in said


def test_jobs_on_several_nodes_are_told_wherever_their_trace_is_used(coterie, tmp_path):
    (tmp_path / "slurm.txt").write_text("JobID|NodeList|State|Start|End\n1|n[06-07]|PREEMPTED|0|3600\n2|n1|PREEMPTED|0|3000\n")
    (tmp_path / "c.toml").write_text('instances = 5\nstrategies = ["greedy"]\n[grid]\nworkers = 2\nwork = 1\nchunks = 2\nstartup = 0.01\n'
                                     'risk = "trace(file=slurm.txt)"\n')
    assert "job on several nodes" in coterie("validate", "c.toml", cwd=tmp_path).stderr


def test_nothing_is_told_of_hosts_that_are_not_read(coterie, tmp_path):
    rows = ["host,start,end,reason,zone", "a,0,5,preempted,z", "b,0,7,user,", "b,0,,preempted,z"]
    said = info(coterie, tmp_path / "log", rows, "host=a", code=0)
    assert "W_CAUSE" not in said and "W_NOZONE" not in said and "W_OPEN" not in said
    rows = ["host,start,end,reason", "a,0,5,preempt", "b,0,7,preempted"]
    assert "W_ABSENT" not in info(coterie, tmp_path / "log", rows, "host=a", "observed=preempted", code=0)
    rows = ["name,time_in_sec,end_type", "a,5,preempted", "b,6,evicted"]
    for words in (["host=a"], ["host=a", "observed=preempted"]):
        assert "W_CAUSE" not in info(coterie, tmp_path / "log", rows, *words, code=0)
    rows = ["JobID|State|Start|End|NodeList", "1|COMPLETED|0|50|n1", "2|COMPLETED|0|50|n[06-07]",
            "2.batch|COMPLETED|0|50|n6", "3|CANCELLED|Unknown|60|n6"]
    said = info(coterie, tmp_path / "log", rows, "host=n1", code=0)
    assert not any(code in said for code in ("W_NODES", "W_STEP", "W_NOTSTARTED")), said
    assert all(code in info(coterie, tmp_path / "log", rows, code=0) for code in ("W_NODES", "W_STEP", "W_NOTSTARTED"))
    rows = ["JobID|State|Start|End", "17|COMPLETED|0|50", "17.batch|COMPLETED|0|50"]
    assert "W_STEP" in info(coterie, tmp_path / "log", rows, "host=17", code=0)
    rows = ["ClusterId ProcId JobCurrentStartDate EpochWriteDate VacateReasonCode LastRemoteHost", "1 0 0 50 1002 n1",
            "2 0 0 50 undefined n2", "3 0 undefined 50 undefined n2"]
    said = info(coterie, tmp_path / "log", rows, "host=n1", code=0)
    assert "W_NOCODE" not in said and "W_NOTSTARTED" not in said
    hosts = [("a", 90), ("b", 0)]
    rows = ["<hosts>", *[line for name, heard in hosts for line in (
        "<host>", f"<id>{name}</id>", "<create_time>5</create_time>", f"<rpc_time>{heard}</rpc_time>", "</host>")], "</hosts>"]
    assert "W_NOTSTARTED" not in info(coterie, tmp_path / "log", rows, "host=a", "silent=1d", code=0)
    assert "W_NOTSTARTED" in info(coterie, tmp_path / "log", rows, "silent=1d", code=0)
    log = [state("i-1", "running", 0), state("i-1", "terminated", 5000), state("i-2", "pending", 0),
           state("i-2", "running", 0), warned("i-2", 60),
           state("i-2", "running", 61), state("i-3", "terminated", 70)]
    records, warnings = read(coterie, tmp_path / "ec2.jsonl", log, "--option", "host=i-1")
    assert records == [("i-1", 5000, 0)] and not {"W_NOEND", "W_AGAIN", "W_NOSTART", "W_OTHEREVENT"} & set(warnings)


def test_an_interruption_by_elimination_without_an_end_is_told(coterie, tmp_path):
    rows = ["host,start,end,reason", "a,0,5,evicted", "b,0,,evicted", "c,0,9,stop", "d,0,,running"]
    assert "W_OPEN: 1 row" in info(coterie, tmp_path / "log", rows, "censored=stop", code=0)
    rows = ["host,start,end,reason", "a,0,5,stop", "b,0,7,", "c,0,,"]
    assert "W_OPEN" not in info(coterie, tmp_path / "log", rows, "censored=stop", code=0), "it has no cause"


def test_logs_are_read_in_any_order(coterie, tmp_path):
    log = [kubernetes("b", "Rebooted", 60), kubernetes("b", "Rebooted", 90, 2)]
    warnings = [read(coterie, tmp_path / "log.jsonl", lines)[1] for lines in (log, log[::-1], log[1:])]
    assert warnings[0] == warnings[1] and "W_MISSED" not in warnings[0] and warnings[2]["W_MISSED"] == 1


def test_defaults_of_formats_are_those_that_are_listed(coterie, tmp_path):
    rows = {row["name"]: row for row in json.loads(coterie("list", "formats", "--format", "json").stdout)}
    log = [kubernetes("a", reason, 30 * i) for i, reason in enumerate(
        ["NodeReady", "NodeNotReady", "NodeReady", "Rebooted", "DeletingNode", "NodeReady", "RemovingNode"])]
    (default,) = [one["default"] for one in rows["kubernetes"]["parameters"] if one["name"] == "observed"]
    assert read(coterie, tmp_path / "log", log) == read(coterie, tmp_path / "log", log, "--option", f"observed={default}")


def test_lifetimes_without_a_cause_are_recognised(coterie, tmp_path):
    said = info(coterie, tmp_path / "log", ["time_in_sec,end_type", "5,stop"], "cause=none", code=0)
    assert "W_COLUMN: 1 row has a column that is not used: end_type\n" in said


def test_options_may_be_shared_by_logs_with_other_causes(coterie, tmp_path):
    for name, cause in (("one.csv", "preempted"), ("two.csv", "reclaimed")):
        rows = "".join(f"h{i},0,{3600 + i},{cause}\n" for i in range(40))
        (tmp_path / name).write_text("host,start,end,reason\n" + rows)
    (tmp_path / "classes.csv").write_text("machines,trace\n2,one.csv\n1,two.csv\n")
    done = coterie("plan", "--classes", "classes.csv", "--option", "observed=preempted,reclaimed", "--work", "10min",
                   "--checkpoint", "1min", "--instances", 100, "--format", "json", cwd=tmp_path)
    told = json.loads(done.stdout)["warnings"]
    for name, absent in (("one.csv", "reclaimed"), ("two.csv", "preempted")):
        assert f"{name}: 1 cause that is named ends no spell in the file: observed={absent}" in told


@pytest.mark.parametrize("lines, options", [
    (["host,start,end", "a,2026-06-01 10:00:00,2026-06-01T11:00:00Z"], ["timezone=UTC"]),
    (["host,start,end", "a,0,7200"], ["timezone=UTC", "t1=1970-01-02 00:00:00"]),
    (["host,start,end", "a,0,7200"], ["unit=h"])])
def test_options_that_have_an_effect_are_not_doubted(coterie, tmp_path, lines, options):
    said = info(coterie, tmp_path / "log", lines, *options, code=0)
    assert "W_TIMEZONE" not in said and "W_UNIT" not in said


@pytest.mark.parametrize("lines, options, said", [
    (["host,start,end", "a,2026-06-01T10:00:00+02:00,2026-06-01 09:00:00+02:00"], [],
     "log:2: E_NEGATIVE: it ends at 2026-06-01 09:00:00+02:00, before it starts at 2026-06-01T10:00:00+02:00; swap or"),
    (["host,start,end", "a,3,2"], ["unit=h"], "log:2: E_NEGATIVE: it ends at 2, before it starts at 3; swap or correct"),
    (["host,start,end", "a,500,400"], ["t1=300"], "log:2: E_NEGATIVE: it ends at 400, before it starts at 500; swap or"),
    (["host,start,end", "a,0,-5"], ["t0=100"], "log:2: E_NEGATIVE: it ends at -5, before it starts at 0; swap or correct"),
    (DATES, ["t0=2026-07-01T00:00:00Z"], "log:2: E_NEGATIVE: it ends at 2026-06-01 11:00:00+02:00, before the beginning of "
     "the recording t0 = 2026-07-01T00:00:00Z; give an earlier t0"),
    (DATES, ["t1=2026-05-01 00:00:00", "timezone=UTC"], "log:2: E_NEGATIVE: it starts at 2026-06-01T10:00:00+02:00, after "
     "the end of the recording t1 = 2026-05-01 00:00:00; give a later t1"),
    (["host,start,end", "a,2026-06-01T10:00:00Z,"], ["t0=2026-07-01T00:00:00Z"], "log:2: E_NEGATIVE: it is still running at "
     "the latest time of the file, before the beginning of the recording t0 = 2026-07-01T00:00:00Z; give an earlier t0"),
    (["JobID|State|Start|End", "1|FAILED|2026-06-01T10:00:00Z|2026-06-01T09:00:00Z"], [],
     "log:2: E_NEGATIVE: it ends at 2026-06-01T09:00:00Z, before it starts at 2026-06-01T10:00:00Z"),
    (["2026-06-01 10:00:00Z a up", "2026-06-01 09:00:00Z b up"], [],
     "log:2: E_ORDER: the clock runs backwards from 2026-06-01 10:00:00Z to 2026-06-01 09:00:00Z"),
    ([state("i", "running", 0), state("i", "terminated", 60)], ["t0=2026-07-01T00:00:00Z"], "log:2: E_NEGATIVE: it ends at "
     "2026-06-01T01:00:00Z, before the beginning of the recording t0 = 2026-07-01T00:00:00Z"),
    ([state("i", "terminated", 60)], ["t0=2026-07-01T00:00:00Z"], "log:1: E_NEGATIVE: it ends at 2026-06-01T01:00:00Z, before "
     "the beginning of the recording"),
])
def test_messages_tell_times_as_they_are_written(coterie, tmp_path, lines, options, said):
    assert said in info(coterie, tmp_path / "log", lines, *options, code=2)


@pytest.mark.parametrize("column, word", [("StateReason", "Server.SpotInstanceTermination"), ("Reason", "spot"), ("exit", "137"),
                                          ("Ended by", "spot"), ("comment", "took it away")])
def test_plans_ask_what_a_column_of_causes_means(coterie, tmp_path, column, word):
    rows = "".join(f"h{i},0,{3600 * (i + 1)},{word}\n" for i in range(20))
    (tmp_path / "log.csv").write_text(f"host,start,end,{column}\n" + rows)
    plan = ["plan", "--trace", "log.csv", "--option", "unit=s", "--workers", 2, "--work", "2h", "--checkpoint", "5min",
            "--instances", 100]
    done = coterie(*plan, cwd=tmp_path, check=False)
    assert done.returncode == 2 and f'E_CAUSE: which of the causes "{word.lower()}" are interruptions?' in done.stderr
    assert coterie(*plan, "--option", "cause=none", cwd=tmp_path).stdout


@pytest.mark.parametrize("date, said", [
    ("06/01", "the date has no year"), ("06-01", "the date has no year"),
    ("2026/06/01", '"2026/06/01 04:20:00Z" is not a time')])
def test_dates_of_condor_need_a_year(coterie, tmp_path, date, said):
    lines = [f"001 (1.0.0) {date} 04:20:00Z Job executing on host: <h>", "..."]
    assert f"log:1: E_NUMBER: {said}" in info(coterie, tmp_path / "log", lines, code=2)


def test_the_empty_column_of_sacct_is_not_told(coterie, tmp_path):
    said = info(coterie, tmp_path / "log", ["JobID|User|State|Start|End|", "1|ann|PREEMPTED|0|10|"], code=0)
    assert "W_COLUMN: 1 row has a column that is not used: User\n" in said
    said = info(coterie, tmp_path / "log", ["JobID|State|Start|End|", "1|PREEMPTED|0|10|x"], code=0)
    assert "W_COLUMN: 1 row has a column that is not used: number 5 (it has no name)\n" in said


def test_warnings_of_several_traces_name_them(coterie, tmp_path):
    for name, censored in (("one.csv", 20), ("two.csv", 20)):
        (tmp_path / name).write_text("duration,observed\n" + "3600,1\n" * 40 + "7200,0\n" * censored)

    def warnings(rows):
        (tmp_path / "classes.csv").write_text("machines,trace\n" + rows)
        done = coterie("plan", "--classes", "classes.csv", "--work", "2h", "--checkpoint", "5min", "--tail", "immortal",
                       "--instances", 100, "--format", "json", cwd=tmp_path)
        return json.loads(done.stdout)["warnings"]
    told = "20 spells end without an interruption (right-censored)"
    assert warnings("2,one.csv\n1,two.csv\n") == [f"{name}: {told}" for name in ("one.csv", "two.csv")]
    assert warnings("2,one.csv\n1,one.csv\n") == warnings("3,one.csv\n") == [f"one.csv: {told}"]
