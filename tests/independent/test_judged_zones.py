"""Zones: are expected work, lists and lists that listen what the definition makes of them?"""
import functools
import random

import dispatched
import laws
import problems
import pytest
import together
from program import FULL, PROBLEMS, SEED, ask, schedule_arguments, shown, tasks_of

STRATEGIES = ("greedy", "refined", "best", "no-replication", "cyclic-replication", "brute", "group-cyclic") if FULL else (
    "greedy", "best", "cyclic-replication")
KINDS = tuple(kind for kind in problems.KINDS if kind != "met")
CAMPAIGNS = max(4, PROBLEMS // 5)


def random_zones(draw, workers):
    return draw.randint(1, workers), draw.choice([0.3, 0.5, 1.0, draw.random()])


@pytest.fixture(scope="module")
def schedules(tmp_path_factory):
    """(problem, zones, common, {(strategy, placement): answer}), each with its command."""
    draw, folder, found = random.Random(SEED), tmp_path_factory.mktemp("zones"), []
    for _ in range(PROBLEMS):
        problem = problems.random_problem(draw, folder, KINDS)
        zones, common = random_zones(draw, problem.workers)
        answers = {}
        for strategy in STRATEGIES if problem.startup > 0 else ("greedy", "no-replication"):
            counts = () if problem.startup > 0 else ("--chunks-per-slice", draw.randint(1, 60))
            for placement in ("packed", "spread", "known"):
                arguments = schedule_arguments(problem, strategy, *counts, "--zones", zones, "--common", repr(common),
                                               "--placement", placement)
                answers[strategy, placement] = (shown(*arguments), ask(*arguments))
        found.append((problem, zones, common, answers))
    return found


def test_expected_work_in_zones_is_exact(schedules):
    wrong = []
    for problem, zones, common, answers in schedules:
        for command, answer in answers.values():
            low, high = together.bracket(tasks_of(answer), problem.startup, [problem.law] * problem.workers, zones, common)
            slack = 1e-9 * high + 1e-12 * problem.work
            if not low - slack <= answer["expected_work"] <= high + slack:
                wrong.append((command, answer["expected_work"], low, high))
    assert wrong == []


def test_who_knows_the_zones_expects_no_less(schedules):
    wrong = []
    for *_, answers in schedules:
        for strategy, placement in answers:
            command, known = answers[strategy, "known"]
            other = answers[strategy, placement][1]["expected_work"]
            if known["expected_work"] < other * (1 - 1e-12):
                wrong.append((command, placement, other, known["expected_work"]))
            if "best" in (name for name, _ in answers) and \
                    answers["best", "known"][1]["expected_work"] < other * (1 - 1e-9):
                wrong.append((command, "best", answers["best", "known"][1]["expected_work"], other))
    assert wrong == []


def unlike(draw, folder):
    """Workers of several ages: (text, laws in turn)."""
    durations = problems.durations(draw, draw.randint(2, 40))
    path = problems.written(draw, folder, map(repr, durations))
    ages = [draw.choice([0, draw.random() * max(durations)]) for _ in range(draw.randint(2, 4))]
    classes = [laws.empirical(durations).aged(age).scaled(1 / max(durations)) for age in ages]
    return f"trace(file={path}, age=each({', '.join(map(repr, ages))}))", classes


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    """(question, laws, zones, common, folder, found)."""
    draw, folder, made = random.Random(SEED + 1), tmp_path_factory.mktemp("campaigns"), []
    for number in range(CAMPAIGNS):
        workers = draw.randint(2, 9)
        if number % 2:
            text, classes = unlike(draw, folder)
        else:
            _, text, law = problems.random_law(draw, folder, KINDS[:5])
            classes = [law]
        life = max(problems.typical_life(law) for law in classes)
        zones, common = random_zones(draw, workers)
        one = dispatched.question(draw, workers, life, f'risk = "{text}"\nzones = {zones}\ncommon = {common!r}')
        place = folder / str(number)
        place.mkdir()
        who = [classes[worker % len(classes)] for worker in range(workers)]
        made.append((one, who, zones, common, place, dispatched.run(draw, place, one)))
    return made


def test_lists_of_ones_own_expect_what_the_definition_says(campaigns):
    wrong = []
    for one, who, zones, common, _, found in campaigns:
        low, high = together.bracket(one.tasks, one.startup, who, zones, common)
        printed = found["file(path=own.csv)"]["expected"]
        if not low * (1 - 1e-9) - 1e-12 * one.work <= printed <= high * (1 + 1e-9) + 1e-12 * one.work:
            wrong.append((one, printed, low, high))
    assert wrong == []


def test_what_becomes_of_lists_in_an_instance_is_what_the_definition_makes_of_them(campaigns):
    assert [wrong for one, _, _, _, folder, _ in campaigns for wrong in dispatched.wrong_replays(one, folder)] == []


def draw_up(draw, who, zones, common):
    return [[(0.0, life)] if life > 0 else [] for life in together.lives(draw, who, zones, common)]


def test_means_are_those_of_instances_drawn_from_the_definition(campaigns):
    draw, wrong = random.Random(SEED + 2), []
    for one, who, zones, common, _, found in campaigns:
        wrong += dispatched.wrong_means(one, found, functools.partial(draw_up, draw, who, zones, common))
    assert wrong == []


def test_zones_that_are_forgotten_would_be_seen():
    """Two workers, one piece, one zone that shares all: done with 1/2, not with 3/4. And levels follow their law."""
    law, tasks = laws.Linear(1), [(0, 0.0, 0.4), (1, 0.0, 0.4)]
    assert together.expected_work(tasks, 0.1, [law] * 2, 1, 1.0) == pytest.approx(0.2)
    assert together.expected_work(tasks, 0.1, [law] * 2, 2, 1.0) == pytest.approx(0.3)
    draw = random.Random(SEED)
    one = dispatched.Question(2, 0.4, 0.1, 0.0, True, tasks, "")
    done = {zones: [dispatched.outcome(one, draw_up(draw, [law] * 2, zones, 1.0), 0.0).completed
                    for _ in range(dispatched.SAMPLED)] for zones in (1, 2)}
    for zones, worth in ((1, 0.2), (2, 0.3)):
        assert abs(sum(done[zones]) / dispatched.SAMPLED - worth) < dispatched.most_apart(done[zones], done[zones])
    assert abs(sum(done[1]) - sum(done[2])) / dispatched.SAMPLED > dispatched.most_apart(done[1], done[2])
