"""What is handed out next, from the description of the policies alone (heuristics/LISTENING.md)."""
import bisect
import math

from dispatching import CRUMB, TIE, Policy

LEAST = 1e-7  # chunks of the pool are no smaller, as part of the work (the program: of all workers' time if that is less)
SAME = 1e-9   # of times, and of what copies are worth


def fitting(size, rest, startup, wait):
    """Less where one chunk more, all of them smaller and the last ending at the horizon, is more work than those that fit."""
    if size == math.inf:
        return rest - startup
    chunks = max(0, math.floor((rest + wait) / (size + startup + wait) + TIE))
    smaller = (rest + wait) / (chunks + 1) - startup - wait
    return min(size, smaller) if chunks < 1 or (chunks + 1) * smaller > chunks * size else size


def cut(tasks, workers):
    """Of (worker, begin, end) the sizes of the pieces between neighbouring cuts, and for each worker its tasks in pieces.

    Cuts that differ by rounding alone are one."""
    span = max(end for _, _, end in tasks)
    cuts = []
    for place in sorted({0.0, *(place for _, begin, end in tasks for place in (begin, end))}):
        if not cuts or place - cuts[-1] > CRUMB * span:
            cuts.append(place)
    lists = [[] for _ in range(workers)]
    for worker, begin, end in tasks:
        lists[worker].append(tuple(k for k in range(len(cuts) - 1) if begin - CRUMB * span <= cuts[k] < end - CRUMB * span))
    return [after - before for before, after in zip(cuts, cuts[1:])], lists


class Lists(Policy):
    """Each worker runs its own; what is known to be complete is left out."""

    def __init__(self, sizes, lists):
        self.sizes, self.lists, self.place = sizes, lists, [0] * len(lists)

    def holds_next(self, run, worker):
        return True

    def next(self, run, worker):
        place, own = self.place[worker.number], self.lists[worker.number]
        self.place[worker.number] += 1
        return (own[place], True) if place < len(own) else None


def taken(copied, worker, now):
    """What the program gave then, to tell ties by."""
    return [piece for time, piece in copied[worker.number] if abs(time - now) <= SAME * max(1, time)] if copied else []


class Help(Policy):
    """Its own share, then what fewest workers have or will come to, of several what its owner comes to last, of those that are
    the same on paper what the program took. tasks: (worker, finish, size); copied: by worker (time, piece)."""

    def __init__(self, tasks, workers, copied=None):
        self.copied, self.own, self.place = copied, [[] for _ in range(workers)], [0] * workers
        self.owner, self.finish, self.sizes = zip(*tasks)
        self.order = []  # of each piece in its owner's share
        for piece, owner in enumerate(self.owner):
            self.order.append(len(self.own[owner]))
            self.own[owner].append(piece)

    def holds_next(self, run, worker):
        return self.place[worker.number] < len(self.own[worker.number])

    def cover(self, run, piece):
        owner = run.workers[self.owner[piece]]
        comes = not owner.lost and (self.order[piece] >= self.place[owner.number] or (piece,) in owner.again)
        return len(run.holders[piece]) + comes

    def next(self, run, worker):
        if self.holds_next(run, worker):
            self.place[worker.number] += 1
            return (self.own[worker.number][self.place[worker.number] - 1],), True
        left = {piece: self.cover(run, piece) for piece in range(len(self.sizes))
                if piece not in run.known and piece not in worker.holds and self.owner[piece] != worker.number}
        least = min(left.values(), default=0)
        left = [piece for piece, cover in left.items() if cover == least]
        last = max((self.finish[piece] for piece in left), default=0.0) * (1 - TIE)
        told = taken(self.copied, worker, run.now)
        left = [piece for piece in left if self.finish[piece] >= last]
        return ((max(left, key=lambda piece: (piece in told, piece)),), False) if left else None


class FirstChunks:
    """Of one worker, by its age: when the first chunk ends of those that are best for it alone, on a grid of ages."""

    def __init__(self, ages, ends, startup, law):
        self.ages, self.ends, self.startup = ages, ends, startup
        self.nothing = 0.0 if law.before(1e300) >= 1 - 1e-9 else math.inf  # where no chunk ends on the grid

    def __call__(self, age):
        above = bisect.bisect_right(self.ages, age)
        if above == len(self.ages) or self.ends[above - 1] <= self.ages[above - 1]:
            return self.nothing
        most = max(self.ends[above - 1:above + 1]) - age - self.startup
        return most if most > 0 else self.nothing


class Central(Policy):
    """A queue. laws: of the workers in turn; plan: what the program says that it goes by."""

    def __init__(self, laws, plan, startup, copied):
        self.laws, self.copied, self.startup = laws, copied, startup
        self.first, self.shares, self.least = plan["b"], plan["c"], plan["c_min"]
        self.first_chunks = {}
        for table in plan.get("first_chunks", ()):
            for number in table.get("workers", range(len(laws))):
                self.first_chunks[number] = FirstChunks(table["age"], table["end"], startup, laws[number])

    def survival(self, worker, until):
        age = max(0.0, until - worker.up_since)
        return 1 - self.laws[worker.number].before(age * (1 - TIE))

    def lives(self, run, worker, until):
        """P(a worker that is not known to be lost lives until then), by what is known of it."""
        known = max(worker.reported, run.now - run.listening.notice)
        if until <= known * (1 + TIE):
            return 1.0
        then = self.survival(worker, known)
        return min(1.0, self.survival(worker, until) / then) if then > 0 else 0.0

    def next(self, run, worker):
        if run.pool <= CRUMB * run.work:
            return self.copy(run, worker)
        most, least = self.alone(run, worker), max(self.least * worker.speed, LEAST * run.work)
        if most < LEAST * run.work:
            return None
        living = sum(one.speed for one in run.crew if not one.lost) / worker.speed * self.lives(run, worker, run.now)
        size = min(most, max(least, run.pool / (self.shares * max(1.0, living))))
        return float(min(most, run.pool) if run.pool - size < least else size)

    def alone(self, run, worker):
        """At most so much, whatever is left."""
        begin = run.now + run.way
        age, rest = begin - worker.up_since, run.listening.horizon - begin
        most = self.first * self.first_chunks[worker.number](age) if self.first_chunks else math.inf
        if rest < math.inf and (most == math.inf or worker.up_since > TIE):
            most = fitting(most, rest, self.startup, 0.0 if run.listening.prefetch else 2 * run.listening.latency)
        return most

    def copy(self, run, worker):
        """Of those that are worth the same, what the program chose."""
        worth = {}
        for piece, size in enumerate(run.sizes):
            takes = run.takes(worker, size)
            end = run.now + run.way + takes
            if piece in run.known or piece in run.gone or run.barred(piece) or end > run.listening.horizon * (1 + TIE):
                continue
            if piece not in worker.holds:
                fail = math.prod(self.fails(run, one, task) for one, task in run.holders[piece])
                worth[piece] = size / takes * fail * self.survival(worker, end)
        best = max(worth.values(), default=0.0)
        if best <= 0:
            return None
        told = [piece for piece in taken(self.copied, worker, run.now) if worth.get(piece, 0.0) >= best * (1 - SAME)]
        return ((told or [max(worth, key=worth.get)])[0],), False

    def fails(self, run, one, task):
        """P(a holder does not complete its piece). Whoever was interrupted since with another piece has ended this one."""
        if task.end > run.listening.horizon * (1 + TIE):
            return 1.0
        if one.lost or task.spell != one.spell:
            return 0.0
        return 1 - self.lives(run, one, task.end)


class ListsThenCentral(Central):
    """Lists until a worker is known to be lost."""

    def __init__(self, lists, *of_central):
        super().__init__(*of_central)
        self.lists, self.sizes = lists, lists.sizes

    keeps_plan = property(lambda self: self.lists is not None)

    def lost(self, run, worker):
        self.lists = None

    def holds_next(self, run, worker):
        return self.lists is not None

    def next(self, run, worker):
        return (self.lists or super()).next(run, worker)
