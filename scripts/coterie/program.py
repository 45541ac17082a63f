"""Runs the program coterie from Python: campaigns with `run`, questions that have an answer in JSON with `ask`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import xarray as xr

from .campaign import campaign_file, toml_value
from .results import open_results

#: Where the build puts the program, seen from a source tree.
BUILD_TREE = Path(__file__).resolve().parents[2] / "build" / "release" / "coterie"

#: Exit code of what is not complete yet.
STOPPED = 3

#: What an option may be: `True` is a flag, a list repeats the option, `None` and `False` leave it out.
Option = str | int | float | bool | os.PathLike[str] | list[str] | None


class ProgramError(Exception):
    """The program ended with an error; the text is the program's own message, `code` its exit code.

    1: something failed (files, resources); 2: wrong usage or input.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Stopped(ProgramError):
    """A run ended early (a time limit, a signal) and can go on: `run(..., resume=True)`."""


def error_of(message: str, code: int) -> ProgramError:
    return (Stopped if code == STOPPED else ProgramError)(message.strip() or f"coterie ended with exit code {code}", code)


def find_program() -> Path:
    """The program: $COTERIE, else the build next to this package's sources, else the `coterie` of the PATH.

    Raises FileNotFoundError where there is none.

    >>> find_program().name
    'coterie'
    """
    named = os.environ.get("COTERIE")
    if named:
        if not os.access(named, os.X_OK):
            raise FileNotFoundError(f"$COTERIE names {named}, which is no program")
        return Path(named)
    if os.access(BUILD_TREE, os.X_OK):
        return BUILD_TREE
    found = shutil.which("coterie")
    if not found:
        raise FileNotFoundError("there is no program coterie: build it, put it in the PATH, or let $COTERIE name it")
    return Path(found)


def option_words(options: Mapping[str, Option]) -> list[str]:
    """Options as the command line wants them.

    >>> option_words({"instances": 100, "time_limit": "2h", "resume": True, "force": False, "by": ["risk", "work"]})
    ['--instances', '100', '--time-limit', '2h', '--resume', '--by', 'risk', '--by', 'work']
    """
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [option, os.fspath(one) if isinstance(one, os.PathLike) else str(one)]
    return words


def run(campaign: str | os.PathLike[str] | Mapping[str, Any], output: str | os.PathLike[str] | None = None, *,
        settings: Mapping[str, Any] | None = None, quiet: bool = False, **options: Option) -> xr.Dataset:
    """Runs a campaign and opens its result; without `output` that is named after the campaign, in this folder.

    `campaign` is a file, or what such a file holds: its keys and tables, "grid" and "case" among them, with paths of
    traces relative to this folder ("campaign.h5" without `output`). `settings` are keys of the campaign in place of what
    it says; `options` are those of `coterie run`, with _ for -. Progress goes to sys.stderr. Raises ProgramError with
    the program's message, Stopped where the run can be resumed; KeyboardInterrupt lets the program save what is done
    first.

    >>> results = run("mine.toml", "few.h5", settings={"workers": [2, 5]}, instances=20, seed=3, quiet=True)
    >>> dict(results.sizes)
    {'configuration': 2, 'strategy': 2, 'instance': 20}
    >>> results.close()
    >>> run("mine.toml", "few.h5", instances=20, quiet=True)
    Traceback (most recent call last):
    coterie.program.ProgramError: few.h5: exists already; give --resume to extend it, --force to replace it, or another --output
    >>> mine = {"seed": 1, "instances": 20, "strategies": ["greedy"], "grid": {"workers": [2, 5], "work": 1, "startup": 0.1}}
    >>> run(mine, "held.h5", quiet=True).sizes["configuration"]
    2
    >>> run(mine | {"grid": {"workers": 0, "work": 1, "startup": 0.1}}, quiet=True)
    Traceback (most recent call last):
    coterie.program.ProgramError: grid.workers: workers must be a whole number from 1 to 1000000, not 0
    """
    if isinstance(campaign, Mapping):
        with campaign_file(campaign) as file:
            return _run(file.path, Path(output or "campaign.h5"), settings, quiet, options, file.told)
    return _run(Path(campaign), Path(output or Path(campaign).stem + ".h5"), settings, quiet, options, str)


def _run(campaign: Path, output: Path, settings: Mapping[str, Any] | None, quiet: bool, options: Mapping[str, Option],
         told: Callable[[str], str]) -> xr.Dataset:
    words = ["run", os.fspath(campaign), "--output", os.fspath(output), *option_words(options)]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={toml_value(value)}"]
    # In a process group of its own Ctrl-C reaches it once, from here: a second one would end it before it has saved.
    process = subprocess.Popen([find_program(), *words, *(["--quiet"] if quiet else [])], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, process_group=0)
    lines: list[str] = []
    assert process.stderr is not None
    try:
        for line in map(told, process.stderr):
            lines.append(line)
            if not quiet:
                sys.stderr.write(line)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        sys.stderr.write(told(process.stderr.read()))  # until it has saved and ended
        raise
    finally:
        process.wait()
        process.stderr.close()
    if process.returncode != 0:
        raise error_of(lines[-1] if process.returncode == STOPPED else "".join(lines), process.returncode)
    return open_results(output, complete="shard" not in options)


def ask(verb: str, *words: str | os.PathLike[str], **options: Option) -> Any:
    """What a verb answers with `--format json`: schedule, solve, charts, show, replay, plan, list, trace, validate.

    >>> ask("schedule", strategy="no-replication", workers=2, work=1, chunks=4)["expected_work"]
    0.625
    >>> ask("list", "models")[0]["name"]
    'worksharing'
    >>> ask("schedule", strategy="greddy", workers=2, work=1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    coterie.program.ProgramError: unknown strategy "greddy" (did you mean "greedy"?); known are ...
    """
    done = subprocess.run([find_program(), verb, *map(os.fspath, words), *option_words(options), "--format", "json"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not (verb == "status" and done.returncode == STOPPED):
        raise error_of(done.stderr, done.returncode)
    return json.loads(done.stdout)
