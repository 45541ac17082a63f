"""chunks = auto: no other number of equal chunks gives more than the page says, none exceeds the bound printed."""
import math
import random

import laws
import problems
import pytest
import sharing
from program import FULL, PROBLEMS, SEED, ask, call, schedule_arguments, shown

# What heuristics/results/worksharing-2013.md ("The number of chunks") says is lost at most. Its "nothing" is
# less than 1e-12, which the sums of this judge cannot tell from 1e-9.
NOTHING = 1e-9
DENSITY = {"greedy": 5.1e-4, "cyclic-replication": 1.7e-4}
JUMPS = {"greedy": 3e-3, "cyclic-replication": 3.1e-4}


class Remembered:
    """A law whose probabilities are computed once."""

    def __init__(self, law):
        self.law, self.known = law, {}

    def before(self, t):
        if t not in self.known:
            self.known[t] = self.law.before(t)
        return self.known[t]


def allowed_loss(strategy, law):
    return (JUMPS if isinstance(law, laws.Atoms) else DENSITY).get(strategy, NOTHING)


def greedy_slice(g, work, chunks, startup, law, hair):
    """The expected work of greedy's coterie on a slice; hair: relative amount by which ends are moved."""
    size = work / chunks + startup
    if chunks % g:
        tasks = sharing.group_tasks(range(g), 0.0, work, chunks, sharing.greedy_chart(g, chunks, law.before, size))
        return sharing.expected_work(tasks, startup, [law] * g, hair)
    chart = sharing.greedy_chart(g, chunks, law.before, size * (1 + hair))
    lost = math.fsum(math.prod(law.before(row[j] * size * (1 + hair)) for row in chart) for j in range(len(chart[0])))
    return work - work * g / chunks * lost


def local_load(law, size, chunks):
    """Chunks that one worker can do until the last interruption there may be (of laws without an end, until all but one
    worker in a million are interrupted)."""
    return min(chunks, math.ceil(latest(law) / size - 1e-9))


def latest(law):
    if isinstance(law, laws.Met):
        return law.atoms.times[-1]
    if isinstance(law, laws.Atoms):
        return max(time for time in law.times if time < math.inf)
    if isinstance(law, laws.Linear):
        return 1 / law.kappa
    low, high = 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if law.before(middle) >= 1 - 1e-6 else (middle, high)
    return high


def worth(strategy, problem, chunks, law, hair=-1e-12):
    """The expected work of that many equal chunks of all work."""
    p, size = problem.workers, problem.work / chunks
    step = (size + problem.startup) * (1 + hair)
    if strategy == "no-replication":
        return size * p * math.fsum(1 - law.before(i * step) for i in range(1, chunks // p + 1))
    if strategy == "brute":
        return size * math.fsum(1 - law.before(i * step) ** p for i in range(1, chunks + 1))
    load = local_load(problem.law, size, chunks)
    if strategy == "random-replication":
        return sharing.random_orders_work(p, problem.work, chunks, load, problem.startup, [law] * p, hair)
    tasks = sharing.dealt_tasks(p, problem.work, chunks, max(-(-chunks // p), load))
    return sharing.expected_work(tasks, problem.startup, [law] * p, hair)


def counts_to_try(draw, chosen, at_most):
    tried = {*range(1, 31), *range(chosen - 10, chosen + 11), *(draw.randint(1, 2 * chosen + 60) for _ in range(30))}
    return sorted(count for count in tried if 1 <= count <= at_most)


def random_problems(draw, folder):
    """With start-up costs: without, no number of chunks is the best."""
    found = []
    while len(found) < PROBLEMS:
        problem = problems.random_problem(draw, folder)
        if problem.startup > 0:
            found.append(problem)
    return found


def kinds_of_slices(answer):
    """(workers, slice, chunks chosen): how many coteries there are of the kind."""
    kinds = {}
    for coterie in answer["coteries"]:
        g, work = len(coterie["workers"]), coterie["slice"][1] - coterie["slice"][0]
        same = next((kind for kind in kinds if kind[0] == g and math.isclose(kind[1], work, rel_tol=1e-9)),
                    (g, work, coterie["chunks"]))
        kinds[same] = kinds.get(same, 0) + 1
    return kinds


def test_greedy_takes_the_best_count_and_its_bound_holds(tmp_path):
    draw, lost, exceeded = random.Random(SEED), [], []
    for problem in random_problems(draw, tmp_path):
        arguments = schedule_arguments(problem, "greedy")
        answer, law = ask(*arguments), Remembered(problem.law)
        total = math.fsum(many * max(greedy_slice(g, work, count, problem.startup, law, -1e-12)
                                     for count in counts_to_try(draw, chosen, 3000 // g))
                          for (g, work, chosen), many in kinds_of_slices(answer).items())
        bound = answer["expected_work_bound_of_all_counts"]
        if bound is not None and total > bound * (1 + 1e-11):
            exceeded.append(f"{shown(*arguments)}: {total} > {bound}")
        if total > answer["expected_work"] * (1 + allowed_loss("greedy", problem.law)) + 1e-12 * problem.work:
            lost.append(f"{shown(*arguments)}: {total / answer['expected_work'] - 1:.2g}")
    assert exceeded == []
    assert lost == []


@pytest.mark.parametrize("strategy", ["no-replication", "cyclic-replication", "brute", "random-replication"])
def test_auto_takes_the_best_count(strategy, tmp_path):
    """no-replication: of the multiples of the number of workers, as the page says."""
    draw, wrong = random.Random(SEED), []
    for problem in random_problems(draw, tmp_path):
        arguments = schedule_arguments(problem, strategy)
        answer, law = ask(*arguments), Remembered(problem.law)
        low, high = (worth(strategy, problem, answer["chunks"], law, hair) for hair in (1e-12, -1e-12))
        printed, slack = answer["expected_work"], 1e-9 * high + 1e-12 * problem.work
        if not low - slack <= printed <= high + slack:
            wrong.append(f"{shown(*arguments)}: {printed}, not {low} to {high}")
        per = problem.workers if strategy == "no-replication" else 1
        at_most = 10 ** 9 if strategy != "cyclic-replication" else max(40, 4000 // problem.workers)
        found = max((worth(strategy, problem, per * count, law), per * count)
                    for count in counts_to_try(draw, answer["chunks"] // per, at_most))
        if found[0] > printed * (1 + allowed_loss(strategy, problem.law)) + 1e-12 * problem.work:
            wrong.append(f"{shown(*arguments)}: {answer['chunks']} chunks, {found[0] / printed - 1:.2g} less than "
                         f"{found[1]}")
    assert wrong == []


def test_random_replication_takes_the_best_count_under_two_durations(tmp_path):
    path = tmp_path / "two.durations"
    path.write_text("26860.0\n8250.0\n")
    problem = problems.Problem(13, 33.773092857719064, 0.0013910977955279022, f"trace(file={path})", None, "")
    automatic, better = (ask(*schedule_arguments(problem, "random-replication", *counts))["expected_work"]
                         for counts in ([], ["--chunks-per-slice", 448]))
    assert better <= automatic * (1 + NOTHING)


@pytest.mark.skipif(not FULL, reason="takes seconds")
def test_greedy_is_not_worse_than_other_counts_and_coteries_of_ten_thousand_workers():
    problem = problems.Problem(10000, 7000.0, 0.05, "exponential(rate=1)", None, "")
    texts = (call(*schedule_arguments(problem, "greedy", *counts)) for counts in ([], ["--chunks-per-slice", 3000]))
    automatic, better = (float(text.split("expected work ")[1].split()[0]) for text in texts)
    assert better <= automatic * (1 + DENSITY["greedy"])
