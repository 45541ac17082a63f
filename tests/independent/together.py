"""Lives of workers that are interrupted by zones, and what static schedules are worth there, from the definition alone.

Of p workers, worker w is in zone floor(w z / p). P(T > t) = S(t)^rho [zone] x S(t)^(1 - rho) [own]: a worker is interrupted
when its survival S falls to the higher of two levels, one of its own and one that is common to its zone."""
import functools
import math

import sharing


def zone_of(worker, workers, zones):
    return worker * zones // workers


def levels(random, workers, zones, common):
    """The survival at which each worker is interrupted; uniform for each of them alone."""
    def level(share):
        return random.random() ** (1 / share) if share > 0 else 0.0

    shared = [level(common) for _ in range(zones)]
    return [max(shared[zone_of(worker, workers, zones)], level(1 - common)) for worker in range(workers)]


def lives(random, laws, zones, common):
    return [law.at(1 - level) for law, level in zip(laws, levels(random, len(laws), zones, common))]


@functools.cache
def all_lost(survivals, common):
    """P(all copies of one zone are lost), for the probabilities that their workers live until they end: the integral over
    the zone's level v of the product of 1 - s^(1 - rho) over those that the zone leaves (v < s^rho)."""
    edges = sorted({0.0, 1.0, *(s ** common for s in survivals if s > 0)})
    total = 0.0
    for low, high in zip(edges, edges[1:]):
        left = [s for s in survivals if s > 0 and s ** common > (low + high) / 2]
        total += (high - low) * math.prod(1 - s ** (1 - common) for s in left)
    return total


def expected_work(tasks, startup, laws, zones, common, late=0.0):
    """As sharing.expected_work, in zones."""
    ends = [end * (1 + late) for end in sharing.finish_times(tasks, startup)]
    worth = 0.0
    for size, who in sharing.pieces(tasks, ends):
        by_zone = {}
        for worker, end in who.items():
            by_zone.setdefault(zone_of(worker, len(laws), zones), []).append(1 - laws[worker].before(end))
        worth += size * (1 - math.prod(all_lost(tuple(survivals), common) for survivals in by_zone.values()))
    return worth


def bracket(tasks, startup, laws, zones, common):
    return tuple(expected_work(tasks, startup, laws, zones, common, late) for late in (1e-12, -1e-12))
