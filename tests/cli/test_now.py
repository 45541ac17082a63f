"""coterie solve, problem = "now"."""
import itertools
import json
import pathlib
from fractions import Fraction

import pytest

DATA = pathlib.Path(__file__).parent.parent / "data"
CASES = json.loads((DATA / "now.json").read_text())
CROSSOVER = json.loads((DATA / "now_crossover.json").read_text())
WORKERS = [{"work_time": 1}, {"work_time": 2}, {"work_time": 3}]
FIFO = 'protocol = "fifo"\n'
NETWORK = "delta = 1\nlatency = 0.2\ntransit = 0.1\npackaging = 0.1\n"


def problem(head, workers=WORKERS):
    tables = "".join("[[worker]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in worker.items())
                     for worker in workers)
    return f'problem = "now"\n{head}\n{tables}'


def case_problem(case, head):
    workers = [dict(work_time=rho, packaging=pi, unpackaging=pibar, setup_to=to, setup_from=back)
               for rho, pi, pibar, to, back in
               zip(case["rho"], case["pi"], case["pibar"], case["sigma0"], case["sigma1"])]
    network = "".join(f'{key} = "{case[name]}"\n' for key, name in
                      [("delta", "delta"), ("latency", "lam"), ("transit", "tau"), ("packaging", "pi0")])
    return problem(network + head, workers)


@pytest.mark.parametrize("case", CASES)
def test_reference_cases(solve, case):
    for protocol in case["protocols"]:
        orders = f'start = {protocol["start"]}\nfinish = {protocol["finish"]}\n'
        answer = solve(case_problem(case, f'lifespan = "{case["L"]}"\n{orders}'))

        assert answer["problem"] == "now"
        assert answer["exact"] is True
        assert answer["work_exact"] == protocol["W"]
        assert answer["shares_exact"] == protocol["w"]
        assert answer["feasible"] is protocol["feasible"]
        assert answer["work"] == pytest.approx(answer["slope"] * float(case["L"]) - answer["offset"], rel=1e-12)
        if protocol["name"] in ("FIFO", "LIFO"):
            named = solve(case_problem(case, f'lifespan = {case["L"]}\nprotocol = "{protocol["name"].lower()}"'))
            assert named == answer

        rental = solve(case_problem(case, f'work = "{protocol["W"]}"\n{orders}'))
        assert rental["lifespan_exact"] == case["L"]
        assert rental["shares_exact"] == protocol["w"]


@pytest.mark.parametrize("cell", [cell for cell in CROSSOVER if cell["n"] == 8],
                         ids=lambda cell: f"{cell['rates']}-{cell['grain']}-{cell['pipelined']}")
def test_crossover_of_fifo_and_lifo(solve, cell):
    """Rounded input: slopes agree to 3e-12, so the crossover needs the exact fractions of the answers."""
    n, grain = cell["n"], Fraction(str(cell["grain"]))
    rates = {"1": lambda i: Fraction(1), "(1+2^(i-n))/2": lambda i: (1 + Fraction(2) ** (i - n)) / 2,
             "1-1/(i+1)": lambda i: 1 - Fraction(1, i + 1), "1-2^-i": lambda i: 1 - Fraction(1, 2 ** i)}[cell["rates"]]
    micro = Fraction(1, 10 ** 6) / grain
    network = "".join(f'{key} = "{value}"\n' for key, value in [
        ("delta", 1), ("latency", 150 * micro), ("transit", (1 if cell["pipelined"] else 150) * micro),
        ("packaging", 10 * micro)])
    workers = [dict(work_time=str(rates(i)), setup_to=str(300 * micro), setup_from=str(300 * micro))
               for i in range(1, n + 1)]

    fifo, lifo = (solve(problem(network + f'lifespan = 1000\nprotocol = "{name}"', workers)) for name in ("fifo", "lifo"))

    slope = Fraction(fifo["slope_exact"]) - Fraction(lifo["slope_exact"])
    offset = Fraction(fifo["offset_exact"]) - Fraction(lifo["offset_exact"])
    assert float(offset / slope * grain) == pytest.approx(cell["crossover"], rel=1e-9)
    assert Fraction(fifo["overtakes"]["lifo_exact"]) == offset / slope and fifo["overtakes"]["fifo"] is None
    assert lifo["overtakes"] == {"fifo": None, "lifo": None}
    assert fifo["slope"] == pytest.approx(cell["slope_fifo"], rel=1e-14)


def test_of_equal_slopes_the_smaller_offset_is_ahead_from_the_start(solve):
    """Slopes 1.1 both, offsets 3.3 (FIFO) and 2.4."""
    head = 'packaging = 0\ntransit = 0\nlatency = 1\ndelta = 1\nlifespan = 100\nprotocol = "{}"\n'
    fifo, lifo = (solve(problem(head.format(name), [{"work_time": 1}, {"work_time": 10}])) for name in ("fifo", "lifo"))
    assert fifo["slope"] == lifo["slope"] and lifo["offset"] < fifo["offset"]
    assert lifo["overtakes"]["fifo"] == 0 and lifo["overtakes"]["lifo"] is None
    assert fifo["overtakes"] == {"fifo": None, "lifo": None}


def test_the_least_lifespan_is_the_shortest_feasible_one(solve):
    """Of some orders none is long enough: a share is negative in all of them."""
    workers = [{"work_time": 10, "setup_to": "1/3"}, {"work_time": 10}, {"work_time": "1/10", "setup_from": "1/7"}]
    head = 'delta = 3\nlatency = 5\ntransit = 5\npackaging = 1\nlifespan = "{}"\nstart = [3, 1, 2]\nfinish = {}\n'
    none = 0
    for order in itertools.permutations([1, 2, 3]):
        def feasible(lifespan):
            return solve(problem(head.format(lifespan, list(order)), workers))["feasible"]

        answer = solve(problem(head.format(1, list(order)), workers))
        if answer["least_lifespan"] is None:
            none += 1
            assert not any(map(feasible, (1, 1000, 10**9)))
        else:
            least = Fraction(answer["least_lifespan_exact"])
            assert feasible(least) and feasible(10**9) and not feasible(least * Fraction(10**9 - 1, 10**9))
    assert none in range(1, 6)


@pytest.mark.parametrize("protocol", ["fifo", "lifo"])
def test_capacity_one_is_the_nonpipelined_network_of_the_deck(solve, protocol):
    """Latency 150 us and 1 us between packets, but one packet in transit: the deck's second network, 150 us a packet."""
    micro = Fraction(1, 10 ** 6)
    workers = [dict(work_time=1, setup_to=str(300 * micro), setup_from=str(300 * micro)) for _ in range(8)]

    def network(transit, more=""):
        return (f'delta = 1\nlatency = "{150 * micro}"\ntransit = "{transit * micro}"\npackaging = "{10 * micro}"\n'
                f'lifespan = 60\nprotocol = "{protocol}"\n{more}')

    alone = solve(problem(network(1, "capacity = 1\n"), workers))
    slow = solve(problem(network(150), workers))
    assert alone == slow
    assert alone["network"]["packets_in_transit"] == 1
    fast = solve(problem(network(1), workers))
    assert fast == solve(problem(network(1, "capacity = 150\n"), workers))
    assert fast["network"]["packets_in_transit"] == 150
    half = solve(problem(network(1, "capacity = 75\n"), workers))
    assert half["network"]["transit"] == pytest.approx(2e-6) and slow["work"] < half["work"] < fast["work"]


def test_the_network_feeds_so_many_workstations(solve):
    workers = [{"work_time": 1}] * 20
    head = "delta = 1\nlatency = 0.05\ntransit = 0.05\npackaging = 0.1\nlifespan = 100\n"
    fifo = solve(problem(head + FIFO, workers))
    assert fifo["port_load"] > 1
    fed = fifo["network"]["workers_fed"]
    assert solve(problem(head + FIFO, workers[:fed]))["port_load"] <= 1
    assert solve(problem(head + FIFO, workers[:fed + 1]))["port_load"] > 1
    assert solve(problem(head + FIFO, workers[:fed]))["work"] <= fifo["network"]["greatest_work"] == pytest.approx(500)
    assert solve(problem(head + 'protocol = "lifo"\n', workers))["network"]["workers_fed"] == 20


def test_who_gets_no_work_at_all_is_fed(solve):
    """The lifespan in which a share is exactly 0: an exact answer does not contradict itself."""
    for numerator in range(1, 12):
        workers = [{"work_time": 1, "setup_to": f"{numerator}/3"}, {"work_time": f"{numerator}/7", "setup_from": "2/7"}]
        head = 'protocol = "lifo"\ndelta = 1\nlatency = "1/7"\ntransit = "1/13"\npackaging = "1/11"\nlifespan = "{}"\n'
        one, two = ([Fraction(share) for share in solve(problem(head.format(lifespan), workers))["shares_exact"]]
                    for lifespan in (1, 2))
        least = max(1 - a / (b - a) for a, b in zip(one, two))
        answer = solve(problem(head.format(least), workers))
        assert 0 in answer["shares"] and answer["feasible"] and answer["port_load"] <= 1
        assert Fraction(answer["least_lifespan_exact"]) == least
        assert answer["network"]["fits"] and answer["network"]["workers_fed"] == 2, answer


def test_a_load_that_is_hardly_too_great_feeds_fewer(solve):
    head = 'delta = 1\nlatency = 0\ntransit = "1/13"\npackaging = "1/11"\nlifespan = "888907035245/34359738368"\n'
    answer = solve(problem(head + FIFO, [{"work_time": 1}] * 12))
    assert 1 < answer["port_load"] < 1 + 1e-12 and not answer["network"]["fits"]
    assert answer["network"]["workers_fed"] == 11
    more = solve(problem(head + FIFO, [{"work_time": 1}] * 13))
    assert more["port_load"] > 1.03 and more["network"]["workers_fed"] == 11


@pytest.mark.parametrize("workers, latency, delta, what", [
    (1, 0, 1, "the work of worker 1"), (2, 1, 1, "the work of worker 1"), (1, 9.5, 0, "the results of worker 1")])
def test_no_message_takes_negative_time(refused, workers, latency, delta, what):
    """Further packets that take longer than the first one: a message of less than a packet has no time of its own."""
    head = f"delta = {delta}\nlatency = {latency}\ntransit = 10\npackaging = 0\nlifespan = {0.5 if delta else 40}\n"
    refused(problem(head + FIFO, [{"work_time": 1}] * workers), what)


def test_many_workstations(solve):
    workers = [{"work_time": 1 + i / 100} for i in range(200)]
    network = "delta = 1\nlatency = 0.00002\ntransit = 0.00001\npackaging = 0.00001\n"
    answer = solve(problem(network + 'protocol = "fifo"\nlifespan = 10', workers))

    assert answer["feasible"] is True
    assert "work_exact" not in answer
    assert answer["work"] == pytest.approx(sum(answer["shares"]), rel=1e-12)


def test_short_lifespan_is_not_feasible(solve):
    answer = solve(problem(NETWORK + 'protocol = "fifo"\nlifespan = "1/4"'))

    assert answer["feasible"] is False
    assert min(answer["shares"]) < 0


def test_unwritten_costs(solve):
    """Packaging is work_time times pi_0 and set-ups are free, unless written."""
    full = [{"work_time": w, "packaging": f"{w}/10", "unpackaging": f"{w}/10", "setup_to": 0, "setup_from": 0}
            for w in (1, 2, 3)]
    head = NETWORK + 'protocol = "lifo"\nlifespan = 20'

    assert solve(problem(head)) == solve(problem(head, full))
    free = [dict(worker, packaging=0) for worker in full]
    assert solve(problem(head, free))["work"] > solve(problem(head, full))["work"]




@pytest.mark.parametrize("text, message", [
    (problem(NETWORK + FIFO), '"lifespan" is missing'),
    (problem(NETWORK + FIFO + "lifespan = 10\nwork = 10"), "exclude each other"),
    (problem(NETWORK + FIFO + "lifespan = 0"), "must be positive"),
    (problem(NETWORK + FIFO + "work = -1"), "must be positive"),
    (problem(NETWORK + "lifespan = 10"), '"protocol" is missing'),
    (problem(NETWORK + 'lifespan = 10\nprotocol = "filo"'), '"fifo" or "lifo"'),
    (problem(NETWORK + FIFO + "lifespan = 10\nstart = [1, 2, 3]"), "exclude each other"),
    (problem(NETWORK + "lifespan = 10\nstart = [1, 2, 3]"), '"finish" is missing'),
    (problem(NETWORK + "lifespan = 10\nstart = [1, 2]\nfinish = [1, 2]"), "each of the 3 workers once"),
    (problem(NETWORK + "lifespan = 10\nstart = [1, 2, 2]\nfinish = [1, 2, 3]"), "twice"),
    (problem(NETWORK + "lifespan = 10\nstart = [1, 2, 3]\nfinish = [1, 2, 4]"), "numbered from 1 to 3"),
    (problem(NETWORK + FIFO + "lifespan = 10", []), '"worker" is missing'),
    (problem(NETWORK + FIFO + "lifespan = 10", [{"work_time": 0}]), "must be positive"),
    (problem(NETWORK + FIFO + "lifespan = 10", [{"work_time": -1}]), "zero or more"),
    (problem(NETWORK + FIFO + "lifespan = 10", [{}]), '"work_time" is missing'),
    (problem(NETWORK + FIFO + "lifespan = 10", [{"work_time": 1, "setup": 1}]), 'unknown key "setup"'),
    (problem(NETWORK.replace("0.2", "-0.2") + FIFO + "lifespan = 10"), "zero or more"),
    (problem(NETWORK.replace("delta = 1\n", "") + FIFO + "lifespan = 10"), '"delta" is missing'),
    (problem(NETWORK + FIFO + "lifespan = 10\ncapacity = 0"), "at least 1"),
    (problem(NETWORK + FIFO + "lifespan = 10\ncapacity = 1.5"), "capacity"),
    (problem(NETWORK + FIFO + "lifespan = 10\nlife = 3"), 'unknown key "life"'),
])
def test_wrong_input_is_refused(refused, text, message):
    refused(text, message)
