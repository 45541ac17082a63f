"""The number of machines that coterie plan says to be enough for a deadline, and one less, by runs of the judge."""
import math
import random

import plan_questions
import problems
import pytest
from dispatching import NOTHING, Listening, Run
from handing_out import Help, Lists, cut
from planned_policies import Machines
from program import FULL, SEED, ask, read_tasks, shown
from test_judged_listening import ALARM, own_shares, up

QUESTIONS = 10 if FULL else 1
TOLD, SAMPLED, CONFIDENCE = 4000, 4000, 0.8
MARGIN = sum(math.sqrt(math.log(2 / ALARM) / 2 / n) for n in (TOLD, SAMPLED))  # Hoeffding, of the difference of two shares


class Question:
    def __init__(self, draw, folder):
        _, text, law = problems.random_law(draw, folder, ["linear", "exponential", "weibull", "lognormal"])
        self.law, self.folder = plan_questions.Scaled(law, 3600), folder
        self.law.written = text, 3600
        life = problems.typical_life(self.law)
        parts = draw.uniform(0.5, 2), 0.03, draw.choice([0, 0.02, 0.2]), draw.uniform(0.4, 1)
        self.work, self.startup, self.latency, self.deadline = (float(f"{life * part:.3f}") for part in parts)
        self.options = ["--risk", text, "--risk-unit", "1h", "--work", f"{self.work}s", "--checkpoint", f"{self.startup}s",
                        "--latency", f"{self.latency}s"]
        self.command = ["plan", *self.options, "--deadline", f"{self.deadline}s", "--machines", "auto", "--confidence",
                        100 * CONFIDENCE, "--instances", TOLD]
        self.found = ask(*self.command)["machine_count"]

    def told(self):
        """What was found for schedules that hear nothing and for what listens, and one machine less."""
        ways = [self.found[way] for way in ("static", "listening")]
        return [one for way in ways for one in (way["found"], way["one_less"]) if one]

    def way(self, one):
        """(what makes a policy, what is heard) of so many machines."""
        workers, heard = one["workers"], Listening(self.latency, self.latency)
        strategy = one["strategy"].removeprefix("skip(").removesuffix(")")
        if strategy == "central":
            return Machines([self.law] * workers, self.startup, self.latency).central(one["policy"]), heard
        export = self.folder / f"{workers}.csv"
        words = [] if strategy == "help" else ["--strategy", strategy]
        answer = ask("plan", *self.options, "--machines", workers, "--instances", 2, *words, "--export", export)
        if strategy == "help":
            once = next(plan for plan in [answer["answer"], *answer["alternatives"]] if plan["strategy"] == "no-replication")
            shares = own_shares(workers, once["deployed_work"], once["chunks"], self.startup)
            return lambda: Help(shares, workers), heard
        lists = cut(read_tasks(export), workers)
        return lambda: Lists(*lists), NOTHING if strategy == one["strategy"] else heard

    def ends(self, one, draw):
        """When all was done, in runs of the judge."""
        make, heard = self.way(one)
        return [Run(make(), self.work, self.startup, up(self.law.draw(draw) for _ in range(one["workers"])), heard).makespan
                for _ in range(SAMPLED)]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """(question, what it was told, when all was done)."""
    draw, folder = random.Random(SEED), tmp_path_factory.mktemp("counts")
    asked = [Question(draw, folder) for _ in range(QUESTIONS)]
    return [(question, one, question.ends(one, draw)) for question in asked for one in question.told()]


def share(ends, deadline):
    return sum(end <= deadline * (1 + 1e-9) for end in ends) / len(ends)


def test_it_is_enough_and_one_less_is_not_surely(judged):
    """By the interval that is told; nobody is found who has not the time even if no machine leaves."""
    for question, one, _ in judged:
        enough = one in (question.found["static"]["found"], question.found["listening"]["found"])
        assert (one["in_time_interval"][0] >= CONFIDENCE) == enough, (shown(*question.command), one)
        assert one["workers"] * (question.deadline - question.startup) >= question.work * (1 - 1e-9) or not enough
        assert question.found["least"] == math.ceil(question.work / (question.deadline - question.startup) * (1 - 1e-12))


def test_all_is_done_in_time_as_often_as_is_told(judged):
    assert [(shown(*question.command), one, share(ends, question.deadline)) for question, one, ends in judged
            if abs(share(ends, question.deadline) - one["in_time"]) > MARGIN] == []


def test_another_deadline_would_be_seen(judged):
    question, one, ends = judged[0]
    assert abs(share(ends, 0.5 * question.deadline) - one["in_time"]) > MARGIN
