"""The program as the judge sees it: a command line that answers in JSON, CSV and HDF5."""
import csv
import json
import os
import shlex
import subprocess

FULL = os.environ.get("COTERIE_FULL") == "1"
SEED = int(os.environ.get("COTERIE_SEED", 2013))  # of all random problems: the year of the paper
PROBLEMS = int(os.environ.get("COTERIE_PROBLEMS", 100 if FULL else 8))


class Refused(Exception):
    """What the program says instead of an answer."""


def call(*arguments):
    command = [os.environ["COTERIE"], *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode == 2:
        raise Refused(done.stderr.strip())
    assert done.returncode == 0, (shlex.join(command), done.stderr)
    return done.stdout


def ask(*arguments):
    return json.loads(call(*arguments, "--format", "json"))


def schedule_arguments(problem, strategy, *more):
    return ("schedule", "--strategy", strategy, "--workers", problem.workers, "--work", repr(problem.work), "--startup",
            repr(problem.startup), "--risk", problem.risk, *more)


def shown(*arguments):
    return shlex.join(["coterie", *map(str, arguments)])


def tasks_of(answer):
    return [(task["worker"], task["begin"], task["end"]) for task in answer["tasks"]]


def read_tasks(path):
    with open(path) as file:
        return [(int(row["worker"]), float(row["begin"]), float(row["end"])) for row in csv.DictReader(file)]


def write_tasks(path, tasks):
    path.write_text("\n".join(["worker,begin,end", *(f"{worker},{begin!r},{end!r}" for worker, begin, end in tasks)])
                    + "\n")
