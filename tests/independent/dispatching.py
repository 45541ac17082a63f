"""What a dispatcher does that hands out pieces of work by what it has heard, from the description of the model alone
(heuristics/README.md, "Schedules that listen"): the policies help and central. Who runs what when, what is heard and what is
decided is told in a log."""
import math
from dataclasses import dataclass

import worker_lists
from worker_lists import TIE


@dataclass
class Listening:
    latency: float = 0.0
    notice: float = 0.0
    prefetch: int = 1
    drop: bool = True
    horizon: float = math.inf


@dataclass
class Given:
    """A piece with a worker, as the dispatcher knows it; `spell`: of those of its worker so far."""
    worker: int
    piece: int
    begin: float
    end: float
    spell: int
    planned: bool


class Worker:
    """`lost`: known to be down. `task`: what it is at, for all that the dispatcher knows."""

    def __init__(self, spells):
        self.spells = spells
        self.spell, self.up_since, self.up_until = -1, 0.0, 0.0
        self.reported, self.lost, self.task, self.waits, self.first = 0.0, False, None, False, True
        self.failed, self.unfinished, self.again = False, [], []


class Run:
    """One instance. The policy has `sizes` of the pieces that are planned, and next(run, worker): (piece, planned), a float
    (so much of the pool), or None. The run has what a policy may know."""

    def __init__(self, policy, work, startup, up, listening):
        self.policy, self.work, self.startup, self.listening = policy, work, startup, listening
        self.sizes, self.workers = list(policy.sizes), [Worker(spells) for spells in up]
        self.pool = work - math.fsum(self.sizes)
        self.holders = [[] for _ in self.sizes]  # of each piece: what was given of it
        self.known, self.gone, self.done = set(), set(), set()
        self.news = []                           # (time, order, worker, what)
        self.out, self.log, self.last = worker_lists.Outcome(), [[] for _ in up], 0.0
        for number, worker in enumerate(self.workers):
            for k, (begin, end) in enumerate(worker.spells):
                self.news.append((begin, 1, number, ("returns", k)))
                if end < math.inf:
                    self.news.append((end + listening.notice, 0, number, ("lost", k)))
            if not worker.spells or worker.spells[0][0] > 0:
                worker.lost = True
        self.all_known = math.inf
        self.go()

    def go(self):
        while (now := self.next_time()) < math.inf:
            self.now = now
            self.until = now + TIE * max(now, 1e-3)
            for number, worker in enumerate(self.workers):
                if worker.task and worker.task.end <= self.until:
                    self.end(number)
            for wanted in (0, 1):
                for one in sorted(one for one in self.news if one[0] <= self.until and one[1] == wanted):
                    self.news.remove(one)
                    self.hear(one[2], *one[3])
            for number in range(len(self.workers)):
                self.ask(number)
        self.out.completed = math.fsum(self.sizes[piece] for piece in self.done)
        if self.out.completed >= self.work * (1 - 1e-9):
            self.out.makespan = self.last

    def next_time(self):
        return min([worker.task.end for worker in self.workers if worker.task] + [one[0] for one in self.news], default=math.inf)

    def tell(self, number, event, piece=None, work=None):
        self.log[number].append((self.now, event, piece, work))

    def alive(self, worker, task, at):
        """Whether the worker lives until then with what it was given."""
        return task.spell == worker.spell and at <= worker.up_until * (1 + TIE)

    def spend(self, number, task, until, useful):
        worker = self.workers[number]
        if task.spell != worker.spell or task.begin >= worker.up_until:
            return  # it never began
        time = max(0.0, min(until, worker.up_until) - task.begin)
        self.out.machine_time += time
        self.out.wasted += time if not useful else 0.0

    def end(self, number):
        worker = self.workers[number]
        task, worker.task, worker.last = worker.task, None, worker.task
        done = self.alive(worker, task, task.end)
        new = done and task.piece not in self.done
        self.spend(number, task, task.end, new)
        if new:
            self.done.add(task.piece)
            self.last = max(self.last, task.end)
        if done:
            if task.planned:
                worker.unfinished.remove(task.piece)
            self.tell(number, "ends", task.piece, self.sizes[task.piece] if new else 0.0)
            self.news.append((task.end + self.listening.latency, 0, number, ("complete", task)))
        elif not worker.failed:
            worker.failed = True
            self.news.append((task.end + self.listening.latency, 0, number, ("lost", worker.spell)))
        worker.waits = not self.listening.prefetch and not self.holds_next(number)

    def hear(self, number, event, what):
        worker = self.workers[number]
        if event == "complete":
            self.hear_complete(number, what)
        elif event == "lost":
            if worker.spell == what and not worker.lost:
                self.lose(number)
        else:
            if worker.spell >= 0 and not worker.lost:
                self.lose(number)
            worker.spell, (worker.up_since, worker.up_until) = what, worker.spells[what]
            worker.reported, worker.lost, worker.failed, worker.waits, worker.first = self.now, False, False, False, True
            worker.again, worker.unfinished = worker.unfinished + worker.again, []
            if self.now > 0:
                self.tell(number, "comes back")

    def hear_complete(self, number, task):
        worker = self.workers[number]
        self.tell(number, "heard complete", task.piece)
        if task.spell == worker.spell:
            worker.reported = max(worker.reported, task.end)
            if task is worker.last:
                worker.waits = False
        if task.piece in self.known:
            return
        self.known.add(task.piece)
        if self.pool <= 1e-12 * self.work and len(self.known | self.gone) == len(self.sizes):
            self.all_known = self.now
        if self.listening.drop:
            for other, one in enumerate(self.workers):
                if one.task and one.task.piece == task.piece:
                    dropped, one.task, one.waits = one.task, None, False
                    if dropped.begin > self.until:
                        self.log[other] = [entry for entry in self.log[other] if entry[0] <= self.until]  # on its way
                    elif self.alive(one, dropped, self.now):
                        self.tell(other, "drops", task.piece)
                    self.spend(other, dropped, self.now, False)

    def lose(self, number):
        worker = self.workers[number]
        worker.lost = True
        if worker.task:
            task, worker.task = worker.task, None
            self.spend(number, task, math.inf, False)
        self.tell(number, "heard lost")
        for piece in range(len(self.sizes)):
            left = [one for one in self.holders[piece]
                    if one.worker != number or one.spell != worker.spell or self.alive(worker, one, one.end)]
            if len(left) < len(self.holders[piece]):
                self.holders[piece] = left
                if not self.holders[piece] and piece not in self.known and piece not in self.gone and piece >= len(self.policy.sizes):
                    self.gone.add(piece)
                    self.pool += self.sizes[piece]
        self.policy.lost(self, number)

    def has_again(self, worker):
        while worker.again and worker.again[0] in self.known:
            worker.again.pop(0)
        return bool(worker.again)

    def holds_next(self, number):
        return self.has_again(self.workers[number]) or self.policy.holds_next(self, number)

    def ask(self, number):
        worker = self.workers[number]
        if worker.lost or worker.task or worker.waits or worker.spell < 0:
            return
        if self.listening.prefetch or worker.first or self.holds_next(number):
            self.way = 0.0
        else:
            self.way = self.listening.latency
        order = (worker.again.pop(0), True) if self.has_again(worker) else self.policy.next(self, number)
        if order is None:
            return
        if isinstance(order, float):
            piece, planned = len(self.sizes), False
            self.sizes.append(order)
            self.holders.append([])
            self.pool -= order
        else:
            piece, planned = order
        begin = self.now + self.way
        worker.task = Given(number, piece, begin, begin + self.startup + self.sizes[piece], worker.spell, planned)
        worker.first = False
        self.holders[piece].append(worker.task)
        if planned:
            worker.unfinished.append(piece)
        else:
            self.tell(number, "is given", piece, self.sizes[piece])
        if self.alive(worker, worker.task, begin) and begin < worker.up_until:
            self.log[number].append((begin, "begins", piece, self.sizes[piece]))


class Help:
    """Its own share, then what fewest workers have or will come to, of several the last, of those that are the same on paper
    what the program took: copied, by worker (time, piece)."""

    def __init__(self, tasks, copied):
        self.copied = copied
        self.sizes, self.own = [], [[] for _ in copied]
        self.owner, self.finish = [], []
        for worker, finish, size in tasks:
            self.own[worker].append(len(self.sizes))
            self.sizes.append(size)
            self.owner.append(worker)
            self.finish.append(finish)
        self.place = [0] * len(copied)

    def lost(self, run, number):
        pass

    def skip_known(self, run, number):
        own = self.own[number]
        while self.place[number] < len(own) and own[self.place[number]] in run.known:
            self.place[number] += 1

    def holds_next(self, run, number):
        return self.place[number] < len(self.own[number])

    def cover(self, run, piece):
        having = {one.worker for one in run.holders[piece]}
        owner = self.owner[piece]
        if piece in self.own[owner][self.place[owner]:] + run.workers[owner].again and not run.workers[owner].lost:
            having.add(owner)
        return len(having)

    def next(self, run, number):
        self.skip_known(run, number)
        if self.place[number] < len(self.own[number]):
            self.place[number] += 1
            return self.own[number][self.place[number] - 1], True
        left = [piece for piece in range(len(self.sizes)) if piece not in run.known and self.owner[piece] != number
                and all(one.worker != number for one in run.holders[piece])]
        if not left:
            return None
        least = min(self.cover(run, piece) for piece in left)
        left = [piece for piece in left if self.cover(run, piece) == least]
        last = max(self.finish[piece] for piece in left) * (1 - TIE)
        told = [piece for time, piece in self.copied[number] if abs(time - run.now) <= 1e-9 * max(1, time)]
        return min((piece for piece in left if self.finish[piece] >= last), key=lambda piece: (piece not in told, piece)), False


class Unlike(Exception):
    """What was handed out is not what these parameters say."""


class Central:
    """A queue. told: by worker (time, size) of what the program gave it of the pool. The first chunk that is best alone is
    told of by bounds (first_chunk), and a size that depends on it is what the program made it, if that is within them."""
    sizes = ()
    LEAST = 1e-7  # of chunks of the pool, as part of the work
    SAME = 1e-9  # of sizes, as part of the work, and of what copies are worth

    def __init__(self, law, first_chunk, parameters, told, copied):
        self.law, self.first_chunk, (self.first, self.shares, self.least) = law, first_chunk, parameters
        self.told, self.copied = told, copied

    def lost(self, run, number):
        pass

    def holds_next(self, run, number):
        return False

    def lives(self, run, number, until):
        """P(a worker that is not known to be lost lives until then), by what is known of it."""
        worker = run.workers[number]
        known = max(worker.reported, run.now - run.listening.notice)
        then = 1 - self.law.before(max(0.0, known - worker.up_since))
        return min(1.0, (1 - self.law.before(max(0.0, until - worker.up_since))) / then) if then > 0 else 0.0

    def next(self, run, number):
        if run.now > max((end for worker in run.workers for _, end in worker.spells), default=0.0):
            return None  # all are gone for ever, and no log goes on
        if run.pool <= 1e-12 * run.work:
            return self.copy(run, number)
        low, high = (self.size(run, number, most) for most in self.alone(run, number))
        if high <= 0:
            return None
        if high - low <= self.SAME * run.work:
            return high
        given = next((size for time, size in self.told[number] if abs(time - run.now) <= self.SAME * max(1, time)), None)
        if given is None and low < self.LEAST * run.work:
            return None
        if given is None or not low - self.SAME * run.work <= given <= high + self.SAME * run.work:
            raise Unlike
        return given

    def alone(self, run, number):
        """At least and at most so much whatever is left."""
        begin, startup = run.now + run.way, run.startup
        age, rest = begin - run.workers[number].up_since, run.listening.horizon - begin
        for most in (self.first * size for size in self.first_chunk(age)):
            if most > 0 and rest < math.inf and (most == math.inf or age < begin - 1e-12):
                count = max(1.0, math.ceil(rest / (most + startup) - 1e-12))
                most = min(most, rest / count - startup)
            yield most

    def size(self, run, number, most):
        if most < self.LEAST * run.work:
            return 0.0
        living = sum(not worker.lost for worker in run.workers) * self.lives(run, number, run.now)
        size = min(most, max(self.least, run.pool / (self.shares * max(1.0, living))))
        return min(most, run.pool) if run.pool - size < self.least else size

    def copy(self, run, number):
        """Of those that are worth the same, what the program chose."""
        worth = {}
        for piece, size in enumerate(run.sizes):
            end = run.now + run.way + run.startup + size
            if piece in run.known or piece in run.gone or end > run.listening.horizon * (1 + TIE):
                continue
            if all(one.worker != number for one in run.holders[piece]):
                fail = math.prod(self.fails(run, one) for one in run.holders[piece])
                worth[piece] = size / (size + run.startup) * fail * self.lives(run, number, end)
        best = max(worth.values(), default=0.0)
        if best <= 0:
            return None
        copied = [piece for time, piece in self.copied[number] if abs(time - run.now) <= self.SAME * max(1, time)]
        if copied and worth.get(copied[0], 0.0) >= best * (1 - self.SAME):
            return copied[0], False
        return max(worth, key=worth.get), False

    def fails(self, run, one):
        """P(a holder does not complete its piece). Whoever was interrupted since with another piece has ended this one."""
        worker = run.workers[one.worker]
        if one.end > run.listening.horizon * (1 + TIE):
            return 1.0
        if worker.lost or one.spell != worker.spell:
            return 0.0
        return 1 - self.lives(run, one.worker, one.end)


def first_chunks(law, startup, wait, top, points=500, loss=2e-5):
    """By age: the least and the greatest size of a first chunk with which one worker expects as much as it can, but for
    `loss`, until `top`: U(t) = max over x of S(t + x + startup) x + U(t + x + startup + wait), on a grid."""
    if startup + wait <= 0:
        return lambda age: (math.inf, math.inf)
    step = top / points
    alive = [1 - law.before(k * step) if k < points or top < 1 else 0.0 for k in range(points + 1)]
    value = [0.0] * (points + 2)

    def worth(time):
        place = time / step
        if place >= points:
            return 0.0
        below = int(place)
        return value[below] + (place - below) * (value[below + 1] - value[below])

    def from_age(age):
        first = int((age + startup) / step) + 1
        return [(alive[k] * (k * step - age - startup) + worth(k * step + wait), k * step - age - startup)
                for k in range(first, points + 1)]

    for k in range(points, -1, -1):
        value[k] = max([0.0, *(one for one, _ in from_age(k * step))])
    known = {}

    def bounds(age):
        if age not in known:
            found = from_age(age)
            best = max((one for one, _ in found), default=0.0)
            sizes = [size for one, size in found if one >= best - loss]
            known[age] = (max(0.0, min(sizes, default=0.0) - step), max(sizes, default=0.0) + step)
        return known[age]

    return bounds
