"""The examples in docstrings run in a folder of their own, which holds the campaign mine.toml."""

from pathlib import Path

import pytest

collect_ignore = ["setup.py"]  # runs when it is imported; tests/python/test_pip.py has pip run it

CAMPAIGN = """
seed = 1
instances = 100
strategies = ["greedy", "no-replication"]
[grid]
workers = [5, 10]
work = 2
chunks = 10
startup = 0.01
risk = "linear"
"""


@pytest.fixture(autouse=True)
def folder_with_a_campaign(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        (tmp_path / "mine.toml").write_text(CAMPAIGN)
        monkeypatch.chdir(tmp_path)
