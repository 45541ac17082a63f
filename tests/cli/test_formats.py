"""A small result of the format of the first release, stored, is read for ever; other formats are refused."""
import json
import pathlib
import shutil

import h5py
import pytest

SAMPLE = pathlib.Path(__file__).parent.parent / "data" / "result.h5"


def test_the_stored_result_is_read(coterie):
    with h5py.File(SAMPLE) as file:
        assert list(file.attrs["format_version"]) == [1, 0] and file["instances_done"][:].tolist() == [500, 250]
        means = file["mean"][...].ravel().tolist()
    rows = json.loads(coterie("show", SAMPLE, "--by", "workers", "--format", "json").stdout)
    assert [row["mean"] for row in rows] == means
    status = json.loads(coterie("status", SAMPLE, "--verify", "--format", "json").stdout)
    assert status["complete"] and status["instances_done"] == 750
    replay = coterie("replay", SAMPLE, "--configuration", 1, "--instance", 249, check=False)
    assert "ratio" in replay.stdout or "another" in replay.stderr, replay


@pytest.mark.parametrize("version", [[1, 1], [2, 0], [0, 9], [1]])
def test_other_formats_are_refused(coterie, tmp_path, version):
    shutil.copy(SAMPLE, tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5", "a") as file:
        file.attrs["format_version"] = version
    for verb in ("show", "status", "report"):
        answer = coterie(verb, tmp_path / "r.h5", check=False)
        assert answer.returncode == 1 and f"result format {'.'.join(map(str, version))}, but" in answer.stderr


def test_results_of_another_program_are_not_continued(coterie, tmp_path):
    out = tmp_path / "r.h5"
    shutil.copy(SAMPLE, out)
    with h5py.File(out, "a") as file:
        file.attrs["git_revision"] = "8913c176908e"
        (tmp_path / "sample.toml").write_text(file.attrs["campaign"])
    result = coterie("run", tmp_path / "sample.toml", "--output", out, "--resume", check=False)
    assert result.returncode == 2 and "revision of the program: was 8913c176908e" in result.stderr
