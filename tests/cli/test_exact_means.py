"""variance_reduction = "exact": means that need no instances."""
import json
import re

import h5py
import numpy
import pytest

from result_testing import datasets

CAMPAIGN = """
title = "variance"
seed = 7
instances = 1000
{lines}
strategies = ["greedy", "no-replication", "random-replication"]
baseline = "no-replication"
[grid]
workers = [3, 12]
work = "0.6 workers"
chunks = 10
startup = 0.01
risk = ["linear", "weibull(shape=0.5, scale=0.4)", "mix(2 : linear, 1 : exponential(rate=1))"]
"""
EXACT = 'variance_reduction = "exact"'


@pytest.fixture
def run(coterie, tmp_path):
    """Runs the campaign with some lines more; returns the result's path."""
    def go(name, lines, *options):
        (tmp_path / "v.toml").write_text(CAMPAIGN.format(lines=lines))
        return coterie("run", tmp_path / "v.toml", "--output", tmp_path / name, *options), tmp_path / name

    return go


def test_exact_means_are_those_of_a_long_plain_run(run, tmp_path):
    """12 comparisons of six standard errors: false alarm 3e-8."""
    with h5py.File(run("long.h5", "", "--instances", 60000, "--seed", 99)[1]) as long, \
            h5py.File(run("short.h5", EXACT, "--instances", 500)[1]) as file:
        exact, error = file["expected_ratio"][...], file["expected_ratio_error"][...]
        known = ~numpy.isnan(exact)
        assert (known == (numpy.array(file["strategy"].asstr()) != "random-replication")).all()
        assert (error[known] < 2e-5).all()
        assert (abs(exact - long["mean"][...])[known] < (6 * long["standard_error"][...] + error)[known]).all()
        plain = datasets(run("plain.h5", "", "--instances", 500)[1])
        assert "expected_ratio" in file["mean"].attrs["comment"]
    whole = datasets(tmp_path / "short.h5")
    assert {name: data for name, data in whole.items() if name in plain} == plain


def test_exact_means_do_not_depend_on_the_instances_nor_on_the_run(run, coterie, tmp_path):
    whole = datasets(run("a.h5", EXACT, "--threads", 2)[1])
    assert datasets(run("b.h5", EXACT, "--threads", 1)[1]) == whole
    run("c.h5", "", "--instances", 300)
    assert datasets(run("c.h5", EXACT, "--resume")[1]) == whole
    for index in (1, 2):  # a shard has some instances of each configuration
        run(f"s{index}.h5", EXACT, "--shard", f"{index}/2")
    coterie("merge", tmp_path / "s2.h5", tmp_path / "s1.h5", "--output", tmp_path / "m.h5")
    assert datasets(tmp_path / "m.h5") == whole
    other = datasets(run("d.h5", EXACT, "--instances", 250, "--seed", 5)[1])
    assert all(other[name] == whole[name] for name in ("expected_ratio", "expected_ratio_error", "expected_work"))


def test_a_single_instance_is_precise_enough_where_all_means_are_exact(coterie, tmp_path):
    (tmp_path / "p.toml").write_text('precision = 0.01\nmax_instances = 1\nstrategies = ["no-replication", "greedy"]\n'
                                     'variance_reduction = "exact"\n[grid]\nworkers = 5\nwork = 2\nchunks = 10\n'
                                     'startup = 0.01\nrisk = "linear"\n')
    done = coterie("run", tmp_path / "p.toml", "--output", tmp_path / "p.h5")
    assert "does not reach" not in done.stderr
    with h5py.File(tmp_path / "p.h5") as file:
        assert (file["expected_ratio_error"][...] < 1e-4).all() and file["instances_done"][0] == 1


def test_show_and_report_tell_exact_means(run, coterie):
    _, path = run("e.h5", EXACT, "--instances", 300)
    rows = json.loads(coterie("show", path, "--by", "workers", "--by", "risk", "--format", "json").stdout)
    with h5py.File(path) as file:
        exact, error = file["expected_ratio"][...], file["expected_ratio_error"][...]
        mean = file["mean"][...]
        strategies = list(file["strategy"].asstr())
        cells = [(workers, risk) for workers, risk in zip(file["workers"][...], file["risk"].asstr())]
    for row in rows:
        c, s = cells.index((row["workers"], row["risk"])), strategies.index(row["strategy"])
        if row["strategy"] == "random-replication":
            assert row["mean"] == mean[c, s] and row["standard_error"] > 0
            continue
        assert row["mean"] == exact[c, s] and row["standard_error"] == 0
        base = strategies.index("no-replication")
        if s != base:
            assert row["difference"] == pytest.approx(exact[c, s] - exact[c, base], abs=1e-15)
            width = row["difference_high"] - row["difference_low"]
            assert width == pytest.approx(2 * (error[c, s] + error[c, base]), rel=1e-6)
    assert "Means and differences are exact where these are known." in coterie("show", path).stdout
    coterie("report", path)
    page = path.with_suffix(".html").read_text()
    cells = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])["cells"]
    assert cells["exact"]
    for name in ("mean", "difference"):  # groups come in the order in which configurations meet them
        assert cells[name] == pytest.approx([row[name] for row in rows], rel=1e-5, abs=1e-9)


def test_precision_ends_at_once_where_means_are_exact(coterie, tmp_path):
    text = CAMPAIGN.format(lines=EXACT + "\nprecision = 0.0001").replace("instances = 1000\n", "")
    (tmp_path / "p.toml").write_text(text.replace(', "random-replication"', ""))
    coterie("run", tmp_path / "p.toml", "--output", tmp_path / "p.h5")
    with h5py.File(tmp_path / "p.h5") as file:
        assert (file["instances_done"][...] == 250).all()
        assert (file["expected_ratio_error"][...] < 0.0001).all()


def test_a_shard_knows_the_means_of_its_own_configurations(coterie, tmp_path):
    """With eight configurations a shard or more, each has whole ones."""
    (tmp_path / "s.toml").write_text(f'seed = 1\ninstances = 250\n{EXACT}\nstrategies = ["greedy", "no-replication"]\n'
                                     '[grid]\nworkers = "2..17"\nwork = 1\nchunks = 4\nstartup = 0.1\n')

    def go(name, *options):
        coterie("run", tmp_path / "s.toml", "--output", tmp_path / name, *options)
        return tmp_path / name

    for index in (1, 2):
        with h5py.File(go(f"s{index}.h5", "--shard", f"{index}/2")) as file:
            own = numpy.arange(16) % 2 == index - 1
            for name in ("expected_ratio", "expected_ratio_error"):
                assert (numpy.isfinite(file[name][:, 0]) == own).all(), name
    coterie("merge", tmp_path / "s1.h5", tmp_path / "s2.h5", "--output", tmp_path / "m.h5")
    assert datasets(tmp_path / "m.h5") == datasets(go("whole.h5"))


def test_statistics_have_exact_means_too(run, coterie):
    _, path = run("t.h5", EXACT + '\noutput = "statistics"')
    assert datasets(path)["expected_ratio"] == datasets(run("r.h5", EXACT)[1])["expected_ratio"]
    for row in json.loads(coterie("show", path, "--format", "json").stdout):
        assert (row["standard_error"] == 0) == (row["strategy"] != "random-replication")


@pytest.mark.parametrize("lines, grid, message", [
    ('variance_reduction = "exactly"', "", '"variance_reduction" must be "none" or "exact", not "exactly" '
     '(did you mean "exact"?)'),
    ('variance_reduction = "control"', "", '"variance_reduction" = "control" was removed: write "exact"'),
    ('sampling = "sobol"', "", '"sampling" was removed: instances are always drawn at random; variance_reduction = "exact"'),
    (EXACT, 'background = "mm1(arrival=.5, service=1)"', '"variance_reduction" = "exact" needs exact means'),
    (EXACT, "zones = 2\ncommon = 0.5", '"variance_reduction" = "exact" needs exact means'),
])
def test_what_cannot_be_is_refused(coterie, tmp_path, lines, grid, message):
    (tmp_path / "x.toml").write_text(CAMPAIGN.format(lines=lines) + grid)
    result = coterie("validate", tmp_path / "x.toml", check=False)
    assert result.returncode == 2 and "x.toml:5:" in result.stderr and message in result.stderr


def test_other_models_and_too_many_workers_are_refused(coterie, tmp_path):
    path = tmp_path / "n.toml"
    path.write_text(CAMPAIGN.format(lines=EXACT).replace("[3, 12]", "[65536, 65537]"))
    result = coterie("validate", path, check=False)
    assert result.returncode == 2 and "for at most 65536 workers, not 65537" in result.stderr
    path.write_text('model = "heterogeneous"\nseed = 1\ninstances = 10\n' + EXACT +
                    '\nstrategies = ["optimal"]\n[grid]\nworkers = 3\nwork = 1\n')
    result = coterie("validate", path, check=False)
    assert result.returncode == 2 and "is for the model worksharing" in result.stderr, result.stderr
