#!/usr/bin/python3
"""Tables I to V of time-varying-2019 beside the answers of `coterie solve`. The background jobs of Tables I and IV are
not printed: another draw from the same law is shown instead.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy  # noqa: E402

from coterie.figure_files import table_program  # noqa: E402
from coterie.program import find_program  # noqa: E402
from coterie.text import table  # noqa: E402
from time_varying_partitions import TCM, TCP, WORKERS, Capacity, jobs_of, partitions, solved  # noqa: E402

HEADER = ["", "T_f", "alpha 0", "alpha 1", "alpha 2", "alpha 3", "sum"]
PRINTED = {
    "I": [[2.08, .52, .2182, .1583, .1, .9965], [2.09, .5225, .2182, .1583, .1077, 1.0067]],
    "II": [[1.407, .3517, .2759, .2122, .1602, 1]],
    "III": [[1.41, .3525, .2755, .2117, .16, .9996]],
    "IV": [[4.89, .4244, .2113, .1849, .1774, .998], [4.9, .4257, .2137, .1866, .1777, 1.0037]],
    "V": [[1.411, .3528, .2755, .2117, .16, .9999]],
}
SLOT = 0.01
PRINTED_STARTS = [.303, .557, .765]  # what Tables III and V decode to
NONE = ([0.0], [0])


def row(name, finish, shares):
    return [name] + [f"{value:.4f}" for value in [finish, *shares, sum(shares)]]


def printed(number):
    return [[f"paper, Table {number}"] + [f"{value:.4f}" for value in values] for values in PRINTED[number]]


def capacities(control_jobs, jobs, link_jobs):
    return (Capacity(control_jobs, TCP), [Capacity(sequence, TCP) for sequence in jobs],
            [Capacity(link_jobs, (1 + (i + 1) / 10) * TCM) for i in range(WORKERS)])


def on_slots(system, exact):
    """The two multiples of a slot next to the exact finish time: the paper's search, with exact start times."""
    below = numpy.floor(exact / SLOT) * SLOT
    return [row(f"here, slots of {SLOT:g}", finish, partitions(*system, finish)) for finish in (below, below + SLOT)]


def random_table(number, program, random, all_vary):
    control_jobs, link_jobs = (jobs_of(random), jobs_of(random)) if all_vary else (NONE, NONE)
    jobs = [jobs_of(random) for _ in range(WORKERS)]
    answer = solved(program, control_jobs if all_vary else None, jobs, link_jobs if all_vary else None)
    rows = printed(number) + on_slots(capacities(control_jobs, jobs, link_jobs), answer["finish_time"])
    rows.append(row("here, exact", answer["finish_time"], answer["shares"]))
    return (f"Table {number}: 40 background jobs on each, Algorithm {'II' if all_vary else 'I'} (another draw than the "
            f"paper's)\n" + table(HEADER, rows))


def constant_table(number, answer):
    finish, shares = answer["finish_time"], answer["shares"]
    rows = printed(number) + [row("here, exact", finish, shares)]
    if number == "II":
        equal = rows[0][1:] == rows[1][1:]
        note = "all printed digits agree" if equal else "the printed digits do NOT agree"
        return f"Table II: no background jobs, (1a)-(1c): {note}\n" + table(HEADER, rows)
    printed_finish = PRINTED[number][0][0]
    starts = [0.0] + PRINTED_STARTS
    decoded = [printed_finish / TCP] + [(starts[i + 1] - starts[i]) / (1 + (i + 1) / 10) for i in range(WORKERS)]
    rows.insert(1, row("start times .303, .557, .765", printed_finish, decoded))
    rows.insert(2, row("here, at that T_f", printed_finish, partitions(*capacities(NONE, [NONE] * 3, NONE), printed_finish)))
    return (f"Table {number}: the paper's search without background jobs. It prints shares of start times that are more "
            "than a slot too early,\nwhich is why its sum passes 1 late (time-varying-2019, E5)\n" + table(HEADER, rows))


def print_table(arguments):
    random = numpy.random.default_rng(arguments.seed)
    program = arguments.coterie or find_program()
    constant = solved(program, None, [NONE] * WORKERS, None)
    print("\n\n".join([
        random_table("I", program, random, False),
        constant_table("II", constant),
        constant_table("III", constant),
        random_table("IV", program, random, True),
        constant_table("V", constant),
    ]))


def configure(parser):
    parser.add_argument("--coterie", help="the program (default: as the Python package finds it)")
    parser.add_argument("--seed", type=int, default=2019, help="seed of the background jobs (default: 2019)")


if __name__ == "__main__":
    sys.exit(table_program("time-varying-tables", print_table, __doc__, configure))
