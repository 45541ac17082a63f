"""CPU time and memory of campaigns that grow along one axis, without what a program takes to start, per unit of the
axis, and times what the smallest campaign takes: `growth.py PROGRAM [--short]`."""
import argparse
import dataclasses
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BOUND = 2  # times what the smallest campaign takes a unit


@dataclasses.dataclass(frozen=True)
class Case:
    """A campaign of so many units along an axis."""
    axis: str
    units: int
    text: str
    ranks: int = 1


def campaign(instances=1, strategies=("no-replication", "brute"), output="ratios", **grid):
    lines = [f"{name} = {value}" for name, value in ({"work": '"0.3 workers"', "startup": 0.001} | grid).items()]
    names = ", ".join(f'"{name}"' for name in strategies)
    head = f'seed = 2013\ninstances = {instances}\noutput = "{output}"\nstrategies = [{names}]\n[grid]'
    return "\n".join([head, *lines]) + "\n"


def trace(folder, length):
    """Durations of a heavy tail, no two alike."""
    path = folder / f"{length}.durations"
    stream = random.Random(length)
    path.write_text("".join(f"{stream.weibullvariate(3600, 0.6):.9g}\n" for _ in range(length)), encoding="ascii")
    return path.name


def cases(folder, short):
    """The small one of each axis first."""
    last = 5 if short else 6
    for power in range(4, last + 1):
        yield Case("workers", 10**power, campaign(100, workers=10**power, chunks=10))
    for power in (5, 6):
        yield Case("chunks", 10**power, campaign(
            100, strategies=("greedy", "no-replication"), workers=10, work=1, chunks=10**power))
    for power in range(4, last + 1):
        step = 10.0**-(power - 1)
        yield Case("configurations", 10**power, campaign(
            workers=2, work='"1..1.99:0.01"', chunks=2, startup=f'"0.05..{0.15 - step:.6f}:{step:.6f}"'))
    for power in range(6, 8 if short else 9):
        yield Case("instances", 10**power, campaign(10**power, workers=5, work=1, chunks=5))
    for power in range(6, 9 if short else 11):
        yield Case("instances, stats", 10**power, campaign(10**power, output="statistics", workers=5, work=1, chunks=5))
    for power in range(5, 7 if short else 8):
        risk = f'"trace(file={trace(folder, 10**power)})"'
        yield Case("durations", 10**power, campaign(1, workers=5, work=10000, chunks=20, startup=1, risk=risk))
    for ranks in (1, 2, 4):
        instances = 10**7 if short else 10**8
        yield Case("instances, MPI", instances, campaign(instances, workers=5, work=1, chunks=5), ranks)


def usage(command, folder):
    """CPU seconds of a program and of those it started, and the most memory of one of them in bytes."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def reason_for_no_ranks(program):
    """Why ranks are not measured."""
    if shutil.which("mpirun") is None:
        return "mpirun is not installed"
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return "coterie was built without MPI" if "MPI       none" in version else None


def measure(program, case, folder):
    (folder / "growth.toml").write_text(case.text, encoding="utf-8")
    command = [program, "run", "growth.toml", "--output", "growth.h5", "--threads", "1", "--quiet", "--force"]
    if case.axis == "instances, MPI":
        command = ["mpirun", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", str(case.ranks), *command]
    measured = usage(command, folder)
    (folder / "growth.h5").unlink()
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--short", action="store_true", help="cases that end in minutes together")
    options = parser.parse_args()
    program = str(options.program.resolve())
    no_ranks = reason_for_no_ranks(program)
    print(f"{'axis':16} {'units':>10} {'ranks':>5} {'CPU, s':>9} {'ns a unit':>11} {'x least':>8} {'memory, MB':>11} "
          f"{'bytes a unit':>13} {'x least':>8}")
    least = {}
    missed = False
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start = measure(program, Case("start", 1, campaign(workers=2, work=1, chunks=2)), folder)
        for case in cases(folder, options.short):
            if case.axis == "instances, MPI" and no_ranks:
                continue
            seconds, memory = measure(program, case, folder)
            each = (seconds - start[0]) / case.units, (memory - start[1]) / case.units
            first = least.setdefault(case.axis, each)
            growth = [now / then for now, then in zip(each, first)]
            missed = missed or max(growth) > BOUND
            print(f"{case.axis:16} {case.units:10} {case.ranks:5} {seconds:9.2f} {1e9 * each[0]:11.4g} {growth[0]:8.2f} "
                  f"{memory / 1e6:11.0f} {each[1]:13.4g} {growth[1]:8.2f}"
                  f"{'  missed' if max(growth) > BOUND else ''}", flush=True)
    print("instances: up to so many as a disk holds; each ratio is kept. With output = \"statistics\" (stats) none is")
    if no_ranks:
        print(f"ranks: not measured, {no_ranks}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
