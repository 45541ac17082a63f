#!/usr/bin/python3
"""Figs. 6 and 9 of time-varying-2019: the parts that each processor can take until T_f, and their sum, against T_f.
The background jobs are random as in the paper (40 pairs of uniform times in 50 units on each process), so this is not
the paper's instance; the solution comes from `coterie solve` and is checked against the curves."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy  # noqa: E402

from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import spare_style  # noqa: E402
from coterie.program import find_program  # noqa: E402

TCM, TCP, WORKERS, JOBS, HORIZON = 1, 4, 3, 40, 50


def jobs_of(random):
    """Times and counts of JOBS jobs, each present between two uniform times."""
    pairs = numpy.sort(random.uniform(0, HORIZON, (JOBS, 2)), axis=1)
    times = numpy.concatenate([pairs[:, 0], pairs[:, 1]])
    steps = numpy.repeat([1, -1], JOBS)
    order = numpy.argsort(times)
    return [0.0, *times[order].tolist()], [0, *numpy.cumsum(steps[order]).tolist()]


class Capacity:
    """Load done by time t at speed 1 / (unit (n(t) + 1)), and its inverse."""

    def __init__(self, jobs, unit):
        times, counts = jobs
        self.times = numpy.append(times, 2 * HORIZON)
        speeds = 1 / (unit * (numpy.array(counts) + 1))
        self.load = numpy.concatenate([[0], numpy.cumsum(numpy.diff(self.times) * speeds)])

    def __call__(self, time):
        return numpy.interp(time, self.times, self.load)

    def __add__(self, other):
        total = object.__new__(Capacity)
        total.times = numpy.union1d(self.times, other.times)
        total.load = self(total.times) + other(total.times)
        return total

    def time_of(self, load):
        return numpy.interp(load, self.load, self.times)


def partitions(control, processors, links, finish):
    """alpha_0, ..., alpha_N until `finish`: Algorithms 1 and 2."""
    parts = [control(finish)]
    start = 0.0
    for processor, link in zip(processors, links):
        start = (processor + link).time_of(processor(finish) + link(start))
        parts.append(processor(finish) - processor(start))
    return parts


def problem_text(control_jobs, jobs, link_jobs):
    def written(sequence):
        return f"{{times = {sequence[0]}, counts = {sequence[1]}}}"

    lines = ['problem = "background"', 'method = "exact"', f"tcm = {TCM}", f"tcp = {TCP}", "[control]",
             "inverse_speed = 1"]
    if control_jobs:
        lines.append(f"jobs = {written(control_jobs)}")
    for i in range(WORKERS):
        lines += ["[[worker]]", "inverse_speed = 1", f"inverse_bandwidth = {1 + (i + 1) / 10}",
                  f"jobs = {written(jobs[i])}"]
        if link_jobs:
            lines.append(f"link_jobs = {written(link_jobs)}")
    return "\n".join(lines) + "\n"


def solved(program, control_jobs, jobs, link_jobs):
    """The answer of `coterie solve`."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(problem_text(control_jobs, jobs, link_jobs))
        file.flush()
        return json.loads(subprocess.run([program, "solve", file.name, "--format", "json"], check=True,
                                         capture_output=True, text=True).stdout)


def panel(sheet, axes, random, all_vary, title, program):
    none = ([0.0], [0])
    control_jobs, link_jobs = (jobs_of(random), jobs_of(random)) if all_vary else (none, none)
    jobs = [jobs_of(random) for _ in range(WORKERS)]
    control = Capacity(control_jobs, TCP)
    processors = [Capacity(sequence, TCP) for sequence in jobs]
    links = [Capacity(link_jobs, (1 + (i + 1) / 10) * TCM) for i in range(WORKERS)]
    answer = solved(program, control_jobs if all_vary else None, jobs, link_jobs if all_vary else None)
    finish = answer["finish_time"]
    if not numpy.allclose(partitions(control, processors, links, finish), answer["shares"], atol=1e-9):
        raise SystemExit("the curves and `coterie solve` disagree")

    times = numpy.linspace(0, 1.4 * finish, 400)
    parts = numpy.array([partitions(control, processors, links, time) for time in times])
    for i in range(WORKERS + 1):
        axes.plot(times, parts[:, i], label="control processor" if i == 0 else f"worker {i}", markevery=(12 * i, 60),
                  markerfacecolor="white", **spare_style(i + 1))
    axes.plot(times, parts.sum(axis=1), color="black", label="sum")
    axes.axhline(1, color="gray", linestyle=":", linewidth=0.8)
    axes.axvline(finish, color="gray", linestyle=(0, (4, 2)), linewidth=0.8, label="finishing time T")
    axes.set(xlabel="finishing time", ylabel="part of the load")
    axes.set_title(title)
    shares = ", ".join(f"{share:.4f}" for share in answer["shares"])
    sheet.say(f"{title.split(',')[0]}: T = {finish:.4f}, parts {shares}.")


def draw(sheet, arguments):
    random = numpy.random.default_rng(arguments.seed)
    sheet.shows, sheet.title = "time-varying-2019, Figs. 6 and 9", "the parts that each processor can take until a time"
    sheet.made_by = f"coterie solve, {JOBS} random background jobs on each, seed {arguments.seed}; a different draw from the paper's"
    sheet.say("When the sum is 1, the whole load is done.")
    panels = sheet.panels(2, (1, 2), 2.1)
    program = arguments.coterie or find_program()
    panel(sheet, panels[0], random, False, "Fig. 6, jobs on workers", program)
    panel(sheet, panels[1], random, True, "Fig. 9, jobs everywhere", program)


def configure(parser):
    parser.add_argument("--coterie", help="the program (default: as the Python package finds it)")
    parser.add_argument("--seed", type=int, default=2019, help="seed of the background jobs (default: 2019)")


if __name__ == "__main__":
    sys.exit(figure_program("time-varying-partitions", draw, __doc__, configure=configure))
