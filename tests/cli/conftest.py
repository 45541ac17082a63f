"""Runs the program under test, whose path is in the environment variable COTERIE."""

import os
import subprocess

import pytest


@pytest.fixture
def coterie():
    """coterie("solve", "file.toml", check=True) -> CompletedProcess with text output."""

    def run(*arguments, check=True):
        done = subprocess.run(
            [os.environ["COTERIE"], *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run
