#!/usr/bin/python3
"""The table "When does W(FIFO) overtake W(LIFO)?, 2" of now-2001, cell by cell beside what `coterie solve` gives.
The work in a lifespan L is slope L - offset, so FIFO overtakes at L* = (off_F - off_L) / (slope_F - slope_L):
"overtakes" in the answer for FIFO.
"""
import concurrent.futures
import fractions
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from coterie import ResultError  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.progress import Progress  # noqa: E402
from coterie.text import table  # noqa: E402

MINUTE = 60
#: With this year 31.8 and 318 years are 10^9 and 10^10 seconds.
UNITS = {"years": 364 * 86400, "days": 86400, "hours": 3600, "minutes": MINUTE, "minute": MINUTE}
RATES = {
    "1": lambda i, n: fractions.Fraction(1),
    "(1+2^(i-n))/2": lambda i, n: (1 + fractions.Fraction(1, 2 ** (n - i))) / 2,
    "1-1/(i+1)": lambda i, n: 1 - fractions.Fraction(1, i + 1),
    "1-2^-i": lambda i, n: 1 - fractions.Fraction(1, 2**i),
}
GRAINS = ["0.1", "1", "10"]
WORKERS = [8, 32, 128]
#: As printed, by grain and number of workers.
PRINTED = {
    ("yes", "1"): [["1 minute"] * 3] * 3,
    ("yes", "(1+2^(i-n))/2"): [["1.59 hours", "6.15 minutes", "1 minute"], ["6.95 days", "10.6 hours", "37 1/2 minutes"],
                               ["31.8 years", "44 days", "69.45 hours"]],
    ("yes", "1-1/(i+1)"): [["2.39 hours", "31 minutes", "3.5 minutes"], ["10.42 days", "2.15 days", "6.39 hours"],
                           ["318 years", "4 1/3 years", "27.8 days"]],
    ("yes", "1-2^-i"): [["3.62 hours", "26 minutes", "1 1/2 minutes"], ["17.37 days", "44 hours", "3.12 hours"],
                        ["318 years", "1.6 years", "13 1/3 days"]],
    ("no", "1"): [["1 minute"] * 3] * 3,
    ("no", "(1+2^(i-n))/2"): [["1 minute"] * 3, ["3 minutes", "1 minute", "1 minute"],
                              ["4.87 hours", "20 minutes", "1.07 minutes"]],
    ("no", "1-1/(i+1)"): [["1 minute"] * 3, ["4.5 minutes", "1 minute", "1 minute"],
                          ["7.37 hours", "94 minutes", "11.5 minutes"]],
    ("no", "1-2^-i"): [["1 minute"] * 3, ["6 1/2 minutes", "1 minute", "1 minute"],
                       ["10 5/6 hours", "79 minutes", "5 1/2 minutes"]],
}
#: A printed value is reproduced where it is at most so many times the computed one: nearly all are rounded up.
ROUNDED_UP = 1.065


def crossover(cell):
    """L* in seconds."""
    program, pipelined, rates, grain, workers = cell
    unit = fractions.Fraction(1, 10**6) / fractions.Fraction(grain)  # a microsecond in grains
    latency = 150 * unit
    lines = ['problem = "now"', 'protocol = "fifo"', "lifespan = 1000000", "delta = 1", f'packaging = "{10 * unit}"',
             f'latency = "{latency}"', f'transit = "{unit if pipelined == "yes" else latency}"']
    for i in range(1, workers + 1):
        lines += ["[[worker]]", f'work_time = "{RATES[rates](i, workers)}"', f'setup_to = "{300 * unit}"',
                  f'setup_from = "{300 * unit}"']
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        done = subprocess.run([program, "solve", file.name, "--format", "json"], check=True, capture_output=True,
                              text=True)
    return json.loads(done.stdout)["overtakes"]["lifo"] * float(grain)


def seconds_of(text):
    """Of a printed cell."""
    *number, unit = text.split()
    return float(sum(map(fractions.Fraction, number)) * UNITS[unit])


def duration(seconds, printed):
    """In the unit of the printed cell, or a shorter one."""
    if seconds <= MINUTE:
        return "< 1 minute"
    most = UNITS[printed.split()[-1]]
    unit = next(unit for unit, one in UNITS.items() if one <= min(most, seconds))
    return f"{seconds / UNITS[unit]:.4g} {unit}"


def crossovers(program, numbers):
    """(pipelined, rates, grain, workers), what is printed and the crossover in seconds, of each cell."""
    cells = [(program, pipelined, rates, grain, workers) for pipelined, rates in PRINTED for grain in GRAINS for workers in numbers]
    progress = Progress(None)
    computed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, seconds in enumerate(pool.map(crossover, cells), 1):
            computed.append(seconds)
            if number % 6 == 0:
                progress.tell(f"{100 * number // len(cells)} %, {number} of {len(cells)} cells\n")
    progress.close(True)
    return [((pipelined, rates, grain, workers), PRINTED[pipelined, rates][GRAINS.index(grain)][WORKERS.index(workers)], seconds)
            for (_, pipelined, rates, grain, workers), seconds in zip(cells, computed)]


def is_reproduced(printed, seconds):
    return seconds <= MINUTE if printed == "1 minute" else seconds_of(printed) <= ROUNDED_UP * seconds


def print_table(arguments):
    rows, missed = [], 0
    cells = crossovers(arguments.coterie, arguments.workers)
    for (pipelined, rates, grain, workers), printed, seconds in cells:
        limit = seconds_of(printed)
        if seconds > limit:
            raise ResultError(f"{pipelined}, {rates}, {grain}, {workers}: the printed {printed} is no upper bound")
        matches = is_reproduced(printed, seconds)
        missed += not matches
        rows.append([pipelined, rates, grain, str(workers), printed, duration(seconds, printed),
                     "" if limit == MINUTE else f"{limit / seconds:.4f}", "" if matches else "*"])
    print(table(["pipelined", "rates", "grain, s", "workers", "printed", "computed", "printed/computed", ""], rows))
    print(f"{len(cells)} cells, {missed} not reproduced (*: printed more than {ROUNDED_UP:g} times the computed value). "
          "All printed values hold as upper bounds.")


def configure(parser):
    parser.add_argument("--coterie", default=os.environ.get("COTERIE", "coterie"), help="the program")
    parser.add_argument("--workers", type=int, nargs="+", choices=WORKERS, default=WORKERS,
                        help="columns of the table (default: all; exact fractions for 128 workers take half a minute)")


if __name__ == "__main__":
    sys.exit(table_program("now-crossover", print_table, __doc__, configure))
