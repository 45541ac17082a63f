"""The bundled traces are what scripts/make_stand_ins.py writes, and say that they are synthetic."""

import json
import math

import numpy as np
import pytest

from make_stand_ins import STAND_INS, main

COUNTS = [5678, 19276, 8756, 1898, 10958, 79, 1125, 927]  # worksharing-2013, Section 7.2.1


def test_the_committed_files_are_what_the_script_writes(root, tmp_path):
    assert main([str(tmp_path)]) == 0
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {path.name: path.read_bytes() for path in (root / "traces" / "bundled").glob("*.durations")}
    assert written == committed
    assert len(written) == 8


def test_there_are_as_many_durations_as_in_the_measured_traces():
    assert [stand_in.count for stand_in in STAND_INS] == COUNTS


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda stand_in: stand_in.name)
def test_each_file_is_headed_and_named_as_synthetic(root, stand_in):
    path = root / "traces" / "bundled" / stand_in.file_name()
    assert "synthetic" in path.name
    assert path.read_text().startswith("# SYNTHETIC, not measured")
    assert path.stat().st_size < 1 << 20


@pytest.mark.parametrize("stand_in", STAND_INS, ids=lambda stand_in: stand_in.name)
def test_durations_follow_the_law(root, stand_in):
    durations = np.loadtxt(root / "traces" / "bundled" / stand_in.file_name())
    assert durations.size == stand_in.count
    assert (np.diff(durations) >= 0).all() and durations[0] > 0
    middle = stand_in.quantile(0.5)
    assert np.median(durations) == pytest.approx(middle, rel=0.05)
    # Laws written a second time, from their cumulative functions: F(Q(u)) = u.
    family, parameters = stand_in.law.split("(", 1)
    first, second = (float(part.split()[1]) for part in parameters.rstrip(")").split(","))
    for i in (1, stand_in.count // 3, stand_in.count):
        u = (i - 0.5) / stand_in.count
        if family == "Weibull":
            value = 1 - math.exp(-((durations[i - 1] / second) ** first))
        else:
            value = 0.5 * math.erfc(-math.log(durations[i - 1] / first) / (second * math.sqrt(2)))
        assert value == pytest.approx(u, rel=1e-4)


def test_coterie_reads_them(root, program):
    for stand_in in STAND_INS:
        path = root / "traces" / "bundled" / stand_in.file_name()
        info = json.loads(program("trace", "info", path, "--format", "json"))
        assert info["n"] == stand_in.count
