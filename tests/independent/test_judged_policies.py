"""The decisions of help and central, one by one: what the program's log of an instance tells of them beside a dispatcher that
is written from the description alone, for the same interruptions."""
import itertools
import math
import random

import dispatching
import laws
import pytest
from program import FULL, SEED, ask, call

CASES, REPLAYED = (60, 2) if FULL else (9, 1)
FIRST, SHARES, LEAST = (1.0, 0.92, 0.85, 0.75, 0.65), (1.0, 1.5, 2.0, 3.0), (1, 2, 3, 5, 10, 20)
ORDER = ("ends", "drops", "heard complete", "heard lost", "comes back", "is given", "begins")


class Case:
    def __init__(self, draw, folder):
        self.workers, self.startup = draw.choice([1, 2, 3, 4, 6]), draw.choice([0.0, 0.01, 0.02, 0.05])
        self.work = round(self.workers * draw.choice([0.1, 0.3, 0.5, 1.0]), 3)
        latency = draw.choice([0.0, 0.013, 0.05, 0.1, 0.3, math.inf])
        self.listening = dispatching.Listening(
            latency, draw.choice([0.0, 0.02, 0.2, math.inf]), 1 if latency == math.inf else draw.choice([0, 1]),
            draw.random() < 0.5, draw.choice([math.inf, 0.5, 0.9]))
        self.law, self.risk, self.top = draw.choice([
            (laws.Linear(1), "linear(kappa=1)", 1.0), (laws.Exponential(1), "exponential(rate=1)", math.inf)])
        if self.listening.horizon == math.inf and (self.startup > 0 or self.listening.prefetch == 0):
            self.law, self.risk, self.top = laws.Linear(1), "linear(kappa=1)", 1.0
        self.chunks, self.up_again = draw.choice([4, 7, 10]), ""
        if self.listening.horizon < math.inf and draw.random() < 0.6:
            down, resume = draw.choice([3.0, 10.0]), draw.choice([0.0, 0.1])
            self.up_again = f'availability = "renewal(down=exponential(rate={down}), resume={resume})"'
        self.folder, self.seed = folder, draw.randint(1, 10 ** 9)

    def run(self):
        heard = self.listening
        (self.folder / "case.toml").write_text(f"""model = "dispatch"
seed = {self.seed}
instances = {REPLAYED}
strategies = ["help", "central"]
[grid]
workers = {self.workers}
work = {self.work}
chunks = {self.chunks}
startup = {self.startup}
risk = "{self.risk}"
latency = {heard.latency}
notice = {heard.notice}
prefetch = {heard.prefetch}
drop = "{'yes' if heard.drop else 'no'}"
horizon = {heard.horizon}
{self.up_again}
""")
        call("run", self.folder / "case.toml", "--output", self.folder / "case.h5", "--force", "--quiet")
        return [ask("replay", self.folder / "case.h5", "--configuration", 0, "--instance", k) for k in range(REPLAYED)]

    def plan(self, name):
        """(worker, end, size) of a list's tasks, by chunk."""
        answer = ask("schedule", "--strategy", name, "--workers", self.workers, "--work", self.work, "--startup", self.startup,
                     "--chunks", self.chunks, "--risk", self.risk)
        tasks = sorted(answer["tasks"], key=lambda task: (task["chunk"], task["worker"]))
        return [(task["worker"], task["finish"], task["end"] - task["begin"]) for task in tasks]

    def by_definition(self, policy, answer):
        return dispatching.Run(policy, self.work, self.startup, spells(answer), self.listening)

    def central(self, answers):
        """What fits all instances, of what planning runs may have chosen."""
        wait = 2 * self.listening.latency if self.listening.prefetch == 0 else 0.0
        unit = self.startup + wait or self.work / self.workers / 1000
        first_chunk = dispatching.first_chunks(self.law, self.startup, wait, min(self.top, self.listening.horizon))
        wrong = []
        for first, shares, least in itertools.product(FIRST, SHARES, LEAST):
            found = []
            try:
                for answer in answers:
                    told, copied = given(answer["strategies"][1]["log"], self.workers)
                    policy = dispatching.Central(self.law, first_chunk, (first, shares, least * unit), told, copied)
                    found.append(differs(self.by_definition(policy, answer), answer, 1))
            except dispatching.Unlike:
                continue
            if not any(found):
                return None
            wrong.append(((first, shares, least), next(filter(None, found))))
        return wrong or "no parameters"


def spells(answer):
    return [[tuple(spell) for spell in worker["up"]] if "up" in worker else
            [(0.0, math.inf if worker["interruption"] is None else worker["interruption"])] for worker in answer["workers"]]


def given(log, workers):
    """By worker (time, size) of chunks of the pool, and (time, piece) of copies."""
    told, copied, seen = [[] for _ in range(workers)], [[] for _ in range(workers)], set()
    for event in log:
        if event["event"] == "is given":
            if event["first_chunk"] in seen:
                copied[event["worker"]].append((event["time"], event["first_chunk"]))
            else:
                told[event["worker"]].append((event["time"], event["work"]))
            seen.add(event["first_chunk"])
    return told, copied


def taken(log, workers):
    """By worker (time, piece) of what is no plan's."""
    return [[(event["time"], event["first_chunk"]) for event in log if event["event"] == "is given" and event["worker"] == worker]
            for worker in range(workers)]


def differs(run, answer, row):
    """The first that the two tell differently, until the last worker is gone or all is known to be complete."""
    printed, stop = answer["strategies"][row], min(run.all_known, max((end for up in spells(answer) for _, end in up), default=0))
    logs = [[] for _ in run.log]
    for event in printed["log"]:
        if event["event"] in ORDER:
            logs[event["worker"]].append((event["time"], event["event"], event.get("first_chunk"),
                                          event.get("work", event.get("new_work"))))
    for worker, (mine, told) in enumerate(zip(run.log, logs)):
        for one, other in itertools.zip_longest(*(in_order(log, stop) for log in (mine, told))):
            if not one or not other or not alike(one, other):
                return worker, one, other
    expected = [run.out.completed, run.out.machine_time, run.out.wasted, run.out.makespan]
    told = [printed["work"], printed["machine_time"], printed["wasted"],
            math.inf if printed["makespan"] is None else printed["makespan"]]
    return None if all(same(a, b) for a, b in zip(expected, told)) else (expected, told)


def in_order(log, stop):
    kept = [event for event in log if event[0] < stop - 1e-9 or event[0] < stop + 1e-9 and event[1] in ORDER[:2]]
    return sorted(kept, key=lambda event: (round(event[0], 8), ORDER.index(event[1]), event[2] or 0))


def alike(one, other):
    return same(one[0], other[0]) and one[1:3] == other[1:3] and (None in (one[3], other[3]) or same(one[3], other[3]))


def same(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    draw, made = random.Random(SEED), []
    for _ in range(CASES):
        case = Case(draw, tmp_path_factory.mktemp("policies"))
        made.append((case, case.run()))
    return made


def test_help_decides_as_described(cases):
    wrong = []
    for case, answers in cases:
        shares = case.plan("no-replication")
        for answer in answers:
            copied = taken(answer["strategies"][0]["log"], case.workers)
            found = differs(case.by_definition(dispatching.Help(shares, copied), answer), answer, 0)
            wrong += [(vars(case), found)] if found else []
    assert wrong == []


def test_central_decides_as_described(cases):
    assert [(vars(case), found) for case, answers in cases if case.workers > 1 if (found := case.central(answers))] == []
