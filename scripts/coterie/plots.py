"""Quick pictures of results for notebooks, in the style of the figures, with one call each."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from .looks import style
from .results import ResultError, by_configuration, mean_estimate


def plot_mean(results: xr.Dataset, axis: str, strategies: Sequence[str] | None = None, axes: Axes | None = None, *,
              variable: str = "mean", scale: float = 100) -> Axes:
    """Means of each strategy against a numeric axis, averaged over the other axes; bars are 95 % intervals.

    `variable` is what is averaged: "mean" (with its errors) or another variable of configuration x strategy; `scale`
    multiplies it (100: per cent). Raises ResultError if the axis or a strategy does not exist.

    >>> from coterie import run
    >>> results = run("mine.toml", instances=50, quiet=True)
    >>> picture = plot_mean(results, "workers", ["greedy"])
    >>> picture.get_xlabel(), picture.get_legend_handles_labels()[1]
    ('number of workers', ['greedy'])
    >>> results.close()
    """
    results = by_configuration(results)
    if axis not in results.coords or not np.issubdtype(results[axis].dtype, np.number):
        numeric = [str(name) for name in results.coords if np.issubdtype(results[name].dtype, np.number)]
        raise ResultError(f"there is no numeric axis {axis!r}; there are {', '.join(numeric)}")
    known = [str(name) for name in results["strategy"].values]
    names = known if strategies is None else list(strategies)
    for name in names:
        if name not in known:
            raise ResultError(f"there is no strategy {name!r}; there are {', '.join(known)}")
    picture = plt.subplots(figsize=(6, 4), layout="constrained")[1] if axes is None else axes
    values = np.unique(results[axis].values)
    for name in names:
        one = results.sel(strategy=name)
        groups = [np.flatnonzero(one[axis].values == value) for value in values]
        means = np.array([float(one[variable].values[group].mean()) for group in groups])
        errors = np.zeros(len(values))
        if variable == "mean":
            estimates = [mean_estimate(results.isel(configuration=group), name) for group in groups]
            means = np.array([estimate.value for estimate in estimates])
            errors = np.array([estimate.half_width for estimate in estimates])
        look = style(name, names)
        picture.errorbar(values, scale * means, scale * errors, markerfacecolor="white", capsize=2, **look)
    picture.set_xlabel(str(results[axis].attrs.get("long_name", axis)))
    told = results["ratio" if variable == "mean" and "ratio" in results else variable].attrs.get("long_name", variable)
    picture.set_ylabel(f"{told}, %" if scale == 100 else told)
    picture.legend()
    return picture
