"""Averages over a campaign and their errors: configurations have equal weights, instances within them are random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from .intervals import Array, Estimate, standard_errors, student, together
from .progress import reported
from .results import ResultError, by_configuration, chunk_sizes, independent, ratios_of, reference_moments, run_only

#: Half-width of a 95 % interval of many degrees of freedom, in standard errors.
CONFIDENCE = 1.96
#: So many instances at a time stay in the processor's cache.
BLOCK = 4096


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


def grand_mean(values: Array, of: xr.Dataset | None = None) -> Estimate:
    """Mean of values[configuration, instance].

    Configurations have equal weights; instances that were not run are NaN. The error is that of plain means in
    `coterie show`: it comes only from within the configurations. `of`: the
    results that the values were computed from; they say whether instances are shared by configurations
    (`common_random_numbers`). Without `of` all are assumed independent. Raises ResultError if `of` has another number
    of configurations or instances.

    >>> grand_mean(np.array([[0.1, 0.3], [0.5, 0.7]])).value.__round__(9)
    0.4
    """
    errors, freedoms = _errors(values, of)
    return _over_configurations(_means(values), errors, freedoms, of)


def paired_difference(better: Array, worse: Array, of: xr.Dataset | None = None) -> Estimate:
    """Grand mean of better - worse, ratios[configuration, instance] of the same instances; `of` as in grand_mean.

    >>> paired_difference(np.array([[0.8, 1.0]]), np.array([[0.75, 0.85]])).value.__round__(9)
    0.1
    """
    difference = better - worse
    errors, freedoms = _errors(difference, of)
    return _over_configurations(_means(difference), errors, freedoms, of)


def add_differences(results: xr.Dataset, base: str) -> None:
    """Adds what results of statistics have: `difference` of each strategy to `base` in the same instances, by
    configuration, and its errors. mean_difference and differences, also those of selected configurations, then read no
    ratios again.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     before = mean_difference(results, "greedy", "no-replication")
    ...     add_differences(results, "no-replication")
    ...     results["difference"].sizes["other"], before == mean_difference(results, "greedy", "no-replication")
    (1, True)
    """
    if "difference" in results or base not in results["strategy"].values:
        return
    ratio, number = results["ratio"], list(results["strategy"].values).index(base)
    means, errors = (np.empty(ratio.shape[:2]) for _ in range(2))
    rows = chunk_sizes(ratio)["configuration"]
    for start in reported(range(0, len(means), rows), "comparing strategies"):
        part = slice(start, start + rows)
        gap = ratio[part].values
        gap -= gap[:, number, None].copy()
        means[part], errors[part] = _means(gap), _standard_errors(gap)
    half_widths = student(results["instances_done"].values - 1)[:, None] * errors
    half_widths[errors == 0] = 0
    for name, values in (("", means), ("_standard_error", errors), ("_half_width", half_widths)):
        results[f"difference{name}"] = ("configuration", "strategy", "other"), values[..., None]
    results.coords["other"] = [base]


def mean_difference(results: xr.Dataset, strategy: str, base: str) -> Estimate:
    """Grand mean of ratio(strategy) - ratio(base) of the same instances: paired_difference of results, of statistics,
    too.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     mean_difference(results, "greedy", "greedy").half_width
    0.0
    """
    results = by_configuration(results)
    if not _compared(results, base):
        return paired_difference(ratios_of(results, strategy), ratios_of(results, base), results)
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
    if _compared(results, base):
        pair = results.sel(strategy=strategy, other=base)
        return pair["difference"].values, pair["difference_half_width"].values
    gap = ratios_of(results, strategy) - ratios_of(results, base)
    errors, freedoms = _errors(gap, results)
    return np.nanmean(gap, axis=1), np.where(errors == 0, 0, student(freedoms) * errors)


def _compared(results: xr.Dataset, base: str) -> bool:
    return "difference" in results and base in results["other"].values


def half_widths(results: xr.Dataset, strategy: str) -> Array:
    """Of the 95 % intervals of the mean ratios, by configuration."""
    one = results.sel(strategy=strategy)
    return one["half_width"].values if "half_width" in one else CONFIDENCE * one["standard_error"].values


def _errors(values: Array, of: xr.Dataset | None) -> tuple[Array, Array]:
    """Standard errors by configuration, and their degrees of freedom."""
    of = None if of is None else by_configuration(of)
    if of is not None and values.shape != (of.sizes["configuration"], of.sizes["instance"]):
        raise ResultError(f"values of shape {' x '.join(map(str, values.shape))} do not fit results with "
                          f"{of.sizes['configuration']} configurations and {of.sizes['instance']} instances")
    return _standard_errors(values), (~np.isnan(values)).sum(axis=1) - 1


def _standard_errors(values: Array) -> Array:
    """standard_errors, of so few configurations at a time that all stays in the processor's cache."""
    parts = np.array_split(values, max(1, min(len(values), values.size // (64 * BLOCK))))
    return np.concatenate([standard_errors(part) for part in parts])


def _means(values: Array) -> Array:
    """By configuration; NaN where none was run."""
    with np.errstate(invalid="ignore"):
        means: Array = np.nansum(values, axis=-1) / (~np.isnan(values)).sum(axis=-1)
    return means


def _over_configurations(means: Array, errors: Array, freedoms: Array, of: xr.Dataset | None) -> Estimate:
    run = ~np.isnan(means)  # a shard has no instances of some
    if not run.any():
        return Estimate(np.nan, np.nan)
    error, freedom = together(errors[run], freedoms[run], of is None or independent(of))
    return Estimate(float(means[run].mean()), error, freedom)


def gap_closed(better: Array, worse: Array, of: xr.Dataset | None = None) -> Estimate:
    """1 - (1 - B) / (1 - A), for the grand means A of `worse` and B of `better`: how much closer to 1 the second comes.

    Both are ratios[configuration, instance] of the same instances; the error follows from the pairs (delta method);
    `of` as in grand_mean. NaN if `worse` is 1 everywhere.

    >>> gap_closed(np.array([[0.8, 1.0]]), np.array([[0.7, 0.9]])).value
    0.5
    >>> gap_closed(np.ones((1, 2)), np.ones((1, 2))).value
    nan
    """
    rest, left = (1 - float(np.nanmean(_means(values))) for values in (worse, better))
    if rest == 0:
        return Estimate(np.nan, np.nan)
    influence = grand_mean(better / rest - worse * (left / rest**2), of)
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


@dataclass(frozen=True)
class BestShares:
    """The best shares of all ratios of a strategy: how many instances each has, how far the worst of them and their sum
    are below the best instance of all, and the sum of the squares of that, so that equal ratios have no error.
    """

    ratios: Array
    best: float
    counts: Array
    edges: Array
    sums: Array
    squares: Array

    @property
    def share(self) -> Array:
        return self.counts / self.ratios.size

    @property
    def means(self) -> Array:
        return self.best - self.sums / self.counts

    def curve(self) -> Curve:
        """See best_share_curve."""
        total = self.ratios.size
        excess = (self.counts * self.edges - self.sums) / total
        variance = (self.squares - 2 * self.edges * self.sums + self.counts * self.edges**2) / total - excess**2
        return Curve(100 * self.share, self.means, np.sqrt(np.maximum(variance, 0) / total) / self.share)

    def minus(self, base: BestShares, points: int = 20) -> Curve:
        """See best_share_difference; at so many of the shares."""
        points = min(points, len(self.counts))
        at = np.rint(np.arange(1, points + 1) * (len(self.counts) / points)).astype(int) - 1
        sums = np.zeros((2, len(at)))
        for start in range(0, self.ratios.size, BLOCK):
            one, other = (np.maximum(of.ratios[start:start + BLOCK] - (of.best - of.edges[at, None]), 0)
                          for of in (self, base))
            one -= other
            sums += one.sum(axis=1), np.einsum("ij,ij->i", one, one)
        mean, square = sums / self.ratios.size
        error = np.sqrt(np.maximum(square - mean**2, 0) / self.ratios.size) / self.share[at]
        return Curve(100 * self.share[at], (self.means - base.means)[at], error)


def best_shares_of(ratios: Array, points: int = 200) -> BestShares:
    """So many best shares of the ratios of all instances; they are sorted no more than this takes."""
    there = ~np.isnan(ratios)  # a precision leaves some instances out
    ratios = ratios.ravel() if there.all() else ratios[there]
    points = min(points, ratios.size)
    counts = np.rint(np.arange(1, points + 1) * (ratios.size / points)).astype(int)
    best = ratios.max()
    below = best - ratios
    below.partition(counts - 1)
    edges, starts = below[counts - 1], np.concatenate([[0], counts[:-1]])
    sums = np.cumsum(np.add.reduceat(below, starts))
    squares = np.cumsum(np.add.reduceat(np.square(below, out=below), starts))
    return BestShares(ratios, float(best), counts, edges, sums, squares)


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
    return best_shares_of(ratios, points).curve()


def best_share_difference(ratios: Array, base: Array, points: int = 20) -> Curve:
    """best_share_curve of `ratios` less that of `base`, ratios of the same instances; errors as there.

    Each curve is its q + (Y - q)+ / x averaged over all instances, hence the error is that of the paired differences of
    (Y - q)+ / x: each strategy has a best x % of its own, but they come from the same instances.

    >>> curve = best_share_difference(np.array([0.3, 1.0, 0.7, 0.9]), np.array([0.2, 1.0, 0.6, 0.8]), points=2)
    >>> curve.x.tolist(), [round(y, 9) for y in curve.y.tolist()], round(float(curve.error[1]), 4)
    ([50.0, 100.0], [0.05, 0.075], 0.0217)
    """
    return best_shares_of(ratios, points).minus(best_shares_of(base, points), points)


def share_where_average_reaches(ratios: Array, level: float, of: xr.Dataset | None = None) -> Estimate:
    """Greatest share x (per cent) such that the best x % of all ratios average at least `level`; 0 if the best fails.

    The error is unknown (NaN) if all do or none does, and where configurations of the results `of` share instances.

    >>> share_where_average_reaches(np.ones(5), 0.9).error
    nan
    >>> share_where_average_reaches(np.array([0.2, 1.0, 0.6, 0.8, np.nan]), 0.8).value
    75.0
    """
    ordered = np.sort(ratios[~np.isnan(ratios)])[::-1]
    total = ordered.size
    means = np.cumsum(ordered) / np.arange(1, total + 1)
    count = int(np.searchsorted(-means, -(level - 1e-12), side="right"))
    known = of is None or independent(of)
    if count in (0, total) or not known:
        return Estimate(100.0 * count / total, np.nan)
    edge = ordered[count - 1]
    error_of_mean = float(np.maximum(ordered - edge, 0).std() / np.sqrt(total) * total / count)
    slope = (edge - means[count - 1]) / (count / total)  # of the average, against the share
    return Estimate(100.0 * count / total, 100 * abs(error_of_mean / slope) if slope else np.inf)
