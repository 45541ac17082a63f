"""Results whose configurations are too long for memory: read in pieces, with the same numbers."""
import json
import os
import subprocess

import h5py
import numpy
import pytest

CAMPAIGN = """
title = "long rows"
seed = 5
instances = 1500000
strategies = ["no-replication", "brute"]
baseline = "brute"
[grid]
workers = 2
work = 2
chunks = 2
startup = 0.01
"""  # more values than are held of a configuration, in memory and in a slice

ROUNDING = 1e-9  # of a sum of so many values one after the other: their number times 1.1e-16 at most


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("result")
    (folder / "c.toml").write_text(CAMPAIGN)
    subprocess.run([os.environ["COTERIE"], "run", "c.toml", "--output", "r.h5", "--quiet"], cwd=folder, check=True)
    return folder / "r.h5"


def test_the_columns_are_those_of_all_instances(result):
    with h5py.File(result) as file:
        ratio = file["ratio"][0]
        for name, probability in (("q05", 0.05), ("q25", 0.25), ("q50", 0.5), ("q75", 0.75), ("q95", 0.95)):
            assert file[name][0] == pytest.approx(numpy.quantile(ratio, probability, axis=1), rel=1e-15)
        assert file["mean"][0] == pytest.approx(ratio.mean(axis=1), rel=ROUNDING)
        assert file["stddev"][0] == pytest.approx(ratio.std(axis=1, ddof=1), rel=1e-10)
        assert (file["min"][0] == ratio.min(axis=1)).all() and (file["max"][0] == ratio.max(axis=1)).all()


def test_differences_are_those_of_all_instances(result):
    shown = json.loads(subprocess.run([os.environ["COTERIE"], "show", result, "--format", "json"],
                                      capture_output=True, check=True).stdout)
    with h5py.File(result) as file:
        difference = file["ratio"][0, 0] - file["ratio"][0, 1]
        reference = file["reference"][0].mean()
    assert shown[0]["difference"] == pytest.approx(difference.mean(), rel=1e-9)
    error = difference.std(ddof=1) / len(difference) ** 0.5
    assert shown[0]["difference_standard_error"] == pytest.approx(error, rel=1e-3)
    assert shown[1]["difference"] == 0
    assert shown[0]["reference"] == pytest.approx(reference, rel=ROUNDING)
