"""coterie trace info|convert|fit (plot: test_trace_plot.py), as a user or a script meets it."""

import bz2
import gzip
import json
import lzma
import math
import os
import pathlib
import subprocess

import pytest

DATA = pathlib.Path(__file__).parent.parent / "data"
CASES = [case for name in ("trace-formats.json", "log-formats.json") for case in json.loads((DATA / name).read_text())]


def option_words(options):
    return [word for key, value in options.items() for word in ("--option", f"{key}={value}")]


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="trace.txt"):
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write_file


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_convert_reads_the_hand_written_cases(coterie, write, case):
    path = write(case["text"])
    done = coterie("trace", "convert", path, "--trace-format", case["format"], *option_words(case["options"]),
                   "--to", "json", check=False)
    expected = case["expect"]
    if "error" in expected:
        place = f"{path}:{expected['line']}" if expected["line"] else f"{path}"
        assert done.returncode == 2
        assert done.stderr.startswith(f"{place}: {expected['error']}: ")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
    else:
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == expected


def test_convert_tells_the_format_from_the_content(coterie, write):
    path = write("host,start,end\na,0,10\nb,5,-\n")
    answer = json.loads(coterie("trace", "convert", path, "--to", "json").stdout)
    assert answer == {"records": [["a", 0, 10, 1, 0], ["b", 5, 5, 0, 0]], "warnings": {"W_CENSORED": 1}}


def test_a_pipe_is_told_and_read(coterie):
    assert coterie("trace", "convert", "/dev/stdin", "--to", "durations", input="3\n1\n").stdout == "3\n1\n"


def test_convert_asks_where_the_content_fits_no_format(coterie, write):
    done = coterie("trace", "convert", write("hello world and more\n"), "--to", "json", check=False)
    assert done.returncode == 2
    assert "--trace-format" in done.stderr


def test_convert_to_intervals_and_back_keeps_every_spell(coterie, write):
    path = write("0 a up\n1.1 b up\n3.3 a down\n4 a up\n7 c up\n7 a down\n")
    first = json.loads(coterie("trace", "convert", path, "--to", "json").stdout)
    text = coterie("trace", "convert", path, "--to", "intervals").stdout
    second = json.loads(coterie("trace", "convert", write(text, "again.csv"), "--to", "json").stdout)
    assert [r[0] for r in second["records"]] == [r[0] for r in first["records"]]
    for a, b in zip(first["records"], second["records"]):
        assert a[3:] == b[3:]
        assert math.isclose(a[2], b[2], rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("to", ["durations", "intervals"])
def test_a_spell_that_ended_before_it_was_watched_is_refused(coterie, write, to):
    path = write("host,start,end,observed\na,-7,6,1\nb,0,6,1\n")
    text = coterie("trace", "convert", path, "--to", to, "--option", "t0=0").stdout
    assert text.count(",7\n") == 1
    done = coterie("trace", "info", write(text.replace(",7\n", ",14\n"), "late.csv"), check=False)
    assert done.returncode == 2 and "E_NUMBER: entry_age is more than the" in done.stderr


@pytest.mark.parametrize("to", ["durations", "intervals"])
def test_convert_and_back_keeps_the_ages_of_entry(coterie, write, to):
    path = write("host,start,end,observed\na,-7,6,1\nb,0,6,1\nc,0,9,0\nd,3,11,1\n")
    options = ["--option", "t0=0"]
    text = coterie("trace", "convert", path, "--to", to, *options).stdout
    assert json.loads(coterie("trace", "convert", path, "--to", "json", *options).stdout)["entry_ages"] == [7, 0, 0, 0]
    again = [coterie("trace", "info", file, *more, "--format", "json").stdout
             for file, more in ((path, options), (write(text, "again.csv"), []))]
    before, after = ({key: json.loads(text)[key] for key in ("n", "observed", "mean", "median", "median_low")} for text in again)
    assert before == after and before["median"] == 8


@pytest.mark.parametrize("name", ["case.gz", "case.xz", "case.zst", "case.bz2"])
def test_packed_files_are_read_from_pipes(coterie, tmp_path, name):
    pack = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress,
            "zst": lambda data: subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout}
    packed = pack[name.split(".")[1]](b"3\n1\n")
    done = subprocess.run([os.environ["COTERIE"], "trace", "convert", "/dev/stdin", "--to", "durations"], input=packed,
                          capture_output=True)
    assert done.stdout == b"3\n1\n", done


@pytest.mark.parametrize("content, said", [
    ("host,start,end\n".encode("utf-16"), "a text in UTF-16; convert it"), (b"\0" * 257 + b"ustar\0", "an archive of tar"),
    (gzip.compress(b"\0" * 257 + b"ustar\0"), "an archive of tar; unpack it"),
    (b"[1780272000] HOST ALERT: a;DOWN\n", "begins like JSON, but is none"),
    (b"---\ninsertId: x\n", "this is YAML"), (b"apiVersion: v1\nitems: []\n", "use kubectl --output json"),
    (b'{"Reservations": []}', "AWS forgets those that ended"),
    (b'[{"ClusterId": 1, "JobStatus": 4}]', "use condor_history -epochs"), (b"ClusterId = 1\n", "use condor_history -epochs"),
    (b'[{"operationName": {}, "eventTimestamp": "x"}]', "Azure's activity log"),
    (b"NodeName|TimeStart|TimeEnd|State\nn1|0|1|DOWN\n", "give rows=down")])
def test_what_is_known_but_not_read_is_told(coterie, tmp_path, content, said):
    (tmp_path / "log").write_bytes(content)
    done = coterie("trace", "info", tmp_path / "log", check=False)
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_a_column_that_is_a_time_is_no_cause(coterie, write):
    path = write("vm,start,event_end\na,0,7200\nb,0,60\n", "log.csv")
    words = ["--option", "end=event_end", "--option", "name=vm", "--to", "durations"]
    assert coterie("trace", "convert", path, *words).stdout == "7200\n60\n"


def test_a_bound_that_occurs_twice_says_so(coterie, write):
    path = write("host,start,end\na,2026-10-25 00:00:00,2026-10-25 12:00:00\n", "log.csv")
    done = coterie("trace", "info", path, "--option", "timezone=Europe/Berlin", "--option", "t0=2026-10-25 02:30:00",
                   check=False)
    assert done.returncode == 2 and "option t0: " in done.stderr and "occurred twice" in done.stderr


def test_a_scale_beyond_all_numbers_is_not_fitted(coterie, write):
    path = write("duration,observed\n" + "1e-50,1\n" * 2 + "1,0\n" * 1000, "log.csv")
    laws = json.loads(coterie("trace", "fit", path, "--format", "json").stdout)
    assert "problem" in laws["weibull"] and "problem" not in laws["exponential"]


@pytest.mark.parametrize("host", ["#a", '"a', " a", "a ", "a,b"])
def test_hosts_that_csv_cannot_hold_are_not_written(coterie, write, host):
    quoted = host.replace('"', '""')
    path = write(f'host,start,end\n"{quoted}",0,5\nb,0,9\n', "log.csv")
    done = coterie("trace", "convert", path, "--to", "intervals", check=False)
    assert done.returncode == 2 and done.stdout == "", done.stdout
    assert "use --to json" in done.stderr and "log.csv" in done.stderr


def test_convert_to_intervals_and_back_keeps_spells_that_touch(coterie, write):
    """0.3 + (0.9 - 0.3) > 0.9 in floating point."""
    path = write("host,start,end\na,0.3,0.9\na,0.9,2\nb,5,10\nb,5,5\n")
    text = coterie("trace", "convert", path, "--to", "intervals").stdout
    ends = [float(line.split(",")[2]) for line in text.splitlines()[1:]]
    assert ends[0] <= 0.9 and ends == pytest.approx([0.9, 2, 10, 5])
    assert coterie("trace", "convert", write(text, "again.csv"), "--to", "intervals").stdout == text


def test_convert_to_durations_and_back_keeps_censoring(coterie, write):
    path = write("host,start,end\na,0,10\nb,5,-\n")
    text = coterie("trace", "convert", path, "--to", "durations").stdout
    assert text == "duration,observed\n10,1\n5,0\n"
    plain = coterie("trace", "convert", write("host,start,end\na,0,2.5\n"), "--to", "durations").stdout
    assert plain == "2.5\n"


def test_convert_says_what_has_no_place_in_time(coterie, write):
    done = coterie("trace", "convert", write("1\n2\n"), "--to", "intervals", check=False)
    assert done.returncode == 2
    assert "--to json" in done.stderr


def test_warnings_go_to_standard_error(coterie, write):
    path = write("duration,observed\n10,1\n20,0\n0,1\n")
    done = coterie("trace", "info", path)
    assert f"{path}: W_CENSORED: 1 " in done.stderr
    assert f"{path}: W_ZERO: 1 " in done.stderr
    assert "W_" not in done.stdout


def test_info_has_the_documented_keys(coterie, write):
    path = write("host,start,end\na,0,10\na,12,12\nb,0,-\n")
    done = coterie("trace", "info", path, "--format", "json", "--option", "t1=20", "--option", "t0=0")
    answer = json.loads(done.stdout)
    assert list(answer) == ["n", "hosts", "observed", "censored", "left_truncated", "zeros", "resolution", "mean",
                            "median", "max", "cv", "linear_distance", "host_correlation", "day_cycle", "mean_low",
                            "mean_high", "median_low", "median_high", "open", "format", "unit", "common", "common_low", "common_high",
                            "common_problem", "zones", "drops", "whole_drops", "partial_drops", "together",
                            "change", "change_p", "change_problem"]
    assert answer["n"] == 3 and answer["hosts"] == 2 and answer["observed"] == 2 and answer["censored"] == 1
    assert answer["left_truncated"] == 2 and answer["zeros"] == 1 and answer["resolution"] is None
    assert answer["mean"] == 10 and answer["median"] == 10 and answer["max"] == 20
    assert math.isclose(answer["cv"], math.sqrt(200 / 3) / 10)
    assert math.isclose(answer["linear_distance"], 1 / 3)


def test_info_tells_what_zones_share(coterie, write):
    """40 pairs, each a zone: 10 go at once. p = rho / (2 - rho) is 1/4, Wilson's interval of it 0.1419 to 0.4019."""
    rows = "".join(f"a{i},0,{10 + 10 * i},z{i}\nb{i},0,{10 + 10 * i if i < 10 else 1005 + 10 * i},z{i}\n"
                   for i in range(40))
    path = write("host,start,end,zone\n" + rows, "pairs.csv")
    answer = json.loads(coterie("trace", "info", path, "--together", "0", "--format", "json").stdout)
    assert answer["common"] == pytest.approx(0.4, abs=1e-6)
    assert answer["common_low"] == pytest.approx(2 * 0.1419 / 1.1419, abs=1e-3)
    assert answer["common_high"] == pytest.approx(2 * 0.4019 / 1.4019, abs=1e-3)
    assert (answer["zones"], answer["drops"], answer["whole_drops"], answer["partial_drops"]) == (40, 40, 10, 0)
    text = coterie("trace", "info", path).stdout
    assert "95 %: 0.2" in text and "(40 zones; 10 of 40 drops took all hosts that were up; together means less than 10 s apart)" in text
    assert "together means within 10 s)" in coterie("trace", "info", path, "--together", "10s").stdout
    unnamed = coterie("trace", "info", path, "--option", "zones=none", "--format", "json")
    assert json.loads(unnamed.stdout)["zones"] is None
    assert "all hosts as one zone" in coterie("trace", "info", path, "--option", "zones=none").stdout
    again = write(coterie("trace", "convert", path, "--to", "intervals").stdout, "again.csv")
    assert coterie("trace", "info", again).stdout == text


def test_info_warns_of_a_recording_that_changes(coterie, write):
    """One host, 100 spells of 3 s, then 300 of 1 s: at equal age it is interrupted more often."""
    ends = [3 * k for k in range(1, 101)] + [300 + k for k in range(1, 301)]
    rows = "".join(f"a,{begin},{end}\n" for begin, end in zip([0, *ends], ends))
    path = write("host,start,end\n" + rows, "changed.csv")
    done = coterie("trace", "info", path)
    assert "in the second half as in the first (p = " in done.stderr and "may not hold" in done.stderr
    assert "(interruptions in the second half over those in the first, at equal age; p = " in done.stdout
    answer = json.loads(coterie("trace", "info", path, "--format", "json").stdout)
    assert answer["change"] > 1 and answer["change_p"] < 0.01 and answer["change_problem"] is None
    same = write("host,start,end\n" + "".join(f"a,{k},{k + 1}\n" for k in range(200)), "same.csv")
    assert "may not hold" not in coterie("trace", "info", same).stderr
    text = coterie("trace", "info", write("5\n7\n")).stdout
    assert "change           - (the format does not say when each host was up)" in text


def test_info_says_why_it_cannot_tell_what_zones_share(coterie, write):
    text = coterie("trace", "info", write("5\n7\n")).stdout
    assert "common           - (the format does not say when each host was up)" in text
    answer = json.loads(coterie("trace", "info", write("host,start,end\na,0,10\na,12,15\n"), "--format", "json").stdout)
    assert answer["common"] is None and answer["common_low"] is None and "only 0" in answer["common_problem"]
    done = coterie("trace", "info", write("5\n7\n"), "--together", "5", check=False)
    assert done.returncode == 2 and "--together" in done.stderr


def test_info_reports_the_gap_of_samples_as_resolution(coterie, write):
    path = write('{"metadata": {"gap_seconds": 300}, "data": [1, 1, 0]}')
    assert json.loads(coterie("trace", "info", path, "--format", "json").stdout)["resolution"] == 300


@pytest.mark.parametrize("text, code", [('{{"metadata": {{"gap_seconds": 5}}, "data": [{}]}}', "E_NUMBER"),
                                        ('{{"metadata": {{"gap_seconds": {}}}, "data": [1]}}', "E_FIELDS")])
def test_samples_may_be_nested_as_deeply_as_can_be(coterie, write, text, code):
    done = coterie("trace", "info", write(text.format("[" * 10**6 + "]" * 10**6)), check=False)
    assert done.returncode == 2 and code in done.stderr and len(done.stderr) < 1000


def test_fit_prints_risks_to_paste(coterie, write):
    durations = [math.exp(0.1 * i) for i in range(40)]
    path = write("".join(f"{d!r}\n" for d in durations))
    answer = json.loads(coterie("trace", "fit", path, "--format", "json").stdout)
    assert list(answer) == ["exponential", "weibull", "lognormal", "hyperexponential"]
    mean = sum(durations) / len(durations)
    exponential = answer["exponential"]
    assert math.isclose(exponential["parameters"]["rate"], 1 / mean, rel_tol=1e-12)
    assert math.isclose(exponential["log_likelihood"], -40 * (math.log(mean) + 1), rel_tol=1e-12)
    lognormal = answer["lognormal"]["parameters"]
    assert math.isclose(lognormal["median"], math.exp(1.95), rel_tol=1e-9)
    assert math.isclose(lognormal["sigma"], math.sqrt(sum((0.1 * i - 1.95) ** 2 for i in range(40)) / 40), rel_tol=1e-9)
    for law, fit in answer.items():
        assert list(fit) == ["parameters", "log_likelihood", "ks", "risk"]
        inside = ", ".join(f"{name}=" for name in fit["parameters"])
        assert fit["risk"].startswith(law + "(") and 0 < fit["ks"] < 1
        assert [part.split("=")[0] for part in fit["risk"][len(law) + 1:-1].split(", ")] == list(fit["parameters"]), inside
    table = coterie("trace", "fit", path).stdout
    assert answer["weibull"]["risk"] in table


def test_fit_respects_censoring_and_leaves_zeros_out(coterie, write):
    path = write("duration,observed\n10,1\n30,0\n0,1\n20,1\n")
    done = coterie("trace", "fit", path, "--format", "json")
    assert math.isclose(json.loads(done.stdout)["exponential"]["parameters"]["rate"], 2 / 60)
    assert "1 spell of length zero is left out" in done.stderr


def test_fit_says_how_left_truncated_spells_count(coterie, write):
    path = write("host,start,end,left_truncated\na,0,100,1\na,110,130,0\n")
    done = coterie("trace", "fit", path, "--format", "json")
    assert "1 left-truncated spell counts with the length that was read, as if the beginning had been seen" in done.stderr
    assert math.isclose(json.loads(done.stdout)["exponential"]["parameters"]["rate"], 2 / 120)


def test_what_was_up_before_recording_began_is_at_risk_from_its_age_on(coterie, write):
    path = write("host,start,end,observed\na,-7,6,1\nb,0,6,1\nc,0,9,0\nd,3,11,1\n")
    answer = json.loads(coterie("trace", "info", path, "--option", "t0=0", "--format", "json").stdout)
    assert answer["median"] == 8
    curve = coterie("trace", "plot", path, "--option", "t0=0", "--format", "csv").stdout.splitlines()
    rows = [dict(zip(curve[0].split(","), map(float, (x or "nan" for x in line.split(","))))) for line in curve[1:]]
    assert [(row["time"], row["at_risk"]) for row in rows] == [(0, 3), (6, 3), (8, 3), (13, 1)]
    assert math.isclose(rows[2]["survival"], 4 / 9)
    done = coterie("trace", "fit", path, "--option", "t0=0", "--format", "json")
    assert math.isclose(json.loads(done.stdout)["exponential"]["parameters"]["rate"], 3 / (6 + 6 + 9 + 8))
    done = coterie("schedule", "--strategy", "greedy", "--workers", 1, "--work", 7, "--chunks-per-slice", 1, "--startup", 0,
                   "--risk", f"trace(file={path}, t0=0, normalise=none)", "--format", "json")
    assert math.isclose(json.loads(done.stdout)["expected_work"], 7 * 2 / 3)


def test_fit_can_make_the_longest_the_unit(coterie, write):
    path = write("10\n30\n20\n40\n")
    answer = json.loads(coterie("trace", "fit", path, "--format", "json", "--normalise", "longest").stdout)
    assert math.isclose(answer["exponential"]["parameters"]["rate"], 1.6)


def test_fit_needs_an_interruption(coterie, write):
    done = coterie("trace", "fit", write("duration,observed\n10,0\n"), check=False)
    assert done.returncode == 2
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], '"info", "convert", "fit" or "plot"'),
        (["inform"], '"info"'),
        (["info"], "FILE is missing"),
        (["convert", "FILE"], "--to is missing"),
        (["convert", "FILE", "--to", "xml"], "json"),
        (["info", "FILE", "--trace-format", "durationss"], 'did you mean "durations"?'),
        (["info", "FILE", "--option", "units=s"], 'did you mean "unit"?'),
        (["info", "FILE", "--option", "foo=bar"], "option foo=bar: unknown; known are"),
        (["info", "FILE", "--trace-format", "foo"], 'unknown trace format "foo"; known are'),
        (["info", "FILE", "--option", "t1=5"], "does not take it"),
        (["info", "FILE", "stray"], "stray word"),
        (["info", "FILE", "--to", "json"], "--to"),
        (["fit", "FILE", "--normalise", "mean"], "longest, none"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(coterie, write, arguments, words):
    path = write("1\n2\n")
    done = coterie("trace", *[path if word == "FILE" else word for word in arguments], check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_missing_file_fails_with_1(coterie, tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        done = coterie("trace", "info", path, check=False)
        assert done.returncode == 1
        assert str(path) in done.stderr


@pytest.mark.parametrize("words", [["trace"], ["trace", "info"], ["trace", "convert"], ["trace", "fit"]])
def test_help_lists_every_format(coterie, words):
    done = coterie(*words, "--help")
    for name in ("durations", "intervals", "events", "avt", "fta", "simgrid", "samples", "lifetimes", "slurm", "condor", "condor-history", "boinc", "ec2", "gce",
                 "kubernetes"):
        assert name in done.stdout
    assert done.stderr == ""


def test_info_prints_what_the_risk_has_and_how_sure_that_is(coterie, write):
    rows = "".join(f"{i},{int(i % 2 == 0 or i > 90)}\n" for i in range(1, 101))
    path = write("duration,observed\n" + rows)
    info = json.loads(coterie("trace", "info", path, "--format", "json").stdout)
    # The median of the risk is where half of the machines are gone by it.
    alive = [json.loads(coterie("schedule", "--strategy", "no-replication", "--workers", 1, "--work", 1, "--chunks", 1,
                                "--risk", f"trace(file={path}, normalise=horizon({info['median'] + late}))", "--format",
                                "json").stdout)["expected_work"] for late in (-0.01, 0.01)]
    assert alive[0] > 0.5 >= alive[1]
    assert info["median_low"] < info["median"] < info["median_high"]
    assert info["mean_low"] < info["mean"] < info["mean_high"] and info["open"] == 0
    text = coterie("trace", "info", path).stdout
    assert "median" in text and "95 %: " in text


def test_an_open_tail_bounds_the_mean_from_below_only(coterie, write):
    path = write("duration,observed\n" + "".join(f"{i * 100},{int(i < 8)}\n" for i in range(1, 11)))
    info = json.loads(coterie("trace", "info", path, "--format", "json").stdout)
    assert math.isclose(info["open"], 0.3) and info["mean_high"] is None and info["median"] == 550
    assert "at least" in coterie("trace", "info", path).stdout
    never = write("duration,observed\n500,0\n700,0\n")
    info = json.loads(coterie("trace", "info", never, "--format", "json").stdout)
    assert info["median"] is None and info["mean"] == 700 and info["open"] == 1


@pytest.mark.parametrize("text, options, word, told", [
    ("500\n700\n", [], "assumed", "seconds are assumed"), ("5\n7\n", ["unit=h"], "given", "as given by --option unit=h"),
    ("a 1 0 700\n", [], "format", "as the format says"),
    ("JobID|State|Start|End\n1|PREEMPTED|2026-06-01T10:00:00|2026-06-01T12:00:00\n", ["timezone=UTC"], "calendar",
     "calendar times"),
    ("host,start,end\na,1970-01-01 00:00:00,1970-01-02 00:00:00\n", ["timezone=UTC"], "calendar", "calendar times")])
def test_info_says_which_unit_it_takes(coterie, write, text, options, word, told):
    path = write(text)
    words = [word for option in options for word in ("--option", option)]
    assert json.loads(coterie("trace", "info", path, "--format", "json", *words).stdout)["unit"] == word
    assert told in coterie("trace", "info", path, *words).stdout


def test_dates_in_columns_that_are_not_read_are_no_unit(coterie, write):
    rows = "".join(f"m{k},2019-03-01T00:00:00Z,2019-03-01T0{k}:00:00Z,{k},preempted\n" for k in (3, 5, 7, 9))
    path = write("name,start,end,time_in_sec,end_type\n" + rows, "life.csv")
    assert "calendar" not in coterie("trace", "info", path).stdout
    asked = coterie("plan", "--trace", path, "--workers", 2, "--work", "10h", "--checkpoint", "1min", check=False)
    assert asked.returncode == 2 and "in which unit are they?" in asked.stderr
    rows = "".join(f"{k},0,{k},2020-01-01T00:00:00Z\n" for k in range(1, 9))
    assert "seconds are assumed" in coterie("trace", "info", write("host,start,end,created\n" + rows, "a.csv")).stdout
    rows = "".join(f"{k},2020-01-01T00:00:00Z,2020-01-01T0{k}:00:00Z\n" for k in range(1, 9))
    assert "calendar times" in coterie("trace", "info", write("host,start,end\n" + rows, "b.csv")).stdout


def test_of_overlapping_rows_one_that_began_before_is_kept(coterie, write):
    path = write("host,start,end,observed,left_truncated\na,0,5,1,0\na,0,10,1,1\n")
    done = coterie("trace", "convert", path, "--option", "overlap=merge", "--to", "intervals")
    assert done.stdout.splitlines()[1].startswith("a,0,10,1,1") and "W_LEFT" in done.stderr


def test_overlaps_of_other_hosts_do_not_matter(coterie, write):
    touching = write("host,start,end\na,0,5\nb,0,10\nb,10,12\n", "touching.csv")
    assert "W_TOUCH" in coterie("trace", "info", touching).stderr
    assert "W_TOUCH" not in coterie("trace", "info", touching, "--option", "host=a").stderr
    overlapping = write("host,start,end\na,0,5\nb,0,10\nb,9,12\n", "overlapping.csv")
    assert "E_OVERLAP" in coterie("trace", "info", overlapping, check=False).stderr
    coterie("trace", "info", overlapping, "--option", "host=a")


def test_a_job_that_starts_on_another_machine_has_left_the_first(coterie, write):
    log = write("001 (001.000.000) 2026-06-01 00:00:00Z Job executing on host: <10.0.0.1:9618>\n...\n"
                "001 (001.000.000) 2026-06-01 01:00:00Z Job executing on host: <10.0.0.2:9618>\n...\n"
                "004 (001.000.000) 2026-06-01 02:00:00Z Job was evicted.\n...\n", "condor.log")
    rows = [line.split(",") for line in coterie("trace", "convert", log, "--to", "intervals").stdout.splitlines()]
    spells = {row[rows[0].index("host")]: (float(row[rows[0].index("end")]) - float(row[rows[0].index("start")]),
                                           row[rows[0].index("observed")]) for row in rows[1:]}
    assert len(rows) == 3 and sorted(spells.values()) == [(3600, "0"), (3600, "1")]
    assert "W_MISSED" in coterie("trace", "info", log).stderr
    log.write_text(log.read_text().replace("10.0.0.2:9618", "10.0.0.1:40755"))  # the same machine by another port
    assert "W_AGAIN" in coterie("trace", "info", log).stderr


def test_machines_that_are_taken_away_after_a_day_are_no_rounded_log(coterie, write):
    """Of 24 h, 6 are left at the age of 18 h; only many different lengths in whole days are a log in days."""
    def expected(days):
        write("".join(f"{86400 * one}\n" for one in days), "d.durations")
        path = write("", "unused").parent / "d.durations"
        done = coterie("schedule", "--strategy", "no-replication", "--workers", 1, "--work", 1, "--chunks", 1, "--startup", 0,
                       "--risk", f"trace(file={path}, age=64800, normalise=horizon(10h))", "--format", "json")
        return json.loads(done.stdout)["expected_work"]

    assert expected([1] * 12) == 0
    # Whole days from 1 to 6: the spell of one day is anything from 12 to 36 h, three quarters of which reach the age.
    assert expected([1, 2, 3, 4, 5, 6]) == pytest.approx(5 / 5.75)


@pytest.mark.parametrize("count", [20011, 100000])
def test_an_age_that_few_reach_leaves_a_whole_law(coterie, write, count):
    write("".join(f"{k}\n" for k in range(1, count + 1)), "n.durations")
    path = write("", "unused").parent / "n.durations"
    # Two workers, each with half of the work and all of its time. The log is in whole seconds: half of the spell that
    # equals the age reaches it, so the spells left are of less than half a second (1/3) and of 1 s (2/3): 1 - 1/9.
    done = coterie("schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--chunks", 2, "--risk",
                   f"trace(file={path}, age={count - 1}, normalise=none)")
    assert "\nexpected work 0.8888888889 (" in done.stdout and "never" not in done.stdout


@pytest.mark.parametrize("text, form", [("5\n7\n", "durations"), ("host,start,end\na,0,10\n", "intervals"),
                                        ("1.5 1\n2 0\n", "simgrid"), ("a 1 0 700\n", "avt")])
def test_info_says_what_it_takes_the_file_for(coterie, write, text, form):
    for file, given in ((write(text), {}), ("/dev/stdin", {"input": text})):
        assert json.loads(coterie("trace", "info", file, "--format", "json", **given).stdout)["format"] == form
        assert f"\nformat           {form}\n" in coterie("trace", "info", file, **given).stdout


def test_info_says_which_unit_a_stream_was_given(coterie):
    assert "as given by --option unit=min\n" in coterie("trace", "info", "/dev/stdin", "--option", "unit=min",
                                                        input="5\n7\n").stdout


def test_what_a_log_has_that_is_not_used_is_named(coterie, write):
    path = write("instance,start,end,price,reason\na,0,1000,3,preempted\nb,0,900,4,user\n", "log.csv")
    done = coterie("trace", "info", path, check=False)
    assert done.returncode == 2 and 'E_CAUSE: which of the causes "user" are interruptions?' in done.stderr
    done = coterie("trace", "info", path, "--option", "observed=Preempted")
    assert f"{path}: W_COLUMN: 2 rows have a column that is not used: price\n" in done.stderr
    assert f"{path}: W_CAUSE: 1 row has a cause in neither list" in done.stderr and ": user\n" in done.stderr
    (path.parent / "c.toml").write_text(CAMPAIGN.replace("my.durations", "log.csv, observed=preempted"))
    done = coterie("validate", path.parent / "c.toml")
    assert "warning: 2 rows have a column that is not used: price" in done.stderr
    risk = f"trace(file={path}, observed=preempted)"
    done = coterie("schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--startup", 0.01, "--risk", risk)
    assert "warning: 1 row has a cause in neither list, counted with the list that was not given: user" in done.stderr


def test_columns_that_are_not_used_are_named_together(coterie, write):
    path = write("host,start,end,price,zone2,gpu\na,0,1000,3,x,4\nb,0,900,4,y,4\n", "log.csv")
    done = coterie("trace", "info", path)
    assert done.stderr.count("W_COLUMN") == 1
    assert f"{path}: W_COLUMN: 2 rows have columns that are not used: gpu, price, zone2\n" in done.stderr


@pytest.mark.parametrize("text, words, question", [
    ("".join(f"{i}\n" for i in range(1, 40)), [], "no machine stays longer than 39 s"),
    ("".join(f"{i}\n" for i in range(1, 90)), ["--checkpoint", "10min"], "half of the machines leave within 45 s")])
def test_a_plan_asks_for_the_unit_where_lives_are_hardly_seconds(coterie, write, text, words, question):
    path = write(text)
    plan = ["plan", "--trace", path, "--workers", 3, "--work", "20h", "--checkpoint", "5min", "--instances", 10,
            "--resamples", 0]
    if words:
        plan[plan.index("--checkpoint") + 1] = words[1]
    done = coterie(*plan, check=False)
    assert done.returncode == 2 and question in done.stderr and "--option unit=s, min, h or d" in done.stderr
    assert done.stdout == ""
    assert "Do this" in coterie(*plan, "--option", "unit=h").stdout
    assert coterie(*plan, "--option", "unit=s", check=False).returncode == 0  # an answer is an answer


CAMPAIGN = """
seed = 3
instances = 50
strategies = ["greedy"]
[grid]
workers = 3
work = 2
chunks = 4
startup = 0.01
risk = "trace(file=my.durations, normalise=quantile(0.9))"
"""


def test_a_result_is_run_again_from_itself(coterie, tmp_path):
    (tmp_path / "my.durations").write_text("3\n1\n4\n1\n5\n9\n")
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    coterie("run", "c.toml", "--output", "one.h5", "--instances", 70, "--set", "workers=[2, 3]", cwd=tmp_path)
    (tmp_path / "c.toml").unlink()
    coterie("run", tmp_path / "one.h5", "--output", tmp_path / "two.h5")  # from any folder
    show = [coterie("show", tmp_path / name, "--by", "workers", "--format", "json").stdout for name in
            ("one.h5", "two.h5")]
    assert show[0] == show[1] and len(json.loads(show[0])) >= 1
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "one.h5") as one, h5py.File(tmp_path / "two.h5") as two:
        assert one["ratio"].shape == (2, 1, 70)
        for name in ("ratio", "reference", "expected_work"):
            assert one[name][()].tobytes() == two[name][()].tobytes()


def test_a_result_whose_trace_changed_is_not_run_again(coterie, tmp_path):
    (tmp_path / "my.durations").write_text("3\n1\n4\n")
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    coterie("run", "c.toml", "--output", "one.h5", cwd=tmp_path)
    for text in ("3\n1\n5\n", "3\nx\n", "3\n1\n4\n\n"):
        (tmp_path / "my.durations").write_text(text)
        for words in (["run", "one.h5", "--output", "two.h5"],
                      ["replay", "one.h5", "--configuration", 0, "--instance", 0]):
            done = coterie(*words, check=False, cwd=tmp_path)
            assert done.returncode == 1
            assert "an input file changed" in done.stderr and "the file my.durations" in done.stderr
    (tmp_path / "my.durations").unlink()
    done = coterie("run", "one.h5", "--output", "two.h5", check=False, cwd=tmp_path)
    assert done.returncode == 1 and "my.durations: cannot be opened" in done.stderr
    assert not (tmp_path / "two.h5").exists()


@pytest.mark.parametrize("words", [["--seed", 4], ["--instances", 9], ["--set", "workers=4"]])
def test_a_result_is_run_again_as_it_was(coterie, tmp_path, words):
    (tmp_path / "my.durations").write_text("3\n1\n4\n")
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    coterie("run", "c.toml", "--output", "one.h5", cwd=tmp_path)
    done = coterie("run", "one.h5", "--output", "two.h5", *words, check=False, cwd=tmp_path)
    assert done.returncode == 2 and words[0] in done.stderr
    assert coterie("run", "one.h5", check=False, cwd=tmp_path).returncode == 2


def test_normalisation_and_censoring_are_always_said(coterie, tmp_path):
    """Only who takes ends for interruptions that are none is warned; the default, Kaplan-Meier, does not."""
    for observed, estimator, warned in ((0, ", estimator=naive", True), (1, ", estimator=naive", False), (0, "", False)):
        rows = "".join(f"{i},{1 if i > 2 or observed else 0}\n" for i in range(1, 101))
        (tmp_path / "my.durations").write_text("duration,observed\n" + rows)
        (tmp_path / "c.toml").write_text(CAMPAIGN.replace("file=my.durations", "file=my.durations" + estimator))
        for verb in ("validate", "run"):
            done = coterie(verb, "c.toml", *(["--force"] if verb == "run" else []), cwd=tmp_path)
            assert "one unit of time is 90 s" in done.stderr
            assert ("warning" in done.stderr) == warned and f"{0 if observed else 2:.1f} % censored" in done.stderr


def test_reading_is_fast(coterie, tmp_path):
    """300,000 intervals take 0.2 s; the bound leaves room for slow and busy machines."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.write("host,start,end\n")
        for host in range(3000):
            file.writelines(f"h{host},{1000 * i},{1000 * i + 37 * (host + i) % 999}\n" for i in range(100))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = json.loads(coterie("trace", "info", path, "--format", "json").stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert answer["n"] == 300_000 and answer["hosts"] == 3000
    assert after.ru_utime - before.ru_utime < 3


def test_a_log_of_dates_has_calendar_times(coterie):
    log = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "examples" / "logs" / "ec2.jsonl"
    assert json.loads(coterie("trace", "info", log, "--format", "json").stdout)["unit"] == "calendar"
