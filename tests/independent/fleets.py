"""A job on groups of machines, run by run, from the description of the question alone: machines have speeds, need time when
they come up, are replaced, cost money while they are rented; work may be whole tasks, of which a few are lost too often."""
import heapq
import math
from collections import Counter
from dataclasses import dataclass

from dispatching import CRUMB, ENDS, TIE, Listening, Run, Worker
from handing_out import Central, Lists
from lives import spells


@dataclass
class Group:
    count: int
    life: object = None
    down: object = None  # until it is replaced; None: gone for good
    first: object = None  # life of a machine at the start, where it is another
    speed: float = 1.0
    restart: float = 0.0
    price: float = 0.0  # for a second
    billed: float = 1.0
    zones: int = 1
    common: float = 0.0
    fallback: bool = False


@dataclass
class Fleet:
    groups: list
    work: float
    checkpoint: float
    heard: Listening
    task: float = 0.0
    tries: float = math.inf
    warning: float = 0.0
    deadline: float = math.inf
    until: float = math.inf  # no run is followed for longer
    window: object = None  # in place of lives: draws when all machines are up, (random) -> spells

    @property
    def machines(self):
        return [group for group in self.groups for _ in range(group.count)]

    @property
    def laws(self):
        """By machine what is known of its life from the start on."""
        return [group.first or group.life for group in self.machines]

    def up(self, random):
        return self.window(random) if self.window else [up for one in self.groups for up in spells(random, one, self.until)]

    def tasks(self):
        """Sizes; the last may be shorter."""
        whole = math.ceil(self.work / self.task * (1 - 1e-12))
        return [self.task] * (whole - 1) + [self.work - self.task * (whole - 1)]


class Tasks(Central):
    """The queue of whole tasks: the first one that nobody has, lost ones last; if there is none, a copy."""

    def __init__(self, fleet):
        super().__init__(fleet.laws, {"b": 1, "c": 1, "c_min": 0}, fleet.checkpoint, None)
        self.sizes = fleet.tasks()

    def next(self, run, worker):
        if not run.gone:
            return self.copy(run, worker)
        first = min(run.gone, key=lambda piece: (run.came_back[piece], piece))
        run.gone.remove(first)
        run.pool = math.fsum(run.sizes[piece] for piece in run.gone)
        return (first,), False


class FleetRun(Run):
    def __init__(self, policy, fleet, up):
        self.fleet, self.machines, self.lists = fleet, fleet.machines, isinstance(policy, Lists)
        self.losses, self.failed, self.second = Counter(), set(), []  # of tasks; `second`: what waits for the fallback
        self.came_back = Counter()  # to the pool: the how-manieth
        self.released, self.rents, self.interruptions = {}, [[] for _ in up], 0
        super().__init__(policy, fleet.work, fleet.checkpoint, up, fleet.heard)

    def worker(self, number, spells):
        return Worker(number, spells, self.machines[number].speed, self.machines[number].restart)

    def go(self, end):
        if isinstance(self.policy, Tasks):
            self.planned.clear()
            self.gone, self.pool = set(range(len(self.sizes))), self.work
        super().go(min(end, self.fleet.until))
        self.is_over = self.over()
        for worker in self.workers:
            self.close(worker)

    @property
    def crew(self):
        return [worker for worker in self.workers if not self.is_fallback(worker)]

    def over(self):
        return self.all_known < math.inf or len(self.released) == len(self.workers) and not any(
            one.unfinished or one.again for one in self.workers)

    @property
    def makespan(self):
        return math.inf if self.failed else super().makespan

    def is_fallback(self, worker):
        return self.machines[worker.number].fallback

    def close(self, worker):
        """What was rented of the spell that ends."""
        end = min(worker.up_until, self.fleet.until, self.all_known, self.released.pop(worker.number, math.inf))
        if worker.spell >= 0 and not self.is_fallback(worker) and end > worker.up_since:
            self.rents[worker.number].append((worker.up_since, end))
            self.interruptions += end == worker.up_until

    def come_back(self, worker, spell):
        self.close(worker)
        super().come_back(worker, spell)

    def stop(self, worker, until, *arguments, **more):
        if self.is_fallback(worker):
            end = min(until, worker.up_until)
            self.interruptions += end == worker.up_until
            self.rents[worker.number].append((worker.task.begin, end))
        super().stop(worker, min(until, self.fleet.until), *arguments, **more)

    def rented(self):
        """By machine the lengths of what was rented without a break."""
        found = []
        for rents in self.rents:
            joined = []
            for begin, end in rents:
                if joined and begin <= joined[-1][1] * (1 + TIE):
                    begin = joined.pop()[0]
                joined.append((begin, end))
            found.append([end - begin for begin, end in joined])
        return found

    @property
    def rented_time(self):
        return sum(map(math.fsum, self.rented()))

    @property
    def cost(self):
        return math.fsum(group.price * (math.ceil(length / group.billed * (1 - TIE)) * group.billed if group.billed else length)
                         for group, lengths in zip(self.machines, self.rented()) for length in lengths)

    def barred(self, piece):
        return self.losses[piece] >= self.fleet.tries

    def left(self, worker, pieces):
        return [piece for piece in super().left(worker, pieces) if self.is_fallback(worker) or not self.barred(piece)]

    def next(self, worker):
        if self.is_fallback(worker):
            return ((heapq.heappop(self.second),), False) if self.second else None
        order = super().next(worker)
        if order is None and self.lists:
            self.released.setdefault(worker.number, self.now)
        return order

    def give_back(self, piece):
        if piece not in self.gone:
            self.came_back[piece] = max(self.came_back.values(), default=0) + 1
        super().give_back(piece)

    def lose_piece(self, piece):
        self.losses[piece] += 1
        if not self.barred(piece):
            super().lose_piece(piece)
        elif not self.holders[piece] and piece not in self.known:
            if any(group.fallback for group in self.fleet.groups):
                heapq.heappush(self.second, piece)
            else:
                self.failed.add(piece)
                self.see_what_is_left()

    def see_what_is_left(self):
        if self.pool <= CRUMB * self.work and len(self.known | self.failed | self.gone) == len(self.sizes):
            self.all_known = min(self.all_known, self.now)

    def give(self, worker, order, holds):
        super().give(worker, order, holds)
        task = worker.task
        if task and not worker.lives(task.end) and self.startup <= self.fleet.warning and not self.fleet.task:
            self.save(worker, task)

    def save(self, worker, task):
        """What is computed when there is just the time left to save it."""
        room = (worker.up_until - task.begin - task.cost) * worker.speed
        for place, piece in enumerate(list(task.pieces)):
            if room <= CRUMB * self.work:
                break
            if self.sizes[piece] > room * (1 + TIE):
                self.split(piece, room)
            task.saved.append(piece)
            room -= self.sizes[piece]
        if task.saved:
            self.at(worker.up_until, ENDS, worker, task)

    def split(self, piece, size):
        """The rest is a piece of its own, of all that have it or will."""
        rest = len(self.sizes)
        self.sizes.append(self.sizes[piece] - size)
        self.sizes[piece] = size
        self.holders.append(list(self.holders[piece]))
        for one, task in self.holders[piece]:
            task.pieces.insert(task.pieces.index(piece) + 1, rest)
            one.holds.add(rest)
        for kind in (self.planned, self.done):
            if piece in kind:
                kind.add(rest)
        after = lambda order: tuple(one for k in order for one in ((k, rest) if k == piece else (k,)))
        for one in self.workers:
            one.unfinished, one.again = [after(order) for order in one.unfinished], [after(order) for order in one.again]
            for task in one.had:
                task.order = after(task.order)
        for own in getattr(self.policy, "lists", ()):
            own[:] = [after(order) for order in own]
