"""Workers that come back: are renewals and windows of recordings, and lists that run through them, those of the definition?"""
import bisect
import functools
import math
import random

import dispatched
import laws
import problems
import pytest
from program import PROBLEMS, SEED

CAMPAIGNS = max(4, PROBLEMS // 5)
UP = ("linear", "exponential", "weibull", "lognormal", "hyperexponential", "few", "many")
TIMES = 1e-6  # what rounding makes of times in seconds, in units of time


def renewal(draw, up, down, resume, workers, horizon):
    """Up by the law from each return on; down by the other law, and `resume` more."""
    found = []
    for _ in range(workers):
        time, spells = 0.0, []
        while time < horizon:
            end = min(horizon, time + up.draw(draw))
            spells.append((time, end))
            time = end + down.draw(draw) + resume
        found.append([spell for spell in spells if spell[1] > spell[0]])
    return found


def window(draw, machines, workers, length, scale):
    """A window at a random place between the first begin and the last end; `workers` machines, each at most once."""
    begin = min(spells[0][0] for spells in machines)
    end = max(spells[-1][1] for spells in machines)
    start = begin + draw.random() * (end - begin - length * scale)
    return [shown(spells, start, length, scale) for spells in draw.sample(machines, workers)]


def shown(spells, start, length, scale):
    found = [(max(0.0, (a - start) / scale), min(length, (b - start) / scale)) for a, b in spells]
    return [(a, b) for a, b in found if b > a]


@pytest.fixture(scope="module")
def renewals(tmp_path_factory):
    """(question, folder, found, what draws spells, its arguments)."""
    draw, folder, made = random.Random(SEED), tmp_path_factory.mktemp("renewals"), []
    for number in range(CAMPAIGNS):
        workers = draw.randint(1, 5)
        _, text, up = problems.random_law(draw, folder, UP)
        life = problems.typical_life(up)
        horizon = life * draw.uniform(0.3, 3)
        down_text, down = draw.choice([
            (f"exponential(rate={1 / life!r})", laws.Exponential(1 / life)),
            (f"weibull(shape=0.7, scale={0.3 * life!r})", laws.Weibull(0.7, 0.3 * life)),
            (f"lognormal(median={0.4 * life!r}, sigma=1)", laws.Lognormal(0.4 * life, 1)),
            (f"linear(kappa={2 / life!r})", laws.Linear(2 / life))])
        resume = draw.choice([0.0, 0.1 * life])
        one = dispatched.question(draw, workers, life, f'risk = "{text}"\nhorizon = {horizon!r}\n'
                                  f'availability = "renewal(down={down_text}, resume={resume!r})"')
        place = folder / str(number)
        place.mkdir()
        made.append((one, place, dispatched.run(draw, place, one), renewal, (up, down, resume, workers, horizon)))
    return made


@pytest.fixture(scope="module")
def windows(tmp_path_factory):
    draw, folder, made = random.Random(SEED + 1), tmp_path_factory.mktemp("windows"), []
    for number in range(CAMPAIGNS):
        machines = recording(draw)
        place = folder / str(number)
        place.mkdir()
        rows = [f"h{k},{a!r},{b!r},1" for k, spells in enumerate(machines) for a, b in spells]
        draw.shuffle(rows)
        (place / "recorded.csv").write_text("\n".join(["host,start,end,observed", *rows]) + "\n")
        workers, scale = draw.randint(1, len(machines)), draw.choice([1.0, 600.0])
        length = draw.uniform(0.05, 0.6) * (max(spells[-1][1] for spells in machines) - min(
            spells[0][0] for spells in machines)) / scale
        one = dispatched.question(draw, workers, length / 3, f'risk = "linear(kappa={1 / length!r})"\navailability = '
                                  f'"replay(trace=recorded.csv, window={length!r}, scale={scale!r})"')
        made.append((one, place, dispatched.run(draw, place, one), window, (machines, workers, length, scale)))
    return made


def recording(draw):
    """Hosts with one to thirty spells, some of whom go down together."""
    shared = sorted(draw.uniform(0, 20000) for _ in range(5))
    machines = []
    for _ in range(draw.randint(2, 8)):
        time, spells = draw.uniform(0, 4000), []
        while time < 20000 and len(spells) < 30:
            end = time + draw.expovariate(1 / draw.choice([500, 3000]))
            after = bisect.bisect(shared, time)
            if after < len(shared) and draw.random() < 0.7:
                end = min(end, shared[after])
            spells.append((time, end))
            time = end + draw.expovariate(1 / draw.choice([50, 2000])) + 1
        machines.append(spells)
    return machines


def test_what_becomes_of_lists_in_an_instance_is_what_the_definition_makes_of_them(renewals, windows):
    assert [wrong for one, folder, *_ in renewals + windows for wrong in dispatched.wrong_replays(one, folder)] == []


def test_means_of_renewals_are_those_of_instances_drawn_from_the_definition(renewals):
    draw = random.Random(SEED + 2)
    assert [wrong for one, _, found, make, of in renewals
            for wrong in dispatched.wrong_means(one, found, functools.partial(make, draw, *of))] == []


def test_means_of_windows_are_those_of_instances_drawn_from_the_definition(windows):
    draw = random.Random(SEED + 3)
    assert [wrong for one, _, found, make, of in windows
            for wrong in dispatched.wrong_means(one, found, functools.partial(make, draw, *of))] == []


def test_windows_are_parts_of_the_recording_with_each_machine_at_most_once(windows):
    """All that is seen of an instance fits one start and different machines."""
    wrong = []
    for one, folder, _, _, (machines, workers, length, scale) in windows:
        for instance, (_, up) in enumerate(dispatched.replayed(folder)):
            starts = {edge - seen * scale for spells in up for spell in spells for seen in spell if 0 < seen < length
                      for recorded in machines for times in recorded for edge in times}
            if starts and not any(fits(up, machines, start, length, scale) for start in starts):
                wrong.append((one, instance, up))
    assert wrong == []


def fits(up, machines, start, length, scale):
    """Whether the workers are different machines: a matching by augmenting paths."""
    same = [[k for k, recorded in enumerate(machines) if alike(spells, shown(recorded, start, length, scale))] for spells in up]
    taken = {}

    def place(worker, tried):
        for machine in same[worker]:
            if machine not in tried:
                tried.add(machine)
                if machine not in taken or place(taken[machine], tried):
                    taken[machine] = worker
                    return True
        return False

    return all(place(worker, set()) for worker in range(len(up)))


def alike(seen, recorded):
    longer = [[spell for spell in spells if spell[1] - spell[0] > TIMES] for spells in (seen, recorded)]
    return len(longer[0]) == len(longer[1]) and all(
        math.isclose(a, b, abs_tol=TIMES * max(1, abs(b))) for one, other in zip(*longer) for a, b in zip(one, other))


def test_who_comes_back_later_would_be_seen():
    """One worker up for 1 on average, down for 1 or for 2."""
    draw, law = random.Random(SEED), laws.Exponential(1)
    one = dispatched.Question(1, 10.0, 0.01, math.inf, True, [(0, k * 0.3, k * 0.3 + 0.3) for k in range(30)], "")
    done = [[dispatched.outcome(one, renewal(draw, law, laws.Exponential(1), resume, 1, 3.0), math.inf).completed
             for _ in range(2000)] for resume in (0.0, 0.0, 1.0)]
    apart = [abs(sum(done[k]) - sum(done[0])) / 2000 for k in (1, 2)]
    assert apart[0] < dispatched.most_apart(done[0], done[1]) and apart[1] > dispatched.most_apart(done[0], done[2])
