#!/usr/bin/python3
"""Which claims of worksharing-2013, Section 6.2 A to F, hold, and where they do not.

Strategies of one configuration are compared by exact expected work (the dataset expected_work), so no verdict depends
on chance; statements about ratios to the omniscient, or across workloads, use mean ratios.

Reads a folder (out) with the results of the campaigns e1-workload to e6-replication.
"""

import argparse
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from coterie import ResultError, open_results, select  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.text import at_most  # noqa: E402

#: Expected works that differ by less than this share are equal: their sums are rounded.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Verdict:
    """A claim, whether it holds, and the facts."""

    claim: str
    holds: bool
    facts: str

    def text(self) -> str:
        facts = textwrap.fill(self.facts, 118, initial_indent=" " * 9, subsequent_indent=" " * 9)
        return f"  {'holds' if self.holds else 'FAILS'}  {self.claim}\n{facts}"


def expected(results: xr.Dataset, strategy: str) -> np.ndarray:
    return results["expected_work"].sel(strategy=strategy).values


def ratio(results: xr.Dataset, strategy: str) -> np.ndarray:
    return results["mean"].sel(strategy=strategy).values


def has(results: xr.Dataset, strategy: str) -> bool:
    return strategy in results["strategy"].values


def where(results: xr.Dataset, chosen: np.ndarray) -> str:
    """The values of the axes over the chosen configurations: those that vary, few of them one by one."""
    parts = []
    for axis in ("workers", "work", "chunks_requested"):
        values = results[axis].values
        found = sorted(set(values[chosen].tolist()))
        if len(set(values.tolist())) < 2:
            continue
        texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in found]
        parts.append(f"{axis.removesuffix('_requested')} " + (", ".join(texts) if len(texts) <= 6 else
                                                              f"{texts[0]} to {texts[-1]}"))
    return "; ".join(parts)


def never_beaten(results: xr.Dataset, winner: str, loser: str, claim: str) -> Verdict:
    """`winner` has at least the expected work of `loser` in every configuration."""
    best, other = expected(results, winner), expected(results, loser)
    more = other - best
    wrong = more > TOLERANCE * other
    facts = f"{loser} expects more in {wrong.sum()} of {wrong.size} configurations"
    if wrong.any():
        at_startups = ", ".join(f"{(wrong & (results['startup'].values == value)).sum()} at {value:g}"
                                for value in sorted(set(results["startup"].values[wrong].tolist()), reverse=True)[:6])
        facts += (f", by at most {at_most(100 * (more[wrong] / best[wrong]).max(), 0.01)} % ({where(results, wrong)}; start-up "
                  f"cost: {at_startups})")
    return Verdict(claim, not wrong.any(), facts)


def share_of_run(true: np.ndarray, values: np.ndarray) -> float:
    """Where something is true, as a share of the instances that were run: with `precision`, others have NaN."""
    return float(true[~np.isnan(values)].mean())


def greedy_is_best(results: xr.Dataset) -> list[Verdict]:
    rivals = [name for name in ("cyclic-replication", "no-replication", "random-replication", "brute")
              if has(results, name)]
    verdicts = [never_beaten(results, "greedy", name, f"greedy is never outperformed by {name}") for name in rivals]
    greedy = results["ratio"].sel(strategy="greedy").values
    best = results["ratio"].sel(strategy=rivals).max("strategy").values
    wins = share_of_run(best > greedy + TOLERANCE, greedy)
    verdicts.append(Verdict("greedy is the best on every random instance", bool(wins == 0),
                            f"another strategy completes more in {100 * wins:.1f} % of the instances"))
    return verdicts


def cyclic_beats_none(results: xr.Dataset) -> Verdict:
    return never_beaten(results, "cyclic-replication", "no-replication",
                        "cyclic-replication is never worse than no-replication")


def e1(results: xr.Dataset) -> list[Verdict]:
    one = select(results, work=1)
    better = expected(one, "random-replication") > expected(one, "no-replication")
    poor = ratio(results, "brute") < 0.5 * ratio(results, "greedy")
    full = results.isel(configuration=np.flatnonzero(results["work"].values == results["workers"].values))
    trio = np.stack([ratio(full, name) for name in ("greedy", "cyclic-replication", "no-replication")])
    apart = (trio.max(axis=0) - trio.min(axis=0)).max()
    return [
        Verdict("at W = 1 random-replication often beats no-replication", bool(better.mean() > 0.5),
                f"in {better.sum()} of {better.size} configurations"),
        Verdict("brute almost always achieves very poor performance", bool(poor.mean() > 0.9),
                f"less than half of greedy's mean ratio in {poor.sum()} of {poor.size} configurations"),
        Verdict("at W = p greedy, cyclic-replication and no-replication are quite similar", bool(apart < 0.05),
                f"their mean ratios differ by at most {at_most(100 * apart, 0.01)} points"),
        cyclic_beats_none(results),
        *greedy_is_best(results),
    ]


def load_of(results: xr.Dataset) -> np.ndarray:
    """W/p, rounded so that equal loads are equal numbers."""
    return np.round(results["work"].values / results["workers"].values, 9)


def e2(results: xr.Dataset) -> list[Verdict]:
    sample = select(results, chunks_requested="147", startup=0.001)
    sample = sample.isel(configuration=np.flatnonzero(load_of(sample) == 0.3))
    calm = ("greedy", "cyclic-replication", "no-replication")
    moves = {name: ratio(sample, name).max() - ratio(sample, name).min() for name in calm}
    brute = ratio(sample, "brute")[np.argsort(sample["workers"].values)]
    low, high = sorted(set(load_of(results).tolist()))
    verdicts = [
        Verdict("the number of workers at fixed W/p has generally no impact", max(moves.values()) < 0.1,
                "n = 147, eps = 0.001, W = 0.3 p: mean ratios move by " + ", ".join(
                    f"{100 * moves[name]:.1f} ({name})" for name in calm) + " points"),
        Verdict("brute drops dramatically with the number of workers", bool(brute[-1] < 0.2 * brute[0]),
                f"mean ratio {brute[0]:.3f} to {brute[-1]:.3f} there"),
    ]
    for name in map(str, results["strategy"].values):
        # The grid has the loads within each number of workers, and both in the same order.
        lower, upper = (results.sel(strategy=name).isel(configuration=np.flatnonzero(load_of(results) == load))
                        for load in (low, high))
        wrong = (upper["mean"].values - lower["mean"].values
                 > 3 * np.hypot(upper["standard_error"].values, lower["standard_error"].values))
        verdicts.append(Verdict(f"a larger W/p is worse for {name}", not wrong.any(),
                                f"mean ratio higher (by 3 standard errors) at W = {high:g} p than at {low:g} p in "
                                f"{wrong.sum()} of {wrong.size} pairs"))
    return verdicts + [cyclic_beats_none(results), *greedy_is_best(results)]


def peaks(values: np.ndarray) -> int:
    """Number of local maxima of a sequence, plateaus within the tolerance counting once.

    >>> peaks(np.array([1.0, 2.0, 2.0, 1.0, 3.0]))
    2
    """
    steps = np.diff(values)
    signs = np.sign(steps)[np.abs(steps) > TOLERANCE * np.abs(values).max()]
    return int(1 + np.sum((signs[:-1] < 0) & (signs[1:] > 0))) if signs.size else 1


def along_chunks(results: xr.Dataset, strategy: str, **fixed: float) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of chunks per unit, increasing, and expected work at them."""
    chosen = select(results, **fixed)
    chunks = chosen["chunks_requested"].values.astype(float)
    order = np.argsort(chunks)
    return chunks[order], expected(chosen, strategy)[order]


def e3(results: xr.Dataset) -> list[Verdict]:
    curves = {}
    for strategy in ("greedy", "no-replication", "cyclic-replication"):
        for workers in sorted(set(results["workers"].values.tolist())):
            for load in sorted(set(load_of(results).tolist())):
                for startup in sorted(set(results["startup"].values.tolist())):
                    curves[strategy, workers, load, startup] = along_chunks(results, strategy, workers=workers,
                                                                            work=load * workers, startup=startup)

    def chosen(strategy: str, startup: float | None = None) -> list[tuple[np.ndarray, np.ndarray]]:
        return [curve for (name, _, _, cost), curve in curves.items()
                if name == strategy and startup in (None, cost)]

    tiny = chosen("greedy", 0.0001)
    late = sum(chunks[work.argmax()] >= 95 for chunks, work in tiny)
    large = chosen("greedy", 0.1)
    lost = [1 - work[-1] / work.max() for _, work in large]
    chunks, greedy = curves["greedy", 25, 0.3, 0.001]
    none = curves["no-replication", 25, 0.3, 0.001][1]
    drop = 1 - greedy[-1] / greedy.max()
    verdicts = [
        Verdict("with a tiny start-up cost (0.0001) more chunks are always better", late == len(tiny) and all(
            work.argmax() == len(work) - 1 for _, work in tiny),
            f"greedy's best n is {', '.join(f'{c[w.argmax()]:g}' for c, w in tiny)} of 1 to {chunks[-1]:g}"),
        Verdict("with a large start-up cost (0.1) many chunks cost dramatically", min(lost) > 0.5,
                f"greedy at n = {chunks[-1]:g} loses {100 * min(lost):.0f} to {100 * max(lost):.0f} % of its best"),
        Verdict("even at 0.001 performance starts to decrease with the number of chunks", bool(drop > 0),
                f"p = 25, W = 0.3 p: best n is {chunks[greedy.argmax()]:g} (greedy) and {chunks[none.argmax()]:g} "
                f"(no-replication); at n = {chunks[-1]:g} greedy has lost {100 * drop:.1f} %"),
    ]
    for strategy, claim in (("greedy", "greedy's curve over the number of chunks has one peak"),
                            ("no-replication", "no-replication's curve has one peak"),
                            ("cyclic-replication", "cyclic-replication's performance fluctuates")):
        many = [peaks(work) > 1 for _, work in chosen(strategy)]
        holds = any(many) if strategy == "cyclic-replication" else not any(many)
        facts = f"{sum(many)} of {len(many)} curves (one for each p, load and start-up cost) have more than one peak"
        verdicts.append(Verdict(claim, holds, facts))
    return verdicts + [cyclic_beats_none(results), *greedy_is_best(results)]


def e4(results: xr.Dataset) -> list[Verdict]:
    sample = select(results, workers=25, work=7.5, chunks_requested="147")
    at = {cost: float(ratio(select(sample, startup=cost), "greedy")[0]) for cost in (0.001, 0.01, 0.05, 0.1)}
    few = select(results, workers=5, chunks_requested="147")
    done = {cost: select(few, startup=cost)["reference"].values for cost in (0.1, 0.5, 0.9)}
    idle = {cost: share_of_run(values == 0, values) for cost, values in done.items()}
    return [
        Verdict("performance drops dramatically as the start-up cost grows", at[0.05] < 0.3 * at[0.001],
                "greedy, p = 25, n = 147, W = 0.3 p: "
                + ", ".join(f"{value:.3f} at {cost:g}" for cost, value in at.items())),
        Verdict("near 1 even the omniscient completes nothing in more and more instances",
                idle[0.9] > idle[0.5] > idle[0.1],
                "p = 5: " + ", ".join(f"{100 * share:.1f} % at {cost:g}" for cost, share in idle.items())),
        cyclic_beats_none(results),
        *greedy_is_best(results),
    ]


def e5(results: xr.Dataset) -> list[Verdict]:
    return [cyclic_beats_none(results), *greedy_is_best(results)]


def e6(results: xr.Dataset) -> list[Verdict]:
    fine = select(results, startup=0.001)
    potential = fine["workers"].values / fine["work"].values

    def gain(strategy: str, chosen: np.ndarray) -> float:
        return 100 * float((ratio(fine, strategy) - ratio(fine, "no-replication"))[chosen].mean())

    low, high = (potential > 1) & (potential < 2), potential >= 2
    return [
        never_beaten(results, "greedy", "no-replication", "greedy always beats no-replication"),
        cyclic_beats_none(results),
        Verdict("the difference is very significant from a potential of 2 on", min(
            gain(name, high) for name in ("greedy", "cyclic-replication")) > 5,
            f"eps = 0.001, mean gain over no-replication: greedy {gain('greedy', high):.1f}, cyclic-replication "
            f"{gain('cyclic-replication', high):.1f} points"),
        Verdict("below 2 cyclic-replication gains almost nothing, unlike greedy",
                gain("cyclic-replication", low) < 1 < gain("greedy", low),
                f"eps = 0.001: greedy {gain('greedy', low):.1f}, cyclic-replication "
                f"{gain('cyclic-replication', low):.1f} points (an optimal number of chunks that shares no divisor "
                "with p helps cyclic-replication)"),
        *greedy_is_best(results),
    ]


EXPERIMENTS: list[tuple[str, str, Callable[[xr.Dataset], list[Verdict]]]] = [
    ("A", "e1-workload", e1), ("B", "e2-workers", e2), ("C", "e3-chunks", e3), ("D", "e4-startup", e4),
    ("E", "e5-automatic-chunks", e5), ("F", "e6-replication", e6),
]


def print_table(arguments: argparse.Namespace) -> int:
    folder = arguments.folder
    print("Claims of worksharing-2013, Section 6.2, with strategies compared by exact expected work")
    found = 0
    for letter, name, judge in EXPERIMENTS:
        path = folder / f"{name}.h5"
        if not path.exists():
            continue
        found += 1
        try:
            with open_results(path) as results:
                print(f"\n{letter}. {results.attrs['title']}: {results.sizes['configuration']} configurations")
                print("\n".join(verdict.text() for verdict in judge(results)))
        except (ResultError, OSError) as error:
            print(f"claims: {path}: {error}", file=sys.stderr)
            return 1
    if not found:
        print(f"claims: {folder} has no result of e1-workload to e6-replication; run scripts/run --all",
              file=sys.stderr)
    return 0 if found else 1


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path("out"), help="folder of results (default: out)")


if __name__ == "__main__":
    sys.exit(table_program("claims", print_table, __doc__, configure))
