"""What a paper prints beside what comes out here."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

#: Columns of a table, 120 characters together.
HEAD = ("place", "claim or figure", "printed", "here")
WIDTHS = (11, 41, 19, 32)


@dataclass(frozen=True)
class Claim:
    """One claim of a paper. `explained`: why the print differs, where it is known how it came about or what it holds for;
    `differs`: why it does not hold. They are reasons for what was found with the whole campaigns."""

    place: str
    claim: str
    printed: str
    here: str
    same: bool
    explained: str = ""
    differs: str = ""

    @property
    def verdict(self) -> str:
        if self.same:
            return "same"
        if self.explained:
            return "explained"
        return "differs"

    @property
    def why(self) -> str:
        return "" if self.same else self.explained or self.differs or "no reason is known"

    @property
    def is_understood(self) -> bool:
        return self.same or bool(self.explained or self.differs)


def row(cells: Iterable[str], verdict: str) -> list[str]:
    columns = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS)]
    height = max(map(len, columns))
    lines = ["  ".join((column[at] if at < len(column) else "").ljust(width) for column, width in zip(columns, WIDTHS))
             for at in range(height)]
    lines[0] += f"  {verdict}"
    return [line.rstrip() for line in lines]


def table(paper: str, claims: list[Claim]) -> str:
    """The claims, each with its verdict and, below it, the reason.

    >>> print(table("p", [Claim("Fig. 1", "more is better", "always", "in 3 of 4", False, differs="costs grow")]))
    p: 1 claims, 0 same, 0 explained, 1 differ
    <BLANKLINE>
    place        claim or figure                            printed              here                              verdict
    -----------  -----------------------------------------  -------------------  --------------------------------  ---------
    Fig. 1       more is better                             always               in 3 of 4                         differs
                 why: costs grow
    """
    count = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in ("same", "explained", "differs")}
    lines = [f"{paper}: {len(claims)} claims, {count['same']} same, {count['explained']} explained, {count['differs']} differ", "",
             *row(HEAD, "verdict"), "  ".join("-" * width for width in (*WIDTHS, 9))]
    indent = " " * (WIDTHS[0] + 2)
    for claim in claims:
        lines += row((claim.place, claim.claim, claim.printed, claim.here), claim.verdict)
        if claim.why:
            lines += textwrap.wrap(f"why: {claim.why}", 118, initial_indent=indent, subsequent_indent=indent + " " * 5)
    return "\n".join(lines)
