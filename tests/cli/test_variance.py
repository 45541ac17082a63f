"""variance_reduction = "control" and sampling = "sobol": fewer instances for the same answer."""
import csv
import io
import json
import math
import re

import h5py
import numpy
import pytest
import scipy.stats

from result_testing import guarded_error

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
CONTROL = 'variance_reduction = "control"'
EXACT = 'variance_reduction = "exact"'
SOBOL = 'sampling = "sobol"'


@pytest.fixture
def run(coterie, tmp_path):
    """Runs the campaign with some lines more; returns the result's path."""
    def go(name, lines, *options):
        (tmp_path / "v.toml").write_text(CAMPAIGN.format(lines=lines))
        return coterie("run", tmp_path / "v.toml", "--output", tmp_path / name, *options), tmp_path / name

    return go


def datasets(path):
    with h5py.File(path) as file:
        return {name: list(data[...]) if data.dtype == object else data[...].tobytes() for name, data in file.items()
                if name not in ("configuration", "instance")}


def coefficients(y, controls, means, count):
    """Least squares on the first `count` controls; on the first alone, which is 0 or 1, where rare great values of
    another are missing; none where it is 1 too rarely, or what does not vary."""
    average, square = controls.mean(axis=0), (controls**2).mean(axis=0)
    unmet = (means > 0) & ((average < means / 2) | (len(y) * average**2 < 50 * square))
    used = 0 if len(y) < 10 * (count + 1) or unmet[:1].any() else min(count, 1) if unmet.any() else count
    if used < count:
        return numpy.append(coefficients(y, controls, means, used) if used else [], numpy.zeros(count - used))
    controls = controls[:, :count]
    if count == 0:
        return numpy.zeros(0)
    centred = controls - controls.mean(axis=0)
    scale = centred.std(axis=0)
    centred[:, scale <= 1e-9 * abs(controls.mean(axis=0))] = 0
    scale[scale == 0] = 1
    return numpy.linalg.lstsq(centred / scale, y - y.mean(), rcond=1e-6)[0] / scale


def quantile(freedom):
    return scipy.stats.t.ppf(0.975, freedom)


def of_replicates(values, freedom):
    """Student's t of so many degrees of freedom, at most, fewer where the values are skewed."""
    skewness = scipy.stats.skew(values)
    return quantile(numpy.clip(len(values) / max(skewness**2, 1e-12), 1, freedom))


def regression(y, controls, means, sobol):
    """Mean and standard error by the jackknife over replicates; each by the coefficients, and as many controls, as the
    others say. Of random instances at least the standard error of the residuals."""
    replicate = numpy.arange(len(y)) % 16
    residual, slopes = numpy.empty(len(y)), []
    for r in range(16):
        tried = []
        for count in range(controls.shape[1] + 1):
            left = numpy.zeros(len(y))
            for g in set(range(16)) - {r}:
                fitted = (replicate != g) & (replicate != r)
                b = coefficients(y[fitted], controls[fitted], means, count)
                own = replicate == g
                left[own] = y[own] - (controls[:, :count] - means[:count])[own] @ b
            tried.append(left[replicate != r].var())
        count = int(numpy.argmin(tried))
        own = replicate == r
        b = coefficients(y[~own], controls[~own], means, count)
        residual[own] = y[own] - (controls[:, :count] - means[:count])[own] @ b
        slopes.append(numpy.append(b, numpy.zeros(controls.shape[1] - count)))
    counts = numpy.bincount(replicate)
    if not numpy.any(slopes):
        parts = counts / len(y) * (numpy.bincount(replicate, y) / counts - y.mean())
        error = of_replicates(parts, 10) / quantile(15) * (parts**2).sum()**0.5 * (16 / 15)**0.5
        return y.mean(), error if sobol else guarded_error(y)
    left = lambda chosen, slope: (y[chosen] - (controls - means)[chosen] @ slope).mean()
    whole = left(slice(None), numpy.mean(slopes, axis=0))
    pseudo = numpy.array([16 * whole - 15 * left(replicate != r, slopes[r]) for r in range(16)])
    freedom = 15 - numpy.count_nonzero(numpy.mean(slopes, axis=0)) * (1 if sobol else 0.5)
    widen = of_replicates(pseudo, freedom) / quantile(15 if sobol else len(y) - 1)
    error = widen * (((pseudo - pseudo.mean())**2).sum() / 16 / freedom)**0.5
    return pseudo.mean(), error if sobol else max(error, residual.std(ddof=1) / len(y)**0.5)


def controls_of(file, c, *strategies):
    """Whether there is any capacity, work completed, where its mean is known, then the reference, the capacity and its
    squared deviation."""
    known, capacity, reference = file["control_mean"][c], file["capacity"][c], file["reference"][c]
    columns = [capacity > 0, reference, capacity, (capacity - known[3])**2]
    means = [known[0], *known[2:]]
    for s in reversed(strategies):
        if not numpy.isnan(file["expected_work"][c, s]):
            columns.insert(1, file["ratio"][c, s] * reference)
            means.insert(1, file["expected_work"][c, s])
    return numpy.array(columns).T, numpy.array(means)


@pytest.mark.parametrize("lines", [CONTROL, SOBOL, CONTROL + "\n" + SOBOL])
def test_means_and_standard_errors_are_those_of_numpy(run, lines):
    result, path = run("a.h5", lines)
    assert "each instance is worth" in result.stderr and "(greedy)" in result.stderr
    with h5py.File(path) as file:
        assert file.attrs["format_version"].tolist() == [1, 4]
        assert json.loads(file.attrs["resolved"])["sampling"] == ("sobol" if SOBOL in lines else "random")
        assert ("controlled_mean" in file) == ("capacity" in file) == (CONTROL in lines)
        assert numpy.isfinite(file["expected_work"][:]).all()
        for c in range(6):
            for s in range(3):
                y = file["ratio"][c, s]
                plain = regression(y, numpy.empty((1000, 0)), numpy.empty(0), SOBOL in lines)
                independent = guarded_error(y)
                assert file["mean"][c, s] == pytest.approx(y.mean(), rel=1e-12)
                assert file["standard_error"][c, s] == pytest.approx(plain[1], rel=1e-9)
                error = file["standard_error"][c, s]
                if CONTROL in lines:
                    mean, error = regression(y, *controls_of(file, c, s), SOBOL in lines)
                    if plain[1] < error:
                        mean, error = y.mean(), plain[1]
                    assert file["controlled_mean"][c, s] == pytest.approx(mean, abs=1e-6)
                    assert file["controlled_standard_error"][c, s] == pytest.approx(error, rel=0.01, abs=1e-7)
                    error = file["controlled_standard_error"][c, s]
                if SOBOL in lines:  # Student's t of 15 degrees of freedom
                    assert file["half_width"][c, s] == pytest.approx(2.1314495 * plain[1], rel=1e-6)
                assert file["efficiency_gain"][c, s] == pytest.approx(independent**2 / error**2, rel=1e-6)


def test_capacities_have_the_means_that_are_known(run):
    with h5py.File(run("a.h5", CONTROL, "--instances", 20000)[1]) as file:
        for c in range(6):
            capacity, reference, known = file["capacity"][c], file["reference"][c], file["control_mean"][c]
            assert (reference <= capacity * (1 + 1e-12)).all()
            without, expected = (capacity == 0).sum(), 20000 * (1 - known[0])
            assert abs(without - expected) < 6 * expected**0.5 + 6  # Poisson: false alarm below 2e-9
            for values, mean in ((reference, known[2]), (capacity, known[3]), ((capacity - known[3])**2, known[4])):
                # Normal after 20000 instances; six standard errors are a false alarm of 2e-9 each.
                assert abs(values.mean() - mean) < 6 * values.std() / 20000**0.5 + 1e-12
            assert (file["control_error"][c] < 1e-5 * max(1, known[3])).all()


def test_controlled_means_agree_with_a_long_plain_run(run):
    """36 comparisons of six standard errors of the difference: false alarm 1e-7."""
    with h5py.File(run("long.h5", "", "--instances", 60000, "--seed", 99)[1]) as file:
        mean, error = file["mean"][...], file["standard_error"][...]
        assert file.attrs["format_version"].tolist() == [1, 0]
        assert not {"efficiency_gain", "capacity", "controlled_mean", "control_mean"} & set(file)
    for lines, name in ((CONTROL, "controlled_mean"), (SOBOL, "mean")):
        with h5py.File(run("short.h5", lines, "--instances", 8000, "--force")[1]) as file:
            other = file["controlled_standard_error" if name != "mean" else "standard_error"][...]
            # Of Sobol points, 15 degrees of freedom: t beyond 13 is as rare as a normal beyond six.
            bound = 6 * error + (6 if name != "mean" else 13) * other
            assert (abs(file[name][...] - mean) < bound).all()


def test_exact_means_are_those_of_a_long_plain_run(run):
    """18 comparisons of six standard errors, less for random orders, which are by control: false alarm 4e-8."""
    with h5py.File(run("long.h5", "", "--instances", 60000, "--seed", 99)[1]) as long, \
            h5py.File(run("short.h5", EXACT, "--instances", 500)[1]) as file:
        exact, error = file["expected_ratio"][...], file["expected_ratio_error"][...]
        assert file.attrs["format_version"].tolist() == [1, 5]
        known = ~numpy.isnan(exact)
        assert (known == (numpy.array(file["strategy"].asstr()) != "random-replication")).all()
        assert (error[known] < 2e-5).all()
        assert (file["controlled_mean"][...][known] == exact[known]).all()
        numpy.testing.assert_allclose(file["controlled_half_width"][...][known], error[known], rtol=1e-12)
        bound = 6 * (long["standard_error"][...] + file["controlled_standard_error"][...])
        assert (abs(file["controlled_mean"][...] - long["mean"][...]) < bound).all()
        assert (file["efficiency_gain"][...][known] > 1000).all()


def test_exact_means_do_not_depend_on_the_instances_nor_on_the_run(run):
    whole = datasets(run("a.h5", EXACT, "--threads", 2)[1])
    assert datasets(run("b.h5", EXACT, "--threads", 1)[1]) == whole
    run("c.h5", "", "--instances", 300)
    assert datasets(run("c.h5", EXACT, "--resume")[1]) == whole
    other = datasets(run("d.h5", EXACT, "--instances", 250, "--seed", 5)[1])
    assert all(other[name] == whole[name] for name in ("expected_ratio", "expected_ratio_error", "expected_work"))


def test_a_single_instance_is_precise_enough_where_all_means_are_exact(coterie, tmp_path):
    (tmp_path / "p.toml").write_text('precision = 0.01\nmax_instances = 1\nstrategies = ["no-replication", "greedy"]\n'
                                     'variance_reduction = "exact"\n[grid]\nworkers = 5\nwork = 2\nchunks = 10\n'
                                     'startup = 0.01\nrisk = "linear"\n')
    done = coterie("run", tmp_path / "p.toml", "--output", tmp_path / "p.h5")
    assert "does not reach" not in done.stderr
    with h5py.File(tmp_path / "p.h5") as file:
        assert (file["controlled_half_width"][...] < 1e-4).all() and file["instances_done"][0] == 1


def test_show_and_report_tell_exact_means(run, coterie):
    _, path = run("e.h5", EXACT, "--instances", 300)
    rows = json.loads(coterie("show", path, "--by", "workers", "--by", "risk", "--format", "json").stdout)
    with h5py.File(path) as file:
        exact, error = file["expected_ratio"][...], file["expected_ratio_error"][...]
        strategies = list(file["strategy"].asstr())
        cells = [(workers, risk) for workers, risk in zip(file["workers"][...], file["risk"].asstr())]
    for row in rows:
        c, s = cells.index((row["workers"], row["risk"])), strategies.index(row["strategy"])
        if row["strategy"] == "random-replication":
            continue
        assert row["controlled_mean"] == exact[c, s]
        base = strategies.index("no-replication")
        if s != base:
            assert row["controlled_difference"] == pytest.approx(exact[c, s] - exact[c, base], abs=1e-15)
            width = row["controlled_difference_high"] - row["controlled_difference_low"]
            assert width == pytest.approx(2 * (error[c, s] + error[c, base]), rel=1e-6)
    assert "Means and differences are exact where these are known, otherwise by regression" in coterie("show", path).stdout
    coterie("report", path)
    assert '"exact":true' in path.with_suffix(".html").read_text().replace(" ", "")


@pytest.mark.parametrize("chunks", [10 ** 4, 3 * 10 ** 5])
def test_ratios_that_differ_by_rounding_have_a_controlled_mean(coterie, tmp_path, chunks):
    """All instances are short of capacity, and what they lose is half a tiny chunk: cubes of that have no digits."""
    for seed in range(1, 5):
        (tmp_path / "c.toml").write_text(
            f'seed = {seed}\ninstances = 40\n{CONTROL}\nstrategies = ["no-replication"]\n[grid]\nworkers = 1\nwork = 1.3\n'
            f'startup = 0\nchunks = {chunks}\nrisk = "weibull(shape=50, scale=1)"\n')
        coterie("run", "c.toml", "--output", "c.h5", "--force", "--quiet", cwd=tmp_path)
        with h5py.File(tmp_path / "c.h5") as result:
            assert result["controlled_mean"][0, 0] == pytest.approx(1, abs=2 / chunks)
            assert 0 < result["controlled_half_width"][0, 0] < 1


def test_precision_ends_at_once_where_means_are_exact(coterie, tmp_path):
    text = CAMPAIGN.format(lines=EXACT + "\nprecision = 0.0001").replace("instances = 1000\n", "")
    (tmp_path / "p.toml").write_text(text.replace(', "random-replication"', ""))
    coterie("run", tmp_path / "p.toml", "--output", tmp_path / "p.h5")
    with h5py.File(tmp_path / "p.h5") as file:
        assert (file["instances_done"][...] == 250).all()
        assert (file["controlled_half_width"][...] < 0.0001).all()


def test_instances_in_which_nothing_can_be_done_are_a_control(coterie, tmp_path):
    """Their ratio is 1, that of others is not, and how many they are is known."""
    (tmp_path / "n.toml").write_text(CAMPAIGN.format(lines=CONTROL).replace("0.01", "0.3").replace("[3, 12]", "3"))
    coterie("run", tmp_path / "n.toml", "--output", tmp_path / "n.h5", "--instances", 4000)
    coterie("run", tmp_path / "n.toml", "--output", tmp_path / "l.h5", "--instances", 60000, "--seed", 9,
            "--set", "variance_reduction=none")
    with h5py.File(tmp_path / "n.h5") as file, h5py.File(tmp_path / "l.h5") as long:
        c = [i for i in range(3) if "weibull" in file["risk"].asstr()[i]][0]
        nothing = (1 - numpy.exp(-(0.3 / 0.4)**0.5))**3
        assert file["control"].asstr()[0] == "capacity above 0"
        assert file["control_mean"][c, 0] == pytest.approx(1 - nothing, abs=1e-7)
        assert (file["ratio"][c][:, file["capacity"][c] == 0] == 1).all()
        assert (file["efficiency_gain"][c] > 3.5).all()  # 5 to 6 by residuals, which the jackknife over 16 replicates widens
        # Three comparisons of six standard errors: false alarm 6e-9.
        bound = 6 * (long["standard_error"][c] + file["controlled_standard_error"][c])
        assert (abs(file["controlled_mean"][c] - long["mean"][c]) < bound).all()


@pytest.mark.parametrize("risk, startup", [("trace(file=t.durations, normalise=longest)", 0.1),
                                           ("trace(file=z.durations, normalise=longest)", 0),
                                           ("trace(file=t.durations, age=each(0, 200))", 0.1)])
def test_a_risk_that_jumps_at_the_startup_biases_nothing(coterie, tmp_path, risk, startup):
    """Whether anything can be completed depends on the last digits there, so it is no control."""
    (tmp_path / "t.durations").write_text("100\n100\n300\n1000\n")
    (tmp_path / "z.durations").write_text("0\n0\n400\n500\n1000\n")
    (tmp_path / "a.toml").write_text(
        f'seed = 5\ninstances = 20000\n{CONTROL}\nstrategies = ["no-replication", "greedy"]\n'
        f'[grid]\nworkers = 2\nwork = 0.4\nchunks = 10\nstartup = {startup}\nrisk = "{risk}"\n')
    coterie("run", tmp_path / "a.toml", "--output", tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        if "each" not in risk:
            assert numpy.isnan(file["control_mean"][0, 0])
        # Six standard errors of the plain mean: false alarm 1e-8 for all.
        assert (abs(file["controlled_mean"][0] - file["mean"][0]) <= 6 * file["standard_error"][0]).all()


def test_the_same_bytes_for_threads_shards_and_growth(coterie, run, tmp_path):
    for lines in (CONTROL, SOBOL, CONTROL + "\n" + SOBOL):
        _, path = run("whole.h5", lines, "--threads", 1, "--force")
        whole = datasets(path)
        for threads in (2, 3):
            assert datasets(run("threads.h5", lines, "--threads", threads, "--force")[1]) == whole
        for index in (1, 2):  # a shard has some instances of each configuration
            run(f"s{index}.h5", lines, "--shard", f"{index}/2", "--force")
        coterie("merge", tmp_path / "s2.h5", tmp_path / "s1.h5", "--output", tmp_path / "m.h5", "--force")
        assert datasets(tmp_path / "m.h5") == whole
        run("grown.h5", lines, "--instances", 333, "--force")
        assert datasets(run("grown.h5", lines, "--resume")[1]) == whole
    plain = datasets(run("plain.h5", "")[1])
    _, path = run("controlled.h5", CONTROL)
    controlled = datasets(path)
    assert {name: data for name, data in controlled.items() if name in plain} == plain


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
            for name in ("expected_ratio", "control_mean", "capacity", "controlled_mean"):
                assert (numpy.isfinite(file[name][:, 0]) == own).all(), name
    coterie("merge", tmp_path / "s1.h5", tmp_path / "s2.h5", "--output", tmp_path / "m.h5")
    assert datasets(tmp_path / "m.h5") == datasets(go("whole.h5"))


def test_a_mean_that_is_known_without_error_hides_no_gain(coterie, tmp_path):
    """No worker gets beyond a start-up of 1."""
    (tmp_path / "g.toml").write_text(f'seed = 1\ninstances = 250\n{EXACT}\nstrategies = ["greedy"]\n'
                                     '[grid]\nworkers = 3\nwork = 1\nchunks = 10\nstartup = [0.1, 1]\n')
    coterie("run", tmp_path / "g.toml", "--output", tmp_path / "g.h5")
    with h5py.File(tmp_path / "g.h5") as file:
        assert file["expected_ratio_error"][1, 0] == 0
    (row,) = json.loads(coterie("show", tmp_path / "g.h5", "--format", "json").stdout)
    assert row["efficiency_gain"] > 1000
    rows = json.loads(coterie("show", tmp_path / "g.h5", "--by", "startup", "--format", "json").stdout)
    with h5py.File(tmp_path / "g.h5") as file:
        assert file["efficiency_gain"][0, 0] == pytest.approx(rows[0]["efficiency_gain"])
        assert file["efficiency_gain"][1, 0] == float(rows[1]["efficiency_gain"]) == math.inf


def test_a_result_is_controlled_afterwards_but_not_sampled_otherwise(run):
    run("a.h5", "")
    assert datasets(run("a.h5", CONTROL, "--resume")[1]) == datasets(run("b.h5", CONTROL)[1])
    with pytest.raises(AssertionError, match="sampling: was random, now sobol"):
        run("a.h5", CONTROL + "\n" + SOBOL, "--resume")


def test_precision_goes_by_the_controlled_means(run, coterie, tmp_path):
    lines = CONTROL + "\nprecision = 0.002\nmax_instances = 60000"
    campaign = CAMPAIGN.replace("instances = 1000\n", "").format(lines=lines)

    def go(name, *options):
        (tmp_path / "p.toml").write_text(campaign)
        coterie("run", tmp_path / "p.toml", "--output", tmp_path / name, *options)
        return tmp_path / name

    path = go("p.h5", "--threads", 1)
    with h5py.File(path) as file:
        done = file["instances_done"][:].astype(int)
        assert (file["controlled_half_width"][:] < 0.002).all() and file["half_width"][:].max() > 0.002
        assert (done % 250 == 0).all() and done.max() < 60000
        assert numpy.isnan(file["capacity"][int(done.argmin()), int(done.min()):]).all()
    plain = go("q.h5", "--set", "variance_reduction=none")
    with h5py.File(plain) as file:
        least = math.ceil(1.96 * 3 / 0.002 / 250) * 250  # with which a run may end, whatever its means
        assert (done >= least).all() and (done > least).any()
        assert (file["instances_done"][:] > 1.5 * done)[done > least].all()
        assert (file["instances_done"][:] > done).all()
    whole = datasets(path)
    for index in (1, 2):
        go(f"p{index}.h5", "--shard", f"{index}/2")
    coterie("merge", tmp_path / "p1.h5", tmp_path / "p2.h5", "--output", tmp_path / "m.h5")
    assert datasets(tmp_path / "m.h5") == whole
    go("g.h5", "--precision", 0.006)
    assert datasets(go("g.h5", "--resume", "--threads", 3)) == whole


def test_replay_agrees(run, coterie):
    for lines in (SOBOL, CONTROL):
        path = run("r.h5", lines, "--force")[1]
        with h5py.File(path) as file:
            for c, i in ((0, 0), (3, 15), (4, 16), (2, 501), (5, 999)):
                answer = json.loads(coterie("replay", path, "--configuration", c, "--instance", i, "--format",
                                            "json").stdout)
                assert [s["ratio"] for s in answer["strategies"]] == file["ratio"][c, :, i].tolist()
                if lines == CONTROL:
                    times = [w["interruption"] for w in answer["workers"]]
                    work = answer["configuration"]["work"]
                    assert answer["capacity"] == file["capacity"][c, i]
                    assert answer["capacity"] == pytest.approx(sum(min(work, max(0, t - 0.01)) for t in times))
    with h5py.File(path, "r+") as file:
        del file.attrs["sealed"]  # or else its checksums would find it out before
        file["capacity"][0, 0] += 1e-9
    result = coterie("replay", path, "--configuration", 0, "--instance", 0, check=False)
    assert result.returncode == 1 and "the capacity is" in result.stderr


def test_show(run, coterie):
    path = run("s.h5", CONTROL)[1]
    rows = json.loads(coterie("show", path, "--by", "workers", "--by", "risk", "--format", "json").stdout)
    with h5py.File(path) as file:
        for row, (c, s) in zip(rows, ((c, s) for c in (0, 1, 2, 3, 4, 5) for s in range(3))):
            c = [i for i in range(6) if file["workers"][i] == row["workers"]
                 and file["risk"].asstr()[i] == row["risk"]][0]
            assert row["controlled_mean"] == file["controlled_mean"][c, s]
            assert row["controlled_standard_error"] == pytest.approx(file["controlled_standard_error"][c, s], rel=1e-12)
            assert row["efficiency_gain"] == pytest.approx(file["efficiency_gain"][c, s], rel=1e-9)
            difference = file["ratio"][c, s] - file["ratio"][c, 1]
            assert row["difference"] == pytest.approx(difference.mean(), rel=1e-9, abs=1e-12)
            if s == 1:
                continue
            mean, error = regression(difference, *controls_of(file, c, s, 1), False)
            assert row["controlled_difference"] == pytest.approx(mean, abs=1e-6)
            assert row["controlled_difference_standard_error"] == pytest.approx(error, rel=0.01, abs=1e-7)
            assert row["controlled_difference_low"] < mean < row["controlled_difference_high"]
            assert error < difference.std() / 1000**0.5
    table = coterie("show", path).stdout
    assert "by regression on controls" in table and " x" in table
    header = next(csv.reader(io.StringIO(coterie("show", path, "--format", "csv").stdout)))
    assert {"controlled_mean", "efficiency_gain", "controlled_difference_low"} <= set(header)
    sobol = run("t.h5", SOBOL)[1]
    row = json.loads(coterie("show", sobol, "--format", "json").stdout)[0]
    assert row["efficiency_gain"] > 0 and "controlled_mean" not in row


def test_bounds_do_not_shrink_with_the_number_of_configurations(coterie, tmp_path):
    """Where capacity is never short, the interval is that of all levels which the ratio may have there."""
    path = tmp_path / "rare.toml"
    path.write_text(f"""seed = 1
instances = 500
{CONTROL}
strategies = ["greedy", "no-replication"]
baseline = "no-replication"
[grid]
workers = 6
work = [0.5, 0.55, 0.6, 0.65]
chunks = 10
startup = 0.001
risk = "linear"
""")
    coterie("run", path, "--output", tmp_path / "rare.h5", "--quiet")
    (shown, _) = json.loads(coterie("show", tmp_path / "rare.h5", "--format", "json").stdout)
    quantile = scipy.stats.t.ppf(0.975, 499)
    with h5py.File(tmp_path / "rare.h5") as file:
        assert (file["capacity"][...] > file["work"][...][:, None]).mean() > 0.99
        widths = file["controlled_half_width"][:, 0]
        assert (widths < file["half_width"][:, 0]).all()
    assert shown["controlled_standard_error"] == pytest.approx(widths.mean() / quantile, rel=1e-6)
    assert shown["controlled_difference_high"] - shown["controlled_difference"] > widths.mean() / 2


def test_the_report_tells_the_controlled_means(run, coterie):
    for lines in (CONTROL, SOBOL):
        path = run("page.h5", lines, "--force")[1]
        coterie("report", path)
        page = path.with_suffix(".html").read_text()
        cells = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])["cells"]
        assert cells["controlled"] == (lines == CONTROL)
        shown = json.loads(coterie("show", path, "--by", "workers", "--by", "risk", "--format", "json").stdout)
        prefix = "controlled_" if lines == CONTROL else ""
        for name in ("mean", "difference"):  # groups come in the order in which configurations meet them
            assert cells[name] == pytest.approx([row[prefix + name] for row in shown], rel=1e-5, abs=1e-9)
        errors = [row[prefix + "standard_error"] for row in shown]
        quantiles = scipy.stats.t.ppf(0.975, cells["mean_freedom"])
        whole = numpy.array(cells["mean_error"]) + numpy.array(cells["mean_bound"]) / quantiles
        assert whole == pytest.approx(errors, rel=1e-5, abs=1e-9)


def test_where_plain_means_would_be_better_is_told(coterie, tmp_path):
    """Against heavy tails a few Sobol points help little: of 600 means 94 were worse by the errors that were met, hence
    none of 200 with a probability below 1e-10. A regression that is worse is not taken."""
    grid = """workers = 10
work = "0.6 workers"
chunks = 20
startup = "0.001..0.2:0.001"
risk = "weibull(shape=0.5, scale=0.4)"
"""
    head = CAMPAIGN[:CAMPAIGN.index("workers =")].replace('"greedy", "no-replication", "random-replication"',
                                                          '"no-replication"')
    for lines in (SOBOL, CONTROL):
        (tmp_path / "w.toml").write_text(head.format(lines=lines) + grid)
        said = coterie("run", "w.toml", "--output", "w.h5", "--instances", 160, "--force", cwd=tmp_path).stderr
        with h5py.File(tmp_path / "w.h5") as file:
            gains = file["efficiency_gain"][:]
        assert gains.shape == (200, 1)
        worse = numpy.count_nonzero(gains < 0.99)
        shown = coterie("show", "w.h5", "--by", "startup", cwd=tmp_path).stdout
        coterie("report", "w.h5", cwd=tmp_path)
        page = (tmp_path / "w.html").read_text()
        if lines == CONTROL:
            assert worse == 0
            assert "worth less" not in said and "Worse than plain" not in shown and "worse than plain" not in page
            continue
        assert worse > 0
        assert f"in {worse} of 200 means of single configurations it is worth less than 0.99: plain means are better" in said
        assert f"(below x0.99) in {worse} of 200 means of single configurations and in {worse} of the means below." in shown
        assert f"For {worse} of 200 means of single configurations, variance reduction is worse, by more than 1 %, than plain means" in page


def test_validate_shows_them(coterie, run, tmp_path):
    run("a.h5", CONTROL)
    for key, word in (("variance_reduction", "control"), ("sampling", "random")):
        assert any(line.split() == [key, word] for line in coterie("validate", tmp_path / "v.toml").stdout.splitlines())
    resolved = json.loads(coterie("validate", tmp_path / "v.toml", "--set", "sampling=sobol", "--format", "json").stdout)
    assert resolved["sampling"] == "sobol" and resolved["variance_reduction"] == "control"


@pytest.mark.parametrize("lines, grid, message", [
    ('variance_reduction = "controls"', "", '"variance_reduction" must be "none", "control" or "exact", not "controls" '
     '(did you mean "control"?)'),
    ('sampling = "halton"', "", '"sampling" must be "random" or "sobol", not "halton"'),
    (CONTROL, 'background = "mm1(arrival=.5, service=1)"', '"variance_reduction" = "control" needs exact means'),
    (EXACT, 'background = "mm1(arrival=.5, service=1)"', '"variance_reduction" = "exact" needs exact means'),
    (EXACT, "zones = 2\ncommon = 0.5", '"variance_reduction" = "exact" needs exact means'),
    (SOBOL + "\nprecision = 0.01", "", '"sampling" = "sobol" needs a fixed number of instances'),
])
def test_what_cannot_be_is_refused(coterie, tmp_path, lines, grid, message):
    text = CAMPAIGN.format(lines=lines) + grid
    (tmp_path / "x.toml").write_text(text.replace("instances = 1000\n", "") if "precision" in lines else text)
    result = coterie("validate", tmp_path / "x.toml", check=False)
    assert result.returncode == 2 and "x.toml:4" in result.stderr.replace("x.toml:5", "x.toml:4")
    assert message in result.stderr


def test_other_models_and_too_many_workers_are_refused(coterie, tmp_path):
    path = tmp_path / "n.toml"
    path.write_text(CAMPAIGN.format(lines=SOBOL).replace("[3, 12]", "[3, 4000]"))
    result = coterie("validate", path, check=False)
    assert result.returncode == 2 and "Sobol points for at most 3667 workers, not 4000" in result.stderr
    path.write_text(CAMPAIGN.format(lines=CONTROL).replace("[3, 12]", "[65536, 65537]"))
    result = coterie("validate", path, check=False)
    assert result.returncode == 2 and "for at most 65536 workers, not 65537" in result.stderr
    path.write_text('model = "heterogeneous"\nseed = 1\ninstances = 10\n' + CONTROL +
                    '\nstrategies = ["optimal"]\n[grid]\nworkers = 3\nwork = 1\n')
    result = coterie("validate", path, check=False)
    assert result.returncode == 2 and "is for the model worksharing" in result.stderr, result.stderr
