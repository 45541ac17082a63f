"""95 % intervals of means: mean ± t × s / √n, as in the program (sim/statistics/statistics.hpp)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Array = NDArray[Any]

#: What rounding may make of values that are all alike.
ROUNDING = 1e-12


def student(freedom: Array | float) -> Array:
    """97.5 % quantile of Student's t.

    >>> float(student(2)).__round__(4)
    4.3027
    """
    quantile: Array = stdtrit(np.minimum(freedom, 1e9), 0.975)
    return quantile


@dataclass(frozen=True)
class Estimate:
    """A value, its standard error, and the degrees of freedom of that."""

    value: float
    error: float
    freedom: float = np.inf

    @property
    def half_width(self) -> float:
        """Of the 95 % interval; NaN where nothing tells it."""
        return float(student(self.freedom) * self.error) if self.error != 0 else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of a mean.

        >>> [round(end, 3) for end in Estimate(0.0, 0.5).interval]
        [-0.98, 0.98]
        """
        return self.value - self.half_width, self.value + self.half_width

    @property
    def note(self) -> str:
        """Why there is no error of chance; empty if there is one.

        >>> Estimate(1.0, 0.0, 99).note, Estimate(1.0, 0.1, 99).note
        ('100 equal values', '')
        """
        return f"{self.freedom + 1:.0f} equal values" if self.error == 0 and np.isfinite(self.freedom) else ""

    def __mul__(self, factor: float) -> "Estimate":
        return Estimate(self.value * factor, abs(factor) * self.error, self.freedom)


def standard_errors(values: Array) -> Array:
    """Standard errors of the means of independent values over the last axis, s / √n; NaN values do not count.

    0 where all values are equal up to rounding, NaN for single values.

    >>> float(standard_errors(np.array([0.0, 1.0]))), float(standard_errors(np.ones(100)))
    (0.5, 0.0)
    """
    count = (~np.isnan(values)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = values - (np.nansum(values, axis=-1) / count)[..., None]
        greatest = np.fmax.reduce(values, axis=-1)
        alike = greatest - np.fmin.reduce(values, axis=-1) <= ROUNDING * np.maximum(1, abs(greatest))
        error = np.sqrt(np.nansum(deviation**2, axis=-1) / (count - 1) / count)
        return np.where(count > 1, np.where(alike, 0, error), np.nan)


def together(errors: Array, freedoms: Array, independent: bool = True) -> tuple[float, float]:
    """Standard error of the mean over configurations, and its degrees of freedom: the fewest of all.

    The squares of independent ones add up; of others, such as those that share their instances
    (`common_random_numbers`), the errors themselves, whose sum is at least that of the mean.

    >>> together(np.array([0.03, 0.04]), np.array([9, 9])), together(np.array([0.03, 0.05]), np.array([9, 9]), False)
    ((0.025, 9.0), (0.04, 9.0))
    """
    total = float((errors**2).sum()) ** 0.5 if independent else float(errors.sum())
    return total / len(errors), float(np.min(freedoms))
