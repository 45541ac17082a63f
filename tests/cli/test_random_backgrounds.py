"""`coterie solve` with problem = "background" on random step functions, against exact rational arithmetic from the
definitions: A_i and C_i are integrals, T_i solves C_i(T_i) - C_i(T_{i-1}) = A_i(T_f) - A_i(T_i), and S(T_f) = 1."""

import random
from bisect import bisect_right
from fractions import Fraction

import pytest

TOLERANCE = Fraction(1, 10**12)


class Integral:
    """Load done by time t at speed 1 / (unit W(n(t) + 1)), exactly."""

    def __init__(self, times, counts, level, unit):
        self.times = [Fraction(time) for time in times]
        self.speeds = [1 / (unit * level(count + 1)) for count in counts]
        self.done = [Fraction(0)]
        for k in range(1, len(times)):
            self.done.append(self.done[-1] + (self.times[k] - self.times[k - 1]) * self.speeds[k - 1])

    def __call__(self, time):
        k = bisect_right(self.times, time) - 1
        return self.done[k] + (time - self.times[k]) * self.speeds[k]

    def time_of(self, load):
        k = bisect_right(self.done, load) - 1
        return self.times[k] + (load - self.done[k]) / self.speeds[k]


def start_of(processor, link, previous, finish):
    """T_i: the root of a sum that increases strictly, found between two neighbouring breakpoints."""
    wanted = processor(finish) + link(previous)
    times = sorted({previous, *processor.times, *link.times})
    times = [time for time in times if time >= previous]
    values = [processor(time) + link(time) for time in times]
    k = bisect_right(values, wanted) - 1
    speed = (processor(times[k] + 1) + link(times[k] + 1) - values[k] if k + 1 == len(times)
             else (values[k + 1] - values[k]) / (times[k + 1] - times[k]))
    return times[k] + (wanted - values[k]) / speed


class Tree:
    def __init__(self, control, processors, links):
        self.control, self.processors, self.links = control, processors, links

    def forward(self, finish):
        starts, shares = [Fraction(0)], [self.control(finish)]
        for processor, link in zip(self.processors, self.links):
            start = start_of(processor, link, starts[-1], finish)
            shares.append(link(start) - link(starts[-1]))
            starts.append(start)
        return starts, shares

    def sum(self, finish):
        return sum(self.forward(finish)[1])

    def realised(self, shares):
        time, finish = Fraction(0), self.control.time_of(shares[0])
        for processor, link, share in zip(self.processors, self.links, shares[1:]):
            time = link.time_of(link(time) + share)
            if share > 0:
                finish = max(finish, processor.time_of(processor(time) + share))
        return finish


def steps(source, most, last):
    """Times and counts, as text may hold them: binary fractions, so that floats are exact."""
    times = sorted({Fraction(source.randrange(1, 4096), 4096) * last for _ in range(source.randint(0, most))})
    return [Fraction(0)] + times, [source.randint(0, 4) for _ in range(len(times) + 1)]


def speed(source):
    return Fraction(source.randint(1, 64), 16)


def written(jobs):
    return f"{{times = [{', '.join(str(float(time)) for time in jobs[0])}], counts = {jobs[1]}}}"


def make(seed):
    """A tree and its file. Kinds: links sorted under one process, links of their own, levels of sharing."""
    source = random.Random(seed)
    sorted_links, levels = seed % 3 == 0, seed % 4 == 1
    tcm, tcp = speed(source), 4 * speed(source)
    workers, most = source.randint(0, 6), source.choice([0, 1, 5, 15])
    last = tcp * source.choice([Fraction(1, 4), 1, 4])
    multiples = sorted(1 + Fraction(source.randint(0, 32), 8) for _ in range(3))
    source.shuffle(multiples)

    def level_of(alone):
        if not levels:
            return lambda count: count * alone
        return lambda count: alone if count == 1 else multiples[min(count, 4) - 2] * alone

    text = f'problem = "background"\nmethod = "exact"\ntcm = {float(tcm)}\ntcp = {float(tcp)}\n'
    if levels:
        text += f"share = [1, {', '.join(str(float(m)) for m in multiples)}]\n"
    w, jobs = speed(source), steps(source, most, last)
    text += f"[control]\ninverse_speed = {float(w)}\njobs = {written(jobs)}\n"
    control = Integral(*jobs, level_of(w), tcp)
    shared = steps(source, most, last)
    bandwidths = [speed(source) for _ in range(workers)]
    if sorted_links:
        bandwidths.sort()
    processors, links = [], []
    for z in bandwidths:
        w, jobs = speed(source), steps(source, most, last)
        connections = shared if sorted_links else steps(source, most, last)
        text += (f"[[worker]]\ninverse_speed = {float(w)}\ninverse_bandwidth = {float(z)}\njobs = {written(jobs)}\n"
                 f"link_jobs = {written(connections)}\n")
        processors.append(Integral(*jobs, level_of(w), tcp))
        links.append(Integral(*connections, level_of(z), tcm))
    return Tree(control, processors, links), text, sorted_links


@pytest.mark.parametrize("seed", range(120))
def test_finish_time_shares_and_start_times(solve, seed):
    tree, text, sorted_links = make(seed)

    answer = solve(text)

    finish = Fraction(answer["finish_time"])
    # S passes 1 within 1e-12 of the answer ...
    below, above = finish * (1 - TOLERANCE), finish * (1 + TOLERANCE)
    assert tree.sum(below) < 1 < tree.sum(above)
    # ... and has not passed it before: the smallest root.
    for k in range(1, 40):
        assert tree.sum(below * k / 40) < 1
    starts, shares = tree.forward(finish)
    for key, exact in (("start_times", starts), ("shares", shares)):
        assert len(answer[key]) == len(exact)
        for value, expected in zip(answer[key], exact):
            assert abs(Fraction(value) - expected) <= TOLERANCE * max(1, expected), key
    assert answer["residual"] < 1e-13
    assert answer["root_error"] <= TOLERANCE * finish
    assert answer["single_root"] is True or (answer["single_root"] is None and not sorted_links)
    assert abs(Fraction(answer["control_alone"]) / tree.control.time_of(Fraction(1)) - 1) <= TOLERANCE
    assert abs(sum(map(Fraction, answer["shares"])) - 1) < TOLERANCE


@pytest.mark.parametrize("seed", range(20))
def test_a_plan_without_background_meets_the_jobs(solve, seed):
    tree, text, _ = make(seed)

    answer = solve(text.replace('"exact"', '"no-background"'))

    exact = tree.realised([Fraction(share) for share in answer["shares"]])
    assert abs(Fraction(answer["realised_finish_time"]) / exact - 1) <= TOLERANCE


def constant(factors_of):
    """(1a)-(1c) with alpha_0 in the sum, every machine slowed by its factor: T_f and shares."""
    def run(tcm, tcp, speeds, bandwidths):
        left, shares = Fraction(1), [1 / (speeds[0] * factors_of[0] * tcp)]
        for w, z, slow, slow_link in zip(speeds[1:], bandwidths, factors_of[1], factors_of[2]):
            send, compute = z * slow_link * tcm, w * slow * tcp
            shares.append(left / (send + compute))
            left -= shares[-1] * send
        return 1 / sum(shares), [share / sum(shares) for share in shares]

    return run


@pytest.mark.parametrize("seed", range(30))
def test_plans_by_constants(solve, seed):
    """no-background and before-correction: exact formulas; a law of its own on some machines."""
    source = random.Random(9000 + seed)
    workers, tcm, tcp = source.randint(0, 8), speed(source), speed(source)
    speeds, bandwidths = ([speed(source) for _ in range(count)] for count in (workers + 1, workers))
    rhos = [Fraction(source.randint(0, 7), 8) for _ in range(workers + 2)]  # control, workers, connections
    shared_departures = seed % 2
    head = (f'problem = "background"\ntcm = {float(tcm)}\ntcp = {float(tcp)}\n'
            + ('departures = "shared"\n' if shared_departures else "") + 'method = "{}"\n')
    text = head + (f"[control]\ninverse_speed = {float(speeds[0])}\narrival = {float(rhos[0])}\nservice = 1\n"
                   f"link_arrival = {float(rhos[-1])}\nlink_service = 1\n")
    for w, z, rho in zip(speeds[1:], bandwidths, rhos[1:]):
        text += (f"[[worker]]\ninverse_speed = {float(w)}\ninverse_bandwidth = {float(z)}\narrival = {float(2 * rho)}\n"
                 "service = 2\n")
    slow = [(1 + shared_departures) * rho / (1 - rho) + 1 for rho in rhos]
    ones = [Fraction(1)] * workers

    for method, factors in (("no-background", (Fraction(1), ones, ones)),
                            ("before-correction", (slow[0], slow[1:-1], [slow[-1]] * workers))):
        answer = solve(text.format(method))
        finish, shares = constant(factors)(tcm, tcp, speeds, bandwidths)
        assert abs(Fraction(answer["finish_time"]) / finish - 1) <= TOLERANCE, method
        for value, expected in zip(answer["shares"], shares, strict=True):
            assert abs(Fraction(value) - expected) <= TOLERANCE, method
