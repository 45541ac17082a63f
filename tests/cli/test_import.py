"""Schedules of users: coterie schedule --import, the strategy file(path=...) in campaigns and coterie plan."""
import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import h5py
import numpy
import pytest
from coterie import open_results
from coterie.curves import mean_difference

from result_testing import datasets

MINE = "worker,begin,end\n0,0,1\n0,1,2.5\n1,2,3\n1,0,1\n"
CAMPAIGN = """seed = 3
instances = 400
strategies = ["greedy", "file(path=mine.csv)"]
[grid]
workers = [2, 3]
work = 3
chunks = 4
startup = [0.01, 0.1]
risk = "linear(kappa=0.1)"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.csv").write_text(MINE)
    (tmp_path / "c.toml").write_text(CAMPAIGN)
    return tmp_path


def imported(coterie, *words, form="json", path="mine.csv", workers=2, work=3, check=True, **options):
    done = coterie("schedule", "--import", path, "--workers", workers, "--work", work, "--format", form, *words,
                   check=check, **options)
    return json.loads(done.stdout) if check and form == "json" else done


def test_expected_work_is_exact(coterie, folder):
    answer = imported(coterie, "--startup", 0.1, "--risk", "linear(kappa=0.1)", cwd=folder)
    # [0, 1) ends at 1.1 and 2.2, [1, 2) at 2.7, [2, 2.5) at 2.7 and 1.1, [2.5, 3) at 1.1.
    expected = (1 - .11 * .22) + (1 - .27) + .5 * (1 - .27 * .11) + .5 * (1 - .11)
    assert answer["expected_work"] == pytest.approx(expected, rel=1e-13)
    assert answer["deployed_work"] == 3 and answer["chunks"] == 4 - 1 and answer["chunk_size"] == 1.5
    assert answer["strategy"] == "file(path=mine.csv)"
    assert answer["expected_work"] <= answer["static_ceiling"] <= 3


@pytest.mark.parametrize("life, end, finish, expected", [
    ("0.6666666666666666", "0.6666666666666666", "0.6666666667", 0.6666666666666666),
    ("0.6666666665", "0.6666666667", "0.6666666664", 0)])
def test_rounded_finish_times_do_not_decide(coterie, tmp_path, life, end, finish, expected):
    """Under a trace, where a chunk is complete or not by the last digits of its end."""
    (tmp_path / "lives").write_text(f"{life}\n{life}\n")
    words = ["--risk", "trace(file=lives, normalise=none)", "--startup", 0]
    for column, value in (("", ""), (",finish", f",{finish}")):
        (tmp_path / "mine.csv").write_text(f"worker,begin,end{column}\n0,0,{end}{value}\n")
        answer = imported(coterie, *words, workers=1, work=end, cwd=tmp_path)
        assert answer["expected_work"] == expected <= answer["static_ceiling"] * (1 + 1e-12)


def test_the_ceiling_is_one_for_all_schedules(coterie, folder):
    words = ["--workers", 5, "--work", 2, "--startup", 0.01, "--format"]
    (folder / "best.csv").write_text(coterie("schedule", "--strategy", "best", *words, "csv").stdout)
    best = imported(coterie, "--startup", 0.01, workers=5, work=2, path="best.csv", cwd=folder)
    (folder / "poor.csv").write_text("worker,begin,end\n0,0,0.1\n")
    poor = imported(coterie, "--startup", 0.01, workers=5, work=2, path="poor.csv", cwd=folder)
    assert best["static_ceiling"] == poor["static_ceiling"] < 1.02 * best["expected_work"]
    table = imported(coterie, form="table", workers=5, work=2, path="poor.csv", cwd=folder).stdout
    assert "no static schedule can expect more than" in table


@pytest.mark.parametrize("strategy", ["greedy", "best", "brute", "cyclic-replication", "single-optimal", "snake"])
def test_round_trip(coterie, tmp_path, strategy):
    words = ["--workers", 5, "--work", 3.3, "--startup", 0.01, "--risk", "weibull(shape=0.7)", "--format"]
    ours = coterie("schedule", "--strategy", strategy, *words, "csv").stdout
    (tmp_path / "ours.csv").write_text(ours)
    assert coterie("schedule", "--import", "ours.csv", *words, "csv", cwd=tmp_path).stdout == ours
    json_of = [json.loads(coterie("schedule", *which, *words, "json", cwd=tmp_path).stdout)
               for which in (["--strategy", strategy], ["--import", "ours.csv"])]
    assert json_of[1]["expected_work"] == pytest.approx(json_of[0]["expected_work"], rel=2e-16)
    assert json_of[1]["tasks"] == json_of[0]["tasks"]
    svg = [coterie("schedule", *which, *words, "svg", cwd=tmp_path).stdout.splitlines()
           for which in (["--strategy", strategy], ["--import", "ours.csv"])]
    assert [line for line in svg[0] if "font-size=\"14\"" not in line] == [
        line for line in svg[1] if "font-size=\"14\"" not in line]


def test_all_forms(coterie, folder):
    (folder / "a, <b>.csv").write_text(MINE)
    for path in ("mine.csv", "a, <b>.csv"):
        table = imported(coterie, form="table", path=path, cwd=folder).stdout
        assert "deployed work 3 in 3 chunks of at most 1.5\n" in table
        ElementTree.fromstring(imported(coterie, form="svg", path=path, cwd=folder).stdout)
        rows = list(csv.DictReader(io.StringIO(imported(coterie, form="csv", path=path, cwd=folder).stdout)))
        assert [(row["worker"], row["order"], row["begin"], row["end"]) for row in rows] == [
            ("0", "1", "0", "1"), ("0", "2", "1", "2.5"), ("1", "1", "2", "3"), ("1", "2", "0", "1")]
    same = coterie("schedule", "--strategy", 'file(path="./a, <b>.csv")', "--workers", 2, "--work", 3, "--format",
                   "json", cwd=folder)
    assert json.loads(same.stdout) == imported(coterie, path="a, <b>.csv", cwd=folder)


@pytest.mark.parametrize("words,message", [
    (["--workers", 1], "mine.csv:5: E_WORKER: worker 1 needs at least 2 workers, not 1 (workers are numbered from 0)"),
    (["--work", 2.9], "mine.csv:4: E_RANGE: the chunk ends at 3, beyond the work of 2.9"),
    (["--chunks", 3], "--chunks: the schedule of a file is used as it is"),
    (["--chunks-per-slice", 3], "--chunks-per-slice: the schedule of a file"),
    (["--coteries", 1], "--coteries: the schedule of a file"),
    (["--lambda", 1], "--lambda: the schedule of a file"),
    (["--strategy", "greedy"], "give either --strategy NAME or --import FILE.csv"),
    (["--import", ""], "file"),
])
def test_what_cannot_be(coterie, folder, words, message):
    arguments = {"--import": "mine.csv", "--workers": 2, "--work": 3}
    arguments.update(zip(words[::2], words[1::2]))
    done = coterie("schedule", *(word for pair in arguments.items() for word in pair), check=False, cwd=folder)
    assert done.returncode == 2 and message in done.stderr and done.stdout == ""


@pytest.mark.parametrize("strategy,message", [
    ("file", '"path" is missing'), ("file()", '"path" is missing'), ("file(paht=mine.csv)", 'did you mean "path"?'),
    ("file(mine.csv)", "has no name"), ("file(path=mine.csv, unit=h)", 'unknown argument "unit"'),
    ("file(path=mine.csv", "parentheses"), ("greedy(path=mine.csv)", "unknown strategy"),
    ("filee(path=mine.csv)", "unknown strategy")])
def test_misspelt_expressions(coterie, folder, strategy, message):
    done = coterie("schedule", "--strategy", strategy, "--workers", 2, "--work", 3, check=False, cwd=folder)
    assert done.returncode == 2 and message in done.stderr
    (folder / "c.toml").write_text(CAMPAIGN.replace("file(path=mine.csv)", strategy))
    done = coterie("validate", "c.toml", check=False, cwd=folder)
    assert done.returncode == 2 and "c.toml:3" in done.stderr and message in done.stderr


def test_neither_strategy_nor_import(coterie):
    done = coterie("schedule", "--workers", 2, "--work", 3, check=False)
    assert done.returncode == 2 and "--strategy NAME or --import FILE.csv" in done.stderr


def test_missing_files(coterie, folder):
    done = coterie("schedule", "--import", "none.csv", "--workers", 2, "--work", 3, check=False, cwd=folder)
    assert done.returncode == 1 and "none.csv: cannot be opened" in done.stderr
    (folder / "mine.csv").unlink()
    done = coterie("validate", "c.toml", check=False, cwd=folder)
    assert done.returncode == 1 and "c.toml:3" in done.stderr and "mine.csv: cannot be opened" in done.stderr


def test_a_campaign_compares_it_with_others(coterie, folder):
    coterie("run", "c.toml", "--output", "r.h5", cwd=folder)
    with h5py.File(folder / "r.h5") as result:
        assert result["strategy"].asstr()[...].tolist() == ["greedy", "file(path=mine.csv)"]
        (checksum,) = result.attrs["trace_checksums"]
        assert checksum.endswith("  mine.csv")
        for k, (workers, startup) in enumerate(zip(result["workers"], result["startup"])):
            answer = imported(coterie, "--startup", startup, "--risk", "linear(kappa=0.1)", workers=int(workers),
                              cwd=folder)
            assert result["expected_work"][k, 1] == answer["expected_work"]
    rows = json.loads(coterie("show", "r.h5", "--baseline", "file(path=mine.csv)", "--format", "json", cwd=folder).stdout)
    assert {row["strategy"] for row in rows} == {"greedy", "file(path=mine.csv)"}
    replay = json.loads(coterie("replay", "r.h5", "--configuration", 1, "--instance", 7, "--strategy",
                                "file(path=./mine.csv)", "--format", "json", cwd=folder).stdout)
    assert [one["name"] for one in replay["strategies"]] == ["file(path=mine.csv)"]
    coterie("report", "r.h5", "--output", "r.html", cwd=folder)
    page = (folder / "r.html").read_text()
    assert "file(path=mine.csv): workers = 2" in page and "your own schedule" in page


@pytest.mark.parametrize("model, strategies", [("worksharing", ["file(path=mine.csv)"]),
                                               ("dispatch", ["file(path=mine.csv)", "skip(file(path=mine.csv))"])])
def test_schedules_of_files_alone_need_no_chunks(coterie, folder, model, strategies):
    text = CAMPAIGN.replace("[0.01, 0.1]", "0").replace("chunks = 4\n", "") + ("latency = 0\n" if model == "dispatch" else "")
    text = f'model = "{model}"\n' + text.replace('["greedy", "file(path=mine.csv)"]', json.dumps(strategies))
    (folder / "c.toml").write_text(text)
    coterie("validate", "c.toml", cwd=folder)

    (folder / "c.toml").write_text(text.replace(json.dumps(strategies), json.dumps([*strategies, "greedy"])))
    done = coterie("validate", "c.toml", cwd=folder, check=False)
    assert done.returncode == 2 and 'startup = 0 with chunks = "auto"' in done.stderr


def test_work_that_nobody_runs_is_told(coterie, folder):
    (folder / "c.toml").write_text(CAMPAIGN.replace("work = 3", "work = [3, 4]"))
    (folder / "mine.csv").write_text("worker,begin,end\n0,0.5,1\n0,1,2.5\n1,2,3\n")
    told = "mine.csv\n  warning: its chunks cover 2.5 of the work of 3: nobody runs the rest\n"

    for verb, words in [("validate", []), ("run", ["--output", "r.h5"])]:
        assert coterie(verb, "c.toml", *words, cwd=folder).stderr.count(told) == 1
    (folder / "mine.csv").write_text(MINE)
    (folder / "c.toml").write_text(CAMPAIGN)
    assert "nobody" not in coterie("validate", "c.toml", cwd=folder).stderr


def test_the_same_as_the_strategy_it_was_written_by(coterie, folder):
    words = ["--workers", 2, "--work", 3, "--chunks", 4, "--startup", 0.01, "--risk", "linear(kappa=0.1)", "--format",
             "csv"]
    (folder / "mine.csv").write_text(coterie("schedule", "--strategy", "greedy", *words).stdout)
    coterie("run", "c.toml", "--output", "r.h5", "--set", "workers=2", "--set", "startup=0.01", cwd=folder)
    with h5py.File(folder / "r.h5") as result:
        assert (result["ratio"][0, 0] == result["ratio"][0, 1]).all()
        assert result["expected_work"][0, 0] == result["expected_work"][0, 1]


def test_same_bytes_by_threads_shards_and_resuming(coterie, folder):
    coterie("run", "c.toml", "--output", "1.h5", "--threads", 1, cwd=folder)
    coterie("run", "c.toml", "--output", "3.h5", "--threads", 3, cwd=folder)
    for shard in (1, 2):
        coterie("run", "c.toml", "--output", f"s{shard}.h5", "--shard", f"{shard}/2", cwd=folder)
    coterie("merge", "s1.h5", "s2.h5", "--output", "merged.h5", cwd=folder)
    coterie("run", "c.toml", "--output", "grown.h5", "--set", 'strategies=["greedy"]', cwd=folder)
    coterie("run", "c.toml", "--output", "grown.h5", "--resume", cwd=folder)
    whole = datasets(folder / "1.h5")
    for name in ("3.h5", "merged.h5", "grown.h5"):
        assert datasets(folder / name) == whole
    coterie("run", folder / "1.h5", "--output", folder / "again.h5")  # from another folder
    assert datasets(folder / "again.h5") == whole


def test_a_changed_file_is_not_resumed(coterie, folder):
    coterie("run", "c.toml", "--output", "r.h5", cwd=folder)
    before = (folder / "r.h5").read_bytes()
    (folder / "mine.csv").write_text(MINE.replace("2.5", "2.25"))
    done = coterie("run", "c.toml", "--output", "r.h5", "--resume", "--instances", 500, check=False, cwd=folder)
    assert done.returncode == 2 and "changed: the file mine.csv" in done.stderr
    for words in (["replay", "r.h5", "--configuration", 0, "--instance", 0], ["run", "r.h5", "--output", "two.h5"]):
        done = coterie(*words, check=False, cwd=folder)
        assert done.returncode == 1 and "an input file changed" in done.stderr and "mine.csv" in done.stderr
    assert (folder / "r.h5").read_bytes() == before


def test_another_way_to_write_a_path_is_no_other_file(coterie, folder):
    (folder / "t.durations").write_text("1\n2\n3\n")
    (folder / "c.toml").write_text(CAMPAIGN.replace("linear(kappa=0.1)", "trace(file=t.durations)"))
    coterie("run", "c.toml", "--output", "r.h5", "--instances", 10, cwd=folder)
    (folder / "c.toml").write_text(CAMPAIGN.replace("linear(kappa=0.1)", "trace(file=./t.durations)"))
    coterie("run", "c.toml", "--output", "r.h5", "--resume", "--instances", 20, cwd=folder)


def test_a_schedule_from_a_pipe_is_refused_as_a_schedule(coterie, folder):
    done = imported(coterie, path="/dev/stdin", check=False, input=MINE, cwd=folder)
    assert done.returncode != 0 and "a schedule is read twice; save it to a file first" in done.stderr


@pytest.mark.parametrize("setting,place,message", [
    ("workers=[2, 1]", "--set workers", "workers = 1 does not fit the schedule"),
    ("work=[3, 2.5]", "--set work", "work = 2.5 does not fit the schedule"),
])
def test_validate_checks_every_configuration(coterie, folder, setting, place, message):
    done = coterie("validate", "c.toml", "--set", setting, check=False, cwd=folder)
    assert done.returncode == 2 and place in done.stderr and message in done.stderr and "mine.csv:" in done.stderr
    (folder / "c.toml").write_text(CAMPAIGN.replace("workers = [2, 3]", "workers = [1, 3]"))
    assert "c.toml:5" in coterie("validate", "c.toml", check=False, cwd=folder).stderr


def test_validate_checks_the_startup_cost(coterie, folder):
    (folder / "mine.csv").write_text("worker,begin,end,finish\n0,0,1,1.01\n")
    done = coterie("validate", "c.toml", check=False, cwd=folder)
    assert done.returncode == 2 and "c.toml:8" in done.stderr
    assert "startup = 0.1 does not fit the schedule" in done.stderr and "at 1.01 here, but at 1.1" in done.stderr


def test_one_file_twice(coterie, folder):
    twice = CAMPAIGN.replace('"greedy"', '"file(path=x/../mine.csv)"')
    (folder / "c.toml").write_text(twice)
    done = coterie("validate", "c.toml", check=False, cwd=folder)
    assert done.returncode == 2 and 'names "file(path=mine.csv)" twice' in done.stderr


def test_other_models_have_no_files(coterie, folder):
    done = coterie("validate", "c.toml", "--set", 'model="now"', check=False, cwd=folder)
    assert done.returncode == 2 and 'unknown strategy "greedy"' in done.stderr
    done = coterie("validate", "c.toml", "--set", 'model="now"', "--set", 'strategies=["file(path=mine.csv)"]',
                   check=False, cwd=folder)
    assert done.returncode == 2 and 'unknown strategy "file(path=mine.csv)"' in done.stderr


@pytest.mark.parametrize("extra", ['background = "mm1(arrival=0.5, service=1)"\n',
                                   'background = "mm1(arrival=0.5, service=1, startup=wall)"\n',
                                   'risk = "mix(1 : linear(kappa=.2), 1 : exponential(rate=.1))"\n', 'lambda = 0.5\n'])
def test_whatever_the_grid_has(coterie, folder, extra):
    (folder / "c.toml").write_text((CAMPAIGN if "risk" not in extra else CAMPAIGN[:CAMPAIGN.index("risk")]) + extra)
    coterie("run", "c.toml", "--output", "r.h5", "--instances", 100, cwd=folder)
    with h5py.File(folder / "r.h5") as result:
        ratio = result["ratio"][:, 1]
        assert (0 <= ratio).all() and (ratio <= 1).all() and ratio.mean() > 0.1


def test_plan_takes_it_in_seconds(coterie, tmp_path):
    words = ["--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 4, "--work", "20h", "--checkpoint",
             "5min", "--instances", 1000, "--format", "json"]
    ours = json.loads(coterie("plan", *words, "--strategy", "greedy", "--export", "s.csv", cwd=tmp_path).stdout)
    mine = json.loads(coterie("plan", *words, "--strategy", "file(path=s.csv)", cwd=tmp_path).stdout)
    (ours, *_), (mine, *_) = ours["options"], mine["options"]
    assert mine["policy"] == "file(path=s.csv)" and mine["parameters"]["chunks"] == ours["parameters"]["chunks"]
    for key in ("work_done", "all_done", "machine_time"):
        assert mine[key] == pytest.approx(ours[key], rel=1e-9)
    (exact,) = [one for one in json.loads(coterie("plan", *words, "--explain").stdout)["explain"]["strategies"]
                if one["strategy"] == "greedy"]
    alone = imported(coterie, "--startup", 300, "--risk", f"exponential(rate={1 / 36000})", path="s.csv", workers=4,
                     work=72000, cwd=tmp_path)
    assert alone["expected_work"] == pytest.approx(exact["expected_work"], rel=1e-12)


def test_plan_says_both_finish_times_in_seconds(coterie, tmp_path):
    (tmp_path / "s.csv").write_text("worker,begin,end,finish\n0,0,3600,3900\n")
    done = coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 4, "--work", "20h",
                   "--checkpoint", "6min", "--strategy", "file(path=s.csv)", check=False, cwd=tmp_path)
    assert done.returncode == 2 and "s.csv:2: E_FINISH" in done.stderr and "at 3900 here, but at 3960" in done.stderr


def test_it_is_listed_and_completed(coterie):
    rows = json.loads(coterie("list", "strategies", "--format", "json").stdout)
    found = [row for row in rows if row["name"] == "file"]
    assert [row["model"] for row in found] == ["worksharing", "dispatch"]
    assert all([one["name"] for one in row["parameters"]] == ["path"] for row in found)
    assert "\\-\\-import" in coterie("manual", "schedule").stdout
    assert "--import" in coterie("schedule", "--help").stdout and "--import" in coterie("completion", "answer", "bash", "schedule", "--").stdout


def test_exact_means_and_precision(coterie, folder):
    (folder / "c.toml").write_text('variance_reduction = "exact"\n' + CAMPAIGN)
    coterie("run", "c.toml", "--output", "r.h5", "--precision", 0.02, "--max-instances", 5000, cwd=folder)
    with h5py.File(folder / "r.h5") as result:
        assert numpy.isfinite(result["expected_ratio"][...]).all() and result.attrs["complete"] == 1


@pytest.mark.parametrize("output", ["ratios", "statistics"])
def test_schedules_of_equal_expectation_are_not_the_same_for_that(coterie, tmp_path, output):
    """Of 100 spells 97 are too short for either: 20 instances mostly show no difference, which is not to say there is none."""
    (tmp_path / "rare.durations").write_text("0.1\n" * 97 + "0.3\n" * 2 + "1\n")
    for name, end in (("A", 0.25), ("B", 0.75), ("copy", 0.25)):  # all expect 0.0075
        (tmp_path / f"{name}.csv").write_text(f"worker,begin,end\n0,0,{end}\n")
    toml = tmp_path / "c.toml"
    toml.write_text(f'''seed = 4
instances = 20
output = "{output}"
strategies = ["file(path=A.csv)", "file(path=B.csv)", "file(path=copy.csv)"]
baseline = "file(path=A.csv)"
[grid]
workers = 1
work = 1
chunks = 1
startup = 0
risk = "trace(file=rare.durations)"
''')
    alike = 0
    for seed in range(1, 7):
        coterie("run", toml, "--seed", seed, "--output", tmp_path / "r.h5", "--force")
        one, other, copy = json.loads(coterie("show", tmp_path / "r.h5", "--format", "json").stdout)
        assert one["expected_work"] == other["expected_work"]
        told = coterie("show", tmp_path / "r.h5").stdout
        assert ("same schedule" in told and "20 equal values" in told) if other["difference"] == 0 else (
            other["difference_low"] < other["difference_high"])
        assert copy["difference_low"] == copy["difference_high"] == 0
        with open_results(tmp_path / "r.h5") as results:
            low, high = mean_difference(results, "file(path=B.csv)", "file(path=A.csv)").interval
            assert low == pytest.approx(other["difference_low"], rel=1e-6)
            assert high == pytest.approx(other["difference_high"], rel=1e-6)
        alike += other["difference"] == 0
    assert alike > 0, "instances that show no difference were looked at"
