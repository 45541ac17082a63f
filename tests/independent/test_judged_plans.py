"""coterie plan: what it says of its own plan and of the others, for either fate of those that nobody saw leave."""
import math
import random

import laws
import pytest
import sharing
from plan_questions import Scaled, random_question
from program import PROBLEMS, SEED, ask, read_tasks, shown

SIMULATED, SAMPLED = 3000, 400
ALARM = 1e-12  # false alarm of each comparison


class Missing:
    """A machine that does not come with some probability."""

    def __init__(self, law, probability):
        self.law, self.probability = law, probability

    def before(self, t):
        return self.probability + (1 - self.probability) * self.law.before(t)


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """(question, answer, tasks exported), the plan taken and that of one more strategy each."""
    draw, folder = random.Random(SEED), tmp_path_factory.mktemp("plans")
    found = []
    for number in range(PROBLEMS):
        question = random_question(draw, folder)
        for forced in ([], ["--strategy", draw.choice(["brute", "no-replication", "cyclic-replication", "greedy",
                                                       "refined", "best"])]):
            export = folder / f"{number}{''.join(forced)}.csv"
            arguments = ["plan", *question[0], *forced, "--instances", SIMULATED, "--resamples", 2]
            answer = ask(*arguments, "--export", export)
            found.append((question, shown(*arguments), answer, read_tasks(export)))
    return found


def tails(plan, law, law_if_gone):
    """What a plan says for either fate, with the law."""
    return [(plan, law), *([(plan["if_gone"], law_if_gone)] if plan["if_gone"] else [])]


def differs(printed, tasks, startup, law, workers):
    low, high = sharing.bracket(tasks, startup, [law] * workers)
    return not low * (1 - 1e-9) <= printed <= high * (1 + 1e-9)


def test_expected_work_of_plans_is_exact_for_both_tails(plans):
    assert [(command, plan["expected_work"]) for (_, workers, _, checkpoint, *both), command, answer, tasks in plans
            for plan, law in tails(answer["answer"], *both)
            if differs(plan["expected_work"], tasks, checkpoint, law, workers)] == []


def test_what_is_open_is_what_kaplan_meier_leaves(plans):
    wrong = []
    for (*_, never, leave), command, answer, _ in plans:
        atoms = isinstance(never, laws.Atoms)
        share = never.masses[-1] if atoms and never.times[-1] == math.inf else 0
        if not math.isclose((answer["open"] or {"share": 0})["share"], share, rel_tol=1e-9):
            wrong.append((command, answer["open"], share))
        if share and answer["open"]["last_seen"] is None:
            wrong.append((command, answer["open"]))
    assert wrong == []


def test_simulated_work_agrees_with_a_simulation_from_the_definition(plans):
    """Means by Bernstein, shares of runs that do all by Hoeffding, at ALARM each."""
    wrong, draw = [], random.Random(SEED)
    for (_, workers, work, checkpoint, *both), command, answer, tasks in plans:
        parts = sharing.pieces(tasks, sharing.finish_times(tasks, checkpoint))
        for plan, law in tails(answer["answer"], *both):
            simulated, log = plan["simulated"], math.log(3 / ALARM)
            off = math.sqrt(2 * log) * simulated["standard_error"] + 3 * work * log / SIMULATED
            if abs(simulated["mean"] - plan["expected_work"]) > off:
                wrong.append((command, "mean", simulated, plan["expected_work"]))
            got = [sharing.completed_work(parts, [law.draw(draw) for _ in range(workers)]) for _ in range(SAMPLED)]
            off = math.sqrt(math.log(2 / ALARM) / 2 / SAMPLED) + math.sqrt(math.log(2 / ALARM) / 2 / SIMULATED)
            done = sum(one >= work * (1 - 1e-9) for one in got) / SAMPLED
            if abs(done - simulated["all_done"]) > off:
                wrong.append((command, "all done", simulated, done))
            for quantile in ("q05", "q50", "q95"):
                level = int(quantile[1:]) / 100
                below = sum(one < simulated[quantile] * (1 - 1e-9) for one in got) / SAMPLED
                up_to = sum(one <= simulated[quantile] * (1 + 1e-9) for one in got) / SAMPLED
                if not below - off <= level <= up_to + off:
                    wrong.append((command, quantile, simulated, below, up_to))
    assert wrong == []


def test_a_plan_is_worth_what_it_is_assured_to_be(plans):
    """At least that share of what the best plan shown is worth, whichever is true."""
    wrong = []
    for question, command, answer, _ in plans:
        options = [answer["answer"], *answer["alternatives"]]
        for tail in range(2 if answer["answer"]["if_gone"] else 1):
            worth = [(option["if_gone"] if tail else option)["expected_work"] for option in options]
            wrong += [(command, option["strategy"], option["assured"], value / max(worth))
                      for option, value in zip(options, worth)
                      if option["assured"] is not None and value < option["assured"] * max(worth) * (1 - 1e-9)]
    assert wrong == []


def test_what_ifs_are_exact(plans):
    wrong, judged = [], 0
    for (_, workers, _, checkpoint, never, leave), command, answer, tasks in plans:
        for line in answer["what_if"]:
            law = circumstance(line["circumstance"], never, leave)
            printed = line["expected_work"][answer["answer"]["strategy"]]
            judged += law is not None
            if law is not None and differs(printed, tasks, checkpoint, law, workers):
                wrong.append((command, line["circumstance"], printed))
    assert judged > 5 * len(plans)
    assert wrong == []


def circumstance(text, never, leave):
    if text == "as assumed":
        return never
    if text.startswith("each machine away with P = "):
        return Missing(never, float(text.split()[-2]) / 100)
    return {"machines leave twice as soon": Scaled(never, 0.5), "machines stay twice as long": Scaled(never, 2),
            "none stays longer than was seen": leave}.get(text)


def test_machines_of_an_age_at_which_one_left_are_those_of_schedule(tmp_path):
    (tmp_path / "three.durations").write_text("1\n13\n183\n")
    planned = ask("plan", "--trace", tmp_path / "three.durations", "--age", "13s", "--workers", 1, "--work", "85s",
                  "--checkpoint", "0.1s", "--strategy", "brute", "--chunks", 1, "--instances", 10, "--resamples", 2)
    # of the two spells of 13 s and more one lasts long enough
    assert planned["answer"]["expected_work"] == pytest.approx(42.5)
