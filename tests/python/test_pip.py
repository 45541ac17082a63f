"""Package and program, installed by pip into an environment, used away from the sources.

Without a network: setuptools and what the package depends on are Debian's, as the page says.
"""

import importlib.util
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "scripts" / "PYTHON.md").read_text()


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment made by the two lines of the page; $COTERIE spares the build of the program."""
    for module, package in (("ensurepip", "python3-venv"), ("setuptools", "python3-setuptools"), ("wheel", "python3-wheel")):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"there is no {package} here: scripts/setup installs it")
    folder = tmp_path_factory.mktemp("environment")
    (folder / "scripts").symlink_to(ROOT / "scripts")
    before = sorted(path.name for path in (ROOT / "scripts").iterdir())
    lines = re.search(r"```sh\n(python3 -m venv .*?)```", PAGE, flags=re.DOTALL)[1].splitlines()
    assert len(lines) == 2
    for line in lines:
        words = shlex.split(line.replace("python3 ", "/usr/bin/python3 ", 1) if line.startswith("python3") else line)
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(path.name for path in (ROOT / "scripts").iterdir()) == before  # nothing is written into the tree
    return folder / "env/bin/python"


@pytest.fixture
def outside():
    """The variables of somebody who has neither a build nor a path to one."""
    return {name: value for name, value in os.environ.items() if name not in ("COTERIE", "PYTHONPATH")} | {"PATH": "/usr/bin:/bin"}


def test_pip_installs_a_typed_package_and_the_program(python, outside, tmp_path):
    code = ("import coterie, pathlib; folder = pathlib.Path(coterie.__file__).parent; "
            "campaign = coterie.Campaign(instances=10, strategies=['greedy'], grid={'workers': [2, 3], 'work': 1, 'startup': 0.1}); "
            "results = campaign.run(quiet=True); "
            "print(folder, coterie.find_program(), (folder / 'py.typed').is_file(), results['mean'].sel(workers=3).size)")
    done = subprocess.run([python, "-c", code], cwd=tmp_path, env=outside, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    folder, program, typed, size = done.stdout.split()
    assert Path(folder).is_relative_to(python.parents[1]) and typed == "True" and size == "1"
    assert program == str(python.parent / "coterie")
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.h5"]


@pytest.mark.skipif(not os.environ.get("COTERIE_FULL"), reason="takes long; set COTERIE_FULL")
def test_the_python_of_the_readme_runs_there(python, outside, tmp_path):
    (tmp_path / "traces").symlink_to(ROOT / "traces")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        done = subprocess.run([python, "-c", block], cwd=tmp_path, env=outside, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stdout, done.stderr


def test_pip_knows_the_version_of_the_program():
    project = (ROOT / "scripts/pyproject.toml").read_text()
    assert f"coterie VERSION {re.search(r'^version = .(.+).$', project, flags=re.MULTILINE)[1]} " in (
        ROOT / "CMakeLists.txt").read_text()
