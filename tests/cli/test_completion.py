"""`coterie completion`, asked in each shell: nothing that --help tells may be missing."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

import completing_shells

ACTIONS = {"trace": ["info", "convert", "fit", "plot"]}


@pytest.fixture(scope="module", params=completing_shells.SHELLS)
def shell(request):
    if not shutil.which(request.param):
        pytest.skip(f"there is no {request.param} here: scripts/setup --full installs it")
    return request.param


@pytest.fixture(scope="module")
def complete(shell, tmp_path_factory):
    """What the shell proposes for lines, the last word of each being written: a list of words after `coterie` a line."""
    folder = tmp_path_factory.mktemp("completion")
    script = folder / f"completion.{shell}"
    script.write_text(subprocess.run([os.environ["COTERIE"], "completion", shell], capture_output=True, text=True,
                                     check=True).stdout)

    def ask(*lines, cwd=folder):
        answers = [[word.rstrip("/").replace("\\ ", " ") for word in answer]  # folders; as they are inserted
                   for answer in getattr(completing_shells, shell)(script, lines, cwd)]
        assert len(answers) == len(lines)
        return answers if len(lines) > 1 else answers[0]

    return ask


def verbs(coterie):
    return re.findall(r"^  (\w+) {2,}", coterie("--help").stdout, flags=re.MULTILINE)


def test_every_verb_and_every_option_of_the_help(coterie, complete):
    names = verbs(coterie)
    assert len(names) >= 15
    assert set(complete([""])) - {"--help", "--version"} == set(names)
    assert set(complete(["--"])) == {"--help", "--version"}
    calls = [[name, action] for name in names for action in ACTIONS.get(name, [""])]
    calls = [[word for word in call if word] for call in calls]
    for call, proposed in zip(calls, complete(*[[*call, "--"] for call in calls])):
        told = re.findall(r"^  (--[\w-]+)", coterie(*call, "--help").stdout, flags=re.MULTILINE)
        assert len(told) >= 1 and sorted(proposed) == sorted(told), call


def test_actions_are_words(complete):
    words, begun, option = complete(["trace", ""], ["trace", "c"], ["trace", "--"])
    assert set(words) - {"--help"} == {"info", "convert", "fit", "plot"}
    assert begun == ["convert"] and option == ["--help"]


def test_verbs_behind_help(coterie, complete):
    every, begun = complete(["help", ""], ["help", "sc"])
    assert set(every) == set(verbs(coterie)) and begun == ["schedule"]


def test_parentheses_are_quoted(shell, complete):
    if shell == "fish":
        assert "skip(greedy)" in complete(["show", "x.h5", "--baseline", "skip"])  # it quotes what it inserts
        return
    skips, begun = complete(["show", "x.h5", "--baseline", "skip"], ["show", "x.h5", "--baseline", r"skip\(gre"])
    assert r"skip\(greedy\)" in skips and begun == [r"skip\(greedy\)"]


def test_names_of_the_tables(shell, coterie, complete):
    def listed(what):
        return re.findall(r"^([a-z][\w()-]*) ", coterie("list", what).stdout, flags=re.MULTILINE)

    by_verb, of_plan, risks, formats, baselines = complete(
        ["schedule", "--strategy", ""], ["plan", "--strategy", ""], ["schedule", "--risk", ""],
        ["trace", "info", "--trace-format", ""], ["show", "--baseline", ""])
    assert by_verb == of_plan and set(by_verb) < set(listed("strategies"))
    assert {"greedy", "two-workers", "brute"} <= set(by_verb)
    written = {shlex.split(name)[0] for name in baselines} if shell != "fish" else set(baselines)
    assert written == set(listed("strategies"))
    assert set(risks) == set(listed("risks"))
    assert set(formats) == set(listed("formats"))
    assert set(complete(["list", ""])) == {"models", "strategies", "risks", "backgrounds", "platform-laws", "job-laws",
                                           "formats"}


def test_values_behind_options(complete):
    formats, by, where, to, seed, chart, none = complete(
        ["show", "x.h5", "--format", ""], ["show", "x.h5", "--by", "start"], ["show", "x.h5", "--where", "start"],
        ["trace", "convert", "--to", "d"], ["run", "c.toml", "--seed", ""], ["charts", "--chart", "sn"], ["schedule", ""])
    assert set(formats) == {"table", "csv", "json"}
    assert (by, where, to, seed, chart, none) == (["startup"], ["startup="], ["durations"], [], ["snake"], [])


def test_values_behind_an_equals_sign(shell, complete):
    if shell == "bash":  # there it is a word
        assert complete(["show", "x.h5", "--format", "=", "c"]) == ["csv"]
        assert complete(["show", "x.h5", "--format", "="]) == ["table", "csv", "json"]
    else:
        assert [word.removeprefix("--format=") for word in complete(["show", "x.h5", "--format=c"])] == ["csv"]


def test_the_program_tells_what_words_mean(coterie):
    assert "run\truns a campaign and writes a result file\n" in coterie("completion", "answer", "fish", "").stdout
    options = coterie("completion", "answer", "zsh", "schedule", "--chu").stdout
    assert re.search(r"^--chunks\tchunks per unit of work, auto \(default\) or auto-paper", options, re.MULTILINE)


def test_files_by_what_a_verb_takes(complete, tmp_path):
    for name in ("one.toml", "two words.toml", "result.h5", "trace.csv", "picture.svg"):
        (tmp_path / name).touch()
    (tmp_path / "folder.h5.parts").mkdir()

    run, show, validate, export, trace = complete(["run", ""], ["show", ""], ["validate", "two"], ["plan", "--export", ""],
                                                  ["trace", "info", ""], cwd=tmp_path)

    assert set(run) == {"one.toml", "two words.toml", "result.h5", "folder.h5.parts"}
    assert set(show) == {"result.h5", "folder.h5.parts"}
    assert validate == ["two words.toml"]
    assert set(export) == {"trace.csv", "picture.svg", "folder.h5.parts"}
    assert len(trace) == 6


def test_what_cannot_be_completed_is_refused(coterie):
    result = coterie("completion", "tcsh", check=False)
    assert result.returncode == 2
    assert result.stderr == 'unknown completion "tcsh"; known are "bash", "zsh" or "fish"\n'
