"""What all command-line tests share. The program is named by the environment variable COTERIE."""

import os
import subprocess

import pytest


@pytest.fixture
def coterie():
    """Runs the program: coterie("solve", "p.toml") -> CompletedProcess; check=True fails the test on a wrong exit code."""
    program = os.environ.get("COTERIE")
    if not program:
        pytest.fail("COTERIE is not set: it must be the path of the program")

    def run(*arguments, check=True):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=120)
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run
