"""The program under test, as users call it. Its path is in the environment variable COTERIE."""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts/examples/real-run"))


@pytest.fixture(scope="session")
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
    """The answer to a problem given as TOML text; with check=False what the program did."""
    def run(text, check=True):
        path = tmp_path / "problem.toml"
        path.write_text(text)
        done = coterie("solve", path, "--format", "json", check=check)
        return json.loads(done.stdout) if check else done

    return run


@pytest.fixture
def refused(solve):
    """A problem that must be refused, at a place and with a message."""
    def run(text, message):
        done = solve(text, check=False)
        assert done.returncode == 2, (done.stdout, done.stderr)
        assert "problem.toml" in done.stderr
        assert message in done.stderr
        assert done.stdout == ""

    return run


@pytest.fixture(scope="session")
def root():
    return Path(__file__).resolve().parents[2]
