"""Workers that differ: mix(WEIGHT : RISK, ...), and traces with an age for each worker."""

import json
import math
import random
import re

import h5py
import pytest

CAMPAIGN = """
seed = 5
instances = 6000
strategies = [{strategies}]
[grid]
workers = {workers}
work = {work}
chunks = {chunks}
startup = {startup}
risk = '{risk}'
"""


@pytest.fixture
def campaign(coterie, tmp_path):
    """Runs a campaign of one configuration; returns what show and replay say."""

    def run(risk, workers=4, work=2, chunks=6, startup=0.02, strategies=("greedy", "no-replication")):
        names = ", ".join(f'"{name}"' for name in strategies)
        (tmp_path / "c.toml").write_text(CAMPAIGN.format(strategies=names, workers=workers, work=work, chunks=chunks,
                                                         startup=startup, risk=risk))
        coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", cwd=tmp_path)
        return tmp_path / "c.h5"

    def replay(path, instance):
        return json.loads(coterie("replay", path.name, "--configuration", 0, "--instance", instance, "--format",
                                  "json", cwd=path.parent).stdout)

    run.replay = replay
    return run


def facts(path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(path) as file:
        return {name: file[name][()] for name in ("expected_work", "reference", "ratio", "identity")}


def linear(kappa):
    return lambda t: min(1.0, max(0.0, kappa * t))


def test_each_worker_lives_with_the_risk_of_its_class(campaign):
    """One chunk each without replication: the exact expectation is a sum that can be written down."""
    path = campaign("mix(1 : linear(kappa=1/4), 3 : linear(kappa=2))", workers=4, work=2, chunks=2, startup=0.125,
                    strategies=["no-replication"])
    replay = campaign.replay(path, 0)
    risks = [worker["risk"] for worker in replay["workers"]]
    assert sorted(risks) == ["linear(kappa=0.25)"] + ["linear(kappa=2)"] * 3
    end = 0.5 + 0.125
    expected = sum(0.5 * (1 - linear(1 / 4 if "0.25" in risk else 2)(end)) for risk in risks)
    assert math.isclose(facts(path)["expected_work"][0, 0], expected, rel_tol=1e-12)


@pytest.mark.parametrize("risk", [
    "mix(2 : weibull(shape=0.5, scale=1), 1 : exponential(rate=0.5))",
    "mix(0.5 : trace(file=a.durations, age=drawn), 0.5 : trace(file=b.csv, estimator=kaplan-meier, unit=h))",
    "trace(file=a.durations, age=each(0, 30, 150))",
    "trace(file=a.durations, age=drawn)",
])
def test_what_happens_agrees_with_the_exact_expectation(campaign, tmp_path, risk):
    """Hoeffding on the completed work in [0, work]: wrong with probability below 1e-10 for each of the 12 means."""
    draw = random.Random(1)
    (tmp_path / "a.durations").write_text("".join(f"{draw.expovariate(0.01)!r}\n" for _ in range(200)))
    (tmp_path / "b.csv").write_text("host,start,end\n" + "".join(
        f"h{i},{i},{'-' if i % 5 == 0 else i + 3 + i * i % 97}\n" for i in range(60)))
    strategies = ("greedy", "no-replication", "cyclic-replication")
    path = campaign(risk, workers=6, work=3, chunks=5, strategies=strategies)
    found = facts(path)
    completed = found["ratio"][0] * found["reference"][0]
    radius = 3 * math.sqrt(math.log(2 / 1e-10) / (2 * completed.shape[1]))
    for strategy in range(len(strategies)):
        assert abs(completed[strategy].mean() - found["expected_work"][0, strategy]) < radius


def test_pictures_shade_each_worker_by_its_own_risk(coterie, tmp_path):
    (tmp_path / "t.durations").write_text("1\n2\n3\n4\n")
    def shades(more):
        risk = f"trace(file={tmp_path / 't.durations'}{more})"
        drawn = coterie("schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--chunks", 4, "--startup", 0.01,
                        "--risk", risk, "--format", "svg").stdout
        rows = re.findall(r'y="([\d.]+)" width="[\d.]+" height="[\d.]+" fill="#b03030" fill-opacity="([\d.]+)"', drawn)
        return {row: [opacity for of, opacity in rows if of == row] for row, _ in rows}
    young, old = shades(", age=each(0, 2.5)").values()
    assert len(young) == len(old) == 90 and young != old
    assert len(shades("")) == 1


def test_the_radius_would_see_the_mixture_in_place_of_the_classes(campaign):
    """Brute force on every worker: with classes that never and at once fail, the mixture and the classes are far apart.
    One worker of four always survives, so all work is done; under the mixture with probability 1 - (3/4)^4 only."""
    path = campaign("mix(1 : linear(kappa=1/1000), 3 : linear(kappa=1000))", workers=4, work=1, chunks=1, startup=0,
                    strategies=["brute"])
    assert facts(path)["expected_work"][0, 0] > 0.998


@pytest.mark.parametrize("risk, workers, work, startup", [
    ("mix(1 : hyperexponential(p=0.875, rate1=11.2, rate2=0.991), "
     "2 : trace(file=b.csv, estimator=kaplan-meier))", 25, 11.996, 0.1),
    ("mix(1 : exponential(rate=4), 1 : exponential(rate=0.25))", 12, 6, 0.02),
    ("trace(file=a.durations, age=drawn)", 9, 5, 0.05),
])
@pytest.mark.parametrize("chunks", ['"auto"', "9"])
def test_best_is_the_best_on_the_workers_that_are_there(campaign, tmp_path, risk, workers, work, startup, chunks):
    draw = random.Random(3)
    (tmp_path / "a.durations").write_text("".join(f"{draw.weibullvariate(1, 0.7)!r}\n" for _ in range(60)))
    (tmp_path / "b.csv").write_text("duration,observed\n" + "".join(f"{i},{i % 3 and 1}\n" for i in range(1, 31)))
    rivals = ("greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake", "refined", "no-replication",
              "cyclic-replication", "brute", "single-optimal")
    path = campaign(risk, workers=workers, work=work, chunks=chunks, startup=startup, strategies=("best", *rivals))
    best, *others = facts(path)["expected_work"][0]
    assert all(best >= other * (1 - 1e-12) for other in others), dict(zip(rivals, others))
    refined = others[rivals.index("refined")]
    assert all(refined >= other * (1 - 1e-12) for other in others[:6])
    assert best > refined * 1.0001  # who is where is worth knowing


def test_who_plans_by_one_risk_does_not_know_who_is_who(campaign, coterie, tmp_path):
    """best of the mixture and best of the workers: expected work is that of the workers in both."""
    risk = "mix(1 : exponential(rate=4), 1 : exponential(rate=0.25))"
    path = campaign(risk, workers=12, work=6, strategies=("best", "greedy"))
    knows = facts(path)["expected_work"][0]
    text = (tmp_path / "c.toml").read_text() + f"planned_risk = '{risk}'\n"
    (tmp_path / "c.toml").write_text(text)
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", cwd=tmp_path)
    guesses = facts(path)["expected_work"][0]
    assert knows[0] > guesses[0]
    assert knows[1] == guesses[1]


def test_ages_go_round_among_the_workers(campaign, tmp_path):
    (tmp_path / "a.durations").write_text("10\n20\n30\n40\n")
    path = campaign("trace(file=a.durations, age=each(0, 25), normalise=none)", workers=5)
    for instance in range(20):
        workers = campaign.replay(path, instance)["workers"]
        for number, worker in enumerate(workers):
            assert f"age={25 if number % 2 else 0}," in worker["risk"]
            assert worker["interruption"] in ([5, 15] if number % 2 else [10, 20, 30, 40])


def test_drawn_ages_stay_and_follow_the_stationary_law(campaign, tmp_path):
    """All spells last 100: the stationary age is uniform on [0, 100], the rest of each worker's life is certain.
    DKW: 600 workers stay within 0.14 of the uniform law but for twice in 10^10."""
    (tmp_path / "a.durations").write_text("100\n")
    path = campaign("trace(file=a.durations, age=drawn, normalise=none)", workers=600, work=10, chunks=1,
                    strategies=["no-replication"])
    first, second = (campaign.replay(path, instance)["workers"] for instance in (0, 1))
    assert first == second
    ages = sorted(float(worker["risk"].split("age=")[1].split(",")[0]) for worker in first)
    for rank, age in enumerate(ages):
        assert abs((rank + 0.5) / 600 - age / 100) < 0.14
    for worker in first:
        age = float(worker["risk"].split("age=")[1].split(",")[0])
        assert math.isclose(worker["interruption"], 100 - age, rel_tol=1e-9)


def test_the_same_mix_is_the_same_configuration_however_it_is_written(campaign, tmp_path):
    (tmp_path / "a.durations").write_text("10\n20\n")
    (tmp_path / "copy.durations").write_text("10\n20\n")
    one = facts(campaign("mix(1:linear, 0.5 : trace(file=a.durations))"))
    two = facts(campaign("mix( 1 : linear(kappa=1) , 1/2 : trace(file=copy.durations, normalise=longest))"))
    other = facts(campaign("mix(1 : linear, 0.6 : trace(file=a.durations))"))
    assert one["identity"].tolist() == two["identity"].tolist() != other["identity"].tolist()
    assert (one["ratio"] == two["ratio"]).all()


def test_the_files_of_all_classes_are_in_the_result(campaign, coterie, tmp_path):
    (tmp_path / "a.durations").write_text("10\n20\n")
    (tmp_path / "b.durations").write_text("10\n25\n")
    path = campaign("mix(1 : trace(file=a.durations), 1 : trace(file=b.durations))")
    (tmp_path / "b.durations").write_text("10\n26\n")
    done = coterie("replay", path.name, "--configuration", 0, "--instance", 0, check=False, cwd=tmp_path)
    assert done.returncode == 1 and "b.durations" in done.stderr


@pytest.mark.parametrize("risk, words", [
    ("mix(linear)", "WEIGHT : RISK"),
    ("mix(0 : linear)", "above 0"),
    ("mix(1 : lineer)", 'did you mean "linear"?'),
    ("mix(1 : mix(1 : linear))", "in one mix"),
    ("trace(file=a.durations, age=each())", "each"),
    ("trace(file=a.durations, age=each(1, -1))", "not below 0"),
    ("trace(file=a.durations, age=each(1, 21))", "no interruption"),
    ("trace(file=a.durations, age=each(1, 20))", "every worker is interrupted at once; choose a lower age"),
    ("trace(file=a.durations, age=young)", "stationary, drawn or each"),
])
def test_a_wrong_mix_is_refused_with_its_place(coterie, tmp_path, risk, words):
    (tmp_path / "a.durations").write_text("10\n20\n")
    (tmp_path / "c.toml").write_text(CAMPAIGN.format(strategies='"greedy"', workers=2, work=1, chunks=2, startup=0,
                                                     risk=risk))
    done = coterie("validate", "c.toml", check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.startswith("c.toml:10:1: ")


def test_verbs_that_know_one_risk_only_say_so(coterie, tmp_path):
    (tmp_path / "a.durations").write_text("10\n20\n")
    for risk in ("trace(file=a.durations, age=drawn)", "mix(1 : linear, 1 : trace(file=a.durations, age=drawn))"):
        done = coterie("schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--chunks", 2, "--risk", risk,
                       check=False, cwd=tmp_path)
        assert done.returncode == 2 and "age=stationary" in done.stderr
    (tmp_path / "p.toml").write_text('problem = "one-worker"\nwork = 1\nchunks = 3\nstartup = 0.1\n'
                                     'risk = "mix(1 : linear, 1 : exponential(rate=1))"\n')
    done = coterie("solve", tmp_path / "p.toml", check=False)
    assert done.returncode == 2 and "campaigns" in done.stderr


@pytest.mark.parametrize("strategy", ["greedy", "no-replication", "best", "random-replication", "two-workers"])
@pytest.mark.parametrize("risk", ["mix(1 : linear(kappa=2), 1 : linear(kappa=1/4))",
                                  "trace(file=a.durations, age=each(0, 15))"])
def test_schedule_expects_what_its_workers_do(coterie, campaign, tmp_path, strategy, risk):
    """The same as in a campaign, whose workers live each with its own risk; and no bound of workers that are alike."""
    (tmp_path / "a.durations").write_text("".join(f"{i}\n" for i in range(1, 41)))
    chunks = 1 if strategy == "two-workers" else 6
    words = ["--workers", 2, "--work", 1, "--chunks", chunks, "--startup", 0.02, "--risk", risk, "--format", "json"]
    answer = json.loads(coterie("schedule", "--strategy", strategy, *words, cwd=tmp_path).stdout)
    expected = facts(campaign(risk, workers=2, work=1, chunks=chunks, strategies=[strategy]))["expected_work"][0, 0]
    assert answer["expected_work"] == pytest.approx(expected, rel=1e-12)
    assert answer["expected_work_bound"] is None
    assert len(answer["worker_risks"]) == 2
    if strategy in ("greedy", "no-replication", "best"):
        csv = coterie("schedule", "--strategy", strategy, *words[:-1], "csv", cwd=tmp_path).stdout
        (tmp_path / "my.csv").write_text(csv)
        again = json.loads(coterie("schedule", "--import", "my.csv", *words[:4], *words[6:], cwd=tmp_path).stdout)
        assert again["expected_work"] == pytest.approx(expected, rel=1e-12)
        assert again["expected_work_bound"] is None


def test_list_names_trace_and_mix(coterie):
    rows = {row["name"]: row for row in json.loads(coterie("list", "risks", "--format", "json").stdout)}
    assert {"linear", "trace", "mix"} <= set(rows)
    names = [parameter["name"] for parameter in rows["trace"]["parameters"]]
    assert names[:7] == ["file", "format", "estimator", "tail", "sampling", "age", "normalise"]


def test_cyclic_replication_replicates_under_kaplan_meier(coterie, tmp_path):
    """Where Kaplan-Meier leaves mass, the local load is the last interruption known: not infinite, not nothing."""
    (tmp_path / "a.durations").write_text("duration,observed\n" + "".join(f"{i},{i % 3 and 1}\n" for i in range(1, 31)))
    risk = "trace(file=a.durations, estimator=kaplan-meier)"
    words = ("--workers", 5, "--work", 1, "--chunks", 21, "--startup", 0.001, "--risk", risk, "--format", "json")
    work = {name: json.loads(coterie("schedule", "--strategy", name, *words, cwd=tmp_path).stdout)
            for name in ("cyclic-replication", "no-replication")}
    assert len(work["cyclic-replication"]["tasks"]) > len(work["no-replication"]["tasks"])
    assert work["cyclic-replication"]["expected_work"] > work["no-replication"]["expected_work"]


def test_what_ends_with_a_life_of_a_given_age_counts_in_the_simulation_as_in_the_expectation(coterie, tmp_path):
    """Chunks end at observed lives less the workers' ages, but for rounding: both must round alike. Six standard errors
    of 20 means: false alarm 4e-8."""
    (tmp_path / "t.csv").write_text("duration,observed\n10,1\n20,1\n30,1\n40,1\n50,1\n70,0\n100,1\n")
    (tmp_path / "c.toml").write_text("""
        seed = 5
        instances = 2000
        strategies = ["greedy", "best", "no-replication", "cyclic-replication"]
        [grid]
        workers = 4
        work = [0.8, 1.2, 1.6, 2.0, 2.4]
        chunks = 10
        startup = 0.1
        risk = "trace(file=t.csv, estimator=kaplan-meier, age=each(10, 20))"
        """)
    coterie("run", tmp_path / "c.toml", "--output", tmp_path / "r.h5")
    with h5py.File(tmp_path / "r.h5") as file:
        done = file["ratio"][:] * file["reference"][:][:, None, :]
        error = done.std(axis=2, ddof=1) / done.shape[2]**0.5 + 1e-9
        assert (abs(done.mean(axis=2) - file["expected_work"][:]) < 6 * error).all()


def test_a_mix_of_one_class_is_drawn_as_that_class(coterie):
    words = ["--strategy", "greedy", "--workers", 4, "--work", 1, "--chunks", 20, "--format", "svg", "--risk"]
    assert coterie("schedule", *words, "mix(1 : linear)").stdout == coterie("schedule", *words, "linear").stdout


def report_of_greedy(coterie, folder, line):
    """The report of a small campaign with one more line in its grid."""
    (folder / "c.toml").write_text(f"""instances = 100
strategies = ["greedy"]
[grid]
workers = 3
work = 1
chunks = 6
startup = 0.01
risk = "exponential(rate=1)"
{line}
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", cwd=folder)
    coterie("report", "c.h5", "--output", "c.html", cwd=folder)
    return (folder / "c.html").read_text()


def test_pictures_of_reports_tell_what_the_table_tells(coterie, tmp_path):
    """Also of plans for another risk, and where only simulation knows."""
    told = re.search(r"greedy: expected work ([\d.]+) of 1", report_of_greedy(coterie, tmp_path, 'planned_risk = "linear"'))
    assert float(told[1]) == pytest.approx(facts(tmp_path / "c.h5")["expected_work"][0, 0], rel=1e-5)


def test_pictures_beside_jobs_say_that_their_times_are_without(coterie, tmp_path):
    for background in ("mm1(arrival=0.1, service=0.125)", "none"):
        page = report_of_greedy(coterie, tmp_path, f'background = "{background}"')
        assert ("times without background jobs" in page) == (background != "none")
