"""What to do with machines that may be taken away (`plan`), and the laws of how long they last (`fit`)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
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
    """One way to do the work, simulated. Times and work in seconds of one machine of speed 1; means over the runs."""

    policy: str  #: "queue", "help", "skip(best)", or a strategy with fixed lists
    machines: Mapping[str, int]  #: by group
    parameters: Mapping[str, Any]  #: of a queue: first_chunk, least_chunk, ...; of lists: chunks, copies, ...
    runs: int
    done_by_deadline: float | None  #: part of the runs, in [0, 1]; None without a deadline
    all_done: float  #: part of the runs that end with all work done
    finish: Mapping[str, float | None]  #: q50, q90, q95: when so many of the runs are done; None: never
    work_done: float  #: by the deadline, if there is one
    machine_time: float | None
    cost: float | None


@dataclass(frozen=True, kw_only=True)
class Plan(Answer):
    """What to do, what to expect, and how certain that is."""

    work: float
    advice: Advice
    alternatives: tuple[Advice, ...]  #: in the order of the choice
    reason: str
    assumptions: tuple[str, ...]
    doubts: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def share(self) -> float:
        """Work that the advice does on average, as a share of all work, in [0, 1]."""
        return self.advice.work_done / self.work

    def _repr_html_(self) -> str:
        def hours(seconds: float | None) -> float | None:
            return None if seconds is None else seconds / 3600

        rows = [(one.policy, sum(one.machines.values()),
                 100 * (one.all_done if one.done_by_deadline is None else one.done_by_deadline), 100 * one.work_done / self.work,
                 hours(one.finish["q50"]), hours(one.finish["q95"]), hours(one.machine_time), one.cost)
                for one in (self.advice, *self.alternatives)]
        head = ("policy", "machines", "done, %", "of the work, %", "50 % by, h", "95 % by, h", "machine time, h", "cost")
        return table(f"{self.work / 3600:.4g} h of work: {self.reason}", rows, head)


def plan(*, work: Length, machines: int | str | Sequence[Mapping[str, Any]] | None = None, workers: int | None = None,
         checkpoint: Length | None = None, task: Length | None = None, trace: str | os.PathLike[str] | None = None,
         risk: str | None = None, risk_unit: Length | None = None, replaced: Length | None = None,
         deadline: Length | None = None, latency: Length | None = None, **options: Option) -> Plan:
    """What to do with work that takes one machine `work`, on machines that may be taken away.

    `trace` is a file of how long such machines lasted; alternatively `risk` is their law, with `risk_unit` as its unit
    of time. Lengths of time are text ("40h", "5min"), seconds or timedeltas. `machines` is a number, "4-40" or "auto",
    or several groups as the tables [[machines]] of a question file say them; other options are those of `coterie plan`
    (with several groups: the keys of a question file), with _ for -. Raises ProgramError with the program's message;
    ValueError if no length has a unit.

    >>> made = plan(risk="exponential(rate=1)", risk_unit="10h", machines=4, work="8h", checkpoint="5min", instances=200)
    >>> made.advice.policy, made.share > 0.9
    ('queue', True)
    >>> plan(risk="linear", risk_unit="1h", work="8h", checkpoint="5min")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    coterie.program.ProgramError: --machines is missing: a number, ...
    """
    given = {"checkpoint": checkpoint, "task": task, "risk_unit": risk_unit, "replaced": replaced, "deadline": deadline,
             "latency": latency}
    lengths = {"work": length_word(work), **{name: length_word(one) for name, one in given.items() if one is not None}}
    if machines is None or isinstance(machines, (int, str)):
        answer = ask("plan", machines=machines, workers=workers, trace=trace, risk=risk, **lengths, **options)
    else:
        question: dict[str, Any] = {**lengths, **{name: one for name, one in options.items() if one is not None}, "machines": list(machines)}
        beside = {name: question.pop(name) for name in ("explain", "export", "instances", "resamples", "seed") if name in question}
        answer = ask("plan", question, **beside)
    if answer["unit"] is None:
        raise ValueError("risk needs risk_unit, how long one unit of its time is: all answers are in seconds")
    advice, *others = map(Advice.read, answer["options"])
    return Plan.read(answer, work=answer["question"]["work"], advice=advice, alternatives=tuple(others))


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
