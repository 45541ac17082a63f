"""Quick pictures of results, for notebooks and examples: the figures' look, one call each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .drawing import source_of
from .figure_files import save
from .looks import LEAST_TEXT, style
from .results import ResultError, mean_estimate


def plot_mean(results: xr.Dataset, axis: str, strategies: Sequence[str] | None = None, axes: Axes | None = None, *,
              variable: str = "mean", scale: float = 100) -> Axes:
    """Means of each strategy against a numeric axis, the other axes averaged; bars are 95 % intervals.

    `variable` is what is averaged, "mean" (with its errors) or another one of configuration x strategy; `scale`
    multiplies it (100: per cent). Raises ResultError where the axis or a strategy is not there.

    >>> from coterie import run
    >>> results = run("mine.toml", instances=50, quiet=True)
    >>> picture = plot_mean(results, "workers", ["greedy"])
    >>> picture.get_xlabel(), picture.get_legend_handles_labels()[1]
    ('number of workers', ['greedy'])
    >>> results.close()
    """
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
            errors = np.array([mean_estimate(results.isel(configuration=group), name).half_width for group in groups])
        look = style(name, names)
        picture.errorbar(values, scale * means, scale * errors, markerfacecolor="white", capsize=2, **look)
    picture.set_xlabel(str(results[axis].attrs.get("long_name", axis)))
    picture.set_ylabel(f"{variable}, %" if scale == 100 else variable)
    picture.legend()
    return picture


def example_arguments(text: str | None, instances: int) -> argparse.Namespace:
    """What an example takes on the command line, `instances` and `output`; in a notebook their defaults."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--instances", type=int, default=instances, help=f"instances per configuration ({instances})")
    parser.add_argument("--output", type=Path, default=Path("out"), help="folder of results and figures (out)")
    arguments = parser.parse_args([] if "ipykernel" in sys.modules else None)
    arguments.output.mkdir(parents=True, exist_ok=True)
    return arguments


def save_example(figure: Figure, output: Path, name: str, *results: xr.Dataset) -> None:
    """Writes NAME.png, NAME.svg and NAME.pdf into the folder, with a line at the foot that tells which results they show."""
    if results:
        figure.text(0.01, 0.005, source_of(results), fontsize=LEAST_TEXT, color="0.35", ha="left", va="bottom", wrap=True)
    for path in save(figure, output, name):
        print(path)
