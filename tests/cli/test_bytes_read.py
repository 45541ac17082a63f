"""How much of a result its readers read: with results of gigabytes that is what they take."""
import os
import subprocess

import pytest

CAMPAIGN = """
title = "bytes read"
seed = 5
instances = 2000
strategies = ["no-replication", "brute"]
[grid]
workers = 4
work = "1..60"
chunks = 8
startup = [0.01, 0.02]
"""  # its chunks are larger than what HDF5 keeps of a dataset, and have many configurations each
LONG = """
title = "bytes read"
model = "dispatch"
seed = 5
instances = {instances}
strategies = ["no-replication", "brute"]
baseline = "brute"
[grid]
workers = 2
work = 2
chunks = 2
startup = 0.01
"""  # one configuration, of more values than memory holds at a time; in full of more makespans than are held
SMALL = 100_000  # what else a program reads
FULL = os.environ.get("COTERIE_FULL")


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("result")
    (folder / "c.toml").write_text(CAMPAIGN)
    subprocess.run([os.environ["COTERIE"], "run", "c.toml", "--output", "r.h5", "--quiet"], cwd=folder, check=True)
    assert (folder / "r.h5").stat().st_size > 30 * SMALL
    return folder / "r.h5"


@pytest.fixture(scope="module")
def long_result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("result")
    (folder / "c.toml").write_text(LONG.format(instances=9_000_000 if FULL else 1_200_000))
    subprocess.run([os.environ["COTERIE"], "run", "c.toml", "--output", "r.h5", "--quiet"], cwd=folder, check=True)
    return folder / "r.h5"


def bytes_read(result, *arguments):
    """By its calls of the system; the kernel tells until the process is waited for."""
    with subprocess.Popen([os.environ["COTERIE"], *map(str, arguments)], cwd=result.parent,
                          stdout=subprocess.DEVNULL) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with open(f"/proc/{process.pid}/io") as file:
            read = dict(line.split(": ") for line in file)["rchar"]
    assert process.returncode == 0
    return int(read)


@pytest.mark.parametrize("verb, share", [
    (["status", "r.h5"], 1.2), (["show", "r.h5"], 2), (["report", "r.h5", "--output", "r.html"], 2),
    (["status", "r.h5", "--verify"], 2)], ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_no_byte_is_read_more_often_than_need_be(result, verb, share):
    """Once to be compared with the seal and once to be used, at most; only the former where the answer is in the columns."""
    assert bytes_read(result, *verb) <= share * 1.05 * result.stat().st_size + SMALL


@pytest.mark.parametrize("verb", [["show", "r.h5"], ["show", "r.h5", "--baseline", "no-replication"],
                                  ["report", "r.h5", "--output", "r.html"], ["status", "r.h5", "--verify"]],
                         ids=lambda value: "-".join(value) if isinstance(value, list) else "")
def test_a_long_row_is_read_no_more_often_than_need_be(long_result, verb):
    """Beside the seal once; makespans, two of nine columns, four times where they are more than are held."""
    share = 2 if not FULL or "--verify" in verb else 2 + 3 * 2 / 9
    assert bytes_read(long_result, *verb) <= share * 1.05 * long_result.stat().st_size + SMALL
