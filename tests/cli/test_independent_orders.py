"""coterie solve for return-messages and now against an independent brute force: vertices of the linear program in exact
fractions, all orders, written from the papers' definitions alone; and schedules played message by message."""
import itertools
import math
import random
from fractions import Fraction

import pytest


def solve_system(matrix, side):
    """x with matrix x = side, or None where it is singular."""
    rows = [list(row) + [value] for row, value in zip(matrix, side)]
    size = len(rows)
    for column in range(size):
        pivot = next((row for row in range(column, size) if rows[row][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column] != 0:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [row[-1] for row in rows]


def no_idle_rows(workers, sent, returned):
    """What of a unit of time each enrolled worker uses, by the shares of all: 1 where it is never idle."""
    rows = []
    for i in sent:
        row = [Fraction(0)] * len(workers)
        for j in sent[:sent.index(i) + 1]:
            row[j] += workers[j][0]
        row[i] += workers[i][1]
        for j in returned[returned.index(i):]:
            row[j] += workers[j][2]
        rows.append(row)
    return rows


def best_throughput(workers, sent, returned, ports):
    """The greatest sum of shares for these orders: every vertex of the polyhedron is looked at."""
    size = len(workers)
    limits = [(row, Fraction(1)) for row in no_idle_rows(workers, sent, returned)]
    if ports == "one":
        limits.append(([c + d for c, _, d in workers], Fraction(1)))
    for i in range(size):
        limits.append(([Fraction(-(i == j)) for j in range(size)], Fraction(0)))
    best = Fraction(0)
    for tight in itertools.combinations(limits, size):
        point = solve_system([row for row, _ in tight], [value for _, value in tight])
        if point and all(sum(a * x for a, x in zip(row, point)) <= value for row, value in limits):
            best = max(best, sum(point))
    return best


def star_file(workers, head):
    tables = "".join(f'[[worker]]\nsend = "{c}"\ncompute = "{w}"\nreturn = "{d}"\n' for c, w, d in workers)
    return f'problem = "return-messages"\n{head}\n{tables}'


def random_workers(source, count, kind):
    def time(least=1):
        return Fraction(source.randint(least, 24), source.choice([1, 2, 3]))

    workers = [(time(), time(), time()) for _ in range(count)]
    if kind == "bus":
        workers = [(workers[0][0], w, workers[0][2]) for _, w, _ in workers]
    if kind == "equal":
        workers = [workers[0]] * count
    if kind == "no results":
        workers = [(c, w, Fraction(0)) for c, w, _ in workers]
    if kind == "no work":
        workers = [(c, Fraction(0), d) for c, _, d in workers]
    if kind == "free sends":
        workers = [(Fraction(0), w, d) for _, w, d in workers]
    if kind.startswith("z = "):
        workers = [(c, w, Fraction(kind[4:]) * c) for c, w, _ in workers]
    return workers


KINDS = ["any", "z = 1/2", "z = 4/5", "z = 1", "z = 3", "bus", "equal", "no results", "no work", "free sends"]


@pytest.mark.parametrize("kind", KINDS)
def test_stars_against_all_orders(solve, kind):
    source = random.Random(f"stars, {kind}")
    for count in (1, 2, 2, 3):
        workers = random_workers(source, count, kind)
        orders = list(itertools.permutations(range(count)))
        for ports in ("two", "one"):
            value = {(sent, returned): best_throughput(workers, sent, returned, ports)
                     for sent in orders for returned in orders}
            best = {"opt-fifo": max(value[order, order] for order in orders),
                    "opt-lifo": max(value[order, order[::-1]] for order in orders), "best-pair": max(value.values())}
            for strategy, expected in best.items():
                answer = solve(star_file(workers, f'ports = "{ports}"\nstrategy = "{strategy}"'))
                assert Fraction(answer["throughput_exact"]) == expected, (workers, ports, strategy)
            sent, returned = source.choice(orders), source.choice(orders)
            given = "".join(f"{key} = {[i + 1 for i in order]}\n" for key, order in [("send", sent), ("return", returned)])
            answer = solve(star_file(workers, f'ports = "{ports}"\n{given}'))
            assert Fraction(answer["throughput_exact"]) == value[sent, returned], (workers, ports, sent, returned)


def test_expected_returns_against_the_played_schedule(solve):
    """All orders and enrolled sets of three workers with risks of their own."""
    source = random.Random("expected returns")
    for _ in range(3):
        workers = random_workers(source, 3, "any")
        rates = [Fraction(source.randint(1, 30), 40) for _ in workers]
        lifespan = Fraction(source.randint(1, 6), 5)

        def text(head):
            tables = "".join(f'[[worker]]\nsend = "{c}"\ncompute = "{w}"\nreturn = "{d}"\nrisk = "linear(kappa={rate})"\n'
                             for (c, w, d), rate in zip(workers, rates))
            return f'problem = "return-messages"\nlifespan = "{lifespan}"\n{head}\n{tables}'

        def expectation(shares, returned):
            end, expected = lifespan, Fraction(0)
            for i in reversed(returned):
                load = lifespan * shares[i]
                expected += load * max(Fraction(0), 1 - rates[i] * end)
                end -= load * workers[i][2]
            return expected

        best = Fraction(0)
        for count in (1, 2, 3):
            for sent in itertools.permutations(range(3), count):
                for returned in itertools.permutations(sorted(sent)):
                    orders = "".join(f"{key} = {[i + 1 for i in order]}\n"
                                     for key, order in [("send", sent), ("return", returned)])
                    answer = solve(text(orders))
                    expected = expectation([Fraction(share) for share in answer["shares_exact"]], returned)
                    assert answer["expected_returned_work"] == pytest.approx(float(expected), rel=1e-11, abs=1e-13)
                    busy = solve_system([[row[j] for j in sent] for row in no_idle_rows(workers, sent, returned)],
                                        [Fraction(1)] * count)
                    if busy and min(busy) >= 0:
                        expected = max(expected, expectation(dict(zip(sent, busy)), returned))
                    best = max(best, expected)
        answer = solve(text('strategy = "best-expected"'))
        assert answer["exact"] is False  # other sharings may have the same throughput
        assert answer["expected_returned_work"] == pytest.approx(float(best), rel=1e-9)


def now_file(network, workers, head):
    tables = "".join("[[worker]]\n" + "".join(f'{key} = "{value}"\n' for key, value in worker.items())
                     for worker in workers)
    return 'problem = "now"\n' + "".join(f'{key} = "{value}"\n' for key, value in network.items()) + f"{head}\n{tables}"


def test_protocols_are_played_to_the_end_of_the_lifespan(solve):
    """Every workstation starts to send its results the moment they are ready, and the last message ends the lifespan."""
    source = random.Random("protocols")

    def small(most):
        return Fraction(source.randint(0, most), 40)

    for _ in range(20):
        count = source.randint(1, 5)
        network = {"packaging": small(10), "latency": small(10), "transit": small(4), "delta": small(120)}
        workers = [{"work_time": small(60) + 1, "packaging": small(6), "unpackaging": small(6), "setup_to": small(8),
                    "setup_from": small(8), "risk": "exponential(rate=0.01)"} for _ in range(count)]
        start, finish = (source.sample(range(1, count + 1), count) for _ in range(2))
        answer = solve(now_file(network, workers, f"lifespan = 50\nstart = {start}\nfinish = {finish}"))
        shares = [Fraction(share) for share in answer["shares_exact"]]
        assert sum(shares) == Fraction(answer["work_exact"])
        first = network["latency"] - network["transit"]
        end, begins, expected = Fraction(50), {}, 0.0
        for i in reversed(finish):
            expected += float(shares[i - 1]) * math.exp(-0.01 * float(end))
            end -= workers[i - 1]["setup_from"] + first + network["transit"] * network["delta"] * shares[i - 1]
            begins[i] = end
        now = Fraction(0)
        for i in start:
            worker, share = workers[i - 1], shares[i - 1]
            now += network["packaging"] * share + worker["setup_to"] + first + network["transit"] * share
            ready = now + share * (worker["unpackaging"] + worker["work_time"] + worker["packaging"] * network["delta"])
            assert ready == begins[i]
        assert answer["feasible"] is (min(shares) >= 0)
        assert ("expected_returned_work" in answer) is answer["feasible"]
        if answer["feasible"]:
            assert answer["expected_returned_work"] == pytest.approx(expected, rel=1e-12)


def test_slopes_are_the_products_of_the_deck(solve):
    """Their slopes are the deck's asymptotic products [now-2001, "Greedy Is Not Optimal, 2"]."""
    source = random.Random("slopes")
    for _ in range(10):
        count = source.randint(1, 6)
        network = {name: Fraction(source.randint(0, 12), 40) for name in ("packaging", "transit", "delta")}
        network["latency"] = network["transit"]
        workers = [{"work_time": Fraction(source.randint(20, 90), 40), "packaging": Fraction(source.randint(0, 6), 40),
                    "unpackaging": Fraction(source.randint(0, 6), 40)} for _ in range(count)]
        out, back = network["packaging"] + network["transit"], network["transit"] * network["delta"]
        own = [out + back + w["unpackaging"] + w["packaging"] * network["delta"] + w["work_time"] for w in workers]
        lifo = sum(math.prod((1 - (out + back) / own[k] for k in range(i)), start=1 / own[i]) for i in range(count))
        part = sum(math.prod((1 - (out - back) / (own[k] - back) for k in range(i)), start=1 / (own[i] - back))
                   for i in range(count))
        fifo = part / (1 + back * part)
        for name, slope in (("lifo", lifo), ("fifo", fifo)):
            answer = solve(now_file(network, workers, f'lifespan = 9\nprotocol = "{name}"'))
            assert Fraction(answer["slope_exact"]) == slope
