"""When the machines of a group are up, where they are replaced and leave with others of their zone.

A part `common` of each machine's hazard h, at its present age, is of its zone: the shocks of a zone are points (time, y) of a
Poisson process of rate 1 in the plane; one takes every machine of the zone with y < common h(age). The rest is its own."""
import bisect
import math

import laws
import together


class Fixed:
    """A length."""

    def __init__(self, length):
        self.length = length

    def draw(self, random):
        return self.length


class Sure:
    """Never interrupted."""

    def before(self, t):
        return 0.0

    def draw(self, random):
        return math.inf


def spells(random, group, until):
    """For each machine its spells (begin, end) that begin before `until`, which may end later."""
    if group.common > 0 and group.down is None:
        lives = together.lives(random, [group.life] * group.count, group.zones, group.common)
        return [[(0.0, life)] if life > 0 else [] for life in lives]
    if group.common > 0:
        return [up for zone in range(group.zones) for up in in_zone(
            random, group, sum(k * group.zones // group.count == zone for k in range(group.count)), until)]
    found = []
    for _ in range(group.count):
        begin, up = 0.0, []
        while begin < until:
            up.append((begin, begin + (group.first if begin == 0 and group.first else group.life).draw(random)))
            begin = up[-1][1] + (group.down.draw(random) if group.down else math.inf)
        found.append(up)
    return found


class Levels:
    """The hazard of a law as steps (from age, hazard): made piecewise exponential between its durations, each of which has half
    of its interruptions on either side."""

    def __init__(self, law):
        self.steps, before, up = [], 0.0, 1.0
        for time in law.times:
            if before < time < math.inf:
                half = 1 - (law.before(time) + law.before(time * (1 + 1e-9))) / 2
                self.steps.append((before, math.log(up / half) / (time - before)))
                before, up = time, half
        self.steps.append((before, 0.0))

    def at(self, age):
        return self.steps[bisect.bisect_right(self.steps, (age, math.inf)) - 1][1]

    def next_edge(self, age):
        place = bisect.bisect_right(self.steps, (age * (1 + 1e-12), math.inf))
        return self.steps[place][0] - age if place < len(self.steps) else math.inf

    def next_shock(self, ages, room):
        """After what time the integral of the greatest hazard of the ages is `room`, and the hazards then."""
        passed = 0.0
        while True:
            rates = [self.at(age + passed) for age in ages]
            length = min(self.next_edge(age + passed) for age in ages)
            if max(rates) * length >= room and max(rates) > 0:
                return passed + room / max(rates), rates
            if length == math.inf:
                return math.inf, rates
            passed, room = passed + length, room - max(rates) * length


class Smooth:
    """A hazard that rises with age or falls: linear, exponential, Weibull."""

    def __init__(self, law):
        self.law = law
        self.eldest = max if not isinstance(law, laws.Weibull) or law.shape >= 1 else min

    def at(self, age):
        if isinstance(self.law, laws.Linear):
            return self.law.kappa / max(1e-300, 1 - self.law.kappa * age)
        if isinstance(self.law, laws.Exponential):
            return self.law.rate
        return self.law.shape / self.law.scale * (max(age, 1e-300) / self.law.scale) ** (self.law.shape - 1)

    def so_far(self, age):
        if isinstance(self.law, laws.Weibull):
            return (age / self.law.scale) ** self.law.shape
        return -math.log(max(1e-300, 1 - self.law.before(age)))

    def next_shock(self, ages, room):
        age = self.eldest(ages)
        end = self.law.at(-math.expm1(-(self.so_far(age) + room)))
        return end - age, [self.at(one + end - age) for one in ages]


def in_zone(random, group, machines, until):
    law, common, now = group.life, group.common, 0.0
    hazard = Levels(law) if isinstance(law, laws.Atoms) else Smooth(law)

    def comes_up(begin):  # (since when, until when on its own)
        own = random.random() ** (1 / (1 - common)) if common < 1 else 0.0
        return begin, begin + law.at(1 - own)

    up, back, found = [comes_up(0.0) for _ in range(machines)], [None] * machines, [[] for _ in range(machines)]
    while now < until:
        there = [k for k in range(machines) if up[k]]
        shock, hazards = math.inf, []
        if there and common > 0:
            shock, hazards = hazard.next_shock([now - up[k][0] for k in there], random.expovariate(1) / common)
        shock += now
        own = min((up[k][1] for k in there), default=math.inf)
        returns = min((time for time in back if time is not None), default=math.inf)
        now = min(shock, own, returns)
        if now == math.inf:
            break
        if now == returns:
            k = back.index(returns)
            up[k], back[k] = comes_up(now), None
            continue
        y = random.random() * max(hazards) if now == shock else None
        for k, h in zip(there, hazards or [0.0] * len(there)):
            if (y < h or h == max(hazards)) if y is not None else up[k][1] == now:
                found[k].append((up[k][0], now))
                up[k] = None
                back[k] = now + group.down.draw(random) if group.down else None
    for k in range(machines):
        if up[k]:
            found[k].append((up[k][0], up[k][1] if now == math.inf else until))
    return found
