"""Plain tables."""

from __future__ import annotations

import math
from typing import Sequence


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


def at_most(value: float, step: float) -> str:
    """A value in steps of a power of ten, rounded up.

    >>> at_most(2.4401, 0.01), at_most(2.44, 0.01), at_most(0, 0.01)
    ('2.45', '2.44', '0.00')
    """
    return f"{math.ceil(value / step - 1e-9) * step:.{max(0, -math.floor(math.log10(step) + 0.5))}f}"


def at_most_in_digits(value: float, digits: int = 2) -> str:
    """The same with so many significant digits.

    >>> at_most_in_digits(0.0244), at_most_in_digits(0.024), at_most_in_digits(0.0996), at_most_in_digits(0)
    ('0.025', '0.024', '0.1', '0')
    """
    shown = f"{value:.{digits}g}"
    if value <= 0 or float(shown) >= value:
        return shown
    return f"{float(shown) + 10.0 ** (math.floor(math.log10(value)) - digits + 1):.{digits}g}"
