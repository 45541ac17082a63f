"""Colours and bold text: where a stream is a terminal, unless NO_COLOR or TERM says otherwise; nowhere else."""

import os
import pty
import re
import selectors
import subprocess
import tty

import pytest

BOLD, YELLOW, RED, END = "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"
CODE = re.compile(r"\x1b\[(?:1|33|31|0)m")


def read_all(descriptors):
    """What comes from each, until all are closed."""
    texts = {descriptor: b"" for descriptor in descriptors}
    with selectors.DefaultSelector() as selector:
        for descriptor in texts:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(timeout=300):
                try:
                    piece = os.read(key.fd, 65536)
                except OSError:  # so ends a terminal that nobody has open
                    piece = b""
                if not piece:
                    selector.unregister(key.fd)
                texts[key.fd] += piece
    return [texts[descriptor].decode() for descriptor in descriptors]


@pytest.fixture
def shown():
    """Exit code, standard output, standard error; those named in `terminals` are a terminal each, the others pipes."""

    def run(*arguments, terminals=("stdout", "stderr"), **environment):
        variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        variables |= {"TERM": "xterm"} | environment
        ends = {}
        for stream in ("stdout", "stderr"):
            ends[stream] = pty.openpty() if stream in terminals else os.pipe()
            if stream in terminals:
                tty.setraw(ends[stream][1])
        process = subprocess.Popen(
            [os.environ["COTERIE"], *map(str, arguments)],
            env={name: value for name, value in variables.items() if value is not None},
            **{stream: write for stream, (_, write) in ends.items()},
        )
        for _, write in ends.values():
            os.close(write)
        texts = read_all([read for read, _ in ends.values()])
        for read, _ in ends.values():
            os.close(read)
        return process.wait(), *texts

    return run


def painted(text, begin):
    """The pieces between that code and the next end; every code is one of ours, and none is left open."""
    assert "\x1b" not in CODE.sub("", text)
    pieces = re.findall(r"(\x1b\[(?:1|33|31)m)([^\x1b\n]+)\x1b\[0m", text)
    assert 2 * len(pieces) == len(CODE.findall(text))
    return [piece for code, piece in pieces if code == begin]


SCHEDULE = ("schedule", "--strategy", "greedy", "--workers", 4, "--work", 2, "--startup", 0.01, "--chunks", 5)


def test_headings_are_bold_and_nothing_else_is(shown):
    code, out, err = shown(*SCHEDULE)
    assert (code, err) == (0, "")
    headings = painted(out, BOLD)
    assert headings[-1] == "worker  tasks  finishes  chunks in order"
    assert len(headings) > 1 and all(re.match(r"coterie \d+: ", heading) for heading in headings[:-1])
    assert not painted(out, YELLOW) and not painted(out, RED)


def test_errors_are_red(shown, tmp_path):
    code, out, err = shown("frobnicate")
    assert (code, out) == (2, "")
    assert painted(err, RED) == [CODE.sub("", err).rstrip("\n")]
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('title = "t"\nmodel = "nothing"\n')
    code, out, err = shown("validate", campaign)
    assert (code, out) == (2, "")
    assert "campaign.toml:2" in painted(err, RED)[0]


def test_warnings_are_yellow(shown, tmp_path):
    trace = tmp_path / "trace.csv"
    trace.write_text("duration,observed\n0,1\n" + "".join(f"{i},{i % 3 > 0:d}\n" for i in range(10, 40)))
    code, out, err = shown("trace", "fit", trace)
    assert code == 0
    assert len(painted(out, BOLD)) == 1 and painted(out, BOLD)[0].startswith("law ")
    assert any("left out of the fits" in line for line in painted(err, YELLOW))
    assert not painted(err, RED)


def test_warnings_in_an_answer_are_yellow(shown, tmp_path):
    trace = tmp_path / "trace.csv"
    trace.write_text("".join(f"{i}\n" for i in range(10000, 10012)))
    _, out, _ = shown("plan", "--trace", trace, "--machines", 3, "--work", "2h", "--checkpoint", "5min", "--instances", 100)
    assert painted(out, YELLOW) == re.findall(r"Doubts: .*(?=\x1b)", out) != []


@pytest.mark.parametrize("terminal", ["stdout", "stderr"])
def test_each_stream_for_itself(shown, tmp_path, terminal):
    trace = tmp_path / "trace.csv"
    trace.write_text("duration,observed\n0,1\n" + "".join(f"{i},1\n" for i in range(10, 40)))
    _, out, err = shown("trace", "fit", trace, terminals=(terminal,))
    assert ("\x1b" in out, "\x1b" in err) == (terminal == "stdout", terminal == "stderr")


NO_COLOURS = [{"NO_COLOR": "1"}, {"NO_COLOR": "0"}, {"TERM": "dumb"}, {"TERM": None}, {"terminals": ()}]


@pytest.mark.parametrize("how", NO_COLOURS, ids=str)
def test_none_where_they_are_not_wanted(shown, how):
    _, coloured, _ = shown(*SCHEDULE)
    _, plain, _ = shown(*SCHEDULE, **how)
    assert "\x1b" in coloured and "\x1b" not in plain
    assert CODE.sub("", coloured) == plain
    _, _, coloured = shown("frobnicate")
    _, _, plain = shown("frobnicate", **how)
    assert "\x1b" in coloured and "\x1b" not in plain
    assert CODE.sub("", coloured) == plain


def test_an_empty_no_color_says_nothing(shown):
    assert shown(*SCHEDULE, NO_COLOR="") == shown(*SCHEDULE)


@pytest.mark.parametrize("form", ["json", "csv", "svg"])
def test_none_in_what_programs_read(shown, form):
    code, out, _ = shown(*SCHEDULE, "--format", form)
    assert code == 0 and out and "\x1b" not in out


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    """Its title holds what would clear the screen, and codes like ours."""
    folder = tmp_path_factory.mktemp("colours")
    (folder / "campaign.toml").write_text(
        'model = "dispatch"\ntitle = "a\\u001B[2J\\u001B[31mb"\nstrategies = ["greedy", "help"]\ninstances = 4\n'
        "[grid]\nworkers = [2, 3]\nwork = 1.0\nstartup = 0.01\nchunks = 5\n"
    )
    subprocess.run(
        [os.environ["COTERIE"], "run", "campaign.toml", "--output", "r.h5", "--quiet"], cwd=folder, check=True, timeout=300
    )
    return folder / "r.h5"


def test_escapes_of_a_title_are_still_shown(shown, result):
    code, out, err = shown("show", result, "--by", "workers")
    assert (code, err) == (0, "")
    headings = painted(out, BOLD)  # no other code is left
    assert headings[0].endswith(r": a\x1b[2J\x1b[31mb")
    assert [line for line in headings if line.startswith("workers = ")] == headings[1::2]
    assert len(headings) == 5 and all(line.split()[:2] == ["all", "done"] for line in headings[2::2])


def test_escapes_of_an_argument_are_still_shown(shown):
    _, _, err = shown("\x1b[2Jverb")
    assert r"\x1b[2Jverb" in painted(err, RED)[0]


def test_every_manual_page_names_the_variable(coterie):
    for page in (coterie("manual").stdout, coterie("manual", "show").stdout):
        assert ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\n" in page


PLAN = ("plan", "--machines", 6, "--risk", "linear", "--risk-unit", "40h", "--work", "40h", "--checkpoint", "5min")


@pytest.mark.parametrize(
    "call, headings",
    [
        (("list", "strategies"), "worksharing:"),
        (("charts", "--group", 2, "--chunks", 4), "greedy"),
        (("show", "RESULT"), "all ("),
        (("replay", "RESULT", "--configuration", 0, "--instance", 0), "configuration"),
        (("schedule", "--help"), "Options:"),
        ((*PLAN, "--instances", 200, "--price", 0.1, "--deadline", "30h"), "policy  "),
    ],
    ids=str,
)
def test_text_is_that_of_a_pipe(shown, result, call, headings):
    call = [result if word == "RESULT" else word for word in call]
    code, out, _ = shown(*call)
    piped = shown(*call, terminals=())
    assert (code, CODE.sub("", out)) == piped[:2] and code == 0
    assert any(line.startswith(headings) for line in painted(out, BOLD))


def test_all_tables_of_a_plan_have_headings(shown):
    _, out, _ = shown(*PLAN, "--instances", 200, "--explain")
    begins = [line.split("  ")[0] or line.strip().split("  ")[0] for line in painted(out, BOLD)]
    assert begins == ["policy", "policy", "strategy", "What if"]
