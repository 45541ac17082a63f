"""coterie report: one HTML page of a result, for every model; in headless Chromium where one is installed."""
import concurrent.futures
import html
import json
import re
import shutil
import struct
import subprocess
import time

import h5py
import numpy
import pytest

TITLE = '</script><script>document.title="taken"</script> & "co" /*CSS*/ <!--DATA-->'

WORKSHARING = f"""
title = '{TITLE}'
seed = 1
instances = 50
strategies = ["greedy", "no-replication", "random-replication"]
baseline = "no-replication"
[grid]
workers = [3, 5]
work = "0.5 workers"
startup = [0.1, 0.01]
risk = ["linear", "exponential(rate=1)"]
"""
MODELS = {"heterogeneous": "heterogeneous-baselines", "return-messages": "return-messages-fig07", "now": "now-orders",
          "background": "time-varying-fig07-jobs"}


@pytest.fixture
def result(coterie, tmp_path):
    (tmp_path / "c.toml").write_text(WORKSHARING)
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    return tmp_path / "c.h5"


def page_of(coterie, result, *more):
    coterie("report", result.name, *more, cwd=result.parent)
    return result.with_suffix(".html").read_text()


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


def test_says_where_the_page_is(coterie, result):
    done = coterie("report", result.name, cwd=result.parent)
    assert done.stdout == "c.html\n"
    coterie("report", result.name, "--output", "other.html", cwd=result.parent)
    assert (result.parent / "other.html").read_text() == (result.parent / "c.html").read_text()


def test_a_page_that_several_write_at_once_is_whole(coterie, result):
    expected = page_of(coterie, result)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: coterie("report", result.name, cwd=result.parent, check=False), range(8)))
    assert [one.returncode for one in done] == [0] * 8, [one.stderr for one in done]
    assert result.with_suffix(".html").read_text() == expected
    assert not list(result.parent.glob("*.partial-*"))


def test_a_shard_is_told_with_what_runs_it_again(coterie, result):
    coterie("run", "c.toml", "--output", "s.h5", "--shard", "2/3", "--quiet", cwd=result.parent)
    assert data_of(page_of(coterie, result.with_name("s.h5")))["provenance"]["shard"] == "2/3"
    assert "shard" not in data_of(page_of(coterie, result))["provenance"]


def test_the_page_needs_nothing_else(coterie, result):
    page = page_of(coterie, result)
    assert "default-src 'none'" in page
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert address.startswith("data:")
    assert set(re.findall(r"https?://[\w./]+", page)) <= {
        "http://www.w3.org/2000/svg", "https://github.com/leeoniya/uPlot"}  # the second in a comment: whose library it is


def test_texts_of_files_stay_texts(coterie, result):
    page = page_of(coterie, result)
    assert 'taken"</script>' not in page
    assert f"<title>{html.escape(TITLE)}</title>" in page.replace("&#39;", "&#x27;")
    assert data_of(page)["title"] == TITLE
    assert page.count("<script") == 3


def test_numbers_are_those_of_show(coterie, result):
    data = data_of(page_of(coterie, result))
    words = ["show", result, "--format", "json"]
    for axis in data["axes"]:
        words += ["--by", axis["name"]]
    rows = json.loads(coterie(*words).stdout)
    strategies, cells = data["strategies"], data["cells"]
    assert len(rows) == len(cells["mean"]) == 8 * 3
    for row in rows:
        key = [axis["values"].index(row[axis["name"]]) for axis in data["axes"]]
        at = cells["keys"].index(key) * 3 + strategies.index(row["strategy"])
        assert cells["mean"][at] == pytest.approx(row["mean"], rel=1e-5)
        assert cells["mean_error"][at] == pytest.approx(row["standard_error"], rel=1e-5)
        assert cells["expected"][at] == pytest.approx(row["expected_work"], rel=1e-5)
        assert cells["reference"][at // 3] == pytest.approx(row["reference"], rel=1e-5)
        assert cells["difference"][at] == pytest.approx(row["difference"], rel=1e-5, abs=1e-12)
        assert cells["difference_error"][at] == pytest.approx(row["difference_standard_error"], rel=1e-5, abs=1e-12)
        if row["strategy"] != "no-replication":
            assert cells["difference_freedom"][at] == pytest.approx(49, rel=1e-5)  # of 50 instances
    student = data["student"]
    assert len(student) == 101 and student[0] == pytest.approx(1.95996, rel=1e-5)
    assert student[100] == pytest.approx(12.7062, rel=1e-5) and student[20] == pytest.approx(2.57058, rel=1e-5)


def test_baseline_of_the_command_line(coterie, result):
    data = data_of(page_of(coterie, result, "--baseline", "greedy"))
    assert data["strategies"][data["baseline"]] == "greedy"


def test_risks_and_schedules_are_drawn(coterie, result):
    page = page_of(coterie, result)
    curves = {curve["name"]: curve["points"] for curve in data_of(page)["risks"]["curves"]}
    assert set(curves) == {"linear", "exponential(rate=1)"}
    assert all(y == pytest.approx(min(1, x), rel=1e-5) for x, y in curves["linear"])
    assert page.count("<figure>") == 2  # random orders have no picture


PLANNED = """instances = 20
strategies = ["greedy", "no-replication"]
[grid]
workers = [3, 50]
work = 1
chunks = 6
startup = 0.01
planned_risk = "PLANNED"
background = "mm1(arrival=0.5, service=2)"
"""


@pytest.mark.parametrize("planned", ["same", "capacity", "exponential(rate=2)"])
def test_schedules_are_drawn_whatever_they_are_planned_for(coterie, tmp_path, planned):
    (tmp_path / "c.toml").write_text(PLANNED.replace("PLANNED", planned))
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    page = page_of(coterie, tmp_path / "c.h5")
    assert re.findall("<figcaption>(.*?): workers = 3,", page) == ["greedy", "no-replication"]
    assert data_of(page)["risks"]["notes"] == []
    others = [] if planned in ("same", "capacity") else [f"planned for: {planned}"]
    assert [curve["name"] for curve in data_of(page)["risks"]["curves"]] == ["linear(kappa=1)", *others]


def test_risks_that_do_not_tell_alone_when_workers_are_interrupted(coterie, root, tmp_path):
    (tmp_path / "c.toml").write_text((root / "scripts/campaigns/return-messages-interruptions.toml").read_text())
    for more, told in ((["--set", "hazard=uniform(low=1, high=3)"], ["with hazard = uniform(low=1, high=3), these risks do "
                                                                     "not tell alone when workers are interrupted"]),
                       (["--set", "hazard=constant(value=1)"], [])):
        coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", "--instances", 2, *more, cwd=tmp_path)
        assert data_of(page_of(coterie, tmp_path / "c.h5"))["risks"]["notes"] == told


def test_a_trace_that_is_gone_is_told(coterie, tmp_path):
    (tmp_path / "t.txt").write_text("1\n2\n3\n")
    text = WORKSHARING.replace('"exponential(rate=1)"', '"trace(file=t.txt)"')
    (tmp_path / "c.toml").write_text(text)
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    (tmp_path / "t.txt").unlink()
    data = data_of(page_of(coterie, tmp_path / "c.h5"))
    assert [curve["name"] for curve in data["risks"]["curves"]] == ["linear"]
    assert "t.txt" in data["risks"]["notes"][0]
    assert re.search("No schedule is drawn: .*t.txt", (tmp_path / "c.html").read_text())


@pytest.mark.parametrize("name", ["x.pdf", "x.png", "x"])
def test_only_pages_are_written(coterie, result, name):
    done = coterie("report", result, "--output", name, check=False, cwd=result.parent)
    assert done.returncode == 2 and done.stderr.startswith(f"--output {name}: a report is an HTML page")
    assert not (result.parent / name).exists()


def test_infinite_values_have_no_place_on_an_axis(coterie, tmp_path):
    (tmp_path / "c.toml").write_text('model = "dispatch"\ninstances = 5\nstrategies = ["help"]\n[grid]\nworkers = 2\nwork = 1\n'
                                     "startup = 0.1\nlatency = [0.1, 0.2, inf]\n")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    data = data_of(page_of(coterie, tmp_path / "c.h5"))
    (latency,) = (axis for axis in data["axes"] if axis["name"] == "latency")
    assert latency["values"] == ["0.1", "0.2", "inf"] and not latency["numeric"]
    assert {one["name"]: one["value"] for one in data["constants"]}["horizon"] == "inf"


def words_of(coterie, tmp_path, instances, grid, strategies, more=""):
    (tmp_path / "c.toml").write_text(f"instances = {instances}\nstrategies = {json.dumps(strategies)}\n{more}\n[grid]\n{grid}")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    page = page_of(coterie, tmp_path / "c.h5")
    shown = {row["strategy"]: row for row in json.loads(coterie("show", tmp_path / "c.h5", "--format", "json").stdout)}
    words = html.unescape(re.search('<p id="words">(.*?)</p>', page, re.DOTALL)[1])
    assert words == data_of(page)["words"] and "nan" not in words
    return words, shown


ONE = 'workers = 4\nwork = 2\nstartup = 0.01\nrisk = "linear"'


def test_the_first_paragraph_tells_what_show_tells(coterie, tmp_path):
    words, shown = words_of(coterie, tmp_path, 200, ONE.replace("startup = 0.01", "startup = [0.01, 0.1]"),
                            ["no-replication", "greedy", "random-replication", "brute"], 'baseline = "no-replication"')
    means = {name: 100 * row["mean"] for name, row in shown.items()}
    best, *_, last = sorted(means, key=means.get, reverse=True)
    told = re.match(r"On average over 2 configurations ([\w-]+)(?: \(the baseline\))? reaches ([\d.]+) % of omniscient's work "
                    r"completed \(95 % interval: ± [\d.]+ points\), the most of 4 strategies; in [12] of 2 "
                    "settings no other is better", words)
    assert told[1] == best and float(told[2]) == pytest.approx(means[best], abs=0.06)
    for name in set(means) & {"no-replication", last}:
        value = re.search(rf"{name}(?: \(the baseline\))? (?:reaches|comes last with) ([\d.]+) %", words)
        assert float(value[1]) == pytest.approx(means[name], abs=0.06)
    kept = [row for row in shown.values() if row["expected_work"] is not None]
    expected = max(row["expected_work"] for row in kept)
    near = re.search(r"([\w-]+) is expected to complete ([\d.]+) % of the upper bound on the expected work of any static schedule\.$",
                     words)
    assert shown[near[1]]["expected_work"] == expected
    assert float(near[2]) == pytest.approx(100 * expected / kept[0]["static_ceiling"], abs=0.06)


@pytest.mark.parametrize("more, instances", [('variance_reduction = "exact"', 200), ('output = "statistics"', 500_000)])
def test_the_first_paragraph_rounds_no_value_out_of_its_interval(coterie, tmp_path, more, instances):
    grid = 'workers = 1\nwork = 0.123456\nstartup = 0\nchunks = 1\nrisk = "linear"'
    if "exact" not in more:
        grid = grid.replace("workers = 1", "workers = 3").replace("chunks = 1", "chunks = 7")
    words, shown = words_of(coterie, tmp_path, instances, grid, ["no-replication", "brute"][:1 if "exact" in more else 2], more)
    told = re.search(r"([\w-]+) reaches ([\d.]+) % of .*?± ([\d.e-]+) points", words)
    best = shown[told[1]]
    mean = best["mean"]
    assert abs(float(told[2]) - 100 * mean) <= float(told[3])
    if "exact" in more:
        assert mean == pytest.approx(1 - 0.123456, abs=1e-8)
        return
    told = re.search(r"([\d.]+) points less in the same instances \(95 % interval ([\d.]+) to ([\d.]+)\)", words)
    assert float(told[2]) < float(told[1]) < float(told[3])


def test_the_first_paragraph_of_one_strategy(coterie, tmp_path):
    words, _ = words_of(coterie, tmp_path, 50, ONE, ["greedy"])
    assert words.startswith("In the one configuration here greedy reaches") and "; it is the only strategy." in words


def test_the_first_paragraph_where_strategies_do_the_same(coterie, tmp_path):
    words, _ = words_of(coterie, tmp_path, 50, ONE.replace("4", "1"), ["greedy", "group-cyclic"])
    assert "group-cyclic does the same in every instance." in words


def test_the_first_paragraph_where_nobody_completes_anything(coterie, tmp_path):
    words, shown = words_of(coterie, tmp_path, 50, ONE.replace("0.01", "5"), ["greedy", "no-replication"])
    assert all(row["reference"] == 0 for row in shown.values())
    assert words == "In all instances that were run omniscient's work completed is 0: strategies cannot be compared."


def test_the_first_paragraph_of_a_single_instance_claims_no_interval(coterie, tmp_path):
    words, _ = words_of(coterie, tmp_path, 1, ONE, ["greedy", "no-replication"])
    assert "interval" not in words and "tell" not in words


def test_the_first_paragraph_tells_of_plans_as_they_turn_out(coterie, root, tmp_path):
    """Predicted and realised times average to nothing that anybody asked for."""
    coterie("run", root / "scripts/campaigns/time-varying-fig12.toml", "--instances", 5, "--quiet", "--output", tmp_path / "m.h5")
    rows = json.loads(coterie("show", tmp_path / "m.h5", "--by", "evaluation", "--format", "json").stdout)
    least = min((row for row in rows if row["evaluation"] == "realised"), key=lambda row: row["mean"])
    words = data_of(page_of(coterie, tmp_path / "m.h5"))["words"]
    told = re.match(r"On average over (\d+) configurations with evaluation realised ([\w-]+)(?: \(the baseline\))? needs ([\d.]+) %",
                    words)
    assert int(told[1]) == least["configurations"] and told[2] == least["strategy"]
    assert float(told[3]) == pytest.approx(100 * least["mean"], abs=0.06)


@pytest.mark.parametrize("seed", range(1, 7))
def test_the_first_paragraph_calls_nobody_last_by_chance(coterie, tmp_path, seed):
    words, shown = words_of(coterie, tmp_path, 20, ONE, ["greedy", "group-cyclic", "reverse", "brute"][seed % 2:], f"seed = {seed}")
    *_, last = sorted(shown, key=lambda name: -shown[name]["mean"])
    best = max(shown, key=lambda name: shown[name]["mean"])
    row = next(row for row in json.loads(coterie("show", tmp_path / "c.h5", "--baseline", best, "--format", "json").stdout)
               if row["strategy"] == last)
    behind = abs(row["difference"]) > 2.1 * row["difference_standard_error"]  # Student's t of 19: 2.093
    assert (f"{last} comes last with" in words) == behind


def test_the_first_paragraph_where_less_is_better(coterie, root, tmp_path):
    coterie("run", root / "scripts/campaigns/time-varying-fig07-jobs.toml", "--instances", 5, "--quiet", "--output",
            tmp_path / "m.h5")
    data = data_of(page_of(coterie, tmp_path / "m.h5"))
    (least, *_) = sorted(json.loads(coterie("show", tmp_path / "m.h5", "--format", "json").stdout), key=lambda row: row["mean"])
    assert re.search(f"{least['strategy']}(?: .the baseline.)? needs .* of clairvoyant's finishing time.*the least of", data["words"])


OTHER_METRICS = {
    "predicted": ('model = "background"\nstrategies = ["no-background", "control-alone"]\n[grid]\nprocessors = 3\n'
                  'evaluation = "predicted"\n', "'s predicted finishing time is [\\d.]+ % of clairvoyant's finishing time",
                  "predicted finishing time", "finishing time by clairvoyant", "time"),
    "enrolled": ('model = "return-messages"\nstrategies = ["opt-lifo"]\n[grid]\nworkers = 4\nmetric = "enrolled"\n',
                 " reaches [\\d.]+ % of opt-fifo's number of enrolled workers", "number of enrolled workers",
                 "number of enrolled workers by opt-fifo", "1"),
    "returned": ('model = "now"\nstrategies = ["lifo"]\n[grid]\nworkers = 4\nlifespan = 3600\nmetric = "returned"\n'
                 'risk = "exponential(rate=0.0001)"\n',
                 "'s work returned is [\\d.]+ % of fifo's expected work returned", "work returned",
                 "expected work returned by fifo", "grains")}


@pytest.mark.parametrize("metric", OTHER_METRICS)
def test_other_metrics_have_their_own_names(coterie, tmp_path, metric):
    text, words, name, reference, unit = OTHER_METRICS[metric]
    (tmp_path / "c.toml").write_text("seed = 3\ninstances = 30\n" + text)
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    data = data_of(page_of(coterie, tmp_path / "c.h5"))
    assert re.search(words, data["words"]), data["words"]
    assert data["model"]["metric"] == name
    with h5py.File(tmp_path / "c.h5") as result:
        assert result["reference"].attrs["long_name"] == reference and result["reference"].attrs["units"] == unit
        assert result["ratio"].attrs["long_name"].startswith(name + " / ")


def test_bad_input_is_told(coterie, result):
    (result.parent / "same.html").symlink_to(result)
    for words, message, code in ((["--baseline", "gredy"], "has only", 2), (["--output", result], "is an HTML page", 2),
                                 (["--output", "same.html"], "give the output another name", 2),
                                 (["stray"], "stray word", 2), (["--output", "no/such/folder/x.html"], "x.html", 1)):
        done = coterie("report", result, *words, check=False, cwd=result.parent)
        assert done.returncode == code and message in done.stderr
    assert coterie("report", "absent.h5", check=False).returncode == 1


@pytest.mark.parametrize("model", MODELS)
def test_every_model(coterie, root, tmp_path, model):
    coterie("run", root / "scripts" / "campaigns" / f"{MODELS[model]}.toml", "--instances", 5, "--quiet", "--output",
            tmp_path / "m.h5")
    data = data_of(page_of(coterie, tmp_path / "m.h5"))
    assert data["model"]["name"] == model
    assert len(data["cells"]["mean"]) == len(data["cells"]["keys"]) * len(data["strategies"])


def test_a_large_result_gives_a_small_page(coterie, tmp_path):
    # A hundred times a hundred settings of six strategies: 60 000 means, and 6 000 000 ratios.
    values = ", ".join(f"{1 + i / 100}" for i in range(100))
    (tmp_path / "c.toml").write_text(f"""
seed = 1
instances = 100
strategies = ["greedy", "no-replication", "brute", "cyclic-replication", "reverse", "mirror"]
baseline = "brute"
[grid]
workers = 2
work = [{values}]
chunks = 4
startup = [{", ".join(f"{i / 1000}" for i in range(100))}]
risk = "linear"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    began = time.monotonic()
    page = page_of(coterie, tmp_path / "c.h5")
    assert time.monotonic() - began < 30  # 3 s where nothing else runs
    assert len(page) < 2_000_000
    data = data_of(page)
    assert len(data["averaged"]) == 1 and len(data["cells"]["mean"]) == 600
    with h5py.File(tmp_path / "c.h5") as file:
        assert numpy.mean(data["cells"]["mean"][::6]) == pytest.approx(file["mean"][:, 0].mean(), rel=1e-5)


def test_a_large_result_with_one_axis_gives_a_small_page(coterie, tmp_path):
    (tmp_path / "c.toml").write_text("""
instances = 2
strategies = ["greedy", "group-cyclic", "reverse", "mirror", "snake", "fat-snake", "brute", "no-replication", "cyclic-replication"]
[grid]
workers = 2
work = 1
chunks = 2
startup = "0..0.1:0.000022"
risk = "linear"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    data = data_of(page_of(coterie, tmp_path / "c.h5"))
    assert data["configurations"] == 4546 and data["averaged"] == ["startup"] and len(data["cells"]["mean"]) == 9


# ---- In a browser ----------------------------------------------------------------------------------------------------

def browse(page, folder, *words):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here: the page is not tested in a browser (scripts/setup --full installs it)")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
               "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
               "--disable-extensions", "--disable-dev-shm-usage", f"--user-data-dir={folder / 'profile'}", *words, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def test_renders_in_a_browser(coterie, result, tmp_path):
    page_of(coterie, result)
    shown = browse(result.with_suffix(".html"), tmp_path, "--dump-dom")
    assert html.escape(TITLE, quote=False) in shown[shown.index("<h1"):shown.index("</h1>")]
    for table in ("table", "curve-table", "provenance"):
        part = shown[shown.index(f'id="{table}"'):]
        assert part[:part.index("</table>")].count("<tr>") >= 3
    for chart in ("curve", "risk"):
        part = shown[shown.index(f'<div id="{chart}" class="plot">'):]
        assert "<canvas" in part[:part.index("<details")]
    assert "NaN" not in shown[:shown.index("<script")] and "undefined" not in shown[:shown.index("<script")]


def test_shows_settings_as_they_were_set(coterie, tmp_path):
    (tmp_path / "c.toml").write_text("""
instances = 2
strategies = ["greedy"]
[grid]
workers = 2
work = [100001, 100002]
chunks = 2
startup = 0.0123456
risk = "exponential(rate=0.00001)"
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    page_of(coterie, tmp_path / "c.h5")
    shown = browse(tmp_path / "c.html", tmp_path, "--dump-dom")
    assert "startup = 0.0123456" in shown[shown.index('id="constants"'):]
    table = shown[shown.index('id="curve-table"'):]
    table = table[:table.index("</table>")]
    assert [f'<th scope="row">{work}</th>' in table for work in (100001, 100002)] == [True, True], table
    assert "100001" in re.search('aria-label="Curves.*?"', shown)[0]


def test_shows_the_intervals_of_show(coterie, result, tmp_path):
    """Of few instances, where Student's t is far from 1.96: 8 configurations of 3 instances."""
    coterie("run", "c.toml", "--output", "few.h5", "--instances", 3, "--quiet", cwd=result.parent)
    page_of(coterie, result.parent / "few.h5")
    shown = browse(result.parent / "few.html", tmp_path, "--dump-dom")
    table = shown[shown.index('id="table"'):]
    lines = {re.sub("<[^>]*>", "", re.split("</t[hd]>", line)[0]): [re.sub("<[^>]*>", "", cell) for cell in re.split("</t[hd]>", line)]
             for line in table[:table.index("</table>")].split("<tr>") if "</td>" in line}
    for row in json.loads(coterie("show", result.parent / "few.h5", "--format", "json").stdout):
        cells = lines[row["strategy"]]
        assert len(cells) > 6
        assert float(cells[1]) == pytest.approx(100 * row["mean"], abs=5.1e-4)
        assert float(cells[4]) == pytest.approx(row["expected_work"], rel=1e-4)
        if row["strategy"] == "no-replication":
            continue
        ends = [float(end.replace("\u2212", "-")) for end in cells[6].split(" \u2026 ")]
        assert ends == pytest.approx([100 * row["difference_low"], 100 * row["difference_high"]], abs=0.011)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_renders(coterie, root, tmp_path, model):
    coterie("run", root / "scripts" / "campaigns" / f"{MODELS[model]}.toml", "--instances", 5, "--quiet", "--output",
            tmp_path / "m.h5")
    page_of(coterie, tmp_path / "m.h5")
    shown = browse(tmp_path / "m.html", tmp_path, "--dump-dom")
    assert shown.count("<path") >= 1
    assert "NaN" not in shown[:shown.index("<script")]


def test_makespans_are_shown_where_they_are_measured(coterie, result, tmp_path):
    (tmp_path / "c.toml").write_text('model = "dispatch"\ninstances = 60\nstrategies = ["greedy", "central", '
                                     '"random-replication"]\n[grid]\nworkers = 3\nwork = [0.4, 3]\nstartup = 0.05\n')
    coterie("run", tmp_path / "c.toml", "--output", tmp_path / "m.h5", "--quiet")
    page_of(coterie, tmp_path / "m.h5")
    shown = browse(tmp_path / "m.html", tmp_path, "--dump-dom")
    table = shown[shown.index('id="measured-table"'):]
    table = table[:table.index("</table>")]
    assert table.count("<tr>") == 4 and "machine time" in table
    assert "never" in table and "–" in table, "of W = 3 never; nobody measured the third"
    assert "NaN" not in shown[:shown.index("<script")] and "Infinity" not in shown[:shown.index("<script")]
    page_of(coterie, result)
    assert 'id="measured-table"' not in browse(result.with_suffix(".html"), tmp_path, "--dump-dom")


@pytest.mark.parametrize("width", [360, 1280])
def test_fits_phone_and_desktop(coterie, result, tmp_path, width):
    page = page_of(coterie, result)
    # The page in a frame of that width (windows of Chromium are not narrower than 500), asked how wide it became.
    probe = tmp_path / "probe.html"
    probe.write_text(page.replace("addEventListener(\"resize\"", "document.title = `wide ${document.documentElement."
                                  "scrollWidth} of ${innerWidth}`; parent.document.title = document.title;\n"
                                  "addEventListener(\"resize\"", 1))
    frame = tmp_path / "frame.html"
    frame.write_text(f'<title>none</title><link rel="icon" href="data:,"><iframe src="probe.html" style="border:0;width:{width}px;height:900px"></iframe>')
    shown = browse(frame, tmp_path, "--allow-file-access-from-files", "--dump-dom", "--window-size=1400,900")
    wide, room = map(int, re.search(r"<title>wide (\d+) of (\d+)</title>", shown).groups())
    assert room == width and wide <= width


def test_prints_and_draws(coterie, result, tmp_path):
    page_of(coterie, result)
    pdf, png = tmp_path / "page.pdf", tmp_path / "page.png"
    browse(result.with_suffix(".html"), tmp_path, f"--print-to-pdf={pdf}")
    assert pdf.read_bytes().startswith(b"%PDF") and pdf.stat().st_size > 10_000
    browse(result.with_suffix(".html"), tmp_path, f"--screenshot={png}", "--window-size=1000,800")
    header = png.read_bytes()[:24]
    assert header[1:4] == b"PNG" and struct.unpack(">II", header[16:24]) == (1000, 800)
