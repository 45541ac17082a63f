"""What figures, tables and summaries say and refuse; test_pages draws them all."""

import re
import shutil
import subprocess
import sys

import h5py


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
    assert "not made of a trace" in done.stderr
    assert run_script(root, "figure_5.py", tmp_path / "none.h5").returncode == 1


def test_the_summary_sets_our_numbers_beside_the_printed_ones(root, campaign_results):
    done = run_script(root, "summary.py", campaign_results)
    assert done.returncode == 0, done.stderr
    for printed in ("85.2", "79.6", "27.4", "over 21", "21.7", "53.6", "56.5", "70.8"):
        assert printed in done.stdout
    assert "here, chunks auto-paper" in done.stdout
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
    import h5py
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
    assert (tmp_path / "gains.png").read_bytes().startswith(b"\x89PNG")
    assert "paper: measured traces / here: synthetic stand-ins" in (tmp_path / "gains.svg").read_text()
    done = run_script(root, "gains.py", tmp_path)
    assert done.returncode == 1 and "scripts/run" in done.stderr


def test_no_schedule_exceeds_the_ceiling(root, campaign_results):
    """The ceiling of static schedules holds for every strategy, and best comes near it somewhere."""
    sys.path.insert(0, str(root / "scripts"))
    from coterie import open_results

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
    assert done.stdout.count("short of the ceiling") == 2 and "xtremweb (synthetic)" in done.stdout
    shutil.copy(campaign_results / "e5-automatic-chunks.h5", tmp_path / "wrong.h5")
    with h5py.File(tmp_path / "wrong.h5", "r+") as file:
        file["static_ceiling"][0] = 0.5 * file["expected_work"][0].max()
    done = run_script(root, "static_ceilings.py", tmp_path / "wrong.h5")
    assert done.returncode == 1 and "above the ceiling" in done.stderr


def test_table_5_never_shows_stand_ins_as_the_papers_data(root, campaign_results):
    done = run_script(root, "table_5.py", campaign_results / "traces.h5")
    assert done.returncode == 0, done.stderr
    assert "paper: measured traces / here: synthetic stand-ins" in done.stdout
    assert "here: synthetic stand-ins, chunks auto" in done.stdout


def test_the_claims_are_judged(root, campaign_results):
    done = run_script(root, "claims.py", campaign_results)
    assert done.returncode == 0, done.stderr
    for letter in "ABCDEF":
        assert f"\n{letter}. E" in done.stdout
    assert done.stdout.count("holds") > 10


def test_the_figures_of_return_messages_are_drawn_and_its_claims_judged(root, star_results, tmp_path):
    figures = [star_results / f"return-messages-fig0{number}.h5" for number in (7, 8, 9)]
    done = run_script(root, "return_messages.py", *figures, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "return-messages.svg").read_text()
    assert "return-messages-2005, Figs. 7, 8, 9" in text and "FIFO-INC-W" in text

    done = run_script(root, "return_messages_claims.py", star_results)
    assert done.returncode == 0, done.stderr
    for title in ("Fig. 7 (z = 0.8)", "Fig. 8 (enrolled workers)", "Fig. 9 (z = 1)"):
        assert f"\n{title}: 5 values of w/c x 60 stars" in done.stdout
    assert re.search(r"^16 claims: \d+ hold, \d+ fail$", done.stdout, flags=re.MULTILINE)
    assert done.stdout.count("  holds  FIFO-INC-C never processes more than OPT-FIFO") == 2  # Theorem 2: no luck needed
    assert "  holds  FIFO-INC-C and FIFO-INC-W give exactly the same results" in done.stdout
    assert "  holds  below w/c = 10 OPT-LIFO cannot reach a comparable throughput" in done.stdout


def test_claims_that_do_not_hold_are_found_out(root, star_results, tmp_path):
    """The results of z = 0.8 in place of those of z = 1: there the order has importance."""
    shutil.copy(star_results / "return-messages-fig07.h5", tmp_path / "return-messages-fig09.h5")
    done = run_script(root, "return_messages_claims.py", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  FAILS  FIFO-INC-C and FIFO-INC-W give exactly the same results" in done.stdout
    assert "  FAILS  below w/c = 10 FIFO-INC-C cannot reach a comparable throughput" in done.stdout


def test_the_figure_of_unreliable_workers_is_drawn(root, star_results, tmp_path):
    done = run_script(root, "interrupted_returns.py", star_results / "return-messages-interruptions.h5",
                      star_results / "now-interruptions.h5", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "interrupted-returns.svg").read_text()
    assert "best-expected" in text and "rates halving" in text


def test_the_summary_of_an_empty_folder_says_what_to_run(root, tmp_path):
    done = run_script(root, "summary.py", tmp_path)
    assert done.returncode == 1 and "scripts/run" in done.stderr
    done = run_script(root, "claims.py", tmp_path)
    assert done.returncode == 1 and "scripts/run --all" in done.stderr
    done = run_script(root, "return_messages_claims.py", tmp_path)
    assert done.returncode == 1 and "return-messages-fig07" in done.stderr


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
    assert "Seconds for 200 trials" in done.stdout and "2213" in done.stdout and done.stdout.count("processors,") == 8


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
    assert "in the mean of configurations" in done.stdout
    assert done.stdout.count("% of what best leaves to the omniscient.") == 2
    assert "any static <=" in done.stdout and "any listening <=" in done.stdout
    with h5py.File(tmp_path / "c.h5") as file:
        made = (file["makespan"][0, list(file["strategy"].asstr()).index("central")] < float("inf")).mean()
    told = [line.split() for line in done.stdout.split("what of it was wasted")[1].splitlines() if " central " in line]
    assert len(told) == 2 and abs(float(told[0][told[0].index("central") + 1]) - 100 * made) < 0.06
    done = run_script(root, "listening_table.py", background_results / "time-varying-fig12.h5")
    assert done.returncode == 1 and "model dispatch" in done.stderr


def test_a_legend_is_as_wide_as_the_figure_at_most(root):
    code = """
import sys
sys.path.insert(0, "scripts")
from coterie import drawing
figure, axes = drawing.plt.subplots(figsize=(4, 3))
for k in range(6):
    axes.plot([0, 1], [k, k], label="a rather long name")
drawing.legend_below(figure, axes)
(legend,) = figure.legends
box = legend.get_window_extent(figure.canvas.get_renderer())
assert 0 <= box.x0 and box.x1 <= figure.bbox.width, box
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
