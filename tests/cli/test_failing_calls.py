"""Every call of the system that writes or reads a file fails once, and from there on: fault_testing tells what holds.

COTERIE_FULL=1 tries every error of every call in every scenario; else one scenario's calls with one of their errors.
What was tried is printed (pytest -rP)."""
import errno
import os
import resource
import subprocess

import h5py
import pytest

from fault_testing import FULL, SCENARIOS, SHORT, Trial, call, fresh, run_arguments, scenarios, with_trace

ERRORS = {
    "open": [errno.EMFILE, errno.EIO, errno.ENOSPC],
    "read": [errno.EIO],
    "write": [errno.ENOSPC, errno.EIO],
    "fsync": [errno.EIO],
    "rename": [errno.ENOSPC],
    "truncate": [errno.EIO],
    "unlink": [errno.EIO],
    "close": [errno.EIO],
    "mkdir": [errno.ENOSPC],
}
WRITING = [kind for kind in ERRORS if kind != "read"]


@pytest.mark.parametrize("name", scenarios(*SCENARIOS))
def test_calls_that_fail_once(name, tmp_path):
    trial = Trial(name, tmp_path)
    for kind, all_errors in ERRORS.items():
        step = 1 if FULL or kind != "read" else 15
        for errors in [[error] for error in all_errors] if FULL else [all_errors]:
            trial.every(kind, errors, lasts=False, step=step)
    assert trial.tally["refused"] > 0


@pytest.mark.parametrize("name", scenarios(*SCENARIOS))
def test_calls_that_fail_from_one_on(name, tmp_path):
    trial = Trial(name, tmp_path)
    for kind, all_errors in ERRORS.items():
        for errors in [[error] for error in all_errors] if FULL else [all_errors]:
            trial.every(kind, errors, lasts=True, step=1 if FULL else 7)
    assert trial.tally["refused"] > 0


@pytest.mark.parametrize("name", scenarios(*SCENARIOS))
def test_interrupted_calls_and_parts_of_transfers_change_nothing(name, tmp_path):
    """Where they end a call of HDF5's, the judge says which, the run has a message."""
    trial = Trial(name, tmp_path)
    step = 1 if FULL else 7
    for kind in ("open", "read", "write", "fsync", "truncate", "close"):
        trial.every(kind, [errno.EINTR], lasts=False, step=step)
    for kind in ("read", "write"):
        trial.every(kind, [SHORT], lasts=False, step=step)
        trial.attempt(kind, 1, SHORT, lasts=True)
    assert trial.tally["right"] > 3


def test_a_part_whose_folder_cannot_be_flushed_does_not_stay(tmp_path):
    """Its rows are saved again: with statistics, two parts with the same rows could never be put together."""
    refused = 0
    for at in range(1, 12):
        folder = tmp_path / str(at)
        folder.mkdir()
        fresh(folder)
        (folder / "c.toml").write_text('output = "statistics"\n' + (folder / "c.toml").read_text())
        stopped = call(folder, *run_arguments(), call="fsync", at=at, error=errno.EIO)
        if stopped.returncode == 0:
            continue
        refused += 1
        met = set()
        for part in (folder / "out.h5.parts").glob("part-*.h5"):
            with h5py.File(part) as file:
                rows = {tuple(row) for row in file["row"][:, :4].tolist()}
            assert not rows & met, at
            met |= rows
        assert call(folder, *run_arguments("--resume")).returncode == 0, at
    assert refused > 3


@pytest.mark.parametrize("lasts", [False, True])
@pytest.mark.parametrize("name", scenarios("run", "merge", "report", "plan", "trace"))
def test_memory_that_is_refused(name, lasts, tmp_path):
    """COTERIE_FULL=1: every request of a run, and the first from each place in other scenarios; else a part of the places.
    Where they are many, one of ten is followed by a second run."""
    trial = Trial(name, tmp_path)
    requests = trial.places_that_ask_for_memory(depth=3)
    if FULL and name == "run" and not lasts:
        requests = range(1, requests[-1] + 1)
    elif not FULL:
        requests = requests[::max(1, len(requests) // (30 if name == "run" and not lasts else 10))]
    for number, request in enumerate(requests):
        trial.attempt("memory", request, errno.ENOMEM, lasts, mend=len(requests) < 300 or number % 10 == 0)
    print(f"memory{' and on' if lasts else ''}, {name}: {dict(trial.tally)}")
    assert trial.tally["refused"] > len(requests) // 2


@pytest.mark.parametrize("arguments", [["trace", "convert", "t.durations", "--to", "json"], ["list", "strategies"]])
def test_answers_that_do_not_fit_on_the_disk(arguments, tmp_path):
    with_trace(tmp_path)
    size = len(call(tmp_path, *arguments).stdout.encode())

    def answer(most):
        with open(tmp_path / "answer", "wb") as file:
            return subprocess.run([os.environ["COTERIE"], *arguments], cwd=tmp_path, stdout=file, stderr=subprocess.PIPE,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))

    assert answer(size).returncode == 0
    for most in (0, 1, size // 3, size // 2, size - 1) if not FULL else range(0, size, 97):
        refused = answer(most)
        assert refused.returncode == 1 and b"standard output: cannot be written" in refused.stderr, (most, refused)
