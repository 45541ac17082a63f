"""The decisions of skip, help, central and adaptive, one by one: what the program's log of an instance tells of them beside
a dispatcher that is written from the description alone, for the same interruptions and by what the program says that it
chose."""
import random

import first_chunks
import pytest
from policy_cases import OWN, Case
from program import FULL, SEED

CASES, ADAPTIVE, INSTANCES = (300, 15, 12) if FULL else (12, 1, 3)


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    draw = random.Random(SEED)
    return [Case(draw, tmp_path_factory.mktemp("policies"), number, INSTANCES, number < ADAPTIVE).run()
            for number in range(CASES)]


def rows(case, name):
    return [row for answer in case.answers for row in answer["strategies"] if row["name"] == name]


def test_lists_leave_out_what_is_known_to_be_complete(cases):
    assert [wrong for case in cases for wrong in case.wrong(OWN, case.own)] == []


def test_help_decides_as_described(cases):
    assert [wrong for case in cases for wrong in case.wrong("help", case.help)] == []


def central_of(case, row):
    """One worker alone has its best list; the horizon is in the risk that such lists are planned for."""
    if row["plan"].get("chosen") != "the best list of one worker":
        return case.central
    return case.one if case.listening.horizon == float("inf") else None


def test_central_decides_as_described(cases):
    wrong = []
    for case in cases:
        policy = central_of(case, rows(case, "central")[0])
        wrong += case.wrong("central", policy) if policy else []
    assert wrong == []


def test_central_goes_by_what_is_described(cases):
    wrong = []
    for case in cases:
        plan = rows(case, "central")[0]["plan"]
        alone = case.workers == 1 and case.startup > 0 and not case.availability
        unit = case.startup + case.wait or case.work / case.workers / 1000
        if alone != ("chosen" in plan) or not alone and not (
                plan["c"] in (1, 1.5, 2, 3) and plan["b"] in (1, 0.92, 0.85, 0.75, 0.65)
                and any(abs(plan["c_min"] - times * unit) <= 1e-12 for times in (1, 2, 3, 5, 10, 20))
                and ("first_chunks" in plan) == (case.startup + case.wait > 0)):
            wrong.append((vars(case) | {"answers": ...}, plan))
    assert wrong == []


def tables(case):
    for table in rows(case, "central")[0]["plan"].get("first_chunks", ()):
        yield cut_at(case.laws[table.get("workers", [0])[0]], case.listening.horizon), table


class cut_at:
    """min(T, horizon): what ends at the horizon is done."""

    def __init__(self, law, horizon):
        self.law, self.horizon = law, horizon

    def before(self, t):
        return 1.0 if t > self.horizon else self.law.before(t)


def test_first_chunks_are_those_of_the_optimum_of_one_worker(cases):
    assert [(vars(case) | {"answers": ...}, wrong[:3]) for case in cases for law, table in tables(case)
            if (wrong := first_chunks.not_best(law, table, case.startup, case.wait))] == []


def test_no_finer_grid_of_even_steps_expects_much_more(cases):
    lost = [first_chunks.lost_by_grid(law, table, case.startup, case.wait) for case in cases for law, table in tables(case)]
    assert lost and max(lost) < 2e-3


def done(row, case):
    """All that a strategy did. With an infinite latency skip is a list that hears nothing, not even who is lost."""
    log = row["log"]
    if case.listening.latency == float("inf"):
        log = sorted((one for one in log if one["event"] != "heard lost"), key=lambda one: (one["time"], one["worker"]))
    return {**row, "name": None, "plan": None, "log": log}


def test_adaptive_does_as_what_it_says_that_it_chose(cases):
    for case in cases:
        for answer in case.answers if case.adaptive else ():
            by_name = {row["name"]: row for row in answer["strategies"]}
            row = by_name["adaptive"]
            chosen = row["plan"]["chosen"]
            if chosen in by_name:
                assert done(row, case) == done(by_name[chosen], case), vars(case)
            elif chosen.startswith("best until") and case.listening.horizon == float("inf"):
                assert case.wrong("adaptive", case.until_lost) == []
