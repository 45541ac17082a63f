"""`coterie run` and `coterie validate`: result files, and all that can go wrong."""
import json
import os
import subprocess
import time

import h5py
import numpy
import pytest

from result_testing import standard_error

CAMPAIGN = """\
title = "small"
seed = 2013
instances = 600
strategies = ["greedy", "cyclic-replication", "no-replication", "brute", "random-replication"]
baseline = "no-replication"
[grid]
workers = [3, 5]
work = [1, "workers"]
chunks = [7, "auto"]
startup = [0.1, 0.01]
"""
STRATEGIES = ["greedy", "cyclic-replication", "no-replication", "brute", "random-replication"]


@pytest.fixture
def campaign(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(CAMPAIGN)
    return path


def run(coterie, campaign, name="small.h5", *options, **keywords):
    output = campaign.parent / name
    coterie("run", campaign, "--output", output, "--quiet", *options, **keywords)
    return output


def datasets(path):
    """Every dataset but what says when and how it was written, as bytes."""
    with h5py.File(path) as file:
        return {name: (item.dtype.str, item.shape, item.asstr()[...].tolist() if item.dtype.kind == "O" else
                       item[...].tobytes()) for name, item in file.items()}


def test_result_is_as_documented(coterie, campaign):
    with h5py.File(run(coterie, campaign)) as file:
        assert file["ratio"].shape == (16, 5, 600)
        assert file["reference"].shape == (16, 600)
        assert file["ratio"].dtype == numpy.float64
        assert file["strategy"].asstr()[...].tolist() == STRATEGIES
        assert file["workers"][...].tolist() == [3.0] * 8 + [5.0] * 8
        assert file["work"][...].tolist() == [1.0] * 4 + [3.0] * 4 + [1.0] * 4 + [5.0] * 4
        assert file["chunks_requested"].asstr()[...].tolist() == ["7", "7", "auto", "auto"] * 4
        assert set(file["identity"].asstr()[...]) and len(set(file["identity"].asstr()[...])) == 16
        for name in ("chunks", "chunk_size", "expected_work", "mean", "stddev", "standard_error", "min", "max", "q05",
                     "q25", "q50", "q75", "q95"):
            assert file[name].shape == (16, 5)
            assert numpy.isfinite(file[name][...]).all()
        for name in ("ratio", "reference", "workers", "work", "startup", "mean"):
            assert file[name].attrs["long_name"] and file[name].attrs["units"]
        attributes = dict(file.attrs)
        assert attributes["filetype"] == "coterie-result"
        assert attributes["format_version"].tolist() == [1, 0]
        assert attributes["title"] == "small" and attributes["model"] == "worksharing"
        assert attributes["campaign"] == CAMPAIGN
        assert attributes["seed"] == 2013 and attributes["complete"] == 1
        assert attributes["Conventions"] == "CF-1.8"
        assert json.loads(attributes["resolved"])["configurations"] == 16
        for name in ("coterie_version", "git_revision", "compiler", "flags", "libraries", "command_line", "started",
                     "finished"):
            assert attributes[name]
        ratio = file["ratio"][...]
        assert (0 <= ratio).all() and (ratio <= 1).all()
        numpy.testing.assert_allclose(file["mean"][...], ratio.mean(axis=2), rtol=1e-12)
        numpy.testing.assert_allclose(file["stddev"][...], ratio.std(axis=2, ddof=1), rtol=1e-10)
        numpy.testing.assert_allclose(file["standard_error"][...], standard_error(ratio), rtol=1e-7)
        for name, share in (("min", 0), ("q05", .05), ("q25", .25), ("q50", .5), ("q75", .75), ("q95", .95), ("max", 1)):
            numpy.testing.assert_allclose(file[name][...], numpy.quantile(ratio, share, axis=2), rtol=1e-12)


def test_opens_with_xarray(coterie, campaign):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    with xarray.open_dataset(run(coterie, campaign), engine="h5netcdf") as data:
        assert dict(data.sizes) == {"configuration": 16, "strategy": 5, "instance": 600}
        assert data["ratio"].dims == ("configuration", "strategy", "instance")
        assert data["mean"].dims == ("configuration", "strategy")
        assert data["workers"].dims == ("configuration",)


def test_same_bytes_for_any_number_of_threads(coterie, campaign):
    reference = datasets(run(coterie, campaign, "1.h5", "--threads", 1))
    for threads in (2, 3, 16):
        assert datasets(run(coterie, campaign, f"{threads}.h5", "--threads", threads)) == reference


def test_a_configuration_keeps_its_numbers_in_another_campaign(coterie, campaign):
    whole = run(coterie, campaign)
    part = run(coterie, campaign, "part.h5", "--set", "workers=5", "--set", 'work="workers"', "--set",
               "startup=[0.01]", "--set", "chunks=[7]", "--set", 'strategies=["brute", "greedy"]', "--set",
               'baseline="brute"')
    with h5py.File(whole) as whole, h5py.File(part) as part:
        identity = part["identity"].asstr()[0]
        k = whole["identity"].asstr()[...].tolist().index(identity)
        assert (part["ratio"][0, 0] == whole["ratio"][k, 3]).all()
        assert (part["ratio"][0, 1] == whole["ratio"][k, 0]).all()
        assert (part["reference"][0] == whole["reference"][k]).all()


@pytest.mark.parametrize("setting, message", [
    ("strategies=[greedy]", 'write lists of texts as ["a", "b"]'),
    ("seed=99999999999999999999", "not a whole number of TOML"),
    ("startup=0.1", "c.toml has [[case]] besides [grid]"),
])
def test_settings_that_cannot_be_obeyed_are_refused(coterie, tmp_path, setting, message):
    (tmp_path / "c.toml").write_text("""strategies = ["greedy"]
instances = 10
[grid]
workers = [2]
work = [1]
chunks = [5]
startup = [0.01]
[[case]]
workers = 3
work = 1
chunks = 5
startup = 0.01
""")
    answer = coterie("run", tmp_path / "c.toml", "--output", tmp_path / "c.h5", "--set", setting, check=False)
    assert answer.returncode == 2 and message in answer.stderr and f"--set {setting}" in answer.stderr


def test_more_instances_begin_with_the_same(coterie, campaign):
    few, many = (run(coterie, campaign, f"{n}.h5", "--instances", n) for n in (100, 777))
    with h5py.File(few) as few, h5py.File(many) as many:
        assert (few["ratio"][...] == many["ratio"][:, :, :100]).all()


def test_another_seed_gives_other_numbers(coterie, campaign):
    one, other = (run(coterie, campaign, f"{seed}.h5", "--seed", seed) for seed in (1, 2))
    with h5py.File(one) as one, h5py.File(other) as other:
        assert one.attrs["seed"] == 1
        assert (one["reference"][0] != other["reference"][0]).any()


def test_output_is_named_after_the_campaign(coterie, campaign):
    coterie("run", campaign.name, "--quiet", cwd=campaign.parent)
    assert (campaign.parent / "small.h5").exists()


def test_existing_result_is_not_replaced_without_force(coterie, campaign):
    output = run(coterie, campaign)
    before = output.read_bytes()
    answer = coterie("run", campaign, "--output", output, check=False)
    assert answer.returncode == 2 and "--force" in answer.stderr
    assert output.read_bytes() == before
    assert run(coterie, campaign, "small.h5", "--force", "--seed", 5).read_bytes() != before


def test_quiet_says_nothing_and_else_all_is_on_stderr(coterie, campaign):
    quiet = coterie("run", campaign, "--output", campaign.parent / "a.h5", "--quiet")
    loud = coterie("run", campaign, "--output", campaign.parent / "b.h5")
    assert quiet.stdout == quiet.stderr == loud.stdout == ""
    assert "16 configurations x 5 strategies x 600 instances" in loud.stderr


@pytest.mark.parametrize("output,code", [("", 2), ("no/such/folder/a.h5", 1), (".", 2), ("/proc/a.h5", 1),
                                         ("/dev/null", 2), ("a" * 300 + ".h5", 1)])
def test_outputs_that_cannot_be(coterie, campaign, output, code):
    answer = coterie("run", campaign, "--output", output, "--force", check=False, cwd=campaign.parent)
    assert answer.returncode == code, answer.stderr
    assert answer.stderr.count("\n") == 1
    assert sorted(os.listdir(campaign.parent)) == ["small.toml"]


def test_a_disk_that_fills_up_leaves_no_result_that_looks_whole(coterie, campaign):
    command = f'ulimit -f 100; exec "$0" run {campaign} --output {campaign.parent}/a.h5 --instances 100000'
    answer = subprocess.run(["bash", "-c", "trap '' XFSZ; " + command, os.environ["COTERIE"]], capture_output=True,
                            text=True)
    assert answer.returncode == 1, answer.stderr
    assert "a.h5" in answer.stderr
    assert not (campaign.parent / "a.h5").exists()  # what was finished before may stay beside it, to be resumed


@pytest.mark.parametrize("text,message", [
    ("", "is missing"),
    ("\x00\x01", ""),
    ("instances = 1\n" * 2, "not valid TOML"),
    (CAMPAIGN.replace("workers = [3, 5]", "workrs = [3, 5]"),
     'small.toml:7:1: unknown key "workrs" in [grid] (did you mean "workers"?)'),
    (CAMPAIGN.replace("workers = [3, 5]", "workers = 1979-05-27"), "dates and times are not allowed here"),
    (CAMPAIGN.replace("startup = [0.1, 0.01]", "startup = nan"), "small.toml:10:1"),
    (CAMPAIGN.replace("baseline = \"no-replication\"", "baseline = \"reverse\""), "small.toml:5:1"),
    (CAMPAIGN.replace("work = [1, \"workers\"]", "work = \"1..1e12\""), "more than 1000000 values"),
])
def test_bad_campaigns_are_code_2_and_write_nothing(coterie, campaign, text, message):
    campaign.write_text(text)
    for verb in ("run", "validate"):
        answer = coterie(verb, campaign, check=False, cwd=campaign.parent)
        assert answer.returncode == 2, answer.stderr
        assert message in answer.stderr
        assert answer.stdout == ""
        assert os.listdir(campaign.parent) == ["small.toml"]


def test_campaigns_that_cannot_be_read_are_code_1(coterie, tmp_path):
    for path in (tmp_path, tmp_path / "gone.toml"):
        assert coterie("run", path, check=False).returncode == 1
        assert coterie("validate", path, check=False).returncode == 1


def test_windows_line_ends_and_bom(coterie, campaign):
    reference = datasets(run(coterie, campaign))
    campaign.write_bytes(b"\xef\xbb\xbf" + CAMPAIGN.replace("\n", "\r\n").encode())
    assert datasets(run(coterie, campaign, "crlf.h5")) == reference


def test_unicode_titles_and_paths(coterie, tmp_path):
    campaign = tmp_path / "Größe ☃.toml"
    campaign.write_text(CAMPAIGN.replace('"small"', '"Größe ☃"'))
    with h5py.File(run(coterie, campaign, "Größe.h5")) as file:
        assert file.attrs["title"] == "Größe ☃"


def test_locale_does_not_matter(coterie, campaign):
    reference = datasets(run(coterie, campaign))
    environment = dict(os.environ, LC_ALL="de_DE.UTF-8", LANG="de_DE.UTF-8")
    assert datasets(run(coterie, campaign, "de.h5", env=environment)) == reference


def test_common_random_numbers_share_interruptions(coterie, campaign):
    campaign.write_text("common_random_numbers = true\n" + CAMPAIGN)
    with h5py.File(run(coterie, campaign)) as file:
        assert len(set(file["identity"].asstr()[...])) == 1
        # Same interruption times: with a smaller start-up cost the omniscient never does less.
        assert (file["reference"][1] >= file["reference"][0]).all()


def test_traces_are_found_beside_the_campaign_and_their_checksums_kept(coterie, campaign):
    (campaign.parent / "lab.durations").write_text("1\n2\n3\n4\n")
    campaign.write_text(CAMPAIGN + 'risk = "trace(file=lab.durations, format=durations)"\n')
    with h5py.File(run(coterie, campaign, "trace.h5", cwd="/")) as file:
        (checksum,) = file.attrs["trace_checksums"]
        assert checksum.endswith("  lab.durations")
    (campaign.parent / "lab.durations").write_text("1\n2\nx\n")
    answer = coterie("run", campaign, check=False)
    assert answer.returncode == 2
    assert "lab.durations:3" in answer.stderr


@pytest.mark.parametrize("option,table", [("node_tab", "1 5 n NULL G1/c1\n2 5 m NULL G1/c1\n"),
                                          ("platform_tab", "5 cluster France Grid NULL\n")])
def test_tables_of_an_archive_are_found_beside_the_campaign_too(coterie, campaign, option, table):
    (campaign.parent / "events.tab").write_text(
        "# event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n"
        "0 0 1 5 n 1 0 9 NULL\n0 0 2 5 m 1 4 9 NULL\n")
    (campaign.parent / "table.tab").write_text(table)
    campaign.write_text(CAMPAIGN + f'risk = "trace(file=events.tab, format=fta, {option}=table.tab, estimator=naive)"\n')
    with h5py.File(run(coterie, campaign, "trace.h5", cwd="/")) as file:
        assert [line.split("  ")[1] for line in file.attrs["trace_checksums"]] == ["events.tab", "table.tab"]


def test_validate_prints_the_resolved_grid(coterie, campaign):
    table = coterie("validate", campaign).stdout
    answer = json.loads(coterie("validate", campaign, "--format", "json").stdout)
    assert answer["configurations"] == 16
    assert answer["grid"] == {"workers": [3, 5], "work": [1, 3, 5], "chunks": ["7", "auto"], "startup": [0.1, 0.01],
                              "risk": ["linear(kappa=1)"], "planned_risk": ["same"], "lambda": [1], "background": ["none"],
                              "zones": [1], "common": [0], "placement": ["known"]}
    assert answer["instances"] == 600 and answer["strategies"] == STRATEGIES
    assert "9600 instances" in table


def test_validate_takes_overrides(coterie, campaign):
    answer = json.loads(coterie("validate", campaign, "--format", "json", "--seed", 9, "--instances", 5, "--set",
                                "startup=0.5").stdout)
    assert (answer["seed"], answer["instances"], answer["grid"]["startup"]) == (9, 5, [0.5])


def test_huge_grids_are_refused_in_time_and_memory(coterie, campaign):
    campaign.write_text(CAMPAIGN.replace("workers = [3, 5]", 'workers = "1..3000"')
                        .replace('work = [1, "workers"]', 'work = "1..3000"'))
    start = time.monotonic()
    answer = subprocess.run(["bash", "-c", f'ulimit -v 6000000; exec "$0" validate {campaign}', os.environ["COTERIE"]],
                            capture_output=True, text=True)
    assert answer.returncode == 2 and "more than 1000000 configurations" in answer.stderr
    assert time.monotonic() - start < 60
