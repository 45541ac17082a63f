"""What coterie plan says of fleets: groups of machines that are replaced, in zones, at a price, with whole tasks and a fallback.
Each question is simulated from its description alone (fleets.py), on other random numbers.

A number is wrong if it is FAR standard errors from the judge's (false alarm 6e-14 each by the normal limit; what is rare may
have been met by one of the two alone: as if two more runs of the judge were as far off as can be), and too many are if more
of one kind leave three standard errors than happen to with ALARM. What leaves three is judged again, on ten times as many runs."""
import bisect
import math
import random

import laws
import pytest
from dispatching import NOTHING, TIE, Listening
from fleet_questions import Question
from fleets import Fleet, FleetRun, Group, Tasks
from handing_out import Central, Lists, cut
from lives import Fixed, Sure, spells
from program import FULL, PROBLEMS, SEED, ask, read_tasks, shown
from test_judge import greatest_distance

QUESTIONS, TOLD, SAMPLED = max(4, PROBLEMS // 2), 4000, 300 if FULL else 150
FAR, ALARM = 7.5, 1e-12
ROUNDED = 2e-4  # of means, as exported lists are of whole seconds
POLICIES = ("central", "central", "central", "greedy", "no-replication", "best", "skip(greedy)")


class Judged:
    def __init__(self, question, draw, runs=SAMPLED):
        self.question, self.draw = question, draw
        self.command = ["plan", question.file(question.policy), "--instances", TOLD, "--explain"]
        (self.option,) = ask(*self.command)["options"]
        if question.policy != "central":
            export = question.folder / f"{question.number:x}.csv"
            ask("plan", question.file(question.policy.removeprefix("skip(").removesuffix(")")), "--instances", TOLD, "--export", export)
            self.tasks = read_tasks(export)
        self.follow()
        self.runs = self.sample(runs)

    def policy(self):
        question, fleet = self.question, self.question.fleet
        if question.policy == "central":
            names = [group["name"] for group in question.keys["machines"]]
            return Tasks(fleet) if fleet.task else queue(fleet, names, self.option["parameters"])
        return Lists(*cut(self.tasks, len(fleet.machines)))

    def follow(self):
        """As long as runs last, and no fewer than the deadline."""
        fleet = self.question.fleet
        if fleet.window:
            return
        fleet.until = fleet.work + (fleet.deadline if fleet.deadline < math.inf else 0.0)
        for _ in range(3):  # some never end: their machines do not come back
            fleet.until *= 4
            if all(run.is_over and run.now < fleet.until / 4 for run in self.sample(20)):
                return

    def sample(self, runs):
        fleet = self.question.fleet
        heard, fleet.heard = fleet.heard, fleet.heard if self.hears() else NOTHING
        made = [FleetRun(self.policy(), fleet, fleet.up(self.draw)) for _ in range(runs)]
        fleet.heard = heard
        return made

    def hears(self):
        return self.question.policy == "central" or self.question.policy.startswith("skip")

    def values(self, runs):
        deadline = self.question.fleet.deadline
        found = {"work_done": [run.completed_by(deadline) for run in runs],
                 "machine_time": [run.machine_time for run in runs], "rented_time": [run.rented_time for run in runs],
                 "cost": [run.cost for run in runs], "wasted": [run.wasted for run in runs],
                 "failed_tasks": [float(len(run.failed)) for run in runs],
                 "interruptions": [float(run.interruptions) for run in runs]}
        if deadline < math.inf:
            found["done_by_deadline"] = [float(run.makespan <= deadline * (1 + 1e-9)) for run in runs]
        return found

    def off(self, runs, rare=0):
        """By how many standard errors each number is off."""
        found = {}
        for name, values in self.values(runs).items():
            told, n = self.option[name], len(values)
            mean = math.fsum(values) / n
            farthest = max(*(abs(value - mean) for value in values), abs(told - mean))
            variance = (math.fsum((value - mean) ** 2 for value in values) + rare * farthest ** 2) / (n - 1)
            if name == "done_by_deadline":
                pooled = (math.fsum(values) + told * TOLD + rare) / (n + TOLD + 2 * rare)
                variance = pooled * (1 - pooled)
            found[name] = errors(told - mean, math.sqrt(variance * (1 / n + 1 / self.option["runs"])), mean)
        ends = sorted(run.makespan for run in runs)
        for level in (0.5, 0.9, 0.95):  # the share of runs that end by then
            end = self.option["finish"][f"q{level * 100:.0f}"]
            end = math.inf if end is None else end
            below = sum(one < end * (1 - ROUNDED) for one in ends) / len(ends)
            up_to = 1.0 if end == math.inf else sum(one <= end * (1 + ROUNDED) for one in ends) / len(ends)
            error = math.sqrt(level * (1 - level) * (1 / len(ends) + 1 / self.option["runs"]))
            found[f"q{level * 100:.0f}"] = max(below - level, level - up_to, 0.0) / error
        return found


def errors(difference, error, size):
    if abs(difference) <= ROUNDED * abs(size):
        return 0.0
    return abs(difference) / error if error > 0 else math.inf


def queue(fleet, names, told):
    plan = {"b": told["first_share"], "c": told["shares"], "c_min": told["least_chunk"] / fleet.groups[0].speed}
    policy = Central(fleet.laws, plan, fleet.checkpoint, None)
    for number, (group, name) in enumerate((one, name) for one, name in zip(fleet.groups, names) for _ in range(one.count)):
        policy.first_chunks[number] = Longest(group.speed, *zip(*told["longest_by_age"][name]))
    return policy


class Longest:
    """The longest chunk by age, of a table; it ends at the same time from all ages up to the next one of the table."""

    def __init__(self, speed, ages, chunks):
        self.speed, self.ages = speed, ages
        self.ends = [math.inf if chunk is None else age + chunk / speed for age, chunk in zip(ages, chunks)]

    def __call__(self, age):
        return self.speed * max(0.0, self.ends[bisect.bisect_right(self.ages, age * (1 + TIE)) - 1] - age)


def many(n, probability, alarm):
    """The least count that so many happen to reach with at most that probability."""
    tail = [math.comb(n, k) * probability ** k * (1 - probability) ** (n - k) for k in range(n + 1)]
    return next(k for k in range(n + 2) if math.fsum(tail[k:]) <= alarm)


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    draw, folder = random.Random(SEED), tmp_path_factory.mktemp("fleets")
    return [Judged(Question(draw, folder, draw.choice(POLICIES)), draw) for _ in range(QUESTIONS)]


def test_numbers_are_within_three_standard_errors(judged):
    """At most 2 % of the numbers of a kind leave them by chance, were they as skew as can be."""
    wrong, left = [], {}
    for one in judged:
        off = one.off(one.runs)
        if max(off.values()) > 3:
            closer = one.off(one.sample(10 * SAMPLED), rare=2)
            wrong += [(shown(*one.command), name, error) for name, error in closer.items() if error > FAR]
            for name, error in off.items():
                left[name] = left.get(name, 0) + (error > 3)
    assert wrong == []
    assert {name: count for name, count in left.items() if count >= many(len(judged), 0.02, ALARM)} == {}


def test_intervals_of_the_share_in_time_hold_it(judged):
    for one in judged:
        if "done_by_deadline" in one.values([]):
            share, low, high = (one.option["done_by_deadline" + end] for end in ("", "_low", "_high"))
            wald = 1.96 * math.sqrt(share * (1 - share) / one.option["runs"])
            assert low <= share <= high and high - low <= 2 * wald + 8 / one.option["runs"], shown(*one.command)
            assert high - low >= wald, shown(*one.command)


def test_a_forgotten_restart_and_late_news_are_found(tmp_path):
    """The program against the judge of another question: of the kind that is found wherever it is."""
    fleet = Fleet([Group(4, laws.Exponential(1e-5), Fixed(5000.0), restart=3000.0)], 4e5, 1000.0, Listening(2000, 2000),
                  task=2e4, deadline=2e5)
    question = Question.__new__(Question)
    question.folder, question.policy, question.number, question.fleet = tmp_path, "central", 1, fleet
    question.keys = {"work": "400000s", "checkpoint": "1000s", "restart": "3000s", "task": "20000s", "latency": "2000s",
                     "deadline": "200000s", "machines": [{"name": "a", "count": 4, "risk": "exponential(rate=1)",
                                                          "risk_unit": "100000s", "replaced": "5000s"}]}
    judged = Judged(question, random.Random(SEED), 150)
    assert max(judged.off(judged.runs, rare=2).values()) < FAR
    fleet.groups[0].restart = 0.0
    assert max(judged.off(judged.sample(150), rare=2).values()) > FAR
    fleet.groups[0].restart, fleet.heard = 3000.0, Listening(20000, 20000)
    assert max(judged.off(judged.sample(150), rare=2).values()) > FAR


def test_one_task_that_starts_again_takes_its_closed_form():
    """Of the judge; mean of the finish (e^(l t) - 1) / l, by sigma."""
    rate, task, draw = 1 / 3600, 5000.0, random.Random(SEED)
    law = laws.Exponential(rate)
    for restart, down in ((0.0, 0.0), (300.0, 200.0)):
        fleet = Fleet([Group(1, law, Fixed(down), restart=restart)], task, 0.0, Listening(60, 60), task=task, until=3e5)
        ends = [FleetRun(Tasks(fleet), fleet, fleet.up(draw)).makespan for _ in range(500)]
        mean = math.fsum(ends) / len(ends)
        error = math.sqrt(math.fsum((end - mean) ** 2 for end in ends)) / len(ends)
        assert abs(mean - (1 / rate + down) * math.expm1(rate * (restart + task))) < 6 * error


def test_sure_machines_take_tasks_one_after_the_other():
    """Two groups: whoever is free first takes the next task."""
    speeds, restarts = [2.0] * 2 + [0.7] * 3, [50.0] * 2 + [10.0] * 3
    fleet = Fleet([Group(2, Sure(), speed=2.0, restart=50.0, price=1.0, billed=3600.0),
                   Group(3, Sure(), speed=0.7, restart=10.0)], 10000.0, 20.0, Listening(0, 0), task=700.0, until=1e9)
    free = [(restart, worker) for worker, restart in enumerate(restarts)]
    for size in fleet.tasks():
        time, worker = min(free)
        free[free.index((time, worker))] = time + 20 + size / speeds[worker], worker
    run = FleetRun(Tasks(fleet), fleet, fleet.up(random.Random(SEED)))
    assert run.makespan == pytest.approx(max(free)[0], rel=1e-12)
    assert run.cost == 7200 and run.rented_time == pytest.approx(5 * run.makespan)


@pytest.mark.parametrize("law", [laws.Exponential(1), laws.Linear(1), laws.Weibull(2.2, 1),
                                 laws.empirical([0.03 * (1 + k % 55) for k in range(60)])])
def test_machines_in_zones_keep_their_law_whenever_they_come_up(law):
    """Lives of first and of second spells, DKW at 1e-9 each (8e-9 in all). A zone of which all is forgotten is found."""
    draw, margin = random.Random(SEED), math.sqrt(math.log(2 / 1e-9) / 2 / 1000)
    ups = [spells(draw, Group(2, law, Fixed(0.3), zones=1, common=0.7), 8.0) for _ in range(1000)]
    for which in (0, 1):
        lives = [end - begin for up in ups for begin, end in [up[0][which]]]
        distance = max(abs(law.before(t) - sum(life < t * (1 - 1e-9) for life in lives) / len(lives)) for t in law.times[::10]) \
            if isinstance(law, laws.Atoms) else greatest_distance(law, lives)
        assert distance < margin
    assert sum(up[0][0][1] == up[1][0][1] for up in ups) / len(ups) > 0.3
