"""One explicit platform: shares, order, and what they are worth (`solve`)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .answers import Answer
from .program import ask

Numbers = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Solution(Answer):
    """Fields of every answer; workers are numbered from 1 in the order of the problem."""

    problem: str
    method: str  #: which theorem or algorithm, corrected or not
    exact: bool  #: False: a heuristic or a simulation


@dataclass(frozen=True, kw_only=True)
class OneWorker(Solution):
    """Best chunks for one worker; in units of work."""

    chunk_sizes: Numbers
    deployed_work: float
    expected_work: float


@dataclass(frozen=True, kw_only=True)
class TwoWorkers(Solution):
    """Chunks of two workers, in their order; in units of work."""

    worker_1: tuple[tuple[float, float], ...]  #: chunks x (begin, end)
    worker_2: tuple[tuple[float, float], ...]
    expected_work: float


@dataclass(frozen=True, kw_only=True)
class Heterogeneous(Solution):
    """Workers that differ in speed, bandwidth and risk; in units of work."""

    order: tuple[int, ...] | None = None  #: in which they are served
    shares: Numbers | None = None  #: by worker
    deployed_work: float
    expected_work: float
    loss_factor: float | None = None


@dataclass(frozen=True, kw_only=True)
class Background(Solution):
    """Processors and links with background jobs; times in the problem's unit, shares of 1, control first."""

    finish_time: float | None = None  #: None for methods that simulate it, see `answer`
    start_times: Numbers | None = None
    shares: Numbers | None = None
    residual: float | None = None


@dataclass(frozen=True, kw_only=True)
class ReturnMessages(Solution):
    """Workers that return results; throughput and shares in load per unit of time."""

    throughput: float | None = None
    throughput_exact: str | None = None  #: a fraction if the input is rational
    send: tuple[int, ...] | None = None  #: order of the workers
    return_: tuple[int, ...] | None = None
    shares: Numbers | None = None  #: by worker


@dataclass(frozen=True, kw_only=True)
class Now(Solution):
    """A network of workstations: work in a lifespan, or the lifespan for given work; fractions as text in `answer`."""

    work: float | None = None
    lifespan: float | None = None
    shares: Numbers | None = None  #: by worker
    feasible: bool | None = None
    slope: float | None = None  #: work = slope x lifespan - offset
    offset: float | None = None
    least_lifespan: float | None = None  #: in which no share is negative; None if there is none


@dataclass(frozen=True, kw_only=True)
class ListeningWorkers(Solution):
    """Workers that report each chunk; in units of work."""

    expected_work: float  #: of the best policy that runs the workers in turn, as listed, on the grid
    own_clocks: float | None = None  #: upper bound for policies on the grid that drop no chunk; None for too many states
    expected_work_bound: float | None = None  #: upper bound for all policies


@dataclass(frozen=True, kw_only=True)
class Restart(Solution):
    """A job that goes on from its last checkpoint on the next machine."""

    expected_time: float
    interval: float  #: work before the first checkpoint
    chunks: Numbers  #: between checkpoints if nothing happens


KINDS: Mapping[str, type[Solution]] = {"one-worker": OneWorker, "two-workers": TwoWorkers, "heterogeneous": Heterogeneous,
                                       "background": Background, "return-messages": ReturnMessages, "now": Now,
                                       "listening-workers": ListeningWorkers, "restart": Restart}


def solve(problem: str | os.PathLike[str] | Mapping[str, Any]) -> Solution:
    """Solves one explicit platform: a problem file, or a mapping with the same content.

    For keys and units of each problem see `coterie solve --help`; use fractions.Fraction where exactness matters.
    Returns an object of the problem's class: OneWorker, TwoWorkers, Heterogeneous, Background, ReturnMessages, Now,
    ListeningWorkers or Restart.
    Raises ProgramError, whose `key` is the path of the key at fault.

    >>> one = solve({"problem": "one-worker", "work": 1, "chunks": 3, "startup": 0.1, "risk": "linear"})
    >>> isinstance(one, OneWorker) and [round(size, 9) for size in one.chunk_sizes]
    [0.3, 0.2, 0.1]
    >>> solve({"problem": "return-messages", "strategy": "opt-fifo", "worker": [{"send": 7, "compute": 6}]})
    Traceback (most recent call last):
    coterie.program.ProgramError: worker[0]: "return" is missing in [[worker]] (write return = a number)
    """
    answer = ask("solve", problem)
    return KINDS.get(answer["problem"], Solution).read(answer)
