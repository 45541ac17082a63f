"""All verbs on inputs that are wrong in one way or another, by chance: an answer or a message, whatever the bytes.

COTERIE_FULL=1 makes thousands of attempts, COTERIE_HOSTILE_INPUTS any number a verb. Each attempt depends on its number and
the verb alone; a failure keeps the folder and prints the command."""
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
sys.path.insert(0, str(TESTS / "fuzz"))
import seeds  # noqa: E402  (texts as users write them)

INPUTS = int(os.environ.get("COTERIE_HOSTILE_INPUTS", 200 if os.environ.get("COTERIE_FULL") else 5))
TIMEOUT = 120  # seconds; what takes longer hangs
MOST_ECHOED = 210  # bytes: 200, and what stands around them in the message and in the input alike
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]")
NUMBERS = ["1e308", "-1e308", "5e-324", "1e-310", "0", "-0", "nan", "inf", "-inf", "1/0", "1e999", "9" * 400, "0." + "0" * 400 + "1",
           "9223372036854775807", "18446744073709551616", "-1", "1e15", "0x10", "1_000", ""]
TEXTS = ["\x1b[2J\x1b]0;x\x07", "\u202egro\u2066", "\u009b31m", "a\nb", "\r", "\x7f", "w" * 3000, 'q" (' * 800, "\u00e4" * 2000,
         "a." * 300, "[" * 300, "{a=" * 300, "((((", ")", '"', "'''", "=", ",", "%s%n", "../../../../etc", "\ufeff", "#"]
TRACES = [case["text"] for case in json.loads((TESTS / "data" / "trace-formats.json").read_text())]
OBSERVED = "arrival_times = [0, 1, 3, 4.5]\nservices = [0.5, 0.2, 0.7]\n"
SMALL = """title = "small"
seed = 5
instances = 3
strategies = ["greedy", "random-replication"]
[grid]
workers = [2, 3]
work = ["0.5 workers", 3]
chunks = 3
startup = 0.01
risk = ["linear", "weibull(shape=0.7, scale=1)"]
"""
SCHEDULE = ["schedule", "--strategy", "greedy", "--workers", "3", "--work", "1", "--chunks-per-slice", "4", "--startup", "0.01",
            "--risk", "exponential(rate=1)", "--lambda", "0.9", "--format", "table"]
PLAN = ["--workers", "3", "--work", "5h", "--checkpoint", "5min", "--instances", "20", "--resamples", "2", "--strategy", "greedy",
        "--chunks", "3"]

#: words of the command line, and the contents of the file "input" (None: there is none); both are made wrong
VERBS = {
    "validate": (["validate", "input", "--set", "workers=3", "--instances", "5"], [SMALL, seeds.CAMPAIGN]),
    "run": (["run", "input", "--output", "o.h5", "--force", "--threads", "1", "--time-limit", "5s"], [SMALL]),
    "solve": (["solve", "input", "--format", "table"], seeds.PROBLEMS),
    "solve, drawn": (["solve", "input", "--format", "svg"], seeds.PROBLEMS[3:]),
    "estimate": (["solve", "--estimate", "input"], [OBSERVED]),
    "info": (["trace", "info", "input"], TRACES),
    "convert": (["trace", "convert", "input", "--to", "json"], TRACES),
    "intervals": (["trace", "convert", "input", "--to", "intervals"], TRACES),
    "fit": (["trace", "fit", "input", "--normalise", "longest"], TRACES[:8] + ["1\n2\n3.5\n"]),
    "plan": (["plan", "--trace", "input", *PLAN], ["3600\n7200\n9000\n20000\n"]),
    "plan by a risk": (["plan", "--risk", "exponential(rate=1)", "--risk-unit", "8h", *PLAN], [None]),
    "risk": (SCHEDULE[:-6] + ["--risk", "trace(file=input)"], ["1\n2\n3\n4\n"]),
    "schedule": (SCHEDULE, [None]),
    "charts": (["charts", "--group", "3", "--chunks", "6"], [None]),
    "list": (["list", "strategies"], [None]),
    "manual": (["manual", "run"], [None]),
    "completion": (["completion", "bash"], [None]),
    "show": (["show", "r.h5", "--by", "risk", "--where", "workers=3", "--baseline", "greedy"], [None]),
    "status": (["status", "r.h5", "--verify"], [None]),
    "replay": (["replay", "r.h5", "--configuration", "1", "--instance", "2"], [None]),
    "report": (["report", "r.h5", "--output", "o.html", "--baseline", "greedy"], [None]),
    "merge": (["merge", "r.h5", "--output", "o.h5", "--force"], [None]),
}


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    (folder / "c.toml").write_text(SMALL)
    subprocess.run([os.environ["COTERIE"], "run", "c.toml", "--output", "r.h5", "--quiet"], cwd=folder, check=True, timeout=600)
    return (folder / "r.h5").read_bytes()


def made_wrong(text, chance):
    """Another number, another text within a value, a piece lost or doubled, or bytes that are none of UTF-8."""
    data = text.encode()
    numbers = [match.span() for match in re.finditer(rb"\d+(\.\d+)?", data)]
    begin = chance.randrange(len(data) + 1)
    end = min(len(data), begin + chance.randrange(1, 20))
    way = chance.randrange(6)
    if way <= 1 and numbers:
        begin, end = chance.choice(numbers)
        return data[:begin] + chance.choice(NUMBERS).encode() + data[end:]
    if way <= 3:
        return data[:begin] + chance.choice(TEXTS).encode() + data[begin:]
    if way == 4:
        return data[:begin] + chance.choice([b"", data[begin:end] * 3, data[:begin]]) + data[end:]
    return data[:begin] + chance.choice([b"\xff\xfe", b"\0", chance.randbytes(30), b"\xed\xa0\x80"]) + data[begin:]


def attempt(verb, chance):
    """Words and the file's bytes, one of which is made wrong."""
    words, texts = VERBS[verb]
    words = [os.fsencode(word) for word in words]
    text = chance.choice(texts)
    if text is not None and chance.random() < 0.7:
        return words, made_wrong(text, chance), True
    first = 2 if words[0] == b"trace" else 1
    at = chance.randrange(first, len(words))
    wrong = made_wrong(os.fsdecode(words[at]), chance).replace(b"\0", b"")
    words[at] = chance.choice([wrong, wrong, chance.choice(NUMBERS + TEXTS).encode()])
    return words, None if text is None else text.encode(), False


def judge(words, content, in_file, done):
    """What must hold of any answer."""
    said = done.stderr.decode(), done.stdout.decode()  # UTF-8, whatever the input
    assert done.returncode in (0, 1, 2, 3), done.returncode
    for text in said:
        assert not STEERS.search(text), f"sends {STEERS.search(text).group()!r}"
    if done.returncode in (1, 2):
        assert said[0].strip() and not said[0].startswith(("filesystem error", "[json", "std::", "basic_string", "vector"))
        assert not in_file or "input" in said[0], "the file to blame is not named"
    for line in said[0].splitlines():
        for echo in (line[i:i + MOST_ECHOED + 1].encode() for i in range(len(line) - MOST_ECHOED)):
            assert not any(echo in source for source in [*words, content or b""]), "echoes at length"
    if words[0] in (b"schedule", b"plan", b"solve", b"trace", b"charts", b"show"):
        wanted = b"nan" in b" ".join([*words, content or b""]).lower()
        assert wanted or not re.search(r"(?<![a-z])nan(?![a-z])", said[1].lower()), "prints nan"


@pytest.mark.parametrize("verb", VERBS)
def test_any_input(tmp_path, result, verb):
    answers = [0, 0, 0, 0]
    for number in range(INPUTS):
        chance = random.Random(f"2013 {verb} {number}")
        words, content, in_file = attempt(verb, chance)
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "r.h5").write_bytes(result)
        if content is not None:
            (folder / "input").write_bytes(content)
        try:
            done = subprocess.run([os.environ["COTERIE"], *words], cwd=folder, capture_output=True, timeout=TIMEOUT,
                                  stdin=subprocess.DEVNULL)
            judge(words, content, in_file, done)
        except (AssertionError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
            raise AssertionError(f"{verb} {number} in {folder}: {words}: {error}\n{locals().get('done')}"[:3000]) from error
        answers[done.returncode] += 1
    print(f"hostile inputs, {verb}: {INPUTS}, by exit code {answers}")
