"""scripts/slurm-array.sh and scripts/mpi-batch.sh are run as a batch system would, from the folder of a user."""
import os
import shutil
import signal
import subprocess
import time

import h5py
import pytest

CAMPAIGN = """
title = "batch"
seed = 5
instances = {instances}
strategies = ["greedy", "random-replication"]
[grid]
workers = [{workers}]
work = [2, 3]
chunks = 10
startup = 0.01
"""
ARRAY = "scripts/slurm-array.sh"
MPI = "scripts/mpi-batch.sh"


def campaign(folder, instances=1500, workers="3, 6"):
    path = folder / "my.toml"
    path.write_text(CAMPAIGN.format(instances=instances, workers=workers))
    return path


def datasets(path):
    with h5py.File(path) as file:
        assert file.attrs["complete"] == 1
        return {name: list(data[...]) if data.dtype == object else data[...].tobytes() for name, data in file.items()
                if name not in ("configuration", "instance")}


def environment(**more):
    more["COTERIE"] = os.path.abspath(os.environ["COTERIE"])
    return {**{key: value for key, value in os.environ.items() if not key.startswith("SLURM_")}, **more}


def array_task(root, folder, number, tasks, *arguments):
    return subprocess.Popen([root / ARRAY, *map(str, arguments)], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True,
                            env=environment(SLURM_ARRAY_TASK_ID=str(number), SLURM_ARRAY_TASK_MAX=str(tasks),
                                            SLURM_CPUS_PER_TASK=str(number % 3 + 1)))


def test_an_array_of_jobs_makes_the_whole(coterie, root, tmp_path):
    toml = campaign(tmp_path)
    coterie("run", toml, "--output", tmp_path / "whole.h5", "--threads", 1)
    jobs = [array_task(root, tmp_path, number, 4, "my.toml", "results") for number in range(1, 5)]
    for job in jobs:
        message = job.communicate(timeout=300)[1]
        assert job.returncode == 0, message
    shards = sorted((tmp_path / "results").glob("*-of-4.h5"))
    assert [path.name for path in shards] == [f"my-{number}-of-4.h5" for number in range(1, 5)]
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == datasets(tmp_path / "whole.h5")

    again = array_task(root, tmp_path, 2, 4, "my.toml", "results")
    assert "complete" in again.communicate()[1] and again.returncode == 0


def test_a_job_of_an_array_that_must_end_is_submitted_again(coterie, root, tmp_path):
    toml = campaign(tmp_path, 200_000, workers="600, 900")
    coterie("run", toml, "--output", tmp_path / "whole.h5", "--quiet")
    job = array_task(root, tmp_path, 1, 1, "my.toml", "results")
    lock = tmp_path / "results" / "my-1-of-1.h5.lock"
    end = time.monotonic() + 60
    while not lock.exists() and job.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.001)
    time.sleep(0.2)  # rows to save
    job.send_signal(signal.SIGTERM)  # as --signal=B:TERM@120 does: B, or Slurm would signal job steps, of which there are none
    message = job.communicate(timeout=60)[1]
    assert job.returncode in (0, 3), message  # 0: it was done before
    if job.returncode == 3:
        assert "SIGTERM" in message
    again = array_task(root, tmp_path, 1, 1, "my.toml", "results")
    assert again.communicate(timeout=300) and again.returncode == 0
    assert datasets(tmp_path / "results" / "my-1-of-1.h5") == datasets(tmp_path / "whole.h5")


def test_a_part_of_an_array_needs_the_number_of_shards(root, tmp_path):
    campaign(tmp_path, 100)
    variables = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "7",
                 "SLURM_ARRAY_TASK_COUNT": "2"}
    command = [root / ARRAY, "my.toml", "results"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment(**variables))
    assert answer.returncode == 2 and "SHARDS=N" in answer.stderr and not (tmp_path / "results").exists()
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, env=environment(**variables, SHARDS="16"))
    assert (tmp_path / "results" / "my-3-of-16.h5").exists()


def test_an_array_without_slurm_says_what_it_is_for(root, tmp_path):
    for arguments, variables in ([["my.toml", "results"], {}], [["my.toml"], {"SLURM_ARRAY_TASK_ID": "1"}]):
        answer = subprocess.run([root / ARRAY, *arguments], cwd=tmp_path, capture_output=True, text=True,
                                env=environment(**variables))
        assert answer.returncode == 2 and "sbatch --array" in answer.stderr


@pytest.fixture
def mpi():
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not installed (scripts/setup --mpi)")
    version = subprocess.run([os.environ["COTERIE"], "--version"], capture_output=True, text=True, check=True).stdout
    if "MPI       none" in version:
        pytest.skip("coterie was built without MPI")
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "MPI_FLAGS": "--oversubscribe --bind-to none"}


@pytest.mark.parametrize("variables", [{"RANKS": "3", "THREADS": "2"}, {"SLURM_NTASKS": "2", "SLURM_CPUS_PER_TASK": "1"}])
def test_a_job_of_ranks_makes_the_whole(coterie, root, tmp_path, mpi, variables):
    toml = campaign(tmp_path)
    coterie("run", toml, "--output", tmp_path / "whole.h5", "--threads", 1)
    for limit, codes in (("0.01s", (0, 3)), ("1h", (0,))):
        job = subprocess.run([root / MPI, "my.toml", "out.h5"], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                             env=environment(**mpi, **variables, TIME_LIMIT=limit))
        assert job.returncode in codes, job.stderr
    assert datasets(tmp_path / "out.h5") == datasets(tmp_path / "whole.h5")
    assert not list(tmp_path.glob("*.parts"))


def test_a_job_of_ranks_without_its_words_says_what_it_is_for(root, tmp_path):
    answer = subprocess.run([root / MPI], cwd=tmp_path, capture_output=True, text=True, env=environment())
    assert answer.returncode == 2 and "CAMPAIGN.toml" in answer.stderr
