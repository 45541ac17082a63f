"""The instruction sets give the same file, absurd inputs get a quick answer, and scripts/bench tells what it does."""
import importlib
import json
import os
import pathlib
import subprocess
import sys
import time

import h5py
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAMPAIGN = f"""
seed = 9
instances = 300
strategies = ["greedy", "refined", "cyclic-replication", "no-replication", "brute", "random-replication"]
[grid]
workers = [1, 7, 30]
work = [0.7, 3]
chunks = ["auto", 13]
startup = 0.01
risk = ["linear", "linear(kappa=0.7)", "weibull(shape=0.7, scale=0.5)",
        "trace(file={ROOT}/traces/bundled/condor-synthetic.durations)"]
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
    script = ROOT / "scripts" / "bench"
    result = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True, check=False,
                            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
    assert result.returncode == 0
    assert "--json" in result.stdout and "--growth" in result.stdout


@pytest.fixture
def growth(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tests" / "bench")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return importlib.import_module("growth")


def test_campaigns_that_grow_are_valid(growth, coterie, tmp_path):
    """By axis, from the smallest on."""
    sizes = {}
    for case in growth.cases(tmp_path, short=True):
        (tmp_path / "g.toml").write_text(case.text)
        answer = json.loads(coterie("validate", "g.toml", "--format", "json", cwd=tmp_path).stdout)
        sizes.setdefault(case.axis, []).append(case.units * case.ranks)
        if case.axis == "configurations":
            assert answer["configurations"] == case.units
        elif case.axis.startswith("instances"):
            assert answer["instances"] == case.units
        elif case.axis == "durations":
            assert sum(1 for _ in open(tmp_path / f"{case.units}.durations", encoding="ascii")) == case.units
    assert len(sizes) == 7
    assert all(len(units) > 1 and units == sorted(units) for units in sizes.values())


def test_what_grows_by_more_than_its_units_is_told(growth, monkeypatch, capsys):
    """The program's start is taken off; ten times the units take 19, 21 and 10 times the time and 10, 10 and 21.5 times the memory."""
    monkeypatch.setattr(growth, "cases", lambda folder, short: [
        growth.Case(axis, units, "") for axis in ("a", "b", "c") for units in (10, 100)])
    taken = iter([(1, 1e6), (2, 2e6), (20, 11e6), (2, 2e6), (22, 11e6), (2, 2e6), (11, 22.5e6)])
    monkeypatch.setattr(growth, "measure", lambda program, case, folder: next(taken))
    monkeypatch.setattr(growth, "reason_for_no_ranks", lambda program: "no ranks here")
    monkeypatch.setattr(sys, "argv", ["growth.py", "coterie", "--short"])
    assert growth.main() == 1
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split()[:2] == ["axis", "units"]
    assert [row.split()[0] for row in rows if row.endswith("missed")] == ["b", "c"]
    assert rows[1].split()[5] == "1.90" and rows[5].split()[8] == "2.15"
    assert rows[-1] == "ranks: not measured, no ranks here"
