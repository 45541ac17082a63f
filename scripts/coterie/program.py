"""The only module that runs the program coterie: `ask` for answers in JSON, `watch` for long runs."""

from __future__ import annotations

import codecs
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sysconfig
import termios
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .held_files import HeldFile, held_file
from .progress import LINE, Progress

#: Where the build puts the program, seen from a source tree.
BUILD_TREE = Path(__file__).resolve().parents[2] / "build" / "release" / "coterie"

#: Exit code of unfinished runs.
STOPPED = 3

#: What an option may be: `True` is a flag, a list repeats the option, `None` and `False` leave it out.
Option = str | int | float | bool | os.PathLike[str] | list[str] | list[int] | list[float] | None


class ProgramError(Exception):
    """The program ended with an error; the text is the program's own message, `code` its exit code.

    1: something failed (files, resources); 2: wrong usage or input. `key` is the path of the key at fault, such as
    "grid.workers" or "case[1].work", if a campaign or problem was given as objects; otherwise None.
    """

    def __init__(self, message: str, code: int, key: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.key = key

    def __reduce__(self) -> tuple[Any, ...]:  # of its arguments, Exception itself knows only the message
        return type(self), (str(self), self.code, self.key)


class Stopped(ProgramError):
    """A run ended early (a time limit, a signal) and can be continued: `run(..., resume=True)`."""


def error_of(message: str, code: int, held: HeldFile | None = None) -> ProgramError:
    text = (held.told(message) if held else message).strip() or f"coterie ended with exit code {code}"
    if held and code == STOPPED:  # the file that the command names is gone
        text = text.split("; continue with:")[0] + "; run it again with resume=True to continue"
    return (Stopped if code == STOPPED else ProgramError)(text, code, held.key_of(message) if held else None)


def find_program() -> Path:
    """The program: the first of $COTERIE, the build next to this package's sources, the one that pip installed with the
    package, and `coterie` in the PATH.

    Raises FileNotFoundError if there is none.

    >>> find_program().name
    'coterie'
    """
    named = os.environ.get("COTERIE")
    if named:
        if not os.access(named, os.X_OK):
            raise FileNotFoundError(f"$COTERIE names {named}, which is not an executable program")
        return Path(named)
    if os.access(BUILD_TREE, os.X_OK):
        return BUILD_TREE
    beside = Path(sysconfig.get_path("scripts")) / "coterie"  # of the environment that this Python is of
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which("coterie")
    if not found:
        raise FileNotFoundError("the program coterie was not found: build it, put it in the PATH, or set $COTERIE")
    return Path(found)


def option_words(options: Mapping[str, Option]) -> list[str]:
    """Options as the command line wants them.

    >>> option_words({"output": "--force.h5"})
    ['--output=--force.h5']
    >>> option_words({"instances": 100, "time_limit": "2h", "resume": True, "force": False, "by": ["risk", "work"]})
    ['--instances', '100', '--time-limit', '2h', '--resume', '--by', 'risk', '--by', 'work']
    """
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        for one in map(str, value if isinstance(value, (list, tuple)) else [value]):
            words += [f"{option}={one}"] if one.startswith("-") else [option, one]
    return words


def file_word(path: str | os.PathLike[str]) -> str:
    """A path that the program does not take for an option. Text stays as it is, it may be one.

    >>> file_word(Path("--force.h5")), file_word("--verify")
    ('./--force.h5', '--verify')
    """
    word = os.fspath(path)
    return f"./{word}" if isinstance(path, os.PathLike) and word.startswith("-") else word


def program_call(words: Sequence[str]) -> list[str]:
    """The program and its words. Raises ValueError for a word that no program can be given."""
    for word in words:
        try:
            if b"\0" in os.fsencode(word):
                raise ValueError(f"the program cannot be given {word!r}: it has a null character")
        except UnicodeEncodeError as error:
            raise ValueError(f"the program cannot be given {word!r}: it is not valid Unicode") from error
    return [str(find_program()), *words]


def ask(verb: str, *words: str | os.PathLike[str] | Mapping[str, Any], **options: Option) -> Any:
    """The answer of a verb with `--format json`: schedule, solve, charts, show, replay, plan, list, trace, validate.

    `words` follow the verb; a mapping stands for a TOML file with the same content. `options` are those of the command
    line, with _ for -. Raises ProgramError with the program's message.

    >>> ask("schedule", strategy="no-replication", workers=2, work=1, chunks=4)["expected_work"]
    0.625
    >>> ask("list", "models")[0]["name"]
    'worksharing'
    >>> ask("schedule", strategy="greddy", workers=2, work=1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    coterie.program.ProgramError: unknown strategy "greddy" (did you mean "greedy"?); known are ...
    """
    for place, word in enumerate(words):
        if isinstance(word, Mapping):
            with held_file(word, {"solve": "problem", "plan": "question"}.get(verb, "campaign")) as file:
                return json.loads(answer_of([verb, *words[:place], file.path, *words[place + 1:]],
                                            {**options, "format": "json"}, file))
    return json.loads(answer_of([verb, *words], {**options, "format": "json"}))


def answer_of(words: Sequence[Any], options: Mapping[str, Option], held: HeldFile | None = None) -> str:
    """The output of the program; raises ProgramError if it fails."""
    done = subprocess.run(program_call([*map(file_word, words), *option_words(options)]), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0 and not (words[0] == "status" and done.returncode == STOPPED):
        raise error_of(done.stderr, done.returncode, held)
    return done.stdout


def watch(words: list[str], progress: Progress | None, held: HeldFile | None = None) -> None:
    """Runs the program and shows its progress; None: nothing.

    Raises ProgramError if it fails, Stopped if it can be continued. On KeyboardInterrupt the program saves first.
    """
    command = program_call([*words, *([] if progress else ["--quiet"])])
    # A bar moves as often as the program rewrites the line of a terminal, so that it gets one.
    bar = progress is not None and progress.is_bar
    ours, its = pty.openpty() if bar else os.pipe()
    if bar:
        termios.tcsetwinsize(its, (24, 200))
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"} if bar else None
    # In a process group of its own Ctrl-C reaches it once, from here: a second one would end it before it has saved.
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its, env=environment,
                                   process_group=0)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(its)
    kept: list[str] = []

    def show(lines: Iterator[str]) -> None:
        for line in lines:
            if not LINE.match(line.strip()):
                kept.append(line)
            if progress:
                progress.tell(held.told(line) if held else line)

    lines = lines_of(ours)
    try:
        show(lines)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        show(lines_of(ours))  # until it has saved and ended
        raise
    finally:
        code = process.wait()
        os.close(ours)
        if progress:
            progress.close(code == 0)
    if code != 0:
        raise error_of(kept[-1] if code == STOPPED and kept else "".join(kept), code, held)


def lines_of(descriptor: int) -> Iterator[str]:
    """Lines that end in a newline or are rewritten, until the other side is closed."""
    decoder, rest = codecs.getincrementaldecoder("utf-8")("replace"), ""
    while True:
        try:
            part = os.read(descriptor, 4096)
        except OSError:  # of a terminal whose other side is closed
            part = b""
        *lines, rest = re.split(r"\r|\x1b\[K|(?<=\n)", rest + decoder.decode(part, final=not part))
        yield from filter(str.strip, lines)
        if not part:
            yield from filter(str.strip, [rest])
            return
