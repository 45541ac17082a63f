"""The program under test, as users call it. Its path is in the environment variable COTERIE."""
import json
import os
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def coterie():
    program = os.environ["COTERIE"]

    def run(*arguments, check=True, **options):
        result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=600, **options)
        if check:
            assert result.returncode == 0, result.stderr
        return result

    return run


@pytest.fixture
def solve(coterie, tmp_path):
    """The answer to a problem given as TOML text."""
    def run(text):
        path = tmp_path / "problem.toml"
        path.write_text(text)
        return json.loads(coterie("solve", path, "--format", "json").stdout)

    return run


@pytest.fixture(scope="session")
def root():
    return Path(__file__).resolve().parents[2]
