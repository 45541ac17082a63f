"""Campaigns that Python holds, and results with a dimension for each axis."""

import numpy as np
import pytest

import coterie

MINE = {"seed": 1, "instances": 20, "strategies": ["greedy", "brute"],
        "grid": {"workers": np.array([2, 5]), "work": range(1, 3), "startup": 0.1, "risk": ["linear", "exponential(rate=2)"]}}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("change, told", [
    ({"strategies": ["gredy"]}, 'strategies: unknown strategy "gredy"'),
    ({"instanzen": 3}, 'instanzen: unknown key "instanzen"'),
    ({"grid": {"workers": 0, "work": 1, "startup": 0.1}}, "grid.workers: workers must be"),
    ({"grid": {"workers": 1, "work": 1, "startup": 0.1, "risk": "trace(file=none.csv)"}}, "grid.risk: trace: "),
    ({"case": [{"workers": 1, "work": 1, "startup": 1}, {"workers": 1, "work": -1, "startup": 1}]}, "case[1].work: work"),
])
def test_what_is_wrong_is_told_with_its_key(change, told, tmp_path):
    with pytest.raises(coterie.ProgramError) as error:
        coterie.run(MINE | change, quiet=True)
    assert str(error.value).startswith(told) and ".toml" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_values_that_no_campaign_has_are_refused(tmp_path):
    with pytest.raises(TypeError, match="a campaign or problem cannot contain None"):
        coterie.run(MINE | {"seed": None}, quiet=True)
    assert list(tmp_path.iterdir()) == []


def test_a_dict_is_the_file_that_says_the_same(tmp_path):
    (tmp_path / "mine.toml").write_text("""
seed = 1
instances = 20
strategies = ["greedy", "brute"]
[grid]
workers = [2, 5]
work = [1, 2]
startup = 0.1
risk = ["linear", "exponential(rate=2)"]
""")
    with coterie.run("mine.toml", quiet=True) as written, coterie.run(MINE, quiet=True) as held:
        for name, values in written.variables.items():
            assert np.array_equal(values, held[name]), name
    with coterie.run(MINE | {"instances": 30}, resume=True, quiet=True) as longer:
        assert longer.sizes["instance"] == 30


def test_several_axes_of_multiples_are_dimensions(tmp_path):
    grid = {"workers": [5, 10], "work": ["0.3 workers", "0.7 workers"], "startup": ["0.01 work", "0.1 work"]}
    with coterie.run({"instances": 2, "strategies": ["brute"], "grid": grid}, tmp_path / "m.h5", quiet=True) as results:
        product = coterie.by_axes(results)
        assert dict(product.sizes) == {"workers": 2, "work_per_workers": 2, "startup_per_work": 2, "strategy": 1, "instance": 2}
        one = coterie.select(results, workers=10, work=7, startup=0.7)
        assert np.array_equal(product["ratio"].sel(workers=10, work_per_workers=0.7, startup_per_work=0.1), one["ratio"][0])


def test_each_axis_is_a_dimension(tmp_path):
    with coterie.run(MINE, quiet=True) as results:
        product = coterie.by_axes(results)
        assert dict(product.sizes) == {"workers": 2, "work": 2, "risk": 2, "strategy": 2, "instance": 20}
        for workers in (2, 5):
            for risk in ("linear", "exponential(rate=2)"):
                one = coterie.select(results, workers=workers, work=2, risk=risk)
                assert np.array_equal(product["ratio"].sel(workers=workers, work=2, risk=risk), one["ratio"][0])
        assert dict(coterie.by_axes(results.isel(configuration=[3])).sizes) == {"strategy": 2, "instance": 20}
        with pytest.raises(coterie.ResultError, match="3 configurations are not a product of the axes"):
            coterie.by_axes(results.isel(configuration=[0, 1, 2]))
        with pytest.raises(coterie.ResultError, match="4 configurations are not a product of the axes"):
            coterie.by_axes(results.isel(configuration=[0, 1, 0, 1]))
