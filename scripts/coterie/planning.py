"""What to do with machines that may be taken away (`plan`), and the laws of how long they last (`fit`)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from .answers import Answer
from .html import table, text
from .program import Option, ask

#: A length of time: "40h", "5min", seconds as a number, or a timedelta.
Length = str | float | timedelta


def length_word(length: Length | None) -> str | None:
    """A length of time as the command line wants it.

    >>> length_word("40h"), length_word(90), length_word(timedelta(minutes=5))
    ('40h', '90s', '300.0s')
    """
    if length is None or isinstance(length, str):
        return length
    return f"{length.total_seconds() if isinstance(length, timedelta) else length}s"


@dataclass(frozen=True, kw_only=True)
class Advice(Answer):
    """A static schedule: fixed in advance, without news. Times and work in seconds of one machine.

    Of machines that do not come back and, where it is unknown how long some stay, never leave; other cases are in the
    program's answer (`with_returns`, `if_gone`).
    """

    strategy: str
    chunks: int
    chunk_size: float  #: of a full chunk; where sizes differ, of the first one (of a file: the longest)
    deployed_work: float
    expected_work: float  #: exact where it is known (always without background jobs), otherwise the simulated mean
    mean: float  #: mean over the simulated runs
    all_done: float  #: part of the simulated runs in which all work was done, in [0, 1]
    copies: float  #: how many machines run each piece of the work, on average


@dataclass(frozen=True, kw_only=True)
class Listening(Answer):
    """A schedule or policy in simulated runs with news. Times and work in seconds of one machine."""

    strategy: str
    listens: bool  #: False: a static schedule on the same runs
    completed: float  #: mean work
    all_done: float  #: part of the runs in which all work was done, in [0, 1]
    in_time: float | None  #: by the deadline, in [0, 1]; None without one
    machine_time: float
    wasted: float  #: part of that time, spent on work that did not count


@dataclass(frozen=True, kw_only=True)
class Plan(Answer):
    """What to do, what to expect, and how certain that is. Times and work in seconds of one machine."""

    workers: int
    work: float
    checkpoint: float
    advice: Advice  #: the best static schedule that was found
    alternatives: tuple[Advice, ...]
    static_ceiling: float | None  #: upper bound on the expected work of any static schedule, as Advice means it
    listening: tuple[Listening, ...]
    expected_work_interval: tuple[float, float] | None  #: 95 % of the resamples of the trace; None if they tell too little
    warnings: tuple[str, ...]

    @property
    def share(self) -> float:
        """Expected work of the advice as a share of all work, in [0, 1]."""
        return self.advice.expected_work / self.work

    def _repr_html_(self) -> str:
        hours = [(one.strategy, one.chunks, one.chunk_size / 60, one.expected_work / 3600, 100 * one.expected_work / self.work)
                 for one in sorted((self.advice, *self.alternatives), key=lambda one: -one.expected_work)]
        head = ("strategy", "chunks", "of min", "expects h", "of the work, %")
        caption = f"{self.work / 3600:.4g} h of work on {self.workers} machines: do {self.advice.strategy}"
        heard = [(one.strategy, one.listens, one.completed / 3600, 100 * one.all_done, one.machine_time / 3600)
                 for one in self.listening]
        listening = table("with news", heard, ("strategy", "listens", "completes h", "all done, %", "machine time, h"))
        return table(caption, hours, head) + (listening if heard else "")


def plan(*, work: Length, checkpoint: Length, workers: int | None = None, trace: str | os.PathLike[str] | None = None,
         risk: str | None = None, risk_unit: Length | None = None, deadline: Length | None = None,
         latency: Length | None = None, **options: Option) -> Plan:
    """What to do with work that takes one machine `work`, on machines that may be taken away.

    `trace` is a file of how long such machines lasted; alternatively `risk` is their law, with `risk_unit` as its unit
    of time. Lengths of time are text ("40h", "5min"), seconds or timedeltas, more than 0 (`checkpoint` and `latency`
    may be 0); `workers` >= 1, or `machines="auto"` with a deadline: a number that is enough, not always the smallest.
    Other options are those of `coterie plan`, with _ for -. Raises ProgramError with the program's message; for a
    `risk` without `risk_unit` too, or ValueError if no length has a unit either.

    >>> made = plan(risk="exponential(rate=1)", risk_unit="10h", workers=4, work="8h", checkpoint="5min", instances=200)
    >>> made.advice.strategy, round(made.share, 2), made.workers
    ('greedy', 0.99, 4)
    >>> plan(risk="linear", risk_unit="1h", work="8h", checkpoint="5min")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    coterie.program.ProgramError: --machines is missing: a number, ...
    """
    lengths = {"work": work, "checkpoint": checkpoint, "risk_unit": risk_unit, "deadline": deadline, "latency": latency}
    answer = ask("plan", workers=workers, trace=trace, risk=risk, **{name: length_word(one) for name, one in lengths.items()},
                 **options)
    if answer["unit"] is None:
        raise ValueError("risk needs risk_unit, how long one unit of its time is: all answers are in seconds")
    question, sure, heard = answer["question"], answer["confidence"], answer["listening"]
    return Plan.read(
        answer, workers=question["workers"], work=question["work"], checkpoint=question["checkpoint"],
        advice=_advice(answer["answer"]), alternatives=tuple(map(_advice, answer["alternatives"])),
        listening=tuple(map(Listening.read, heard["strategies"])) if heard else (),
        expected_work_interval=_interval(sure or {}))


def _interval(sure: Mapping[str, Any]) -> tuple[float, float] | None:
    low, high = sure.get("expected_work_low"), sure.get("expected_work_high")
    return None if low is None or high is None else (low, high)


def _advice(answer: dict[str, dict[str, float]]) -> Advice:
    simulated = answer["simulated"]
    return Advice.read(answer, mean=simulated["mean"], all_done=simulated["all_done"], copies=answer["copies"]["mean"])


@dataclass(frozen=True, kw_only=True)
class Law(Answer):
    """A law of how long machines last, fitted by maximum likelihood; times in seconds, or in the unit of normalise=."""

    name: str
    parameters: Mapping[str, float]
    log_likelihood: float
    ks: float  #: greatest distance to the measured distribution, in [0, 1]
    risk: str  #: as accepted by a campaign, `schedule` or `plan(risk=..., risk_unit="1s")`

    @property
    def aic(self) -> float:
        """Akaike's criterion: 2 parameters - 2 log likelihood, smaller is better."""
        return 2 * len(self.parameters) - 2 * self.log_likelihood


@dataclass(frozen=True, kw_only=True)
class Fit(Answer):
    """Laws fitted to a trace."""

    trace: str
    laws: tuple[Law, ...]
    normalise: str | None = None  #: what one unit of time is; None: a second

    @property
    def best(self) -> Law:
        """The law with the smallest AIC."""
        return min(self.laws, key=lambda law: law.aic)

    def _repr_html_(self) -> str:
        def short(risk: str) -> str:  # `risk` itself has all digits
            return re.sub(r"\d+\.\d{4,}", lambda number: text(float(number[0])), risk)

        unit = "risk, in " + ("seconds" if self.normalise is None else f"units of normalise={self.normalise}")
        rows = [(law.name, short(law.risk), law.log_likelihood, law.aic, law.ks) for law in sorted(self.laws, key=lambda law: law.aic)]
        return table(self.trace, rows, ("law", unit, "log likelihood", "AIC", "greatest distance"))


def fit(trace: str | os.PathLike[str], **options: Option) -> Fit:
    """Exponential, Weibull, lognormal and hyperexponential laws of how long the machines of a trace lasted, in seconds.

    `laws` are those that can be fitted; `answer` says why others cannot. With normalise= their unit is another. Options
    are those of `coterie trace fit`, with _ for -. Raises ProgramError with the line if the file cannot be read.

    >>> from pathlib import Path
    >>> _ = Path("stays.txt").write_text("10\\n20\\n40\\n80\\n90\\n300\\n")
    >>> found = fit("stays.txt")
    >>> found.best.name, found.best.risk, len(found.laws)
    ('exponential', 'exponential(rate=0.011111111111111112)', 4)
    >>> fit("none.txt")
    Traceback (most recent call last):
    coterie.program.ProgramError: none.txt: cannot be opened: No such file or directory
    """
    answer = ask("trace", "fit", trace, **options)
    laws = tuple(Law.read(law, name=name) for name, law in answer.items() if "problem" not in law)
    unit = options.get("normalise")
    return Fit.read(answer, trace=os.fspath(trace), laws=laws, normalise=None if unit in (None, "none") else str(unit))
