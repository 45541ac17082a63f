"""Campaigns: `run` runs a file or a dictionary; `Campaign` is an object that is checked when it is created."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import xarray as xr

from .held_files import HeldFile, held_file, toml_lines, toml_value
from .html import table
from .program import Option, ask, file_word, option_words, watch
from .progress import Progress
from .results import ResultError, by_axes, open_results


def run(campaign: str | os.PathLike[str] | Mapping[str, Any], output: str | os.PathLike[str] | None = None, *,
        settings: Mapping[str, Any] | None = None, quiet: bool = False, progress: bool | None = None,
        **options: Option) -> xr.Dataset:
    """Runs a campaign and opens its result; by default the result is named after the campaign, in the current folder.

    `campaign` is a file, or a mapping with the same keys and tables, including "grid" and "case"; trace paths are then
    relative to the current folder, and the default output is "campaign.h5". `settings` replace keys of the campaign;
    `options` are those of `coterie run`, with _ for -. `progress` is a bar (True: tqdm, python3-tqdm), the program's
    own lines on sys.stderr (False), or a bar in a notebook or terminal if tqdm is installed (None); `quiet` shows
    nothing. Raises ProgramError with the program's message, Stopped if the run can be resumed; on KeyboardInterrupt the
    program saves its work first.

    >>> results = run("mine.toml", "few.h5", settings={"workers": [2, 5]}, instances=20, seed=3, quiet=True)
    >>> dict(results.sizes)
    {'configuration': 2, 'strategy': 2, 'instance': 20}
    >>> results.close()
    >>> run("mine.toml", "few.h5", instances=20, quiet=True)
    Traceback (most recent call last):
    coterie.program.ProgramError: few.h5: already exists; use --resume to extend it, --force to replace it, or name another --output
    >>> mine = {"seed": 1, "instances": 20, "strategies": ["greedy"], "grid": {"workers": [2, 5], "work": 1, "startup": 0.1}}
    >>> run(mine, "held.h5", quiet=True).sizes["configuration"]
    2
    >>> run(mine | {"grid": {"workers": 0, "work": 1, "startup": 0.1}}, quiet=True)
    Traceback (most recent call last):
    coterie.program.ProgramError: grid.workers: workers must be a whole number from 1 to 1000000, not 0
    """
    shown = None if quiet else Progress(progress)
    if isinstance(campaign, Mapping):
        with held_file(campaign) as file:
            return _run(file.path, Path(output or "campaign.h5"), settings, shown, options, file)
    return _run(Path(campaign), Path(output or Path(campaign).stem + ".h5"), settings, shown, options, None)


def _run(campaign: Path, output: Path, settings: Mapping[str, Any] | None, shown: Progress | None,
         options: Mapping[str, Option], held: HeldFile | None) -> xr.Dataset:
    words = ["run", file_word(campaign), *option_words({"output": output, **options})]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={toml_value(value)}"]
    watch(words, shown, held)
    return open_results(output, complete="shard" not in options)


def copied(value: Any) -> Any:
    """The same value for a campaign file, which does not change when `value` does.

    >>> copied({"grid": MappingProxyType({"workers": (5, 20), "work": range(2)})})
    {'grid': {'workers': [5, 20], 'work': [0, 1]}}
    """
    if isinstance(value, Mapping):
        return {key: copied(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [copied(one) for one in value]
    return value.tolist() if hasattr(value, "tolist") else value  # of numpy


class Campaign:
    """A campaign as an object: strategies and a grid of settings, checked by the program when it is created.

    `grid` maps axes to a value or a sequence of values; all their combinations are configurations. `case` is a sequence
    of mappings, one configuration each, in addition to the grid or instead of it. `keys` are all other keys of a
    campaign file: title, model ("worksharing"), seed, instances or precision, baseline, ... Work and start-up costs are
    in units of work, which is time of one worker; number of workers from 1. Paths of traces are relative to the current
    folder.

    Raises ProgramError, whose `key` is the path of the key at fault. A campaign is immutable.

    >>> mine = Campaign(strategies=["greedy", "no-replication"], seed=1, instances=20,
    ...                 grid={"workers": [5, 20], "work": [1, 2], "startup": 0.1, "risk": ["linear", "exponential(rate=1)"]})
    >>> mine
    <Campaign: 8 configurations x 2 strategies x 20 instances>
    >>> with mine.run("mine.h5", quiet=True) as results:
    ...     print(results["mean"].sel(workers=20, risk="linear").dims)
    ('work', 'strategy')
    >>> Campaign(strategies=["greedy"], instances=20, grid={"workers": 0, "work": 1, "startup": 0.1})
    Traceback (most recent call last):
    coterie.program.ProgramError: grid.workers: workers must be a whole number from 1 to 1000000, not 0
    """

    def __init__(self, *, strategies: Sequence[str] | None = None, grid: Mapping[str, Any] | None = None,
                 case: Sequence[Mapping[str, Any]] | None = None, **keys: Any) -> None:
        tables = {"strategies": strategies, "grid": grid, "case": case}
        self._table = copied({**keys, **{name: value for name, value in tables.items() if value is not None}})
        self._resolved: dict[str, Any] = ask("validate", self._table)

    @property
    def resolved(self) -> Mapping[str, Any]:
        """All keys with their values, including defaults, as the program understood them."""
        return MappingProxyType(copied(self._resolved))

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of configurations, strategies and instances; no instances with a precision."""
        sizes = {"configuration": int(self._resolved["configurations"]), "strategy": len(self._resolved["strategies"])}
        instances = self._resolved.get("instances")
        return sizes | ({"instance": int(instances)} if instances else {})

    @property
    def toml(self) -> str:
        """The equivalent campaign file."""
        return "".join(f"{line}\n" for line, _ in toml_lines(self._table))

    def replace(self, **keys: Any) -> Campaign:
        """The same campaign with other keys; the grid is replaced as a whole, None removes a key."""
        return Campaign(**{key: value for key, value in {**self._table, **keys}.items() if value is not None})

    def run(self, output: str | os.PathLike[str] = "campaign.h5", *, quiet: bool = False, progress: bool | None = None,
            resume: bool = True, **options: Any) -> xr.Dataset:
        """Runs what is missing in `output` and opens it, with one dimension per varying axis if the grid is a product.

        Dimensions: those axes in the order of `by_axes`, strategy, instance; otherwise configuration,
        strategy, instance. An interrupted run (Ctrl-C or the stop button of a notebook: KeyboardInterrupt) continues
        when it is run again, a complete one is only opened, and new instances, strategies or axis values are added. A
        file of another campaign is refused (ProgramError); `force=True` replaces it. Other arguments are those of
        `run`.
        """
        forced = bool(options.get("force"))
        results = run(self._table, output, quiet=quiet, progress=progress, resume=resume and not forced, **options)
        try:
            return by_axes(results)
        except ResultError:  # no product
            return results

    def __repr__(self) -> str:
        counts = {"configuration": "configurations", "strategy": "strategies", "instance": "instances"}
        return f"<Campaign: {' x '.join(f'{size} {counts[name]}' for name, size in self.sizes.items())}>"

    def _repr_html_(self) -> str:
        axes = [(name, values) for name, values in self._resolved.get("grid", {}).items()]
        keys = [(name, value) for name, value in self._resolved.items() if name != "grid"]
        return table(repr(self).strip("<>"), [*keys, *axes])
