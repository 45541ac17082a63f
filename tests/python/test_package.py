"""The Debian packages: made by CPack, unpacked into an empty tree, run from there."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

TINY = """
seed = 1
instances = 10
strategies = ["greedy", "brute"]
[grid]
workers = 2
work = 1
chunks = 4
startup = 0
risk = "trace(file=/TREE/traces/bundled/princeton-synthetic.durations)"
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages by name."""
    build = Path(os.environ["COTERIE"]).resolve().parent
    for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "file"):
        if not shutil.which(tool):
            pytest.skip(f"there is no {tool} here: scripts/setup --package installs it")
    if not (build / "CPackConfig.cmake").exists():
        pytest.skip(f"{build} is no build tree: nothing to package")
    folder = tmp_path_factory.mktemp("packages")
    # The command of the README, in a folder that looks like its root.
    (folder / "build").mkdir()
    (folder / "build" / "release").symlink_to(build)
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text()
    command = re.search(r"^\$ (cpack .*)$", readme, flags=re.MULTILINE)[1]
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return {path.name.split("_")[0]: path for path in (folder / "build" / "packages").glob("*.deb")}


@pytest.fixture(scope="module")
def tree(packages, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["dpkg-deb", "-x", packages["coterie"], folder], check=True)
    return folder / "usr"


def field(package, name):
    return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()


def test_there_are_a_package_for_users_and_one_for_programs_of_theirs(packages):
    assert set(packages) == {"coterie", "libcoterie-dev"}
    listed = subprocess.run(["dpkg-deb", "-c", packages["libcoterie-dev"]], capture_output=True, text=True, check=True)
    for file in ("include/coterie/core/risk.hpp", "lib/libcoterie_sim.a", "lib/cmake/coterie/coterieConfig.cmake"):
        assert f"./usr/{file}\n" in listed.stdout


def test_the_package_depends_on_what_the_program_is_linked_with(packages, tree):
    depends = {re.split(r"[ (]", one.strip())[0] for one in field(packages["coterie"], "Depends").split(",")}
    needed = subprocess.run(["objdump", "-p", tree / "bin" / "coterie"], capture_output=True, text=True, check=True)
    libraries = re.findall(r"NEEDED +(\S+)", needed.stdout)
    found = subprocess.run(["dpkg", "-S", *(f"*/{library}" for library in libraries)], capture_output=True, text=True)
    assert len(libraries) > 8
    for library in libraries:
        owners = {line.split(":")[0] for line in found.stdout.splitlines() if line.endswith(f"/{library}")}
        assert owners & depends, f"{library} of {owners} is not among {depends}"
    assert "python3-xarray" in field(packages["coterie"], "Recommends")


#: Where cmake has no file of the library's own.
MODULES = {"EXPAT": "/usr/include/expat.h", "LibLZMA": "/usr/include/lzma.h", "ZLIB": "/usr/include/zlib.h", "PkgConfig": "/usr/bin/pkg-config",
           "OpenMP": "*/include/omp.h", "MPI": "*/include/mpi.h"}


def owners(*patterns):
    """The Debian packages that have such files."""
    found = subprocess.run(["dpkg", "-S", *patterns], capture_output=True, text=True).stdout
    return {owner.split(":")[0] for line in found.splitlines() if not line.startswith("diversion")
            for owner in line.rpartition(": ")[0].split(", ")}


def all_of(names):
    """These packages and all that they depend on."""
    table = subprocess.run(["dpkg-query", "-W", "-f", r"${Package}\t${Depends}\n"], capture_output=True, text=True, check=True)
    needs = {name: re.findall(r"(?:^|, |\| )([\w.+-]+)", told)
             for name, _, told in (line.partition("\t") for line in table.stdout.splitlines())}
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += needs.get(name, [])
    return found


def test_programs_of_users_get_what_headers_and_cmake_files_ask_for(packages, tmp_path):
    subprocess.run(["dpkg-deb", "-x", packages["libcoterie-dev"], tmp_path], check=True)
    there = all_of(re.split(r"[ (]", one.strip())[0] for one in field(packages["libcoterie-dev"], "Depends").split(","))
    config = (tmp_path / "usr/lib/cmake/coterie/coterieConfig.cmake").read_text()
    files = {name: [MODULES[name]] if name in MODULES else [f"*/{name}Config.cmake", f"*/{name}-config.cmake"]
             for name in re.findall(r"find_dependency\((\w+)", config) if name != "MPI" or 'if("TRUE")' in config}
    files |= {name: [f"*/pkgconfig/{name}.pc"] for name in ("clp", "hdf5-serial", "libzstd")}
    included = {name for path in (tmp_path / "usr/include").rglob("*.hpp")
                for name in re.findall(r"^ *#include <(\w+[/.][\w./+-]+)>", path.read_text(), flags=re.MULTILINE)}
    files |= {name: [f"/usr/include/{name}", f"/usr/include/hdf5/serial/{name}", f"*/gcc/*/include/{name}"] for name in included}
    assert len(included) > 5 and {"date", "Eigen3", "fmt", "LibLZMA"} < set(files)
    assert {name: owners(*patterns) for name, patterns in files.items() if not owners(*patterns) & there} == {}


def test_the_program_is_stripped_and_remembers_no_build_tree(tree):
    told = subprocess.run(["file", tree / "bin" / "coterie"], capture_output=True, text=True, check=True).stdout
    assert ", stripped" in told
    dynamic = subprocess.run(["objdump", "-p", tree / "bin" / "coterie"], capture_output=True, text=True, check=True)
    assert "RPATH" not in dynamic.stdout and "RUNPATH" not in dynamic.stdout


def test_it_runs_from_where_it_was_unpacked(tree, tmp_path):
    environment = dict(os.environ, COTERIE=str(tree / "bin" / "coterie"), MPLBACKEND="Agg",
                       PYTHONPATH=str(tree / "lib" / "python3" / "dist-packages"))
    (tmp_path / "tiny.toml").write_text(TINY.replace("/TREE", str(tree / "share" / "coterie")))

    version = subprocess.run([tree / "bin" / "coterie", "--version"], capture_output=True, text=True, check=True)
    done = subprocess.run(["/usr/bin/python3", "-c", "import coterie; r = coterie.run('tiny.toml', quiet=True); "
                           "print(coterie.average(r, 'greedy')[0], coterie.__file__)"],
                          cwd=tmp_path, env=environment, capture_output=True, text=True)

    assert version.stdout.startswith("coterie 1.0.0\n")
    assert done.returncode == 0, done.stderr
    mean, file = done.stdout.split()
    assert 0 < float(mean) <= 100 and file.startswith(str(tree))


def test_it_brings_pages_completion_campaigns_traces_figures_examples(tree):
    for file in ("share/man/man1/coterie.1", "share/man/man1/coterie-run.1", "share/doc/coterie/copyright",
                 "share/bash-completion/completions/coterie", "share/zsh/vendor-completions/_coterie",
                 "share/fish/vendor_completions.d/coterie.fish", "share/coterie/scripts/campaigns/e5-automatic-chunks.toml",
                 "share/coterie/scripts/figures/figure_5.py", "share/coterie/scripts/examples/notebooks/now-2001.ipynb",
                 "share/coterie/scripts/examples/own-program/CMakeLists.txt",
                 "share/coterie/traces/bundled/condor-synthetic.durations", "lib/python3/dist-packages/coterie/py.typed"):
        assert (tree / file).is_file(), file
    assert not list(tree.rglob("__pycache__"))


@pytest.mark.skipif(not os.environ.get("COTERIE_FULL"), reason="installs with dpkg; scripts/test --full does")
def test_dpkg_installs_and_removes_it(packages, tmp_path):
    if os.geteuid() != 0:
        pytest.skip("dpkg --root needs root")
    database = tmp_path / "var" / "lib" / "dpkg"
    for folder in ("info", "updates", "triggers"):
        (database / folder).mkdir(parents=True)
    for file in ("status", "available"):
        (database / file).touch()
    dpkg = ["dpkg", "--root", tmp_path, "--force-depends", "--force-not-root"]
    subprocess.run([*dpkg, "--install", *packages.values()], check=True, capture_output=True)
    program = tmp_path / "usr" / "bin" / "coterie"
    assert subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    subprocess.run([*dpkg, "--remove", *packages], check=True, capture_output=True)
    assert not program.exists() and not (tmp_path / "usr" / "share" / "coterie").exists()
