"""One job on one machine after the other: chunks, each with its save; an interruption loses what was not saved, then it is down,
and needs a restart (which the first start is spared). Expected times from this definition alone: exactly, and by search."""
import functools
import itertools
import math
from dataclasses import dataclass

import laws
from numpy.polynomial.legendre import leggauss
from scipy.special import gamma, gammainc

GAUSS = [list(map(float, part)) for part in leggauss(24)]
QUANTILES = [*(10.0 ** -k for k in range(18, 1, -1)), *(k / 20 for k in range(1, 20)), *(1 - 10.0 ** -k for k in range(2, 16))]


def mean_until(law, t):
    """E min(T, t): the integral of P(T >= u) up to t."""
    if isinstance(law, laws.Atoms):
        return math.fsum(mass * min(time, t) for time, mass in zip(law.times, law.masses))
    if isinstance(law, laws.Linear):
        u = min(t, 1 / law.kappa)
        return u - law.kappa * u * u / 2
    if isinstance(law, laws.Exponential):
        return law.before(t) / law.rate
    if isinstance(law, laws.Weibull):
        return law.scale * gamma(1 + 1 / law.shape) * gammainc(1 / law.shape, (t / law.scale) ** law.shape)
    if isinstance(law, laws.Lognormal):
        mean = law.median * math.exp(law.sigma ** 2 / 2)
        return mean * law.__class__(law.median * math.exp(law.sigma ** 2), law.sigma).before(t) + t * (1 - law.before(t))
    if isinstance(law, Least):
        return law.mean_until(t)
    return math.fsum(weight * mean_until(part, t) for weight, part in law.parts)


class Least:
    """The least of so many lives."""

    def __init__(self, law, n):
        self.law, self.n = law, n

    def before(self, t):
        return 1 - (1 - self.law.before(t)) ** self.n

    def draw(self, random):
        return min(self.law.draw(random) for _ in range(self.n))

    def mean_until(self, t):
        """Exactly between atoms, by Gauss' rule between quantiles."""
        atoms = isinstance(self.law, laws.Atoms)
        inner = self.law.times if atoms else [self.law.at(level) for level in QUANTILES]
        edges = [0.0, *sorted({time for time in inner if 0 < time < t}), *([t] if atoms or t < inner[-1] else [])]
        nodes, weights = ([0.0], [2.0]) if atoms else GAUSS
        return math.fsum(weight * (b - a) / 2 * (1 - self.before((a + b + node * (b - a)) / 2))
                         for a, b in zip(edges, edges[1:]) for node, weight in zip(nodes, weights))


@dataclass
class Job:
    work: float
    checkpoint: float
    restart: float
    down: float  # its mean
    law: object

    def __post_init__(self):
        self.until = functools.cache(lambda t: mean_until(self.law, t))
        self.lives = functools.cache(lambda t: 1 - self.law.before(t * (1 - 1e-12)))

    def once_up(self, restart, chunks, then):
        """Expected time from when a machine comes up; then[k]: once it is lost with k chunks saved (None: as now)."""
        ends = list(itertools.accumulate((chunk + self.checkpoint for chunk in chunks), initial=restart))[1:]
        alive = [1.0, *map(self.lives, ends)]
        total = self.until(ends[-1])
        for before, after, expected in zip(alive, alive[1:], then):
            total += (before - after) * (self.down + (expected or 0.0)) if before > after else 0.0
        if then[0] is None:
            return total / alive[1] if alive[1] > 0 else math.inf
        return total

    def of_chunks(self, chunks):
        """Expected time of the job with this list of chunks."""
        after = []
        for k in reversed(range(len(chunks))):
            after.insert(0, self.once_up(self.restart, chunks[k:], [None, *after]))
        return self.once_up(0.0, chunks, after)

    def of_interval(self, interval):
        whole = math.ceil(self.work / interval * (1 - 1e-12))
        return self.of_chunks([interval] * (whole - 1) + [self.work - interval * (whole - 1)])

    def optimum(self, steps):
        """Least expected time of all rules (work left, age) -> next chunk, in whole steps of the work."""
        step, checkpoint = self.work / steps, self.checkpoint
        fresh = [0.0]  # by steps left, when the machine comes up again

        @functools.cache
        def going_on(left, first, done, saves):
            """From an age that `done` steps and `saves` made of the first one."""
            if left == 0:
                return 0.0
            age = first + done * step + saves * checkpoint
            alive, best = self.lives(age), math.inf
            for chunk in range(1, left + 1) if alive > 0 else ():
                end = age + chunk * step + checkpoint
                lives = self.lives(end) / alive
                best = min(best, (self.until(end) - self.until(age)) / alive + (
                    (1 - lives) * (self.down + fresh[left]) if lives < 1 else 0.0) + (
                    lives * going_on(left - chunk, first, done + chunk, saves + 1) if lives > 0 else 0.0))
            return best

        for left in range(1, steps + 1):
            best = math.inf
            for chunk in range(1, left + 1):
                end = self.restart + chunk * step + checkpoint
                lives = self.lives(end)
                if lives > 0:
                    best = min(best, (self.until(end) + (1 - lives) * self.down) / lives +
                               going_on(left - chunk, self.restart, chunk, 1))
            fresh.append(best)
        return going_on(steps, 0.0, 0, 0)

    def exhaustive(self, steps):
        """The same by trying all: each way to cut what is left at each start, all ways together."""
        step, best = self.work / steps, math.inf
        for rule in itertools.product(*(compositions(left) for left in range(1, steps + 1))):  # by what is left
            fresh = [0.0]
            for left, way in enumerate(rule, 1):
                fresh.append(self.once_up(self.restart, [step * part for part in way], [None, *after(fresh, left, way)[1:]]))
            best = min(best, *(self.once_up(0.0, [step * part for part in way], after(fresh, steps, way))
                               for way in compositions(steps)))
        return best

    def simulated(self, random, chunks):
        """The finish of one run of a list of chunks."""
        now, k, due = 0.0, 0, 0.0
        while True:
            life, age = self.law.draw(random), due
            while k < len(chunks) and age + chunks[k] + self.checkpoint <= life:
                age += chunks[k] + self.checkpoint
                k += 1
            if k == len(chunks):
                return now + age
            now, due = now + life + self.down, self.restart


def after(fresh, left, way):
    """What is expected after each part of a way to do what is left; nothing is said of the first if it is not known."""
    done = itertools.accumulate(way[:-1], initial=0)
    return [fresh[left - one] if left - one < len(fresh) else None for one in done]


def compositions(n):
    if n == 0:
        return [()]
    return [(first, *rest) for first in range(1, n + 1) for rest in compositions(n - first)]
