"""The job array that coterie plan exports, run by Slurm itself: a controller and one node of it, on this machine alone."""
import csv

import pytest
from private_slurm import PrivateSlurm, wait_for, why_not


@pytest.fixture
def slurm(tmp_path):
    """A function that calls one of Slurm's programs."""
    if why_not():
        pytest.skip(why_not())
    with PrivateSlurm(tmp_path / "slurm", 1) as private:
        yield lambda *words: private.call(*words, folder=tmp_path)


def test_slurm_runs_each_machines_list_in_its_order_without_what_is_done(coterie, slurm, tmp_path):
    coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 3, "--work", "20h",
            "--checkpoint", "30min", "--chunks", 5, "--strategy", "greedy", "--instances", 10, "--export",
            tmp_path / "plan.sbatch")
    coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 3, "--work", "20h",
            "--checkpoint", "30min", "--chunks", 5, "--strategy", "greedy", "--instances", 10, "--export",
            tmp_path / "plan.csv")
    (tmp_path / "run-chunk").write_text("#!/bin/bash\necho \"$@\" >> ran.$SLURM_ARRAY_TASK_ID\n")
    (tmp_path / "run-chunk").chmod(0o755)

    slurm("sbatch", "--test-only", "plan.sbatch", "./run-chunk", "mine")
    slurm("sbatch", "plan.sbatch", "./run-chunk", "mine")

    wait_for(lambda: slurm("squeue", "--noheader") == "", "the array does not end")
    planned = {}
    with open(tmp_path / "plan.csv") as file:
        for row in csv.DictReader(file):
            planned.setdefault(row["worker"], []).append(["mine", row["chunk"], row["begin"], row["end"]])
    ran = {path.name.split(".")[1]: [tuple(line.split()) for line in path.read_text().splitlines()]
           for path in tmp_path.glob("ran.*")}
    assert len(planned) == 3
    done = [call for calls in ran.values() for call in calls]
    assert sorted(done) == sorted({tuple(call) for calls in planned.values() for call in calls})
    for machine, calls in ran.items():
        assert calls == [tuple(call) for call in planned[machine] if tuple(call) in calls]
