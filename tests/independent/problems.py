"""Random problems: what is given to the program as text, and what it means as a law."""
import math
from dataclasses import dataclass

import laws


@dataclass
class Problem:
    workers: int
    work: float
    startup: float
    risk: str
    law: object
    kind: str


def random_law(random, folder, kinds=None):
    """(kind, text of the risk, law). Files of traces are written into the folder."""
    kind = random.choice(kinds or KINDS)
    return kind, *MAKERS[kind](random, folder)


def linear(random, _):
    kappa = 10 ** random.uniform(-1, 1)
    return f"linear(kappa={kappa!r})", laws.Linear(kappa)


def exponential(random, _):
    rate = 10 ** random.uniform(-1, 1)
    return f"exponential(rate={rate!r})", laws.Exponential(rate)


def weibull(random, _):
    shape, scale = 10 ** random.uniform(-0.4, 0.5), 10 ** random.uniform(-0.5, 0.5)
    return f"weibull(shape={shape!r}, scale={scale!r})", laws.Weibull(shape, scale)


def lognormal(random, _):
    median, sigma = 10 ** random.uniform(-0.5, 0.5), random.uniform(0.1, 2)
    return f"lognormal(median={median!r}, sigma={sigma!r})", laws.Lognormal(median, sigma)


def hyperexponential(random, _):
    p, rate1, rate2 = random.random(), 10 ** random.uniform(0, 1.3), 10 ** random.uniform(-1, 0)
    text = f"hyperexponential(p={p!r}, rate1={rate1!r}, rate2={rate2!r})"
    return text, laws.Hyperexponential(p, rate1, rate2)


def durations(random, count):
    """Tied ones among them, from heavy tails to nearly equal ones."""
    sigma = random.uniform(0.1, 2.5)
    found = [float(f"{3600 * math.exp(random.gauss(0, sigma)):.4g}") for _ in range(count)]
    return [random.choice(found) if random.random() < 0.1 else duration for duration in found]


def written(random, folder, lines):
    path = folder / f"{random.getrandbits(48):012x}.durations"
    path.write_text("\n".join(lines) + "\n")
    return path


def few(random, folder):
    return naive(random, folder, random.randint(1, 7))


def many(random, folder):
    return naive(random, folder, random.randint(20, 150))


def naive(random, folder, count):
    found = durations(random, count)
    path = written(random, folder, map(repr, found))
    return f"trace(file={path})", laws.empirical(found).scaled(1 / max(found))


def aged(random, folder):
    found = durations(random, random.randint(2, 60))
    path = written(random, folder, map(repr, found))
    age = random.choice([0.5 * min(found), random.uniform(0, 0.9) * max(found)])
    law = laws.empirical(found).aged(age)
    return f"trace(file={path}, age={age!r}, normalise=none)", law


def met(random, folder):
    found = durations(random, random.randint(1, 60))
    path = written(random, folder, map(repr, found))
    return f"trace(file={path}, age=stationary, normalise=none)", laws.Met(laws.empirical(found))


def censored_spells(random, count):
    share = random.uniform(0.05, 0.7)
    spells = [(duration, random.random() >= share) for duration in durations(random, count)]
    return spells if any(observed for _, observed in spells) else [(spells[0][0], True), *spells[1:]]


def immortal(random, folder):
    return censored(random, folder, "immortal")


def gone(random, folder):
    return censored(random, folder, "gone")


def censored(random, folder, tail):
    spells = censored_spells(random, random.randint(2, 60))
    path = written(random, folder, ["duration,observed", *(f"{duration!r},{int(seen)}" for duration, seen in spells)])
    text = f"trace(file={path}, estimator=kaplan-meier, tail={tail}, normalise=none)"
    law = laws.kaplan_meier(spells, tail)
    law.if_gone = laws.kaplan_meier(spells, "gone")
    return text, law


MAKERS = {maker.__name__: maker for maker in
          (linear, exponential, weibull, lognormal, hyperexponential, few, many, aged, met, immortal, gone)}
KINDS = tuple(MAKERS)


def typical_life(law):
    """The time before which half of the workers are interrupted, more or less."""
    low, high = 1e-9, 1e9
    for _ in range(100):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if law.before(middle) < 0.4 else (low, middle)
    return high


def random_problem(random, folder, kinds=None):
    """One worker to thirty, from hardly any work to ten times what all can do, without start-up costs or with ones of
    up to half a life."""
    kind, text, law = random_law(random, folder, kinds)
    life = typical_life(law)
    if not 1e-8 < life < 1e8:  # most are never interrupted
        life = max([time for time in law.times if time < math.inf])
    workers = random.choice([1, 2, 3, random.randint(1, 30)])
    work = workers * life * 10 ** random.uniform(-2.5, 1)
    startup = 0.0 if random.random() < 0.2 else life * 10 ** random.uniform(-2.7, -0.3)
    return Problem(workers, work, startup, text, law, kind)


def random_tasks(random, workers, work):
    """Lists of up to six tasks of any sizes and overlaps."""
    tasks = []
    for worker in range(workers):
        for _ in range(random.randint(0, 6)):
            begin = random.random() * work
            tasks.append((worker, begin, min(work, begin + (0.01 + random.random()) * work / 3)))
    return tasks or [(0, 0.0, work)]
