"""What holds for the program as a whole: help, versions, words it does not know, exit codes, streams."""
import os
import re
import subprocess

import pytest

VERBS = ["run", "validate", "show", "replay", "schedule", "charts", "solve", "list", "trace", "help"]


def test_help_is_on_stdout_and_names_every_verb(coterie):
    answer = coterie("--help")
    assert answer.stderr == ""
    for verb in VERBS:
        assert f"\n  {verb} " in answer.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_on_stdout(coterie, verb):
    answer = coterie(verb, "--help")
    assert answer.stderr == ""
    assert answer.stdout.startswith(f"Usage: coterie {verb}")


def test_every_help_fits_80_columns_however_it_is_asked_for(coterie):
    verbs = re.findall(r"^  (\w+) {2,}", coterie("--help").stdout, flags=re.MULTILINE)
    actions = re.findall(r"^  (\w+) {2,}", coterie("trace", "--help").stdout.split("Formats")[0], flags=re.MULTILINE)
    assert set(VERBS) <= set(verbs) and {"info", "convert", "fit", "plot"} == set(actions)
    for words in ([], *([verb] for verb in verbs), *(["trace", action] for action in actions)):
        text = coterie(*words, "--help").stdout
        assert text.startswith(f"Usage: coterie {' '.join(words)}") or not words
        assert [line for line in text.splitlines() if len(line) > 80] == []
        assert coterie(*words, "-h").stdout == coterie("help", *words).stdout == text


def test_version_tells_what_was_built_with_what(coterie):
    text = coterie("--version").stdout
    for word in ("coterie ", "HDF5", "Boost", "g++", "clang"):
        if word not in ("g++", "clang"):
            assert word.lower() in text.lower(), text


def test_libraries_of_the_folder_that_it_is_run_in_are_left_alone(tmp_path):
    program = os.environ["COTERIE"]
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    for line in linked.splitlines():
        if "=> /" in line:
            (tmp_path / line.split()[0]).write_text("no library")
    assert len(list(tmp_path.iterdir())) > 10
    answer = subprocess.run([program, "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.parametrize("arguments,message", [
    ([], "a verb is missing (see coterie --help)"),
    (["rnu"], 'unknown verb "rnu" (did you mean "run"?)'),
    (["hlp"], 'unknown verb "hlp" (did you mean "help"?)'),
    (["--halp"], 'unknown verb "--halp" (did you mean "--help"?)'),
    (["help", "run", "one", "two"], 'stray word "two" (see coterie help --help)'),
    (["help", "--verb"], "unknown option --verb"),
    ([""], "unknown verb"),
    (["run"], "CAMPAIGN.toml is missing (see coterie run --help)"),
    (["run", "a.toml", "b.toml"], 'stray word "b.toml" (see coterie run --help)'),
    (["run", "a.toml", "--thread", "2"], 'unknown option --thread (did you mean "--threads"?)'),
    (["run", "a.toml", "-q"], "stray word"),
    (["help", "rnu"], 'unknown verb "rnu" (did you mean "run"?)'),
    (["run", "a.toml", "--threads"], "--threads"),
    (["run", "a.toml", "--threads", "0"], "--threads must be a whole number of at least 1"),
    (["run", "a.toml", "--threads", "two"], "--threads must be a whole number"),
    (["run", "a.toml", "--threads", "1", "--threads", "2"], "--threads"),
    (["run", "a.toml", "--seed", "-1"], "--seed must be a whole number of at least 0"),
    (["run", "a.toml", "--seed", "10000000000000000000"], "--seed must be at most 9223372036854775807, not 1000"),
    (["run", "a.toml", "--shard", "1/2000000"], "1 <= I <= N <= 1000000"),
    (["run", "a.toml", "--save-every", "40000d"], "--save-every must be less than 1e9s, not 40000d"),
    (["run", "a.toml", "--instances", "1.5"], "--instances must be a whole number"),
    (["show"], "FILE.h5 is missing"),
    (["show", "a.h5", "--forma", "csv"], "unknown option --forma"),
    (["show", "a.h5", "--format", "xml"], '--format must be "table", "csv" or "json", not "xml"'),
    (["replay", "a.h5"], "--configuration"),
    (["replay", "a.h5", "--configuration", "0"], "--instance"),
    (["schedule"], "--"),
    (["schedule", "word"], ""),
    (["list"], "is missing"),
    (["list", "strategys"], 'unknown list "strategys" (did you mean "strategies"?)'),
    (["list", "strategies", "extra"], 'stray word "extra"'),
    (["--version", "extra"], 'stray word "extra"'),
    (["--help", "run"], 'stray word "run"'),
    (["help", "run", "extra"], 'stray word "extra"'),
    (["validate"], "CAMPAIGN.toml is missing"),
])
def test_wrong_usage_is_code_2_and_says_why(coterie, arguments, message):
    answer = coterie(*arguments, check=False)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--help"], ["list", "strategies"], ["list", "risks", "--format", "json"],
                                       ["schedule", "--strategy", "greedy", "--workers", "4", "--work", "1",
                                        "--chunks", "20", "--format", "json"]])
def test_a_full_disk_under_stdout_is_code_1(coterie, arguments):
    with open("/dev/full", "w") as full:
        answer = subprocess.run([os.environ["COTERIE"], *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert answer.returncode == 1
    assert "standard output" in answer.stderr


def test_a_closed_stdout_is_code_1(coterie):
    answer = subprocess.run(["sh", "-c", 'exec "$0" list strategies >&-', os.environ["COTERIE"]],
                            stderr=subprocess.PIPE, text=True)
    assert answer.returncode == 1


def test_needs_no_environment():
    answer = subprocess.run([os.environ["COTERIE"], "list", "models"], env={}, capture_output=True, text=True)
    assert answer.returncode == 0
    assert "worksharing" in answer.stdout
