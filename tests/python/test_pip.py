"""The Python package alone: installed by pip into an environment, used away from the sources."""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with the package; what it depends on is the system's."""
    for module, package in (("ensurepip", "python3-venv"), ("setuptools", "python3-setuptools"), ("wheel", "python3-wheel")):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"there is no {package} here: scripts/setup --full installs it")
    folder = tmp_path_factory.mktemp("environment")
    shutil.copytree(ROOT / "scripts", folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))  # pip builds there
    for command in (["/usr/bin/python3", "-m", "venv", "--system-site-packages", folder / "env"],
                    [folder / "env/bin/pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
                     folder / "scripts"]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "env/bin/python"


def test_pip_installs_a_typed_package_that_finds_the_program(python, tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("COTERIE", "PYTHONPATH")}
    environment["PATH"] = f"{Path(os.environ['COTERIE']).resolve().parent}:{environment['PATH']}"
    code = ("import coterie, pathlib; folder = pathlib.Path(coterie.__file__).parent; "
            "grid = {'workers': [2, 3], 'work': 1, 'startup': 0.1}; "
            "results = coterie.run({'instances': 10, 'strategies': ['greedy'], 'grid': grid}, quiet=True); "
            "print(folder, (folder / 'py.typed').is_file(), coterie.by_axes(results)['mean'].sel(workers=3).size)")
    done = subprocess.run([python, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    folder, typed, size = done.stdout.split()
    assert Path(folder).is_relative_to(python.parents[1]) and typed == "True" and size == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.h5"]


def test_pip_knows_the_version_of_the_program():
    project = (ROOT / "scripts/pyproject.toml").read_text()
    assert f"coterie VERSION {re.search(r'^version = .(.+).$', project, flags=re.MULTILINE)[1]} " in (
        ROOT / "CMakeLists.txt").read_text()
