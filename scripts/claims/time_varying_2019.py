"""Claims of time-varying-2019: Tables I to V, Figs. 7 to 13 and the times of Section 4.3."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import numpy as np
import xarray as xr
from scipy.optimize import brentq

from coterie import find_program, open_results, select
from coterie.results import reference_moments
from time_varying_partitions import TCP, WORKERS, jobs_of, partitions, solved
from time_varying_tables import NONE, PRINTED, PRINTED_STARTS, capacities
from time_varying_timing import problem, seconds
from verdicts import Claim

#: Name of the result, campaign, settings.
CAMPAIGNS = [(f"time-varying-{name}", f"time-varying-{name}") for name in
             ("fig07-jobs", "fig07-processors", "fig10-jobs", "fig10-processors", "fig12", "fig13")]
FIGURES = [("time_varying_partitions", "partitions"),
           ("time_varying_sweeps", "figs-7-8", "time-varying-fig07-jobs", "time-varying-fig07-processors"),
           ("time_varying_sweeps", "figs-10-11", "time-varying-fig10-jobs", "time-varying-fig10-processors"),
           ("time_varying_methods", "fig-12", "time-varying-fig12"), ("time_varying_methods", "fig-13", "time-varying-fig13")]

#: Draws for the quantiles of shares, and the quantiles between which a printed draw is nothing unusual.
DRAWS, USUAL = 300, (0.025, 0.975)
#: Trials of the running times.
TRIALS = 2000


def constant_tables() -> list[Claim]:
    answer = solved(str(find_program()), None, [NONE] * WORKERS, None)
    here = [answer["finish_time"], *answer["shares"]]
    found = []
    for number in ("II", "III", "V"):
        printed = PRINTED[number][0]
        finish = printed[0]
        starts = [0.0, *PRINTED_STARTS]
        decoded = [finish / TCP] + [(starts[i + 1] - starts[i]) / (1 + (i + 1) / 10) for i in range(WORKERS)]
        same = all(round(value, 4) == cell for value, cell in zip(here, printed))
        agree = all(abs(value - cell) < 0.00006 for value, cell in zip(decoded, printed[1:]))
        found.append(Claim(f"Table {number}", "T_f and shares without background jobs", " ".join(f"{value:g}" for value in printed[:-1]),
                           " ".join(f"{value:.4f}" for value in here), same, explained=f"the print is the paper's search, stopped a slot "
                           f"late: start times .303, .557, .765 {'give' if agree else 'nearly give'} all its shares. They are multiples of "
                           "0.001, not of the slot of 0.01 that the text names"))
    return found


def drawn_shares(all_vary: bool) -> np.ndarray:
    """T_f and shares of random draws, one in a row."""
    random = np.random.default_rng(2019)
    rows = []
    for _ in range(DRAWS):
        control, links = (jobs_of(random), jobs_of(random)) if all_vary else (NONE, NONE)
        system = capacities(control, [jobs_of(random) for _ in range(WORKERS)], links)
        finish = brentq(lambda time: sum(partitions(*system, time)) - 1, 0, 60)
        rows.append([finish, *partitions(*system, finish)])
    return np.array(rows)


def random_tables(first: xr.Dataset, second: xr.Dataset) -> list[Claim]:
    found = []
    for number, results in (("I", first), ("IV", second)):
        printed = np.mean(PRINTED[number], axis=0)[:-1]
        times = select(results, w=1, jobs="pairs(jobs=40)")["reference"].values.ravel()
        drawn = drawn_shares(number == "IV")
        quantiles = [float(np.mean(times <= printed[0])), *(float(np.mean(drawn[:, k] <= printed[k])) for k in range(1, WORKERS + 2))]
        found.append(Claim(f"Table {number}", "T_f and shares with 40 background jobs, another draw: quantiles of the print", " ".join(
            f"{value:.4g}" for value in printed), " ".join(f"{value:.2f}" for value in quantiles),
            all(USUAL[0] <= value <= USUAL[1] for value in quantiles), differs="a draw as unusual as this"))
    return found


def lines(results: xr.Dataset, values: np.ndarray) -> dict[float, np.ndarray]:
    """Values by W, in the order of the other axis."""
    return {float(w): values[results["w"].values == w] for w in np.unique(results["w"].values)}


def is_rising(curve: np.ndarray, errors: np.ndarray) -> bool:
    """But for chance: no step falls by more than four standard errors, and the last point is far above the first."""
    steps, of_steps = np.diff(curve), np.hypot(errors[1:], errors[:-1])
    return bool((steps > -4 * of_steps).all() and curve[-1] - curve[0] > 4 * np.hypot(errors[0], errors[-1]))


def sweeps(place: int, jobs: xr.Dataset, processors: xr.Dataset) -> list[Claim]:
    (by_jobs, job_errors), (by_processors, errors) = (
        [lines(one, values) for values in (mean, deviation / np.sqrt(count))]
        for one in (jobs, processors) for mean, deviation, count in [reference_moments(one)])
    alone = processors.sel(strategy="control-alone")
    speedups, speedup_errors = (lines(processors, alone[name].values) for name in ("mean", "standard_error"))
    numbers = np.unique(processors["processors"].values)

    def ends(curves: dict[float, np.ndarray]) -> str:
        return ", ".join(f"{curve[0]:.2f} to {curve[-1]:.2f} (W = {w:g})" for w, curve in curves.items())

    found = [
        Claim(f"Fig. {place}(a)", "finishing time with background jobs", "increases", ends(by_jobs),
              all(is_rising(curve, job_errors[w]) for w, curve in by_jobs.items())),
        Claim(f"Fig. {place}(b)", "finishing time with processors", "decreases", ends(by_processors),
              all(is_rising(-curve, errors[w]) for w, curve in by_processors.items())),
        Claim(f"Fig. {place}", "finishing time with W", "increases", "in both, for all numbers of jobs and of processors",
              all((np.diff(np.array(list(one.values())), axis=0) > 0).all() for one in (by_jobs, by_processors))),
        Claim(f"Fig. {place + 1}", "speedup with processors", "increases", ends(speedups),
              all(is_rising(curve, speedup_errors[w]) for w, curve in speedups.items())),
    ]
    grid = np.array(list(speedups.values()))
    wrong = numbers[(np.diff(grid, axis=0) < 0).any(axis=0)]
    if place == 7:
        found.append(Claim("Fig. 8", "speedup with W", "increases", f"not for {', '.join(f'{one:g}' for one in wrong)} processors" if wrong.size else
                           "for all numbers of processors", not wrong.size, explained="until about 25 more and more background jobs are "
                           "present, so a run that takes longer meets slower workers: with few processors this outweighs that slower "
                           "ones wait less for the link. Without jobs it holds for two, too: 1 + 4 W / (1.1 + 4 W)"))
    return found


def medians(results: xr.Dataset, varying: str, rates: str, evaluation: str) -> dict[str, float]:
    """Of the finishing times."""
    chosen = select(results, varying=varying, rates=rates, evaluation=evaluation)
    times = chosen["reference"].values.ravel()
    return {name: float(np.nanmedian(chosen["ratio"].sel(strategy=name).values.ravel() * times))
            for name in ("simulation-based", "iterative", "before-correction")}


def methods(place: int, results: xr.Dataset) -> list[Claim]:
    found = []
    for panel, varying in (("a", "workers"), ("b", "all")):
        of = {rates: medians(results, varying, rates, "predicted") for rates in ("time-unit", "slot")}
        words = "; ".join(f"{rates}: " + " ".join(f"{value:.2f}" for value in one.values()) for rates, one in of.items())
        found.append(Claim(f"Fig. {place}({panel})", "median times of simulation, iteration, before correction", "the last is higher", words,
                           all(one["before-correction"] > max(one["simulation-based"], one["iterative"]) for one in of.values())))
        apart = {rates: abs(one["iterative"] / one["simulation-based"] - 1) for rates, one in of.items()}
        real = medians(results, varying, "slot", "realised")
        found.append(Claim(f"Fig. {place}({panel})", "iteration beside simulation", "similar", ", ".join(
            f"{100 * value:.1f} % apart ({rates})" for rates, value in apart.items()), max(apart.values()) < 0.05,
            explained="per time unit hardly a job arrives during a run, and both give the time without jobs. Per slot of 0.01 they "
            "matter; the time of the iteration is not that of any run, since each pass averages speeds over the windows of the pass "
            f"before. As splits both do alike: {real['iterative']:.2f} and {real['simulation-based']:.2f} on fresh jobs"))
    return found


def times() -> list[Claim]:
    found = []
    program = str(find_program())
    for panel, varying, simulation, iterative in (("a", "workers", 2213, 182), ("b", "all", 2418, 267)):
        here = [seconds(program, problem(method, 15, varying, 1, TRIALS), 2) for method in ("simulation", "iterative")]
        found.append(Claim(f"Fig. 13({panel})", "times of simulation and iteration, 15 processors",
                           f"{simulation} s / {iterative} s = {simulation / iterative:.1f}",
                           f"{here[0]:.3f} s / {here[1]:.3f} s = {here[0] / here[1]:.1f} for {TRIALS} trials",
                           here[0] / here[1] > 0.5 * simulation / iterative,
                           explained="the paper's simulation tries finishing times slot by slot, from W Tcp = 4 down to about 1.1: some 290 "
                           "evaluations of all shares a trial; here one sweep over the events finds the root of each trial, which costs no "
                           "more than a pass of the iteration"))
    return found


def claims(folder: Path) -> list[Claim]:
    with ExitStack() as stack:
        of = [stack.enter_context(open_results(folder / f"{name}.h5")) for name, *_ in CAMPAIGNS]
        seven_jobs, seven, ten_jobs, ten, twelve, thirteen = of
        return [*random_tables(seven_jobs, ten_jobs), *constant_tables(), *sweeps(7, seven_jobs, seven), *sweeps(10, ten_jobs, ten),
                *methods(12, twelve), *methods(13, thirteen), *times()]
