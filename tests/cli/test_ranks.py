"""Runs over several ranks (mpirun): the same bytes as one process with one thread, whatever happens to the ranks."""
import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from result_testing import datasets, write_campaign

FULL = bool(os.environ.get("COTERIE_FULL"))


def reason_to_skip():
    if shutil.which("mpirun") is None:
        return "mpirun is not installed (scripts/setup --mpi)"
    version = subprocess.run([os.environ["COTERIE"], "--version"], capture_output=True, text=True, check=True).stdout
    return "coterie was built without MPI" if "MPI       none" in version else None


pytestmark = pytest.mark.skipif(reason_to_skip() is not None, reason=str(reason_to_skip()))


def mpirun(ranks, *arguments, **options):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = ["mpirun", "--oversubscribe", "-n", str(ranks), os.environ["COTERIE"], *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                            **options)


def run(ranks, *arguments, check=True, **options):
    process = mpirun(ranks, *arguments, **options)
    out, err = process.communicate(timeout=120)
    if check:
        assert process.returncode == 0, err
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def campaign(folder, length="instances = 2000"):
    return write_campaign(folder / "c.toml", f'title = "ranks"\nseed = 5\n{length}')


def kill_a_rank(process, parts, sent=signal.SIGKILL, which=None):
    """Once something was saved, unless the run ends before. Returns whether one was killed."""
    end = time.monotonic() + 100
    while not list(parts.glob("part-*.h5")) and process.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.005)
    children = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(process.pid)], capture_output=True, text=True,
                              check=False).stdout.split("\n")
    ranks = [int(line.split()[0]) for line in children if line.strip().endswith("coterie")]
    if not ranks:
        return False
    os.kill(ranks[len(ranks) // 2 if which is None else which], sent)
    return True


@pytest.mark.parametrize("which", [0, 1])
def test_a_signal_to_one_rank_stops_that_and_the_others_end_their_shares(coterie, tmp_path, which):
    toml = campaign(tmp_path, "instances = 300000")
    out = tmp_path / "out.h5"
    process = mpirun(2, "run", toml, "--output", out, "--threads", 1, "--save-every", "0.05s")
    assert kill_a_rank(process, tmp_path / "out.h5.parts", signal.SIGTERM, which)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 3 and "stopped by" in said and "time limit" not in said, said
    assert not out.exists()
    done = json.loads(coterie("status", out, "--format", "json", check=False).stdout)
    assert done["instances_done"] >= done["instances_total"] / 2

    run(3, "run", toml, "--output", out, "--resume", "--quiet")

    coterie("run", toml, "--output", tmp_path / "whole.h5", "--quiet")
    assert datasets(out) == datasets(tmp_path / "whole.h5")


@pytest.mark.parametrize("length", ["instances = 2000", "precision = 0.004"])
@pytest.mark.parametrize("threads", [1, 2, 3] if FULL else [2])
@pytest.mark.parametrize("ranks", [1, 2, 3] if FULL else [3])
@pytest.mark.parametrize("shards", [1, 4] if FULL else [1])
@pytest.mark.parametrize("stopped", ["never", "by its time limit", "by a kill"])
def test_the_same_bytes_as_one_process(coterie, tmp_path, length, threads, ranks, shards, stopped):
    if stopped == "by a kill":  # long enough to be met
        length = {"instances = 2000": "instances = 60000", "precision = 0.004": "precision = 0.0008"}[length]
    toml = campaign(tmp_path, length)
    coterie("run", toml, "--output", tmp_path / "whole.h5", "--threads", 1, "--quiet")
    outputs = []
    for index in range(1, shards + 1):
        out = tmp_path / f"out-{index}.h5"
        outputs.append(out)
        arguments = ["run", toml, "--output", out, "--threads", threads, "--resume", "--save-every", "0.01s",
                     *(["--shard", f"{index}/{shards}"] if shards > 1 else [])]
        if stopped == "by a kill":
            process = mpirun(ranks, *arguments)
            killed = kill_a_rank(process, tmp_path / f"out-{index}.h5.parts")
            process.communicate(timeout=60)
            assert process.returncode == 0 or killed
        if stopped == "by its time limit":
            result = run(ranks, *arguments, "--time-limit", "0.01s", check=False)
            assert result.returncode in (0, 3), result.stderr
        run(ranks, *arguments)
        assert not list(tmp_path.glob("*.parts")) and not list(tmp_path.glob("*.lock"))
    out = outputs[0]
    if shards > 1:
        out = tmp_path / "merged.h5"
        coterie("merge", *outputs, "--output", out)
    assert datasets(out) == datasets(tmp_path / "whole.h5")


def test_a_killed_rank_loses_nothing_that_was_saved(coterie, tmp_path):
    toml = campaign(tmp_path, "instances = 100000")
    out = tmp_path / "out.h5"
    process = mpirun(3, "run", toml, "--output", out, "--threads", 1, "--save-every", "0.02s", "--quiet")
    assert kill_a_rank(process, tmp_path / "out.h5.parts")
    process.communicate(timeout=60)
    assert process.returncode != 0 and not out.exists()
    assert coterie("status", out, check=False).returncode == 3

    run(2, "run", toml, "--output", out, "--resume", "--quiet")

    coterie("run", toml, "--output", tmp_path / "whole.h5", "--quiet")
    assert datasets(out) == datasets(tmp_path / "whole.h5")


def test_wrong_input_is_told_once(tmp_path):
    toml = campaign(tmp_path)
    toml.write_text(toml.read_text().replace("workers", "wrkers"))
    result = run(3, "run", toml, "--output", tmp_path / "out.h5", check=False)
    assert result.returncode == 2 and result.stderr.count('unknown key "wrkers"') == 1


def test_ranks_that_cannot_write_fail_the_run(coterie, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here: " + mounted.stderr.strip())
    try:
        toml = campaign(tmp_path, "instances = 20000")
        out = disk / "out.h5"
        result = run(3, "run", toml, "--output", out, "--save-every", "0.01s", check=False)
        assert result.returncode == 1 and "disk full?" in result.stderr and "--resume" in result.stderr
        assert not out.exists() and not list(disk.glob("*.parts/*.partial-*"))
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        run(2, "run", toml, "--output", out, "--resume")
        coterie("run", toml, "--output", tmp_path / "whole.h5")
        assert datasets(out) == datasets(tmp_path / "whole.h5")
    finally:
        subprocess.run(["umount", disk], check=True)
