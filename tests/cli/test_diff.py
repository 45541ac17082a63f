"""`coterie diff`: what differs between two results, against the files themselves."""
import json

import h5py
import numpy
import pytest

CAMPAIGN = """\
seed = 1
instances = 250
strategies = ["greedy", "no-replication"]
[grid]
workers = [3, 5]
work = [1, 2]
chunks = 20
startup = 0.01
"""


@pytest.fixture
def made(coterie, tmp_path):
    """The result of the campaign under a name, with settings."""
    (tmp_path / "c.toml").write_text(CAMPAIGN)

    def make(name, *settings):
        words = [word for setting in settings for word in ("--set", setting)]
        coterie("run", tmp_path / "c.toml", "--output", tmp_path / name, "--quiet", *words)
        return tmp_path / name

    return make


def difference(coterie, *files):
    return json.loads(coterie("diff", *files, "--format", "json").stdout)


def test_the_same_results_differ_in_nothing(coterie, made):
    answer = difference(coterie, made("a.h5"), made("b.h5"))
    assert answer["question"] == answer["program"] == []
    assert answer["paired"] and answer["configurations"] == 4
    for one in answer["strategies"]:
        assert one["equal_values"] == one["values"] == 4 * 250
        assert one["difference"] == one["difference_low"] == one["difference_high"] == 0


def test_one_instance_changed_is_seen(coterie, made):
    a, b = made("a.h5"), made("b.h5")
    with h5py.File(b, "a") as file:
        file["ratio"][1, 0, 17] -= 0.125
    answer = difference(coterie, a, b)
    greedy, other = answer["strategies"]
    assert (greedy["values"], greedy["equal_values"]) == (1000, 999)
    assert other["equal_values"] == 1000
    assert greedy["difference"] == pytest.approx(-0.125 / 1000, rel=1e-9)


def test_more_instances_leave_the_common_ones_equal(coterie, made):
    answer = difference(coterie, made("a.h5"), made("b.h5", "instances=600"))
    assert answer["question"] == [{"name": "instances", "before": "250", "after": "600"}]
    assert all(one["equal_values"] == one["values"] == 1000 for one in answer["strategies"])


def test_another_seed_is_not_paired(coterie, made):
    a, b = made("a.h5"), made("b.h5", "seed=2")
    answer = difference(coterie, a, b)
    assert [one["name"] for one in answer["question"]] == ["seed"] and not answer["paired"]
    with h5py.File(a) as before, h5py.File(b) as after:
        for s, one in enumerate(answer["strategies"]):
            gap = after["mean"][:, s].mean() - before["mean"][:, s].mean()
            error = numpy.sqrt((after["standard_error"][:, s] ** 2 + before["standard_error"][:, s] ** 2).sum()) / 4
            assert one["difference"] == pytest.approx(gap, abs=1e-12)
            assert (one["difference_high"] - one["difference_low"]) / 2 == pytest.approx(1.97 * error, rel=0.01)


def test_only_what_both_have_is_compared(coterie, made):
    b = made("b.h5", "workers=[5, 7]", 'strategies=["greedy", "brute"]', "lambda=0.5")
    answer = difference(coterie, made("a.h5"), b)
    assert [one["strategy"] for one in answer["strategies"]] == ["greedy"]
    assert answer["configurations"] == answer["configurations_only_before"] == answer["configurations_only_after"] == 2
    assert {one["name"] for one in answer["question"]} == {"strategies", "grid.workers", "grid.lambda"}
    assert answer["strategies"][0]["expectations_changed"] > 0
    shown = coterie("diff", made("c.h5", "workers=9"), made("d.h5", "workers=[10, 11]")).stdout
    assert "nothing can be compared" in shown
