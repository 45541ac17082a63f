"""`coterie solve` against the reference values of worksharing-2013 (Sections 3 and 4) and heterogeneous-2011."""

import json
import math
import pathlib
from fractions import Fraction

import pytest

DATA = pathlib.Path(__file__).parent.parent / "data" / "theory.json"
CASES = {case["id"]: case for case in json.loads(DATA.read_text())["cases"]}
TOLERANCE = 1e-12


def ids(*starts):
    return [name for name in CASES if name.startswith(starts)]


def number(text):
    return float(Fraction(str(text)))


def quoted(value):
    return f'"{value}"'


def close(value, expected, tolerance=TOLERANCE):
    expected = number(expected)
    return math.isclose(value, expected, rel_tol=tolerance, abs_tol=1e-300 if expected else 1e-15)


def all_close(values, expected, tolerance=TOLERANCE):
    return len(values) == len(expected) and all(close(v, e, tolerance) for v, e in zip(values, expected))


def one_worker(inputs, risk, extra=""):
    work = inputs["W"]
    chunks = inputs.get("n", inputs.get("n_max"))
    return (
        f'problem = "one-worker"\nwork = {quoted(work)}\nchunks = {chunks}\n'
        f'startup = {quoted(inputs.get("eps", 0))}\nrisk = "{risk}"\n{extra}'
    )


@pytest.mark.parametrize("name", ids("s001-thm2", "s001-thm4"))
def test_one_worker_linear(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    answer = solve(one_worker(inputs, f"linear(kappa={inputs['kappa']})"))
    assert close(answer["expected_work"], outputs["E"])
    assert close(answer["deployed_work"], outputs["W_dpl"])
    chunks = outputs.get("chunks") or [outputs["chunk"]] * inputs["n"] if "chunk" in outputs else outputs["chunks"]
    assert all_close(answer["chunk_sizes"], chunks)
    assert answer["exact"] is True


def risk_text(text):
    """The reference's "weibull shape=1/2 scale=1" as a risk expression."""
    name, *arguments = text.replace("lam=", "rate=").split()
    return f"{name}({', '.join(arguments)})"


@pytest.mark.parametrize("name", ids("s001-thm3", "s001-thm6"))
def test_theorems_3_and_6(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    risk = risk_text(inputs["risk"])
    one = outputs.get("E_one") or (outputs["E"] if "thm3" in name else None)
    two = outputs.get("E_two") or (outputs["E"] if "thm6" in name else None)
    if one is not None:
        answer = solve(one_worker(inputs, risk, 'shape = "equal-chunks"\n'))
        assert close(answer["expected_work"], one)
        assert close(answer["expected_work_bound"], outputs.get("limit_one") or outputs["limit"])
    if two is not None:
        answer = solve(two_workers(inputs, risk, "mirrored"))
        assert close(answer["expected_work"], two)
        assert close(answer["expected_work_limit"], outputs.get("limit_two") or outputs["limit"])


def two_workers(inputs, risk, shape):
    return (
        f'problem = "two-workers"\nwork = {quoted(inputs["W"])}\nchunks = {inputs.get("n", 1)}\nstartup = 0\n'
        f'risk = "{risk}"\nshape = "{shape}"\n'
    )


def value_of_two(answer, kappa):
    """Expected work of the printed intervals, from the definition: integrate 1 - product over the workload."""
    finish = []
    for worker in (answer["worker_1"], answer["worker_2"]):
        time, chunks = 0.0, []
        for begin, end in worker:
            time += end - begin
            chunks.append((begin, end, min(1.0, kappa * time)))
        finish.append(chunks)
    cuts = sorted({x for chunks in finish for begin, end, _ in chunks for x in (begin, end)})
    total = 0.0
    for begin, end in zip(cuts, cuts[1:]):
        lost = 1.0
        for chunks in finish:
            for b, e, risk in chunks:
                if b <= (begin + end) / 2 < e:
                    lost *= risk
        total += (end - begin) * (1 - lost)
    return total


@pytest.mark.parametrize("name", ids("s001-thm7"))
def test_theorem_7(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    answer = solve(two_workers(inputs, f"linear(kappa={inputs['kappa']})", "symmetric-single-chunk"))
    assert close(answer["expected_work"], outputs["E"])
    (one,), (two,) = answer["worker_1"], answer["worker_2"]
    assert close(one[1] - one[0], outputs["s_each"])
    assert close(two[1] - two[0], outputs["s_each"])
    assert value_of_two(answer, number(inputs["kappa"])) == pytest.approx(answer["expected_work"], rel=1e-12)


@pytest.mark.parametrize("name", ids("s001-alg1", "s001-2w-opt"))
def test_two_workers(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    kappa = number(inputs["kappa"])
    risk = f"linear(kappa={inputs['kappa']})"
    best = solve(two_workers(inputs, risk, "best"))
    assert close(best["expected_work"], outputs.get("hybrid_E") or outputs["E_hybrid"], 1e-11)  # printed to 12 digits
    exclusive = int(outputs.get("hybrid_e", outputs.get("e")))
    amount = number(outputs.get("hybrid_A") or outputs["A"])
    assert best["worker_1"][exclusive - 1][1] == pytest.approx(amount, rel=1e-11)
    assert value_of_two(best, kappa) == pytest.approx(best["expected_work"], rel=1e-12)
    if "E" not in outputs:
        return
    corrected = solve(two_workers(inputs, risk, "algorithm-1"))
    assert value_of_two(corrected, kappa) == pytest.approx(corrected["expected_work"], rel=1e-12)
    n = inputs["n"]
    if kappa * number(inputs["W"]) >= 2 * n / (n + 1):  # Theorem 8 corrected: errata A1, A2
        assert close(corrected["expected_work"], Fraction(n, n + 1) / Fraction(inputs["kappa"]))
        assert corrected["exact"] is True
    else:
        assert close(corrected["expected_work"], outputs["E"])
    if "printed" not in CASES[name]["note"]:
        printed = solve(two_workers(inputs, risk, "printed-algorithm-1"))
        assert close(printed["expected_work"], outputs["E"])


def heterogeneous(workers, work, extra=""):
    text = f'problem = "heterogeneous"\nwork = "{work}"\n{extra}'
    for speed, bandwidth, kappa in workers:
        bandwidth = "inf" if bandwidth == "inf" else quoted(bandwidth)
        text += f'[[worker]]\nspeed = "{speed}"\nbandwidth = {bandwidth}\nrisk = "linear(kappa={kappa})"\n'
    return text


def platform_of(inputs):
    """Workers (speed, bandwidth, kappa) of a reference case; kappa = 1 where it gives x = kappa/s and z = kappa/bw."""
    if "x" in inputs:
        xs = inputs["x"] if isinstance(inputs["x"], list) else [inputs["x"]] * inputs["p"]
        link = 1 / Fraction(inputs["z"]) if "z" in inputs else "inf"
        return [(1 / Fraction(x), link, 1) for x in xs]
    lists = [inputs["s"], inputs["bw"], inputs["kappa"]]
    size = max(len(values) for values in lists if isinstance(values, list))
    return list(zip(*(values if isinstance(values, list) else [values] * size for values in lists)))


@pytest.mark.parametrize("name", ids("s000-thm", "s000-gen", "s000-forced"))
def test_heterogeneous(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    deployment = "optional" if "optional" in CASES[name]["ref"] else "forced"
    workers = platform_of(inputs)
    answer = solve(heterogeneous(workers, inputs["W"], f'deployment = "{deployment}"\n'))
    assert close(answer["expected_work"], outputs["E"])
    assert answer["exact"] is True
    if "f" in outputs:
        assert close(answer["loss_factor"], outputs["f"])
    deployed = Fraction(outputs.get("D", inputs["W"]))
    assert close(answer["deployed_work"], deployed)
    if "alpha" in outputs:
        assert all_close(answer["shares"], [Fraction(a) * deployed for a in outputs["alpha"]])
    if "chunks" in outputs:
        assert all_close(answer["shares"], outputs["chunks"])
    order = outputs.get("order") or (outputs["best_order"].split(",") if "best_order" in outputs else None)
    if order:
        assert answer["order"] == [int(i) for i in order]
    if "printed_f" in outputs:
        printed = solve(heterogeneous(workers, inputs["W"], 'method = "printed-theorem-4"\n'))
        assert close(printed["loss_factor"], outputs["printed_f"])
        assert all_close(printed["shares"], [Fraction(a) * deployed for a in outputs["printed_alpha"]])
        assert printed["exact"] is False


@pytest.mark.parametrize("name", ids("s000-54"))
def test_two_workers_in_imposed_order(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    workers = platform_of(inputs)
    work = Fraction(1, 100)
    answer = solve(heterogeneous(workers, work, "order = [1, 2]\n"))
    assert close(answer["loss_factor"], outputs["f"])
    assert close(answer["shares"][0], Fraction(outputs["Y_over_W"]) * work)
    assert answer["order"] == [1, 2]
    best = solve(heterogeneous(workers, work))
    assert best["order"] == [int(i) for i in outputs["best_order"]]
    assert close(best["loss_factor"], outputs["f_best_order"])


@pytest.mark.parametrize("name", ids("gr-exp", "gr-weib"))
def test_one_worker_any_risk(solve, name):
    inputs, outputs = CASES[name]["inputs"], CASES[name]["outputs"]
    if inputs["risk"] == "exponential":
        risk = f"exponential(rate={inputs['lam']})"
    else:
        risk = f"weibull(shape={inputs['shape']}, scale={inputs['scale']})"
    answer = solve(one_worker(inputs, risk))
    assert close(answer["expected_work"], outputs["E"])
    assert close(answer["deployed_work"], outputs["deployed"])
    assert len(answer["chunk_sizes"]) == outputs["m"]
    for size, expected in zip(answer["chunk_sizes"], outputs["chunks"]):
        assert abs(size - float(expected)) <= 1e-12 * answer["deployed_work"]


GIVEN = 'problem = "two-workers"\nwork = 1\nrisk = "linear"\nshape = "given"\n'


def test_given_chunks_are_evaluated_and_brought_into_the_shape_of_theorem_5(solve):
    answer = solve(GIVEN + "worker_1 = [[0, 0.4], [0.3, 0.6]]\nworker_2 = [[0, 0.3], [0.7, 1.0]]\n")
    # Worker 1 ends at 0.4 and 0.7, worker 2 at 0.3 and 0.6.
    value = 0.3 * (1 - 0.4 * 0.3) + 0.1 * (1 - 0.4) + 0.2 * (1 - 0.7) + 0.3 * (1 - 0.6)
    assert math.isclose(answer["expected_work"], value, rel_tol=1e-12)
    assert answer["exact"] is False
    assert answer["theorem_5"] == {"maximal_deployment": False, "local_first": False, "mirrored": True}
    improved = answer["improved"]
    assert all(improved["theorem_5"].values())
    assert math.isclose(improved["expected_work"], value_of_two(improved, 1), rel_tol=1e-12)
    # 0.4 at 0.4, 0.2 at 0.6 (what it ran again is left out); 0.3 at 0.3, 0.3 at 0.6; the workload is 1: 0.2 is shared.
    assert math.isclose(improved["expected_work"], 0.4 * 0.6 + 0.3 * 0.7 + 0.2 * (1 - 0.36) + 0.1 * 0.4, rel_tol=1e-12)
    assert improved["expected_work"] > answer["expected_work"]


def test_theorem_1_bounds_the_other_initiation_model(solve):
    head = 'problem = "one-worker"\nwork = 1\nchunks = 4\nrisk = "linear"\n'
    free = solve(head + "startup = 0\ncharged_startup = 0.02\n")
    charged = solve(head + "startup = 0.02\n")
    bounds = free["theorem_1"]
    assert (bounds["initiation"], bounds["startup"]) == ("charged", 0.02)
    assert math.isclose(bounds["at_least"], free["expected_work"] - 4 * 0.02)
    assert bounds["at_most"] == free["expected_work"]
    assert bounds["at_least"] <= charged["expected_work"] <= bounds["at_most"]
    bounds = charged["theorem_1"]
    assert (bounds["initiation"], bounds["startup"]) == ("free", 0)
    assert bounds["at_least"] == charged["expected_work"]
    assert math.isclose(bounds["at_most"], charged["expected_work"] + 4 * 0.02)
    # Without a limit to the chunks Theorem 1 has no n, and equal chunks are no optimum: a bound of its own holds.
    unlimited = solve(head.replace("chunks = 4\n", "") + "startup = 0.02\n")["theorem_1"]
    equal = solve(head + 'startup = 0.02\nshape = "equal-chunks"\n')["theorem_1"]
    assert unlimited["at_most"] == equal["at_most"] == 0.5
    assert free["theorem_1"]["lost_at_most_per_startup"] == 4
    assert solve(head + "startup = 0\n")["theorem_1"]["at_least"] is None


def test_theorem_1_counts_the_chunks_of_both_workers(solve):
    """Errata B6: a worker has at most 3 chunks, both together 6; mirrored ones are 3 in all."""
    head = 'problem = "two-workers"\nwork = {}\nchunks = 3\nrisk = "linear"\n'
    apart = solve(head.format(5) + "charged_startup = 0.01\n")
    assert apart["exact"] and apart["theorem_1"]["lost_at_most_per_startup"] == 6
    assert math.isclose(apart["theorem_1"]["at_least"], 0.75 - 0.06)
    mirrored = solve(head.format(0.5) + 'shape = "mirrored"\ncharged_startup = 0.01\n')
    assert mirrored["theorem_1"]["lost_at_most_per_startup"] == 3
    assert mirrored["theorem_1"]["at_most"] == mirrored["expected_work_bound"] > mirrored["expected_work"]
    for answer, work in ((apart, 5), (mirrored, 0.5)):
        charged = solve(head.format(work) + "startup = 0.01\n")
        assert answer["theorem_1"]["at_least"] <= charged["expected_work"] <= answer["theorem_1"]["at_most"]


def test_two_workers_with_a_start_up_cost(solve):
    answer = solve('problem = "two-workers"\nwork = 0.8\nstartup = 0.01\nrisk = "linear"\n')
    assert not answer["exact"] and all(answer["theorem_5"].values())
    assert 0.658 < answer["expected_work"] < answer["expected_work_bound"] < 0.709
    much = solve('problem = "two-workers"\nwork = 8\nstartup = 0.1\nrisk = "linear"\n')
    assert much["exact"] and math.isclose(much["expected_work"], 0.5)  # two of Theorem 4: 0.25 each
    assert much["expected_work_bound"] == much["expected_work"]
    none = solve('problem = "two-workers"\nwork = 0\nstartup = 0.1\nrisk = "linear"\n')
    assert none["exact"] and none["expected_work"] == 0 and none["method"] == "there is no work"


REFUSED = [
    ('problem = "one-worker"\nwork = 1\nrisk = "linear"\n', "chunks"),
    ('problem = "one-worker"\nwork = -1\nchunks = 2\nrisk = "linear"\n', "must not be negative"),
    ('problem = "one-worker"\nwork = 1\nchunks = 0\nrisk = "linear"\n', "at least 1"),
    ('problem = "one-worker"\nwork = 1\nchunks = 2\nrisk = "linaer"\n', "linear"),
    ('problem = "one-worker"\nwork = 1\nchunks = 2\nrisk = "linear"\nchunkz = 3\n', "chunkz"),
    ('problem = "one-worker"\nwork = 1\nchunks = 99999999999\nrisk = "linear"\n', "99999999999 chunks"),
    (
        'problem = "two-workers"\nwork = 1\nchunks = 3\nstartup = 0.1\nrisk = "linear"\nshape = "algorithm-1"\n',
        "must be 0",
    ),
    ('problem = "two-workers"\nwork = 1\nchunks = 3\nstartup = -1\nrisk = "linear"\n', "not negative"),
    ('problem = "two-workers"\nwork = 1\nstartup = 0\nrisk = "linear"\n', "chunks"),
    ('problem = "two-workers"\nwork = 1\nchunks = 3\nrisk = "linear"\ncharged_startup = 0\n', "must be positive"),
    (
        'problem = "one-worker"\nwork = 1\nchunks = 3\nstartup = 0.1\nrisk = "linear"\ncharged_startup = 0.1\n',
        "leave it out",
    ),
    (GIVEN + "worker_1 = [[0, 0.5]]\n", "worker_2"),
    (GIVEN + "worker_1 = [[0, 0.5]]\nworker_2 = [[0.5, 1.5]]\n", "must lie within [0, 1]"),
    (GIVEN + "worker_1 = [[0.5, 0.5]]\nworker_2 = []\n", "must end after its start"),
    (GIVEN + "worker_1 = [0, 0.5]\nworker_2 = []\n", "list of [begin, end]"),
    (GIVEN + "chunks = 3\nworker_1 = []\nworker_2 = []\n", "chunks"),
    ('problem = "two-workers"\nwork = 1\nchunks = 1\nrisk = "linear"\nworker_1 = []\n', "worker_1"),
    ('problem = "two-workers"\nwork = 1\nchunks = 3\nrisk = "exponential"\nshape = "algorithm-1"\n', "must be linear"),
    ('problem = "two-workers"\nwork = 1\nchunks = 3\nrisk = "linear"\nshape = "bset"\n', 'did you mean "best"'),
    ('problem = "two-workers"\nwork = inf\nchunks = 3\nrisk = "linear"\n', "finite"),
    ('problem = "heterogeneous"\nwork = 1\n', "[[worker]]"),
    (heterogeneous([(1, 0, 1)], 1), "greater than 0"),
    (heterogeneous([(1, 1, 1)] * 2, 1, "order = [1, 1]\n"), "twice"),
    (heterogeneous([(1, 1, 1)] * 2, 1, "order = [1]\n"), "each of the 2 workers"),
    (heterogeneous([(1, 1, 1)] * 2, 1, "order = [1, 3]\n"), "names worker 3; workers are numbered from 1 to 2"),
    (heterogeneous([(1, 1, 1), (2, 1, 1)], 1, 'method = "printed-theorem-4"\n'), "differ only in bandwidth"),
    (heterogeneous([(1, 1, 1)], 1, 'deployment = "free"\n'), '"forced" or "optional"'),
    (heterogeneous([(1, 1 + i, 1 + i) for i in range(17)], 1, f"order = {list(range(1, 18))}\n"), "at most 16"),
    (
        'problem = "heterogeneous"\nwork = 1\n[[worker]]\nspeed = 1\nbandwidth = 1\nrisk = "exponential"\n',
        "must be linear",
    ),
]


@pytest.mark.parametrize("text, message", REFUSED)
def test_wrong_input_is_refused_at_its_place(refused, text, message):
    refused(text, message)


LISTENING = 'problem = "listening-workers"\nwork = {}\nstartup = {}\nstep = 1\n{}'
SPELLS = '[[worker]]\nrisk = "trace(file={}.csv, normalise=none)"\n'


def spells(tmp_path, name, durations):
    (tmp_path / f"{name}.csv").write_text("duration,observed\n" + "".join(f"{duration},1\n" for duration in durations))


def test_a_sequence_of_listening_workers_is_not_always_best(solve, tmp_path):
    """results/beyond-the-papers.md: 62/16 for the best sequence, 63/16 for clocks of their own."""
    spells(tmp_path, "four", [2, 4, 7, 9])
    answer = solve(LISTENING.format(5, 2, 2 * SPELLS.format("four")))
    assert answer["exact"] and answer["expected_work"] == pytest.approx(62 / 16, abs=1e-12)
    assert answer["own_clocks"] == pytest.approx(63 / 16, abs=1e-12)
    assert answer["own_clocks"] <= answer["expected_work_bound"] <= 5


def test_the_best_sequence_of_listening_workers_is_the_best_of_all_enumerated(solve, tmp_path):
    """A recursion from the definition, over all states: workers in turn, chunks of 1 to all of the rest."""
    lives = {"a": [1, 3, 3, 8], "b": [2, 5, 6, 6], "c": [4, 4, 4, 9]}
    for name, durations in lives.items():
        spells(tmp_path, name, durations)

    def value(names, work, startup, at=0):
        if not names:
            return Fraction(0)
        alive = [life for life in lives[names[0]] if life >= at]
        best = value(names[1:], work, startup)
        for size in range(1, work + 1):
            if not any(life >= at + startup + size for life in alive):
                break
            kept = Fraction(sum(life >= at + startup + size for life in alive), len(alive))
            best = max(best, kept * (size + value(names, work - size, startup, at + startup + size)) +
                       (1 - kept) * value(names[1:], work, startup))
        return best

    for names in ("a", "ab", "ba", "cab"):
        for work, startup in ((4, 0), (6, 1), (7, 2)):
            answer = solve(LISTENING.format(work, startup, "".join(map(SPELLS.format, names))))
            assert answer["expected_work"] == pytest.approx(float(value(names, work, startup)), abs=1e-11)
            assert answer["expected_work"] <= answer["own_clocks"] + 1e-11 <= answer["expected_work_bound"] + 2e-11


@pytest.mark.parametrize("text, message", [
    (LISTENING.format(401, 0, SPELLS), "at most 400 steps"),
    ('problem = "listening-workers"\nwork = 0.4\nstep = 0.00099\nrisk = "linear"\n[[worker]]\n', "at most 400 steps"),
    (LISTENING.format(4, 0.5, 'risk = "linear"\n[[worker]]\n'), "startup = 0.5 must be a whole number of steps of 1"),
    (LISTENING.format(4, 1, "[[worker]]\n"), '"risk" is missing'),
    (LISTENING.format("inf", 1, 'risk = "linear"\n[[worker]]\n'), "finite"),
    (LISTENING.format(4, "nan", 'risk = "linear"\n[[worker]]\n'), "startup"),
    ('problem = "listening-workers"\nwork = 4\nstep = 0\nrisk = "linear"\n[[worker]]\n', "step = 0 must be above 0"),
])
def test_what_is_no_problem_of_listening_workers(solve, text, message):
    assert message in solve(text, check=False).stderr


def test_many_listening_workers_have_no_clocks_of_their_own(solve):
    steps = 'problem = "listening-workers"\nwork = 0.028\nstep = 0.00007\nrisk = "linear"\n[[worker]]\n'
    assert solve(steps)["exact"]  # 400.00000000000006 steps
    answer = solve('problem = "listening-workers"\nwork = 5\nstartup = 0.05\nrisk = "linear"\n' + 5 * "[[worker]]\n")
    assert answer["own_clocks"] is None and 0 < answer["expected_work"] <= answer["expected_work_bound"] < 5
