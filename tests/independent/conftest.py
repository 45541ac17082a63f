"""The judge's modules answer their questions once, in a fixture: each stays in one process, and the longest start first."""
from pathlib import Path

import pytest

LONGEST = ["test_judged_policies.py"]  # of all tests, in the long form


@pytest.hookimpl(tryfirst=True)  # before the groups are read
def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    items.sort(key=lambda item: (LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST),
                                 item.path.parent != here))
