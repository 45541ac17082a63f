#!/usr/bin/python3
"""Writes the measured traces of traces/real from the files published by their authors.

Each becomes a CSV with the columns host, start, end, observed (times in seconds; observed: 1 interrupted by the
provider, 0 only no longer observed), sorted by start; SOURCE.md beside it gives the sources and says what is counted.

Usage: convert_real.py FOLDER [TARGET]   FOLDER holds gcp-preemptible-2019/lifetimes.csv, bamboo-spot/g4dn-trace.csv and
bamboo-spot/p3-trace.csv; TARGET: traces/real by default
"""

from __future__ import annotations

import csv
import sys
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Iterable, NamedTuple

REAL = Path(__file__).resolve().parents[2] / "traces" / "real"


class Spell(NamedTuple):
    start: Decimal
    host: str
    end: Decimal
    observed: int


def seconds(stamp: str) -> Decimal:
    """UNIX time of an ISO 8601 stamp with its offset, exact to the millisecond.

    >>> seconds("2019-03-10T01:30:00.250-08:00")
    Decimal('1552210200.25')
    """
    time = datetime.fromisoformat(stamp)
    return Decimal(int(time.replace(microsecond=0).timestamp())) + Decimal(time.microsecond) / 1_000_000


def gcp_spells(path: Path) -> Iterable[Spell]:
    """From the insert operation to the operation that ended it. The host is zone/machine type/name, so that
    --option host=us-east1-b/* takes one zone."""
    ends = {"preempted": 1, "stop": 0}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            yield Spell(seconds(row["start"]), f"{row['zone']}/{row['machine_type']}/{row['name']}", seconds(row["end"]),
                        ends[row["end_type"]])


def bamboo_spells(path: Path) -> Iterable[Spell]:
    """From `add` to `remove`; who is not removed is seen up to the last change of the fleet. Names are never reused."""
    added: dict[str, Decimal] = {}
    last = Decimal(0)
    with path.open(newline="", encoding="utf-8") as file:
        for milliseconds, change, host in csv.reader(file):
            last = Decimal(milliseconds) / 1000
            if change == "add":
                added[host] = last
            else:
                yield Spell(added.pop(host), host, last, 1)
    for host, start in added.items():
        yield Spell(start, host, last, 0)


#: File in the target: the file that it is made of, how, and what its head says of it.
TRACES = {
    "gcp-preemptible-2019/gcp-preemptible-2019.csv":
        ("gcp-preemptible-2019/lifetimes.csv", gcp_spells,
         "MEASURED: preemptible virtual machines of Google, February to April 2019; times are UNIX seconds"),
    "bamboo-spot/bamboo-g4dn.csv":
        ("bamboo-spot/g4dn-trace.csv", bamboo_spells,
         "MEASURED: a fleet of AWS spot instances (g4dn), 11 hours; times are seconds from its beginning"),
    "bamboo-spot/bamboo-p3.csv":
        ("bamboo-spot/p3-trace.csv", bamboo_spells,
         "MEASURED: a fleet of AWS spot instances (p3), 11 hours; times are seconds from its beginning"),
}


def converted(source: Path, read, about: str) -> str:
    lines = [f"# {about}", "# source and licence: SOURCE.md and LICENSE beside this file; written by "
             "scripts/traces/convert_real.py", "host,start,end,observed"]
    lines += [f"{spell.host},{spell.start:f},{spell.end:f},{spell.observed}" for spell in sorted(read(source))]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2) or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    source, target = Path(arguments[0]), Path(arguments[1]) if len(arguments) > 1 else REAL
    for name, (raw, read, about) in TRACES.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(converted(source / raw, read, about), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
