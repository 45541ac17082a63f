"""Result files of `coterie run` as xarray datasets and pandas tables."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shlex
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from .html import text
from .intervals import Estimate, together

#: The format that this module reads.
FORMAT = [1, 0]

#: Statistics of the ratio and facts of the schedules, all of configuration x strategy.
STATISTICS = ("chunks", "chunk_size", "expected_work", "expected_ratio", "mean", "stddev", "standard_error", "half_width",
              "min", "max", "q05", "q25", "q50", "q75", "q95")


#: Results with more bytes of values are opened as dask chunks, if dask is installed (python3-dask), and a chunk has
#: about so many bytes.
LARGE, CHUNK = 256 << 20, 32 << 20

#: Variables of each configuration that are not axes.
NO_AXES = ("identity", "instances_done")

#: For results with `output = "statistics"`: measurements of each configuration, values of single instances that are not
#: kept, and dimensions that are not axes.
MEASURED = ("reference_mean", "reference_stddev")
INSTANCE_VALUES = ("ratio", "reference")
STATISTICS_DIMENSIONS = ("other", "cell", "series", "moment", "node_number", "node_field")

#: Dimensions that no axis has.
NO_AXIS_DIMENSIONS = ("strategy", "instance", *STATISTICS_DIMENSIONS)

#: Upper bounds on the expected work, by configuration.
CEILINGS = ("static_ceiling", "listening_ceiling")


class ResultError(Exception):
    """A file is not a complete result of coterie, or does not contain what was asked for."""


class MissingValues(ResultError, KeyError, AttributeError):
    """Results of `output = "statistics"` were asked for values of single instances."""

    __str__ = Exception.__str__


class Statistics(xr.Dataset):  # type: ignore[no-untyped-call]
    """Results of `output = "statistics"`; asking for values of single instances raises an error that says so."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        for name in [key] if isinstance(key, str) else key if isinstance(key, (list, tuple)) else []:
            if name in INSTANCE_VALUES and name not in self.variables:
                raise MissingValues(missing_values(name, self.attrs))
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if name in INSTANCE_VALUES and name not in self.variables:
            raise MissingValues(missing_values(name, self.attrs))
        return super().__getattr__(name)


def missing_values(name: str, attributes: Mapping[Any, Any]) -> str:
    path = str(attributes.get("campaign_path", ""))
    return (f'these results keep no "{name}" of single instances, but statistics only (output = "statistics"): mean, stddev, '
            "standard_error, half_width, min, max, q05 to q95, histogram, reference_mean, and difference of each two "
            "strategies; to have it, run their campaign with output = \"ratios\"" +
            (f": coterie run {shlex.quote(path)} --set output=ratios --output OTHER.h5" if os.path.exists(path) else
             " into another file"))


def open_results(path: str | os.PathLike[str], complete: bool = True,
                 chunks: Mapping[str, int] | bool | None = None) -> xr.Dataset:
    """Opens a result file: dimensions configuration, strategy, instance; the swept axes are coordinates.

    The ratios stay on disk until they are used. With `chunks` they are dask arrays, which are processed piece by piece:
    sizes by dimension, True for chunks of some tens of megabytes, False for none; None decides by size (`LARGE`).
    `complete=False` also accepts the file of a shard. Raises ResultError for a file that is not a result, is
    incomplete, or has another format. Close the dataset, or use `with`. Results of `output = "statistics"` have no
    `ratio` and no dimension instance: `histogram` counts the ratios, `difference` and `difference_half_width` (by
    strategy and `other`) compare each pair of strategies in the same instances, and the attribute `quantile_error` is
    the error of the quantiles. Asking for `ratio` raises a ResultError that says what is available.

    >>> from coterie import run
    >>> run("mine.toml", instances=20, quiet=True).close()
    >>> with open_results("mine.h5") as results:
    ...     print(dict(results.sizes), sorted(set(results["workers"].values.tolist())))
    {'configuration': 2, 'strategy': 2, 'instance': 20} [5.0, 10.0]
    >>> open_results("mine.toml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    coterie.results.ResultError: mine.toml: is not an HDF5 file (...)
    """
    if not Path(path).is_file():
        raise ResultError(f"{path}: no such file")
    try:
        dataset = xr.open_dataset(path, engine="h5netcdf", phony_dims="access")
        close = dataset.close
    except OSError as error:
        raise ResultError(f"{path}: is not an HDF5 file ({error})") from error
    except ValueError as error:  # HDF5, but not of the kind that xarray reads
        raise ResultError(f"{path}: is not a result of coterie ({error})") from error
    problem = None
    if dataset.attrs.get("filetype") != "coterie-result":
        problem = "is not a result of coterie"
    elif list(np.atleast_1d(dataset.attrs["format_version"])) != FORMAT:
        problem = f"has format {dataset.attrs['format_version']}; only {FORMAT} is read here"
    elif complete and not int(np.atleast_1d(dataset.attrs.get("complete", 0))[0]):
        shard = dataset.attrs.get("shard")
        problem = "is incomplete"
        if shard:
            problem = f"holds only shard {shard}: join all shards with coterie merge, or open it with complete=False"
    if problem:
        close()
        raise ResultError(f"{path}: {problem}")
    axes = [name for name, variable in dataset.variables.items()
            if variable.dims == ("configuration",) and name not in (*CEILINGS, *MEASURED)]
    if "node_moments" in dataset:
        dataset = as_statistics(dataset)
    dataset = dataset.set_coords(axes)
    dataset.set_close(close)  # of the file; new datasets have none
    if chunks is None:
        chunks = dataset.nbytes > LARGE and importlib.util.find_spec("dask") is not None
    if chunks is False or "instance" not in dataset.sizes:
        return dataset
    held = {str(name): values for name, values in dataset.data_vars.items() if "instance" in values.dims}
    sizes = chunk_sizes(max(held.values(), key=lambda values: values.nbytes)) if chunks is True else chunks
    chunked = dataset.assign({name: values.chunk({one: size for one, size in sizes.items() if one in values.dims})
                              for name, values in held.items()})
    chunked.set_close(close)
    return chunked


def chunk_sizes(values: xr.DataArray) -> dict[str, int]:
    """Configurations of about CHUNK bytes, or instances, where one configuration has more."""
    one = max(1, values.nbytes // max(1, values.sizes["configuration"]))
    return {"configuration": max(1, CHUNK // one), "instance": -(-values.sizes["instance"] // -(-one // CHUNK))}


def as_statistics(dataset: xr.Dataset) -> Statistics:
    """The same, with its file, and with the standard deviation of the reference from the moments of its nodes."""
    configuration = dataset["node"].values[:, 0].astype(int)
    count, mean, squares = (dataset["node_moments"].isel(series=0).sel(moment=name).values
                            for name in ("count", "mean", "squares"))
    done, sums = (np.bincount(configuration, values, dataset.sizes["configuration"]) for values in (count, count * mean))
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = mean - (sums / done)[configuration]
        squares = np.bincount(configuration, squares + count * apart**2, dataset.sizes["configuration"])
        stddev = np.sqrt(squares / (done - 1))
    dataset = dataset.assign(reference_stddev=("configuration", stddev, {
        "long_name": f"standard deviation of what {dataset['series'].values[0]} does"}))
    only = Statistics(dataset.data_vars, dataset.coords, dataset.attrs)
    only.encoding = dataset.encoding
    only.set_close(dataset.close)
    return only


def to_dataframe(results: xr.Dataset) -> pd.DataFrame:
    """One row for each configuration and strategy: the axes, then chunks, expected work, the statistics and ceilings.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     table = to_dataframe(results)
    >>> table[["workers", "strategy", "chunks"]].values.tolist()
    [[5.0, 'greedy', 20.0], [5.0, 'no-replication', 20.0], [10.0, 'greedy', 20.0], [10.0, 'no-replication', 20.0]]
    """
    columns = [name for name in (*STATISTICS, *CEILINGS) if name in results]
    return results[columns].to_dataframe().reset_index()


def by_axes(results: xr.Dataset) -> xr.Dataset:
    """Results with one dimension per varying axis instead of configuration: `.sel(workers=20, risk="linear")`.

    Axes are in the order of `coterie list models`, their values in the order of first appearance; axes with a single
    value have no dimension. An axis of multiples of another one (work = "0.3 workers") becomes a dimension of these
    multiples, `work_per_workers`, with its own values as a coordinate. Ratios stay on disk until they are used, chunks
    remain chunks. Raises ResultError if the configurations are not a product of axes. `by_configuration` converts back.

    >>> from coterie import run
    >>> grid = {"workers": [5, 10], "work": [1, 2, 3], "startup": 0.1}
    >>> with run({"instances": 20, "strategies": ["greedy"], "grid": grid}, "product.h5", quiet=True) as results:
    ...     product = by_axes(results)
    ...     print(dict(product.sizes), product["mean"].sel(workers=10, work=2, strategy="greedy").dims)
    {'workers': 2, 'work': 3, 'strategy': 1, 'instance': 20} ()
    """
    configurations = results.sizes["configuration"]
    written = list(json.loads(results.attrs.get("resolved", "{}")).get("grid", {}))
    names = [str(name) for name in results.coords if results[name].dims == ("configuration",) and name not in NO_AXES]
    names.sort(key=lambda name: written.index(name.removesuffix("_requested")) if name.removesuffix("_requested") in written
               else len(written))
    columns: dict[str, list[Any]] = {name: list(results[name].values.tolist()) for name in names}
    rows = product_rows(columns)
    told = dict(columns)
    for name in names:
        if rows is None:
            found = {other: multiples for other in names[:names.index(name)]
                     if (multiples := multiples_of(columns[name], columns[other])) is not None}
            other = min(found, key=lambda one: len(set(found[one])), default="")
            if other and len(set(found[other])) < len(set(columns[name])):
                told = {(f"{one}_per_{other}" if one == name else one): (found[other] if one == name else column)
                        for one, column in told.items()}
                rows = product_rows(told)
    if rows is None:
        varied = [f"{name} ({len(set(column))})" for name, column in columns.items() if len(set(column)) > 1]
        raise ResultError(f"{configurations} configurations are not a product of the axes {', '.join(varied)}")
    values, place = rows
    shape = [len(of) for of in values.values()]
    order = place.ravel()
    if not np.array_equal(order, np.arange(configurations)):
        results = results.isel(configuration=order)
    variables = {name: unfolded(variable, list(values), shape) for name, variable in results.variables.items()
                 if name not in values}
    product = type(results)({name: variables[name] for name in results.data_vars},
                         {**{name: variables[name] for name in results.coords if name in variables}, **values}, results.attrs)
    for name in values:
        if name in results.variables:
            product[name].attrs.update(results[name].attrs)
    product.set_close(results.close)
    return product


def product_rows(columns: Mapping[str, list[Any]]) -> tuple[dict[str, list[Any]], np.ndarray[Any, Any]] | None:
    """The values of the axes that vary, and which row has each of their combinations; None where these are no product."""
    varied = {name: values for name, values in ((name, list(dict.fromkeys(column))) for name, column in columns.items())
              if len(values) > 1}
    places = {name: {value: k for k, value in enumerate(values)} for name, values in varied.items()}
    rows = np.full([len(values) for values in varied.values()], -1)
    count = len(next(iter(columns.values())))
    if rows.size != count:
        return None
    for row in range(count):
        rows[tuple(places[name][columns[name][row]] for name in varied)] = row
    return None if (rows < 0).any() else (varied, rows)


def multiples_of(column: list[Any], other: list[Any]) -> list[float] | None:
    """column / other to 12 digits; None where they are no such numbers.

    >>> multiples_of([1.5, 3.0], [5, 10])
    [0.3, 0.3]
    """
    if not all(isinstance(one, (int, float)) and np.isfinite(one) and one != 0 for one in (*column, *other)):
        return None
    return [float(f"{one / by:.12g}") for one, by in zip(column, other)]


def unfolded(variable: xr.Variable, names: list[str], shape: list[int]) -> xr.Variable:
    """A variable with the dimensions `names` in place of configuration."""
    if "configuration" not in variable.dims:
        return variable
    place = variable.dims.index("configuration")
    dims = [*variable.dims[:place], *names, *variable.dims[place + 1:]]
    if variable.chunks is not None:
        return variable_of(dims, folded(variable.data, place, shape), variable.attrs)
    indexer = variable_of(names, np.arange(variable.shape[place]).reshape(shape))
    return variable.isel(configuration=indexer).transpose(*dims)


def folded(values: Any, place: int, shape: list[int]) -> Any:
    """A dask array with axes of this shape in place of axis `place`. Chunks at most double: dask's reshape makes them
    multiples of the product of all axes but the first."""
    import dask.array  # only there where there are chunks
    rest = int(np.prod(shape[1:]))
    if len(shape) > 1 and rest > max(values.chunks[place]):
        parts = [values[(slice(None),) * place + (slice(start, start + rest),)] for start in range(0, shape[0] * rest, rest)]
        return dask.array.stack([folded(part, place, shape[1:]) for part in parts], axis=place)
    return values.reshape((*values.shape[:place], *shape, *values.shape[place + 1:]))


def variable_of(dims: Sequence[Hashable], values: Any, attributes: Mapping[Any, Any] | None = None) -> xr.Variable:
    return xr.Variable(dims, values, attributes)  # type: ignore[no-untyped-call]


def by_configuration(results: xr.Dataset) -> xr.Dataset:
    """Results with the one dimension configuration in place of those of `by_axes`; others are returned as they are.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     by_configuration(by_axes(results))["workers"].values.tolist()
    [5.0, 10.0]
    """
    axes = [name for name in results.dims if name not in NO_AXIS_DIMENSIONS]
    if axes == ["configuration"]:
        return results
    if not axes:
        return results.expand_dims("configuration")
    stacked = results.stack(configuration=axes).reset_index("configuration")
    return stacked.transpose("configuration", ...)


def ratios_of(results: xr.Dataset, strategy: str) -> np.ndarray[Any, Any]:
    """Ratios[configuration, instance] of a strategy; raises ResultError where only statistics were kept."""
    values: np.ndarray[Any, Any] = results["ratio"].sel(strategy=strategy).values
    return values


def instances_of(results: xr.Dataset) -> int:
    """How many of each configuration; of a campaign with `precision`, of that with most.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     instances_of(results)
    20
    """
    if "instance" in results.sizes:
        return results.sizes["instance"]
    return int(np.atleast_1d(results.attrs["instances"])[0])


def instances_text(results: xr.Dataset) -> str:
    """How many of each configuration, from the fewest to the most.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     instances_text(results)
    '20'
    """
    most = least = instances_of(results)
    if "precision" in results.attrs and "instances_done" in results.variables:
        done = np.atleast_1d(results["instances_done"].values)
        least = int(done[done > 0].min(initial=most))
    return str(most) if least == most else f"{least} to {most}"


def reference_moments(results: xr.Dataset) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Of the reference's metric by configuration: mean, standard deviation of the sample, and of how many instances.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     [len(moment) for moment in reference_moments(results)]
    [2, 2, 2]
    """
    results = by_configuration(results)
    if "reference_mean" in results:
        return results["reference_mean"].values, results["reference_stddev"].values, results["instances_done"].values
    values = results["reference"].values
    count = (~np.isnan(values)).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(values, axis=1) / count
        return mean, np.sqrt(np.nansum((values - mean[:, None])**2, axis=1) / (count - 1)), count


def select(results: xr.Dataset, **axes: float | str) -> xr.Dataset:
    """The configurations in which each named axis has the given value; raises ResultError if there is none.

    Numbers are compared with a relative tolerance of 1e-9, since "0.3 workers" is not exact in binary.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     select(results, workers=5)["work"].values.tolist()
    [2.0]
    >>> select(results, workers=7)
    Traceback (most recent call last):
    coterie.results.ResultError: no configuration has workers = 7; there are workers = 5, 10
    """
    results = by_configuration(results)
    keep = np.ones(results.sizes["configuration"], dtype=bool)
    known = [str(name) for name, column in results.coords.items() if column.dims in ((), ("configuration",))]
    for name, value in axes.items():
        if name not in known:
            raise ResultError(f"there is no axis {name!r}; there are {', '.join(known)}")
        column = np.atleast_1d(results[name].values)
        if isinstance(value, str):
            keep &= column.astype(str) == value
        elif not np.issubdtype(column.dtype, np.number):  # texts, such as "100" and "auto"
            keep &= np.isclose(pd.to_numeric(column.astype(str), errors="coerce"), value, rtol=1e-9, atol=0)
        else:
            keep &= np.isclose(column.astype(float), value, rtol=1e-9, atol=0)
    if not keep.any():
        wanted = ", ".join(f"{name} = {value}" for name, value in axes.items())
        there = (f"{name} = {', '.join(map(text, np.unique(results[name].values)[:8].tolist()))}" for name in axes)
        raise ResultError(f"no configuration has {wanted}; there are {'; '.join(there)}")
    rows = np.flatnonzero(keep)
    steps = np.unique(np.diff(rows))  # HDF5 reads evenly spaced rows at once, others one by one
    even = steps.size < 2
    return results.isel(configuration=slice(rows[0], rows[-1] + 1, steps[0] if steps.size else 1) if even else rows)


def independent(results: xr.Dataset) -> bool:
    """Whether configurations have separate instances: not with `common_random_numbers`, nor if they differ only in axes
    that draw nothing, such as the latency of the model dispatch.
    """
    if "identity" in results.variables and len(np.unique(results["identity"].values.astype(str))) < results["identity"].size:
        return False
    return not json.loads(results.attrs.get("resolved", "{}")).get("common_random_numbers", False)


def run_only(results: xr.Dataset, variable: str) -> xr.Dataset:
    """The configurations of which instances were run: in a shard, others have NaN. All, if there is none."""
    run = np.flatnonzero(~np.isnan(results[variable].values))
    return results.isel(configuration=run) if run.size else results


def mean_estimate(results: xr.Dataset, strategy: str) -> Estimate:
    """Mean ratio of a strategy, with equal weights of configurations, and the error and interval of `coterie show`.

    Where `variance_reduction = "exact"` knows it, it is that mean, `expected_ratio`, whose error is next to nothing.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     estimate = mean_estimate(results, "greedy")
    >>> 0 < estimate.error < estimate.half_width < 1
    True
    """
    chosen = run_only(by_configuration(results).sel(strategy=strategy), "mean")
    errors = chosen["standard_error"].values
    done = chosen["instances_done"].values if "instances_done" in chosen.coords else np.full(len(errors), np.inf)
    means = chosen["mean"].values
    if "expected_ratio" in chosen:
        exact = chosen["expected_ratio"].values
        means, errors = np.where(np.isnan(exact), means, exact), np.where(np.isnan(exact), errors, 0)
    return Estimate(float(means.mean()), *together(errors, done - 1, independent(chosen)))


def average(results: xr.Dataset, strategy: str) -> tuple[float, float]:
    """Mean ratio of a strategy in per cent, with equal weights of configurations, and its standard error.

    >>> results = xr.Dataset({"mean": (("configuration", "strategy"), [[0.7], [0.9]]),
    ...                       "standard_error": (("configuration", "strategy"), [[0.03], [0.04]])},
    ...                      {"strategy": ["greedy"]})
    >>> tuple(round(number, 9) for number in average(results, "greedy"))
    (80.0, 2.5)
    """
    estimate = mean_estimate(results, strategy)
    return 100 * estimate.value, 100 * estimate.error


def trace_name(risk: str) -> str:
    """Short name of the trace that a risk is made of; other risks are returned as they are.

    >>> trace_name("trace(file=../../traces/bundled/sdsc-synthetic.durations)")
    'sdsc (synthetic)'
    >>> trace_name('trace(file="my hosts.csv", format=durations)')
    'my hosts'
    >>> trace_name("linear")
    'linear'
    """
    file = trace_file(risk)
    return risk if file is None else file.stem.replace("-synthetic", " (synthetic)")


@functools.cache  # asked of each configuration
def trace_file(risk: str) -> Path | None:
    """The file of a risk that is a trace."""
    found = re.match(r'\s*trace\(.*?file\s*=\s*(?:"([^"]*)"|([^,)]*))', risk)
    return Path((found[1] or found[2]).strip()) if found else None
