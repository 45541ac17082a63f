"""coterie solve, problem = "return-messages"."""
import itertools
import json
import math
import pathlib
from fractions import Fraction

import pytest

CASES = json.loads((pathlib.Path(__file__).parent.parent / "data" / "return_messages.json").read_text())
FIGURE_3 = [(1, 1, 1), (1, 1, 1), (5, 5, 5)]
FIGURE_4 = [(7, 6, 7), (8, 5, 8), (12, 5, 12)]


def problem(workers, head='strategy = "opt-fifo"'):
    def number(value):
        return f'"{value}"' if isinstance(value, (str, Fraction)) else repr(value)

    tables = "".join(
        f"[[worker]]\nsend = {number(c)}\ncompute = {number(w)}\nreturn = {number(d)}\n" for c, w, d in workers)
    return f'problem = "return-messages"\n{head}\n{tables}'


def assert_fits(workers, answer, one_port=False):
    """Plays the schedule with the answer's shares and orders."""
    shares = answer["shares"]
    assert sorted(answer["send"]) == sorted(answer["return"])
    assert answer["throughput"] == pytest.approx(sum(shares), rel=1e-12)
    now, received = 0.0, {}
    for i in answer["send"]:
        now += shares[i - 1] * workers[i - 1][0]
        received[i] = now
    sent, now = now, 1.0
    for i in reversed(answer["return"]):
        now -= shares[i - 1] * workers[i - 1][2]
        assert received[i] + shares[i - 1] * workers[i - 1][1] <= now + 1e-12
    assert not one_port or sent <= now + 1e-12


@pytest.mark.parametrize("strategy, workers, expected", [
    ("opt-lifo", FIGURE_3, "61/135"),
    ("opt-fifo", FIGURE_3, "1/2"),
    ("best-pair", FIGURE_4, "38/499"),
    ("opt-fifo", FIGURE_4, "47/632"),
    ("opt-lifo", FIGURE_4, "271/4060"),
])
def test_figures_of_the_paper(solve, strategy, workers, expected):
    answer = solve(problem(workers, f'strategy = "{strategy}"'))

    assert answer["problem"] == "return-messages"
    assert answer["exact"] is True
    assert answer["throughput_exact"] == expected
    assert answer["throughput"] == pytest.approx(float(Fraction(expected)), rel=1e-15)
    assert_fits(workers, answer)


@pytest.mark.parametrize("written", ["0.30000000000000001", "0.333_333_333_333_333_333_3", "3.0000000000000000001e-1"])
def test_decimals_have_their_written_value(solve, written):
    exact = Fraction(written.replace("_", ""))
    head = 'problem = "return-messages"\nstrategy = "opt-lifo"\n'
    for text in (f"[[worker]]\nsend = 1\ncompute = {written} # as written\nreturn = 1\n",
                 f"worker = [{{send = 1, compute = {written}, return = 1}}]\n",
                 f'[[worker]]\nsend = 1\ncompute = "{exact}"\nreturn = 1\n'):
        assert solve(head + text)["throughput_exact"] == str(1 / (2 + exact))


def test_a_decimal_below_all_doubles_is_zero(solve):
    answer = solve('problem = "return-messages"\nstrategy = "opt-lifo"\n[[worker]]\nsend = 1\ncompute = 1e-390\nreturn = 1\n')
    assert answer["throughput_exact"] == "1/2"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
@pytest.mark.parametrize("ports", ["two", "one"])
def test_reference_cases(solve, case, ports):
    workers = list(zip(case["send"], case["compute"], case["return"]))
    numbers = [tuple(float(Fraction(x)) for x in worker) for worker in workers]
    for strategy, key in [("opt-fifo", "fifo"), ("opt-lifo", "lifo"), ("best-pair", "best")]:
        answer = solve(problem(workers, f'ports = "{ports}"\nstrategy = "{strategy}"'))

        assert answer["throughput_exact"] == case[f"{ports}_port"][key], strategy
        assert answer["exact"] is True
        assert_fits(numbers, answer, ports == "one")


def test_given_orders_are_solved_as_written(solve):
    answer = solve(problem(FIGURE_4, "send = [1, 2, 3]\nreturn = [2, 1, 3]"))
    assert answer["throughput_exact"] == "57/820"

    two = solve(problem(FIGURE_3, "send = [1, 2]\nreturn = [1, 2]"))
    assert two["throughput_exact"] == "1/2"
    assert two["shares"] == [0.25, 0.25, 0]

    best = max(Fraction(solve(problem(FIGURE_4, f"send = {list(s)}\nreturn = {list(r)}"))["throughput_exact"])
               for s in itertools.permutations([1, 2, 3]) for r in itertools.permutations([1, 2, 3]))
    assert best == Fraction(38, 499)


def test_only_the_enrolled_are_in_the_orders(solve):
    answer = solve(problem(FIGURE_3))

    assert answer["send"] == answer["return"] == [1, 2]
    assert answer["shares"] == [0.25, 0.25, 0]
    assert answer["shares_exact"] == ["1/4", "1/4", "0"]


def test_nobody_without_a_share_is_in_the_orders(solve):
    """Where a worker computes in no time, the closed forms leave nothing for those served after it."""
    for strategy in ("opt-fifo", "opt-lifo", "best-pair"):
        answer = solve(problem([(0, 0, 1), (0, 1, 1)], f'strategy = "{strategy}"'))
        assert answer["throughput_exact"] == "1"
        assert answer["send"] == answer["return"] == [1]


def test_whoever_gets_hardly_anything_is_in_the_orders(solve):
    """In LIFO each share is 1 / 2.8 of the one before: behind the 725th worker they are too small for a double."""
    answer = solve(problem([(1, 1, "0.8")] * 1000, 'strategy = "opt-lifo"'))
    assert answer["shares"][-1] == 0 and answer["exact"] is True
    assert answer["send"] == list(range(1, 1001)) and answer["return"] == answer["send"][::-1]
    idle = solve(problem([(1, 1, "0.8")] * 100 + [(2, 0, "1.6")] + [(3, 1, "2.4")] * 100, 'strategy = "opt-lifo"'))
    assert idle["send"] == list(range(1, 102))


def test_heuristics_enrol_everyone(solve):
    for strategy, order in [("fifo-inc-c", [1, 2, 3]), ("fifo-inc-w", [2, 3, 1])]:
        answer = solve(problem(FIGURE_4, f'strategy = "{strategy}"'))
        assert answer["send"] == answer["return"] == order
        assert_fits(FIGURE_4, answer)
    assert Fraction(solve(problem(FIGURE_3, 'strategy = "fifo-inc-c"'))["throughput_exact"]) < Fraction(1, 2)


def test_numbers_are_taken_at_their_written_value(solve):
    decimal = solve(problem([(0.1, 0.2, 0.08), (0.3, 0.1, 0.24)]))
    fraction = solve(problem([("1/10", "1/5", "2/25"), ("3/10", "1/10", "6/25")]))

    assert decimal == fraction


def test_many_workers_are_solved_in_doubles(solve):
    workers = [(1 + (7 * i % 11) / 8, 20 + (5 * i % 13), (1 + (7 * i % 11) / 8) / 2) for i in range(300)]
    for ports in ["two", "one"]:
        answer = solve(problem(workers, f'ports = "{ports}"\nstrategy = "opt-fifo"'))
        assert answer["exact"] is True
        assert "throughput_exact" not in answer
        assert_fits(workers, answer, ports == "one")
    order = list(range(1, 301))
    assert_fits(workers, solve(problem(workers, f"send = {order}\nreturn = {order[::-1]}")))


def test_many_workers_in_given_orders_are_not_called_exact(solve):
    """Slow workers beside a fast one each add less than CLP's tolerance."""
    for n in (20, 40, 60):
        workers = [(0, 1, 0)] + [(0, 2e9, 0)] * (n - 1)
        answer = solve(problem(workers, f"send = {list(range(1, n + 1))}\nreturn = {list(range(1, n + 1))}"))
        best = 1 + (n - 1) / 2e9
        assert answer["exact"] is (n == 20)
        assert answer["throughput"] == pytest.approx(best, rel=n * {20: 1e-16, 40: 1e-11, 60: 1e-9}[n])
        assert ("by CLP" in answer["method"]) is (n == 60) and ("in doubles" in answer["method"]) is (n == 40)


@pytest.mark.parametrize("scale", ["1e-170", "1e-5", "1e170"])
def test_no_unit_of_time_makes_unlike_results_proportional(solve, scale):
    times = [(2, 3, 1)] + [(i, 3, 10 + i * i) for i in (1, 3, 4, 5, 6, 7, 8, 9)]
    plain = solve(problem(times))
    scaled = solve(problem([tuple(f"{time}{scale[1:]}" for time in worker) for worker in times]))
    assert plain["exact"] is scaled["exact"] is False and scaled["method"] == plain["method"]
    assert scaled["throughput"] * float(scale) == pytest.approx(plain["throughput"], rel=1e-9)


def test_a_longer_lifespan_offers_no_less(solve):
    times = [(0, 1, 0), (0, 100, 0), (0, 25, 0)]
    risks = ["linear", "linear(kappa=2.13)", "linear(kappa=0.05)"]
    for lifespan in (0.52, 10531):
        text = f'problem = "return-messages"\nlifespan = {lifespan}\nsend = [1, 2, 3]\nreturn = [1, 2, 3]\n' + "".join(
            f'[[worker]]\nsend = {c}\ncompute = {w}\nreturn = {d}\nrisk = "{risk}"\n'
            for (c, w, d), risk in zip(times, risks))
        answer = solve(text)
        # 1.04 L - 1.002 L^2 from 1 / 2.13 to 1.
        assert answer["best_lifespan"] == pytest.approx(0.52 / 1.002, rel=1e-6)
        assert answer["best_lifespan_expected_work"] == pytest.approx(0.52 ** 2 / 1.002, rel=1e-12)


def test_a_search_says_that_it_is_one(solve):
    workers = [(1 + i % 3, 5 + i, 1 + i % 4) for i in range(10)]
    answer = solve(problem(workers, 'strategy = "best-pair"'))

    assert answer["exact"] is False
    assert "not proven" in answer["method"]
    assert_fits(workers, answer)
    assert solve(problem(workers))["exact"] is False  # d is not z c: no theorem for FIFO


def test_sharings_that_are_not_tried_are_not_called_worse(solve):
    """Worker 1 first, with a share of 0.197, has the greatest throughput, too, and returns 0.645 in all."""
    answer = solve('problem = "return-messages"\nports = "two"\nlifespan = 1\nstrategy = "best-expected"\n'
                   '[[worker]]\nsend = 0.2\ncompute = 0.3\nreturn = 0.5\nrisk = "linear"\n'
                   '[[worker]]\nsend = 0\ncompute = 0\nreturn = 1\nrisk = "exponential(rate=0.5)"\n')
    assert answer["expected_returned_work"] == pytest.approx(math.exp(-0.5), rel=1e-12)
    assert answer["exact"] is False


@pytest.mark.parametrize("text, message", [
    ('problem = "return-messages"\nstrategy = "opt-fifo"\n', "worker"),
    ('problem = "return-messages"\nstrategy = "opt-fifo"\nworker = []\n', "worker"),
    (problem([(1, -2, 1)]), "zero or more"),
    (problem([(0, 0, 0)]), "infinite"),
    (problem([("inf", 1, 1)]), "finite"),
    (problem([("1/0", 1, 1)]), "fraction"),
    (problem(FIGURE_3, 'strategy = "opt-fif"'), 'did you mean "opt-fifo"'),
    (problem(FIGURE_3, ""), '"strategy" is missing'),
    (problem(FIGURE_3, 'ports = "three"\nstrategy = "opt-fifo"'), '"two" or "one"'),
    (problem(FIGURE_3, 'strategy = "opt-fifo"\nsend = [1, 2, 3]'), "exclude each other"),
    (problem(FIGURE_3, "send = [1, 2, 3]"), '"return" is missing'),
    (problem(FIGURE_3, "send = [1, 2, 2]\nreturn = [1, 2, 3]"), "twice"),
    (problem(FIGURE_3, "send = [0, 1, 2]\nreturn = [1, 2, 3]"), "numbered from 1 to 3"),
    (problem(FIGURE_3, "send = [1, 2, 4]\nreturn = [1, 2, 3]"), "numbered from 1 to 3"),
    (problem(FIGURE_3, "send = [1, 2]\nreturn = [1, 3]"), "same workers"),
    (problem(FIGURE_3, "send = [1, 2, 3]\nreturn = [1, 2]"), "same workers"),
    (problem(FIGURE_3, "send = []\nreturn = []"), "at least one"),
    (problem(FIGURE_3, "send = [1.5]\nreturn = [1]"), "whole number"),
    (problem(FIGURE_3, 'strategy = "opt-fifo"\nport = "one"'), 'did you mean "ports"'),
    (problem(FIGURE_3) + "speed = 2\n", 'unknown key "speed"'),
    (problem([(0, 0, 1), (1, 1, 1)], 'strategy = "fifo-inc-c"'), "worker 1: send and compute times are both zero"),
])
def test_wrong_input_is_refused(refused, text, message):
    refused(text, message)
