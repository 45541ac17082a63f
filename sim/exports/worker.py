#!/usr/bin/env python3
"""Works on the queue in this folder until all of its work is done.

usage: worker.py [--slot NAME] [--fallback] COMMAND [ARGUMENT...]
       worker.py --status

Runs COMMAND [ARGUMENT...] CHUNK BEGIN END for one chunk of the work after another: the part from BEGIN to END, in
seconds of one machine's work. COMMAND saves its output in the folder $COTERIE_RESULT before it exits with 0; it becomes
results/CHUNK. If it fails, the chunk goes back and the worker ends. A chunk may be run more than once (a lost worker, a
copy near the end), but it has one result, and the results are the work from 0 to its end without gap or overlap.

--slot NAME  who this is. One that starts gives back at once what an earlier one of this name held.
--fallback   takes only tasks that were lost too often elsewhere
"""
# log/00000001, log/00000002, ... is the history of the queue: what was claimed, done, and given back. An entry is
# written under another name and then linked to its place. A link, unlike a rename, fails where the name exists: of two
# workers that want to write entry n, one does; the other reads it and decides again. All else follows from the
# entries: what is neither done nor claimed is free. So a worker that is killed at any moment leaves nothing half done,
# and one that is given up too early is merely late: the first result of a part counts.
import bisect
import collections
import contextlib
import json
import math
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

Claim = collections.namedtuple("Claim", "worker begin end age time")


class State:
    """What the entries say. Lengths are in seconds, or in tasks if there are tasks."""

    def __init__(self, total):
        self.total = total
        self.entries = 0
        self.done = []  # (begin, end), disjoint, in order
        self.results = {}  # by (begin, end): the attempt that counts
        self.running = {}  # by attempt
        self.alive = {}  # by worker: its last entry
        self.gone_slots = set()
        self.losses = collections.Counter()  # by begin

    def apply(self, entry):
        self.entries += 1
        worker, event = entry["worker"], entry["event"]
        if event == "gone":
            self.alive.pop(worker, None)
            self.gone_slots.add(slot_of(worker))
            for attempt in [a for a, claim in self.running.items() if claim.worker == worker]:
                self.losses[self.running.pop(attempt).begin] += 1
            return
        self.alive[worker] = self.entries
        self.gone_slots.discard(slot_of(worker))
        part = entry["begin"], entry["end"]
        if event == "claim":
            self.running = {a: c for a, c in self.running.items() if c.worker != worker}  # it has one at a time
            self.running[entry["attempt"]] = Claim(worker, *part, entry["age"], entry["time"])
        else:  # none of it was: who said so knew all earlier entries
            bisect.insort(self.done, part)
            self.results[part] = entry["attempt"]
            self.running = {a: c for a, c in self.running.items() if c.end <= part[0] or part[1] <= c.begin}

    def is_done(self, begin, end):
        """Whether some of this part is."""
        place = bisect.bisect_left(self.done, (end,))
        return place > 0 and self.done[place - 1][1] > begin

    def free(self):
        """Parts that nobody has."""
        parts, at = [], 0
        for begin, end in sorted(self.done + [(claim.begin, claim.end) for claim in self.running.values()]):
            if begin > at:
                parts.append((at, begin))
            at = max(at, end)
        return parts + [(at, self.total)] if at < self.total else parts

    def finished(self):
        return not self.running and not self.free()


def slot_of(worker):
    return worker.rpartition("~")[0]


class Queue:
    def __init__(self, folder, slot, fallback=False):
        self.folder = folder
        self.plan = json.loads((folder / "queue.json").read_text())
        self.task = self.plan["task"]
        self.fallback = fallback
        self.worker = f"{slot}~{os.urandom(4).hex()}"
        self.state = State(math.ceil(self.plan["work"] / self.task * (1 - 1e-12)) if self.task else self.plan["work"])
        # Borders are whole seconds where chunks are long, and always short numbers.
        self.digits = 0 if self.plan["least_chunk"] >= 10 else 8 - math.floor(math.log10(self.plan["work"]))
        for name in ("log", "hearts", "attempts", "results"):
            (folder / name).mkdir(exist_ok=True)
        self.born = self.looked = time.monotonic()
        self.serial = self.beats = 0
        self.watched = {}  # by worker: its last sign of life, and for how long none has come since
        self.read()

    def read(self):
        """Takes in entries that others have added."""
        while True:
            try:
                entry = (self.folder / "log" / f"{self.state.entries + 1:08d}").read_text()
            except FileNotFoundError:
                return
            self.state.apply(json.loads(entry))

    def add(self, decide):
        """Adds the entry that `decide` wants in view of all earlier ones, or none; says which."""
        waits = 0.001
        while True:
            self.read()
            entry = decide(self.state)
            if entry is None:
                return None
            self.serial += 1
            mine = dict(entry, by=f"{self.worker}.{self.serial}", time=time.time())
            place = self.folder / "log" / f"{self.state.entries + 1:08d}"
            draft = self.folder / "log" / f".{self.worker}.{self.serial}"
            with draft.open("x") as file:
                json.dump(mine, file)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(draft, place)
            except FileExistsError:
                if draft.stat().st_nlink < 2:  # over NFS a link may be made although its answer got lost
                    mine = None
            except OSError as error:
                sys.exit(f"worker.py: {place}: {error.strerror}; the queue needs a file system with hard links")
            finally:
                draft.unlink()
            if mine is not None:
                sync(self.folder / "log")  # before anything that it allows
                self.state.apply(mine)
                return mine
            time.sleep(random.uniform(0, waits))
            waits = min(2 * waits, 0.1)

    # What to take next: the rule of the plan.

    def at_age(self, column, age):
        """Of the table of lives: 1: the longest chunk worth beginning, 2: the probability to live longer."""
        table = self.plan["by_age"]
        place = bisect.bisect_right([row[0] for row in table], age)
        if place in (0, len(table)):
            return table[place - 1 if place else 0][column]
        low, high = table[place - 1], table[place]
        return low[column] + (high[column] - low[column]) * (age - low[0]) / (high[0] - low[0])

    def length(self, begin, end):
        return end - begin if not self.task else min(end * self.task, self.plan["work"]) - begin * self.task

    def may_have(self, state, begin):
        if not self.plan["tries"]:
            return not self.fallback
        return self.fallback == (state.losses[begin] >= self.plan["tries"])

    def fresh_task(self, state):
        for begin, end in state.free():
            for task in range(begin, end):
                if self.may_have(state, task):
                    return task, task + 1
        return None

    def fresh_chunk(self, state):
        """A share of what is free, as long as this worker may be expected to last; no crumbs at the end."""
        free = state.free()
        if not free:
            return None
        plan = self.plan
        pool = sum(end - begin for begin, end in free)
        workers = max(1, len(state.alive), plan["workers"] - len(state.gone_slots - {slot_of(self.worker)}))
        least = plan["least_chunk"]
        most = max(self.at_age(1, self.age()), 0) if plan["by_age"] else plan["work"]
        most = most or least
        size = min(most, max(least, pool / (plan["shares"] * workers)))
        begin, end = free[0]
        cut = round(begin + size, self.digits)
        if end - begin - size < least:
            cut = min(end, round(begin + most, self.digits))
        return begin, cut if begin < cut < end else end

    def copy(self, state):
        """The chunk with the greatest expected gain per time: that its workers fail and this one does not."""
        best, chosen = 0, None
        now, age = time.time(), self.age()
        claims = list(state.running.values())
        for begin, end in {(claim.begin, claim.end) for claim in claims}:
            holders = [claim for claim in claims if (claim.begin, claim.end) == (begin, end)]
            if any(claim.worker == self.worker for claim in holders):
                continue
            if self.task and not self.may_have(state, begin):
                continue
            size = self.length(begin, end)
            takes = size + self.plan["checkpoint"]
            value = size / takes * self.lives(age, takes)
            for claim in holders:
                ran = max(0, now - claim.time)
                if ran <= takes:  # else it is late: as good as lost
                    value *= 1 - self.lives(claim.age + ran, takes - ran)
            if value > best:
                best, chosen = value, (begin, end)
        return chosen

    def lives(self, age, time_more):
        if not self.plan["by_age"]:
            return 1
        now = self.at_age(2, age)
        return self.at_age(2, age + time_more) / now if now > 0 else 0

    def age(self):
        return time.monotonic() - self.born

    def entry(self, event, attempt, part):
        return {"event": event, "worker": self.worker, "attempt": attempt, "begin": part[0], "end": part[1],
                "age": self.age()}

    def claim(self):
        """Attempt and part, or nothing for now."""
        attempt = f"{self.worker}.{self.serial + 1}"

        def decide(state):
            if self.fallback and not self.task:
                return None
            part = self.fresh_task(state) if self.task else self.fresh_chunk(state)
            if part is None and self.plan["copies"] and not state.finished():
                part = self.copy(state)
            return part and self.entry("claim", attempt, part)

        entry = self.add(decide)
        return entry and (attempt, (entry["begin"], entry["end"]))

    # Signs of life.

    def beat(self):
        """Shows that this worker lives, and gives back what those hold that have shown no life for too long."""
        hearts = self.folder / "hearts"
        self.beats += 1
        try:
            os.rename(hearts / f"{self.worker}@{self.beats - 1}", hearts / f"{self.worker}@{self.beats}")
        except FileNotFoundError:  # the first, or this one was given up
            (hearts / f"{self.worker}@{self.beats}").touch()
        self.read()
        # What was not seen does not count: neither a time in which this worker was stopped, nor one in which all were.
        now = time.monotonic()
        seen, self.looked = min(now - self.looked, 2 * self.plan["beat"]), now
        beats = dict(name.rpartition("@")[::2] for name in os.listdir(hearts))
        for worker, last in list(self.state.alive.items()):
            sign = beats.get(worker), last
            old, silent = self.watched.get(worker, (None, 0))
            self.watched[worker] = sign, silent + seen if sign == old else 0
            if worker != self.worker and self.watched[worker][1] > self.plan["lease"]:
                self.give_up(worker, last)

    def give_up(self, worker, last=None, why="lost"):
        """Unless it has been heard of since."""
        self.add(lambda state: {"event": "gone", "worker": worker, "why": why}
                 if worker in state.alive and last in (None, state.alive[worker]) else None)
        for heart in (self.folder / "hearts").glob(f"{worker}@*"):
            remove(heart)

    def settle(self):
        """Gives results their place, also those of workers that were killed just before they did so."""
        for part, attempt in self.state.results.items():
            self.keep(attempt, part)

    def keep(self, attempt, part):
        with contextlib.suppress(FileNotFoundError):  # another has done it
            os.rename(self.folder / "attempts" / attempt, self.folder / "results" / self.name(part))

    def name(self, part):
        return str(part[0]) if self.task else "-".join(map(text_of, part))


def remove(path):
    with contextlib.suppress(FileNotFoundError):
        path.unlink()


def text_of(number):
    return f"{number:.15g}"


class Stopped(Exception):
    pass


class Worker:
    def __init__(self, queue, command):
        self.queue = queue
        self.command = command
        self.wake = threading.Event()
        self.stopped = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)

    def stop(self, *_):
        self.stopped = True
        self.wake.set()

    def work(self):
        """The exit code."""
        queue = self.queue
        for worker in list(queue.state.alive):
            if slot_of(worker) == slot_of(queue.worker):
                queue.give_up(worker)
        try:
            while True:
                queue.beat()
                if self.stopped:
                    raise Stopped
                claim = queue.claim()
                if claim is not None:
                    if not self.run(*claim):
                        queue.give_up(queue.worker, why="failed")
                        return 1
                elif queue.state.finished():
                    queue.settle()
                    return 0
                elif self.nothing_left():
                    return 0 if queue.plan["fallback"] else 1
                else:
                    self.wake.wait(queue.plan["beat"])
                    self.wake.clear()
        except Stopped:
            queue.give_up(queue.worker, why="stopped")
            return 128 + signal.SIGTERM
        finally:
            remove(queue.folder / "hearts" / f"{queue.worker}@{queue.beats}")

    def nothing_left(self):
        """Whether the rest are tasks that were lost too often."""
        queue, state = self.queue, self.queue.state
        if not queue.plan["tries"] or queue.fallback or any(
                state.losses[claim.begin] < queue.plan["tries"] for claim in state.running.values()):
            return False
        tasks = sum(end - begin for begin, end in state.free())
        if tasks:
            print(f"worker.py: {tasks} tasks were lost {queue.plan['tries']} times or more and are not tried again here",
                  file=sys.stderr)
        return tasks > 0

    def run(self, attempt, part):
        """Whether the command succeeded, or was dropped because another has done the same."""
        queue = self.queue
        output = queue.folder / "attempts" / attempt
        output.mkdir()
        scale = queue.task or 1
        begin, end = part[0] * scale, min(part[1] * scale, queue.plan["work"])
        self.wake.clear()
        process = subprocess.Popen([*self.command, queue.name(part), text_of(begin), text_of(end)],
                                   env=dict(os.environ, COTERIE_RESULT=str(output)), start_new_session=True)
        threading.Thread(target=lambda: (process.wait(), self.wake.set()), daemon=True).start()
        kept = False
        try:
            if not self.ends(process, attempt, part):
                return True
            if process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM):  # as all processes of a job that has to go
                raise Stopped
            if process.returncode != 0:
                print(f"worker.py: {' '.join(self.command)} failed for chunk {queue.name(part)} (exit code "
                      f"{process.returncode}); this worker ends", file=sys.stderr)
                return False
            flush(output)
            queue.add(lambda state: None if state.is_done(*part) else queue.entry("done", attempt, part))
            kept = queue.state.results.get(part) == attempt
            return True
        finally:
            kill(process)
            if kept:
                queue.keep(attempt, part)
            else:
                shutil.rmtree(output, ignore_errors=True)

    def ends(self, process, attempt, part):
        """Waits for it; False once another has done the same."""
        queue = self.queue
        until = math.inf  # how long a worker that has to stop may go on
        while True:
            self.wake.wait(queue.plan["beat"])
            self.wake.clear()
            if process.returncode is not None:
                return True
            queue.beat()
            if queue.state.is_done(*part):
                return False
            if self.stopped:
                until = min(until, time.monotonic() + queue.plan["warning"])
            if time.monotonic() >= until:
                raise Stopped
            if attempt not in queue.state.running:  # given up, although it lives
                queue.add(lambda state: queue.entry("claim", attempt, part)
                          if any(b <= part[0] and part[1] <= e for b, e in state.free()) else None)


def kill(process):
    """With all that it has started, if it has not ended."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(process.pid, number)
                process.wait(5)


def flush(folder):
    """What is said to be done outlives a power failure."""
    for path in [*folder.rglob("*"), folder]:
        if path.is_file() or path.is_dir():
            sync(path)


def sync(path):
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def status(queue):
    state, plan = queue.state, queue.plan
    done = sum(queue.length(*part) for part in state.done)
    print(f"done: {text_of(done)} of {text_of(plan['work'])} ({100 * done / plan['work']:.1f} %) in {len(state.done)} chunks")
    print(f"running: {len(state.running)} chunks; workers heard of: {len(state.alive)}")
    return 0 if state.finished() else 3


def main(words):
    folder = Path(__file__).resolve().parent
    slot, fallback = f"{socket.gethostname()}-{os.getpid()}", False
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word == "--status" and not words:
            return status(Queue(folder, slot))
        if word == "--slot" and words and not set("/@~") & set(words[0]):
            slot = words.pop(0)
        elif word == "--fallback":
            fallback = True
        else:
            words = []
    if not words:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return Worker(Queue(folder, slot, fallback), words).work()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
