"""Random questions to the policies that listen, and what the program's log tells of them."""
import math

import laws
import problems
from dispatching import NOTHING, Listening, Run
from handing_out import Central, Help, Lists, ListsThenCentral, cut
from program import ask, call, write_tasks

OWN = "skip(file(path=own.csv))"
LATENCIES = (0.0, 0.013, 0.05, 0.1, 0.3, math.inf)


class Case:
    """Lives are smooth, or recorded: then they end when chunks do, and workers go down together."""

    def __init__(self, draw, folder, number, instances, adaptive):
        self.folder, self.instances, self.adaptive, self.plans = folder, instances, adaptive, {}
        self.seed, self.workers = draw.randint(1, 10 ** 9), draw.choice([1, 2, 3, 4, 6])
        self.startup, self.chunks = draw.choice([0.0, 0.01, 0.02, 0.05]), draw.choice([4, 7, 10])
        self.work = round(self.workers * draw.choice([0.1, 0.3, 0.5, 1.0, 4.0]), 3)
        latency = LATENCIES[number % len(LATENCIES)]
        notice = draw.choice([0.0, 0.02, 0.2, latency, math.inf])
        prefetch = 1 if latency == math.inf else draw.choice([0, 1])
        horizon = draw.choice([math.inf, math.inf, 0.5, 0.9])
        self.listening = Listening(latency, notice, prefetch, draw.random() < 0.5, horizon)
        self.risk, self.laws = draw.choice([smooth, recorded, recorded, of_ages])(draw, folder, self)
        self.availability = ""
        if horizon < math.inf and "age" not in self.risk and draw.random() < 0.6:
            down, resume = draw.choice([3.0, 10.0]), draw.choice([0.0, 0.1])
            self.availability = f'availability = "renewal(down=exponential(rate={down}), resume={resume})"'
        self.tasks = draw.choice([problems.random_tasks, even_tasks])(draw, self.workers, self.work)
        self.strategies = [OWN, "help", "central", *(["skip(best)", "adaptive"] if adaptive else [])]

    @property
    def wait(self):
        return 0.0 if self.listening.prefetch else 2 * self.listening.latency

    def run(self):
        heard = self.listening
        write_tasks(self.folder / "own.csv", self.tasks)
        (self.folder / "case.toml").write_text(f"""model = "dispatch"
seed = {self.seed}
instances = {self.instances}
strategies = {str(self.strategies).replace("'", '"')}
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
{self.availability}
""")
        call("run", self.folder / "case.toml", "--output", self.folder / "case.h5", "--force", "--quiet")
        self.answers = ask("replay", self.folder / "case.h5", "--configuration", 0, "--instance", 0, "--count", self.instances)
        return self

    def plan(self, strategy, chunks=None):
        """The tasks of a list."""
        key = strategy, chunks or self.chunks
        if key not in self.plans:
            self.plans[key] = ask("schedule", "--strategy", strategy, "--workers", self.workers, "--work", self.work, "--startup",
                                  self.startup, "--chunks", key[1], "--risk", self.risk)["tasks"]
        return self.plans[key]

    def lists(self, strategy, chunks=None):
        return cut([(task["worker"], task["begin"], task["end"]) for task in self.plan(strategy, chunks)], self.workers)

    def own(self, row):
        return Lists(*cut(self.tasks, self.workers))

    def help(self, row):
        tasks = sorted(self.plan("no-replication"), key=lambda task: task["chunk"])
        shares = [(task["worker"], task["finish"], task["end"] - task["begin"]) for task in tasks]
        return Help(shares, self.workers, copied(row["log"], self.workers))

    def central(self, row):
        return Central(self.laws, row["plan"], self.startup, copied(row["log"], self.workers))

    def one(self, row):
        return Lists(*self.lists("best", "auto"))

    def until_lost(self, row):
        return ListsThenCentral(Lists(*self.lists("best")), self.laws, row["plan"], self.startup,
                                copied(row["log"], self.workers))

    def wrong(self, strategy, policy):
        """Instances that the policy runs otherwise than the program."""
        found = []
        for answer in self.answers:
            row = next(row for row in answer["strategies"] if row["name"] == strategy)
            up = spells(answer)
            heard = NOTHING if strategy == OWN and self.listening.latency == math.inf else self.listening
            run = Run(policy(row), self.work, self.startup, up, heard)
            difference = differs(run, row, up)
            found += [(vars(self) | {"answers": ...}, answer["instance"], difference)] if difference else []
        return found


def smooth(draw, folder, case):
    return draw.choice([("linear(kappa=1)", [laws.Linear(1)] * case.workers),
                        ("exponential(rate=1)", [laws.Exponential(1)] * case.workers)])


def recorded(draw, folder, case):
    """One to four durations, of which most are ends of chunks of the shares, more or less."""
    step = 1 / case.chunks + case.startup
    durations = [draw.choice([step * draw.randint(1, 8), draw.uniform(0.1, 1.5)]) for _ in range(draw.randint(1, 4))]
    return (f"trace(file={problems.written(draw, folder, map(repr, durations))}, normalise=none)",
            [laws.empirical(durations)] * case.workers)


def of_ages(draw, folder, case):
    durations = [draw.uniform(0.3, 2) for _ in range(draw.randint(3, 9))]
    ages = [0.0, round(draw.uniform(0.05, 0.9) * max(durations), 3)]
    path, law = problems.written(draw, folder, map(repr, durations)), laws.empirical(durations)
    return (f"trace(file={path}, age=each({', '.join(map(repr, ages))}), normalise=none)",
            [law.aged(ages[number % 2]) for number in range(case.workers)])


def even_tasks(draw, workers, work):
    """Of twelfths of the work: ends of several coincide."""
    tasks = []
    for worker in range(workers):
        for _ in range(draw.randint(0, 6)):
            begin = draw.randint(0, 11)
            tasks.append((worker, work * begin / 12, work * draw.randint(begin + 1, 12) / 12))
    return tasks or [(0, 0.0, work)]


def spells(answer):
    return [[tuple(spell) for spell in worker["up"]] if "up" in worker else
            [(0.0, math.inf if worker["interruption"] is None else worker["interruption"])] for worker in answer["workers"]]


def copied(log, workers):
    """By worker (time, piece) of what is given."""
    return [[(event["time"], event["first_chunk"]) for event in log if event["event"] == "is given" and event["worker"] == worker]
            for worker in range(workers)]


ORDER = ("ends", "drops", "heard complete", "heard lost", "comes back", "is given", "begins")


def differs(run, printed, up):
    """The first that the two tell differently, until the last worker is gone or all is known to be complete."""
    stop = min(run.all_known, max((end for spells in up for _, end in spells), default=0))
    logs = [[] for _ in run.log]
    for event in printed["log"]:
        if event["event"] in ORDER:
            logs[event["worker"]].append((event["time"], event["event"], event.get("first_chunk"), event.get("chunks", 0),
                                          event.get("work", event.get("new_work"))))
    for worker, (mine, told) in enumerate(zip(run.log, logs)):
        mine, told = in_order(mine, stop), in_order(told, stop)
        for one, other in zip(mine + [None] * len(told), told + [None] * len(mine)):
            if one != other and not (one and other and alike(one, other)):
                return worker, one, other
    expected = [run.completed, run.machine_time, run.wasted, run.makespan]
    told = [printed["work"], printed["machine_time"], printed["wasted"],
            math.inf if printed["makespan"] is None else printed["makespan"]]
    return None if all(same(a, b) for a, b in zip(expected, told)) else (expected, told)


def in_order(log, stop):
    kept = [event for event in log if event[0] < stop - 1e-9 or event[0] < stop + 1e-9 and event[1] in ORDER[:2]]
    return sorted(kept, key=lambda event: (round(event[0], 8), ORDER.index(event[1]), event[2] or 0))


def alike(one, other):
    return same(one[0], other[0]) and one[1:4] == other[1:4] and (None in (one[4], other[4]) or same(one[4], other[4]))


def same(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
