"""The conda recipe, which cannot be built here: its names and versions are those of the rest of the tree."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "scripts/packaging/conda/meta.yaml").read_text()
#: Of scripts/setup: what only the tests need.
TESTS = {"libgtest-dev", "libgmock-dev", "librapidcheck-dev"}


def section(name):
    """The lines "- NAME [VERSION]  # DEBIAN..." below a heading, as (name, version, names of Debian packages)."""
    lines = re.search(rf"^  {name}:\n((?:    .*\n)+)", RECIPE, flags=re.MULTILINE)[1]
    return [(name, version, set(debian.split())) for name, version, debian in
            re.findall(r"^    - ([\w.-]+|{{.*?}})(?: +([<>=]\S+))?(?: +# (.*))?$", lines, flags=re.MULTILINE)]


def debian(text):
    return set(re.findall(r"[\w.+-]+", text))


def project():
    tomllib = pytest.importorskip("tomllib")
    return tomllib.loads((ROOT / "scripts/pyproject.toml").read_text())


def test_the_version_is_that_of_the_program():
    version = re.search(r"^  version: (\S+)$", RECIPE, flags=re.MULTILINE)[1]
    assert f"project(coterie VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()
    assert version == project()["project"]["version"]


def test_it_needs_the_libraries_that_a_debian_build_needs():
    told = {package for name in ("build", "host") for _, _, packages in section(name) for package in packages}
    told |= {package for package in debian(re.search(r"git_url: \S+ +# headers only, (.*)", RECIPE)[1])}
    setup = debian(re.search(r"^packages=\((.*?)^\)", (ROOT / "scripts/setup").read_text(), flags=re.MULTILINE | re.DOTALL)[1])
    needed = {name for name in setup if name.endswith("-dev")} - TESTS
    assert told == needed | {"cmake", "ninja-build", "g++", "pkg-config"} and told < setup

    install = (ROOT / "scripts/packaging/install.cmake").read_text()
    development = debian(re.search(r'DEVELOPMENT_PACKAGE_DEPENDS\s+"(.*?)"', install, flags=re.DOTALL)[1])
    assert development == told - {"ninja-build"}


def test_versions_are_those_that_cmake_asks_for():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    versions = {name: version for part in ("build", "host", "run") for name, version, _ in section(part) if version}
    assert versions == {
        "cmake": ">=" + re.search(r"cmake_minimum_required\(VERSION (\S+)\)", cmake)[1],
        "libboost-devel": ">=" + re.search(r"find_package\(Boost (\S+) ", cmake)[1],
        "python": project()["project"]["requires-python"].replace(" ", ""),
        "setuptools": next(one for one in project()["build-system"]["requires"] if one.startswith("setuptools"))
        .removeprefix("setuptools").replace(" ", "")}


def test_python_needs_what_pip_would_install():
    run = {name.removesuffix("-base") for name, _, _ in section("run")}
    assert run == {"python", *project()["project"]["dependencies"]}
    built = {re.split(r"[ <>=]", one)[0] for one in project()["build-system"]["requires"]}
    assert {name for name, _, packages in section("host") if not packages} == {"python", "pip", *built}


@pytest.mark.skipif(not os.environ.get("COTERIE_FULL"), reason="installs everything; scripts/test --full does")
def test_the_lines_that_install_do(tmp_path):
    """In an environment whose libraries are Debian's, behind a build that is there already."""
    build = Path(os.environ["COTERIE"]).resolve().parent
    if not (build / "cmake_install.cmake").exists() or not shutil.which("cmake"):
        pytest.skip(f"{build} is no build tree, or there is no cmake: nothing to install")
    prefix, source = tmp_path / "prefix", tmp_path / "source"
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", prefix], check=True)
    (source / "build").mkdir(parents=True)
    (source / "build" / "release").symlink_to(build)
    (source / "scripts").symlink_to(ROOT / "scripts")
    script = re.search(r"^  script:\n((?:    - .*\n)+)", RECIPE, flags=re.MULTILINE)[1]
    lines = [line.removeprefix("    - ") for line in script.splitlines()]
    (configure, _), lines = lines[1:3], lines[3:]
    options = set(re.findall(r"-D(COTERIE_\w+)=", configure))
    assert options and all(f"{one} " in (ROOT / "CMakeLists.txt").read_text() for one in options)
    environment = {name: value for name, value in os.environ.items() if name not in ("COTERIE", "PYTHONPATH")}
    done = subprocess.run(["bash", "-euc", "\n".join(lines)], cwd=source, capture_output=True, text=True, timeout=300,
                          env=environment | {"PREFIX": str(prefix), "PYTHON": str(prefix / "bin/python"), "SRC_DIR": str(source)})
    assert done.returncode == 0, done.stdout + done.stderr
    (copied,) = prefix.rglob("coterie/__init__.py")
    assert copied.is_relative_to(prefix / "lib") and "site-packages" in copied.parts
    assert (prefix / "share/man/man1/coterie.1").is_file() and (prefix / "lib/cmake/coterie/coterieConfig.cmake").is_file()
    code = "import coterie; print(coterie.find_program(), coterie.schedule('greedy', workers=2, work=1, chunks=2).expected_work)"
    told = subprocess.run([prefix / "bin/python", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True,
                          env=environment | {"PATH": f"{prefix}/bin:/usr/bin:/bin"}).stdout.split()
    assert told[0] == str(prefix / "bin/coterie") and 0 < float(told[1]) < 1
