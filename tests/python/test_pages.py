"""scripts/README.md: every row of its table of figures and tables, run on small results of the campaigns that it names."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGNS = {path.stem for path in (ROOT / "scripts" / "campaigns").glob("*.toml")}
FULL = os.environ.get("COTERIE_FULL")
#: What takes long, or is run by test_figures with a look at what comes out: only in the long tests.
LONG = {"coterie charts --table4"} | {f"scripts/figures/{name}.py" for name in (
    "background_known_law", "claims", "gains", "interrupted_returns", "now_crossover", "return_messages",
    "return_messages_claims", "summary", "table_5", "time_varying_tables", "time_varying_timing", "listening_table")}
#: Campaigns that no other test cuts short.
FEW = {
    "background-jobs": (20, ["workers=5", "startup=0.01"]),
    "heterogeneous-baselines": (20, []),
    "heterogeneous-replicated": (20, ["workers=2"]),
    "heterogeneous-theorem-4": (20, ["workers=[3, 5]"]),
    "now-orders": (20, ["workers=8"]),
    "return-messages-pairs": (20, ["workers=[2, 3]"]),
    "time-varying-plans": (20, ["trials=20"]),
    "zones": (20, []),
    "zones-listening": (20, []),
    "coming-back": (20, ["workers=3"]),
    "value-of-notices": (20, ["workers=3", "work=1", "notice=[0, inf]"]),
    "listening-load": (20, ["workers=2", "work=[1, 2]", 'risk="linear(kappa=0.5)"']),
    "listening-latency": (20, ["workers=2", "latency=[0, 0.1]", 'risk="linear(kappa=0.5)"']),
    "listening-startup": (20, ["workers=2", "startup=[0.01, 0.1]", 'risk="linear(kappa=0.5)"']),
} | ({"value-of-listening": (20, [])} if FULL else {})


def rows():
    """(paper, what, campaigns, command, outputs) of each row."""
    found, paper = [], ""
    table = (ROOT / "scripts" / "README.md").read_text().split("## Every figure")[1]
    for line in re.findall(r"^\|.*\|$", table, flags=re.MULTILINE)[2:]:
        first, what, campaigns, command, output = (cell.strip() for cell in line.split("|")[1:-1])
        paper = first or paper
        files = [] if output == "terminal" else re.findall(r"`([^`]+)`", output)
        found.append((paper, what, re.findall(r"`([^`]+)`", campaigns), command.strip("`"), files))
    return found


ROWS = rows()


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
    assert scripts - named == {"campaign_result.py", "trace_risks.py"}  # a module; the README's page on traces


@pytest.mark.parametrize("paper, what, campaigns, command, files", ROWS, ids=[f"{row[0]} {row[1]}" for row in ROWS])
def test_a_row_of_the_table(papers, paper, what, campaigns, command, files):
    if not FULL and (command in LONG or command.split()[0] in LONG):
        pytest.skip("takes long, or test_figures runs it (COTERIE_FULL=1)")
    assert all(f"out/{name}.h5" in command or " out" in command for name in campaigns)
    program = Path(os.environ["COTERIE"]).resolve()
    environment = {**os.environ, "COTERIE": str(program), "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", command], cwd=papers, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    if not files:
        assert len(done.stdout) > 200
    stem = files and files[0].removesuffix(".png")
    for file in (name if "/" in name else stem + name for name in files):
        drawn = (papers / file).read_bytes()
        if file.endswith(".png"):
            assert drawn.startswith(b"\x89PNG") and len(drawn) > 10_000
            continue
        if file.endswith(".pdf"):
            assert drawn.startswith(b"%PDF") and b"/FontFile2" in drawn and b"/Type3" not in drawn  # TrueType, within
            continue
        text = drawn.decode()
        assert text.rstrip().endswith("</svg>")
        if what.startswith("Fig"):  # the title names paper and figure
            named = "worksharing-2013" if paper == "beyond it" else paper
            assert re.search(rf"{named}, Figs?\. {re.search(r'[0-9]+', what)[0]}", text)
        if campaigns == ["traces-measured"]:
            assert "here: other measured traces" in text and "synthetic" not in text
        if "traces" in campaigns:
            assert "paper: measured traces / here: synthetic stand-ins" in text
