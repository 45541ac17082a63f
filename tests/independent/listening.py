"""Schedules that listen, from the description of the model alone (heuristics/README.md, "Schedules that listen").

What has ended is known `latency` later, and so is an interruption. A worker is given its next task when it is idle, and
leaves a task that is known to be complete. Who is gone and not known to be is given tasks as if it were up. Tasks are
(begin, end) of the work; what is known to be complete of one is left out when it begins; a piece counts once."""
import heapq
import itertools
import math

import sharing

ENDS, HEARD, ASKS = range(3)  # at equal times in this order
CLOSE = 1e-12  # times that differ by rounding alone are equal


class Work:
    """Tasks cut into pieces that have either all or nothing of each task."""

    def __init__(self, tasks, startup):
        parts = sharing.pieces([(place, *task) for place, task in enumerate(tasks)], [0.0] * len(tasks))
        self.startup, self.sizes = startup, [size for size, _ in parts]
        self.of = [set() for _ in tasks]
        for piece, (_, who) in enumerate(parts):
            for place in who:
                self.of[place].add(piece)
        self.all = {piece for piece, (_, who) in enumerate(parts) if who}


class Run:
    """One instance, run at once. policy(run, worker): the task that the worker gets, or None."""

    def __init__(self, work, latency, lives, policy):
        self.work, self.latency, self.lives, self.policy = work, latency, lives, policy
        self.known, self.gone = set(), [False] * len(lives)  # pieces known to be complete, workers known to be gone
        self.given = [set() for _ in work.of]  # to whom each task was
        self.running, self.busy = [None] * len(lives), [0.0] * len(lives)
        self.done, self.wasted, self.now = {}, 0.0, 0.0
        self.events, self.number = [], itertools.count()
        for worker, life in enumerate(lives):
            self.at(life + latency, HEARD, worker)
            self.at(0.0, ASKS, worker)
        self.go()

    def at(self, time, kind, worker, what=None):
        if time < math.inf:
            heapq.heappush(self.events, (time, kind, worker, next(self.number), what))

    def complete(self, task):
        return self.work.of[task] <= self.known

    def go(self):
        handle = {ENDS: self.end, HEARD: self.hear, ASKS: self.ask}
        while self.events:
            time, kind, worker, _, what = heapq.heappop(self.events)
            self.now = max(self.now, time)
            handle[kind](worker, what)

    def ask(self, worker, _=None):
        if self.gone[worker] or self.running[worker]:
            return
        task = self.policy(self, worker)
        if task is None:
            return
        self.given[task].add(worker)
        self.running[worker] = (task, self.now)
        size = math.fsum(self.work.sizes[piece] for piece in self.work.of[task] - self.known)
        self.at(self.now + self.work.startup + size, ENDS, worker, self.running[worker])

    def stop(self, worker):
        """What the worker spent on its task."""
        since = self.running[worker][1]
        self.running[worker] = None
        spent = max(0.0, min(self.now, self.lives[worker]) - since)
        self.busy[worker] += spent
        return spent

    def end(self, worker, what):
        if self.running[worker] != what:
            return
        spent = self.stop(worker)
        if self.now > self.lives[worker] * (1 + CLOSE):
            self.wasted += spent
        else:
            new = self.work.of[what[0]] - self.done.keys()
            self.done.update(dict.fromkeys(new, self.now))
            worth = math.fsum(self.work.sizes[piece] for piece in new)
            self.wasted += max(0.0, spent - self.work.startup - worth) if new else spent
            self.at(self.now + self.latency, HEARD, worker, what[0])
        self.at(self.now, ASKS, worker)

    def know_gone(self, worker):
        self.gone[worker] = True
        if self.running[worker]:
            self.wasted += self.stop(worker)

    def hear(self, worker, task):
        if task is None:
            self.know_gone(worker)
        else:
            self.known |= self.work.of[task]
            for other, running in enumerate(self.running):
                if running and self.complete(running[0]):
                    self.wasted += self.stop(other)
        for other in range(len(self.lives)):
            self.at(self.now, ASKS, other)

    @property
    def machine_time(self):
        return math.fsum(self.busy)

    @property
    def completed(self):
        return math.fsum(self.work.sizes[piece] for piece in self.done)

    @property
    def makespan(self):
        return max(self.done.values()) if self.done.keys() >= self.work.all else math.inf


def lists(tasks, workers):
    """(begin, end) of all tasks once, and each worker's list of their places."""
    places, own = {}, [[] for _ in range(workers)]
    for worker, *task in tasks:
        own[worker].append(places.setdefault(tuple(task), len(places)))
    return list(places), own


def fixed(own):
    """Its list (with a latency without end)."""
    left = [iter(tasks) for tasks in own]
    return lambda run, worker: next(left[worker], None)


def skip(own):
    """Its list, without what is known to be complete."""
    left = [iter(tasks) for tasks in own]
    return lambda run, worker: next((task for task in left[worker] if not run.complete(task)), None)


def help_others(workers, chunks):
    """Its own share, chunk k of worker k mod p; then what fewest workers have, or will come to, of all that is not known
    to be complete, of several the last."""
    holders = [{k % workers} for k in range(chunks)]

    def next_task(run, worker):
        open_ones = [k for k in range(chunks) if worker not in run.given[k] and not run.complete(k)]
        own = [k for k in open_ones if k % workers == worker]
        chosen = own[0] if own else min(
            open_ones, key=lambda k: (sum(not run.gone[holder] for holder in holders[k]), -k), default=None)
        if chosen is not None:
            holders[chosen].add(worker)
        return chosen

    return next_task
