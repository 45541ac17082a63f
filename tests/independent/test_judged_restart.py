"""Jobs that restart: are the expected times of coterie solve those of the definition, and is its optimum the least of all rules?"""
import json
import math
import random

import laws
import markets
import problems
import pytest
import restarting
from program import FULL, PROBLEMS, SEED, Refused, ask, call
from restarting import Job, Least

KINDS = ("linear", "exponential", "weibull", "lognormal", "hyperexponential", "few", "many")
METHODS = ("interval", "young", "daly", "optimal")
STEPS = 24 if FULL else 12
NEVER = 1e12
INSTANCES = 200 if FULL else 40


def mean(law):
    return restarting.mean_until(law, 1e12)


class Problem:
    def __init__(self, draw, folder, number):
        _, text, law = problems.random_law(draw, folder, KINDS)
        life = problems.typical_life(law)
        self.method, self.steps = METHODS[number % 4], draw.randint(1, STEPS)
        self.gang = draw.choice([1, 1, 1, 2, 7])
        life /= self.gang
        checkpoint, restart = life * 10 ** draw.uniform(-2.5, -0.7), life * draw.choice([0.0, 10 ** draw.uniform(-2, -0.5)])
        down, work = life * draw.choice([0.0, draw.random()]), life * 10 ** draw.uniform(-1, 0.9)
        if self.method == "optimal":  # exact where these are whole parts of a step
            step = work / self.steps / draw.randint(1, 4)
            checkpoint, restart = step * math.ceil(checkpoint / step), step * math.ceil(restart / step)
        self.job = Job(work, checkpoint, restart, down, Least(law, self.gang) if self.gang > 1 else law)
        self.interval = work / draw.randint(1, 12) * draw.choice([1.0, draw.uniform(0.5, 1)])
        self.keys = {"problem": "restart", "work": work, "checkpoint": checkpoint, "restart": restart, "down": down,
                     "risk": text, "method": self.method}
        self.keys |= {"gang": self.gang} if self.gang > 1 else {}
        self.keys |= {"interval": self.interval} if self.method == "interval" else {}
        self.keys |= {"steps": self.steps} if self.method == "optimal" else {}
        self.path = folder / f"{number}.toml"
        self.path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in self.keys.items()))

    def expected(self):
        """(time, interval or None)."""
        if self.method == "optimal":
            return self.job.optimum(self.steps), None
        interval, job = self.interval, self.job
        if self.method != "interval":
            life = mean(job.law)
            interval = math.sqrt(2 * job.checkpoint * life)
            if self.method == "daly":
                ratio = job.checkpoint / (2 * life)
                interval = interval * (1 + math.sqrt(ratio) / 3 + ratio / 9) - job.checkpoint if ratio < 1 else life
            interval = min(interval or job.work, job.work)
        return job.of_interval(interval), interval


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """(problem, answer or None, expected time, interval)."""
    draw, folder, found = random.Random(SEED), tmp_path_factory.mktemp("restart"), []
    for number in range(PROBLEMS):
        problem = Problem(draw, folder, number)
        try:
            answer = ask("solve", problem.path)
        except Refused as refused:
            answer = str(refused)
        found.append((problem, answer, *problem.expected()))
    return found


def test_expected_times_are_exact(judged):
    wrong = []
    for problem, answer, time, interval in judged:
        told = answer["expected_time"] if isinstance(answer, dict) else math.inf
        if min(told, time) > NEVER * problem.job.work:
            continue
        if not math.isclose(told, time, rel_tol=1e-8) or interval and not math.isclose(answer["interval"], interval, rel_tol=1e-9):
            wrong.append((problem.keys, answer, time, interval))
    assert wrong == []


@pytest.mark.parametrize("law", [laws.Exponential(0.3), laws.Weibull(0.6, 3), laws.empirical([1.0, 2, 5, 7, 9]), laws.Linear(0.12)])
def test_the_optimum_is_the_least_of_all_rules(law):
    job = Job(4, 0.2, 0.3, 0.5, law)
    for steps in (2, 3, 4):
        assert job.optimum(steps) == pytest.approx(job.exhaustive(steps), rel=1e-12)
        assert job.optimum(steps) <= job.of_interval(4 / steps) * (1 + 1e-12)


def test_equal_chunks_take_dalys_exact_time():
    rate, job = 0.3, Job(6, 0.2, 0.3, 0.5, laws.Exponential(0.3))
    chunk = math.exp(rate * 0.3) * (1 / rate + 0.5) * math.expm1(rate * (1.5 + 0.2))
    assert job.of_interval(1.5) == pytest.approx(4 * chunk, rel=1e-11)
    assert Job(6, 0.2, 0.3, 0.5, Least(laws.Exponential(0.1), 3)).of_interval(1.5) == pytest.approx(4 * chunk, rel=1e-9)


def test_what_is_expected_is_what_is_sampled():
    """By sigma. A restart that is forgotten is found."""
    draw, chunks = random.Random(SEED), [1.0, 0.5, 1.5, 1.0]
    for law in (laws.Weibull(0.6, 3), laws.empirical([1.0, 2, 5, 7, 9]), laws.Lognormal(3, 1), Least(laws.Linear(0.1), 2)):
        job = Job(4, 0.2, 0.3, 0.5, law)
        runs = [job.simulated(draw, chunks) for _ in range(20000)]
        average = math.fsum(runs) / len(runs)
        error = math.sqrt(math.fsum((run - average) ** 2 for run in runs)) / len(runs)
        assert abs(job.of_chunks(chunks) - average) < 6 * error
        assert abs(Job(4, 0.2, 0.0, 0.5, law).of_chunks(chunks) - average) > 6 * error


KINDS_OF_MARKETS = ("renewal", "whole", "recording")
RULES = {"on-demand": markets.on_demand, "spot": markets.spot, "tries(losses=2)": markets.tries(2),
         "last-moment": markets.last_moment, "uniform-progress": markets.uniform_progress,
         "time-sliced(slices=5)": markets.time_sliced(5)}


def market_campaign(draw, folder, number):
    """Of a renewal law, or windows of a recording, also with whole lengths; (market, kind, answers of replay)."""
    kind = KINDS_OF_MARKETS[number % 3]
    whole = (lambda x: max(1, round(x))) if kind == "whole" else (lambda x: x)
    work = whole(draw.uniform(5, 20))
    market = markets.Market(work, whole(work * draw.uniform(1.15, 1.8)) + 4 * (kind == "whole"), whole(draw.uniform(0.05, 1)),
                            whole(draw.uniform(0.05, 1.5)), round(draw.uniform(1, 4), 2))
    if kind != "renewal":
        data = [int(draw.random() < 0.6)]
        while len(data) < 150:
            data.append(data[-1] if draw.random() < 0.8 else 1 - data[-1])
        (folder / f"{number}.json").write_text(json.dumps({"metadata": {"gap_seconds": 600}, "data": data}))
        axes = f'risk = "none"\nspot = "recording(trace={number}.json, scale=10min)"'
    else:
        axes = f'risk = "exponential(rate={draw.uniform(0.1, 1)!r})"\ndown = "exponential(rate={draw.uniform(0.3, 2)!r})"'
    strategies = [*RULES, *(["optimal-switch"] if kind == "renewal" else [])]
    (folder / f"{number}.toml").write_text(f"""model = "restart"
seed = {draw.randint(1, 10 ** 9)}
instances = {INSTANCES}
strategies = {json.dumps(strategies)}
[grid]
work = {market.work}
deadline = {market.deadline}
restart = {market.restart}
change = {market.changeover}
price = {market.price}
metric = "cost"
{axes}
""")
    call("run", folder / f"{number}.toml", "--output", folder / f"{number}.h5", "--quiet")
    return market, kind, ask("replay", folder / f"{number}.h5", "--configuration", 0, "--instance", 0, "--count", INSTANCES)


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    draw, folder = random.Random(SEED), tmp_path_factory.mktemp("markets")
    return [market_campaign(draw, folder, number) for number in range(max(4, PROBLEMS // 5))]


def rows(campaigns):
    return [(market, kind, answer["spot"], answer["reference_cost"], row)
            for market, kind, answers in campaigns for answer in answers for row in answer["strategies"]]


def test_policies_do_what_their_rules_say(campaigns):
    """In each instance, but where times coincide: when the job ends and what it costs."""
    wrong = []
    for market, kind, up, _, row in rows(campaigns):
        if row["name"] in RULES and kind != "whole":
            run = markets.Run(market, up, RULES[row["name"]])
            told = [math.inf if row["finish"] is None else row["finish"], row["cost"]]
            if told[0] < math.inf and not all(math.isclose(*both, rel_tol=1e-6) for both in zip(told, [run.now, run.cost])):
                wrong.append((market, up, row["name"], told, run.now, run.cost))
    assert wrong == []


def test_the_optimum_under_a_renewal_law_is_no_dearer_than_any_rule(campaigns):
    """On average, paired, by sigma: for each of the rules that are never late."""
    for market, kind, answers in campaigns:
        costs = {name: [row["cost"] for answer in answers for row in answer["strategies"] if row["name"] == name]
                 for name in ("optimal-switch", "on-demand", "last-moment", "uniform-progress")}
        for name in list(costs)[1:] if kind == "renewal" else ():
            gains = [other - best for best, other in zip(costs["optimal-switch"], costs[name])]
            mean = math.fsum(gains) / len(gains)
            error = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains)) / len(gains)
            assert mean > -6 * error, (market, name, mean, error)


def test_who_must_meet_the_deadline_does_so_and_nobody_is_cheaper_than_who_knows_all(campaigns):
    wrong = []
    for market, _, up, least, row in rows(campaigns):
        met = row["finish"] is not None and row["finish"] <= market.deadline * (1 + 1e-9)
        if not met and row["name"] not in ("spot", "tries(losses=2)") or met and row["cost"] < least * (1 - 1e-9):
            wrong.append((market, up, least, row))
    assert wrong == []


def test_who_knows_all_has_the_least_cost(campaigns):
    """Where all lengths are whole."""
    wrong = []
    for market, kind, answers in campaigns:
        for answer in answers if kind == "whole" else ():
            there = [any(begin <= time < end for begin, end in answer["spot"]) for time in range(market.deadline)]
            least = markets.omniscient(market, there)
            if not math.isclose(answer["reference_cost"], least, rel_tol=1e-9):
                wrong.append((market, there, answer["reference_cost"], least))
    assert wrong == []
