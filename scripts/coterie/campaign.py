"""Campaigns that Python holds: a mapping in place of a TOML file, read and checked by the program itself."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def toml_value(value: Any) -> str:
    """A value as a campaign writes it.

    >>> toml_value([5, 0.1, "trace(file=\\"a b\\")", True])
    '[5, 0.1, "trace(file=\\\\"a b\\\\")", true]'
    """
    if hasattr(value, "tolist"):  # of numpy
        return toml_value(value.tolist())
    if isinstance(value, (list, tuple, range)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"a campaign has no values like {value!r}")


def toml_lines(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
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

    def below(key: str) -> str:
        return f"{path}.{key}" if path else key

    def bare(key: str) -> str:
        return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)

    for key, value in table.items():
        if not isinstance(value, Mapping) and not is_tables(value):
            yield f"{bare(key)} = {toml_value(value)}", below(key)
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield f"[{bare(key)}]", below(key)
            yield from toml_lines(value, below(key))
        elif is_tables(value):
            for place, one in enumerate(value):
                yield f"[[{bare(key)}]]", f"{below(key)}[{place}]"
                yield from toml_lines(one, f"{below(key)}[{place}]")


class CampaignFile:
    """A file of a campaign that Python holds, and how messages about it are told."""

    def __init__(self, path: Path, places: list[str]) -> None:
        self.path = path
        self._places = places

    def told(self, message: str) -> str:
        """Messages name the key in place of the line: 'grid.workers: ...'."""
        def key(found: re.Match[str]) -> str:
            line = int(found[1])
            return self._places[line - 1] if 0 < line <= len(self._places) else "campaign"

        name = re.escape(self.path.name)
        return re.sub(rf"\S*{name}(?::(\d+):\d+)?", lambda found: key(found) if found[1] else "campaign", message)


@contextmanager
def campaign_file(campaign: Mapping[str, Any]) -> Iterator[CampaignFile]:
    """A campaign as a file of the current folder, from where its relative paths of traces count; gone at the end."""
    lines = list(toml_lines(campaign))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=Path.cwd(), prefix=".campaign-", suffix=".toml") as file:
        file.write("".join(f"{line}\n" for line, _ in lines))
        file.flush()
        yield CampaignFile(Path(file.name), [path for _, path in lines])
