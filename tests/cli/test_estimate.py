"""coterie solve --estimate: rates of background jobs from what was observed, alone and as part of a plan."""

import json
import math
import random

import pytest

PROBLEM = """problem = "background"
method = "{method}"
tcp = 4
trials = 500
[control]
inverse_speed = 1
[[worker]]
inverse_speed = 1
inverse_bandwidth = 1
"""


@pytest.fixture
def estimate(coterie, tmp_path):
    """The estimate from a text of observations; with a text of a problem, its answer."""

    def run(observed, problem=None, check=True):
        (tmp_path / "observed.toml").write_text(observed)
        words = []
        if problem is not None:
            (tmp_path / "problem.toml").write_text(problem)
            words = [tmp_path / "problem.toml"]
        done = coterie("solve", *words, "--estimate", tmp_path / "observed.toml", "--format", "json", check=check)
        return json.loads(done.stdout) if check else done

    return run


def rate(intervals, weights):
    """(10) and (11), and n_eff."""
    return (sum(weights) / sum(w * x for w, x in zip(weights, intervals)),
            sum(weights) ** 2 / sum(w * w for w in weights))


WEIGHTS = {
    "equal": lambda n, _: [1] * n,
    "linear": lambda n, _: list(range(1, n + 1)),
    "geometric": lambda n, ratio: [ratio ** (n - i) for i in range(1, n + 1)],
}


@pytest.mark.parametrize("window", [None, 1000, 30, 2])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(3))
def test_rates_are_those_of_10_and_11_with_the_bias_taken_off(estimate, seed, weights, window):
    source = random.Random(seed)
    arrivals = [source.expovariate(0.5) for _ in range(source.randint(2, 200))]
    services = [source.expovariate(0.8) for _ in range(source.randint(2, 200))]
    text = f'inter_arrivals = {arrivals}\nservices = {services}\nweights = "{weights}"\n'
    text += "ratio = 0.9\n" if weights == "geometric" else ""
    text += f"window = {window}\n" if window else ""

    answer = estimate(text)
    published = estimate(text + "correction = false\n")

    for key, name, values in (("arrivals", "arrival", arrivals), ("services", "service", services)):
        values = values[-window:] if window else values
        expected, size = rate(values, WEIGHTS[weights](len(values), 0.9))
        assert answer[key]["samples"] == len(values)
        assert answer[key]["rate"] == pytest.approx(expected, rel=1e-13)
        assert answer[key]["effective_size"] == pytest.approx(size, rel=1e-13)
        assert answer[name] == pytest.approx(expected * (1 - 1 / size), rel=1e-12)
        assert published[name] == pytest.approx(expected, rel=1e-13)
        if weights == "equal":
            assert answer[key]["expected_factor"] == pytest.approx(len(values) / (len(values) - 1), rel=1e-12)
        assert answer[key]["expected_factor"] > 1
        assert answer[key]["corrected_factor"] == pytest.approx(answer[key]["expected_factor"] * (1 - 1 / size), rel=1e-9)
    assert answer["rho"] == pytest.approx(answer["arrival"] / answer["service"], rel=1e-13)
    assert answer["has_equilibrium"] is (answer["rho"] < 1)
    assert "service - arrival" in answer["notes"][0]


def test_weights_that_fade_fast_are_told(estimate):
    seen = 'inter_arrivals = [2, 3, 1, 2]\nservices = [1, 1, 2, 1]\nweights = "geometric"\nratio = {}\n'
    assert "corrected_factor, 0.47 at least" in estimate(seen.format(0.1))["notes"][1]
    assert not any("corrected_factor" in note for note in estimate(seen.format(0.9))["notes"])


def test_times_of_arrivals_and_the_open_time(estimate):
    services = "services = [1, 1, 2]\n"

    by_times = estimate("arrival_times = [3, 4, 6, 6.5]\n" + services)
    with_open = estimate("arrival_times = [3, 4, 6, 6.5]\nnow = 9.5\n" + services)

    assert by_times == estimate("inter_arrivals = [1, 2, 0.5]\n" + services)
    assert with_open == estimate("inter_arrivals = [1, 2, 0.5, 3]\n" + services)


def test_the_mean_over_many_observers_is_the_true_rate(estimate):
    """200 observers of 12 intervals each: the mean within 6 standard errors (false alarm 2e-9 for each of two), and
    the bias of the published rate, about 12 %, is seen."""
    source = random.Random(2019)
    sums = {"rate": [], "corrected": []}
    for _ in range(200):
        intervals = [source.expovariate(2) for _ in range(12)]
        answer = estimate(f'inter_arrivals = {intervals}\nservices = [1, 1]\nweights = "equal"\n')
        for key in sums:
            sums[key].append(answer["arrivals"][key])

    def mean_and_error(values):
        mean = sum(values) / len(values)
        return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))

    mean, error = mean_and_error(sums["corrected"])
    assert abs(mean - 2) < 6 * error
    mean, error = mean_and_error(sums["rate"])
    assert abs(mean - 2 * 12 / 11) < 6 * error


@pytest.mark.parametrize("method", ["simulation", "iterative", "before-correction"])
def test_a_plan_by_estimated_rates_is_the_plan_by_those_rates(estimate, coterie, tmp_path, method):
    observed = "inter_arrivals = [1.5, 1, 0.25]\nservices = [0.5, 0.25, 0.125, 0.1]\n"
    problem = PROBLEM.format(method=method)
    rates = estimate(observed)

    answer = estimate(observed, problem)

    (tmp_path / "by_hand.toml").write_text(f"arrival = {rates['arrival']!r}\nservice = {rates['service']!r}\n" + problem)
    by_hand = json.loads(coterie("solve", tmp_path / "by_hand.toml", "--format", "json").stdout)
    assert answer.pop("estimate") == rates
    assert answer == by_hand


def test_rates_without_an_equilibrium_are_told_and_refused_where_one_is_needed(estimate):
    observed = "inter_arrivals = [1, 1, 1]\nservices = [2, 2, 2]\n"

    answer = estimate(observed)
    refused = estimate(observed, PROBLEM.format(method="before-correction"), check=False)

    assert answer["rho"] == pytest.approx(2) and answer["has_equilibrium"] is False
    assert any("no equilibrium" in note for note in answer["notes"])
    assert refused.returncode == 2
    assert "observed.toml:1:" in refused.stderr and "rho" in refused.stderr
    assert estimate(observed, PROBLEM.format(method="iterative"))["finish_time"] > 0


GOOD = "inter_arrivals = [1, 2]\nservices = [1, 2]\n"


@pytest.mark.parametrize(
    "old, new, place, message",
    [
        ("inter_arrivals = [1, 2]\n", "", "", "arrivals are missing"),
        ("services = [1, 2]\n", "", "", '"services" is missing'),
        ("inter_arrivals = [1, 2]", "inter_arrivals = []", ":1:1", "no intervals"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [1]", ":1:1", "correction = false"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [1, -2]", ":1:1", "at least 0"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [1, inf]", ":1:1", "finite"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [0, 0]", ":1:1", "all intervals are 0"),
        ("inter_arrivals = [1, 2]", "arrival_times = [1, 3, 2]", ":1:1", "must not decrease"),
        ("inter_arrivals = [1, 2]", "arrival_times = [1]", ":1:1", "no interval"),
        ("inter_arrivals = [1, 2]", "arrival_times = []\nnow = 3", ":1:1", "no arrival"),
        ("inter_arrivals = [1, 2]", "arrival_times = [1, 3]\nnow = 2", ":2:1", "before the last arrival"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [1, 2]\nnow = 2", ":2:1", "belongs to arrival_times"),
        ("inter_arrivals = [1, 2]", "inter_arrivals = [1, 2]\narrival_times = [1, 2]", ":1:1", "write one of them"),
        ("services", 'weights = "quadratic"\nservices', ":2:1", '"linear"'),
        ("services", 'weights = "geometric"\nservices', "", '"ratio" is missing'),
        ("services", 'weights = "geometric"\nratio = 1.5\nservices', ":3:1", "(0, 1]"),
        ("services", "ratio = 0.5\nservices", ":2:1", "geometric"),
        ("services", "window = 0\nservices", ":2:1", "at least 1"),
        ("services", "widow = 3\nservices", ":2:1", 'did you mean "window"'),
    ],
)
def test_messages(estimate, old, new, place, message):
    assert old in GOOD

    done = estimate(GOOD.replace(old, new, 1), check=False)

    assert done.returncode == 2 and done.stdout == ""
    assert f"observed.toml{place}" in done.stderr and message in done.stderr


def test_what_is_estimated_may_not_be_written_too(estimate, coterie, tmp_path):
    problem = PROBLEM.format(method="simulation")

    done = estimate(GOOD, "arrival = 1\n" + problem, check=False)
    assert done.returncode == 2 and "problem.toml:1:1" in done.stderr and "--estimate" in done.stderr

    for method in ("exact", "no-background"):  # these plan without rates
        done = estimate(GOOD, PROBLEM.format(method=method), check=False)
        assert done.returncode == 2 and "problem.toml:2" in done.stderr and method in done.stderr
    done = estimate(GOOD, PROBLEM.replace('method = "{method}"\n', ""), check=False)
    assert done.returncode == 2 and "exact" in done.stderr

    other = 'problem = "one-worker"\nwork = 1\nchunks = 2\nstartup = 0\nrisk = "linear"\n'
    done = estimate(GOOD, other, check=False)
    assert done.returncode == 2 and "background" in done.stderr

    done = coterie("solve", check=False)
    assert done.returncode == 2 and "--estimate" in done.stderr
    done = coterie("solve", "--estimate", tmp_path / "none.toml", check=False)
    assert done.returncode == 1 and "none.toml" in done.stderr
    done = coterie("solve", "--estimate", tmp_path / "observed.toml", "--format", "svg", check=False)
    assert done.returncode == 2 and "svg" in done.stderr
