"""The instruction sets give the same file, absurd inputs get a quick answer, and scripts/bench tells what it does."""
import os
import pathlib
import subprocess
import sys
import time

import h5py
import pytest

CAMPAIGN = """
seed = 9
instances = 300
strategies = ["greedy", "refined", "cyclic-replication", "no-replication", "brute", "random-replication"]
[grid]
workers = [1, 7, 30]
work = [0.7, 3]
chunks = ["auto", 13]
startup = 0.01
risk = ["linear", "linear(kappa=0.7)", "weibull(shape=0.7, scale=0.5)"]
background = ["none", "mm1(arrival=1, service=3)"]
"""


def datasets(path):
    with h5py.File(path) as file:
        return {name: file[name][:].tobytes() for name in file if file[name].dtype.kind == "f"}


def run_with(monkeypatch, coterie, loops, folder):
    monkeypatch.setenv("COTERIE_LOOPS", loops)
    (folder / "campaign.toml").write_text(CAMPAIGN)
    output = folder / f"{loops or 'best'}.h5"
    result = coterie("run", folder / "campaign.toml", "--output", output, "--quiet", check=False)
    return result, output


def test_every_instruction_set_gives_the_same_bytes(monkeypatch, coterie, tmp_path):
    best, best_file = run_with(monkeypatch, coterie, "", tmp_path)
    assert best.returncode == 0, best.stderr
    compared = 0
    for loops in ("portable", "avx2", "avx512"):
        result, output = run_with(monkeypatch, coterie, loops, tmp_path)
        if result.returncode == 2:
            assert "this machine can run portable" in result.stderr
            continue
        assert result.returncode == 0, result.stderr
        assert datasets(output) == datasets(best_file)
        compared += 1
    assert compared >= 1  # the portable ones run everywhere


def test_an_unknown_instruction_set_is_refused(monkeypatch, coterie, tmp_path):
    result, _ = run_with(monkeypatch, coterie, "mmx", tmp_path)
    assert result.returncode == 2
    assert "COTERIE_LOOPS=mmx: this machine can run portable" in result.stderr


@pytest.mark.parametrize("arguments", [
    ("--workers", 3, "--work", 1, "--startup", "1e-300"),
    ("--workers", 3, "--work", 2, "--startup", "1e-12", "--risk", "exponential"),
    ("--workers", 3, "--work", "1e-308", "--startup", "0.001"),
    ("--workers", 3, "--work", 1, "--startup", "1e-9"),
])
@pytest.mark.parametrize("strategy", ["greedy", "cyclic-replication", "no-replication", "brute"])
def test_absurd_inputs_are_answered_or_refused_soon(coterie, strategy, arguments):
    start = time.monotonic()
    result = coterie("schedule", "--strategy", strategy, *(str(a) for a in arguments), "--chunks", "auto", check=False)
    assert result.returncode in (0, 2), result.stderr
    if result.returncode == 2:
        assert "chunk" in result.stderr or "take a smaller unit" in result.stderr
    assert time.monotonic() - start < 30  # seconds; the machine may be busy


def test_bench_has_help():
    script = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bench"
    result = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False,
                            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
    assert result.returncode == 0
    assert "--json" in result.stdout
