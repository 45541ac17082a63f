"""Schedules: who runs which part of the work in which order, and what that is worth exactly."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .answers import Answer, Fixed
from .program import Option, answer_of, ask


@dataclass(frozen=True, kw_only=True)
class Task(Answer):
    """One chunk of one worker."""

    worker: int  #: from 0
    order: int  #: among the worker's tasks, from 1
    chunk: int  #: from 0
    begin: float  #: start of this part of the work, in units of work
    end: float  #: end of this part of the work
    finish: float  #: when it is complete if all goes well: time of a worker, start-up costs included


@dataclass(frozen=True, kw_only=True)
class Coterie(Answer):
    """Workers that all run the same slice of the work."""

    workers: tuple[int, ...]  #: from 0
    slice: tuple[float, float]  #: begin and end in units of work
    chunks: int
    chunk_size: float
    chart: tuple[tuple[int, ...], ...] | None = None  #: executions x groups: steps from 1; None where there is no group chart


@dataclass(frozen=True, kw_only=True)
class Schedule(Answer):
    """A schedule and its exact expected work; all work and times in units of work, which is time of one worker."""

    strategy: str
    workers: int
    work: float
    startup: float
    risk: str
    deployed_work: float  #: in [0, work]: what the schedule hands out
    expected_work: float  #: in [0, deployed_work]: completed on average, exact
    static_ceiling: float | None = None  #: upper bound for any static schedule; None if not known
    chunks: int | None = None
    chunk_size: float | None = None
    coteries: tuple[Coterie, ...]
    tasks: tuple[Task, ...]  #: of worker 0 first, each worker's in its order
    options: Mapping[str, Option] = field(repr=False, compare=False)  #: with which it was requested

    def svg(self) -> str:
        """A picture of who runs what when, from `coterie schedule --format svg`."""
        return answer_of(["schedule"], {**self.options, "format": "svg"})

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.svg()


def schedule(strategy: str | None = None, *, workers: int, work: float, startup: float = 0, risk: str = "linear",
             chunks: int | str | None = None, file: str | os.PathLike[str] | None = None, **options: Option) -> Schedule:
    """The schedule that a strategy makes, or that of a `file` (CSV: worker, begin, end).

    `work` > 0 and `startup` >= 0 (of each chunk) are in units of work, which is time of one worker; `workers` >= 1;
    `chunks` for each unit of work, "auto" (the best number) by default; `risk` is one of `coterie list risks`. Other
    options are those of `coterie schedule`, with _ for -. Raises ProgramError with the program's message.

    >>> made = schedule("greedy", workers=4, work=1, chunks=20)
    >>> made.expected_work, len(made.tasks), made.coteries[0].chart[0]
    (0.9695125, 80, (1, 2, 3, 4, 5))
    >>> schedule("greedy", workers=0, work=1)
    Traceback (most recent call last):
    coterie.program.ProgramError: --workers must be a whole number of at least 1, not "0"
    """
    asked: dict[str, Option] = {"strategy": strategy, "workers": workers, "work": work, "startup": startup, "risk": risk,
                                "chunks": chunks, "import": file, **options}
    answer: dict[str, Any] = ask("schedule", **asked)
    return Schedule.read(answer, options=Fixed(asked), tasks=tuple(map(Task.read, answer["tasks"])),
                         coteries=tuple(map(Coterie.read, answer["coteries"])))
