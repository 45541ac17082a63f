"""The model dispatch: what is measured beside the ratio, the log of an instance, and the same bytes however it is run."""
import json
import resource
from xml.etree import ElementTree

import h5py
import numpy
import pytest
from result_testing import datasets

CAMPAIGN = """\
model = "dispatch"
seed = 7
instances = 600
strategies = ["greedy", "skip(greedy)", "help", "central", "random-replication"]
[grid]
workers = [2, 6]
work = "0.4 workers"
startup = 0.05
latency = [0, 0.1, inf]
"""
NAMES = ["greedy", "skip(greedy)", "help", "central", "random-replication"]
MEASURES = ["makespan", "machine_time", "wasted"]


@pytest.fixture
def campaign(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(CAMPAIGN)
    return path


def run(coterie, campaign, name, *options):
    result = campaign.with_name(name)
    coterie("run", campaign, "--output", result, "--quiet", *options)
    return result


@pytest.fixture(scope="module")
def result(coterie, tmp_path_factory):
    """Of the campaign; tests only read it."""
    path = tmp_path_factory.mktemp("dispatch") / "c.toml"
    path.write_text(CAMPAIGN)
    return run(coterie, path, "c.h5")


def test_the_same_bytes_for_any_number_of_threads_and_shards(coterie, campaign, tmp_path):
    one = datasets(run(coterie, campaign, "one.h5", "--threads", 1))
    assert set(MEASURES) <= set(one)
    assert datasets(run(coterie, campaign, "three.h5", "--threads", 3)) == one
    shards = [run(coterie, campaign, f"shard{i}.h5", "--shard", f"{i}/2") for i in (1, 2)]
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == one


def test_a_result_is_extended(coterie, campaign, result, tmp_path):
    whole = datasets(result)
    run(coterie, campaign, "part.h5", "--instances", 250)
    coterie("run", campaign, "--output", tmp_path / "part.h5", "--resume", "--quiet")
    assert datasets(tmp_path / "part.h5") == whole


def test_a_result_is_extended_by_strategies_and_configurations(coterie, campaign, result, tmp_path):
    whole = datasets(result)
    (tmp_path / "less.toml").write_text(CAMPAIGN.replace('"skip(greedy)", ', "").replace("[2, 6]", "[6]"))
    run(coterie, tmp_path / "less.toml", "part.h5")
    coterie("run", campaign, "--output", tmp_path / "part.h5", "--resume", "--quiet")
    assert datasets(tmp_path / "part.h5") == whole


def test_latencies_share_instances_with_one_another_and_with_worksharing(coterie, campaign, tmp_path):
    result = run(coterie, campaign, "dispatch.h5")
    text = CAMPAIGN.replace('"dispatch"', '"worksharing"').replace('"skip(greedy)", "help", "central", ', "")
    (tmp_path / "w.toml").write_text(text.replace("latency = [0, 0.1, inf]\n", ""))
    plain = run(coterie, tmp_path / "w.toml", "w.h5")
    with h5py.File(result) as heard, h5py.File(plain) as unheard:
        for c in range(6):
            assert (heard["reference"][c] == unheard["reference"][c // 3]).all()
            assert (heard["ratio"][c, [0, 4]] == unheard["ratio"][c // 3]).all()
            assert heard["latency"][c] == [0, 0.1, numpy.inf][c % 3]
        assert (heard["ratio"][2::3, 1] == heard["ratio"][2::3, 0]).all(), "nothing is heard"
        assert (heard["ratio"][:, 1].mean(axis=1) >= heard["ratio"][:, 0].mean(axis=1)).all()


def test_measures_fit_the_ratio(result):
    with h5py.File(result) as file:
        ratio, reference = file["ratio"][...], file["reference"][...][:, None, :]
        work = file["work"][...][:, None, None]
        makespan, machine_time, wasted = (file[name][...] for name in MEASURES)
        known = [i for i, name in enumerate(NAMES) if name != "random-replication"]
        assert numpy.isnan(makespan[:, -1]).all(), "its orders are drawn anew"
        completed = (ratio * reference)[:, known]
        assert (numpy.isfinite(makespan[:, known]) == (completed >= work - 1e-9)).all()
        useful = machine_time[:, known] - wasted[:, known]
        assert (useful >= completed - 1e-9).all() and (wasted[:, known] >= 0).all()
        assert file["makespan"].attrs["long_name"] == "time when all work was completed; inf: never"
        assert file["wasted"].attrs["units"] == "work"


def expected_measures(file, configurations, strategy):
    """Mean over configurations of the share that got there, when half and 95 % of all instances had, and means."""
    ends = numpy.sort(file["makespan"][...][configurations, strategy], axis=1)
    count = ends.shape[1]
    return [numpy.isfinite(ends).mean(), ends[:, (count + 1) // 2 - 1].mean(), ends[:, -(-count * 95 // 100) - 1].mean(),
            *(file[name][...][configurations, strategy].mean() for name in MEASURES[1:])]


COLUMNS = ["all_done", "makespan_q50", "makespan_q95", "machine_time", "wasted"]


def test_show_tells_makespans_and_machine_time(coterie, result):
    rows = json.loads(coterie("show", result, "--by", "latency", "--format", "json").stdout)
    never = 0
    with h5py.File(result) as file:
        for row in rows:
            if row["strategy"] == "random-replication":
                assert [row[name] for name in COLUMNS] == [None] * 5, "its orders are drawn anew"
                continue
            configurations = numpy.flatnonzero(file["latency"][...] == float(row["latency"]))
            for name, value in zip(COLUMNS, expected_measures(file, configurations, NAMES.index(row["strategy"]))):
                assert float(row[name]) == pytest.approx(value, rel=1e-9), name
            never += row["makespan_q95"] == "inf"
    assert 0 < never < len(rows), "a mean over those alone that got there would be finite"
    text = coterie("show", result).stdout
    assert "in half by" in text and "never" in text and "machine time" in text
    csv = coterie("show", result, "--format", "csv").stdout.splitlines()
    assert ",".join(COLUMNS) in csv[0]


def test_report_tells_what_show_tells(coterie, result, tmp_path):
    coterie("report", result, "--output", tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text()
    data = json.loads(page.split('<script type="application/json" id="data">')[1].split("</script>")[0])
    measured = data["cells"]["measured"]
    shown = json.loads(coterie("show", result, "--by", "workers", "--by", "work", "--by", "latency",
                               "--format", "json").stdout)
    assert len(shown) == len(measured["all_done"])
    for i, row in enumerate(shown):
        for name, key in zip(("all_done", "half_done_by", "most_done_by", "machine_time", "wasted"), COLUMNS):
            told = measured[name][i]
            assert row[key] == "inf" if told == "never" else told == pytest.approx(row[key], rel=1e-5) \
                if told is not None else row[key] is None
    assert "never" in measured["most_done_by"] and 'id="measured-table"' in page


def measured(coterie, folder, strategies, grid, instances=50):
    (folder / "m.toml").write_text(f"""model = "dispatch"
instances = {instances}
strategies = {json.dumps(strategies)}
[grid]
{grid}
""")
    return run(coterie, folder / "m.toml", "m.h5", "--force")


def test_machines_that_never_leave_work_on_and_are_not_interrupted(coterie, tmp_path):
    """Two of three spells are still open: such a machine stays for ever, and completes all of the work."""
    (tmp_path / "open.csv").write_text("host,start,end,observed\na,0,100,1\nb,0,200,0\nc,0,200,0\n")
    risk = 'risk = "trace(file=open.csv, format=intervals, unit=s)"'
    with h5py.File(measured(coterie, tmp_path, ["help", "central"], f"workers = 2\nwork = 10\nchunks = 10\nstartup = 0.01\n{risk}")) as file:
        helped, central = numpy.isfinite(file["makespan"][0])
        assert 0 < helped.sum() < len(helped) and (central == helped).all()
    result = measured(coterie, tmp_path, ["skip(no-replication)"], f"workers = 2\nwork = 0.9\nchunks = 10\nstartup = 0.01\n{risk}", 20)
    told = json.loads(coterie("replay", result, "--configuration", 0, "--instance", 0, "--count", 20, "--format", "json").stdout)
    stay = [(w, one) for one in told for w, worker in enumerate(one["workers"]) if worker["interruption"] is None]
    assert stay
    for worker, one in stay:
        events = {event["event"] for event in one["strategies"][0]["log"] if event["worker"] == worker}
        assert not events & {"is interrupted", "heard lost"}, one


def test_sums_of_very_many_chunks_leave_no_work_that_nobody_has(coterie, tmp_path):
    grid = 'workers = 1000\nwork = 1\nchunks = 220000\nstartup = 1e-6\nrisk = "exponential(rate=1e-6)"'
    with h5py.File(measured(coterie, tmp_path, ["skip(no-replication)"], grid, 2)) as file:
        assert numpy.isfinite(file["makespan"]).all()  # an interruption has probability 1e-6


def test_nobody_exceeds_the_ceilings(coterie, tmp_path):
    """Exact expectations never; means of policies within 6 standard errors (false alarm below 1e-8 a row)."""
    (tmp_path / "c.toml").write_text(CAMPAIGN.replace('"0.4 workers"', "[0.5, 2, 6]").replace("[0, 0.1, inf]", "[0, 0.1]"))
    result = run(coterie, tmp_path / "c.toml", "c.h5")
    with h5py.File(result) as file:
        static, listening = file["static_ceiling"][...], file["listening_ceiling"][...]
        expected = file["expected_work"][...]
        assert (numpy.nanmax(expected, axis=1) <= static * (1 + 1e-12)).all()
        assert (static <= listening).all() and (listening <= file["work"][...]).all()
        assert (listening < file["work"][...]).any(), "it tells something"
        work = file["ratio"][...] * file["reference"][...][:, None, :]
        errors = work.std(axis=2) / work.shape[2] ** 0.5
        assert (work.mean(axis=2) <= listening[:, None] + 6 * errors).all()
    shown = coterie("show", result).stdout
    assert "; static ceiling: " in shown and "; listening ceiling: " in shown


def test_a_schedule_of_the_user_is_a_static_strategy(coterie, tmp_path):
    (tmp_path / "mine.csv").write_text(
        "worker,begin,end\n0,0,0.25\n0,0.25,0.5\n1,0.25,0.5\n1,0,0.25\n1,0.5,0.75\n")
    text = CAMPAIGN.replace(json.dumps(NAMES), '["file(path=mine.csv)", "central", "skip(file(path=./mine.csv))"]') \
        .replace("[2, 6]", "2").replace('"0.4 workers"', "0.75")
    (tmp_path / "d.toml").write_text(text)
    (tmp_path / "w.toml").write_text(text.replace('"dispatch"', '"worksharing"').replace(', "central", "skip(file(path=./mine.csv))"', "")
                                     .replace("latency = [0, 0.1, inf]\n", ""))
    with h5py.File(run(coterie, tmp_path / "d.toml", "d.h5")) as heard, \
            h5py.File(run(coterie, tmp_path / "w.toml", "w.h5")) as plain:
        assert heard["strategy"].asstr()[2] == "skip(file(path=mine.csv))"
        assert (heard["ratio"][0, 2] > heard["ratio"][0, 0]).any() and (heard["ratio"][2, 2] == heard["ratio"][2, 0]).all()
        for c in range(3):
            assert (heard["ratio"][c, 2] >= heard["ratio"][c, 0]).all()
            assert (heard["ratio"][c, 0] == plain["ratio"][0, 0]).all()
            assert heard["expected_work"][c, 0] == plain["expected_work"][0, 0]
            assert numpy.isfinite(heard["machine_time"][c, 0]).all()
    (tmp_path / "bad.toml").write_text(text.replace("workers = 2", "workers = 1"))
    refused = coterie("validate", tmp_path / "bad.toml", check=False)
    assert refused.returncode == 2 and "bad.toml:6:1: workers = 1 does not fit the schedule" in refused.stderr
    (tmp_path / "bad.toml").write_text(text.replace('"central", "skip(file(path=./mine.csv))"', '"skip(file(path=no.csv))"'))
    refused = coterie("validate", tmp_path / "bad.toml", check=False)
    assert refused.returncode == 1 and "no.csv" in refused.stderr


def test_replay_tells_who_ran_what_and_what_was_heard(coterie, result):
    call = ("replay", result, "--configuration", 4, "--instance", 5)
    answer = json.loads(coterie(*call, "--format", "json").stdout)
    with h5py.File(result) as file:
        for s, row in enumerate(answer["strategies"][:4]):
            assert row["name"] == NAMES[s] and row["ratio"] == file["ratio"][4, s, 5]
            assert [row[name] for name in ("machine_time", "wasted")] == [file[name][4, s, 5] for name in MEASURES[1:]]
            times = [event["time"] for event in row["log"]]
            assert times == sorted(times)
            ends = [event["worker"] for event in row["log"] if event["event"] == "ends"]
            assert [ends.count(worker) for worker in range(6)] == row["tasks_done"]
    events = {event["event"] for row in answer["strategies"][1:4] for event in row["log"]}
    assert {"is given", "begins", "ends", "heard complete"} <= events
    shown = coterie(*call, "--strategy", "central").stdout
    for text in ("is given chunk 0, ", "begins chunk 0, ", "heard complete chunk "):
        assert text in shown
    assert "greedy" not in shown


def test_replay_tells_what_was_chosen_in_planning_runs(coterie, campaign):
    campaign.write_text(CAMPAIGN.replace('"random-replication"', '"adaptive"'))
    result = run(coterie, campaign, "c.h5", "--instances", 1)
    call = ("replay", result, "--configuration", 0, "--instance", 0)
    by_name = {row["name"]: row for row in json.loads(coterie(*call, "--format", "json").stdout)["strategies"]}
    assert [name for name, row in by_name.items() if "plan" in row] == ["central", "adaptive"]
    plan, chosen = by_name["central"]["plan"], by_name["adaptive"]["plan"]["chosen"]
    assert list(plan) == ["b", "c", "c_min", "first_chunks"] and plan["c_min"] in [0.05 * k for k in (1, 2, 3, 5, 10, 20)]
    (table,) = plan["first_chunks"]
    assert table["age"] == sorted(table["age"]) and all(a <= b for a, b in zip(table["age"], table["end"]))
    first = next(event for event in by_name["central"]["log"] if event["event"] == "is given")
    assert first["work"] <= plan["b"] * (table["end"][0] - 0.05) * (1 + 1e-12)
    shown = coterie(*call).stdout
    assert f"  plan: b {plan['b']:g}, c {plan['c']:g}, c_min {plan['c_min']:.12g}" in shown and f"  plan: chosen {chosen}" in shown


def test_replay_of_several_instances(coterie, campaign):
    result = run(coterie, campaign, "c.h5", "--instances", 5)
    call = ("replay", result, "--configuration", 0, "--strategy", "help")
    several = json.loads(coterie(*call, "--instance", 2, "--count", 3, "--format", "json").stdout)
    assert several == [json.loads(coterie(*call, "--instance", k, "--format", "json").stdout) for k in (2, 3, 4)]
    assert coterie(*call, "--instance", 2, "--count", 3).stdout == "".join(
        coterie(*call, "--instance", k).stdout for k in (2, 3, 4))
    for options, message in ((("--instance", 2, "--count", 4), "--count must be at most 3 from instance 2 on"),
                             (("--instance", 2, "--count", 0), "--count"),
                             (("--instance", 2, "--count", 1, "--format", "svg"), "leave out --count")):
        refused = coterie(*call, *options, check=False)
        assert refused.returncode == 2 and message in refused.stderr


def test_the_log_accounts_for_all_machine_time(coterie, result):
    for configuration, instance in ((0, 3), (1, 7), (3, 30), (4, 5), (5, 12)):
        answer = json.loads(coterie("replay", result, "--configuration", configuration, "--instance", instance,
                                    "--format", "json").stdout)
        lives = [worker["interruption"] for worker in answer["workers"]]
        for row in answer["strategies"][:4]:
            begun, spent, useful = {}, 0, 0
            for event in row["log"]:
                worker = event["worker"]
                assert event["event"].startswith("heard") or event["event"] == "is given" \
                    or event["time"] <= lives[worker] * (1 + 1e-9), "the dead do nothing"
                if event["event"] == "begins":
                    assert worker not in begun
                    begun[worker] = event["time"]
                elif event["event"] in ("ends", "drops", "is interrupted") and worker in begun:
                    spent += event["time"] - begun.pop(worker)
                    useful += event.get("new_work", 0)
            assert not begun, "what begins comes to an end"
            assert spent == pytest.approx(row["machine_time"], abs=1e-9)
            assert useful == pytest.approx(row["work"], abs=1e-9)


def test_replay_draws_one_strategy(coterie, result):
    call = ("replay", result, "--configuration", 4, "--instance", 1, "--format", "svg")
    picture = coterie(*call, "--strategy", "central").stdout
    root = ElementTree.fromstring(picture)
    assert root.tag.endswith("svg") and "central: ratio " in picture
    log = json.loads(coterie(*call[:-1], "json", "--strategy", "central").stdout)["strategies"][0]["log"]
    drawn = sum(event["event"] == "begins" for event in log)
    assert drawn > 0 and picture.count("<title>worker") == drawn
    refused = coterie(*call, check=False)
    assert refused.returncode == 2 and "choose it with --strategy" in refused.stderr
    refused = coterie(*call, "--strategy", "random-replication", check=False)
    assert refused.returncode == 2 and "no log of random-replication" in refused.stderr


def test_an_infinite_latency_is_told_as_it_is_written(coterie, result):
    call = ("replay", result, "--configuration", 2, "--instance", 1)
    assert json.loads(coterie(*call, "--format", "json").stdout)["configuration"]["notice"] == "inf"
    assert "  latency      inf\n" in coterie(*call).stdout
    shown = json.loads(coterie("show", result, "--by", "latency", "--format", "json").stdout)
    assert {row["latency"] for row in shown} == {0, 0.1, "inf"}


def test_errors_of_averages_know_that_latencies_share_instances(coterie, result):
    single = json.loads(coterie("show", result, "--by", "workers", "--by", "latency", "--format", "json").stdout)
    (together,) = [row for row in json.loads(coterie("show", result, "--format", "json").stdout)
                   if row["strategy"] == "greedy"]
    errors = [row["standard_error"] for row in single if row["strategy"] == "greedy"]
    assert len(errors) == 6 and together["standard_error"] == pytest.approx(sum(errors) / 6, rel=1e-9)


def central(coterie, tmp_path, text):
    """Ratios to the reference, and the reference, by instance."""
    (tmp_path / "c.toml").write_text(f'model = "dispatch"\nseed = 3\nstrategies = ["central"]\n{text}')
    coterie("run", "c.toml", "--output", "r.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "r.h5") as result:
        return result["ratio"][0, 0], result["reference"][0]


def test_who_is_gone_at_once_is_known_before_anything_is_given(coterie, tmp_path):
    """First chunks of 4.5: a lone survivor completes one, two complete all. The dead worker must not get the first."""
    (tmp_path / "lives").write_text("0\n5.5\n")
    ratios, _ = central(coterie, tmp_path, "instances = 100\n[grid]\nworkers = 2\nwork = 8\nchunks = 2\nstartup = 1\n"
                                           'risk = "trace(file=lives, normalise=none)"\nnotice = 0\n')
    assert ratios == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("prefetch, latency", [(1, 0), (0, 0.05)])
def test_who_came_back_gets_the_chunk_that_fits(coterie, tmp_path, prefetch, latency):
    """Up for 2.9 of every 3 until 6: in each spell one chunk of 0.9 after a start-up cost of 2, none of half of it."""
    (tmp_path / "up").write_text("2.9\n2.9\n")
    (tmp_path / "down").write_text("0.1\n0.1\n")
    ratios, reference = central(
        coterie, tmp_path, "instances = 10\n[grid]\nworkers = 10\nwork = 90\nchunks = 1\nstartup = 2\nhorizon = 6\n"
        f"prefetch = {prefetch}\nlatency = {latency}\n"
        'risk = "trace(file=up, normalise=none)"\navailability = "renewal(down=trace(file=down, normalise=none), '
        'resume=0)"\n')
    assert reference == pytest.approx(10 * 2 * 0.9, rel=1e-9)
    assert ratios == pytest.approx(1, rel=1e-9)


def test_work_beyond_all_capacity_is_begun_all_the_same(coterie, tmp_path):
    """Each of two workers runs the 13 chunks of the optimum for one. False alarm: 5 standard errors."""
    ratios, reference = central(coterie, tmp_path, "instances = 2000\n[grid]\nworkers = 2\nwork = 1e7\nchunks = 1\n"
                                                   'startup = 0.01\nrisk = "linear"\n')
    sizes = [1 / 14 - 0.065 + (13 - k) / 100 for k in range(1, 14)]
    expected = sum(sizes) ** 2 + sum(size ** 2 for size in sizes)
    work = ratios * reference
    assert work.mean() == pytest.approx(expected, abs=5 * work.std() / 2000 ** 0.5)


def test_losses_again_and_again_take_no_more_memory(coterie, tmp_path):
    """Of each of 20 workers some 450 losses, each with thousands of chunks left: 1 GB, if all are remembered."""
    def limited():
        resource.setrlimit(resource.RLIMIT_DATA, (400_000_000, 400_000_000))

    (tmp_path / "back.toml").write_text(
        'model = "dispatch"\nseed = 1\ninstances = 1\nstrategies = ["help"]\n[grid]\nworkers = 20\nwork = 20000\n'
        'startup = 0.01\nrisk = "exponential(rate=1)"\nhorizon = 500\n'
        'availability = "renewal(down=exponential(rate=10))"\n')
    coterie("run", tmp_path / "back.toml", "--output", tmp_path / "back.h5", "--threads", 1, "--quiet", preexec_fn=limited)


def test_adaptive_is_the_same_whatever_strategies_run_beside_it(coterie, tmp_path):
    """Where it runs as another does, that one is run once for both."""
    found = {}
    for names in (["adaptive"], ["adaptive", "central", "help", "skip(best)"], ["skip(best)", "help", "central", "adaptive"]):
        (tmp_path / "c.toml").write_text(f"""model = "dispatch"
seed = 5
instances = 100
strategies = {json.dumps(names)}
[grid]
workers = 3
work = [1, 3]
startup = 0.03
latency = [0, 0.1, inf]
notice = 0
risk = "linear"
""")
        coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", cwd=tmp_path)
        with h5py.File(tmp_path / "c.h5") as file:
            at = names.index("adaptive")
            found[len(found)] = [file[key][:, at] for key in ("ratio", "makespan", "machine_time", "wasted")]
            if len(names) > 1:
                alike = [any((file["ratio"][c, at] == file["ratio"][c, s]).all() for s in range(4) if s != at)
                         for c in range(6)]
                assert any(alike)  # so it does run as another
    for other in (1, 2):
        for one, same in zip(found[0], found[other]):
            assert numpy.array_equal(one, same, equal_nan=True)
