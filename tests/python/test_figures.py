"""Each figure, table and summary, drawn from small runs of the campaigns that it is meant for."""

import subprocess
import sys

import pytest

FIGURES = {
    4: ["e1-workload", "e2-workers", "e3-chunks", "e4-startup"],
    5: ["e5-automatic-chunks"],
    6: ["e6-replication"],
    7: ["traces"],
    8: ["traces"],
    9: ["traces"],
}


def run_script(root, name, *arguments):
    return subprocess.run([sys.executable, root / "scripts" / "figures" / name, *map(str, arguments)],
                          capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("number", FIGURES)
def test_a_figure_is_drawn_as_png_and_svg(root, campaign_results, tmp_path, number):
    results = [campaign_results / f"{name}.h5" for name in FIGURES[number]]
    done = run_script(root, f"figure_{number}.py", *results, "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    png, svg = tmp_path / f"figure-{number}.png", tmp_path / f"figure-{number}.svg"
    assert png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 10_000
    text = svg.read_text()
    assert text.rstrip().endswith("</svg>")
    assert f"worksharing-2013, Fig. {number}" in text  # the title names paper and figure
    if number >= 7:
        assert "paper: measured traces / here: synthetic stand-ins" in text


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


def test_the_summary_of_an_empty_folder_says_what_to_run(root, tmp_path):
    done = run_script(root, "summary.py", tmp_path)
    assert done.returncode == 1 and "scripts/run" in done.stderr
    done = run_script(root, "claims.py", tmp_path)
    assert done.returncode == 1 and "scripts/run --all" in done.stderr
