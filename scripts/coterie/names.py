"""What figures call strategies, risks and traces: the one table of plain names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from .results import trace_file, trace_name

STRATEGIES = {
    "group-cyclic": "group, cyclic",
    "fat-snake": "fat snake",
    "brute": "brute force",
    "no-replication": "no replication",
    "cyclic-replication": "cyclic replication",
    "random-replication": "random replication",
    "single-optimal": "best for single workers",
    "two-workers": "two workers",
    "help": "helpers",
    "central": "central queue",
    "printed-theorem-4": "Theorem 4 as printed",
    "replicated": "with copies",
    "equal-shares": "equal shares",
    "speed-proportional": "shares by speed",
    "equal-finish": "equal finish",
    "order-by-bandwidth": "order by bandwidth",
    "order-by-risk": "order by risk",
    "order-by-speed": "order by speed",
    "simulation-based": "simulation",
    "before-correction": "not corrected",
    "no-background": "jobs ignored",
    "sample-average": "sample average",
    "control-alone": "control processor alone",
    "opt-fifo": "best FIFO",
    "opt-lifo": "best LIFO",
    "fifo-inc-c": "FIFO by send time",
    "fifo-inc-w": "FIFO by compute time",
    "best-pair": "best pair of orders",
    "best-expected": "best expected work",
    "fifo": "FIFO",
    "lifo": "LIFO",
    "random-fifo": "FIFO in random order",
    "random-orders": "random orders",
    "young": "Young",
    "daly": "Daly",
    "on-demand": "on demand",
    "last-moment": "last moment",
    "uniform-progress": "uniform progress",
    "time-sliced": "time slices",
    "optimal-switch": "optimal switches",
}

TRACES = {
    "sdsc": "SDSC",
    "ucb": "UC Berkeley",
    "xtremweb": "XtremWeb",
    "cetus": "Cetus",
    "long": "LONG",
    "princeton": "Princeton",
    "condor": "Condor",
    "csil": "CSIL",
    "gcp-preemptible-2019": "Google preemptible",
    "bamboo-g4dn": "EC2 g4dn spot",
    "bamboo-p3": "EC2 p3 spot",
}

#: Arguments of a risk as formulas write them.
SYMBOLS = {"kappa": "κ", "sigma": "σ", "rate1": "rate", "rate2": "rate"}


def strategy_name(strategy: str) -> str:
    """Plain name of a strategy or policy; one of your own is called as it calls itself.

    >>> strategy_name("no-replication"), strategy_name("skip(best)"), strategy_name("mine")
    ('no replication', 'best, skipping', 'mine')
    """
    inner = re.fullmatch(r"skip\((.*)\)", strategy)
    return f"{strategy_name(inner[1])}, skipping" if inner else STRATEGIES.get(strategy, strategy)


def risk_name(risk: str) -> str:
    """Plain name of a risk: a trace by its machines, a law with its numbers.

    >>> risk_name("trace(file=../bundled/sdsc-synthetic.durations)"), risk_name("linear(kappa=0.5)")
    ('SDSC (synthetic)', 'linear, κ = 0.5')
    >>> risk_name("hyperexponential(p=0.3, rate1=4, rate2=0.2)"), risk_name('trace(file="my_hosts.csv")')
    ('hyperexponential, p = 0.3, rate 4, rate 0.2', 'my hosts')
    """
    short = trace_name(risk)
    if short != risk:
        stem, synthetic, _ = short.partition(" (synthetic)")
        return TRACES.get(stem, stem.replace("_", " ")) + synthetic
    law, opened, inner = risk.partition("(")
    if not opened or law == "mix":
        return risk
    words = [f"{SYMBOLS.get(name, name)}{' ' if name.startswith('rate') else ' = '}{value}"
             for name, value in re.findall(r"(\w+)\s*=\s*([^,()\s]+)", inner)]
    return ", ".join([law, *words])


def risk_names(risks: Iterable[object]) -> dict[str, str]:
    """Plain names of the risks of one figure, made longer where two would be the same.

    >>> risk_names(["trace(file=lab.txt)", "trace(file=lab.csv)", "trace(file=condor-synthetic.durations)", "linear"])
    {'trace(file=lab.txt)': 'lab.txt', 'trace(file=lab.csv)': 'lab.csv', \
'trace(file=condor-synthetic.durations)': 'Condor (synthetic)', 'linear': 'linear'}
    >>> list(risk_names(["trace(file=a/lab.txt)", "trace(file=b/lab.txt)"]).values())
    ['trace(file=a/lab.txt)', 'trace(file=b/lab.txt)']
    """
    names = {risk: risk_name(risk) for risk in map(str, risks)}
    longer_ones: tuple[Callable[[str], str], ...] = (lambda risk: getattr(trace_file(risk), "name", risk), str)
    for longer in longer_ones:
        count = Counter(names.values())
        names = {risk: name if count[name] == 1 else longer(risk) for risk, name in names.items()}
    return names


def trace_titles(risks: Iterable[object]) -> dict[str, str]:
    """Plain names of the traces of Figs. 8 and 9 of worksharing-2013: the stand-ins have the paper's numbers.

    >>> trace_titles(["trace(file=sdsc-synthetic.durations)"]), trace_titles(["trace(file=lab.txt)"])
    ({'trace(file=sdsc-synthetic.durations)': '0 SDSC'}, {'trace(file=lab.txt)': 'lab'})
    """
    names = risk_names(risks)
    if not all(name.endswith(" (synthetic)") for name in names.values()):
        return names
    return {risk: f"{number} {name.removesuffix(' (synthetic)')}" for number, (risk, name) in enumerate(names.items())}
