"""Campaigns of the model dispatch on lists of one's own, and what they are compared with."""
import math
from dataclasses import dataclass

import h5py
import problems
from dispatching import NOTHING, Listening, Run
from handing_out import Lists, cut
from program import FULL, ask, call, write_tasks

INSTANCES = 20000
SAMPLED = 8000 if FULL else 3000
REPLAYED = 40 if FULL else 6
#: Of each comparison of means. False alarm 6e-14 by the normal limit, at most 1e-11 where what makes the difference happens
#: in few instances (Poisson).
SIGMAS = 7.5


@dataclass
class Question:
    workers: int
    work: float
    startup: float
    latency: float
    drop: bool
    tasks: list
    axes: str  # those that say when workers are up

    @property
    def names(self):
        return {"file(path=own.csv)": math.inf, "skip(file(path=own.csv))": self.latency}


def question(draw, workers, life, axes):
    """Any lists, from hardly any work to five times what all can do."""
    work, startup = workers * life * 10 ** draw.uniform(-1.5, 0.7), life * 10 ** draw.uniform(-2.5, -0.6)
    latency = draw.choice([0.0, startup * 10 ** draw.uniform(-1, 1.5)])
    return Question(workers, work, startup, latency, draw.random() < 0.7, problems.random_tasks(draw, workers, work), axes)


def run(draw, folder, one):
    """Of each strategy the measures of all instances, and what is expected."""
    write_tasks(folder / "own.csv", one.tasks)
    (folder / "judged.toml").write_text(f"""model = "dispatch"
seed = {draw.randint(1, 10 ** 9)}
instances = {INSTANCES}
strategies = ["file(path=own.csv)", "skip(file(path=own.csv))"]
[grid]
workers = {one.workers}
work = {one.work!r}
startup = {one.startup!r}
latency = {one.latency!r}
drop = "{'yes' if one.drop else 'no'}"
{one.axes}
""")
    call("run", folder / "judged.toml", "--output", folder / "judged.h5", "--force", "--quiet")
    found = {}
    with h5py.File(folder / "judged.h5") as file:
        reference = file["reference"][0]
        for row, name in enumerate(one.names):
            found[name] = {"completed": file["ratio"][0, row] * reference, "reference": reference,
                           "machine_time": file["machine_time"][0, row], "wasted": file["wasted"][0, row],
                           "makespan": file["makespan"][0, row], "expected": float(file["expected_work"][0, row])}
    return found


def replayed(folder):
    """Of each of the first instances: what became of each strategy, and when the workers were up."""
    for answer in ask("replay", folder / "judged.h5", "--configuration", 0, "--instance", 0, "--count", REPLAYED):
        up = [worker["up"] if "up" in worker else [[0, math.inf if worker["interruption"] is None else worker["interruption"]]]
              for worker in answer["workers"]]
        yield answer, [[tuple(spell) for spell in spells] for spells in up]


def outcome(one, up, latency):
    heard = Listening(latency, latency, 1, one.drop) if latency < math.inf else NOTHING
    return Run(Lists(*cut(one.tasks, one.workers)), one.work, one.startup, up, heard)


def useful(up, startup):
    """What who knows all spells completes in them if there is enough to do."""
    return math.fsum(max(0.0, end - begin - startup) for spells in up for begin, end in spells)


def wrong_replays(one, folder):
    """Instances in which lists do not become what they become by the definition."""
    wrong = []
    for instance, (answer, up) in enumerate(replayed(folder)):
        limit = min(one.work, useful(up, one.startup))
        if not math.isclose(answer["reference"], limit, rel_tol=1e-9, abs_tol=1e-12 * one.work):
            wrong.append((instance, "reference", answer["reference"], limit))
        for strategy, latency in zip(answer["strategies"], one.names.values()):
            by_definition = outcome(one, up, latency)
            printed = [strategy["work"], strategy["machine_time"], strategy["wasted"],
                       math.inf if strategy["makespan"] is None else strategy["makespan"]]
            expected = [by_definition.completed, by_definition.machine_time, by_definition.wasted, by_definition.makespan]
            if any(not math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-9 * one.work) for a, b in zip(printed, expected)):
                wrong.append((instance, strategy["name"], printed, expected))
    return wrong


def most_apart(first, second):
    """Of the means of two samples of one law: SIGMAS standard errors of their difference, of the spread of both together
    (one of them may have seen nothing of what is rare)."""
    values = [*first, *second]
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return SIGMAS * spread * math.sqrt(1 / len(first) + 1 / len(second))


def wrong_means(one, found, draw_up):
    """Measures whose means are not those of instances that are drawn by the definition; draw_up() makes spells."""
    ups = [draw_up() for _ in range(SAMPLED)]
    wrong = []
    for name, latency in one.names.items():
        outcomes = [outcome(one, up, latency) for up in ups]
        sampled = {"reference": [min(one.work, useful(up, one.startup)) for up in ups]}
        for key in ("completed", "machine_time", "wasted"):
            sampled[key] = [getattr(one_outcome, key) for one_outcome in outcomes]
        sampled["all done"] = [float(one_outcome.makespan < math.inf) for one_outcome in outcomes]
        printed = found[name] | {"all done": (found[name]["makespan"] < math.inf).astype(float)}
        for key, values in sampled.items():
            apart = abs(math.fsum(values) / SAMPLED - printed[key].mean())
            if apart > most_apart(values, printed[key].tolist()) + 1e-9 * one.work:
                wrong.append((one, name, key, math.fsum(values) / SAMPLED, printed[key].mean()))
    return wrong
