#!/usr/bin/python3
"""The table "When does W(FIFO) overtake W(LIFO)?, 2" of now-2001, cell by cell beside what `coterie solve` gives.
The work in a lifespan L is slope L - offset, so FIFO overtakes at L* = (off_F - off_L) / (slope_F - slope_L):
"overtakes" in the answer for FIFO.
Cells marked * cannot be reproduced (more than 6.5 % away); all printed values are true as upper bounds."""
import concurrent.futures
import fractions
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from coterie.figure_files import table_program  # noqa: E402

MINUTE, HOUR, DAY = 60, 3600, 86400
YEAR = 364 * DAY  # with this year 31.8 and 318 years are 10^9 and 10^10 seconds
RATES = {
    "1": lambda i, n: fractions.Fraction(1),
    "(1+2^(i-n))/2": lambda i, n: (1 + fractions.Fraction(1, 2 ** (n - i))) / 2,
    "1-1/(i+1)": lambda i, n: 1 - fractions.Fraction(1, i + 1),
    "1-2^-i": lambda i, n: 1 - fractions.Fraction(1, 2**i),
}
GRAINS = ["0.1", "1", "10"]
WORKERS = [8, 32, 128]
PRINTED = {
    ("yes", "1"): [[MINUTE] * 3] * 3,
    ("yes", "(1+2^(i-n))/2"): [[1.59 * HOUR, 6.15 * MINUTE, MINUTE], [6.95 * DAY, 10.6 * HOUR, 37.5 * MINUTE],
                               [31.8 * YEAR, 44 * DAY, 69.45 * HOUR]],
    ("yes", "1-1/(i+1)"): [[2.39 * HOUR, 31 * MINUTE, 3.5 * MINUTE], [10.42 * DAY, 2.15 * DAY, 6.39 * HOUR],
                           [318 * YEAR, (4 + 1 / 3) * YEAR, 27.8 * DAY]],
    ("yes", "1-2^-i"): [[3.62 * HOUR, 26 * MINUTE, 1.5 * MINUTE], [17.37 * DAY, 44 * HOUR, 3.12 * HOUR],
                        [318 * YEAR, 1.6 * YEAR, (13 + 1 / 3) * DAY]],
    ("no", "1"): [[MINUTE] * 3] * 3,
    ("no", "(1+2^(i-n))/2"): [[MINUTE] * 3, [3 * MINUTE, MINUTE, MINUTE], [4.87 * HOUR, 20 * MINUTE, 1.07 * MINUTE]],
    ("no", "1-1/(i+1)"): [[MINUTE] * 3, [4.5 * MINUTE, MINUTE, MINUTE], [7.37 * HOUR, 94 * MINUTE, 11.5 * MINUTE]],
    ("no", "1-2^-i"): [[MINUTE] * 3, [6.5 * MINUTE, MINUTE, MINUTE], [(10 + 5 / 6) * HOUR, 79 * MINUTE, 5.5 * MINUTE]],
}


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


def duration(seconds):
    for unit, text in [(YEAR, "years"), (DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")]:
        if seconds >= 1.005 * unit:
            return f"{seconds / unit:.4g} {text}"
    return "1 minute" if seconds > MINUTE else "< 1 minute"


def print_table(arguments):
    cells = [(arguments.coterie, pipelined, rates, grain, workers) for pipelined, rates in PRINTED
             for grain in GRAINS for workers in arguments.workers]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        computed = list(pool.map(crossover, cells))

    print(f"{'pipelined':10}{'rates':15}{'grain':>6}{'n':>5}{'printed':>15}{'computed':>15}  printed/computed")
    missed = 0
    for (_, pipelined, rates, grain, workers), seconds in zip(cells, computed):
        printed = PRINTED[pipelined, rates][GRAINS.index(grain)][WORKERS.index(workers)]
        matches = seconds <= MINUTE if printed == MINUTE else printed <= 1.065 * seconds
        missed += not matches
        ratio = "" if seconds <= MINUTE else f"{printed / seconds:8.4f}"
        text = "1 minute" if printed == MINUTE else duration(printed)
        print(f"{pipelined:10}{rates:15}{grain:>6}{workers:>5}{text:>15}{duration(seconds):>15}  {ratio}"
              f"{'' if matches else ' *'}")
        if seconds > printed:
            raise SystemExit("a printed value is no upper bound")
    print(f"{len(cells)} cells, {missed} not reproduced")


def configure(parser):
    parser.add_argument("--coterie", default=os.environ.get("COTERIE", "coterie"), help="the program")
    parser.add_argument("--workers", type=int, nargs="+", choices=WORKERS, default=WORKERS,
                        help="columns of the table (default: all; exact fractions for 128 workers take half a minute)")


if __name__ == "__main__":
    sys.exit(table_program("now-crossover", print_table, __doc__, configure))
