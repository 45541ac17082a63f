"""Averages over a campaign and their errors: configurations have equal weights, instances within them are random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from .intervals import Array, Estimate, sobol_errors, standard_errors, student, together
from .results import (ResultError, by_configuration, independent, of_sobol_points, ratios_of, reference_moments,
                      run_only)

#: Half-width of a 95 % interval of many degrees of freedom, in standard errors.
CONFIDENCE = 1.96


@dataclass(frozen=True)
class Curve:
    """y against x, with the standard error of y."""

    x: Array
    y: Array
    error: Array

    @property
    def half_width(self) -> Array:
        """Of the 95 % intervals."""
        return CONFIDENCE * self.error


def grand_mean(values: Array, low: float = 0.0, high: float = 1.0, of: xr.Dataset | None = None) -> Estimate:
    """Mean of values[configuration, instance] in [low, high].

    Configurations have equal weights; instances that were not run are NaN. The error is that of plain means in
    `coterie show`: it comes only from within the configurations, and allows for values that were not seen. `of`: the
    results that the values were computed from; they say whether instances are Sobol points, or shared by configurations
    (`common_random_numbers`). Without `of` all are assumed independent. Raises ResultError if `of` has another number
    of configurations or instances.

    >>> grand_mean(np.array([[0.1, 0.3], [0.5, 0.7]])).value.__round__(9)
    0.4
    """
    errors, freedoms = _errors(values, low, high, of)
    return _over_configurations(values, errors, freedoms, of)


def paired_difference(better: Array, worse: Array, same: Array | None = None,
                      of: xr.Dataset | None = None) -> Estimate:
    """Grand mean of better - worse, ratios[configuration, instance] of the same instances; `of` as in grand_mean.

    `same`: configurations in which there can be no difference (`same_schedules`); where the values merely happen to be
    equal there may still be one.

    >>> paired_difference(np.array([[0.8, 1.0]]), np.array([[0.75, 0.85]])).value.__round__(9)
    0.1
    """
    difference = better - worse
    errors, freedoms = _errors(difference, -1, 1, of)
    if same is not None:
        errors[same] = 0
    return _over_configurations(difference, errors, freedoms, of)


def mean_difference(results: xr.Dataset, strategy: str, base: str) -> Estimate:
    """Grand mean of ratio(strategy) - ratio(base) of the same instances: paired_difference of results, of statistics,
    too.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     mean_difference(results, "greedy", "greedy").half_width
    0.0
    """
    results = by_configuration(results)
    if "difference" not in results:
        return paired_difference(ratios_of(results, strategy), ratios_of(results, base),
                                 same_schedules(results, strategy, base), results)
    pair = run_only(results.sel(strategy=strategy, other=base), "difference")
    error, freedom = together(pair["difference_standard_error"].values, pair["instances_done"].values - 1,
                              independent(results))
    return Estimate(float(pair["difference"].values.mean()), error, freedom)


def differences(results: xr.Dataset, strategy: str, base: str) -> tuple[Array, Array]:
    """Mean of ratio(strategy) - ratio(base) of the same instances by configuration, and the half-widths of its 95 %
    intervals.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     differences(results, "greedy", "greedy")[1].tolist()
    [0.0, 0.0]
    """
    results = by_configuration(results)
    if "difference" in results:
        pair = results.sel(strategy=strategy, other=base)
        return pair["difference"].values, pair["difference_half_width"].values
    gap = ratios_of(results, strategy) - ratios_of(results, base)
    errors, freedoms = _errors(gap, -1, 1, results)
    errors[same_schedules(results, strategy, base)] = 0
    return np.nanmean(gap, axis=1), np.where(errors == 0, 0, student(freedoms) * errors)


def half_widths(results: xr.Dataset, strategy: str) -> Array:
    """Of the 95 % intervals of the mean ratios, by configuration."""
    one = results.sel(strategy=strategy)
    return one["half_width"].values if "half_width" in one else CONFIDENCE * one["standard_error"].values


def _errors(values: Array, low: float, high: float, of: xr.Dataset | None) -> tuple[Array, Array]:
    """Standard errors by configuration, and their degrees of freedom."""
    of = None if of is None else by_configuration(of)
    if of is not None and values.shape != (of.sizes["configuration"], of.sizes["instance"]):
        raise ResultError(f"values of shape {' x '.join(map(str, values.shape))} do not fit results with "
                          f"{of.sizes['configuration']} configurations and {of.sizes['instance']} instances")
    if of is not None and of_sobol_points(of):
        return sobol_errors(values, low, high)
    return standard_errors(values, low, high), (~np.isnan(values)).sum(axis=1) - 1


def _over_configurations(values: Array, errors: Array, freedoms: Array,
                         of: xr.Dataset | None) -> Estimate:
    count = (~np.isnan(values)).sum(axis=1)
    run = count > 0  # a shard has no instances of some
    if not run.any():
        return Estimate(np.nan, np.nan)
    error, freedom = together(errors[run], freedoms[run], of is None or independent(of))
    return Estimate(float((np.nansum(values, axis=1)[run] / count[run]).mean()), error, freedom)


def same_schedules(results: xr.Dataset, one: str, other: str) -> Array:
    """In which configurations two strategies did the same in all instances, with the same exact mean and as many chunks
    of one size: chance alone can make unlike schedules equal in all instances that were run.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     same_schedules(results, "greedy", "greedy").tolist()
    [True, True]
    """
    results = by_configuration(results)
    first, second = (results.sel(strategy=name) for name in (one, other))
    if "difference" in results:
        pair = first.sel(other=other)
        alike: Array = (pair["difference"].values == 0) & (pair["difference_standard_error"].values == 0)
        return alike
    gap = ratios_of(results, one) - ratios_of(results, other)
    if one == other:
        return np.ones(len(gap), dtype=bool)
    same: Array = (first["expected_work"].values == second["expected_work"].values) & (np.nan_to_num(gap) == 0).all(axis=1)
    for name in ("chunks", "chunk_size"):
        of_one, of_other = first[name].values, second[name].values
        same &= (of_one == of_other) | (np.isnan(of_one) & np.isnan(of_other))  # neither may have a number of chunks
    return same


def gap_closed(better: Array, worse: Array, of: xr.Dataset | None = None) -> Estimate:
    """1 - (1 - B) / (1 - A), for the grand means A of `worse` and B of `better`: how much closer to 1 the second comes.

    Both are ratios[configuration, instance] of the same instances; the error follows from the pairs (delta method);
    `of` as in grand_mean. NaN if `worse` is 1 everywhere.

    >>> gap_closed(np.array([[0.8, 1.0]]), np.array([[0.7, 0.9]])).value
    0.5
    >>> gap_closed(np.ones((1, 2)), np.ones((1, 2))).value
    nan
    """
    rest = 1 - grand_mean(worse).value
    if rest == 0:
        return Estimate(np.nan, np.nan)
    left = 1 - grand_mean(better).value
    influence = grand_mean(better / rest - worse * (left / rest**2), -left / rest**2, 1 / rest, of)
    return Estimate(float(1 - left / rest), influence.error, influence.freedom)


def ratio_ceiling(results: xr.Dataset, ceiling: str = "static_ceiling") -> Array | None:
    """Upper bound on the mean ratio of any static schedule (or of any policy that listens, "listening_ceiling"), by
    configuration; None if the results have no such ceiling.

    Where a schedule completes X and the omniscient R, X <= R, the ratio X / R is at most X / t + max(0, 1 - R / t) for
    every t. So its mean is at most (ceiling + E max(0, t - R)) / t, and E max(0, t - R) at most (sqrt(s^2 + (t - m)^2) +
    t - m) / 2, with m and s the mean and standard deviation of R [Scarf 1958], or W - m at t = W, which R never exceeds.
    The least over t is tight where R hardly varies. m and s are those of the instances.

    >>> ratio_ceiling(xr.Dataset({"static_ceiling": ("configuration", [1.5, 1.5]), "work": ("configuration", [2.0, 4.0]),
    ...                           "reference": (("configuration", "instance"), [[2.0, 1.8], [2.0, 2.0]])})).round(9).tolist()
    [0.8, 0.75]
    """
    if ceiling not in results:
        return None
    work = results["work"].values.astype(float)
    mean, deviation, _ = reference_moments(results)
    scale = work * np.linspace(0.005, 1, 200)[:, None]
    with np.errstate(invalid="ignore"):
        short = (np.hypot(deviation, scale - mean) + scale - mean) / 2
    short[-1] = work - mean
    ratio: Array = np.minimum(1.0, np.nanmin((results[ceiling].values + short) / scale, axis=0))
    return ratio


def best_share_curve(ratios: Array, points: int = 200) -> Curve:
    """Mean over the x % instances with the highest ratios, against x. For independent instances the errors are upper
    bounds; if configurations share their instances (`independent`) they are too small.

    As in Fig. 5, 7 and 8 of worksharing-2013. The mean of the best share x is q + E[(Y - q)+] / x with q the quantile
    at its edge, hence its variance is Var[(Y - q)+] / (x^2 N); taking Var over all instances instead of within the
    configurations can only widen the band.

    >>> curve = best_share_curve(np.array([0.2, 1.0, 0.6, 0.8]), points=4)
    >>> curve.x.tolist(), [round(y, 9) for y in curve.y.tolist()]
    ([25.0, 50.0, 75.0, 100.0], [1.0, 0.9, 0.8, 0.65])
    >>> best_share_curve(np.array([[0.2, 1.0], [0.6, np.nan]]), points=3).y.round(9).tolist()
    [1.0, 0.8, 0.6]
    """
    ordered = np.sort(ratios[~np.isnan(ratios)])[::-1]  # a precision leaves some instances out
    total = ordered.size
    points = min(points, total)
    counts = np.rint(np.arange(1, points + 1) * (total / points)).astype(int)
    first = np.cumsum(ordered)[counts - 1]
    second = np.cumsum(ordered**2)[counts - 1]
    edge = ordered[counts - 1]
    excess = (first - counts * edge) / total
    variance = (second - 2 * edge * first + counts * edge**2) / total - excess**2
    share = counts / total
    error = np.sqrt(np.maximum(variance, 0) / total) / share
    return Curve(100 * share, first / counts, error)


def best_share_difference(ratios: Array, base: Array, points: int = 20) -> Curve:
    """best_share_curve of `ratios` less that of `base`, ratios of the same instances; errors as there.

    Each curve is its q + (Y - q)+ / x averaged over all instances, hence the error is that of the paired differences of
    (Y - q)+ / x: each strategy has a best x % of its own, but they come from the same instances.

    >>> curve = best_share_difference(np.array([0.3, 1.0, 0.7, 0.9]), np.array([0.2, 1.0, 0.6, 0.8]), points=2)
    >>> curve.x.tolist(), [round(y, 9) for y in curve.y.tolist()], round(float(curve.error[1]), 4)
    ([50.0, 100.0], [0.05, 0.075], 0.0217)
    """
    pairs = [values[~np.isnan(values)] for values in (ratios, base)]
    curves = [best_share_curve(values, points) for values in pairs]
    total = pairs[0].size
    ordered = [np.sort(values)[::-1] for values in pairs]
    error = np.empty(len(curves[0].x))
    for number, share in enumerate(curves[0].x / 100):
        at = int(round(share * total)) - 1
        one, other = (np.maximum(values - edges[at], 0) for values, edges in zip(pairs, ordered))
        error[number] = (one - other).std() / np.sqrt(total) / share
    return Curve(curves[0].x, curves[0].y - curves[1].y, error)


def share_where_average_reaches(ratios: Array, level: float, of: xr.Dataset | None = None) -> Estimate:
    """Greatest share x (per cent) such that the best x % of all ratios average at least `level`; 0 if the best fails.

    The error is unknown (NaN) if all do or none does, and where instances of the results `of` depend on one another.

    >>> share_where_average_reaches(np.ones(5), 0.9).error
    nan
    >>> share_where_average_reaches(np.array([0.2, 1.0, 0.6, 0.8, np.nan]), 0.8).value
    75.0
    """
    ordered = np.sort(ratios[~np.isnan(ratios)])[::-1]
    total = ordered.size
    means = np.cumsum(ordered) / np.arange(1, total + 1)
    count = int(np.searchsorted(-means, -(level - 1e-12), side="right"))
    known = of is None or (independent(of) and not of_sobol_points(of))
    if count in (0, total) or not known:
        return Estimate(100.0 * count / total, np.nan)
    edge = ordered[count - 1]
    error_of_mean = float(np.maximum(ordered - edge, 0).std() / np.sqrt(total) * total / count)
    slope = (edge - means[count - 1]) / (count / total)  # of the average, against the share
    return Estimate(100.0 * count / total, 100 * abs(error_of_mean / slope) if slope else np.inf)
