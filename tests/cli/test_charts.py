import csv
import io
import json
import math
import os

import numpy
import pytest


def charts(coterie, *args):
    return json.loads(coterie("charts", *args, "--format", "json", check=True).stdout)


def test_table3_constants(coterie):
    """worksharing-2013, Table 3: g = 4, n = 20."""
    answer = charts(coterie, "--group", 4, "--chunks", 20)
    constants = {chart["name"]: chart["K"] for chart in answer["charts"]}
    assert {name: constants[name] for name in constants if name != "refined"} == {
        "group-cyclic": "34104", "reverse": "24396", "mirror": "27284", "snake": "25784", "fat-snake": "24276",
        "greedy": "24390", "best": "24276", "optimal": "23780"}
    assert 23780 <= int(constants["refined"]) <= 24276
    assert answer["K_min"] == "23780"
    assert 23779 < answer["K_lower_bound"] <= 23780


@pytest.mark.parametrize("group,chunks", [(1, 1), (1, 4), (1, 7), (1, 10), (7, 7), (2, 10), (3, 12), (6, 24), (10, 100)])
def test_charts_hold_every_step_once_and_their_constant(coterie, group, chunks):
    answer = charts(coterie, "--group", group, "--chunks", chunks)
    for chart in answer["charts"]:
        rows = chart["chart"]
        assert sorted(step for row in rows for step in row) == list(range(1, chunks + 1))
        constant = sum(math.prod(column) for column in zip(*rows))
        assert chart["K"] == str(constant)
        assert constant >= int(answer["K_min"])
        assert constant >= answer["K_lower_bound"] >= 0.5


def test_a_bound_beyond_all_numbers_is_none(coterie):
    assert "K_LB = too large\n" in coterie("charts", "--group", 200, "--chunks", 1000, "--chart", "reverse").stdout


def test_one_chart_in_every_format(coterie):
    arguments = ("charts", "--group", 4, "--chunks", 12, "--chart", "reverse")
    rows = list(csv.DictReader(io.StringIO(coterie(*arguments, "--format", "csv", check=True).stdout)))
    assert [int(row["step"]) for row in rows] == [1, 2, 3, 6, 5, 4, 9, 8, 7, 12, 11, 10]
    assert rows[3] == {"chart": "reverse", "execution": "2", "group": "1", "step": "6"}
    table = coterie(*arguments, check=True).stdout
    assert "reverse" in table and "greedy" not in table and " 12 11 10" in table


@pytest.mark.parametrize("arguments,message", [
    ((), "--group is missing"),
    (("--group", "4"), "--chunks is missing"),
    (("--group", "3", "--chunks", "20"), "--chunks must be a multiple of --group = 3, not 20"),
    (("--group", "0", "--chunks", "20"), "--group must be a whole number of at least 1"),
    (("--group", "2", "--chunks", "1e-1"), "--chunks must be a whole number of at least 1"),
    (("--group", "2", "--chunks", "1000000"), "--chunks must be at most 10000"),
    (("--group", "2", "--chunks", "10", "--chart", "ferret"), "--chart must be"),
    (("--group", "2", "--chunks", "10", "--format", "svg"), "--format must be"),
    (("--table4", "--group", "2"), "--table4 takes no --group"),
    (("--optimality", "--chunks", "4"), "--optimality takes no --chunks"),
    (("--table4", "--optimality"), "--table4 takes no --optimality"),
    (("--group", "5", "--chunks", "200", "--chart", "optimal"), "the optimal chart of 5 x 40 steps cannot be proven"),
    (("--group", "2", "--chunks", "10", "stray"), "stray"),
])
def test_refuses_with_what_would_be_right(coterie, arguments, message):
    done = coterie("charts", *arguments, check=False)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif("COTERIE_FULL" not in os.environ, reason="takes half a minute; set COTERIE_FULL")
def test_table4_is_the_printed_one(coterie):
    answer = json.loads(coterie("charts", "--table4", "--format", "json", check=True).stdout)
    assert answer["instances"] == 4043
    rows = {row["chart"]: row for row in answer["rows"]}
    for row in rows.values():
        if row["printed"] is None:
            continue
        for part in ("relative", "absolute"):
            for key, value in row["printed"][part].items():
                assert round(row[part][key], 3) == value, (row["chart"], part, key)
        assert round(row["success_rate"], 2) == row["printed"]["success_rate"]
    assert rows["refined"]["absolute"]["mean"] <= 1.0347
    assert rows["refined"]["better_than_best_rate"] >= 86


def average_bound(g):
    """Of K_LB / K_min over the sizes with g workers: any k columns hold at least the k smallest logarithms and the
    (g - 1) k largest ones; below that, the greatest convex function; what it gains from column to column is a bound of
    the columns, by majorisation."""
    ratios = []
    for columns in range(2, 1000 // g + 1):
        logs = numpy.log(numpy.arange(1, g * columns + 1))
        least = [logs[:k].sum() + logs[len(logs) - (g - 1) * k:].sum() for k in range(columns + 1)]
        corners = []
        for k, value in enumerate(least):
            while len(corners) > 1 and (corners[-1][1] - corners[-2][1]) * (k - corners[-1][0]) >= \
                    (value - corners[-1][1]) * (corners[-1][0] - corners[-2][0]):
                corners.pop()
            corners.append((k, value))
        gains = numpy.diff(numpy.interp(range(columns + 1), *zip(*corners)))
        log_least = math.log(columns) + math.lgamma(g * columns + 1) / columns
        if log_least < 30:
            log_least = math.log(math.ceil(math.exp(log_least) - 1e-6))
        ratios.append(numpy.exp(gains - log_least).sum())
    return numpy.mean(ratios)


@pytest.mark.skipif("COTERIE_FULL" not in os.environ, reason="takes half a minute; set COTERIE_FULL")
def test_refined_charts_are_as_good_as_proven(coterie):
    """Averages of K / K_min by g: best and refined to the digits of a reference computation (those of refined are cut
    off there, not rounded), K_LB computed anew."""
    answer = json.loads(coterie("charts", "--optimality", "--format", "json", check=True).stdout)
    rows = {row["group"]: row for row in answer["rows"]}
    assert rows["2-100"]["sizes"] == 4043
    for row in rows.values():
        assert row["K_lower_bound"] <= row["refined"] and row["refined"] <= row["best"] <= row["greedy"]
    for group, best, refined in (("3", 1.0957, 1.08097), ("4", 1.1048, 1.02635), ("5", 1.0985, 1.00647),
                                 ("6", 1.0819, 1.00075)):
        assert rows[group]["best"] == pytest.approx(best, abs=5e-5)
        assert rows[group]["K_lower_bound"] == pytest.approx(average_bound(int(group)), rel=1e-10)
        assert rows[group]["refined"] < refined + 1e-5
    assert rows["2-100"]["refined"] <= 1.0347 and rows["2-100"]["refined_better_rate"] >= 80
    assert rows["2"]["refined"] == pytest.approx(rows["2"]["K_lower_bound"], rel=1e-12)
