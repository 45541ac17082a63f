"""Result files of formats 1.0 to 1.3 and one with checksums, stored, are read for ever."""
import json
import pathlib
import shutil

import h5py
import numpy
import pytest

DATA = pathlib.Path(__file__).parent.parent / "data"
WHOLE = DATA / "result-1.0.h5"
PRECISE = DATA / "result-1.1.h5"
CONTROLLED = [DATA / "result-1.2.h5", DATA / "result-1.3.h5"]
WITH_TRAILER = DATA / "result-1.0-trailer.h5"
SHARDS = [DATA / "shard-1.0-1.h5", DATA / "shard-1.0-2.h5"]


def test_the_samples_are_of_format_1_0():
    for path in [WHOLE, *SHARDS]:
        with h5py.File(path) as file:
            assert list(file.attrs["format_version"]) == [1, 0] and "instances_done" not in file


def test_show_and_status(coterie):
    rows = json.loads(coterie("show", WHOLE, "--by", "workers", "--format", "json").stdout)
    means = {(row["workers"], row["strategy"]): row["mean"] for row in rows}
    with h5py.File(WHOLE) as file:
        for c, workers in enumerate(file["workers"][:]):
            for s, strategy in enumerate(["greedy", "no-replication"]):
                assert means[workers, strategy] == file["mean"][c, s]
    status = json.loads(coterie("status", WHOLE, "--verify", "--format", "json").stdout)
    assert status["complete"] and status["instances_done"] == status["instances_total"] == 10
    for shard in SHARDS:
        status = coterie("status", shard, "--verify", check=False)
        assert status.returncode == 3 and "5 of 5 instances done" in status.stdout


def test_configurations_of_different_lengths(coterie):
    with h5py.File(PRECISE) as file:
        assert list(file.attrs["format_version"]) == [1, 1] and file["instances_done"][:].tolist() == [500, 250]
        means = file["mean"][...].ravel().tolist()
    rows = json.loads(coterie("show", PRECISE, "--by", "workers", "--format", "json").stdout)
    assert [row["mean"] for row in rows] == means
    status = json.loads(coterie("status", PRECISE, "--verify", "--format", "json").stdout)
    assert status["complete"] and status["instances_done"] == 750
    replay = coterie("replay", PRECISE, "--configuration", 1, "--instance", 249, check=False)
    assert "ratio" in replay.stdout or "another" in replay.stderr, replay


def test_a_copy_of_the_ratios_is_what_python_reads():
    with h5py.File(WHOLE) as whole:
        parts = []
        for path in SHARDS:
            with h5py.File(path) as file:
                parts.append(file["ratio"][...])
        numpy.testing.assert_array_equal(numpy.where(numpy.isnan(parts[0]), parts[1], parts[0]), whole["ratio"][...])


def test_results_of_another_program_are_not_mixed_with_those_of_this_one(coterie, tmp_path):
    result = coterie("merge", *SHARDS, "--output", tmp_path / "merged.h5", check=False)
    assert result.returncode == 2 and "revision of the program: was 8913c176908e" in result.stderr


def test_nor_is_one_resumed(coterie, tmp_path):
    out = tmp_path / "old.h5"
    shutil.copy(WHOLE, out)
    with h5py.File(out) as file:
        (tmp_path / "sample.toml").write_text(file.attrs["campaign"])
    result = coterie("run", tmp_path / "sample.toml", "--output", out, "--resume", check=False)
    assert result.returncode == 2 and "revision of the program: was 8913c176908e" in result.stderr


@pytest.mark.parametrize("minor", [2, 3])
def test_controlled_means_of_sobol_points_in_formats_1_2_and_1_3(coterie, minor):
    sample = CONTROLLED[minor - 2]
    rows = json.loads(coterie("show", sample, "--by", "workers", "--format", "json").stdout)
    with h5py.File(sample) as file:
        assert list(file.attrs["format_version"]) == [1, minor] and "efficiency_gain" not in file
        for row in rows:
            c, s = int(row["workers"]) - 2, ["greedy", "no-replication"].index(row["strategy"])
            assert row["mean"] == file["mean"][c, s]
            if minor == 3:
                assert row["controlled_mean"] == file["controlled_mean"][c, s]
            else:  # show computes it again from the rows, by another rule: see the next test
                assert abs(row["controlled_mean"] - file["controlled_mean"][c, s]) <= file["controlled_standard_error"][c, s]
            numpy.testing.assert_allclose(row["efficiency_gain"], file["worth"][c, s])
    assert json.loads(coterie("status", sample, "--verify", "--format", "json").stdout)["complete"]


def test_controlled_means_of_format_1_2_were_means_of_replicates_and_are_those_of_the_jackknife(coterie):
    """The stored mean is that of 16 replicates, each by the coefficients of the others; the one shown is the
    jackknife's of the means without one replicate, by the same coefficients. Both regress on all four controls for two workers."""
    rows = json.loads(coterie("show", CONTROLLED[0], "--by", "workers", "--format", "json").stdout)
    shown = {row["strategy"]: row["controlled_mean"] for row in rows if row["workers"] == 2}
    with h5py.File(CONTROLLED[0]) as file:
        for s, strategy in enumerate(["greedy", "no-replication"]):
            ratio, reference, capacity = file["ratio"][0, s], file["reference"][0], file["capacity"][0]
            _, *known = file["control_mean"][0]
            controls = numpy.stack([ratio * reference - file["expected_work"][0, s], reference - known[0],
                                    capacity - known[1], (capacity - known[1])**2 - known[2]], axis=1)
            replicate = numpy.arange(len(ratio)) % 16
            own, others, fits = [], [], []
            for r in range(16):
                rest = replicate != r
                centred = controls[rest] - controls[rest].mean(axis=0)
                fits.append(numpy.linalg.lstsq(centred, ratio[rest] - ratio[rest].mean(), rcond=1e-8)[0])
                left = ratio - controls @ fits[r]
                own.append(left[~rest].sum())
                others.append(left[rest].mean())
            whole = (ratio - controls @ numpy.mean(fits, axis=0)).mean()
            assert file["controlled_mean"][0, s] == pytest.approx(sum(own) / len(ratio), rel=1e-10)
            assert shown[strategy] == pytest.approx(16 * whole - 15 * numpy.mean(others), rel=1e-10)


def test_checksums_at_the_end(coterie, tmp_path):
    with h5py.File(WITH_TRAILER) as file:
        assert list(file.attrs["format_version"]) == [1, 0] and file.attrs["sealed"] == 1
        means = file["mean"][...].ravel().tolist()
    rows = json.loads(coterie("show", WITH_TRAILER, "--by", "workers", "--format", "json").stdout)
    assert [row["mean"] for row in rows] == means
    assert json.loads(coterie("status", WITH_TRAILER, "--verify", "--format", "json").stdout)["complete"]
    data = bytearray(WITH_TRAILER.read_bytes())
    data[data.index(b"a result with checksums")] ^= 1  # a text, of which HDF5 has no checksum
    (tmp_path / "flipped.h5").write_bytes(data)
    answer = coterie("status", tmp_path / "flipped.h5", check=False)
    assert answer.returncode == 1 and "flipped.h5" in answer.stderr
