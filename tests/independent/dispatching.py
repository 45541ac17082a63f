"""One instance of workers that are given work by what has been heard, from the description of the model alone
(heuristics/LISTENING.md). Who runs what when, what is heard and what is decided is told in a log.

A worker computes what it was given while it is up, a start-up cost before each; it loses what it was computing when it goes
down, and is given work as if it were up until that is known. When it comes back it begins with what it has not ended of a
plan. At equal times chunks end, then it is heard what is complete, then who is lost, then who is back, then work is handed
out, each by the number of the worker."""
import heapq
import math
from dataclasses import dataclass, field

TIE = 1e-11  # times that differ by no more than this, as a part of them, are equal
ENDS, COMPLETE, LOST, RETURNS = range(4)
CRUMB = 1e-12  # of the work: what rounding leaves


@dataclass
class Listening:
    latency: float = 0.0
    notice: float = 0.0
    prefetch: int = 1
    drop: bool = True
    horizon: float = math.inf


NOTHING = Listening(math.inf, math.inf, 1, False)  # is heard of lists that are decided beforehand


@dataclass(eq=False, slots=True)
class Given:
    """What a worker was given, as the dispatcher knows it; `order`: with what is known to be complete; `spell`: of those of
    its worker; `cost`: of its time, beside the work; `saved`: pieces that are complete though it is interrupted."""
    order: tuple
    pieces: list
    work: float
    begin: float
    end: float
    spell: int
    planned: bool
    cost: float
    saved: list = field(default_factory=list)


class Worker:
    """`lost`: known to be down. `ended`: what it was at last, until that is heard. `restart`: before its first chunk when it
    has come up; `due`: before its next one."""

    def __init__(self, number, spells, speed=1.0, restart=0.0):
        self.number, self.spells, self.speed, self.restart, self.due = number, spells, speed, restart, 0.0
        self.spell, self.up_since, self.up_until, self.reported, self.lost = -1, 0.0, 0.0, 0.0, False
        self.task, self.ended, self.had, self.holds = None, None, [], set()  # what it was given; pieces of that not lost
        self.unfinished, self.again = [], []  # orders of a plan: in this spell, and before it

    def lives(self, time):
        return time <= self.up_until * (1 + TIE)


class Policy:
    """What is handed out. `sizes` of the pieces that are planned; next(run, worker): (pieces, planned), a float (so much of the
    pool, which is what nobody has), or None until something is heard."""
    sizes, keeps_plan = (), True

    def holds_next(self, run, worker):
        """Whether the worker has what is next already, by a plan."""
        return False

    def lost(self, run, worker):
        pass


class Run:
    def __init__(self, policy, work, startup, up, listening):
        """`up`: for each worker its spells (begin, end), up to the horizon."""
        self.policy, self.work, self.startup, self.listening = policy, work, startup, listening
        self.sizes, self.planned = list(policy.sizes), set(range(len(policy.sizes)))
        self.holders = [[] for _ in self.sizes]  # of each piece: (worker, what it was given)
        self.pool = work - math.fsum(self.sizes)
        self.known, self.gone, self.done = set(), set(), set()  # to be complete; in the pool again; complete
        self.machine_time = self.wasted = self.last = self.now = self.way = 0.0
        self.all_known = math.inf
        self.ends = []  # of pieces, the first time: (when, size)
        self.workers = [self.worker(number, spells) for number, spells in enumerate(up)]
        self.events, self.log = [[] for _ in range(4)], [[] for _ in up]
        self.idle, self.asking = set(), set()
        for worker in self.workers:
            for spell, (begin, end) in enumerate(worker.spells):
                self.at(end + listening.notice, LOST, worker, spell)
                if begin > 0:
                    self.at(begin, RETURNS, worker, spell)
                else:
                    self.come_back(worker, spell)
            if worker.spell < 0:
                self.lose(worker, worker.spell)
        self.go(max((end for spells in up for _, end in spells), default=0.0))

    def worker(self, number, spells):
        return Worker(number, spells)

    @property
    def crew(self):
        """Who works from the start."""
        return self.workers

    def barred(self, piece):
        """Whether it is not copied, whatever happens."""
        return False

    def over(self):
        """Whether nothing will happen any more that counts."""
        return False

    @property
    def completed(self):
        return min(self.work, math.fsum(self.sizes[piece] for piece in self.done))

    def completed_by(self, deadline):
        return min(self.work, math.fsum(size for time, size in self.ends if time <= deadline * (1 + 1e-9)))

    @property
    def makespan(self):
        return self.last if self.completed >= self.work * (1 - 1e-9) else math.inf

    def at(self, time, event, worker, what):
        if time < math.inf:
            heapq.heappush(self.events[event], (time, worker.number, len(worker.had), what))

    def tell(self, time, event, worker, pieces=(), work=None):
        self.log[worker.number].append((time, event, pieces[0] if pieces else None, len(pieces), work))

    def go(self, end):
        while self.events[LOST] and self.events[LOST][0][0] <= 0:
            number, _, spell = heapq.heappop(self.events[LOST])[1:]
            self.lose(self.workers[number], spell)
        self.ask_all()
        handle = (self.end, self.hear_complete, self.lose, self.come_back)
        while (now := min((events[0][0] for events in self.events if events), default=math.inf)) <= end * (1 + TIE):
            if now == math.inf or self.over():
                break
            self.now, self.until = now, now + TIE * max(now, 1e-3)
            for events, what_happens in zip(self.events, handle):
                due = []
                while events and events[0][0] <= self.until:
                    due.append(heapq.heappop(events)[1:])
                for number, _, what in sorted(due, key=lambda one: one[:2]):
                    what_happens(self.workers[number], what)
            self.ask_all()
        for worker in self.workers:
            if worker.task:
                self.stop(worker, math.inf)

    def ask_all(self):
        asking, self.asking = sorted(self.asking), set()
        for number in asking:
            self.ask(self.workers[number])

    def heard(self):
        self.asking |= self.idle
        self.idle.clear()

    def stop(self, worker, until, event="drops", new=0.0):
        """What a worker spent on what it was given, which ends, is dropped, or is lost."""
        task, worker.task = worker.task, None
        spent = max(0.0, min(until, worker.up_until) - task.begin)
        self.machine_time += spent
        self.wasted += max(0.0, spent - (new / worker.speed + task.cost if new > 0 else 0.0))
        if task.begin <= until * (1 + TIE) and worker.lives(task.begin):
            self.tell(task.begin, "begins", worker, task.order, task.work)
            if worker.lives(until):
                self.tell(until, event, worker, task.order, new if event == "ends" else None)

    def end(self, worker, task):
        if task is not worker.task:
            return
        done = worker.lives(task.end)
        end = task.end if done or not task.saved else worker.up_until
        task.saved = task.pieces if done else task.saved
        new = [piece for piece in task.saved if piece not in self.done]
        self.stop(worker, task.end, "ends", math.fsum(self.sizes[piece] for piece in new))
        worker.ended = task
        if new:
            self.done.update(new)
            self.ends += [(end, self.sizes[piece]) for piece in new]
            self.last = max(self.last, end)
        if task.saved and task.order in worker.unfinished:
            rest = [tuple(piece for piece in task.pieces if piece not in task.saved)]
            place = worker.unfinished.index(task.order)
            worker.unfinished[place:place + 1] = rest if rest[0] else []
        if task.saved:
            self.at(end + self.listening.latency, COMPLETE, worker, task)
        if not done:
            self.at(end + self.listening.latency, LOST, worker, worker.spell)
        self.asking.add(worker.number)

    def hear_complete(self, worker, task):
        self.heard()
        self.tell(self.now, "heard complete", worker, task.order)
        if task.spell == worker.spell:
            worker.reported = max(worker.reported, min(task.end, worker.up_until))
        if task is worker.ended:
            worker.ended = None
            self.asking.add(worker.number)
        self.known.update(task.saved)
        self.see_what_is_left()
        for other in self.workers if self.listening.drop else ():
            if other.task and self.known.issuperset(other.task.pieces):
                if other.task.order in other.unfinished:
                    other.unfinished.remove(other.task.order)
                self.stop(other, self.now)
                self.asking.add(other.number)

    def lose(self, worker, spell):
        if worker.spell != spell or worker.lost:
            return
        self.heard()
        worker.lost = True
        self.tell(self.now, "heard lost", worker)
        if worker.task:
            self.stop(worker, math.inf)
        for task in worker.had:
            if task.spell == spell and not worker.lives(task.end):
                for piece in task.pieces:
                    if piece not in task.saved:
                        self.holders[piece].remove((worker, task))
                        if all(one is not worker for one, _ in self.holders[piece]):
                            worker.holds.discard(piece)
                        self.lose_piece(piece)
        self.policy.lost(self, worker)
        if self.planned and not self.policy.keeps_plan:
            for one in self.workers:
                one.unfinished, one.again = [], []
            for piece in sorted(self.planned):
                self.give_back(piece)
            self.planned.clear()

    def lose_piece(self, piece):
        if piece not in self.planned:
            self.give_back(piece)

    def see_what_is_left(self):
        if self.pool <= CRUMB * self.work and len(self.known) + len(self.gone) == len(self.sizes):
            self.all_known = min(self.all_known, self.now)

    def give_back(self, piece):
        if not self.holders[piece] and piece not in self.known:
            self.gone.add(piece)
            self.pool += self.sizes[piece]

    def come_back(self, worker, spell):
        """That it asks tells that it was lost."""
        if worker.spell >= 0:
            self.lose(worker, worker.spell)
        self.heard()
        if self.now > 0:
            self.tell(self.now, "comes back", worker)
        worker.spell, (worker.up_since, worker.up_until) = spell, worker.spells[spell]
        worker.reported, worker.lost, worker.ended, worker.due = worker.up_since, False, None, worker.restart
        worker.again, worker.unfinished = worker.unfinished + worker.again, []
        self.asking.add(worker.number)

    def holds_next(self, worker):
        return bool(worker.again) or self.policy.holds_next(self, worker)

    def ask(self, worker):
        while not worker.lost and not worker.task:
            holds = self.holds_next(worker)
            waits = not (holds or self.listening.prefetch or self.listening.latency == 0)
            if waits and worker.ended:
                return
            self.way = self.listening.latency if waits and self.now > worker.up_since * (1 + TIE) else 0.0
            order = (worker.again.pop(0), True) if worker.again else self.next(worker)
            if order is None:
                self.idle.add(worker.number)
                return
            self.give(worker, order, holds)

    def next(self, worker):
        return self.policy.next(self, worker)

    def takes(self, worker, work):
        return self.startup + worker.due + work / worker.speed

    def left(self, worker, pieces):
        return [piece for piece in pieces if piece not in self.known]

    def give(self, worker, order, holds):
        if isinstance(order, float):
            self.pool = self.pool - order if self.pool - order > CRUMB * self.work else 0.0
            self.sizes.append(order)
            self.holders.append([])
            order = (len(self.sizes) - 1,), False
        pieces, planned = order
        left = self.left(worker, pieces)
        if not left:
            return
        begin, work = self.now + self.way, math.fsum(self.sizes[piece] for piece in left)
        task = worker.task = Given(pieces, left, work, begin, begin + self.takes(worker, work), worker.spell, planned,
                                   self.startup + worker.due)
        worker.due = 0.0
        worker.had.append(task)
        for piece in left:
            self.holders[piece].append((worker, task))
        worker.holds.update(left)
        if planned:
            worker.unfinished.append(pieces)
        if not holds:
            self.tell(self.now, "is given", worker, pieces, work)
        self.at(task.end, ENDS, worker, task)
