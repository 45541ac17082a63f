"""`coterie show`: means over configurations, groups, paired differences; against the file itself."""
import csv
import io
import json
import re

import h5py
import numpy
import pytest
import scipy.stats

from result_testing import standard_error

CAMPAIGN = """\
title = "shown"
seed = 1
instances = 300
strategies = ["greedy", "no-replication", "brute"]
baseline = "no-replication"
[grid]
workers = [3, 5]
work = [1, "workers"]
chunks = 7
startup = [0.1, 0.01]
risk = ["linear", "weibull(shape=0.5, scale=1)"]
"""


@pytest.fixture
def result(coterie, tmp_path):
    path = tmp_path / "shown.toml"
    path.write_text(CAMPAIGN)
    coterie("run", path, "--output", tmp_path / "shown.h5", "--quiet")
    return tmp_path / "shown.h5"


def rows(coterie, result, *options):
    return json.loads(coterie("show", result, *options, "--format", "json").stdout)


def test_means_weigh_configurations_alike(coterie, result):
    with h5py.File(result) as file:
        ratio = file["ratio"][...]
    difference = ratio - ratio[:, 1:2, :]
    errors = [standard_error(ratio), standard_error(difference)]
    error = lambda errors: numpy.sqrt((errors**2).sum(axis=0)) / len(errors)
    for s, row in enumerate(rows(coterie, result)):
        assert row["strategy"] == ["greedy", "no-replication", "brute"][s]
        assert row["configurations"] == 16
        assert row["mean"] == pytest.approx(ratio[:, s].mean(), rel=1e-12)
        assert row["standard_error"] == pytest.approx(error(errors[0])[s], rel=1e-7)
        assert row["difference"] == pytest.approx(difference[:, s].mean(), rel=1e-10, abs=1e-15)
        low, high = row["difference_low"], row["difference_high"]
        if s == 1:
            assert low == high == 0
            continue
        assert row["difference_standard_error"] == pytest.approx(error(errors[1])[s], rel=1e-7)
        half = scipy.stats.t.ppf(0.975, 299) * error(errors[1])[s]
        assert high - row["difference"] == pytest.approx(half, rel=1e-8)
        assert row["difference"] - low == pytest.approx(half, rel=1e-8)


def test_configurations_that_share_instances_are_not_taken_for_independent(coterie, tmp_path):
    """Their errors add up as they are: together they know no more than each."""
    path = tmp_path / "common.toml"
    path.write_text(CAMPAIGN.replace("seed = 1", "seed = 1\ncommon_random_numbers = true"))
    coterie("run", path, "--output", tmp_path / "common.h5", "--quiet")
    with h5py.File(tmp_path / "common.h5") as file:
        errors = file["standard_error"][...].mean(axis=0)
        ratio = file["ratio"][...]
    difference = standard_error(ratio[:, 2] - ratio[:, 1]).mean()
    shown = rows(coterie, tmp_path / "common.h5")
    for row, error in zip(shown, errors):
        assert row["standard_error"] == pytest.approx(error, rel=1e-7)
    assert shown[2]["difference_standard_error"] == pytest.approx(difference, rel=1e-7)
    assert shown[2]["difference_high"] - shown[2]["difference"] == pytest.approx(
        scipy.stats.t.ppf(0.975, 299) * difference, rel=1e-8)


def test_intervals_of_two_instances_are_students(coterie, tmp_path):
    """One degree of freedom: 12.7 standard errors, where a normal law would claim 1.96."""
    path = tmp_path / "two.toml"
    path.write_text(CAMPAIGN)
    coterie("run", path, "--output", tmp_path / "two.h5", "--quiet", "--instances", 2)
    (row,) = [row for row in rows(coterie, tmp_path / "two.h5", "--where", "workers=5", "--where", "work=1",
                                  "--where", "startup=0.01", "--where", "risk=linear")
              if row["strategy"] == "brute"]
    assert row["configurations"] == 1 and row["difference_standard_error"] > 0
    assert (row["difference_high"] - row["difference_low"]) / 2 == pytest.approx(
        12.706204736 * row["difference_standard_error"], rel=1e-8)


def test_expectations_stand_beside_what_the_reference_completed(coterie, result):
    """How much any of these schedules leaves to the omniscient, in each configuration."""
    with h5py.File(result) as file:
        expected, reference = file["expected_work"][...], file["reference"][...].mean(axis=1)
        workers = file["workers"][...]
    for row in rows(coterie, result, "--by", "workers"):
        chosen = workers == row["workers"]
        s = ["greedy", "no-replication", "brute"].index(row["strategy"])
        assert row["expected_work"] == pytest.approx(expected[chosen, s].mean(), rel=1e-12)
        assert row["reference"] == pytest.approx(reference[chosen].mean(), rel=1e-12)


def test_groups_and_conditions(coterie, result):
    with h5py.File(result) as file:
        ratio, startup, workers = file["ratio"][...], file["startup"][...], file["workers"][...]
        risk = file["risk"].asstr()[...]
    answer = rows(coterie, result, "--by", "startup", "--by", "workers", "--where", "risk=weibull(shape=0.5, scale=1)",
                  "--where", "work=1.0")
    assert len(answer) == 4 * 3
    for row in answer:
        s = ["greedy", "no-replication", "brute"].index(row["strategy"])
        with h5py.File(result) as file:
            work = file["work"][...]
        chosen = (startup == row["startup"]) & (workers == row["workers"]) & (work == 1) & (risk != "linear")
        assert row["configurations"] == chosen.sum() == 1
        assert row["mean"] == pytest.approx(ratio[chosen, s].mean(), rel=1e-12)


def test_conditions_take_values_as_they_are_written(coterie, tmp_path):
    (tmp_path / "c.toml").write_text(CAMPAIGN.replace("chunks = 7", 'chunks = ["1e1", "7"]').replace(
        "startup = [0.1, 0.01]", "startup = [0.1, -0.0]"))
    coterie("run", "c.toml", "--output", "c.h5", "--instances", 2, "--quiet", cwd=tmp_path)
    for condition, configurations in (("chunks=1e1", 16), ("chunks=7", 16), ("startup=0", 16), ("startup=-0", 16)):
        assert rows(coterie, tmp_path / "c.h5", "--where", condition)[0]["configurations"] == configurations, condition
    with h5py.File(tmp_path / "c.h5") as result:
        assert not numpy.signbit(result["startup"][()]).any()


def test_groups_of_one_value_stand_together(coterie, result):
    for axes in (["startup", "workers"], ["workers", "startup"]):
        rows = json.loads(coterie("show", result, *(word for axis in axes for word in ("--by", axis)), "--format", "json").stdout)
        keys = [tuple(row[axis] for axis in axes) for row in rows]
        assert keys == sorted(keys) and len(set(keys)) >= 4


def test_csv_parses_to_the_same(coterie, result):
    options = ("--by", "risk", "--by", "startup")
    table = list(csv.DictReader(io.StringIO(coterie("show", result, *options, "--format", "csv").stdout)))
    for text, row in zip(table, rows(coterie, result, *options), strict=True):
        assert list(text) == list(row)
        for key, value in row.items():
            assert text[key] == value if isinstance(value, str) else float(text[key]) == value


def test_csv_quotes_what_holds_quotes(coterie, tmp_path):
    (tmp_path / "a, b.durations").write_text("1\n2\n3\n")
    risk = 'trace(file="a, b.durations", format=durations)'
    path = tmp_path / "quoted.toml"
    path.write_text(CAMPAIGN.replace('risk = ["linear", "weibull(shape=0.5, scale=1)"]', f"risk = '{risk}'"))
    coterie("run", path, "--output", tmp_path / "quoted.h5", "--quiet")
    text = coterie("show", tmp_path / "quoted.h5", "--by", "risk", "--format", "csv").stdout
    assert [row["risk"] for row in csv.DictReader(io.StringIO(text))] == [risk] * 3


def test_another_baseline_and_none(coterie, result):
    for row in rows(coterie, result, "--baseline", "greedy"):
        assert row["difference"] <= 0


def test_table_names_everything(coterie, result):
    text = coterie("show", result, "--by", "workers").stdout
    for word in ("shown", "omniscient", "workers = 3", "workers = 5", "greedy", "brute", "paired difference to no-replication", "95 % interval"):
        assert word in text


@pytest.mark.parametrize("options,message", [
    (["--by", "worker"], 'unknown axis "worker" (did you mean "workers"?)'),
    (["--where", "worker=3"], 'unknown axis "worker" (did you mean "workers"?)'),
    (["--where", "workers"], "write AXIS=VALUE"),
    (["--where", "workers=4"], '--where workers=4 selects no configuration: workers is "3" or "5"'),
    (["--baseline", "reverse"], "the result has only"),
    (["--format", "xml"], "--format must be"),
    (["stray"], 'stray word "stray"'),
])
def test_wrong_usage_is_code_2(coterie, result, options, message):
    answer = coterie("show", result, *options, check=False)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert answer.stdout == ""


def test_files_that_are_no_results_are_code_1(coterie, tmp_path, result):
    (tmp_path / "text.h5").write_text("text")
    (tmp_path / "empty.h5").write_text("")
    (tmp_path / "cut.h5").write_bytes(result.read_bytes()[:3000])
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = 1
    (tmp_path / "newer.h5").write_bytes(result.read_bytes())
    with h5py.File(tmp_path / "newer.h5", "a") as file:
        file.attrs["format_version"] = numpy.array([3, 0])
    for name in ("gone.h5", "text.h5", "empty.h5", "cut.h5", "other.h5", "newer.h5", "."):
        for verb in (["show"], ["replay", "--configuration", "0", "--instance", "0"]):
            answer = coterie(*verb, tmp_path / name, check=False)
            assert answer.returncode == 1, name
            assert name in answer.stderr or name == "."


def test_one_instance_has_no_standard_error(coterie, tmp_path):
    path = tmp_path / "one.toml"
    path.write_text(CAMPAIGN)
    coterie("run", path, "--output", tmp_path / "one.h5", "--quiet", "--instances", 1)
    assert rows(coterie, tmp_path / "one.h5")[0]["standard_error"] is None
    assert "+- -" in coterie("show", tmp_path / "one.h5").stdout


def test_what_has_no_error_of_chance_says_why(coterie, root, tmp_path):
    """The printed Theorem 4 is right for two workers, and loses expected work beyond, whatever the sampled ratios say."""
    campaigns = root / "scripts" / "campaigns"
    coterie("run", campaigns / "heterogeneous-theorem-4.toml", "--output", tmp_path / "t.h5", "--instances", 100, "--quiet")
    table = coterie("show", tmp_path / "t.h5", "--by", "workers", "--where", "workers=2").stdout
    assert re.search(r"printed-theorem-4 .* \+0\.0000  same schedule$", table, re.MULTILINE), table
    for row in rows(coterie, tmp_path / "t.h5", "--by", "workers"):
        printed = row["strategy"] == "printed-theorem-4" and row["workers"] > 2
        assert (row["expected_difference"] < -1e-9) if printed else abs(row["expected_difference"]) < 1e-12
    coterie("run", campaigns / "now-orders.toml", "--output", tmp_path / "n.h5", "--instances", 100, "--quiet")
    table = coterie("show", tmp_path / "n.h5").stdout
    assert re.search(r"^  lifo +\d+\.\d+ 100 equal values each ", table, re.MULTILINE), table
    lifo = next(row for row in rows(coterie, tmp_path / "n.h5") if row["strategy"] == "lifo")
    assert lifo["standard_error"] == lifo["half_width"] == 0
