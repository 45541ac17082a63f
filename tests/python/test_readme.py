"""What the pages show works: commands, campaigns, Python, C++, pictures, links, and the tests that they name."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(page for folder in ("core", "heuristics", "traces", "sim", "scripts", "tests")
                                      for page in (ROOT / folder).rglob("*.md"))])
#: Pages whose commands a reader would type one after the other.
WALK = ("README.md", "scripts/campaigns/README.md", "sim/PLAN.md", "heuristics/README.md", "traces/README.md")
#: What a page may have, in words between blanks.
MOST_WORDS, MOST_OF_ALL, MOST_OF_A_PARAGRAPH = 1500, 17000, 100


def blocks_of(page):
    """The fenced blocks of a page by language, in order."""
    found = {}
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL):
        found.setdefault(language, []).append(text)
    return found


def commands_of(blocks):
    return [shlex.split(line[2:]) for text in blocks["console"] for line in text.replace("\\\n", " ").splitlines()
            if line.startswith("$ ")]


def run_python(text, folder):
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def paragraphs_of(page):
    """Running text: no code, no tables; items of lists one by one."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(\||    ).*$", "", text, flags=re.MULTILINE)
    return [part for part in re.split(r"\n\s*\n|\n(?=- )", text) if part.strip()]


def test_the_pages_are_short():
    words = {page: len(page.read_text().split()) for page in PAGES}
    assert {page: count for page, count in words.items() if count > MOST_WORDS} == {}
    assert sum(words.values()) <= MOST_OF_ALL
    assert len((ROOT / "CHANGELOG.md").read_text().splitlines()) <= 60
    assert [part for page in PAGES for part in paragraphs_of(page) if len(part.split()) > MOST_OF_A_PARAGRAPH] == []


def test_every_page_is_reached_from_the_readme():
    reached, new = set(), {ROOT / "README.md"}
    while new:
        reached |= new
        new = {(page.parent / target).resolve() for page in new
               for target in re.findall(r"\]\(([^):#]+\.md)", page.read_text())} - reached
    alone = set(PAGES) - reached
    assert {page.name for page in alone} <= {"SOURCE.md"} | {page.name for page in alone if "LICENSE" in os.listdir(page.parent)}


def test_the_index_leads_to_the_functions():
    table = (ROOT / "sim" / "README.md").read_text().split("## Where is it decided?")[1].split("\n## ")[0]
    rows = re.findall(r"^\| [^|]+\? \| `([^`]+)` \| (.*) \|$", table, flags=re.MULTILINE)
    assert len(rows) > 15
    for path, functions in rows:
        for name in re.findall(r"`(\w+)`", functions):
            assert re.search(rf"\b{name}\(", (ROOT / path).read_text()), f"{path} has no {name}"


def test_the_commands_work_in_the_order_of_the_pages(root, program, tmp_path):
    # In a folder that looks like the root to these commands, so that nothing is written into the tree.
    for name in ("traces", "scripts"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "mine.toml").write_text(blocks_of("README.md")["toml"][0])
    typed = [words for page in WALK if "console" in blocks_of(page) for words in commands_of(blocks_of(page))]
    commands = [words for number, words in enumerate(typed) if words not in typed[:number]]
    assert len(commands) >= 15
    # Those that install and package are run by test_install.py and test_package.py.
    others = [words for words in commands if words[0] != "coterie"]
    assert [words[0] for words in others] == ["cmake", "cpack"]
    for words in commands:
        if words not in others:
            answer = program(*words[1:], cwd=tmp_path)
            if "--output" in words:
                answer = (tmp_path / words[words.index("--output") + 1]).stat().st_size
            assert answer, words
    results, held = blocks_of("scripts/PYTHON.md")["python"]
    assert json.loads((tmp_path / "queue" / "queue.json").read_text())["workers"] == 20
    with open(tmp_path / "schedule.csv", newline="") as file:
        assert {row["worker"] for row in csv.DictReader(file)} == {str(machine) for machine in range(20)}
    assert "greedy" in run_python(results, tmp_path)
    means = [float(word) for word in run_python(held, tmp_path).strip("[]\n").split()]
    assert len(means) == 2 and all(0.5 < mean <= 1 for mean in means)
    done = subprocess.run([sys.executable, "scripts/figures/figure_5.py", "mine.h5", "--output", "out"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_the_plan_of_the_readme_is_what_the_program_says(root, program):
    (shown,) = blocks_of("README.md")["text"]
    command = next(words for words in commands_of(blocks_of("README.md")) if words[1] == "plan")
    said = program(*command[1:command.index("--export")], cwd=root)
    for part in shown.split("...\n"):
        assert part in said


def test_the_picture_of_the_readme_shows_what_its_script_draws(root, tmp_path):
    """The caption, which has all numbers, is in the file: another matplotlib would draw other bytes."""
    readme = " ".join((root / "README.md").read_text().split())
    done = subprocess.run([root / "scripts/figures/replication_gain.py", "--output", tmp_path / "gain.svg"],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    caption = (tmp_path / "gain.txt").read_text().strip()
    assert f"<dc:description>{caption}</dc:description>" in (root / "scripts/figures/replication-gain.svg").read_text()
    without, gain = re.search(r"of 100 h, (\S+ %) without replication and (\S+ %) with greedy", caption).groups()
    assert f"{without} is done without replication, {gain} with greedy" in readme
    assert "9 of 12 chunks are done" in readme and "9 and 12 chunks are complete" in caption


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "SOURCE.md"],  # of other repositories
                         ids=lambda page: str(page.relative_to(ROOT)))
def test_the_files_that_a_page_names_are_there(page):
    for path in re.findall(r"`((?:core|heuristics|traces|sim|scripts|tests|cli|python)/[\w/.-]+)", page.read_text()):
        places = [ROOT / f"{path}{suffix}" for suffix in ("", ".hpp")]
        if page.parent == ROOT / "tests":
            places += [page.parent / f"{path}{suffix}" for suffix in ("", ".cpp", ".py")]
        assert "NAME" in path or any(place.exists() for place in places), path


def anchors_of(page):
    """The names by which links reach the headings of a page."""
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")
            for title in re.findall(r"^#+ (.*)$", page.read_text(), flags=re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^):]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        assert not anchor or anchor in anchors_of(other), target


@pytest.fixture(scope="module")
def results_page():
    return "\n".join(page.read_text() for page in sorted((ROOT / "heuristics" / "results").glob("*.md")))


def test_the_tests_that_results_are_checked_by_exist(results_page):
    code = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*.cpp"))
    python = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    named = re.findall(r"`([A-Z]\w+)\.([A-Z]\w+)`", results_page)
    assert len(named) > 25
    for suite, name in named:
        assert re.search(rf"^\w+\({suite}, {name}\b", code, flags=re.MULTILINE), f"{suite}.{name}"
    for name in re.findall(r"`(test_\w+)`", results_page):
        assert f"def {name}(" in python, name


def test_the_problem_of_the_page_has_the_answers_that_it_explains(program, tmp_path):
    (problem,) = blocks_of("sim/SOLVE.md")["toml"]
    (tmp_path / "given.toml").write_text(problem)
    answer = json.loads(program("solve", tmp_path / "given.toml", "--format", "json"))
    told = (ROOT / "sim" / "SOLVE.md").read_text().split("```\n")[-1].split("\n## ")[0]
    named = re.findall(r"^- `(\w+)`|; `(\w+)` says", told, flags=re.MULTILINE)
    assert len(named) == 4 and {first or second for first, second in named} <= set(answer)
    assert answer["improved"]["expected_work"] > answer["expected_work"]


def test_theorem_4_corrected_is_worth_what_the_page_says(results_page, program, tmp_path):
    (problem,) = blocks_of("heuristics/results/heterogeneous-2011.md")["toml"]
    for method, numerator, denominator in (("optimal", 33, 95), ("printed-theorem-4", 28227, 81280)):
        assert f"{numerator}/{denominator}" in results_page
        (tmp_path / "theorem-4.toml").write_text(problem.replace('method = "optimal"', f'method = "{method}"'))
        answer = json.loads(program("solve", tmp_path / "theorem-4.toml", "--format", "json"))
        assert answer["expected_work"] == pytest.approx(numerator / denominator, rel=1e-12)


def test_greedy_is_beaten_by_what_the_page_says(results_page, program):
    def expected(strategy, workers, work, startup):
        return json.loads(program("schedule", "--strategy", strategy, "--workers", workers, "--work", work, "--startup",
                                  startup, "--format", "json"))["expected_work"]

    rows = re.findall(r"^\| [^|]+ \| ([\d.]+), ([\d.]+), ([\d.]+) \| [^|]+ \| [^|]*?\+([\d.]+)", results_page,
                      flags=re.MULTILINE)
    assert len(rows) == 6
    for workers, work, startup, per_cent in rows:
        gain = expected("best", workers, work, startup) / expected("greedy", workers, work, startup) - 1
        assert 100 * gain >= float(per_cent) - 0.005  # best may find more


def test_the_commands_of_results_work(program):
    for words in commands_of(blocks_of("heuristics/results/worksharing-2013.md")):
        assert words[0] == "coterie" and program(*words[1:])


def test_the_scripts_say_how_they_are_used(root):
    environment = dict(os.environ, PATH="/usr/bin:/bin")
    for name in ("setup", "run", "draw", "test"):
        path = root / "scripts" / name
        assert os.access(path, os.X_OK)
        done = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=60, env=environment)
        assert done.returncode == 0 and done.stdout.startswith("usage: scripts/")
        done = subprocess.run([path, "--nonsense"], capture_output=True, text=True, timeout=60, env=environment)
        assert done.returncode == 2 and "--nonsense" in done.stderr
    assert os.access(root / ".ci" / "run", os.X_OK)


def test_false_alarms_add_up():
    text = (ROOT / "tests" / "README.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| ") and line.count("|") == 6]
    sums = [float(row[4]) for row in rows if row[4].strip() not in ("sum", "---")]
    told, most = map(float, re.search(r"All together at most ([\d.e-]+), below the ([\d.e-]+)", text).groups())
    assert len(sums) > 25 and told - 1e-8 <= sum(sums) <= told < most
