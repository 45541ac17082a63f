"""Campaigns and problems as Python objects instead of TOML files; the program itself reads and checks them."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any


def toml_value(value: Any) -> str:
    """A value as such a file writes it; fractions are text, tables within values inline.

    >>> toml_value([5, 0.1, "trace(file=\\"a b\\")", True])
    '[5, 0.1, "trace(file=\\\\"a b\\\\")", true]'
    >>> toml_value({"times": [0, 0.5], "share": Fraction(1, 3)})
    '{times = [0, 0.5], share = "1/3"}'
    """
    if hasattr(value, "tolist"):  # of numpy
        return toml_value(value.tolist())
    if isinstance(value, (list, tuple, range)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{bare(key)} = {toml_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (str, Fraction, os.PathLike)):
        return quoted(str(value))
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"a campaign or problem cannot contain {value!r}")


def quoted(text: str) -> str:
    r"""A text as TOML writes it: as JSON does, but without U+007F.

    >>> print(quoted("a\x7f \n"))
    "a\u007F \n"
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"a campaign or problem cannot contain {text!r}: it is not valid Unicode") from error
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def bare(key: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"the keys of a campaign or problem are text, not {key!r}")
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else quoted(key)


def toml_lines(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(line, path of its key) of a table and of those within: plain keys first, one a line.

    >>> for line, path in toml_lines({"seed": 1, "grid": {"workers": [2, 5]}, "case": [{"work": 3}]}):
    ...     print(f"{line:20} {path}")
    seed = 1             seed
    [grid]               grid
    workers = [2, 5]     grid.workers
    [[case]]             case[0]
    work = 3             case[0].work
    """
    def is_tables(value: Any) -> bool:
        return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, Mapping) for one in value)

    for key, value in table.items():
        if not isinstance(value, Mapping) and not is_tables(value):
            yield f"{bare(key)} = {toml_value(value)}", key
    for key, value in table.items():
        if isinstance(value, Mapping) or is_tables(value):
            head, tables = (f"[{bare(key)}]", [value]) if isinstance(value, Mapping) else (f"[[{bare(key)}]]", value)
            for place, one in enumerate(tables):
                path = key if isinstance(value, Mapping) else f"{key}[{place}]"
                yield head, path
                for within, held in one.items():
                    yield f"{bare(within)} = {toml_value(held)}", f"{path}.{within}"


class HeldFile:
    """A file of what Python holds, and how messages about it are told."""

    def __init__(self, path: Path, places: list[str], what: str) -> None:
        self.path = path
        self._places = places
        self._what = what

    def told(self, message: str) -> str:
        """Messages name the key in place of the line: 'grid.workers: ...'."""
        def key(found: re.Match[str]) -> str:
            line = int(found[1]) if found[1] else 0
            return self._places[line - 1] if 0 < line <= len(self._places) else self._what

        return re.sub(rf"\S*{re.escape(self.path.name)}(?::(\d+):\d+)?", key, message)

    def key_of(self, message: str) -> str | None:
        """The key that a message names, as it was or as it is told: 'grid.workers'."""
        found = self.told(message).split(": ")[0].strip()
        return found if found in self._places else None


@contextmanager
def held_file(table: Mapping[str, Any], what: str = "campaign") -> Iterator[HeldFile]:
    """A table as a file of the current folder, from where its relative paths of traces count; gone at the end."""
    lines = list(toml_lines(table))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=Path.cwd(), prefix=f".{what}-", suffix=".toml") as file:
        file.write("".join(f"{line}\n" for line, _ in lines))
        file.flush()
        name = Path(Path(file.name).name)  # without its folder, whose name may have blanks: the program runs here
        yield HeldFile(name, [path for _, path in lines], what)
