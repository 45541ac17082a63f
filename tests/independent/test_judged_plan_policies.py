"""What coterie plan says of the policies central and adaptive, and of mixes of machines at a price. Each is simulated by what
the program says that was chosen, on other random numbers; machines may come back."""
import math
import random

import laws
import planned_policies as policies
import pytest
from dispatching import NOTHING, Run
from handing_out import Help, Lists, cut
from planned_policies import Machines, seconds
from program import FULL, SEED, ask, read_tasks, shown
from test_judged_availability import renewal
from test_judged_listening import ALARM, SIMULATED, Judged, many, own_shares, up

QUESTIONS, PRICED = (30, 5) if FULL else (4, 1)
SAMPLED = 1000


class Row(Judged):
    """What is too rare to be seen in so many runs may be worth all of the work: of 28 that are expected none is seen with a
    probability of 1e-12."""

    def errors(self, difference, variance):
        return super().errors(difference, variance + (28 / 7.5 * self.unit) ** 2 / self.n)


class Question:
    """As long a deadline as makes it neither sure nor hopeless."""

    def __init__(self, draw, folder, comes_back):
        self.workers = draw.randint(2, 5)
        options, law, life = policies.random_machines(draw, folder, smooth_only=comes_back)
        self.work = float(f"{self.workers * life * 10 ** draw.uniform(-1.0, 0.2):.6f}")
        startup = float(f"{life * 10 ** draw.uniform(-1.8, -0.8):.6f}")
        latency = float(f"{life * draw.choice([0, 1e-3, 0.05, 0.3]):.6f}")
        self.deadline = float(f"{(self.work / self.workers + startup) * draw.uniform(1, 2.5):.6f}")
        self.machines = Machines([law] * self.workers, startup, latency)
        self.options = [*options, "--work", seconds(self.work), "--checkpoint", seconds(startup), "--latency",
                        seconds(latency), "--deadline", seconds(self.deadline)]
        self.back = None
        if comes_back:
            rate, resume = draw.choice([1, 4]) / life * 3600, draw.choice([0.0, 0.1])
            self.machines.horizon = float(f"{self.deadline * draw.uniform(1, 2):.6f}")
            self.back = laws.Exponential(rate / 3600), resume * 3600
            self.options += ["--availability", f"renewal(down=exponential(rate={rate!r}), resume={resume})",
                             "--horizon", seconds(self.machines.horizon)]

    def up(self, draw):
        if self.back is None:
            return up(law.draw(draw) for law in self.machines.laws)
        return renewal(draw, self.machines.laws[0], *self.back, self.workers, self.machines.horizon)


def judged_rows(question, draw, export):
    """(rows of which all is judged, what adaptive says to be and is not)."""
    arguments = ["plan", *question.options, "--machines", question.workers, "--strategy", "best", "--instances", SIMULATED]
    answer, machines = ask(*arguments, "--export", export), question.machines
    rows = {row["strategy"]: row for row in answer["listening"]["strategies"]}
    lists = cut(read_tasks(export), question.workers)
    chosen = rows["adaptive"]["policy"]["chosen"]
    ways = {"central": (machines.heard, machines.central(rows["central"]["policy"]))}
    if question.back:
        once = next(plan for plan in answer["alternatives"] if plan["strategy"] == "no-replication")
        shares = own_shares(question.workers, once["deployed_work"], once["chunks"], machines.startup)
        ways |= {"best": (NOTHING, lambda: Lists(*lists)), "skip(best)": (machines.heard, lambda: Lists(*lists)),
                 "help": (machines.heard, lambda: Help(shares, question.workers))}
    unlike = None
    if chosen == "best until a worker is lost, then central":
        ways["adaptive"] = machines.heard, machines.central(rows["adaptive"]["policy"], lists)
    elif chosen in rows:  # the same on the same runs
        numbers = [{key: row[key] for key in row if key not in ("strategy", "policy", "keeps_lambda")}
                   for row in (rows["adaptive"], rows[chosen])]
        unlike = None if numbers[0] == numbers[1] else (shown(*arguments), *numbers)
    judged = [Row((shown(*arguments), name), rows[name], [
        Run(make(), question.work, machines.startup, question.up(draw), heard) for _ in range(SAMPLED)],
        question.work, question.deadline) for name, (heard, make) in ways.items()]
    return judged, unlike, chosen


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    draw, folder, found = random.Random(SEED), tmp_path_factory.mktemp("policies"), []
    for number in range(QUESTIONS):
        question = Question(draw, folder, number % 2 == 1)
        found.append((question, *judged_rows(question, draw, folder / f"{number}.csv")))
    return found


def test_first_chunks_are_as_good_as_the_best(judged):
    assert [(question.options, lost) for question, *_ in judged for lost in question.machines.lost
            if not -1e-9 < lost < policies.LOST] == []


def test_adaptive_does_what_it_says_that_it_chose(judged):
    assert [unlike for _, _, unlike, _ in judged if unlike] == []


def test_shares_and_times_are_those_of_the_policies(judged):
    assert [(row.command, row.wrong()) for _, rows, *_ in judged for row in rows if row.wrong()] == []


@pytest.mark.parametrize("place", range(5))
def test_numbers_are_within_three_standard_errors(judged, place):
    """Of each kind of row no more than happen to be beyond, as questions have other random numbers; none is far."""
    found = [rows[place] for _, rows, *_ in judged if len(rows) > place]
    for name in ("completed", "completed_in_time", "machine_time", "wasted", "all_done", "in_time"):
        far = [(row.command, row.off()[name]) for row in found if row.off()[name] > 3]
        assert len(far) < many(len(found), 0.0027, ALARM), (name, far)
        assert [one for one in far if one[1] > 7.5] == [], name


def margin(runs, simulated):
    """Of the difference of two shares, by Hoeffding."""
    return sum(math.sqrt(math.log(2 / ALARM) / 2 / n) for n in (runs, simulated))


class Paid(Run):
    """What it costs: machine time at the price of its machine."""

    def __init__(self, prices, *arguments):
        self.prices, self.cost = prices, 0.0
        super().__init__(*arguments)

    def stop(self, worker, *arguments, **more):
        before = self.machine_time
        super().stop(worker, *arguments, **more)
        self.cost += self.prices[worker.number] * (self.machine_time - before)


def prices_of(draw, folder, confidence):
    options, law, life = policies.random_machines(draw, folder)
    work, startup, latency = (float(f"{life * part:.6f}") for part in (1.5, 0.03, 0.02))
    asked = ["plan", *options, "--work", seconds(work), "--checkpoint", seconds(startup), "--latency", seconds(latency),
             "--machines", 3, "--price", "spot=0.3,on-demand=1", "--confidence", confidence, "--instances", 2000]
    return ask(*asked)["prices"]["mixes"], Machines([law] * 3, startup, latency), work, shown(*asked)


@pytest.mark.parametrize("confidence", [90, 25])  # at 25 % fixed lists are often on the frontier
def test_costs_and_times_of_mixes(confidence, tmp_path):
    """Machines on demand alone exactly; mixes of which nothing is better by the judge; and that nothing is."""
    draw, fixed = random.Random(SEED + confidence), 0
    for _ in range(PRICED):
        mixes, machines, work, command = prices_of(draw, tmp_path, confidence)
        for mix in mixes:
            better = [other for other in mixes if other["done_by"] is not None and mix["done_by"] is not None
                      and other["cost"] <= mix["cost"] and other["done_by"] <= mix["done_by"]
                      and (other["cost"], other["done_by"]) != (mix["cost"], mix["done_by"])]
            assert not (mix["on_frontier"] and (better or mix["done_by"] is None)), (command, mix, better)
            alike = any(other["on_frontier"] and (other["cost"], other["done_by"]) == (mix["cost"], mix["done_by"])
                        for other in mixes)  # of which one is told
            assert alike or better or mix["done_by"] is None, (command, mix)
            if mix["spot"] == 0:
                assert math.isclose(mix["cost"] * 3600, work + mix["on_demand"] * machines.startup, rel_tol=1e-9)
                assert math.isclose(mix["done_by"], work / mix["on_demand"] + machines.startup, rel_tol=1e-9)
                continue
            assert not mix["on_frontier"] or mix["instances"] == 2000 and mix["planned"] in (True, None), (command, mix)
            mixed = Machines([policies.Never() if number in mix["on_demand_machines"] else machines.laws[0]
                              for number in range(mix["spot"] + mix["on_demand"])], machines.startup, machines.latency)
            fixed += mix["schedule"] is not None
            if mix["schedule"]:
                lists = cut(tasks_of_schedule(mix["schedule"]), len(mixed.laws))
                judge_mix(mix, mixed, lambda lists=lists: Lists(*lists), NOTHING, confidence / 100, work, draw, command)
            elif mix["listens"] and len(mixed.laws) > 1:
                judge_mix(mix, mixed, mixed.central(mix["policy"]), mixed.heard, confidence / 100, work, draw, command)
    assert fixed > 0 or confidence == 90


def tasks_of_schedule(schedule):
    return [(machine["machine"], schedule["chunks"][chunk]["begin"], schedule["chunks"][chunk]["end"])
            for machine in schedule["machines"] for chunk in machine["chunks"]]


def judge_mix(mix, machines, make, heard, confidence, work, draw, command):
    prices = [1 / 3600 if isinstance(law, policies.Never) else 0.3 / 3600 for law in machines.laws]
    runs = [Paid(prices, make(), work, machines.startup, up(law.draw(draw) for law in machines.laws), heard)
            for _ in range(SAMPLED)]
    costs, n = [run.cost for run in runs], mix["instances"]
    mean = math.fsum(costs) / len(runs)
    variance = math.fsum((cost - mean) ** 2 for cost in costs) / (len(runs) - 1)
    assert abs(mean - mix["cost"]) <= 7.5 * math.sqrt(variance * (1 / len(runs) + 1 / n)) + 1e-9 * mean, (command, mix, mean)
    # Variances, as means of squares.
    fourth = math.fsum((cost - mean) ** 4 for cost in costs) / len(runs)
    told, error = mix["cost_error"] ** 2 * n, math.sqrt(max(0.0, fourth - variance**2) * (1 / len(runs) + 1 / n))
    assert abs(told - variance) <= 7.5 * error + 1e-9 * mean**2, (command, mix, variance)
    end = math.inf if mix["done_by"] is None else mix["done_by"]
    below = sum(run.makespan < end * (1 - 1e-9) for run in runs) / len(runs)
    up_to = sum(run.makespan <= end * (1 + 1e-9) for run in runs) / len(runs)
    slack = margin(len(runs), n)
    assert below - slack <= confidence <= up_to + slack, (command, mix, below, up_to)


def test_other_parameters_and_machines_that_come_back_later_are_found():
    options = ["plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--machines", 3, "--work", "40h", "--checkpoint",
               "30min", "--latency", "1h", "--deadline", "20h", "--horizon", "30h", "--instances", SIMULATED]
    answer = ask(*options, "--availability", "renewal(down=exponential(rate=2), resume=0)")
    row, draw, law = next(row for row in answer["listening"]["strategies"] if row["strategy"] == "central"), random.Random(
        SEED), laws.Exponential(1 / 36000)
    law.written = "exponential(rate=1)", 36000

    def errors(b, mean_absence):
        machines = Machines([law] * 3, 1800, 3600, 108000)
        make = machines.central(row["policy"] | {"b": b * row["policy"]["b"]})
        back = laws.Exponential(1 / mean_absence), 0.0
        runs = [Run(make(), 144000, 1800, renewal(draw, law, *back, 3, 108000), machines.heard) for _ in range(600)]
        return max(Judged("", row, runs, 144000, 72000).off().values())

    assert errors(1, 18000) < 7.5
    assert errors(0.2, 18000) > 7.5
    assert errors(1, 5 * 18000) > 7.5
