"""precision = x: as many instances of each configuration as its mean ratios need."""
import json

import h5py
import numpy
import pytest
import scipy.stats

from result_testing import datasets, standard_error, write_campaign


def campaign(folder, precision=0.004, most=15000):
    head = f'title = "precision"\nseed = 7\nprecision = {precision}\nmax_instances = {most}'
    return write_campaign(folder / "p.toml", head)


def test_every_mean_is_as_precise_as_asked(coterie, tmp_path):
    result = coterie("run", campaign(tmp_path), "--output", tmp_path / "a.h5")
    assert "for a precision of 0.004" in result.stderr
    coterie("run", tmp_path / "p.toml", "--output", tmp_path / "fixed.h5", "--instances", 15000)
    with h5py.File(tmp_path / "a.h5") as file, h5py.File(tmp_path / "fixed.h5") as fixed:
        done = file["instances_done"][:].astype(int)
        assert file.attrs["precision"] == 0.004 and file.attrs["max_instances"] == 15000
        assert (done % 250 == 0).all() and len(set(done)) > 1 and done.max() == file["ratio"].shape[2]
        assert (file["half_width"][:] < 0.004).all()
        student = scipy.stats.t.ppf(0.975, done - 1)[:, None]
        numpy.testing.assert_allclose(file["half_width"], student * file["standard_error"][:])
        assert set(fixed["instances_done"][:]) == {15000}
        for c, n in enumerate(done):
            ratio = file["ratio"][c]
            assert numpy.isnan(ratio[:, n:]).all() and numpy.isnan(file["reference"][c, n:]).all()
            assert (ratio[:, :n] == fixed["ratio"][c, :, :n]).all()
            numpy.testing.assert_allclose(file["mean"][c], ratio[:, :n].mean(axis=1))
            # One block fewer would not have been enough.
            error = standard_error(ratio[:, :n - 250]).max()
            assert scipy.stats.t.ppf(0.975, n - 251) * error >= 0.004 or n - 250 < 6 / 0.004


def test_the_same_bytes_for_threads_shards_stops_and_growth(coterie, tmp_path):
    toml = campaign(tmp_path)
    coterie("run", toml, "--output", tmp_path / "whole.h5", "--threads", 1)
    whole = datasets(tmp_path / "whole.h5")
    coterie("run", toml, "--output", tmp_path / "threads.h5", "--threads", 3)
    assert datasets(tmp_path / "threads.h5") == whole

    for index in (1, 2, 3):
        coterie("run", toml, "--output", tmp_path / f"s{index}.h5", "--shard", f"{index}/3", "--threads", index)
    coterie("merge", *(tmp_path / f"s{index}.h5" for index in (2, 3, 1)), "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == whole

    # Finer: nothing is lost and the result is that of a run that was finer from the first.
    coterie("run", toml, "--output", tmp_path / "grown.h5", "--precision", 0.02)
    coterie("run", toml, "--output", tmp_path / "grown.h5", "--precision", 0.006, "--resume")
    coterie("run", toml, "--output", tmp_path / "grown.h5", "--resume")
    assert datasets(tmp_path / "grown.h5") == whole

    # Run again from itself.
    coterie("run", tmp_path / "whole.h5", "--output", tmp_path / "again.h5")
    assert datasets(tmp_path / "again.h5") == whole


def test_stopped_and_resumed(coterie, tmp_path):
    toml = campaign(tmp_path, 0.0006, 200000)
    out = tmp_path / "out.h5"
    coterie("run", toml, "--output", tmp_path / "whole.h5")
    code, stops = 3, 0
    while code == 3:
        result = coterie("run", toml, "--output", out, "--resume", "--time-limit", f"{0.1 * 1.3 ** stops}s",
                         "--save-every", "0.02s",
                         "--threads", 1 + stops % 3, check=False)
        code = result.returncode
        stops += code == 3
        if (tmp_path / "out.h5.parts").exists() or code == 0:
            assert coterie("status", out, check=False).returncode == code
        assert stops < 40
    assert code == 0 and stops > 0, result.stderr
    assert datasets(out) == datasets(tmp_path / "whole.h5")


def test_the_cap(coterie, tmp_path):
    result = coterie("run", campaign(tmp_path, 0.0001, 600), "--output", tmp_path / "a.h5")
    assert "8 configurations do not reach it after max_instances = 600" in result.stderr
    with h5py.File(tmp_path / "a.h5") as file:
        assert set(file["instances_done"][:]) == {600}
    status = json.loads(coterie("status", tmp_path / "a.h5", "--format", "json").stdout)
    assert status["configurations_short_of_precision"] == 8 and status["complete"]
    # A higher cap goes on from there.
    coterie("run", tmp_path / "p.toml", "--output", tmp_path / "a.h5", "--resume", "--max-instances", 900)
    coterie("run", tmp_path / "p.toml", "--output", tmp_path / "b.h5", "--max-instances", 900)
    assert datasets(tmp_path / "a.h5") == datasets(tmp_path / "b.h5")


def test_replay_tells_instances_that_were_not_run(coterie, tmp_path):
    coterie("run", campaign(tmp_path), "--output", tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        done = file["instances_done"][:].astype(int)
    short = int(done.argmin())
    coterie("replay", tmp_path / "a.h5", "--configuration", short, "--instance", done[short] - 1)
    result = coterie("replay", tmp_path / "a.h5", "--configuration", short, "--instance", done[short], check=False)
    assert result.returncode == 2 and f"has {done[short]} instances" in result.stderr


@pytest.mark.parametrize("arguments, message", [
    (["--set", "instances=5"], "exclude each other"),
    (["--set", "precision=0"], "above 0"),
    (["--set", "precision=nan"], "precision"),
    (["--set", "max_instances=0"], "max_instances must be from 1"),
    (["--precision", "-1"], "above 0"),
    (["--precision", "x"], "precision"),
    (["--instances", "5", "--precision", "0.1"], "use one or the other"),
    (["--max-instances", "0"], "max-instances"),
])
def test_wrong_input(coterie, tmp_path, arguments, message):
    result = coterie("run", campaign(tmp_path), "--output", tmp_path / "a.h5", *arguments, check=False)
    assert result.returncode == 2 and message in result.stderr
    assert not (tmp_path / "a.h5").exists()


def test_resume_goes_from_neither_to_the_other(coterie, tmp_path):
    toml = campaign(tmp_path)
    coterie("run", toml, "--output", tmp_path / "a.h5")
    result = coterie("run", toml, "--output", tmp_path / "a.h5", "--resume", "--instances", 20000, check=False)
    assert result.returncode == 2 and "instances: were given by precision = 0.004, now 20000" in result.stderr
    result = coterie("run", toml, "--output", tmp_path / "a.h5", "--resume", "--precision", 0.01, check=False)
    assert result.returncode == 2 and "precision: was 0.004, now 0.01 (it may be finer, not coarser)" in result.stderr


def test_rows_longer_than_a_window_are_summed_up(coterie, tmp_path):
    """Results are made in windows of four million ratios; a row that is longer is read back from the file."""
    (tmp_path / "long.toml").write_text("""
seed = 5
precision = 0.0002
max_instances = 3000000
strategies = ["no-replication", "brute"]
[grid]
workers = 3
work = 2
chunks = 5
startup = 0.01
""")
    coterie("run", tmp_path / "long.toml", "--output", tmp_path / "long.h5")
    with h5py.File(tmp_path / "long.h5") as file:
        done = int(file["instances_done"][0])
        assert 4_000_000 / 3 < done < 3_000_000 and file["ratio"].shape == (1, 2, done)
        for s in range(2):
            ratio = file["ratio"][0, s]
            assert file["mean"][0, s] == pytest.approx(ratio.mean(), rel=1e-9)
            assert file["q95"][0, s] == pytest.approx(numpy.quantile(ratio, 0.95), rel=1e-12)
        assert (file["half_width"][0] < 0.0002).all()


def test_a_shard_tells_which_of_its_settings_has_changed(coterie, tmp_path):
    shard = ["run", campaign(tmp_path), "--output", tmp_path / "s.h5", "--shard", "1/2", "--set", "max_instances=500"]
    coterie(*shard)
    more = coterie(*shard[:-1], "max_instances=1000", "--resume", check=False)
    assert more.returncode == 2 and "max_instances: was 500, now 1000 (that of a shard cannot change)" in more.stderr
    assert "precision: was" not in more.stderr
    finer = coterie(*shard, "--precision", 0.001, "--resume", check=False)
    assert finer.returncode == 2 and "precision: was 0.004, now 0.001 (that of a shard cannot change)" in finer.stderr
    assert "max_instances: was" not in finer.stderr
