"""Result files as Python sees them: the promises of the format, read with h5py, h5netcdf and the package coterie."""

import json
import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import coterie
from coterie.curves import differences, mean_difference, ratio_ceiling
from coterie.plots import plot_mean
from coterie.results import instances_of, ratios_of, reference_moments

CONFIGURATIONS, STRATEGIES, INSTANCES = 16, 4, 40
BY_CONFIGURATION = ["workers", "work", "startup", "risk", "lambda", "background", "chunks_requested", "identity"]
BY_STRATEGY = ["chunks", "chunk_size", "expected_work", "mean", "stddev", "standard_error", "min", "max", "q05", "q25",
               "q50", "q75", "q95"]


def test_h5py_finds_the_shapes_units_and_scales_of_the_format(small):
    with h5py.File(small) as file:
        assert file["ratio"].shape == (CONFIGURATIONS, STRATEGIES, INSTANCES)
        assert file["ratio"].dtype == np.float64
        assert file["ratio"].fletcher32
        assert file["reference"].shape == (CONFIGURATIONS, INSTANCES)
        names = [text.decode() for text in file["strategy"]]
        assert names == ["greedy", "cyclic-replication", "no-replication", "brute"]
        for name in BY_CONFIGURATION:
            assert file[name].shape == (CONFIGURATIONS,), name
            assert "long_name" in file[name].attrs, name
        for name in BY_STRATEGY:
            assert file[name].shape == (CONFIGURATIONS, STRATEGIES), name
            assert "units" in file[name].attrs, name
        for name, dimensions in {"ratio": ["configuration", "strategy", "instance"],
                                 "mean": ["configuration", "strategy"], "reference": ["configuration", "instance"],
                                 "workers": ["configuration"]}.items():
            scales = [Path(dimension[0].name).name for dimension in file[name].dims]
            assert scales == dimensions, name


def test_root_attributes_tell_where_the_file_comes_from(small):
    with h5py.File(small) as file:
        attributes = dict(file.attrs)
    assert attributes["filetype"] == "coterie-result"
    assert list(attributes["format_version"])[0] == 1
    assert attributes["title"] == "small" and attributes["model"] == "worksharing"
    assert attributes["campaign"] == (small.parent / "small.toml").read_text()
    assert json.loads(attributes["resolved"])["instances"] == INSTANCES
    assert int(attributes["seed"]) == 7 and int(attributes["complete"]) == 1
    assert attributes["Conventions"] == "CF-1.8"
    for name in ("coterie_version", "git_revision", "compiler", "flags", "libraries", "command_line", "started",
                 "finished"):
        assert attributes[name], name


def test_plain_xarray_opens_the_file_with_named_dimensions(small):
    with xr.open_dataset(small, engine="h5netcdf") as dataset:
        assert dict(dataset.sizes) == {"configuration": CONFIGURATIONS, "strategy": STRATEGIES, "instance": INSTANCES}
        assert dataset["ratio"].dims == ("configuration", "strategy", "instance")
        assert dataset["ratio"].sel(strategy="greedy").shape == (CONFIGURATIONS, INSTANCES)


def test_statistics_are_those_of_the_ratios(small):
    with coterie.open_results(small) as results:
        ratio = results["ratio"].values
        np.testing.assert_allclose(results["mean"], ratio.mean(axis=2), rtol=1e-12)
        np.testing.assert_allclose(results["stddev"], ratio.std(axis=2, ddof=1), rtol=1e-9)
        np.testing.assert_allclose(results["standard_error"], coterie.standard_errors(ratio), rtol=1e-7)
        np.testing.assert_array_equal(results["min"], ratio.min(axis=2))
        np.testing.assert_array_equal(results["max"], ratio.max(axis=2))
        assert ratio.min() >= 0 and ratio.max() <= 1


def test_the_reader_makes_coordinates_and_tables_of_the_axes(small):
    with coterie.open_results(small) as results:
        assert set(BY_CONFIGURATION) <= set(results.coords)
        table = coterie.to_dataframe(results)
        assert len(table) == CONFIGURATIONS * STRATEGIES
        assert {"workers", "startup", "strategy", "mean", "expected_work"} <= set(table.columns)
        one = table[(table.workers == 5) & (table.work == 2) & (table.startup == 0.01)
                    & (table.chunks_requested == "10") & (table.strategy == "greedy")]
        assert len(one) == 1
        chosen = coterie.select(results, workers=5, work=2, startup=0.01, chunks_requested="10")
        assert chosen.sizes["configuration"] == 1
        assert one["mean"].item() == chosen["mean"].sel(strategy="greedy").item()


def test_average_weighs_configurations_equally(small):
    with coterie.open_results(small) as results:
        mean, error = coterie.average(results, "greedy")
        ratio = results["ratio"].sel(strategy="greedy").values
        assert mean == pytest.approx(100 * ratio.mean())
        estimate = coterie.grand_mean(ratio)
        errors = results["standard_error"].sel(strategy="greedy").values
        assert error == pytest.approx(100 * np.sqrt((errors**2).sum()) / len(errors))
        assert error == pytest.approx(100 * estimate.error, rel=1e-7)
        assert mean == pytest.approx(100 * estimate.value)


@pytest.mark.parametrize("line", ["common_random_numbers = true", "precision = 0.05"])
def test_means_and_differences_have_the_errors_of_show(program, tmp_path, line):
    count = "" if "precision" in line else "instances = 70\n"
    (tmp_path / "c.toml").write_text(f'{count}{line}\nseed = 3\nstrategies = ["greedy", "brute"]\nbaseline = "brute"\n'
                                     '[grid]\nworkers = [2, 3, 5]\nwork = 1.5\nchunks = 10\nstartup = 0.05\n')
    with coterie.run(tmp_path / "c.toml", tmp_path / "r.h5", quiet=True) as results:
        shown = json.loads(program("show", tmp_path / "r.h5", "--format", "json"))
        ratio = {name: results["ratio"].sel(strategy=name).values for name in ("greedy", "brute")}
        for row in shown:
            mean = coterie.grand_mean(ratio[row["strategy"]], of=results)
            assert mean.value == pytest.approx(row["mean"]), row
            assert mean.error == pytest.approx(row["standard_error"], rel=1e-7), row
            assert mean.error == pytest.approx(coterie.average(results, row["strategy"])[1] / 100, rel=1e-7)
        low, high = coterie.paired_difference(ratio["greedy"], ratio["brute"], of=results).interval
        row = next(row for row in shown if row["strategy"] == "greedy")
        assert (low, high) == pytest.approx((row["difference_low"], row["difference_high"]), rel=1e-6)
        assert coterie.gap_closed(ratio["greedy"], ratio["brute"], results).error > 0
        with pytest.raises(coterie.ResultError, match="3 configurations and"):
            coterie.grand_mean(ratio["greedy"][:2], of=results)


def test_select_says_what_is_missing(small):
    with coterie.open_results(small) as results:
        with pytest.raises(coterie.ResultError, match="no axis 'speed'"):
            coterie.select(results, speed=1)
        with pytest.raises(coterie.ResultError, match="no axis 'strategy'"):
            coterie.select(results, strategy="greedy")
        with pytest.raises(coterie.ResultError, match="no configuration has workers = 3"):
            coterie.select(results, workers=3)


def test_files_that_are_no_complete_results_are_refused(tmp_path):
    with pytest.raises(coterie.ResultError, match="no such file"):
        coterie.open_results(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(coterie.ResultError, match="not an HDF5 file"):
        coterie.open_results(tmp_path / "text.h5")
    for name, attributes, message in [
        ("other", {}, "not a result of coterie"),
        ("newer", {"filetype": "coterie-result", "format_version": [3, 0], "complete": 1}, "format"),
        ("half", {"filetype": "coterie-result", "format_version": [1, 0], "complete": 0}, "incomplete"),
    ]:
        with h5py.File(tmp_path / f"{name}.h5", "w") as file:
            file.attrs.update(attributes)
        with pytest.raises(coterie.ResultError, match=message):
            coterie.open_results(tmp_path / f"{name}.h5")
    coterie.open_results(tmp_path / "half.h5", complete=False).close()
    with h5py.File(tmp_path / "plain.h5", "w") as file:
        file["x"] = [1.0, 2.0]
    with pytest.raises(coterie.ResultError, match="not a result of coterie"):
        coterie.open_results(tmp_path / "plain.h5")


def test_numbers_on_an_axis_that_also_has_words_can_be_selected(program, tmp_path):
    (tmp_path / "c.toml").write_text("""instances = 20
strategies = ["greedy"]
grid = {workers = 3, work = 1, chunks = [5, 7, "auto"], startup = 0.01}
""")
    program("run", tmp_path / "c.toml", "--output", tmp_path / "c.h5", "--quiet")
    with coterie.open_results(tmp_path / "c.h5") as results:
        for value in (7, 7.0, "7", "auto"):
            assert coterie.select(results, chunks_requested=value).sizes["configuration"] == 1
        with pytest.raises(coterie.ResultError, match="no configuration has chunks_requested = 8"):
            coterie.select(results, chunks_requested=8)


def test_results_with_statistics_only_say_what_they_have(program, tmp_path):
    (tmp_path / "c.toml").write_text("""seed = 4
instances = 500
strategies = ["greedy", "brute", "no-replication"]
grid = {workers = [3, 5], work = [1, 2], chunks = 10, startup = 0.01}
""")
    for output in ("ratios", "statistics"):
        program("run", tmp_path / "c.toml", "--quiet", "--set", f"output={output}", "--output", tmp_path / f"{output}.h5")
    with coterie.open_results(tmp_path / "ratios.h5") as ratios, coterie.open_results(tmp_path / "statistics.h5") as only:
        assert "reference_mean" in only.data_vars and set(ratios.coords) < set(only.coords)
        columns = ["workers", "work", "strategy", *BY_STRATEGY[:8]]
        told, wanted = (coterie.to_dataframe(results)[columns] for results in (only, ratios))
        pd.testing.assert_frame_equal(told, wanted, rtol=1e-11)
        for results in (only, coterie.by_axes(only), coterie.by_configuration(coterie.by_axes(only)),
                        coterie.by_axes(ratios)):
            gap, half = differences(results, "greedy", "no-replication")
            np.testing.assert_allclose(gap, differences(ratios, "greedy", "no-replication")[0], rtol=1e-10, atol=1e-14)
            np.testing.assert_allclose(half, differences(ratios, "greedy", "no-replication")[1], rtol=1e-9, atol=1e-14)
        assert coterie.by_axes(only).sizes["workers"] == 2
        assert coterie.average(only, "brute") == pytest.approx(coterie.average(ratios, "brute"), rel=1e-11)
        np.testing.assert_allclose(ratio_ceiling(only), ratio_ceiling(ratios), rtol=1e-12)
        assert plot_mean(only, "workers").get_ylabel() == "mean of the ratio, %"
        for pair in (("greedy", "brute"), ("greedy", "greedy")):
            told, wanted = (mean_difference(results, *pair) for results in (only, ratios))
            assert (told.value, told.half_width) == pytest.approx((wanted.value, wanted.half_width), rel=1e-9, abs=1e-14)
        for told, wanted in zip(reference_moments(coterie.by_axes(only)), reference_moments(ratios)):
            np.testing.assert_allclose(told, wanted, rtol=1e-11)
        assert instances_of(only) == instances_of(ratios) == 500
        np.testing.assert_allclose(coterie.select(only, workers=5)["reference_stddev"],
                                   coterie.select(ratios, workers=5)["reference"].std("instance", ddof=1), rtol=1e-11)


def test_who_asks_statistics_for_ratios_hears_what_to_do(program, tmp_path):
    (tmp_path / "c.toml").write_text("""seed = 4
instances = 250
output = "statistics"
strategies = ["greedy", "brute"]
grid = {workers = [3, 5], work = 1, chunks = 10, startup = 0.01}
""")
    program("run", tmp_path / "c.toml", "--quiet", "--output", tmp_path / "only.h5")
    with coterie.open_results(tmp_path / "only.h5") as only:
        part = coterie.select(coterie.by_axes(only), workers=5).sel(strategy="greedy")
        for results in (only, coterie.by_axes(only), coterie.by_configuration(coterie.by_axes(only)), part, part.load()):
            for name in ("ratio", "reference"):
                for asked in (lambda: results[name], lambda: results[["mean", name]], lambda: getattr(results, name)):
                    with pytest.raises(coterie.ResultError) as refused:
                        asked()
                    assert str(refused.value).startswith(f'these results keep no "{name}" of single instances')
                    assert "--set output=ratios" in str(refused.value) and "histogram" in str(refused.value)
                assert name not in results and results.get(name) is None and not hasattr(results, name)
        with pytest.raises(KeyError, match="'nothing'"):
            only["nothing"]
        assert only[["mean"]]["mean"].sizes == only["mean"].sizes
        with pytest.raises(coterie.ResultError, match="keep no"):
            ratios_of(only, "greedy")


def test_best_share_curve_is_the_mean_of_the_best_with_an_honest_error():
    generator = np.random.default_rng(1)
    ratios = generator.uniform(size=(50, 400))
    curve = coterie.best_share_curve(ratios, points=10)
    # For uniform ratios the best share x averages 1 - x/2.
    np.testing.assert_allclose(curve.y, 1 - curve.x / 200, atol=6 * curve.error.max())
    # The error against the spread of 400 independent repetitions, whose standard deviation is itself known to 3.5 %:
    # 25 % are seven of these, so that a false alarm is rarer than 1e-9.
    repeated = np.stack([coterie.best_share_curve(generator.uniform(size=(50, 40)), points=10).y for _ in range(400)])
    small = coterie.best_share_curve(generator.uniform(size=(50, 40)), points=10)
    np.testing.assert_allclose(small.error, repeated.std(axis=0), rtol=0.25)


def test_no_mean_ratio_exceeds_its_ceiling_and_that_of_best_comes_near_it(program, tmp_path):
    """Within 6 standard errors: a false alarm of a mean is rarer than 2e-9. With 25 workers of an exponential life, few of
    whom end the work, the omniscient rarely completes all of it: a bound by W alone would be 1."""
    (tmp_path / "c.toml").write_text('instances = 2000\nstrategies = ["best", "no-replication"]\n[grid]\n'
                                     'workers = [5, 25]\nwork = [1, 3, "2 workers"]\nstartup = 0.01\n'
                                     'risk = ["linear", "exponential(rate=1)"]\n')
    with coterie.run(tmp_path / "c.toml", tmp_path / "r.h5", quiet=True) as results:
        ceiling = ratio_ceiling(results)
        for name in ("best", "no-replication"):
            one = results.sel(strategy=name)
            errors = one["standard_error"].values  # 0: no loss was seen, and 1 % of losses stay unseen as rarely
            assert (one["mean"].values <= ceiling + np.where(errors == 0, 0.01, 6 * errors)).all()
        best = results["mean"].sel(strategy="best").values
        assert best.mean() > 0.95 * ceiling.mean()
        hard = (results["work"].values == 50) & (results["risk"].values == "exponential(rate=1)")
        assert (best[hard] > 0.9 * ceiling[hard]).all() and (ceiling[hard] < 0.95).all()
        assert ratio_ceiling(results.drop_vars("static_ceiling")) is None


def test_share_where_the_average_reaches_inverts_the_curve():
    ratios = np.linspace(0, 1, 1001)
    share = coterie.share_where_average_reaches(ratios, 0.9)  # the best x average 1 - x/2: x = 20 %
    assert share.value == pytest.approx(20, abs=0.2)
    assert share.error > 0
    assert coterie.share_where_average_reaches(ratios, 0.0).value == 100
    assert coterie.share_where_average_reaches(ratios, 1.5).value == 0


def test_gap_closed_has_the_error_of_paired_instances():
    generator = np.random.default_rng(2)
    worse = generator.uniform(size=(20, 500))
    better = 0.5 + worse / 2  # closes exactly half of the gap, instance by instance: no error at all
    gap = coterie.gap_closed(better, worse)
    assert gap.value == pytest.approx(0.5)
    assert gap.error == 0
    unpaired = coterie.gap_closed(0.5 + generator.uniform(size=(20, 500)) / 2, worse)
    assert unpaired.error > 1e-3


def test_schedules_of_users_are_strategies_like_others(program, root, tmp_path):
    (tmp_path / "mine.csv").write_text("worker,begin,end\n0,0,1\n1,0.5,1\n")
    (tmp_path / "c.toml").write_text('instances = 40\nstrategies = ["greedy", "file(path=mine.csv)"]\n'
                                     '[grid]\nworkers = [2, 3]\nwork = 1\nchunks = 4\nstartup = 0.01\n'
                                     'risk = "linear(kappa=0.5)"\n')
    with coterie.run(tmp_path / "c.toml", tmp_path / "r.h5", quiet=True) as results:
        name = "file(path=mine.csv)"
        assert list(results["strategy"].values) == ["greedy", name]
        mean, _ = coterie.average(results, name)
        assert mean == pytest.approx(100 * float(results["ratio"].sel(strategy=name).mean()))
        picture = plot_mean(results, "workers")
        assert picture.get_legend_handles_labels()[1] == ["greedy", name]
    done = subprocess.run([sys.executable, root / "scripts" / "figures" / "figure_5.py", tmp_path / "r.h5", "--output",
                           tmp_path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and (tmp_path / "figure-5.svg").exists(), done.stderr


def test_means_of_a_shard_are_of_what_it_ran(program, tmp_path):
    (tmp_path / "c.toml").write_text("""seed = 4
instances = 50
strategies = ["greedy", "no-replication"]
[grid]
workers = 3
work = [0.5, 1, 1.5, 2]
chunks = 4
startup = [0.01, 0.02, 0.03, 0.04]
risk = "linear"
""")
    program("run", tmp_path / "c.toml", "--shard", "1/2", "--output", tmp_path / "s.h5", "--quiet")
    shown = json.loads(program("show", tmp_path / "s.h5", "--baseline", "no-replication", "--format", "json"))
    with coterie.open_results(tmp_path / "s.h5", complete=False) as results:
        assert 0 < int((results["instances_done"].values > 0).sum()) < 16
        of_all = coterie.average(results, "greedy")
        gain = mean_difference(results, "greedy", "no-replication")
    row = next(row for row in shown if row["strategy"] == "greedy")
    assert of_all[0] == pytest.approx(100 * row["mean"], rel=1e-9) and of_all[1] > 0
    assert gain.value == pytest.approx(row["difference"], rel=1e-9, abs=1e-12)


def test_a_closed_result_holds_no_file(root):
    path = root / "tests" / "data" / "result.h5"
    with coterie.open_results(path) as results:
        results["mean"].load()
    assert not any(os.path.samefile(one, path) for one in Path("/proc/self/fd").iterdir() if one.is_file())


def test_one_configuration_is_selected_by_a_text(root):
    with coterie.open_results(root / "tests" / "data" / "result.h5") as results:
        one = coterie.by_axes(results.isel(configuration=[0]))
        text = str(np.atleast_1d(one["chunks_requested"].values)[0])
        assert coterie.select(one, chunks_requested=text).sizes["configuration"] == 1
        if text.isdigit():
            assert coterie.select(one, chunks_requested=int(text)).sizes["configuration"] == 1
