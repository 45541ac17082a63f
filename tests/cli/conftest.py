import os
import subprocess

import pytest


@pytest.fixture
def coterie():
    """Runs the program: coterie("charts", "--table4", check=True) -> CompletedProcess with text output."""

    def run(*args, check=False, **kwargs):
        done = subprocess.run([os.environ["COTERIE"], *map(str, args)], capture_output=True, text=True, **kwargs)
        if check:
            assert done.returncode == 0, f"{args}: exit {done.returncode}\n{done.stderr}"
        return done

    return run
