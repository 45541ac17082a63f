"""What schedules are worth, from the definition of the model (worksharing-2013, Section 2) alone.

A schedule is a list of (worker, begin, end): each worker runs its tasks in their order, back to back, a start-up cost
before each; a task that ends at f is completed iff the worker's interruption time T is at least f; a piece of work
counts once, whoever completed it."""
import itertools
import math
from bisect import bisect_left
from collections import defaultdict


def finish_times(tasks, startup):
    """When each task ends: sizes and start-up costs of its worker's list so far."""
    sizes, order, ends = defaultdict(list), defaultdict(int), []
    for worker, begin, end in tasks:
        sizes[worker].append(end - begin)
        order[worker] += 1
        ends.append(math.fsum(sizes[worker]) + order[worker] * startup)
    return ends


def pieces(tasks, ends):
    """The work between neighbouring cuts, each with the earliest end of each worker that runs it.

    Cuts that differ by rounding alone are one."""
    span = max(end for _, _, end in tasks)
    cuts = []
    for cut in sorted({cut for _, begin, end in tasks for cut in (begin, end)}):
        if not cuts or cut - cuts[-1] > 1e-12 * span:
            cuts.append(cut)
    place = lambda cut: bisect_left(cuts, cut - 1e-12 * span)
    first = [{} for _ in cuts[1:]]
    for (worker, begin, end), finish in zip(tasks, ends):
        for k in range(place(begin), place(end)):
            first[k][worker] = min(finish, first[k].get(worker, math.inf))
    return [(after - before, who) for before, after, who in zip(cuts, cuts[1:], first)]


def expected_work(tasks, startup, laws, late=0.0):
    """Sum over pieces of size x (1 - product over its workers of P(T < end)); laws: one for each worker.

    late: ends are moved by this relative amount (to see which side of a jump of a law rounding may have put them)."""
    ends = [end * (1 + late) for end in finish_times(tasks, startup)]
    known = {}

    def before(worker, end):
        key = (id(laws[worker]), end)
        if key not in known:
            known[key] = laws[worker].before(end)
        return known[key]

    return math.fsum(size * (1 - math.prod(before(worker, end) for worker, end in who.items()))
                     for size, who in pieces(tasks, ends))


def bracket(tasks, startup, laws):
    """The expected work with all ends a hair later, and a hair earlier: what rounding may make of it."""
    return (expected_work(tasks, startup, laws, 1e-12), expected_work(tasks, startup, laws, -1e-12))


def completed_work(parts, lives):
    """What gets done of pieces (see above) by workers that are interrupted at these times."""
    return math.fsum(size for size, who in parts
                     if any(lives[worker] * (1 + 1e-12) >= end for worker, end in who.items()))


def omniscient_work(work, startup, lives):
    """Who knows all interruptions gives each worker one chunk that ends just in time."""
    return min(work, math.fsum(max(0.0, life - startup) for life in lives))


def group_tasks(workers, first, last, chunks, chart):
    """A group schedule: worker r takes in the i-th execution of group j chunk j g + (r + i) mod g; chart[i][j] is the
    step of that execution. Chunks beyond the last one are skipped."""
    g = len(workers)
    steps = sorted((step, i, j) for i, row in enumerate(chart) for j, step in enumerate(row))
    cut = [first + (last - first) * k / chunks for k in range(chunks + 1)]
    return [(worker, cut[chunk], cut[chunk + 1]) for r, worker in enumerate(workers) for _, i, j in steps
            for chunk in [j * g + (r + i) % g] if chunk < chunks]


def greedy_chart(g, chunks, before, size):
    """Smallest step to the group with the greatest product of risks so far, ties to the lower group
    (worksharing-2013, Section 5.2.4, for any law: Section 7.1). size: of a chunk with its start-up cost."""
    groups = -(-chunks // g)
    product, chart = [1.0] * groups, []
    for i in range(g):
        row = [0] * groups
        for step, j in enumerate(sorted(range(groups), key=lambda j: -product[j]), i * groups + 1):
            row[j] = step
            product[j] *= before(step * size)
        chart.append(row)
    return chart


def dealt_tasks(workers, work, chunks, per_worker):
    """Chunks dealt round-robin, again from the first, until each worker was dealt per_worker of them; what a worker
    has already it does not run again."""
    cut = [work * k / chunks for k in range(chunks + 1)]
    had, tasks = [set() for _ in range(workers)], []
    for k in itertools.islice(itertools.count(), workers * per_worker):
        worker, chunk = k % workers, k % chunks
        if chunk not in had[worker]:
            had[worker].add(chunk)
            tasks.append((worker, cut[chunk], cut[chunk + 1]))
    return tasks


def once_tasks(workers, work, chunks):
    """Chunk k to worker k mod p."""
    return [(k % workers, work * k / chunks, work * (k + 1) / chunks) for k in range(chunks)]


def random_orders_work(workers, work, chunks, each, startup, laws, late=0.0):
    """The expected work where each worker runs so many distinct chunks in a random order of its own: it completes any
    one with probability 1 / chunks x the sum over its places of P(T >= end of that place)."""
    step = (work / chunks + startup) * (1 + late)
    known = {}
    for law in laws:
        if id(law) not in known:
            known[id(law)] = math.fsum(1 - law.before(k * step) for k in range(1, each + 1)) / chunks
    return work * (1 - math.prod(1 - known[id(law)] for law in laws[:workers]))
