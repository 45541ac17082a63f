"""The examples run with few instances; what they print and draw is there."""

import os
import subprocess
import sys

import pytest

SAYS = {
    "worksharing_2013": "greedy expects 0.9695 of 1; K = 24390",
    "heterogeneous_2011": "serve in the order [2, 3, 1]",
    "time_varying_2019": "all are through at 1.3860",
    "return_messages_2005": "opt-fifo   throughput    47/632",
    "now_2001": "FIFO overtakes LIFO at L = 78.3304",
}


def test_each_paper_has_its_example(root):
    assert {path.stem for path in (root / "scripts" / "examples").glob("*.py")} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_the_example_runs_and_draws(root, name, tmp_path):
    done = subprocess.run([sys.executable, root / "scripts" / "examples" / f"{name}.py", "--instances", "10",
                           "--output", tmp_path], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                          env=dict(os.environ, MPLBACKEND="Agg"))

    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout
    picture = tmp_path / f"{name.replace('_', '-')}.svg"
    assert str(picture) in done.stdout and picture.stat().st_size > 10_000


def test_an_example_is_a_script_of_cells(root):
    for path in (root / "scripts" / "examples").glob("*.py"):
        text = path.read_text()
        assert text.startswith('#!/usr/bin/python3\n"""') and text.count("\n# %% ") >= 4, path
        assert len(text.splitlines()) < 70 and os.access(path, os.X_OK), path
