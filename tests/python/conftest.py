"""The program under test, a small campaign of each kind that the figures need, and their results."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

ROOT = Path(__file__).resolve().parents[2]

SMALL_WORKSHARING = """
title = "small"
seed = 7
instances = 40
strategies = ["greedy", "cyclic-replication", "no-replication", "brute"]
baseline = "no-replication"

[grid]
workers = [2, 5]
work = [1, 2]
chunks = [5, 10]
startup = [0.1, 0.01]
risk = "linear"
"""


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """Runs `coterie ARGUMENTS` and returns what it prints; a failure shows what it complained of."""
    path = os.environ.get("COTERIE")
    if not path:
        pytest.fail("the environment variable COTERIE must name the built program (scripts/test sets it)")

    def run(*arguments: object, cwd: Path | None = None) -> str:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=cwd,
                              stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"coterie {' '.join(map(str, arguments))}: {done.stderr}"
        return done.stdout

    return run


@pytest.fixture(scope="session")
def small(program, tmp_path_factory) -> Path:
    """The result file of a small campaign: 16 configurations, 4 strategies, 40 instances."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.toml").write_text(SMALL_WORKSHARING)
    program("run", "small.toml", "--output", "small.h5", "--quiet", cwd=folder)
    return folder / "small.h5"


@pytest.fixture(scope="session")
def campaign_results(program, tmp_path_factory) -> Path:
    """A folder with results of the campaigns of scripts/campaigns, cut to few configurations and instances."""
    folder = tmp_path_factory.mktemp("campaigns")
    few = {
        "e1-workload": ["workers=[5, 25]", "chunks=[47, 147]", "startup=[0.1, 0.001]"],
        "e2-workers": ["workers=[5, 25]", "chunks=147", "startup=0.001"],
        "e3-chunks": ["workers=[5, 25]", "chunks=[1, 47, 75, 147]"],
        "e4-startup": ["workers=[5, 25]", "chunks=147", "startup=[0.001, 0.01, 0.05, 0.1, 0.5, 0.9]"],
        "e5-automatic-chunks": ["workers=[5, 10]", "startup=[0.1, 0.01]"],
        "e5-auto-paper": ["workers=[5, 10]", "startup=[0.1, 0.01]"],
        "e6-replication": ["workers=[10, 15, 20, 30]", "startup=[0.01, 0.001]"],
        "traces": ["workers=5", "work=[1, 3]", "startup=0.1"],
        "traces-auto-paper": ["workers=5", "work=[1, 3]", "startup=0.1"],
        "traces-measured": ["workers=5", "work=[1, 3]", "startup=0.1"],
    }
    for campaign, settings in few.items():
        words = [word for setting in settings for word in ("--set", setting)]
        program("run", ROOT / "scripts" / "campaigns" / f"{campaign}.toml", "--output", folder / f"{campaign}.h5",
                "--instances", 50, "--quiet", *words)
    return folder


@pytest.fixture(scope="session")
def star_results(program, tmp_path_factory) -> Path:
    """A folder with results of the campaigns of return-messages-2005 and of unreliable workers, cut to few instances."""
    folder = tmp_path_factory.mktemp("stars")
    few = {f"return-messages-fig0{number}": (60, "wc_ratio=[0.1, 1, 5, 10, 100]") for number in (7, 8, 9)}
    few["return-messages-interruptions"] = (20, "workers=3")
    few["now-interruptions"] = (200, "workers=3")
    for campaign, (instances, setting) in few.items():
        program("run", ROOT / "scripts" / "campaigns" / f"{campaign}.toml", "--output", folder / f"{campaign}.h5",
                "--instances", instances, "--quiet", "--set", setting)
    return folder


@pytest.fixture(scope="session")
def background_results(program, tmp_path_factory) -> Path:
    """A folder with results of the campaigns of background jobs, cut to few instances."""
    folder = tmp_path_factory.mktemp("backgrounds")
    few = {f"time-varying-fig{number}-{axis}": (20, []) for number in ("07", "10") for axis in ("jobs", "processors")}
    few |= {f"time-varying-fig{number}": (50, ["trials=50"]) for number in (12, 13)}
    few["background-known-law"] = (40, ["workers=5", "work=2", "startup=0.05"])
    for campaign, (instances, settings) in few.items():
        words = [word for setting in settings for word in ("--set", setting)]
        program("run", ROOT / "scripts" / "campaigns" / f"{campaign}.toml", "--output", folder / f"{campaign}.h5",
                "--instances", instances, "--quiet", *words)
    return folder
