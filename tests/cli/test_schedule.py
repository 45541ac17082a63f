"""`coterie schedule`: its JSON is recomputed here from nothing but its tasks."""
import csv
import io
import json
import math
import re
import xml.etree.ElementTree as ElementTree

import h5py
import pytest

RISKS = {
    "linear": lambda t: min(1.0, t),
    "linear(kappa=0.3)": lambda t: min(1.0, 0.3 * t),
    "exponential(rate=2)": lambda t: -math.expm1(-2 * t),
    "weibull(shape=0.5, scale=1)": lambda t: -math.expm1(-math.sqrt(t)),
    "lognormal(median=0.5, sigma=1)": lambda t: 0.5 * math.erfc(-math.log(t / 0.5) / math.sqrt(2)) if t > 0 else 0,
}
GROUP = ["greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake"]


def strategies(coterie):
    rows = json.loads(coterie("list", "strategies", "--format", "json").stdout)
    special = {"two-workers", "optimal", "file"}  # two workers only, small charts only, nothing of its own
    return [row["name"] for row in rows if row["model"] == "worksharing" and row["name"] not in special]


def schedule(coterie, strategy="greedy", workers=4, work=1, **options):
    arguments = ["schedule", "--strategy", strategy, "--workers", workers, "--work", work, "--format", "json"]
    for name, value in options.items():
        arguments += ["--" + name.replace("_", "-"), value]
    return json.loads(coterie(*arguments).stdout)


def recomputed(answer, pr):
    """Expected work from the tasks alone: size x (1 - product over workers of Pr(earliest finish))."""
    earliest = {}
    size = {}
    for task in answer["tasks"]:
        key = (task["chunk"], task["worker"])
        earliest[key] = min(earliest.get(key, math.inf), task["finish"])
        size[task["chunk"]] = task["end"] - task["begin"]
    lost = {chunk: 1.0 for chunk in size}
    for (chunk, _), finish in earliest.items():
        lost[chunk] *= pr(finish)
    return math.fsum(size[chunk] * (1 - lost[chunk]) for chunk in size)


CASES = [dict(workers=4, work=1, chunks=20), dict(workers=5, work=3.3, chunks=7, startup=0.01),
         dict(workers=7, work=7, startup=0.05), dict(workers=1, work=0.6, chunks=3, startup=0.1),
         dict(workers=6, work=2, chunks_per_slice=13, coteries=2), dict(workers=9, work=4, chunks=5, **{"lambda": 0.4})]


@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_strategy_adds_up(coterie, risk, case):
    for strategy in strategies(coterie):
        answer = schedule(coterie, strategy, risk=risk, **case)
        assert list(answer)[:8] == ["strategy", "workers", "work", "startup", "risk", "lambda", "deployed_work",
                                    "expected_work"]
        assert answer["strategy"] == strategy and answer["workers"] == case["workers"]
        assert 0 <= answer["expected_work"] <= answer["deployed_work"] * (1 + 1e-12)
        assert answer["deployed_work"] <= case["work"] * (1 + 1e-12)
        if answer["expected_work_bound"] is not None:
            assert answer["expected_work"] <= answer["expected_work_bound"] <= answer["deployed_work"] * (1 + 1e-12)
        if strategy == "random-replication":
            assert answer["tasks"] == []
            continue
        assert answer["expected_work"] == pytest.approx(recomputed(answer, RISKS[risk]), rel=1e-12, abs=1e-14)
        check_tasks(answer)
        # As much work as all workers can do: each has its own, in the chunks that are best for one.
        alone = linear_and_too_much(case, risk) and case.get("chunks", "auto") == "auto"
        group = strategy in GROUP and not alone or bool(answer["coteries"])
        check_coteries(answer, group, linear=risk.startswith("linear"))


def linear_and_too_much(case, risk):
    return risk == "linear" and case["work"] >= case["workers"]


def check_tasks(answer):
    clock = {}
    order = {}
    for task in answer["tasks"]:
        worker = task["worker"]
        assert 0 <= worker < answer["workers"]
        order[worker] = order.get(worker, 0) + 1
        assert task["order"] == order[worker]
        clock[worker] = clock.get(worker, 0.0) + task["end"] - task["begin"] + answer["startup"]
        assert task["finish"] == pytest.approx(clock[worker], rel=1e-12)
    spans = {task["chunk"]: (task["begin"], task["end"]) for task in answer["tasks"]}
    spans = [spans[chunk] for chunk in sorted(spans)]
    assert spans[0][0] == 0
    assert spans[-1][1] == pytest.approx(answer["deployed_work"], rel=1e-12)
    for (_, end), (begin, _) in zip(spans, spans[1:]):
        assert end == begin


def check_coteries(answer, group, linear):
    if not group:
        assert answer["coteries"] == []
        return
    assert sorted(w for c in answer["coteries"] for w in c["workers"]) == list(range(answer["workers"]))
    at = 0
    for coterie in answer["coteries"]:
        g, n = len(coterie["workers"]), coterie["chunks"]
        assert coterie["slice"][0] == pytest.approx(at, abs=1e-12)
        at = coterie["slice"][1]
        assert (coterie["chart"] is not None) == (n % g == 0)
        if coterie["chart"] is None or not linear:
            assert coterie["K"] is None and coterie["K_min"] is None and coterie["K_lower_bound"] is None
        if coterie["chart"] is None:
            continue
        assert sorted(step for row in coterie["chart"] for step in row) == list(range(1, n + 1))
        assert len(coterie["chart"]) == g
        check_chart(answer, coterie)
        if linear:
            k = sum(math.prod(column) for column in zip(*coterie["chart"]))
            assert coterie["K"] == str(k)
            assert coterie["K_lower_bound"] >= (int(coterie["K_min"]) - 1) * (1 - 1e-9)  # no weaker than K_min
            assert int(coterie["K_min"]) <= k and coterie["K_lower_bound"] <= k * (1 + 1e-9)
            # least x with x^m >= m^m n!
            m, least = n // g, int(coterie["K_min"])
            assert least**m >= m**m * math.factorial(n) > (least - 1) ** m
    assert at == pytest.approx(answer["deployed_work"])


def check_chart(answer, coterie):
    """Row i, column j: the step at which the chunks of group j are executed for the i-th time."""
    first = min(t["chunk"] for t in answer["tasks"] if t["worker"] in coterie["workers"])
    g = len(coterie["workers"])
    steps = {}
    for task in answer["tasks"]:
        if task["worker"] in coterie["workers"]:
            group, chunk = divmod(task["chunk"] - first, g)
            steps.setdefault((group, task["order"]), set()).add(chunk)
    for row in coterie["chart"]:
        for group, step in enumerate(row):
            assert steps[group, step] == set(range(g))  # the g workers take the g chunks of the group at once


def test_constants_of_table_3(coterie):
    """worksharing-2013, Table 3: g = 4, n = 20; E = sl - K g/kappa (sl kappa/n)^(g+1)."""
    for strategy, constant in {"group-cyclic": 34104, "reverse": 24396, "mirror": 27284, "snake": 25784,
                               "fat-snake": 24276, "greedy": 24390}.items():
        answer = schedule(coterie, strategy, workers=4, work=1, chunks=20)
        (only,) = answer["coteries"]
        assert (only["K"], only["K_min"]) == (str(constant), "23780")
        assert only["K_lower_bound"] == pytest.approx(5 * math.factorial(20) ** 0.2, rel=1e-9)
        assert answer["expected_work"] == pytest.approx(1 - constant * 4 / 20**5, rel=1e-13)
        assert answer["expected_work_bound"] == pytest.approx(1 - only["K_lower_bound"] * 4 / 20**5, rel=1e-9)


@pytest.mark.parametrize("workers, work, startup, risk, chunks", [
    (25, 12, 0.1, "exponential(rate=10)", 150), (50, 40, 0.05, "weibull(shape=2, scale=0.6)", 200),
    (25, 20, 0.1, "weibull(shape=3, scale=0.5)", 75), (25, 12, 0.05, "lognormal(median=0.3, sigma=0.3)", 75),
    (25, 12, 0.1, "exponential(rate=3)", 65), (7, 50, 0.2, "linear", 200)])
@pytest.mark.parametrize("strategy", ["greedy", "refined", "reverse"])
def test_no_number_of_chunks_exceeds_the_bound_of_all(coterie, strategy, workers, work, startup, risk, chunks):
    """Slices far longer than a worker lives, and more chunks than load / startup."""
    case = {"workers": workers, "work": work, "startup": startup, "risk": risk, "coteries": 1}
    auto = schedule(coterie, strategy, **case)
    for n in (chunks // 2, chunks, 2 * chunks, 5 * chunks):
        other = schedule(coterie, strategy, **case, chunks_per_slice=n)["expected_work"]
        assert other <= auto["expected_work_bound_of_all_counts"]
        assert other <= auto["expected_work"] * (1 + 1e-9)
    text = coterie("schedule", "--strategy", strategy, *[x for k, v in case.items() for x in ("--" + k, v)]).stdout
    printed = float(re.search(r"no number of equal chunks can exceed ([0-9.e+-]+)", text).group(1))
    assert 1 <= printed / auto["expected_work_bound_of_all_counts"] <= 1 + 1e-9


@pytest.mark.parametrize("strategy", ["greedy", "refined", "best", "reverse"])
def test_more_work_than_can_be_done_goes_to_lone_workers_in_their_best_chunks(coterie, strategy):
    """worksharing-2013, Section 5.1 A and Theorem 4: 0.3, 0.2 and 0.1 on each worker."""
    answer = schedule(coterie, strategy, workers=5, work=5, startup=0.1)
    assert answer["expected_work"] == pytest.approx(1.25, rel=1e-12)
    assert answer["deployed_work"] == pytest.approx(3, rel=1e-12)
    text = coterie("schedule", "--strategy", strategy, "--workers", "5", "--work", "5", "--startup", "0.1").stdout
    assert "deployed work 3 in 15 chunks of 0.1 to 0.3\n" in text


def test_bound_is_sharp_for_two_workers(coterie):
    """For two executions K_LB is the optimum, which reverse reaches."""
    answer = schedule(coterie, "reverse", workers=2, work=1, chunks=40)
    assert answer["expected_work"] == pytest.approx(answer["expected_work_bound"], rel=1e-12)


@pytest.mark.parametrize("work", ["0.6666666666", "0.6666666667", "0.66666666666"])
def test_no_schedule_exceeds_its_bound_where_work_is_nearly_a_whole_number_of_chunks(coterie, work):
    answer = schedule(coterie, "greedy", workers=2, work=work, chunks=6)
    assert answer["expected_work"] <= answer["expected_work_bound"]


def test_the_chart_that_costs_least_may_not_expect_most_where_groups_are_not_complete(coterie):
    """heuristics/results/worksharing-2013.md, "The best group schedules"."""
    optimal, fat_snake = (schedule(coterie, strategy, workers=4, work=1, chunks=5)["expected_work"]
                          for strategy in ("optimal", "fat-snake"))
    assert (optimal, fat_snake) == (pytest.approx(0.92384, abs=1e-12), pytest.approx(0.92544, abs=1e-12))


def test_numbers_too_large_for_a_double_stay_exact(coterie):
    answer = schedule(coterie, "greedy", workers=200, work=1, chunks=1000)
    (only,) = answer["coteries"]
    assert len(only["K"]) > 400 and int(only["K"]) >= int(only["K_min"])
    assert only["K_lower_bound"] is None


def test_coteries_that_a_strategy_does_not_make_are_told(coterie):
    arguments = ("--workers", 4, "--work", 1, "--chunks", 20, "--coteries", 2)
    assert "--coteries" in coterie("schedule", "--strategy", "brute", *arguments).stderr
    assert coterie("schedule", "--strategy", "greedy", *arguments).stderr == ""


def test_refined_and_best_skip_phantoms_as_fat_snake_does(coterie):
    words = ("--workers", 4, "--work", 2.973, "--startup", 0.3, "--risk", "weibull(shape=1.03, scale=1.11)")
    work = {name: json.loads(coterie("schedule", "--strategy", name, *words, "--format", "json").stdout)["expected_work"]
            for name in ("fat-snake", "refined", "best")}
    assert work["fat-snake"] > 1.5829
    assert work["refined"] >= work["fat-snake"] * (1 - 1e-12)
    assert work["best"] >= work["refined"]


def test_csv_is_the_tasks(coterie):
    for strategy in strategies(coterie):
        arguments = ("schedule", "--strategy", strategy, "--workers", 5, "--work", 2, "--chunks", 6)
        answer = coterie(*arguments, "--format", "csv", check=False)
        if strategy == "random-replication":
            assert answer.returncode == 2 and "draws its orders anew" in answer.stderr
            continue
        rows = list(csv.DictReader(io.StringIO(answer.stdout)))
        tasks = json.loads(coterie(*arguments, "--format", "json").stdout)["tasks"]
        assert [{key: float(value) for key, value in row.items()} for row in rows] == tasks


def test_svg_is_a_picture_of_every_task(coterie):
    for strategy in strategies(coterie):
        arguments = ("schedule", "--strategy", strategy, "--workers", 3, "--work", 2, "--chunks", 4)
        answer = coterie(*arguments, "--format", "svg", check=False)
        if strategy == "random-replication":
            assert answer.returncode == 2
            continue
        root = ElementTree.fromstring(answer.stdout)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        titles = root.iter("{http://www.w3.org/2000/svg}title")
        assert len(list(titles)) == len(json.loads(coterie(*arguments, "--format", "json").stdout)["tasks"])
        assert "nan" not in answer.stdout and "inf" not in answer.stdout


def test_table_tells_expected_work(coterie):
    answer = coterie("schedule", "--strategy", "greedy", "--workers", 4, "--work", 1, "--chunks", 20)
    assert "expected work 0.969512" in answer.stdout
    assert "K = 24390, K_min = 23780, K_LB = 23779.07" in answer.stdout
    assert "    10     9     8     7     6\n" in answer.stdout
    assert "0 4 8 12 16 17 13 9 5 1 " in answer.stdout  # worker 0's list, whole
    assert answer.stderr == ""


@pytest.mark.parametrize("workers", [12, 16, 18, 22, 27])
def test_the_printed_lower_bound_is_not_above_the_cost(coterie, workers):
    """Of one group every chart costs n!, which is also the bound."""
    text = coterie("schedule", "--strategy", "greedy", "--workers", workers, "--work", 1, "--chunks", workers).stdout
    cost, bound = re.search(r"K = (\S+), .*K_LB = ([^;]+);", text).groups()
    assert float(bound) <= float(cost) and float(bound) <= math.factorial(workers) <= float(bound) * (1 + 2e-6)


@pytest.mark.parametrize("options,message", [
    (["--strategy", "greddy"], 'unknown strategy "greddy" (did you mean "greedy"?)'),
    (["--workers", "0"], "--workers must be a whole number of at least 1"),
    (["--workers", "2.5"], "--workers must be a whole number"),
    (["--workers", "99999999999999999999"], "--workers must be at most 9223372036854775807, not 9999"),
    (["--workers", "99999999999"], "workers must be a whole number from 1 to 1000000"),
    (["--work", "0"], "work must be positive"),
    (["--work", "-1"], "work must be positive"),
    (["--work", "nan"], "--work must be a number"),
    (["--work", "inf"], "--work must be a number"),
    (["--work", "1e309"], "--work must be a number"),
    (["--work", ""], "--work must be a number"),
    (["--work", "1e300", "--strategy", "brute"], "makes more than 10000000 chunks"),
    (["--chunks", "1000000", "--workers", "1000"], "1000000000 tasks"),
    (["--work", "1e12", "--strategy", "brute", "--chunks", "auto", "--startup", "0.1"],
     "the work is more than 10000000 times what one worker can do before it is interrupted, so it needs more chunks than"),
    (["--work", "1e300", "--strategy", "cyclic-replication", "--chunks", "auto", "--startup", "0.1"], "10000000 times"),
    (["--work", "1e300", "--strategy", "brute", "--chunks", "auto", "--startup", "0.1", "--lambda", "0.5"],
     "what one worker can do before it is interrupted"),
    (["--startup", "-0.1"], "startup must not be negative"),
    (["--lambda", "0"], "lambda must be above 0 and at most 1, not 0"),
    (["--lambda", "2"], "lambda must be above 0 and at most 1, not 2"),
    (["--risk", "linaer"], 'did you mean "linear"?'),
    (["--risk", "linear(kappa=-1)"], "kappa must be greater than 0"),
    (["--risk", "trace(file=/no/such/file, format=durations)"], "/no/such/file"),
    (["--chunks", "0"], "chunks must be"),
    (["--chunks", "ten"], "chunks must be"),
    (["--chunks", "1e-1"], "chunks must be"),
    (["--chunks", "1000000000000"], "chunks"),
    (["--chunks-per-slice", "3"], "exclude each other"),
    (["--coteries", "5"], "5 coteries need at least as many workers, not 4"),
    (["--coteries", "0"], "--coteries must be a whole number of at least 1"),
    (["--format", "pdf"], "--format must be"),
])
def test_bad_values_are_code_2(coterie, options, message):
    arguments = {"--strategy": "greedy", "--workers": "4", "--work": "1", "--chunks": "20"}
    arguments.update(zip(options[::2], options[1::2]))
    answer = coterie("schedule", *(word for pair in arguments.items() for word in pair), check=False)
    assert answer.returncode == (1 if "no/such" in message else 2), answer.stderr
    assert message in answer.stderr
    assert answer.stdout == ""


def test_auto_needs_a_startup_cost(coterie):
    for strategy in strategies(coterie):
        answer = coterie("schedule", "--strategy", strategy, "--workers", 4, "--work", 1, check=False)
        assert answer.returncode == 2
        assert "start-up cost" in answer.stderr


@pytest.mark.parametrize("strategy", ["greedy", "no-replication", "random-replication"])
def test_an_open_tail_is_told_with_both_expectations(coterie, tmp_path, strategy):
    trace = tmp_path / "open.csv"
    trace.write_text("duration,observed\n60,1\n80,1\n100,0\n150,0\n")
    risk = f"trace(file={trace}, estimator=kaplan-meier"
    asked = dict(strategy=strategy, workers=3, work=4, startup=0.05, chunks=8)
    answer = schedule(coterie, **asked, risk=risk + ")")
    assert answer["expected_work_if_gone"] <= answer["expected_work"]
    if strategy != "random-replication":  # whose workers have no more than they can do by the last interruption
        assert answer["expected_work_if_gone"] < answer["expected_work"]
        gone = lambda t: 0 if t <= 0.4 else 0.25 if t <= 80 / 150 else 0.5 if t <= 1 else 1
        assert answer["expected_work_if_gone"] == pytest.approx(recomputed(answer, gone), rel=1e-12)
    for tail in ("immortal", "gone"):
        assert schedule(coterie, **asked, risk=f"{risk}, tail={tail})")["expected_work_if_gone"] is None
    words = ["--strategy", strategy, "--workers", 3, "--work", 1.7, "--startup", 0.05, "--risk", risk + ")"]
    text = coterie("schedule", *words).stdout
    assert "interrupted at the last time seen, the expected work is" in text


@pytest.mark.parametrize("workers, work, startup, chunks, coteries",
                         [(1, 1.873, 0.431, 1, 1), (10, 1.05, 0.01, 10, 10), (25, 12.2151, 0.0367, 7, 20)])
def test_refined_is_no_worse_than_any_chart_of_lone_workers(coterie, workers, work, startup, chunks, coteries):
    """The last of a fixed number of chunks is smaller: it matters when even one worker alone runs it."""
    for risk in ("exponential(rate=1.843)", "weibull(shape=3, scale=0.3)"):
        asked = dict(workers=workers, work=work, startup=startup, chunks=chunks, coteries=coteries, risk=risk)
        least = max(schedule(coterie, strategy=chart, **asked)["expected_work"] for chart in GROUP)
        assert schedule(coterie, strategy="refined", **asked)["expected_work"] >= least * (1 - 1e-12)


@pytest.mark.parametrize("strategy", ["greedy", "brute", "cyclic-replication", "refined", "best"])
def test_of_counts_that_are_worth_the_same_the_smallest_is_taken(coterie, tmp_path, strategy):
    """Nobody who is ever interrupted lives to the end of a start-up: one chunk is worth as much as a million."""
    trace = tmp_path / "short.csv"
    trace.write_text("duration,observed\n0,1\n17.1,1\n785.6,1\n5832.9,1\n10295.6,0\n")
    answer = schedule(coterie, strategy=strategy, workers=2, work=0.997, startup=1,
                      risk=f"trace(file={trace}, estimator=kaplan-meier)")
    assert answer["chunks"] == 1


def test_a_chunk_that_ends_at_a_recorded_duration_is_done(coterie, tmp_path):
    """0.2 + 0.1 is a little more than the 0.3 that 30 of 100 are: five of seven spells last as long."""
    (tmp_path / "tie.csv").write_text("10\n20\n30\n40\n50\n70\n100\n")
    words = ["--workers", 1, "--work", 0.2, "--startup", 0.1, "--risk", "trace(file=tie.csv, format=durations)"]
    answer = json.loads(coterie("schedule", "--strategy", "no-replication", *words, "--chunks-per-slice", 1, "--format",
                                "json", cwd=tmp_path).stdout)
    assert answer["expected_work"] == pytest.approx(0.2 * 5 / 7, rel=1e-12)
    assert answer["tasks"][0]["finish"] == pytest.approx(0.3, rel=1e-15)


def test_instances_end_chunks_at_recorded_durations(coterie, tmp_path):
    """All of the omniscient's work where an interruption comes just when the chunk ends, nothing where it is sooner."""
    (tmp_path / "tie.csv").write_text("10\n20\n30\n40\n50\n70\n100\n")
    (tmp_path / "c.toml").write_text("""
seed = 1
instances = 2000
strategies = ["no-replication", "cyclic-replication", "random-replication", "greedy"]
[grid]
workers = 1
work = 0.2
chunks = 5
startup = 0.1
risk = "trace(file=tie.csv, format=durations)"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "c.h5") as file:
        ratio, reference = file["ratio"][0], file["reference"][0]
    # The omniscient has 0, 0.1, 0.2, 0.2, ... after 0.1, 0.2, 0.3, 0.4, ...: it loses nothing but what 0.2 cuts off.
    cut = abs(reference - 0.1) < 1e-9
    assert 0.05 < cut.mean() < 0.25  # 1/7; by Hoeffding's bound false in one of 10^14 seeds
    assert (ratio == (~cut).astype(float)).all()
    replay = json.loads(coterie("replay", "c.h5", "--configuration", 0, "--instance", 0, "--format", "json",
                                cwd=tmp_path).stdout)
    assert replay["workers"][0]["interruption"] in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1)  # as recorded


def test_a_schedule_without_a_task_goes_out_and_in(coterie, tmp_path):
    """A start-up cost that nobody lives through: the best is to do nothing."""
    words = ["--workers", 2, "--work", 1, "--startup", 2]
    text = coterie("schedule", "--strategy", "single-optimal", *words, "--format", "csv").stdout
    assert text == "worker,order,chunk,begin,end,finish\n"
    (tmp_path / "my.csv").write_text(text)
    answer = json.loads(coterie("schedule", "--import", "my.csv", *words, "--format", "json", cwd=tmp_path).stdout)
    assert answer["tasks"] == []
    assert answer["expected_work"] == answer["deployed_work"] == answer["chunks"] == 0
    for form in ("table", "csv", "svg"):
        assert coterie("schedule", "--import", "my.csv", *words, "--format", form, cwd=tmp_path).stdout
    (tmp_path / "c.toml").write_text("""
seed = 1
instances = 10
strategies = ["file(path=my.csv)", "no-replication"]
[grid]
workers = 2
work = 1
chunks = 2
startup = [0, 2]
risk = "linear"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    rows = json.loads(coterie("show", "c.h5", "--by", "startup", "--format", "json", cwd=tmp_path).stdout)
    assert "file(path=my.csv)" in json.dumps(rows)


def test_a_schedule_of_ones_own_asks_for_no_number_of_chunks(coterie, tmp_path):
    """Without start-up costs and with lives of any length no number of chunks is best; a file needs none."""
    words = ["--workers", 3, "--work", 1, "--startup", 0, "--risk", "weibull(shape=0.5, scale=1)"]
    made = ["schedule", "--strategy", "greedy", "--chunks", 6, *words, "--format"]
    (tmp_path / "my.csv").write_text(coterie(*made, "csv").stdout)
    answer = json.loads(coterie("schedule", "--import", "my.csv", *words, "--format", "json", cwd=tmp_path).stdout)
    assert answer["expected_work"] == pytest.approx(json.loads(coterie(*made, "json").stdout)["expected_work"])


def test_startup_in_wall_clock_time_ends_chunks_at_recorded_durations_too(coterie, tmp_path):
    (tmp_path / "tie.csv").write_text("30\n100\n")
    (tmp_path / "c.toml").write_text("""
seed = 1
instances = 100
strategies = ["no-replication"]
[grid]
workers = 1
work = 0.2
chunks = 5
startup = 0.1
risk = "trace(file=tie.csv, format=durations)"
background = ["mm1(arrival=0, service=0, startup=wall)", "mm1(arrival=0, service=0)"]
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "c.h5") as file:
        assert (file["ratio"][()] == 1).all()


def test_more_tasks_than_fit_are_refused(coterie):
    """31,621 chunks for each of a million workers."""
    done = coterie("schedule", "--strategy", "single-optimal", "--workers", 10**6, "--work", 500000, "--startup", 1e-9, "--risk",
                   "linear", check=False)
    assert done.returncode == 2 and "all workers together would have" in done.stderr
