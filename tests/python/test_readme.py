"""What the README shows works: its commands, its campaign, its Python and its picture."""

import os
import re
import shlex
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def blocks(root):
    """The fenced blocks of the README by language, in order."""
    found = {}
    readme = (root / "README.md").read_text()
    for language, text in re.findall(r"^```(\w+)\n(.*?)^```", readme, flags=re.MULTILINE | re.DOTALL):
        found.setdefault(language, []).append(text)
    return found


def test_the_commands_work_in_the_order_of_the_readme(root, blocks, program, tmp_path):
    # In a folder that looks like the root to these commands, so that nothing is written into the tree.
    for name in ("traces", "scripts"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "mine.toml").write_text(blocks["toml"][0])
    lines = [line[2:] for text in blocks["console"] for line in text.splitlines() if line.startswith("$ ")]
    assert len(lines) >= 8
    # Those that install and package are run by test_install.py and test_package.py.
    others = [line for line in lines if not line.startswith("coterie ")]
    assert [line.split()[0] for line in others] == ["cmake", "cpack"]
    for line in lines:
        if line in others:
            continue
        words = shlex.split(line)
        assert program(*words[1:], cwd=tmp_path) or words[1] == "run", line
    for text in blocks["python"]:
        done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert "greedy" in done.stdout
    done = subprocess.run([sys.executable, "scripts/figures/figure_5.py", "mine.h5", "--output", "out"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_the_picture_is_what_its_command_draws(root, program):
    readme = (root / "README.md").read_text()
    command = re.search(r"`coterie (schedule [^`]*--format svg)`", readme)[1]
    picture = root / re.search(r"!\[[^\]]*\]\(([^)]*\.svg)\)", readme)[1]
    assert program(*shlex.split(command)) == picture.read_text()


def test_the_links_lead_somewhere(root):
    for page in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", (root / page).read_text()):
            assert (root / target).exists(), f"{page}: {target}"


def test_the_scripts_say_how_they_are_used(root):
    environment = dict(os.environ, PATH="/usr/bin:/bin")
    for name in ("setup", "run", "test"):
        path = root / "scripts" / name
        assert os.access(path, os.X_OK)
        done = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=60, env=environment)
        assert done.returncode == 0 and done.stdout.startswith("usage: scripts/")
        done = subprocess.run([path, "--nonsense"], capture_output=True, text=True, timeout=60, env=environment)
        assert done.returncode == 2 and "--nonsense" in done.stderr
    assert os.access(root / ".ci" / "run", os.X_OK)
