"""`coterie solve` on random rational problems, against answers in exact arithmetic from first principles."""

import itertools
import math
import random
from fractions import Fraction

import pytest

TOLERANCE = 1e-12


def fraction(source, most=12, parts=7):
    return Fraction(source.randint(1, most), source.randint(1, parts))


def close(value, expected):
    return math.isclose(value, float(expected), rel_tol=TOLERANCE, abs_tol=1e-300)


def best_of_one_worker(work, most, startup, horizon):
    """Best chunks under linear risk: for each number m of chunks the stationary point of E, a concave quadratic:
    dE/dw_i = 1 - (D + w_i + i eps)/X, all 0 where work is held back and all equal where none is."""
    best = (Fraction(0), [])
    for m in range(1, most + 1):
        deployed = min(work, (m * horizon - startup * m * (m + 1) / 2) / (m + 1))
        sizes = [deployed / m + startup * (Fraction(m + 1, 2) - i) for i in range(1, m + 1)]
        if min(sizes) <= 0:
            break
        finish = Fraction(0)
        value = Fraction(0)
        for size in sizes:
            finish += size + startup
            value += size * (1 - finish / horizon)
        if value > best[0]:
            best = (value, sizes)
    return best


def one_worker(work, chunks, startup, kappa):
    return (
        f'problem = "one-worker"\nwork = "{work}"\nchunks = {chunks}\nstartup = "{startup}"\n'
        f'risk = "linear(kappa={kappa})"\n'
    )


@pytest.mark.parametrize("seed", range(25))
def test_theorems_2_and_4(solve, seed):
    source = random.Random(seed)
    kappa = fraction(source)
    work = fraction(source) / kappa / 4
    chunks = source.randint(1, 30)
    startup = source.choice([Fraction(0), fraction(source) / kappa / 100, fraction(source) / kappa / 10])
    value, sizes = best_of_one_worker(work, chunks, startup, 1 / kappa)

    answer = solve(one_worker(work, chunks, startup, kappa))

    assert close(answer["expected_work"], value)
    assert len(answer["chunk_sizes"]) == len(sizes)
    for size, expected in zip(answer["chunk_sizes"], sizes):
        assert abs(size - float(expected)) <= TOLERANCE * float(sizes[0])
    assert answer["exact"] is True


@pytest.mark.parametrize("m", [1, 2, 3, 7, 20])
def test_an_empty_last_chunk_is_dropped(solve, m):
    """m (m + 1) eps = 2 X, where the m-th chunk is empty: a tie that square roots get wrong."""
    startup = Fraction(2, m * (m + 1))
    answer = solve(one_worker(10, 100, startup, 1))
    value, sizes = best_of_one_worker(Fraction(10), 100, startup, Fraction(1))
    assert len(answer["chunk_sizes"]) == len(sizes) == m - 1
    assert close(answer["expected_work"], value)


def solve_ones(matrix):
    """x with matrix x = 1; None where there is none, or more than one."""
    size = len(matrix)
    rows = [list(row) + [Fraction(1)] for row in matrix]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(size):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def loss_in_order(workers):
    """min w'Qw over the simplex, workers (s, bw, kappa) served in this order: the best stationary point of all faces.
    The loss of worker i is kappa_i w_i (sum of w_j / bw_j over j up to i, + w_i / s_i)."""
    best = None
    for size in range(1, len(workers) + 1):
        for face in itertools.combinations(workers, size):
            matrix = [
                [
                    2 * face[i][2] * (1 / face[i][1] + 1 / face[i][0])
                    if i == j
                    else face[max(i, j)][2] / face[min(i, j)][1]
                    for j in range(size)
                ]
                for i in range(size)
            ]
            x = solve_ones(matrix)
            if x is None or sum(x) == 0 or min(value / sum(x) for value in x) <= 0:
                continue
            loss = 1 / (2 * sum(x))
            best = loss if best is None or loss < best else best
    return best


def least_loss(workers):
    return min(loss_in_order(order) for order in itertools.permutations(workers))


def optional_value(work, loss):
    deployed = min(work, 1 / (2 * loss))
    return deployed * (1 - loss * deployed)


def heterogeneous(workers, work, extra=""):
    tables = "".join(
        f'[[worker]]\nspeed = "{speed}"\nbandwidth = "{bandwidth}"\nrisk = "linear(kappa={kappa})"\n'
        for speed, bandwidth, kappa in workers
    )
    return f'problem = "heterogeneous"\nwork = "{work}"\n{extra}{tables}'


def platform(source, kind, size):
    """Workers of which only some properties differ, so that every theorem has its turn."""
    common = [fraction(source) for _ in range(3)]
    return [tuple(fraction(source) if differs else same for differs, same in zip(kind, common)) for _ in range(size)]


KINDS = list(itertools.product([False, True], repeat=3))


def value_of(workers, order, shares):
    """Exact expected work of floating-point shares, risks clipped at 1."""
    sent, total = Fraction(0), Fraction(0)
    for index in order:
        speed, bandwidth, kappa = workers[index - 1]
        share = Fraction(shares[index - 1])
        sent += share / bandwidth
        if share > 0:
            total += share * max(Fraction(0), 1 - kappa * (sent + share / speed))
    return total


def kind_name(kind):
    return "".join(letter if differs else "-" for letter, differs in zip("sbk", kind))


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_heterogeneous_workers(solve, kind, size):
    source = random.Random(100 * size + KINDS.index(kind))
    for trial in range(2 if size < 4 else 1):
        workers = platform(source, kind, size)
        loss = least_loss(workers)
        work = source.choice([Fraction(1, 7), Fraction(1), Fraction(5, 2)]) / (2 * loss)

        optional = solve(heterogeneous(workers, work, 'deployment = "optional"\n'))
        assert close(optional["loss_factor"], loss)
        assert close(optional["expected_work"], optional_value(work, loss))
        assert close(optional["deployed_work"], min(work, 1 / (2 * loss)))

        forced = solve(heterogeneous(workers, work))
        best = work * (1 - loss * work)
        if 2 * loss * work > 1:
            for r in range(size):
                others = workers[:r] + workers[r + 1 :]
                best = max([best] + ([optional_value(work, least_loss(others))] if others else [Fraction(0)]))
        best = max(best, Fraction(0))
        assert close(forced["expected_work"], best) or abs(forced["expected_work"] - float(best)) < 1e-15 * float(work)
        assert close(forced["deployed_work"], work)
        for answer in (optional, forced):
            worth = value_of(workers, answer["order"], answer["shares"])
            assert abs(answer["expected_work"] - float(worth)) <= 1e-12 * float(work)
            assert math.isclose(sum(answer["shares"]), answer["deployed_work"], rel_tol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_an_imposed_order(solve, seed):
    source = random.Random(1000 + seed)
    workers = platform(source, (True, True, True), source.randint(2, 4))
    order = list(range(1, len(workers) + 1))
    source.shuffle(order)
    loss = loss_in_order([workers[i - 1] for i in order])
    work = Fraction(1, 3) / loss

    answer = solve(heterogeneous(workers, work, f"order = {order}\n"))

    assert answer["order"] == order
    assert close(answer["loss_factor"], loss)
    assert close(answer["expected_work"], work * (1 - loss * work))


def two_workers(work, chunks, kappa, shape):
    return (
        f'problem = "two-workers"\nwork = "{work}"\nchunks = {chunks}\nstartup = 0\n'
        f'risk = "linear(kappa={kappa})"\nshape = "{shape}"\n'
    )


@pytest.mark.parametrize("seed", range(12))
def test_theorem_7(solve, seed):
    source = random.Random(2000 + seed)
    kappa, work = fraction(source), fraction(source, 12, 5)
    work, k, w = work / kappa / 3, float(kappa), float(work / kappa / 3)

    def value(s):
        if 2 * s <= w:
            return 2 * s * (1 - k * s)
        return 2 * (w - s) * (1 - k * s) + (2 * s - w) * (1 - (k * s) ** 2)

    # Stationary points of the two cubics, and the ends of their domains.
    points = [1 / (2 * k), w / 2, min(w, 1 / k)]
    discriminant = (2 + k * w) ** 2 - 12 * k * w
    if discriminant >= 0:
        points += [(2 + k * w + sign * math.sqrt(discriminant)) / (6 * k) for sign in (-1, 1)]
    best = max(value(s) for s in points if 0 <= s <= min(w, 1 / k))

    answer = solve(two_workers(work, 1, kappa, "symmetric-single-chunk"))

    assert math.isclose(answer["expected_work"], best, rel_tol=TOLERANCE)


@pytest.mark.parametrize("seed", range(30))
def test_algorithm_1(solve, seed):
    """The finite-n values of the three branches, horizon X = 1/kappa."""
    source = random.Random(3000 + seed)
    kappa, n = fraction(source), source.randint(1, 20)
    horizon = 1 / kappa
    work = horizon * fraction(source, 24, 10) / 2
    if work >= 2 * horizon * n / (n + 1):
        best = horizon * n / (n + 1)
    elif work <= horizon:
        best = work - work**3 * kappa**2 * (n + 1) * (n + 2) / (6 * n * n)
    elif n < 3:
        best = work - kappa * work**2 * (n + 1) / (4 * n)
    else:
        third, own, shared = n // 3, work - horizon, 2 * horizon - work
        h = shared / (2 * third)
        risk = 2 * third * own**2 + 2 * third * (2 * third + 1) * own * h
        risk += Fraction(2 * third * (2 * third + 1) * (2 * third + 2), 6) * h**2
        best = 2 * own - kappa * own**2 * (third + 1) / third + shared - kappa**2 * h * risk

    answer = solve(two_workers(work, n, kappa, "algorithm-1"))

    assert close(answer["expected_work"], best)
    assert solve(two_workers(work, n, kappa, "best"))["expected_work"] >= float(best) * (1 - TOLERANCE)


def test_a_hundred_thousand_workers(solve):
    source = random.Random(5000)
    workers = [tuple(round(source.uniform(0.5, 2), 3) for _ in range(3)) for _ in range(100_000)]
    answer = solve(heterogeneous([(s, bw * 1e5, k) for s, bw, k in workers], 1000, 'deployment = "optional"\n'))
    assert sorted(answer["order"]) == list(range(1, 100_001))
    assert math.isclose(sum(answer["shares"]), 1000, rel_tol=1e-9)
    products = [workers[i - 1][1] * workers[i - 1][2] for i in answer["order"]]
    assert all(a >= b * (1 - 1e-12) for a, b in zip(products, products[1:]))
    assert math.isclose(answer["expected_work"], 1000 - answer["loss_factor"] * 1e6, rel_tol=1e-12)


def all_equal(size):
    return [(1, 1, 1)] * size


def test_equal_workers(solve):
    answer = solve(heterogeneous(all_equal(5), "1/4"))
    loss = loss_in_order([(Fraction(1), Fraction(1), Fraction(1))] * 5)
    assert close(answer["loss_factor"], loss)
    assert close(answer["expected_work"], Fraction(1, 4) - loss / 16)


def test_no_work_and_plenty(solve):
    nothing = solve(heterogeneous(all_equal(2), 0))
    assert (nothing["expected_work"], nothing["deployed_work"], nothing["shares"]) == (0, 0, [0, 0])
    plenty = solve(heterogeneous(all_equal(2), "inf", 'deployment = "optional"\n'))
    assert close(plenty["expected_work"], Fraction(1, 5)) and close(plenty["deployed_work"], Fraction(2, 5))
    forced = solve(heterogeneous(all_equal(2), "1e30"))
    assert close(forced["expected_work"], Fraction(1, 8)) and close(forced["deployed_work"], 10**30)
    one = solve(one_worker("1e30", 3, 0, 1))
    assert close(one["expected_work"], Fraction(3, 8))


def worth(answer, workers, startup):
    """Exact expected work of the messages that `replicated` answers, from the definition."""
    sizes = [Fraction(size) for size in answer["chunk_sizes"]]
    lost = [Fraction(1)] * len(sizes)
    sent, free = Fraction(0), [Fraction(0)] * len(workers)
    for message in answer["messages"]:
        worker = message["worker"] - 1
        speed, bandwidth, kappa = workers[worker]
        sent += sum(sizes[chunk - 1] for chunk in message["chunks"]) / bandwidth
        free[worker] = max(free[worker], sent)
        for chunk in message["chunks"]:
            free[worker] += (sizes[chunk - 1] + startup) / speed
            lost[chunk - 1] *= min(Fraction(1), kappa * free[worker])
    return sum(size * (1 - risk) for size, risk in zip(sizes, lost))


@pytest.mark.parametrize("rounds", ["one", "several"])
@pytest.mark.parametrize("deployment", ["forced", "optional"])
@pytest.mark.parametrize("seed", range(6))
def test_replicated(solve, seed, deployment, rounds):
    source = random.Random(4000 + seed)
    workers = platform(source, (True, True, True), source.randint(1, 4))
    work = source.choice([Fraction(1, 2), Fraction(1), Fraction(3)]) / (2 * least_loss(workers))
    startup = source.choice([Fraction(0), work / 50])
    keys = f'deployment = "{deployment}"\n'

    answer = solve(
        heterogeneous(workers, work, keys + f'method = "replicated"\nstartup = "{startup}"\nrounds = "{rounds}"\n')
    )
    without = solve(heterogeneous(workers, work, keys))

    assert close(answer["expected_work"], worth(answer, workers, startup))
    assert answer["expected_work"] >= answer["expected_work_without_copies"] * (1 - TOLERANCE)
    if startup == 0:
        assert close(answer["expected_work_without_copies"], without["expected_work"])
    assert answer["exact"] is False
    deployed = sum(answer["chunk_sizes"])
    assert math.isclose(deployed, answer["deployed_work"], rel_tol=1e-12)
    assert deployed <= work * (1 + 1e-12)
    if deployment == "forced":
        assert math.isclose(deployed, work, rel_tol=1e-12)
    given = [(message["worker"], chunk) for message in answer["messages"] for chunk in message["chunks"]]
    assert len(given) == len(set(given))
    assert {chunk for _, chunk in given} == set(range(1, len(answer["chunk_sizes"]) + 1))
    if rounds == "one":
        assert len(answer["order"]) == len(set(answer["order"]))


def test_replicated_takes_any_risk(solve):
    text = heterogeneous(all_equal(2), 1, 'method = "replicated"\nchunks = 6\n').replace(
        "linear(kappa=1)", "weibull(shape=1/2, scale=2)", 1
    )
    answer = solve(text)
    assert 0 < answer["expected_work"] < 1
    assert answer["expected_work_without_copies"] is None


REFUSED = [
    (heterogeneous(all_equal(1), -1), "must not be negative"),
    (heterogeneous(all_equal(1), "inf"), "finite"),
    (heterogeneous([("1e-320", 2, 1), (1, 1, 1)], 1), "orders of magnitude"),
    (heterogeneous([("3e61", "5e-70", "6e84"), ("9e8", "9e71", "4e-23"), ("5e50", "8e29", "7e50")], 1), "magnitude"),
    (heterogeneous([("1e-308", "1e-308", "1e308")], 1), "overflows a double"),
    (heterogeneous([(1, 1, 0)], 1), "greater than 0"),
    (heterogeneous([(-1, 1, 1)], 1), "greater than 0"),
    (heterogeneous([("inf", 1, 1)], 1), "finite"),
    (heterogeneous(all_equal(1), 1, "startup = 0.1\n"), 'method = "replicated"'),
    (heterogeneous(all_equal(1), 1, 'method = "replicated"\norder = [1]\n'), "cannot be given"),
    (heterogeneous(all_equal(1), 1, 'method = "replicated"\nstartup = -1\n'), "not negative"),
    (heterogeneous(all_equal(1), 1, 'method = "replicated"\nchunks = 0\n'), "from 1 to 1000"),
    (heterogeneous(all_equal(1), 1, 'method = "replicated"\nrounds = "two"\n'), '"one" or "several"'),
    (heterogeneous(all_equal(1), "inf", 'method = "replicated"\n'), "finite"),
    (heterogeneous(all_equal(1), 1, 'method = "optimum"\n'), 'did you mean "optimal"'),
    (one_worker(1, 3, "inf", 1), "finite"),
    (one_worker("1/0", 3, 0, 1), "1/0"),
]


@pytest.mark.parametrize("text, message", REFUSED)
def test_wrong_problems_are_refused(refused, text, message):
    refused(text, message)
