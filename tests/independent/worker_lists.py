"""What becomes of lists that workers run while they are up, with news of what is complete or without (model dispatch).

A worker runs the tasks of its list one after the other, a start-up cost before each; what it was computing when it goes down
is lost, and when it comes back it begins with that task anew. A completed task is known `latency` later. Who listens leaves
out what is known when a task begins, and with `drop` stops a task all of which is known. At equal times tasks end, then
news is heard, then workers come back, then tasks begin, each by the number of the worker."""
import math
from dataclasses import dataclass

TIE = 1e-11


@dataclass
class Outcome:
    completed: float = 0.0
    makespan: float = math.inf
    machine_time: float = 0.0
    wasted: float = 0.0


@dataclass
class Task:
    pieces: list
    begin: float
    end: float   # when it ends, or its worker goes down
    done: bool   # whether it ends


def cut(tasks, workers):
    """The sizes of the pieces between neighbouring cuts, and for each worker its tasks as lists of pieces."""
    span = max(end for _, _, end in tasks)
    cuts = []
    for place in sorted({place for _, begin, end in tasks for place in (begin, end)}):
        if not cuts or place - cuts[-1] > 1e-12 * span:
            cuts.append(place)
    lists = [[] for _ in range(workers)]
    for worker, begin, end in tasks:
        lists[worker].append([k for k in range(len(cuts) - 1) if begin - 1e-12 * span <= cuts[k] < end - 1e-12 * span])
    return [after - before for before, after in zip(cuts, cuts[1:])], lists


def useful(up, startup):
    """What who knows all spells completes in them if there is enough to do."""
    return math.fsum(max(0.0, end - begin - startup) for spells in up for begin, end in spells)


def run(sizes, lists, up, startup, work, latency=math.inf, drop=True):
    """`up`: for each worker its spells (begin, end), up to the horizon. An infinite latency: nobody hears anything."""
    return Run(sizes, lists, up, startup, latency, drop)(work)


class Run:
    def __init__(self, sizes, lists, up, startup, latency, drop):
        self.sizes, self.lists, self.up, self.startup, self.latency, self.drop = sizes, lists, up, startup, latency, drop
        self.place = [0] * len(lists)    # in its list: what it runs or comes to
        self.running = [None] * len(lists)
        self.spell = [None] * len(lists)
        self.done, self.known = set(), set()
        self.news = []                   # (time, pieces), in the order of time
        self.returns = sorted((spells[0], worker, k) for worker, all_spells in enumerate(up)
                              for k, spells in enumerate(all_spells))
        self.out = Outcome()

    def __call__(self, work):
        last = 0.0
        while (now := self.next_time()) < math.inf:
            until = now + TIE * max(now, 1e-3)
            free = set()
            while self.next_time() <= until:
                for worker, task in enumerate(self.running):
                    if task and task.end <= until:
                        last = max(last, self.close(worker, task))
                        free.add(worker)
                while self.news and self.news[0][0] <= until:
                    self.known.update(self.news.pop(0)[1])
                    free |= self.drop_known(now)
                while self.returns and self.returns[0][0] <= until:
                    begin, worker, k = self.returns.pop(0)
                    self.spell[worker] = self.up[worker][k]
                    free.add(worker)
            for worker in sorted(free):
                self.begin(worker, now)
        self.out.completed = math.fsum(self.sizes[piece] for piece in self.done)
        if self.out.completed >= work * (1 - 1e-9):
            self.out.makespan = last
        return self.out

    def next_time(self):
        return min([task.end for task in self.running if task] + [one[0] for one in (*self.news[:1], *self.returns[:1])],
                   default=math.inf)

    def begin(self, worker, now):
        spell, tasks = self.spell[worker], self.lists[worker]
        if spell is None or self.running[worker]:
            return
        while self.place[worker] < len(tasks):
            pieces = [piece for piece in tasks[self.place[worker]] if piece not in self.known]
            if pieces:
                end = now + self.startup + math.fsum(self.sizes[piece] for piece in pieces)
                done = end <= spell[1] * (1 + TIE)
                self.running[worker] = Task(pieces, now, end if done else max(now, spell[1]), done)
                return
            self.place[worker] += 1

    def close(self, worker, task):
        """A task ends, or its worker goes down; when anything new was completed."""
        self.running[worker] = None
        time = task.end - task.begin
        self.out.machine_time += time
        if not task.done:
            self.spell[worker] = None
            self.out.wasted += time
            return 0.0
        self.place[worker] += 1
        new = [piece for piece in task.pieces if piece not in self.done]
        self.out.wasted += math.fsum(self.sizes[piece] for piece in task.pieces if piece in self.done) if new else time
        self.done.update(new)
        if self.latency < math.inf:
            self.news.append((task.end + self.latency, task.pieces))
            self.news.sort(key=lambda one: one[0])
        return task.end if new else 0.0

    def drop_known(self, now):
        dropped = set()
        for worker, task in enumerate(self.running):
            if self.drop and task and self.known.issuperset(task.pieces):
                self.out.machine_time += now - task.begin
                self.out.wasted += now - task.begin
                self.running[worker] = None
                self.place[worker] += 1
                dropped.add(worker)
        return dropped
