"""Laws of interruption times, written from their definitions alone: P(T < t), a draw of T, and where P reaches a level."""
import itertools
import math
from bisect import bisect_left
from statistics import NormalDist


class Linear:
    def __init__(self, kappa):
        self.kappa = kappa

    def before(self, t):
        return min(1.0, self.kappa * max(0.0, t))

    def draw(self, random):
        return random.random() / self.kappa

    def at(self, level):
        return level / self.kappa


class Exponential:
    def __init__(self, rate):
        self.rate = rate

    def before(self, t):
        return -math.expm1(-self.rate * max(0.0, t))

    def draw(self, random):
        return random.expovariate(self.rate)

    def at(self, level):
        return -math.log1p(-level) / self.rate if level < 1 else math.inf


class Weibull:
    def __init__(self, shape, scale):
        self.shape, self.scale = shape, scale

    def before(self, t):
        if t <= 0:
            return 0.0
        try:
            return -math.expm1(-((t / self.scale) ** self.shape))
        except OverflowError:  # a power beyond all numbers
            return 1.0

    def draw(self, random):
        return self.scale * random.expovariate(1.0) ** (1 / self.shape)

    def at(self, level):
        return self.scale * (-math.log1p(-level)) ** (1 / self.shape) if level < 1 else math.inf


class Lognormal:
    def __init__(self, median, sigma):
        self.median, self.sigma = median, sigma

    def before(self, t):
        return 0.5 * math.erfc(-math.log(t / self.median) / self.sigma / math.sqrt(2)) if t > 0 else 0.0

    def draw(self, random):
        return self.median * math.exp(random.gauss(0, self.sigma))

    def at(self, level):
        if not 0 < level < 1:
            return 0.0 if level <= 0 else math.inf
        return self.median * math.exp(self.sigma * NormalDist().inv_cdf(level))


class Hyperexponential:
    def __init__(self, p, rate1, rate2):
        self.parts = ((p, Exponential(rate1)), (1 - p, Exponential(rate2)))

    def before(self, t):
        return sum(weight * part.before(t) for weight, part in self.parts)

    def draw(self, random):
        return self.parts[random.random() >= self.parts[0][0]][1].draw(random)

    def at(self, level):
        low, high = 0.0, max(part.at(level) for _, part in self.parts)
        while low < (middle := (low + high) / 2) < high < math.inf:
            low, high = (middle, high) if self.before(middle) < level else (low, middle)
        return high


class Atoms:
    """Masses at times in their order (the last may be infinite)."""

    def __init__(self, times, masses):
        self.times, self.masses = times, masses
        self.sums = [0.0, *itertools.accumulate(masses)]

    def before(self, t):
        place = bisect_left(self.times, t)
        return 1.0 if place == len(self.times) else min(1.0, self.sums[place])

    def draw(self, random):
        return random.choices(self.times, self.masses)[0]

    def at(self, level):
        return self.times[min(max(bisect_left(self.sums, level * self.sums[-1]) - 1, 0), len(self.times) - 1)]

    def scaled(self, factor):
        return Atoms([time * factor for time in self.times], self.masses)

    def aged(self, age):
        """What is left of those that are up at that age: interrupted at it or later."""
        left = [(time - age, mass) for time, mass in zip(self.times, self.masses) if time >= age]
        total = math.fsum(mass for _, mass in left)
        return Atoms([time for time, _ in left], [mass / total for _, mass in left])


class Met:
    """What is left of a life met at a random moment: P(rest < t) = integral of P(T >= u) up to t, by its mean."""

    def __init__(self, atoms):
        self.atoms = atoms
        self.areas = [0.0, *itertools.accumulate(time * mass for time, mass in zip(atoms.times, atoms.masses))]

    def before(self, t):
        place = bisect_left(self.atoms.times, max(t, 0.0))
        if place == len(self.atoms.times):
            return 1.0
        return (self.areas[place] + t * (1 - self.atoms.sums[place])) / self.areas[-1]

    def draw(self, random):
        return random.random() * random.choices(self.atoms.times, cum_weights=self.areas[1:])[0]


def empirical(durations):
    """Every duration an interruption (worksharing-2013, Section 7.2.1: P(T < t) counts the strictly shorter ones)."""
    return Atoms(sorted(durations), [1 / len(durations)] * len(durations))


def kaplan_meier(spells, tail):
    """The product-limit estimate of (duration, observed) spells. Who is watched up to a time at which others are
    interrupted was at risk there. tail: the mass that no interruption was seen of is 'immortal', or 'gone' at the last
    time that anyone was seen."""
    times, masses, alive = [], [], 1.0
    for time in sorted({duration for duration, observed in spells if observed}):
        at_risk = sum(1 for duration, _ in spells if duration >= time)
        ended = sum(1 for duration, observed in spells if observed and duration == time)
        times.append(time)
        masses.append(alive * ended / at_risk)
        alive *= 1 - ended / at_risk
    if alive > 1e-15:
        times.append(math.inf if tail == "immortal" else max(duration for duration, _ in spells))
        masses.append(alive)
    return Atoms(times, masses)
