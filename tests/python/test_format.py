"""Every C++ file looks as .clang-format says."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_every_file_is_formatted(root):
    if not shutil.which("clang-format"):
        pytest.skip("there is no clang-format here: scripts/setup installs it")
    files = sorted(path for folder in ("core", "heuristics", "traces", "sim", "tests", "scripts")
                   for path in (root / folder).rglob("*.[hc]pp"))
    assert len(files) > 300

    def differs(path):
        done = subprocess.run(["clang-format", "--style=file", path], capture_output=True, check=True)
        return done.stdout != path.read_bytes()

    with ThreadPoolExecutor(2) as threads:
        wrong = [str(path.relative_to(root)) for path, found in zip(files, threads.map(differs, files)) if found]
    assert wrong == [], "clang-format -i these"
