"""Plain tables."""

from __future__ import annotations

from typing import Sequence

import xarray as xr


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns two blanks apart, the first to the left and the others to the right.

    >>> print(table(["", "a"], [["x", "1.5"], ["long", "22"]]))
            a
    ----  ---
    x     1.5
    long   22
    """
    lines = [list(header)] + [list(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("  ".join(cell.rjust(width) if i else cell.ljust(width)
                               for i, (cell, width) in enumerate(zip(line, widths))) for line in lines)


def chunks_of(results: xr.Dataset) -> str:
    """What the campaign asked for as number of chunks, "auto" for instance."""
    return ", ".join(dict.fromkeys(map(str, results["chunks_requested"].values)))
