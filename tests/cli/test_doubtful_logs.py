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
    assert warnings["W_NOEND"] == 2 and warnings["W_AGAIN"] == 1


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
    path.write_text(f"host,start,end,{column}\na,0,7200,true\nb,0,7200,false\n")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and "E_CAUSE" in done.stderr and "--option observed=" in done.stderr, done.stderr
    records, _ = read(coterie, path, path.read_text().splitlines(), "--option", "observed=true", "--option", "censored=false")
    assert sorted(records) == [("a", 120, 1), ("b", 120, 0)]


def test_one_spell_is_not_resampled(coterie, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("host,start,end\na,0,7200\n")
    done = coterie("plan", "--trace", path, "--workers", 2, "--work", "2h", "--checkpoint", "5min", "--format", "json")
    assert done.returncode == 0 and json.loads(done.stdout)["confidence"] is None, done.stderr


def test_a_share_is_not_taken_for_per_cent(coterie):
    done = coterie("plan", "--risk", "exponential(rate=1)", "--workers", 2, "--work", 1, "--checkpoint", 0.1,
                   "--confidence", 0.95, check=False)
    assert done.returncode == 2 and "write --confidence 95" in done.stderr, done.stderr
