#!/usr/bin/python3
"""Running times of the simulation-based and the iterative method, beside those printed in time-varying-2019 (Section
4.3). Times of whole runs of `coterie solve`, the best of several, one thread.
"""
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from coterie.figure_files import table_program  # noqa: E402
from coterie.program import find_program  # noqa: E402
from coterie.text import table  # noqa: E402

METHODS = ("simulation", "iterative")
#: Seconds: Fig. 13(a), where only the workers vary, and 13(b).
PRINTED = {("simulation", 15, "workers"): "2213", ("iterative", 15, "workers"): "182",
           ("simulation", 15, "all"): "2418", ("iterative", 15, "all"): "267"}


def problem(method, processors, varying, factor, trials):
    lines = ['problem = "background"', f'method = "{method}"', "tcm = 1", "tcp = 4", f"arrival = {0.1 * factor:g}",
             f"service = {0.125 * factor:g}", f'varying = "{varying}"', f"trials = {trials}", "fresh_trials = 0",
             "[control]", "inverse_speed = 1"]
    for i in range(1, processors):
        lines += ["[[worker]]", "inverse_speed = 1", f"inverse_bandwidth = {1 + i / 10:g}"]
    return "\n".join(lines) + "\n"


def seconds(program, text, repeat):
    """Processor time of the program, so that other load on the machine does not count."""
    best = float("inf")
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        for _ in range(repeat):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([program, "solve", file.name], check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def print_table(arguments):
    program = arguments.coterie or find_program()
    rows = []
    for processors in (4, 15):
        for varying in ("workers", "all"):
            for rates, factor in (("time-unit", 1), ("slot", 100)):
                times = [seconds(program, problem(method, processors, varying, factor, arguments.trials),
                                 arguments.repeat) for method in METHODS]
                rows.append([f"{processors} processors, {varying} vary, rates per {rates}",
                             *(PRINTED.get((method, processors, varying), "-") for method in METHODS),
                             *(f"{time:.2f}" for time in times), f"{times[0] / times[1]:.2f}"])
    print(f"Seconds for {arguments.trials} trials (the paper does not say how many it used)\n"
          + table(["", "paper: simulation", "iterative", "here: simulation", "iterative", "ratio"], rows))


def configure(parser):
    parser.add_argument("--coterie", help="the program (default: as the Python package finds it)")
    parser.add_argument("--trials", type=int, default=10000, help="trials per run (default: 10000)")
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which the fastest counts (default: 3)")


if __name__ == "__main__":
    sys.exit(table_program("time-varying-timing", print_table, __doc__, configure))
