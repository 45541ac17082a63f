"""scripts/README.md: every row of its table of figures and tables, run on small results of the campaigns that it names."""

import itertools
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

from coterie import figure_files, open_results
from coterie.drawing import COLUMNS, Sheet
from coterie.looks import LEAST_TEXT
from coterie.names import STRATEGIES

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGNS = {path.stem for path in (ROOT / "scripts" / "campaigns").glob("*.toml")}
FULL = os.environ.get("COTERIE_FULL")
#: What takes long, or is run by test_figures with a look at what comes out: only in the long tests.
LONG = {"coterie charts --table4"} | {f"scripts/figures/{name}.py" for name in (
    "background_known_law", "now_crossover", "summary",
    "time_varying_tables", "time_varying_timing", "listening_table")}
#: Campaigns that no other test cuts short.
FEW = {
    "background-jobs": (20, ["workers=5", "startup=0.01"]),
    "heterogeneous-baselines": (20, []),
    "heterogeneous-replicated": (20, ["workers=2"]),
    "heterogeneous-theorem-4": (20, ["workers=[3, 5]"]),
    "now-orders": (20, ["workers=8"]),
    "return-messages-pairs": (20, ["workers=[2, 3]"]),
    "time-varying-plans": (20, ["trials=20"]),
    "restart-intervals": (20, []),
    "restart-deadline": (20, ["gang=16"]),
    "cant-be-late": (20, ['spot="recording(trace=../../traces/real/bamboo-spot/bamboo-p3.csv, machines=slots, scale=300s)"']),
    "zones": (20, []),
    "e5-zones": (20, ["workers=5"]),
    "zones-listening": (20, []),
    "coming-back": (20, ["workers=3"]),
    "value-of-notices": (20, ["workers=3", "work=1", "notice=[0, inf]"]),
    "listening-load": (20, ["workers=2", "work=[1, 2]", 'risk="linear(kappa=0.5)"']),
    "listening-latency": (20, ["workers=2", "latency=[0, 0.1]", 'risk="linear(kappa=0.5)"']),
    "listening-startup": (20, ["workers=2", "startup=[0.01, 0.1]", 'risk="linear(kappa=0.5)"']),
} | ({"value-of-listening": (20, [])} if FULL else {})


def rows():
    """(paper, what, campaigns, command, name of the figure or "") of each row."""
    found = []
    tables = (ROOT / "scripts" / "README.md").read_text().split("## Every figure")[1].split("\n## ")[0].split("\n**")[1:]
    for table in tables:
        for line in re.findall(r"^\|.*\|$", table, flags=re.MULTILINE)[2:]:
            what, command, figure = (cell.strip().strip("`") for cell in line.split("|")[1:-1])
            campaigns = re.findall(r"out/([\w-]+)\.h5", command) or re.findall(r"`([\w-]+)`", what)
            found.append((table.split("**")[0], what, campaigns, command, figure))
    return found


ROWS = rows()
FIGURES = [row for row in ROWS if row[4]]
#: For each script of a figure one row; the short tests draw no more, but one of measured traces.
OF_SCRIPT = {Path(row[3].split()[0]).stem: row for row in reversed(FIGURES)}
SHORT = [row for row in FIGURES if FULL or row in OF_SCRIPT.values() or "figure_9" in row[3]]


@pytest.fixture(scope="session")
def papers(program, campaign_results, star_results, background_results, tmp_path_factory):
    """A folder that looks like the root to these commands, with small results in out/."""
    folder = tmp_path_factory.mktemp("papers")
    (folder / "out").mkdir()
    for name in ("scripts", "traces"):
        (folder / name).symlink_to(ROOT / name)
    for results in (campaign_results, star_results, background_results):
        for path in results.glob("*.h5"):
            (folder / "out" / path.name).symlink_to(path)
    for name, (instances, settings) in FEW.items():
        program("run", f"scripts/campaigns/{name}.toml", "--output", f"out/{name}.h5", "--quiet", "--instances", instances,
                *(word for setting in settings for word in ("--set", setting)), cwd=folder)
    return folder


def test_the_table_names_every_campaign_and_every_script():
    assert len(ROWS) > 30
    assert {name for _, _, campaigns, _, _ in ROWS for name in campaigns} == CAMPAIGNS
    for _, _, _, command, _ in ROWS:
        assert command.startswith("coterie ") or os.access(ROOT / command.split()[0], os.X_OK), command
    scripts = {path.name for path in (ROOT / "scripts" / "figures").glob("*.py")}
    named = {Path(command.split()[0]).name for _, _, _, command, _ in ROWS if command.startswith("scripts/")}
    assert scripts - named == {"trace_risks.py"}  # the README's page on traces


@pytest.mark.parametrize("paper, what, campaigns, command, name", [row for row in ROWS if row not in FIGURES],
                         ids=[f"{row[0]} {row[1]}" for row in ROWS if row not in FIGURES])
def test_a_row_of_the_table_that_prints(papers, paper, what, campaigns, command, name):
    if not FULL and (command in LONG or command.split()[0] in LONG):
        pytest.skip("takes long, or test_figures runs it (COTERIE_FULL=1)")
    assert all(f"out/{one}.h5" in command or " out" in command for one in campaigns)
    program = Path(os.environ["COTERIE"]).resolve()
    environment = {**os.environ, "COTERIE": str(program), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=papers, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 200


def texts_of(figure):
    """All that can be read: no empty texts, no numbers of ticks beyond the ends of their axis."""
    hidden = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            place = axis.get_transform().transform
            low, high = place(np.sort(axis.get_view_interval()))
            slack = 1e-6 * (high - low)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low - slack <= place(np.array([tick.get_loc()]))[0] <= high + slack:
                    hidden |= {tick.label1, tick.label2}
    return [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip() and text not in hidden]


def check_layout(figure, column):
    """No text is cut, too small, or over another one; the legend is over no panel; no names of the program's own."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    assert figure.get_figwidth() == COLUMNS[column] and figure.get_figheight() < 9.5
    edge = 0.02 * figure.dpi  # inches: nothing touches the sides
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts_of(figure)]
    for text in texts_of(figure):
        assert text.get_fontsize() >= LEAST_TEXT, text
        for slug in (*STRATEGIES, "skip(", "trace("):
            assert not (text.get_text() == slug or (re.search("[-(]", slug) and slug in text.get_text())) or slug == "help", text
    for words, box in boxes:
        assert box.x0 >= edge and box.y0 >= -0.5, f"{words!r} is cut"
        assert box.x1 <= figure.bbox.x1 - edge and box.y1 <= figure.bbox.y1 + 0.5, f"{words!r} is cut"
    for (words, box), (others, other) in itertools.combinations(boxes, 2):
        over = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
        assert min(over) < 1, f"{words!r} is over {others!r}"
    for legend in figure.legends:
        box = legend.get_window_extent(renderer)
        assert all(box.y1 <= axes.get_window_extent(renderer).y0 for axes in figure.axes)


@pytest.fixture
def drawn(papers, monkeypatch):
    """Runs the command of a row here, and looks at the figure before it is written; the caption comes back."""
    def run(command, *more):
        seen = []
        write = figure_files.write

        def look(figure, output, title, caption):
            check_layout(figure, "single" if "single" in more else "double")
            seen.append((caption, " ".join(" ".join(text.get_text() for text in texts_of(figure)).split())))
            return write(figure, output, title, caption)

        monkeypatch.chdir(papers)
        monkeypatch.setenv("COTERIE", str(Path(os.environ["COTERIE"]).resolve()))
        monkeypatch.setattr(figure_files, "write", look)
        script, *arguments = shlex.split(command)
        monkeypatch.setattr(sys, "argv", [script, *arguments, *more])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(script, run_name="__main__")
        assert ended.value.code == 0
        return seen[0]

    monkeypatch.setenv("COTERIE", str(Path(os.environ["COTERIE"]).resolve()))
    return run


@pytest.mark.parametrize("paper, what, campaigns, command, name", SHORT, ids=[f"{row[0]} {row[1]}" for row in SHORT])
def test_a_figure_of_the_table(drawn, papers, paper, what, campaigns, command, name, capsys):
    assert all(f"out/{one}.h5" in command or " out" in command for one in campaigns)
    caption, words = drawn(command)
    stem = f"out/{name}"
    told = capsys.readouterr().out
    assert all(f"{stem}{suffix}\n" in told for suffix in (".png", ".svg", ".pdf", ".txt")) and caption in told
    assert (papers / f"{stem}.png").read_bytes().startswith(b"\x89PNG")
    assert (papers / f"{stem}.svg").read_text().rstrip().endswith("</svg>")
    assert (papers / f"{stem}.txt").read_text() == f"{caption}\n"
    embedded((papers / f"{stem}.pdf").read_bytes())
    if what.startswith("Fig"):  # paper and figure stand on the figure and in the caption; other data are not the paper's
        number = re.search(r"[0-9]+", what)[0]
        if paper.startswith("beyond "):
            assert f"drawn as Fig. {number} of {paper.removeprefix('beyond ')}" in caption and "paper:" not in words + caption
        else:
            assert all(re.search(rf"{paper}, Figs?\. {number}", text) for text in (caption, words))
    for one in campaigns:
        if (papers / "out" / f"{one}.h5").exists():
            with open_results(papers / "out" / f"{one}.h5") as results:
                sizes = f"{results.sizes['configuration']} × {results.sizes['instance']}"
            alone = sizes.replace(" ×", " configurations ×") + " instances"
            for text in (caption, words):
                assert f"{one}.toml" in text and (f"{one}.toml ({sizes})" in text or alone in text)
                assert "coterie 1." in text
    if campaigns == ["traces-measured"]:
        assert "synthetic" not in words + caption
    if "traces" in campaigns:
        assert "paper: measured traces / here: synthetic stand-ins" in words


@pytest.mark.parametrize("marker", "osD^vP")
def test_no_marker_of_a_curve_is_cut_by_the_frame(marker):
    sheet = Sheet()
    (axes,) = sheet.panels(1, (1, 1), 1)
    for points, marked in ((20, range(1, 19)), (200, range(1, 199)), (5, range(5))):
        x = np.linspace(0, 100, points)
        sheet.curve(axes, x, x, 0 * x, {"color": "black", "marker": marker})
        places = axes.get_lines()[-1].get_markevery()
        assert set(places) <= set(marked) and (len(places) == 5 if points == 5 else 6 <= len(places) <= 10)
    plt.close(sheet.figure)


def embedded(pdf):
    """TrueType within the file, and no font of type 3."""
    assert pdf.startswith(b"%PDF") and b"/FontFile2" in pdf and b"/Subtype /Type3" not in pdf


@pytest.mark.parametrize("script", OF_SCRIPT)
def test_a_figure_in_a_single_column(drawn, script, tmp_path):
    bare = re.sub(r" --name \S+", "", OF_SCRIPT[script][3])
    caption, _ = drawn(bare, "--column", "single", "--title", "--output", str(tmp_path / "one.pdf"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.pdf", "one.txt"]
    embedded((tmp_path / "one.pdf").read_bytes())
    assert caption.count(".") > 3


@pytest.mark.parametrize("column", COLUMNS)
def test_the_figure_of_any_traces(drawn, column, tmp_path):
    caption, _ = drawn("scripts/figures/trace_risks.py traces/real/bamboo-spot/bamboo-p3.csv traces/bundled/sdsc-synthetic.durations "
                       f"traces/bundled/condor-synthetic.durations --output {tmp_path / 'x.pdf'}", "--column", column)
    assert "bamboo-p3.csv: 177 spells, 5.65 % censored" in caption
    embedded((tmp_path / "x.pdf").read_bytes())
