"""The campaigns that come with coterie: all valid, of the sizes that the paper gives, and commented."""

import json

import pytest

SIZES = {
    "e1-workload": 3040,
    "e2-workers": 1152,
    "e3-chunks": 3920,
    "e4-startup": 840,
    "e5-automatic-chunks": 760,
    "e5-auto-paper": 760,
    "e6-replication": 364,
    "traces": 8 * 760,
    "traces-auto-paper": 8 * 760,
    "background-jobs": 252,
}


def test_every_campaign_is_listed_here(root):
    assert {path.stem for path in (root / "scripts" / "campaigns").glob("*.toml")} == set(SIZES)


@pytest.mark.parametrize("name", SIZES)
def test_a_campaign_validates_with_its_number_of_configurations(root, program, name):
    resolved = json.loads(program("validate", root / "scripts" / "campaigns" / f"{name}.toml", "--format", "json"))
    assert resolved["configurations"] == SIZES[name]
    assert resolved["instances"] == 1000


@pytest.mark.parametrize("name", SIZES)
def test_a_campaign_says_what_it_reproduces(root, name):
    text = (root / "scripts" / "campaigns" / f"{name}.toml").read_text()
    assert text.startswith("# ") and "worksharing-2013" in text.split("title =")[0]
    if name.startswith("traces"):
        assert "SYNTHETIC" in text
