"""95 % intervals of means: the rule of the program (sim/statistics/statistics.hpp, guarded_error), and Student's t."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Array = NDArray[Any]

#: As many values that were not seen are reckoned with.
UNSEEN = 2
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

    def __mul__(self, factor: float) -> "Estimate":
        return Estimate(self.value * factor, abs(factor) * self.error, self.freedom)


def standard_errors(values: Array, low: float = 0.0, high: float = 1.0) -> Array:
    """Standard errors of the means of independent values in [low, high], over the last axis; NaN values do not count.

    They are more than deviation / sqrt(n): see guarded_error. NaN for single values.

    >>> float(standard_errors(np.ones(100))) == 2**0.5 / 100  # two more might be 0
    True
    """
    count = (~np.isnan(values)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.nansum(values, axis=-1) / count
        deviation = values - mean[..., None]
        squares, cubes = np.nansum(deviation**2, axis=-1), np.nansum(deviation**3, axis=-1)
        greatest = np.fmax.reduce(values, axis=-1)
        alike = greatest - np.fmin.reduce(values, axis=-1) <= ROUNDING * np.maximum(1, abs(greatest))
        skewed = np.minimum(squares**3 / cubes**2, count - 1)  # about how many values make the skewness
        told = np.where(alike, 0, np.where(np.isnan(skewed), count - 1, skewed))
        farthest = np.fmax.reduce(abs(deviation), axis=-1)
        widen = student(np.where(alike, count - 1, told)) / student(count - 1)
        own = np.where(alike, 0, widen**2 * (squares / (count - 1) + UNSEEN * farthest**2 / count) / count)
        end = np.maximum(abs(mean - low), abs(high - mean)) / (1 + told) / count
        return np.where(count > 1, np.sqrt(own + UNSEEN * end**2), np.nan)


def together(errors: Array, freedoms: Array, independent: bool = True) -> tuple[float, float]:
    """Standard error of the mean over configurations, and its degrees of freedom.

    Independent ones by Welch and Satterthwaite; others, such as those that share their instances
    (`common_random_numbers`), by the sum of their errors, which is at least that of the mean.

    >>> together(np.array([0.03, 0.04]), np.array([9, 9]))[0], together(np.array([0.03, 0.05]), np.array([9, 9]), False)
    (0.025, (0.04, 9.0))
    """
    count = len(errors)
    variance = float((errors**2).sum())
    if not independent or variance == 0:
        return float(errors.sum()) / count, float(np.min(freedoms))
    shares = errors / errors.max()  # the fourth power of a small one would be 0
    spread = float((shares**4 / freedoms).sum())  # 0 where all errors are known for certain
    return variance**0.5 / count, float((shares**2).sum()) ** 2 / spread if spread > 0 else np.inf
