"""A job between a spot market that comes and goes, and machines on demand that are always there, by a deadline: what the policies
do. Nothing is lost at an interruption (saving costs nothing); each start costs time."""
import functools
import math
from dataclasses import dataclass

SPOT, ON_DEMAND = "spot", "on-demand"
SAME = 1e-9


@dataclass
class Market:
    work: float
    deadline: float
    restart: float   # when the machine comes up again where it was interrupted
    changeover: float  # from one market to the other, each way
    price: float     # of a machine on demand; spot: 1

    def start(self, before, market):
        """What a start costs; `before`: the market of the last machine."""
        return 0.0 if before is None else self.restart if before == market else self.changeover


class Run:
    """policy(run): the market that is wanted now (None: wait) and until when, if nothing happens."""

    def __init__(self, market, spells, policy):
        self.market, self.policy = market, policy
        self.now = self.done = self.cost = 0.0
        self.running = self.before = None
        self.due, self.interruptions, self.last = 0.0, 0, False
        edges = [edge for spell in spells for edge in spell]
        while self.done < market.work * (1 - SAME) and self.now < math.inf:
            self.there = any(begin <= self.now * (1 + 1e-12) < end for begin, end in spells)
            if self.running == SPOT and not self.there:
                self.running, self.interruptions = None, self.interruptions + 1
                self.before = self.came_from if self.due > SAME else self.before
            wanted, until = policy(self)
            if wanted != self.running:
                self.due, self.came_from = market.start(self.before, wanted) if wanted else 0.0, self.before
                self.running, self.before = wanted, wanted or self.before
            edge = min((one for one in edges if one > self.now * (1 + 1e-12) + 1e-12), default=math.inf)
            end = min(edge, until, self.now + self.due + market.work - self.done if self.running else math.inf)
            self.pass_time(end)

    def pass_time(self, end):
        if self.running:
            self.cost += (end - self.now) * (1.0 if self.running == SPOT else self.market.price)
            late = min(self.due, end - self.now)
            self.due -= late
            self.done += end - self.now - late
        self.now = end

    @property
    def time_left(self):
        return self.market.deadline - self.now

    @property
    def work_left(self):
        return self.market.work - self.done


def on_demand(run):
    return ON_DEMAND, math.inf


def spot(run):
    return (SPOT if run.there else None), math.inf


def tries(losses):
    return lambda run: spot(run) if run.interruptions < losses else on_demand(run)


def to_the_end(run, margin):
    """Whether an idle job has no more time than it needs."""
    run.last = run.last or run.time_left <= run.work_left + margin + SAME * run.market.work
    return run.last


def last_moment(run):
    market = run.market
    if run.running:
        return run.running, math.inf
    if run.there and run.time_left >= run.work_left + market.start(run.before, SPOT) + market.changeover:
        return spot(run)
    if run.there or to_the_end(run, market.start(run.before, ON_DEMAND)):
        return on_demand(run)
    return None, market.deadline - run.work_left - market.start(run.before, ON_DEMAND)


def uniform_progress(run):
    market = run.market
    pace, margin = market.work / market.deadline, market.changeover + max(market.changeover, market.restart)
    if run.running == SPOT or run.last:
        return run.running, math.inf
    if run.running == ON_DEMAND:
        ahead = run.done - (run.now + 2 * market.changeover) * pace
        if ahead < -SAME * market.work:
            return ON_DEMAND, run.now + run.due + (run.due * pace - ahead) / (1 - pace)
    if to_the_end(run, margin):
        return on_demand(run)
    if run.there:
        return spot(run)
    if run.done <= run.now * pace + SAME * market.work:
        return ON_DEMAND, run.now
    return None, min(run.done / pace, market.deadline - run.work_left - margin)


def time_sliced(slices):
    def policy(run):
        market = run.market
        margin = market.changeover + max(market.changeover, market.restart)
        if run.running == SPOT or run.last:
            return run.running, math.inf
        slice_ = math.floor(run.now / market.deadline * slices * (1 + SAME)) + 1
        goal, end = (slice_ * whole / slices for whole in (market.work, market.deadline))
        if run.running == ON_DEMAND:
            if goal - run.done > SAME * market.work:
                return ON_DEMAND, min(end, run.now + run.due + goal - run.done)
        latest = end - (goal - run.done) - margin if goal - run.done > SAME * market.work else end
        if to_the_end(run, margin) or latest < end and run.now >= latest - SAME * market.work:
            return ON_DEMAND, run.now
        if run.there:
            return spot(run)
        return None, min(latest, market.deadline - run.work_left - margin)

    return policy


def omniscient(market, there):
    """The least cost of all decisions at whole times, where all lengths are whole; there[t]: spot is there in [t, t + 1)."""
    @functools.cache
    def least(time, left, running, before, due):
        if left == 0:
            return 0.0
        if left > market.deadline - time:
            return math.inf
        best = least(time + 1, left, None, before, 0)
        for wanted, price in ((SPOT, 1.0), (ON_DEMAND, market.price)):
            if wanted == SPOT and not there[time]:
                continue
            wait = due if wanted == running else market.start(before, wanted)
            goes_on = wanted if wanted == ON_DEMAND or time + 1 < len(there) and there[time + 1] else None
            best = min(best, price + least(time + 1, left - (wait == 0), goes_on, wanted, max(0, wait - 1)))
        return best

    return least(0, market.work, None, None, 0)
