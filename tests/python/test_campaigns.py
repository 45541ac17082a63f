"""The campaigns that come with coterie: all valid and commented, those of worksharing-2013 of the sizes it gives."""

import json
import os
from pathlib import Path

import pytest

CAMPAIGNS = Path(__file__).resolve().parents[2] / "scripts" / "campaigns"
NAMES = sorted(path.stem for path in CAMPAIGNS.glob("*.toml"))

SIZES = {
    "e1-workload": 3040,
    "e2-workers": 1152,
    "e3-chunks": 3920,
    "e4-startup": 840,
    "e5-automatic-chunks": 760,
    "e5-auto-paper": 760,
    "e5-zones": 190 * 3 * 4,
    "e6-replication": 364,
    "traces": 8 * 760,
    "traces-auto-paper": 8 * 760,
    "traces-measured": 3 * 760,
    "background-jobs": 252,
}


def resolved(program, name):
    if "$COTERIE_TRACES" in (CAMPAIGNS / f"{name}.toml").read_text() and not os.environ.get("COTERIE_TRACES"):
        pytest.skip("COTERIE_TRACES is not set: no published files here")
    return json.loads(program("validate", CAMPAIGNS / f"{name}.toml", "--format", "json"))


@pytest.mark.parametrize("name", NAMES)
def test_a_campaign_validates(program, name):
    assert resolved(program, name)["configurations"] > 0


@pytest.mark.parametrize("name", SIZES)
def test_an_experiment_of_worksharing_2013_has_its_number_of_configurations(program, name):
    grid = resolved(program, name)
    assert grid["configurations"] == SIZES[name]
    assert grid["instances"] == 1000


@pytest.mark.parametrize("name", NAMES)
def test_a_campaign_says_first_what_it_is_for(name):
    text = (CAMPAIGNS / f"{name}.toml").read_text()
    assert text.startswith("# ") and len(text.split("title =")[0]) > 100
    if name.startswith("traces"):
        assert ("MEASURED" if "measured" in name else "SYNTHETIC") in text
