"""Tables of HTML, by which notebooks show objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np


def text(value: object) -> str:
    """A value for a reader: four digits, lists in brackets.

    >>> text(0.123456), text((1.0, 2.5)), text(None), text(True)
    ('0.1235', '1, 2.5', '-', 'yes')
    """
    if value is None:
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"
    if isinstance(value, (tuple, list)):
        return ", ".join(f"({text(one)})" if isinstance(one, (tuple, list)) else text(one) for one in value)
    return str(value)


def table(caption: str, rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> str:
    """A table of HTML; with a head its rows have a cell for each of its words, without one a name and a value.

    >>> table("A < B", [("p", 0.5)])
    '<table><caption>A &lt; B</caption><tr><th>p</th><td>0.5</td></tr></table>'
    """
    lines = ["<tr>" + "".join(f"<th>{escape(word)}</th>" for word in head) + "</tr>"] if head else []
    for first, *others in rows:
        cells = "".join(f"<td>{escape(text(one))}</td>" for one in others)
        lines.append(f"<tr><th>{escape(text(first))}</th>{cells}</tr>")
    return f"<table><caption>{escape(caption)}</caption>{''.join(lines)}</table>"
