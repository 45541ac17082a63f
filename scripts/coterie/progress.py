"""Progress of a run: a tqdm bar in a notebook or terminal, otherwise the program's own lines. Of other steps: lines."""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from .shell import in_a_notebook

Item = TypeVar("Item")

#: A progress line of the program, as in "12 %, 3 min left, 4 of 32 configurations".
LINE = re.compile(r"(\d+) %(?:, (.*))?$")


def tqdm_or_none() -> Any:
    """The bar class for a notebook or a terminal; None if tqdm is not installed (python3-tqdm)."""
    try:
        # tqdm.auto wants ipywidgets in a notebook, and warns where they are missing: then a bar of text does.
        importlib.import_module("ipywidgets" if in_a_notebook() else "tqdm")
        return importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        try:
            return importlib.import_module("tqdm").tqdm
        except ImportError:
            return None


def reported(items: Sequence[Item], what: str, every: float = 2.0) -> Iterator[Item]:
    """The items one by one; every so many seconds a line on stderr says how many are done.

    >>> [item for item in reported("ab", "reading")]
    ['a', 'b']
    """
    told = time.monotonic()
    for number, item in enumerate(items):
        if time.monotonic() - told > every:
            told = time.monotonic()
            print(f"{what}: {100 * number // len(items)} %", file=sys.stderr)
        yield item


class Progress:
    """Shows the progress of a run: with `bar=True` a bar (a note if tqdm is not installed), with False lines, with None
    whatever fits.

    >>> shown = Progress(False, print)
    >>> shown.tell("12 %, 3 min left, 4 of 32 configurations\\n")
    12 %, 3 min left, 4 of 32 configurations
    <BLANKLINE>
    """

    def __init__(self, bar: bool | None, write: Callable[[str], object] | None = None) -> None:
        self._write = write or sys.stderr.write
        wanted = (in_a_notebook() or sys.stderr.isatty()) if bar is None else bar
        make = tqdm_or_none() if wanted else None
        if bar and make is None:
            self._write("no progress bar: tqdm is not installed (Debian: python3-tqdm)\n")
        self._bar = make(total=100, bar_format="{percentage:3.0f} %|{bar}|{postfix}", leave=False) if make else None

    @property
    def is_bar(self) -> bool:
        return self._bar is not None

    def tell(self, line: str) -> None:
        found = LINE.match(line.strip())
        if self._bar is None:
            self._write(line)
        elif found:
            self._bar.set_postfix_str(found[2] or "", refresh=False)
            self._bar.update(int(found[1]) - self._bar.n)
        elif line.strip():
            self._bar.write(line.rstrip("\n"), file=sys.stderr)

    def close(self, complete: bool) -> None:
        if self._bar is not None:
            if complete:
                self._bar.update(100 - self._bar.n)
            self._bar.close()
