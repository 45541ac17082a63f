"""`coterie completion bash`, asked as bash asks it: nothing that --help tells may be missing."""

import os
import re
import subprocess

import pytest

ACTIONS = {"trace": ["info", "convert", "fit", "plot"]}


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """What the shell proposes for a line, whose last word is being written."""
    folder = tmp_path_factory.mktemp("completion")
    script = subprocess.run([os.environ["COTERIE"], "completion", "bash"], capture_output=True, text=True, check=True)
    (folder / "coterie").write_text(script.stdout)

    def ask(*lines, cwd=folder):
        """For each line, a list of words after `coterie`."""
        calls = "".join(f"COMP_WORDS=(coterie {' '.join(map(quoted, words))}); COMP_CWORD={len(words)}; _coterie; "
                        'printf "%s\\n" "${COMPREPLY[@]}" ---\n' for words in lines)
        done = subprocess.run(["bash", "-c", f"source {folder / 'coterie'}\n{calls}"], capture_output=True, text=True,
                              timeout=60, cwd=cwd)
        assert done.returncode == 0 and not done.stderr, done.stderr
        answers = [[word for word in answer.split("\n") if word] for answer in done.stdout.split("---\n")[:-1]]
        return answers if len(lines) > 1 else answers[0]

    return ask


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


def verbs(coterie):
    return re.findall(r"^  (\w+) {2,}", coterie("--help").stdout, flags=re.MULTILINE)


def test_every_verb_and_every_option_of_the_help(coterie, complete):
    names = verbs(coterie)
    assert len(names) >= 15
    assert set(complete([""])) == {*names, "--help", "--version"}
    calls = [[name, action] for name in names for action in ACTIONS.get(name, [""])]
    calls = [[word for word in call if word] for call in calls]
    for call, proposed in zip(calls, complete(*[[*call, "--"] for call in calls])):
        told = re.findall(r"^  (--[\w-]+)", coterie(*call, "--help").stdout, flags=re.MULTILINE)
        assert len(told) >= 1 and sorted(proposed) == sorted(told), call


def test_actions_are_words(complete):
    assert complete(["trace", ""]) == ["info", "convert", "fit", "plot", "--help"]
    assert complete(["trace", "c"]) == ["convert"]


def test_names_of_the_tables(coterie, complete):
    def listed(what):
        return re.findall(r"^([a-z][\w()-]*) ", coterie("list", what).stdout, flags=re.MULTILINE)

    by_verb, of_plan, risks, formats, baselines = complete(
        ["schedule", "--strategy", ""], ["plan", "--strategy", ""], ["schedule", "--risk", ""],
        ["trace", "info", "--trace-format", ""], ["show", "--baseline", ""])
    assert by_verb == of_plan and set(by_verb) < set(listed("strategies"))
    assert {"greedy", "two-workers", "brute"} <= set(by_verb)
    assert set(baselines) == set(listed("strategies"))
    assert set(risks) == set(listed("risks"))
    assert set(formats) == set(listed("formats"))
    assert set(complete(["list", ""])) == {"models", "strategies", "risks", "backgrounds", "platform-laws", "job-laws",
                                           "formats"}


def test_values_behind_options(complete):
    assert complete(["show", "x.h5", "--format", ""]) == ["table", "csv", "json"]
    assert complete(["show", "x.h5", "--format", "=", "c"]) == ["csv"]
    assert complete(["show", "x.h5", "--format", "="]) == ["table", "csv", "json"]
    assert complete(["show", "x.h5", "--by", "start"]) == ["startup"]
    assert complete(["show", "x.h5", "--where", "start"]) == ["startup="]
    assert complete(["trace", "convert", "--to", "d"]) == ["durations"]
    assert complete(["run", "c.toml", "--seed", ""]) == []
    assert complete(["charts", "--chart", "sn"]) == ["snake"]


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
    result = coterie("completion", "fish", check=False)
    assert result.returncode == 2
    assert result.stderr == 'there is no completion for "fish"; there is one for "bash"\n'
