"""Every C++ file looks as .clang-format says."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest


def test_every_file_is_formatted(root):
    if not shutil.which("clang-format"):
        pytest.skip("there is no clang-format here: scripts/setup installs it")
    version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
    if " version 14." not in version:
        pytest.skip(f"files are formatted as clang-format 14 (Debian 12) does it; here is{version}")
    files = sorted(str(path.relative_to(root)) for folder in ("core", "heuristics", "traces", "sim", "tests", "scripts")
                   for path in (root / folder).rglob("*.[hc]pp"))
    assert len(files) > 300

    def differing(some):
        done = subprocess.run(["clang-format", "--style=file", "--dry-run", "--Werror", "--ferror-limit=1", *some], cwd=root,
                              capture_output=True, text=True)
        assert done.returncode == 0 or done.stderr, done
        return {line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line}

    with ThreadPoolExecutor(2) as threads:
        wrong = sorted(set().union(*threads.map(differing, [files[i::20] for i in range(20)])))
    assert wrong == [], "clang-format -i these"
