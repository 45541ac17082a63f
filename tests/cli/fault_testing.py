"""Runs of the program in which calls of the system fail, and what must hold for each of them.

tests/faults/failing_calls.cpp makes the calls fail. Each run ends right, or with a message and exit code 1, and leaves
under the final name what was there before or the right result; after it, a run without failures gives the right one."""
import collections
import errno
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from result_testing import datasets

CAMPAIGN = """title = "faults"
seed = {seed}
instances = {instances}
strategies = ["greedy", "random-replication"]
[grid]
workers = 3
work = 2
chunks = 10
startup = 0.01
"""
FULL = bool(os.environ.get("COTERIE_FULL"))
NAMES = ("out.", "c.toml", "s1.h5", "s2.h5", "schedule.csv", "t.durations")  # of what a message may be about
SHORT = 0  # in place of an error: only half of the bytes are transferred


def preloaded():
    made = Path(os.environ["COTERIE"]).resolve().parent / "tests" / "libcoterie_failing_calls.so"
    assert made.exists(), f"{made} is missing: build the tests"
    return str(made)


def call(folder, *arguments, **faults):
    """The program, with the variables FAULTS_... set. OMP_NUM_THREADS: every run makes the same calls."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    if faults:
        environment |= {"LD_PRELOAD": preloaded(), "FAULTS_FOLDER": str(folder)}
        environment |= {f"FAULTS_{name.upper()}": str(value) for name, value in faults.items()}
    return subprocess.run([os.environ["COTERIE"], *map(str, arguments)], cwd=folder, env=environment, text=True,
                          capture_output=True, errors="replace", timeout=60)


def campaign(folder, seed=5, instances=300, text=CAMPAIGN):
    (folder / "c.toml").write_text(text.format(seed=seed, instances=instances))


def run_arguments(*more, toml="c.toml"):
    return ["run", toml, "--output", "out.h5", "--save-every", "1e-9s", "--threads", "1", "--quiet", *more]


def fresh(folder):
    campaign(folder)


def with_parts(folder, seed=5, text=CAMPAIGN):
    """Of a run that met a full disk when it had saved its first rows."""
    campaign(folder, seed=seed, text=text)
    stopped = call(folder, *run_arguments(), call="rename", at=3, error=errno.ENOSPC, lasts=1)
    assert stopped.returncode == 1 and len(list((folder / "out.h5.parts").glob("part-*"))) == 1, stopped


def with_result(folder):
    """A smaller one; the campaign now asks for more."""
    campaign(folder, instances=40)
    assert call(folder, *run_arguments()).returncode == 0
    campaign(folder)


def with_parts_of_another_seed(folder):
    """And a file of the user's beside them, so that the folder stays."""
    with_parts(folder, seed=6)
    (folder / "out.h5.parts" / "note.txt").write_text("mine\n")
    campaign(folder)


def with_shards(folder):
    campaign(folder, instances=30)
    for i in (1, 2):
        made = call(folder, "run", "c.toml", "--shard", f"{i}/2", "--output", f"s{i}.h5", "--quiet")
        assert made.returncode == 0, made


def finished(folder):
    campaign(folder, instances=30)
    assert call(folder, *run_arguments()).returncode == 0


def with_trace(folder):
    (folder / "t.durations").write_text("".join(f"{17 * i % 101 + 1}\n" for i in range(3000)))  # more than a buffer


def result(folder, answer):
    """Values and texts, but not how the file came about."""
    return datasets(folder / "out.h5") if (folder / "out.h5").exists() else None


def printed(folder, answer):
    return answer.stdout if answer and answer.returncode == 0 else None


def file_of(name):
    return lambda folder, answer: (folder / name).read_text() if (folder / name).exists() else None


@dataclass(frozen=True)
class Scenario:
    begin: object    # makes what is there before
    arguments: list  # of the run with failures
    again: list      # of the run after it, without
    outcome: object  # what a run is for: of a folder and what the program answered


PLAN = ["plan", "--trace", "t.durations", "--workers", "3", "--work", "100s", "--checkpoint", "1s", "--chunks", "2"]
SCENARIOS = {
    "run": Scenario(fresh, run_arguments(), run_arguments("--resume"), result),
    "resume": Scenario(with_parts, run_arguments("--resume"), run_arguments("--resume"), result),
    "extend": Scenario(with_result, run_arguments("--resume"), run_arguments("--resume"), result),
    "begin-anew": Scenario(with_parts_of_another_seed, run_arguments("--force"), run_arguments("--force"), result),
    "merge": Scenario(with_shards, ["merge", "s1.h5", "s2.h5", "--output", "out.h5"],
                      ["merge", "s1.h5", "s2.h5", "--output", "out.h5", "--force"], result),
    "report": Scenario(finished, ["report", "out.h5"], ["report", "out.h5"], file_of("out.html")),
    "show": Scenario(finished, ["show", "out.h5"], ["show", "out.h5"], printed),
    "plan": Scenario(with_trace, [*PLAN, "--export", "schedule.csv"], [*PLAN, "--export", "schedule.csv"],
                     file_of("schedule.csv")),
    "trace": Scenario(with_trace, ["trace", "convert", "t.durations", "--to", "json"],
                      ["trace", "convert", "t.durations", "--to", "json"], printed),
}


def scenarios(*names):
    """As parameters: the first in every test, the others with COTERIE_FULL=1."""
    long = pytest.mark.skipif(not FULL, reason="takes long; set COTERIE_FULL")
    return [names[0], *(pytest.param(name, marks=long) for name in names[1:])]


def names_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


class Trial:
    """A scenario, of which run after run begins in the same folder."""

    def __init__(self, name, folder):
        self.scenario = SCENARIOS[name]
        self.folder, self.template, self.report = folder / "here", folder / "template", folder / "report"
        self.template.mkdir()
        self.scenario.begin(self.template)
        self.reset()
        self.before = self.scenario.outcome(self.folder, None)
        answer = call(self.folder, *self.scenario.arguments)
        assert answer.returncode == 0, answer
        self.right, self.names = self.scenario.outcome(self.folder, answer), names_below(self.folder)
        assert self.right is not None
        self.tally = collections.Counter()

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.template, self.folder)
        self.report.unlink(missing_ok=True)

    def attempt(self, kind, at, error, lasts, mend=True):
        """Returns whether there was such a call to fail; `mend`: runs again without failures."""
        self.reset()
        lasting = {"lasts": 1} if lasts else {}
        answer = call(self.folder, *self.scenario.arguments, call=kind, at=at, error=error, report=self.report, **lasting)
        if not self.report.read_text():
            assert answer.returncode == 0
            return False
        what = kind, at, errno.errorcode.get(error, "short"), "and on" if lasts else "once", self.report.read_text(), answer
        self.judge(kind, error, answer, what)
        if self.scenario.outcome is printed:
            assert names_below(self.folder) == self.names, what
            return True
        if not mend:
            return True
        again = call(self.folder, *self.scenario.again)
        assert again.returncode == 0, (what, again)
        assert self.scenario.outcome(self.folder, again) == self.right, (what, again)
        assert names_below(self.folder) == self.names, (what, again)
        return True

    def judge(self, kind, error, answer, what):
        now = self.scenario.outcome(self.folder, answer)
        if answer.returncode == 0:
            self.tally["right"] += 1
            assert now == self.right, what
            return
        self.tally["refused"] += 1
        assert now in (self.before, self.right), what
        first, *rest = answer.stderr.splitlines() or [""]
        if kind == "memory":
            if "_Znwm" not in self.report.read_text():
                return  # asked for by a library, which may crash: that nothing wrong is left is what counts
            assert answer.returncode == 1 and first.startswith("out of memory: ask for fewer"), what
        else:
            # HDF5 does not begin these anew; the system does, after any signal that the program handles.
            assert answer.returncode == 1 and (error > 0 and error != errno.EINTR or kind in ("open", "truncate", "close")), what
            assert any(name in first for name in NAMES), what
            assert os.strerror(error) in first or kind == "read" and "cannot be read to its end" in first, what
            assert "damaged" not in first, what
            assert "delete" not in first or "cannot be read to its end" in first, what
        assert len(rest) <= 1 and (not rest or "--resume" in rest[0]), what

    def every(self, kind, errors, lasts, step=1):
        """All calls of a kind, until a run has no failure left. Reads that fail change little: some are mended."""
        number = 1
        while self.attempt(kind, number, errors[number % len(errors)], lasts, FULL or kind != "read" or number % 4 == 1):
            number += step
        print(f"{kind}{' and on' if lasts else ''}: {dict(self.tally)}")
        return number - 1

    def places_that_ask_for_memory(self, depth):
        """The number of the first request from each, told apart by so many of the calls that lead there."""
        self.reset()
        places = self.folder.parent / "places"
        answer = call(self.folder, *self.scenario.arguments, call="memory", stacks=places, depth=depth)
        assert answer.returncode == 0, answer
        return [int(line) for line in places.read_text().splitlines()]
