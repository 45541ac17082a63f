"""The examples in docstrings run in their own folder, which contains the campaign mine.toml."""

from pathlib import Path

import pytest

collect_ignore = ["setup.py"]  # runs on import; tests/python/test_pip.py runs it through pip

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
