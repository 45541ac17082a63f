"""What figures, tables and summaries say and refuse; test_pages draws them all."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from coterie import curves, drawing, looks, names, open_results, pairs


def run_script(root, name, *arguments):
    return subprocess.run([sys.executable, root / "scripts" / "figures" / name, *map(str, arguments)],
                          capture_output=True, text=True, timeout=300)


def test_a_figure_has_the_same_bytes_each_time(root, campaign_results, tmp_path):
    for folder in ("once", "twice"):
        run_script(root, "figure_5.py", campaign_results / "e5-automatic-chunks.h5", "--output", tmp_path / folder)
    for suffix in ("png", "svg"):
        once, twice = ((tmp_path / folder / f"figure-5.{suffix}").read_bytes() for folder in ("once", "twice"))
        assert once == twice


def test_a_figure_of_something_else_fails_with_a_reason(root, small, tmp_path):
    done = run_script(root, "figure_9.py", small, "--output", tmp_path)
    assert done.returncode == 1
    assert "is not a trace" in done.stderr
    assert run_script(root, "figure_5.py", tmp_path / "none.h5").returncode == 1


def test_the_summary_sets_our_numbers_beside_the_printed_ones(root, campaign_results):
    done = run_script(root, "summary.py", campaign_results)
    assert done.returncode == 0, done.stderr
    for printed in ("85.2", "79.6", "27.4", "over 21", "21.7", "53.6", "56.5", "70.8"):
        assert printed in done.stdout
    assert "Table 5" in done.stdout
    assert "paper: measured traces / here: synthetic stand-ins" in done.stdout


def test_the_summary_tells_what_refined_and_best_gain_and_what_they_leave(root, campaign_results):
    text = run_script(root, "summary.py", campaign_results).stdout
    gains = text.split("beyond the paper")[1]
    for title in ("E1", "E2", "E3", "E4", "E5", "E6", "Traces"):
        assert f"\n{title} " in gains
    assert gains.count("refined") >= 7 and gains.count(" best ") >= 7
    assert "95 %" in gains and "no static" in gains and "left" in gains


def test_the_summary_sets_measured_traces_beside_the_stand_ins(root, campaign_results):
    text = run_script(root, "summary.py", campaign_results).stdout.split("measured traces of spot machines")[1]
    table = dict(re.findall(r"^ *([\w-]+(?: [\w()-]+)*)  +(\d+\.\d\d) ", text, flags=re.MULTILINE))
    assert {"synthetic stand-ins", "measured traces", "sdsc (synthetic)", "gcp-preemptible-2019", "bamboo-p3"} <= set(table)
    for title, name in (("synthetic stand-ins", "traces"), ("measured traces", "traces-measured")):
        with h5py.File(campaign_results / f"{name}.h5") as file:
            greedy = list(file["strategy"].asstr()).index("greedy")
            assert float(table[title]) == round(100 * file["ratio"][:, greedy].mean(), 2)


def test_figure_9_draws_kaplan_meier_where_spells_are_censored(root, tmp_path):
    """Half of the spells of gcp-preemptible-2019 are: 24 hours were survived by more than half of the machines."""
    import importlib.util
    spec = importlib.util.spec_from_file_location("figure_9", root / "scripts" / "figures" / "figure_9.py")
    figure_9 = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figure_9)
    for estimator, low, high in (("kaplan-meier", 0.35, 0.41), ("naive", 0.72, 0.78)):
        times, risk = figure_9.risk_of("trace(file=real/gcp-preemptible-2019/gcp-preemptible-2019.csv, "
                                       f"estimator={estimator}, unit=s)", root / "traces")
        at = times.searchsorted(23 / (89398.232 / 3600)) - 1
        assert low < risk[at] < high
        assert times[-1] == 1


def test_the_gains_are_drawn_with_their_intervals(root, campaign_results, tmp_path):
    done = run_script(root, "gains.py", campaign_results, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "paper: measured traces / here: synthetic stand-ins" in (tmp_path / "gains.txt").read_text()
    assert "best +" in done.stdout and " at ε = 0.1" in done.stdout
    done = run_script(root, "gains.py", tmp_path)
    assert done.returncode == 1 and "scripts/run" in done.stderr


def test_no_schedule_exceeds_the_ceiling(root, campaign_results):
    """The ceiling of static schedules holds for every strategy, and best comes near it somewhere."""
    near = 0
    for name in ("e1-workload", "e2-workers", "e3-chunks", "e4-startup", "e5-automatic-chunks", "e6-replication",
                 "traces"):
        with open_results(campaign_results / f"{name}.h5") as results:
            ceiling = results["static_ceiling"].values
            most = results["expected_work"].values.max(axis=1)
            assert (most <= ceiling * (1 + 1e-12)).all() and (ceiling <= results["work"].values).all(), name
            near += (most >= ceiling * (1 - 1e-3)).sum()
    assert near > 0


def test_the_distance_to_the_ceiling_is_told_and_none_is_above_it(root, campaign_results, tmp_path):
    names = ("e5-automatic-chunks", "traces")
    done = run_script(root, "static_ceilings.py", *(campaign_results / f"{name}.h5" for name in names))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("below the ceiling") == 2 and "xtremweb (synthetic)" in done.stdout
    shutil.copy(campaign_results / "e5-automatic-chunks.h5", tmp_path / "wrong.h5")
    with h5py.File(tmp_path / "wrong.h5", "r+") as file:
        file["static_ceiling"][0] = 0.5 * file["expected_work"][0].max()
    done = run_script(root, "static_ceilings.py", tmp_path / "wrong.h5")
    assert done.returncode == 1 and "above the ceiling" in done.stderr


def test_the_summary_of_an_empty_folder_says_what_to_run(root, tmp_path):
    done = run_script(root, "summary.py", tmp_path)
    assert done.returncode == 1 and "scripts/run" in done.stderr


def test_tables_of_time_varying_2019_stand_beside_the_printed_ones(root):
    done = run_script(root, "time_varying_tables.py")
    assert done.returncode == 0, done.stderr
    assert "Table II: no background jobs, (1a)-(1c): all printed digits agree" in done.stdout
    for number in ("I", "II", "III", "IV", "V"):
        assert f"\nTable {number}: " in "\n" + done.stdout
    lines = done.stdout.splitlines()
    for number in ("III", "V"):  # the printed shares are those of start times .303, .557, .765
        at = next(k for k, line in enumerate(lines) if line.startswith(f"paper, Table {number} "))
        assert lines[at].split()[-6:] == lines[at + 1].split()[-6:]


def test_times_are_measured(root):
    done = run_script(root, "time_varying_timing.py", "--trials", 200, "--repeat", 1)
    assert done.returncode == 0, done.stderr
    assert "Seconds for 200 trials" in done.stdout and done.stdout.count("processors,") == 8
    for varying, printed in (("workers", "2213 +182"), ("all", "2418 +267")):
        assert len(re.findall(rf"15 processors, {varying} vary, rates per [a-z-]+ +{printed} ", done.stdout)) == 2


def test_what_knowing_the_law_is_worth(root, background_results, tmp_path):
    done = run_script(root, "background_known_law.py", background_results / "background-known-law.h5")
    assert done.returncode == 0, done.stderr
    assert "Knowing the law of the background jobs is worth" in done.stdout and "startup=wall" in done.stdout
    done = run_script(root, "background_known_law.py", background_results / "time-varying-fig12.h5")
    assert done.returncode == 1 and "planned_risk" in done.stderr


def test_what_listening_is_worth(root, program, background_results, tmp_path):
    heads = [line for line in (root / "scripts/campaigns/value-of-listening.toml").read_text().splitlines()
             if not line.startswith("#")]
    head = "\n".join(heads[:heads.index("")]).replace("instances = 2000", "instances = 50")
    cases = "".join(f"[[case]]\nworkers = 3\nwork = 1\nstartup = 0.1\nlatency = {latency}\n" for latency in (0, 0.1))
    (tmp_path / "c.toml").write_text(f"{head}\n{cases}")
    program("run", tmp_path / "c.toml", "--output", tmp_path / "c.h5", "--quiet")
    done = run_script(root, "listening_table.py", tmp_path / "c.h5")
    assert done.returncode == 0, done.stderr
    assert "averaged over configurations" in done.stdout
    assert done.stdout.count("% of the distance of best from the omniscient.") == 2
    assert "any static <=" in done.stdout and "any listening <=" in done.stdout
    with h5py.File(tmp_path / "c.h5") as file:
        made = (file["makespan"][0, list(file["strategy"].asstr()).index("central")] < float("inf")).mean()
    told = [line.split() for line in done.stdout.split("and wasted machine time")[1].splitlines() if " central " in line]
    assert len(told) == 2 and abs(float(told[0][told[0].index("central") + 1]) - 100 * made) < 0.06
    done = run_script(root, "listening_table.py", background_results / "time-varying-fig12.h5")
    assert done.returncode == 1 and "model dispatch" in done.stderr


def test_all_that_a_folder_has_results_for_is_drawn_at_once(root, campaign_results, tmp_path):
    def draw(folder):
        return subprocess.run([root / "scripts" / "draw", folder], capture_output=True, text=True, timeout=300)

    nothing = draw(tmp_path)
    assert nothing.returncode == 1 and "run scripts/run" in nothing.stderr
    for name in ("e5-automatic-chunks", "e5-auto-paper", "e6-replication"):
        (tmp_path / f"{name}.h5").symlink_to(campaign_results / f"{name}.h5")
    done = draw(tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^([\w-]+): \d+\.\d s$", done.stderr, flags=re.MULTILINE) == ["figure-5", "figure-6", "gains", "summary"]
    assert {path.name for path in tmp_path.glob("*.txt")} == {"figure-5.txt", "figure-6.txt", "gains.txt", "summary.txt"}
    assert (tmp_path / "summary.txt").read_text() in done.stdout
    assert (tmp_path / "summary.txt").read_text() == run_script(root, "summary.py", tmp_path).stdout


SCRIPTS = sorted(path.name for path in (Path(__file__).resolve().parents[2] / "scripts" / "figures").glob("*.py"))


@pytest.fixture
def here(root, monkeypatch, capsys):
    """Runs a script in this process, which has all modules already: (exit status, what it printed, what it complained of)."""
    def run(name, *arguments):
        monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(root / "scripts" / "figures" / name), run_name="__main__")
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_has_the_same_rule_for_its_output(here, name, tmp_path):
    """--help; a file of an unknown format is refused before anything is read."""
    status, told, complaint = here(name, "--help")
    assert (status, complaint) == (0, "")
    figure = "--column" in told
    assert "--output PATH" in told and figure == ("--title" in told) == ("--name" in told)
    usage = re.sub(r"\[[^]]*\]", "", told.split("\n\n")[0])  # without what may be left out
    status, _, complaint = here(name, *re.findall(r"\b[A-Z][A-Z0-9-]*(?:\.h5)?\b", usage), "--output", tmp_path / "x.eps")
    assert status == 2, complaint
    known = ".png, .svg, .pdf" if figure else ".txt"
    assert f"x.eps: unknown format .eps; known are {known}" in complaint
    assert list(tmp_path.iterdir()) == []


def test_output_is_a_folder_or_a_file(here, small, tmp_path):
    def names():
        return sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())

    for given, expected in (("new", {"new/figure-5.pdf", "new/figure-5.png", "new/figure-5.svg", "new/figure-5.txt"}),
                            ("dotted.d/", {f"dotted.d/figure-5.{kind}" for kind in ("pdf", "png", "svg", "txt")}),
                            ("deep/a.SVG", {"deep/a.svg", "deep/a.txt"})):
        before = set(names())
        assert here("figure_5.py", small, "--output", f"{tmp_path}/{given}")[0] == 0
        assert set(names()) - before == expected
    status, _, complaint = here("figure_5.py", small, "--output", tmp_path / "a.png", "--name", "b")
    assert status == 2 and "--name is only for folders" in complaint
    status, _, complaint = here("figure_5.py", small, "--output", tmp_path, "--name", "../b")
    assert status == 2 and "must be a plain name" in complaint


def test_output_of_a_table_is_what_the_terminal_gets(here, campaign_results, tmp_path):
    _, printed, _ = here("static_ceilings.py", campaign_results / "traces.h5")
    for given, file in ((tmp_path / "t.txt", "t.txt"), (tmp_path, "static-ceilings.txt")):
        status, told, _ = here("static_ceilings.py", campaign_results / "traces.h5", "--output", given)
        assert status == 0 and told == f"{tmp_path / file}\n"
        assert (tmp_path / file).read_text() == printed


def test_the_caption_holds_the_means_and_the_differences_of_the_result(here, campaign_results, tmp_path):
    path = campaign_results / "e5-automatic-chunks.h5"
    status, told, _ = here("figure_5.py", path, "--output", tmp_path / "f.svg")
    assert status == 0
    caption = (tmp_path / "f.txt").read_text()
    assert caption in told
    with h5py.File(path) as file:
        names = list(file["strategy"].asstr())
        ratio = 100 * file["ratio"][:].mean(axis=(0, 2))
        sizes = f"{file['ratio'].shape[0]} configurations × {file['ratio'].shape[2]} instances"
    greedy = ratio[names.index("greedy")]
    for slug, name in (("best", "best"), ("no-replication", "no replication"), ("brute", "brute force")):
        mean = ratio[names.index(slug)]
        assert f" {name} {mean:.2f} ({mean - greedy:+.2f} ± " in caption
    assert f"greedy {greedy:.2f}" in caption and sizes in caption and "95 %" in caption
    assert "Brute force" in caption and "left out of the lower panels" in caption


def test_titles_come_back_only_when_asked_for(here, small, tmp_path):
    for more, titled in (((), False), (("--title",), True)):
        here("figure_5.py", small, "--output", tmp_path / "f.svg", *more)
        drawn = re.sub(r"<metadata>.*?</metadata>|<title>.*?</title>", "", (tmp_path / "f.svg").read_text(), flags=re.DOTALL)
        assert ("small, drawn as Fig. 5 of worksharing-2013" in drawn) == titled
        assert "small, drawn as Fig. 5 of worksharing-2013" in (tmp_path / "f.txt").read_text()


def sheet_with(half_width):
    sheet = drawing.Sheet("single")
    (axes,) = sheet.panels(1, (1, 1), 2)
    axes.set_ylim(0, 100)
    sheet.title = "A test"
    sheet.curve(axes, np.arange(10.0), np.full(10, 50.0), np.full(10, half_width), looks.style("greedy"))
    sheet.points(axes, np.arange(10.0), np.full(10, 30.0), np.full(10, half_width), looks.style("best"))
    bands, bars = len(axes.collections), len(axes.lines)
    sheet.finish()
    return sheet, bands - len(axes.collections), bars - len(axes.lines)


def test_a_source_line_names_every_build():
    def made_by(revision):
        return xr.Dataset({"ratio": (("configuration", "instance"), [[1.0]])}, attrs={
            "title": "t", "seed": [1], "coterie_version": "1", "git_revision": revision})
    assert drawing.source_of([made_by("aaa"), made_by("bbb")]).endswith("seed 1, coterie 1 (aaa), coterie 1 (bbb)")


def test_configurations_that_share_instances_have_no_bands(root, tmp_path):
    (tmp_path / "c.toml").write_text("""seed = 1
instances = 200
strategies = ["greedy", "no-replication"]
common_random_numbers = true
grid = {workers = [3, 5], work = [1, 2], chunks = 10, startup = 0.01}
""")
    subprocess.run([os.environ["COTERIE"], "run", "c.toml", "--quiet"], cwd=tmp_path, check=True)
    done = run_script(root, "figure_5.py", tmp_path / "c.h5", "--output", tmp_path / "figure")
    assert done.returncode == 0, done.stderr
    assert "No bands: configurations share their instances." in done.stdout
    assert "Bands" not in done.stdout


def test_zones_that_share_instances_have_no_bands(root, tmp_path):
    for shared in ("false", "true"):
        subprocess.run([os.environ["COTERIE"], "run", root / "scripts/campaigns/e5-zones.toml", "--set", "workers=[5, 6]", "--set",
                        f"common_random_numbers={shared}", "--instances", "20", "--quiet", "--force", "--output", "z.h5"],
                       cwd=tmp_path, check=True)
        done = run_script(root, "figure_5_zones.py", tmp_path / "z.h5", "--output", tmp_path / "figure")
        assert done.returncode == 0, done.stderr
        assert " ".join(done.stdout.split()).count("No bands: configurations share their instances.") == (shared == "true")


def test_captions_tell_which_instances_are_compared(root, campaign_results, tmp_path):
    for number, name in ((5, "e5-automatic-chunks"), (6, "e6-replication")):
        said = " ".join(run_script(root, f"figure_{number}.py", campaign_results / f"{name}.h5", "--output", tmp_path).stdout.split())
        assert ("the difference to greedy in the same instances" in said) == (number == 6)
        assert ("the difference to greedy, which has its own best instances" in said) == (number == 5)


def test_no_figure_calls_best_the_best_static_schedule(root):
    for path in sorted((root / "scripts").rglob("*.py")):
        assert "the best static schedule" not in path.read_text().replace("the best static schedule that was found", ""), path


def test_a_share_that_all_or_none_reach_has_no_known_error():
    assert np.isnan(curves.share_where_average_reaches(np.ones(5), 0.9).error)
    assert np.isnan(curves.share_where_average_reaches(np.zeros(5), 0.9).error)
    assert curves.share_where_average_reaches(np.linspace(0, 1, 50), 0.9).error > 0


def test_the_summary_weighs_configurations_alike_whatever_the_instances(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "scripts" / "figures")
    import summary
    ratio = np.full((2, len(summary.MEASURED_STRATEGIES), 8), np.nan)
    ratio[0, :, :2], ratio[1, :, :] = 0.2, 0.8
    results = xr.Dataset({"ratio": (("configuration", "strategy", "instance"), ratio),
                          "mean": (("configuration", "strategy"), np.nanmean(ratio, axis=2)),
                          "risk": ("configuration", ["linear", "linear"])}, {"strategy": list(summary.MEASURED_STRATEGIES)})
    monkeypatch.setattr(summary, "gap_closed", lambda *_: curves.Estimate(0.0, 0.0))
    assert summary.measured_rows(results, "all")[0][1] == "50.00"


def test_intervals_thinner_than_a_line_are_said_not_drawn():
    sheet, bands, bars = sheet_with(0.12)
    assert (bands, bars) == (2, 2)  # the band, the bars; their caps
    assert "at most ± 0.12 points, and not drawn" in sheet.caption and "Bands" not in sheet.caption
    assert "at most ± 0.025 points" in sheet_with(0.0244)[0].caption
    sheet, bands, bars = sheet_with(9.0)
    assert (bands, bars) == (0, 0)
    assert "Bands and bars: 95 % intervals." in sheet.caption and "not drawn" not in sheet.caption
    sheet, bands, bars = sheet_with(0.0)
    assert "interval" not in sheet.caption


def test_a_curve_that_squeezes_the_others_is_left_out_and_cut(small):
    """Brute force is left out of the differences; a few values far away are cut, and said."""
    results = open_results(small)
    try:
        assert pairs.compared([results]) == ["cyclic-replication", "no-replication"]
    finally:
        results.close()
    sheet = drawing.Sheet()
    (axes,) = sheet.panels(1, (1, 1), 2)
    values = np.concatenate([np.linspace(-4, 0, 99), [60.0]])
    pairs._scale(sheet, axes, [values], " of E3")
    assert axes.get_ylim()[1] < 5 and axes.get_ylim()[0] < -3.5
    assert "The lower panel of E3 is cut off: differences there range from -4 to +60 points." in sheet.caption


def test_the_error_of_a_difference_of_best_shares_is_that_of_fresh_samples():
    """Against the spread over independent samples: pairing makes it much smaller than that of either curve."""
    random = np.random.default_rng(5)
    differences, errors = [], []
    for _ in range(4000):
        base = random.uniform(0, 1, 500)
        other = np.clip(base + 0.05 * random.uniform(-1, 1.5, 500), 0, 1)
        curve = curves.best_share_difference(other, base, points=4)
        differences.append(curve.y)
        errors.append(curve.error)
    spread = np.std(differences, axis=0, ddof=1)
    np.testing.assert_allclose(np.mean(errors, axis=0), spread, rtol=0.06)
    assert (spread < 0.5 * curves.best_share_curve(base, 4).error).all()


def test_equal_ratios_have_no_error():
    """Nor do strategies that are the same, or shares that all of the best instances of are equal."""
    for value in (0.1, 1 / 3, 0.85):
        assert (curves.best_share_curve(np.full((7, 111), value)).error == 0).all()
    ratios = np.random.default_rng(3).uniform(size=1000)
    assert (curves.best_share_difference(ratios, ratios.copy()).error == 0).all()
    curve = curves.best_share_curve(np.minimum(ratios, 0.7), points=10)
    assert (curve.error[:2] == 0).all() and (curve.y[:2] == 0.7).all() and (curve.error[4:] > 0).all()


def test_every_strategy_and_policy_has_a_plain_name(program):
    """What the program lists and figures may show: no hyphens of slugs, no parentheses."""
    listed = re.findall(r"^([a-z][a-z0-9()-]*) {2,}\S", program("list", "strategies"), flags=re.MULTILINE)
    assert len(listed) > 40
    for slug in listed:
        if slug != "skip(file)" and slug != "file":
            assert not re.search("[-()_]", names.strategy_name(slug)), slug
    assert len({names.strategy_name(slug) for slug in names.STRATEGIES}) == len(names.STRATEGIES)


def test_styles_are_told_apart_in_grey():
    """Strategies that may meet in a figure differ in line or marker, not in colour alone."""
    for family in (("greedy", "refined", "best", "cyclic-replication", "no-replication", "random-replication", "brute"),
                   ("best", "skip(best)", "help", "central", "adaptive"),
                   ("opt-fifo", "opt-lifo", "fifo-inc-c", "fifo-inc-w", "best-pair", "best-expected")):
        seen = {(str(looks.STYLES[name][1]), looks.STYLES[name][2]) for name in family}
        assert len(seen) == len(family)
    assert len({str(one[1:]) for one in looks.SPARE_STYLES}) == len(looks.SPARE_STYLES)


def test_a_method_that_squeezes_the_others_is_cut_off(root):
    """Figs. 12 and 13 of time-varying-2019: only one whose times are all beyond those of the others."""
    far_off = runpy.run_path(str(root / "scripts/figures/time_varying_methods.py"))["far_off"]
    near = [np.array([1.0, 1.2]), np.array([1.1, 1.5])]
    assert far_off([*near, np.array([2.6, 2.7])]) == 2
    assert far_off([np.array([2.1]), *near]) == 0
    assert far_off([*near, np.array([1.9, 2.0])]) is None  # twice as long, and no more
    assert far_off([*near, np.array([1.3, 9.0])]) is None  # outliers are data


@pytest.fixture(scope="session", name="both_outputs")
def both_outputs_fixture(root, program, tmp_path_factory):
    """Two folders with results of the same campaigns, of statistics in the first and with all ratios in the other."""
    few = {"e5-automatic-chunks": (50, ["workers=5", "startup=0.1"]), "e5-auto-paper": (50, ["workers=5", "startup=0.1"]),
           "e6-replication": (50, ["workers=[10, 20]", "startup=[0.01, 0.001]"]),
           "traces": (50, ["workers=5", "work=[1, 3]", "startup=0.1"]),
           "time-varying-fig07-jobs": (20, []), "time-varying-fig07-processors": (20, []), "time-varying-fig12": (20, ["trials=50"]),
           "return-messages-fig08": (20, ["wc_ratio=[0.1, 10]"]),
           "return-messages-interruptions": (20, ["workers=3"]), "now-interruptions": (20, ["workers=3"])}
    folders = []
    for output in ("statistics", "ratios"):
        folders.append(tmp_path_factory.mktemp(output))
        for campaign, (instances, settings) in few.items():
            words = [word for setting in (*settings, f"output={output}") for word in ("--set", setting)]
            program("run", root / "scripts" / "campaigns" / f"{campaign}.toml", "--output", folders[-1] / f"{campaign}.h5",
                    "--instances", instances, "--quiet", *words)
    return folders


@pytest.mark.parametrize("name, campaigns", [
    ("figure_6.py", ["e6-replication"]), ("gains.py", [""]),
    ("time_varying_sweeps.py", ["time-varying-fig07-jobs", "time-varying-fig07-processors"]),
    ("interrupted_returns.py", ["return-messages-interruptions", "now-interruptions"])])
def test_what_statistics_tell_is_drawn_from_them(here, both_outputs, name, campaigns, tmp_path):
    """The same words and numbers as from ratios."""
    told = []
    for folder in both_outputs:
        code, _, err = here(name, *(folder / f"{one}.h5" if one else folder for one in campaigns), "--output", f"{tmp_path}/")
        assert code == 0, err
        told.append("".join(path.read_text() for path in sorted(tmp_path.glob("*.txt"))))
    assert told[0] == told[1] and len(told[0]) > 200


@pytest.mark.parametrize("name, campaigns, missing", [
    ("figure_5.py", ["e5-automatic-chunks"], "ratio"), ("summary.py", [""], "ratio"),
    ("time_varying_methods.py", ["time-varying-fig12"], "reference")])
def test_what_needs_single_ratios_says_so_of_statistics(here, both_outputs, name, campaigns, missing, tmp_path):
    code, _, err = here(name, *(both_outputs[0] / f"{one}.h5" if one else both_outputs[0] for one in campaigns),
                        "--output", f"{tmp_path}/")
    assert code == 1
    assert f'keep no "{missing}" of single instances' in err
    assert re.search(r": coterie run \S*/[a-z0-9-]+\.toml --set output=ratios --output OTHER\.h5$", err)
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [6, 7, 8])
def test_another_campaign_is_not_called_the_papers_figure(here, root, tmp_path, number):
    here(f"figure_{number}.py", root / "tests" / "data" / "result.h5", "--output", tmp_path / "f.svg")
    caption = (tmp_path / "f.txt").read_text()
    assert f"drawn as Fig. {number} of worksharing-2013" in caption and "traces" not in caption


def test_a_result_without_what_a_figure_needs_is_refused_in_words(here, root, tmp_path):
    status, _, said = here("figure_5_zones.py", root / "tests" / "data" / "result.h5", "--output", tmp_path / "f.svg")
    assert status == 1 and said == "figure-5-zones: no configuration has placement = packed; there are placement = known\n"


def test_own_traces_are_not_called_the_papers(here, program, tmp_path):
    for name, most in (("lab.txt", 97), ("lab.csv", 89)):
        (tmp_path / name).write_text("".join(f"{n * n % most + 1}\n" for n in range(40)))
    (tmp_path / "mine.toml").write_text('title = "Mine"\ninstances = 20\nstrategies = ["greedy", "no-replication"]\n[grid]\nworkers = 3\n'
                                        'work = 1\nstartup = 0.01\nrisk = ["trace(file=lab.txt)", "trace(file=lab.csv)"]\n')
    subprocess.run([os.environ["COTERIE"], "run", tmp_path / "mine.toml", "--quiet", "--output", tmp_path / "mine.h5"], check=True)
    for number in (7, 8, 9):
        status, told, _ = here(f"figure_{number}.py", tmp_path / "mine.h5", "--output", tmp_path / "f.svg")
        drawn = re.sub(r"<metadata>.*?</metadata>|<title>.*?</title>", "", (tmp_path / "f.svg").read_text(), flags=re.DOTALL)
        assert status == 0 and f"Mine, drawn as Fig. {number} of worksharing-2013." in told
        assert "paper:" not in told and "worksharing-2013" not in drawn
        if number > 7:
            assert {"lab.txt", "lab.csv"} <= set(re.findall(r"<!-- (\S+) -->", drawn))


def test_a_source_without_a_title_says_so():
    one = xr.Dataset({"ratio": (("configuration", "instance"), [[1.0]])}, attrs={"seed": [1], "title": "", "campaign_path": ""})
    assert drawing.source_of([one]).startswith("a campaign without a title, 1 configurations")


def test_ceilings_of_listening_are_not_below_best(root, program, tmp_path):
    """Where the omniscient completes all, the bound exceeds best's ratio in every instance, once chance is taken out of it."""
    subprocess.run([os.environ["COTERIE"], "run", root / "scripts/campaigns/listening-load.toml", "--set", 'work=["0.1 workers", "0.2 workers"]',
                    "--instances", "60", "--quiet", "--output", tmp_path / "load.h5"], check=True)
    expected_ratio = runpy.run_path(str(root / "scripts/figures/value_of_listening.py"))["expected_ratio"]
    with open_results(tmp_path / "load.h5") as results:
        assert (results["reference"].values > 0.999 * results["work"].values[:, None]).mean() > 0.99
        assert (curves.ratio_ceiling(results) >= expected_ratio(results) - 1e-3).all()
