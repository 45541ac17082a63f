"""Schedules on alike workers: is what is printed exact, proven and best?

All strategies on random problems; nothing here is sampled but the problems."""
import math
import random
from dataclasses import dataclass

import problems
import pytest
import sharing
from program import PROBLEMS, SEED, Refused, ask, call, schedule_arguments, shown, tasks_of

CHARTS = ("greedy", "refined", "group-cyclic", "reverse", "mirror", "snake", "fat-snake")
DEALT = ("no-replication", "cyclic-replication", "brute")
SEARCHED = ("best", "single-optimal", "two-workers")  # these choose sizes themselves, and need a start-up cost


@dataclass
class Answer:
    problem: problems.Problem
    strategy: str
    arguments: tuple
    json: dict
    low: float   # expected work of the tasks, all ends a hair later
    high: float  # and a hair earlier

    @property
    def command(self):
        return shown(*self.arguments)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """For each problem what each strategy answers: {strategy: Answer}."""
    return judged(random.Random(SEED), tmp_path_factory.mktemp("traces"), PROBLEMS)


def judged(draw, folder, count):
    found = []
    for _ in range(count):
        problem = problems.random_problem(draw, folder)
        of_problem = {}
        for strategy in (*CHARTS, *DEALT, *SEARCHED):
            if strategy == "two-workers" and problem.workers != 2 or strategy in SEARCHED and problem.startup == 0:
                continue
            counts = ("--chunks-per-slice", draw.randint(1, 60)) if problem.startup == 0 else ()
            arguments = schedule_arguments(problem, strategy, *counts)
            answer = ask(*arguments)
            low, high = sharing.bracket(tasks_of(answer), problem.startup, [problem.law] * problem.workers)
            of_problem[strategy] = Answer(problem, strategy, arguments, answer, low, high)
        found.append(of_problem)
    return found


def every(answers):
    return [answer for of_problem in answers for answer in of_problem.values()]


def test_expected_work_is_exact(answers):
    wrong = []
    for answer in every(answers):
        printed, slack = answer.json["expected_work"], 1e-9 * answer.high + 1e-12 * answer.problem.work
        if not answer.low - slack <= printed <= answer.high + slack:
            wrong.append(f"{answer.command}: {printed}, not {answer.low} to {answer.high}")
    assert wrong == []


def test_expected_work_if_the_open_ones_leave_is_exact(tmp_path):
    draw, wrong, told = random.Random(SEED), [], 0
    for _ in range(PROBLEMS):
        problem = problems.random_problem(draw, tmp_path, ["immortal", "immortal", "gone", "few"])
        problem.risk = problem.risk.replace(", tail=immortal", "")  # who names a fate is told of that one alone
        arguments = schedule_arguments(problem, draw.choice(CHARTS + DEALT), "--chunks-per-slice", draw.randint(1, 40))
        answer = ask(*arguments)
        printed = answer["expected_work_if_gone"]
        is_open = problem.kind == "immortal" and problem.law.times[-1] == math.inf
        told += printed is not None
        if (printed is not None) != is_open:
            wrong.append(f"{shown(*arguments)}: {printed}")
        elif is_open:
            low, high = sharing.bracket(tasks_of(answer), problem.startup, [problem.law.if_gone] * problem.workers)
            if not low * (1 - 1e-9) - 1e-12 * problem.work <= printed <= high * (1 + 1e-9) + 1e-12 * problem.work:
                wrong.append(f"{shown(*arguments)}: {printed}, not {low} to {high}")
    assert told > 0
    assert wrong == []


def test_finish_times_are_those_of_the_lists(answers):
    wrong = [answer.command for answer in every(answers)
             for task, end in zip(answer.json["tasks"],
                                  sharing.finish_times(tasks_of(answer.json), answer.problem.startup))
             if abs(task["finish"] - end) > 1e-11 * end]
    assert wrong == []


def test_no_schedule_exceeds_its_own_bounds(answers):
    wrong = [f"{answer.command}: {answer.high} > {bound} of {key}" for answer in every(answers)
             for key in ("expected_work_bound", "expected_work_bound_of_all_counts")
             for bound in [answer.json[key]]
             if bound is not None and answer.low > bound * (1 + 1e-12)]
    assert wrong == []


def test_no_strategy_exceeds_the_bound_of_all_static_schedules(answers, tmp_path):
    wrong = []
    for of_problem in answers:
        for strategy in ("greedy", "best"):
            if strategy not in of_problem:
                continue
            problem = of_problem[strategy].problem
            (tmp_path / "given.csv").write_text(call(*of_problem[strategy].arguments, "--format", "csv"))
            given = ask("schedule", "--import", tmp_path / "given.csv", "--workers", problem.workers, "--work",
                        repr(problem.work), "--startup", repr(problem.startup), "--risk", problem.risk)
            printed = of_problem[strategy].json["expected_work"]
            if given["expected_work"] != pytest.approx(printed, rel=1e-9, abs=1e-300):
                wrong.append(f"{of_problem[strategy].command}: imported again {given['expected_work']}")
            wrong += [f"{other.command}: {other.low} > {given['static_ceiling']}" for other in of_problem.values()
                      if other.low > given["static_ceiling"] * (1 + 1e-12)]
    assert wrong == []


def below_best(answers, strategies):
    return [f"{answer.command}: {answer.low / of_problem['best'].high - 1:.2g} above best" for of_problem in answers
            if "best" in of_problem for answer in of_problem.values()
            if answer.strategy in strategies and answer.low > of_problem["best"].high * (1 + 1e-9)]


def test_best_is_no_worse_than_any_other_strategy(answers):
    assert below_best(answers, (*CHARTS, *DEALT, "single-optimal")) == []


def test_best_is_no_worse_than_two_workers(tmp_path):
    problem = problems.Problem(2, 0.145395, 0.0112711, "linear(kappa=2.749793)", None, "")
    best = ask(*schedule_arguments(problem, "best"))["expected_work"]
    assert ask(*schedule_arguments(problem, "two-workers"))["expected_work"] <= best * (1 + 1e-9)


def test_without_start_up_costs_more_chunks_are_always_better_and_none_is_chosen(answers):
    problem = next((next(iter(of.values())).problem for of in answers if "best" not in of), None)
    problem = problem or problems.Problem(2, 1.0, 0.0, "linear", None, "")
    with pytest.raises(Refused, match="start-up cost"):
        ask(*schedule_arguments(problem, "best"))
