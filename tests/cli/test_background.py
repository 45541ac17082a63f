"""coterie solve with problem = "background": reference values, plans, messages."""

import json
import pathlib
import re

import pytest

DATA = json.loads((pathlib.Path(__file__).parent.parent / "data" / "time_varying.json").read_text())

FIGURE = """problem = "background"
method = "{method}"
tcm = 1
tcp = 4
arrival = 0.1
service = 0.125
initial = 0
trials = 10000
varying = "{varying}"
[control]
inverse_speed = 1
"""


def machines(instance):
    lines = []
    for k, (speed, bandwidth) in enumerate(zip(instance["inverse_speed"], instance["inverse_bandwidth"])):
        lines += ["[[worker]]" if k else "[control]", f"inverse_speed = {speed!r}"]
        if k:
            lines += [f"inverse_bandwidth = {bandwidth!r}"]
            sequence = instance["link_jobs"][k]
            lines += [f"link_jobs = {{times = {sequence['times']}, counts = {sequence['counts']}}}"]
        sequence = instance["jobs"][k]
        lines += [f"jobs = {{times = {sequence['times']}, counts = {sequence['counts']}}}"]
        if instance["share"]:
            lines += [f"share = {instance['share']}", "share_continues = true"]
    return "\n".join(lines) + "\n"


def figure(method, varying, workers):
    text = FIGURE.format(method=method, varying=varying)
    for i in range(1, workers + 1):
        text += f"[[worker]]\ninverse_speed = 1\ninverse_bandwidth = {1 + i / 10}\n"
    return text


@pytest.mark.parametrize("instance", DATA["instances"], ids=lambda instance: instance["name"])
def test_reference_values(solve, instance):
    answer = solve('problem = "background"\nmethod = "exact"\ntcm = 1\ntcp = 4\n' + machines(instance))

    assert answer["problem"] == "background" and answer["exact"] is True
    for key in ("finish_time", "start_times", "shares"):
        assert answer[key] == pytest.approx(instance[key], rel=1e-12, abs=1e-12)
    assert answer["residual"] < 1e-13


@pytest.mark.parametrize(
    "method, varying, workers, finish, tolerance",
    [
        ("no-background", "all", 3, 1.4070, 5e-5),
        ("before-correction", "workers", 3, 2.6036, 5e-5),
        ("before-correction", "all", 3, 7.0349, 5e-5),
        ("before-correction", "workers", 14, 1.4775, 5e-5),
        ("before-correction", "all", 14, 5.0474, 5e-5),
        ("simulation", "workers", 3, 1.4070, 5e-5),
        ("iterative", "all", 3, 1.4070, 5e-5),
        ("simulation", "workers", 14, 1.0116, 1e-3),
        ("iterative", "workers", 14, 1.0117, 1e-3),
        ("simulation", "all", 14, 1.0132, 1e-3),
        ("iterative", "all", 14, 1.0132, 1e-3),
    ],
)
def test_figures_12_and_13(solve, method, varying, workers, finish, tolerance):
    answer = solve(figure(method, varying, workers))

    assert answer["finish_time"] == pytest.approx(finish, abs=tolerance)
    assert len(answer["shares"]) == len(answer["start_times"]) == workers + 1
    assert sum(answer["shares"]) == pytest.approx(1, abs=1e-12)
    assert answer["residual"] < 1e-13


def test_sample_average_has_the_least_mean(solve):
    busy = {
        method: solve(figure(method, "all", 3).replace("arrival = 0.1", "arrival = 0.8").replace("0.125", "1.0"))
        for method in ("sample-average", "simulation", "iterative", "before-correction")
    }

    best = busy.pop("sample-average")
    assert best["exact"] is False
    # the same 10 000 fresh backgrounds for all: 6 standard errors bound the difference of the means amply
    for answer in busy.values():
        assert best["mean_realised_finish_time"] < answer["mean_realised_finish_time"] + 6 * best["standard_error"]
    assert best["mean_realised_finish_time"] == pytest.approx(best["finish_time"], abs=12 * best["standard_error"])


def test_plan_meets_the_jobs_of_the_file(solve):
    text = figure("no-background", "all", 3) + "jobs = {times = [0, 0.5], counts = [0, 2]}\n"

    plan = solve(text)
    exact = solve(text.replace("no-background", "exact"))

    assert plan["finish_time"] == pytest.approx(1.4069810508613700, rel=1e-14)
    assert plan["realised_finish_time"] > exact["finish_time"] > plan["finish_time"]


def test_seed_alone_decides(solve):
    text = 'seed = 5\n' + figure("simulation", "all", 3).replace("arrival = 0.1", "arrival = 3").replace("10000", "99")

    assert solve(text) == solve(text)
    assert solve(text)["finish_time"] != solve(text.replace("seed = 5", "seed = 6"))["finish_time"]


@pytest.mark.parametrize("method, more, unused", [
    ("exact", "", ["trials", "fresh_trials", "seed", "first"]),
    ("no-background", "", ["trials", "fresh_trials", "seed", "first"]),
    ("before-correction", "", ["trials", "first"]),
    ("before-correction", "fresh_trials = 0", ["trials", "seed", "first"]),
    ("sample-average", "", ["first"]),
    ("simulation", "fresh_trials = 0", ["first"]),
    ("iterative", "", None),
])
def test_keys_that_a_method_has_no_use_for_are_told(solve, method, more, unused):
    more = more or "fresh_trials = 20"
    text = f'seed = 5\n{more}\nfirst = "no-background"\n' + figure(method, "all", 3).replace("10000", "20")
    answer = solve(text)
    assert answer.get("keys_without_effect") == unused
    for key in unused or []:  # and without them the answer is the same
        without = {name: value for name, value in solve(re.sub(rf"(?m)^{key} = .*\n", "", text)).items()
                   if name != "keys_without_effect"}
        assert without == {name: value for name, value in answer.items() if name != "keys_without_effect"}


def test_control_alone(solve):
    answer = solve('problem = "background"\n[control]\ninverse_speed = 2\njobs = {times = [0, 1], counts = [0, 1]}\n')

    assert answer["finish_time"] == 3
    assert answer["shares"] == [1]


def test_share_may_be_levels_or_multiples_and_holds_for_the_link(solve):
    text = """problem = "background"
    [control]
    inverse_speed = 1
    [[worker]]
    inverse_speed = 0.5
    inverse_bandwidth = 0.25
    jobs = {times = [0], counts = [2]}
    link_jobs = {times = [0], counts = [1]}
    share = SHARE
    """

    for share in ("[0.5, 0.75, 1.5]", "[1, 1.5, 3]", '["1/2", "3/4", "3/2"]'):
        # alone 1; worker 1.5; link 0.25 * 1.5 = 0.375: T_f = 1 / (1 + 1 / 1.875)
        assert solve(text.replace("SHARE", share))["finish_time"] == pytest.approx(1 / (1 + 1 / 1.875), rel=1e-14)


def test_links_share_the_connections_of_the_control_processor(solve):
    instance = next(i for i in DATA["instances"] if i["name"] == "alg2_n3_k40_1")
    connections = instance["link_jobs"][1]
    text = 'problem = "background"\ntcp = 4\n' + machines(instance)
    line = f"link_jobs = {{times = {connections['times']}, counts = {connections['counts']}}}\n"
    assert text.count(line) == 3

    answer = solve(text.replace(line, "").replace("[control]\n", "[control]\n" + line))

    assert answer["finish_time"] == pytest.approx(instance["finish_time"], rel=1e-13)


def test_link_share_in_control_holds_for_links_without_their_own(solve):
    machines = ["[control]\ninverse_speed = 1\n"]
    for k in (1, 2, 3):
        machines.append(f"[[worker]]\ninverse_speed = {k}\ninverse_bandwidth = 0.{k}\n"
                        "link_jobs = {times = [0, 0.1], counts = [1, 3]}\n")
    machines[3] += "link_share = [1, 5]\n"
    one = [machine + ("link_share = [1, 3, 9]\n" if k == 0 else "") for k, machine in enumerate(machines)]
    each = [machine + ("link_share = [1, 3, 9]\n" if k in (1, 2) else "") for k, machine in enumerate(machines)]
    head = 'problem = "background"\nmethod = "exact"\n'
    assert solve(head + "".join(one)) == solve(head + "".join(each)) != solve(head + "".join(machines))


GOOD = """problem = "background"
[control]
inverse_speed = 1
[[worker]]
inverse_speed = 1
inverse_bandwidth = 1
jobs = {times = [0, 1], counts = [0, 1]}
"""


@pytest.mark.parametrize(
    "old, new, place, problem",
    [
        ("times = [0, 1]", "times = [0, 0]", ":7:1", "times must increase"),
        ("times = [0, 1]", "times = [1, 2]", ":7:1", "must start at 0"),
        ("times = [0, 1]", "times = [0, 2, 1]", ":7:1", "3 times but 2 counts"),
        ("times = [0, 1]", 'times = [0, "inf"]', ":7:1", "finite"),
        ("counts = [0, 1]", "counts = [0, -1]", ":7:1", "counts must be"),
        ("counts = [0, 1]", "counts = [0, 0.5]", ":7", "whole number"),
        ("counts = [0, 1]", "counts = [0, 1], extra = 1", ":7", "extra"),
        ("[control]\ninverse_speed = 1", "[control]\ninverse_speed = 0", ":3:1", "must be positive"),
        ("[control]\ninverse_speed = 1", "[control]\ninverse_speed = -2", ":3:1", "must be positive"),
        ("[control]\ninverse_speed = 1", "[control]\ninverse_speed = inf", ":3:1", "must be positive and finite"),
        ("[control]\ninverse_speed = 1", "", "", '"control" is missing'),
        ("inverse_bandwidth = 1\n", "", "", '"inverse_bandwidth" is missing'),
        ("inverse_bandwidth = 1\n", "inverse_bandwidth = 0\n", ":6:1", "must be positive"),
        ("inverse_bandwidth = 1\n", "inverse_bandwidth = 1\nshare = [1]\nshare_continues = false\n", ":7:1",
         "lists 1 level, but 2 jobs"),
        ("inverse_bandwidth = 1\n", "inverse_bandwidth = 1\nshare = [3]\n", ":7:1", "must begin with"),
        ("inverse_bandwidth = 1\n", "inverse_bandwidth = 1\nshare_continues = false\n", ":7:1", "no effect without a share"),
        ("[control]", "share_continues = true\n[control]", ":2:1", "no effect without a share"),
        ("[control]\n", "[control]\nlink_share = [2, 3]\n", ":3:1", "must begin with"),
        ("inverse_bandwidth = 1\n", "inverse_bandwidth = 1\nshare = [1, 0.5]\n", ":7:1", "faster than alone"),
        ("inverse_bandwidth = 1\n", "inverse_bandwith = 1\n", "", '"inverse_bandwidth" is missing'),
        ("[control]", "arival = 1\n[control]", ":2:1", 'did you mean "arrival"'),
        ("[control]", "tcp = 0\n[control]", ":2:1", "must be positive"),
        ("[control]", 'method = "exakt"\n[control]', ":2:1", 'did you mean "exact"'),
        ("[control]", 'method = "simulation"\n[control]', ":2:1", '"arrival" is missing'),
        ("[control]", 'arrival = 1\n[control]', "", '"service" is missing'),
        ("[control]", 'arrival = -1\nservice = 1\n[control]', ":2:1", "arrival must be"),
        ("[control]", 'arrival = 1\nservice = 0\n[control]', "", "service must be"),
        ("[control]", 'arrival = 1\nservice = 1\ninitial = -1\n[control]', "", "initial must be"),
        ("[control]", 'method = "before-correction"\narrival = 1\nservice = 1\n[control]', ":3:1", "rho = 1"),
        ("[control]", 'method = "iterative"\nfirst = "before-correction"\narrival = 2\nservice = 1\n[control]', ":4:1", "rho"),
        ("[control]", 'trials = 0\n[control]', ":2:1", "must be from 1"),
        ("[control]", 'varying = "links"\n[control]', ":2:1", 'must be "all" or "workers"'),
        ("[control]", 'method = "simulation"\narrival = 1\nservice = 2\nshare = [1, 2]\nshare_continues = false\n[control]', ":2:1",
         "share_continues"),
    ],
)
def test_messages(solve, old, new, place, problem):
    assert old in GOOD

    done = solve(GOOD.replace(old, new, 1), check=False)

    assert done.returncode == 2
    assert done.stdout == ""
    assert f"problem.toml{place}" in done.stderr
    assert problem in done.stderr


def test_background_that_explodes_is_an_error_and_no_hang(solve):
    text = figure("simulation", "all", 1).replace("arrival = 0.1", "arrival = 1e12").replace("10000", "1")

    done = solve(text, check=False)

    assert done.returncode == 1
    assert "cannot be followed" in done.stderr


def test_stopping_together_may_take_longer_than_another_division(solve):
    """The first link is slow: without the first worker the same work is done sooner."""
    head = 'problem = "background"\n[control]\ninverse_speed = 1\n'
    slow, fast = (f"[[worker]]\ninverse_speed = 1\ninverse_bandwidth = {link}\n" for link in (20, 0.1))
    whole = solve(head + slow + fast)
    assert solve(head + fast)["finish_time"] < 0.6 * whole["finish_time"]
    assert "smallest finish time" not in whole["method"] and "another division may finish earlier" in whole["method"]


def test_the_root_is_checked_in_fractions_up_to_64_workers(solve):
    tree = 'problem = "background"\ntcm = 1\ntcp = 1\n[control]\ninverse_speed = 1\n'
    worker = "[[worker]]\ninverse_speed = 1.3\ninverse_bandwidth = 0.01\n"
    answer = solve(tree + 64 * worker)
    assert 0 <= answer["root_error"] <= 1e-15 * answer["finish_time"]
    assert solve(tree + 65 * worker)["root_error"] is None
