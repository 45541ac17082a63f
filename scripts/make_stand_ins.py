#!/usr/bin/python3
"""Writes the synthetic stand-ins for the eight traces of worksharing-2013, Section 7.2.1.

The measured traces are not public. Each stand-in has as many durations as the measured trace and follows a law whose
parameters are published for that trace or a similar one. Its durations are the quantiles Q((i - 1/2) / n), i = 1..n, of
that law, so nothing in it is random and nothing in it was measured.

Usage: make_stand_ins.py [FOLDER]   (default: traces/bundled)
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from typing import Callable

BUNDLED = Path(__file__).resolve().parents[1] / "traces" / "bundled"


@dataclass(frozen=True)
class StandIn:
    """One trace: its name, number of durations, and the law (text and quantile function, in seconds)."""

    name: str
    count: int
    law: str
    quantile: Callable[[float], float]

    def file_name(self) -> str:
        return f"{self.name}-synthetic.durations"

    def durations(self) -> list[float]:
        """The n quantiles Q((i - 1/2) / n), increasing, in seconds."""
        return [self.quantile((i - 0.5) / self.count) for i in range(1, self.count + 1)]

    def text(self) -> str:
        """The file: a heading that says what it is, then one duration a line with six significant digits."""
        heading = [
            f"# SYNTHETIC, not measured: a stand-in for the {self.name} trace of worksharing-2013, Section 7.2.1",
            f"# n = {self.count} quantiles Q((i - 1/2)/n), i = 1..n, of {self.law}; in seconds",
            "# written by scripts/make_stand_ins.py; change it there",
        ]
        return "\n".join(heading + [f"{duration:.6g}" for duration in self.durations()]) + "\n"


def weibull(name: str, count: int, shape: float, scale: float) -> StandIn:
    """Q(u) = scale (-ln(1 - u))^(1/shape).

    >>> round(weibull("x", 1, 1.0, 10.0).quantile(0.5), 6) == round(10 * math.log(2), 6)
    True
    """
    return StandIn(name, count, f"Weibull(shape {shape:g}, scale {scale:g} s)",
                   lambda u: scale * (-math.log1p(-u)) ** (1 / shape))


def lognormal(name: str, count: int, median: float, sigma: float) -> StandIn:
    """Q(u) = median exp(sigma z), z the u-quantile of the standard normal law.

    >>> lognormal("x", 1, 84.0, 2.0).quantile(0.5)
    84.0
    """
    return StandIn(name, count, f"lognormal(median {median:g} s, sigma {sigma:g})",
                   lambda u: median * math.exp(sigma * NormalDist().inv_cdf(u)))


#: In the order of the paper, Traces 0 to 7.
STAND_INS = [
    weibull("sdsc", 5678, 0.70, 7394),
    lognormal("ucb", 19276, 84, 2.0),
    lognormal("xtremweb", 8756, 406, 1.7),
    weibull("cetus", 1898, 0.70, 887327),
    weibull("long", 10958, 0.61, 834571),
    weibull("princeton", 79, 1.2, 3003520),
    weibull("condor", 1125, 0.49, 2403),
    weibull("csil", 927, 0.545, 275599),
]


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0]) if arguments else BUNDLED
    folder.mkdir(parents=True, exist_ok=True)
    for stand_in in STAND_INS:
        (folder / stand_in.file_name()).write_text(stand_in.text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
