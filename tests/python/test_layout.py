"""The layout of the tree: which layers there are, and who may include whom."""

import ast
import inspect
import os
import re
import subprocess
import sys

import pytest

import coterie

MAY_INCLUDE = {
    "core": {"core"},
    "heuristics": {"heuristics", "core"},
    "traces": {"traces", "core"},
    "sim": {"sim", "heuristics", "traces", "core"},
}
# The order of folders: each may include those named in its line, and those of its own. A new folder gets a line
# here and one in the README of its layer.
FOLDERS = {
    "core": "",
    "heuristics/charts": "core",
    "heuristics/chunks": "core heuristics/charts",
    "heuristics/ceilings": "core heuristics/chunks",
    "heuristics/worksharing": "core heuristics/charts heuristics/chunks heuristics/ceilings",
    "heuristics/dispatch": "core heuristics/chunks heuristics/worksharing",
    "heuristics/heterogeneous": "core",
    "heuristics/restart": "core heuristics/chunks",
    "heuristics/background": "core",
    "heuristics/now": "core",
    "heuristics/return_messages": "core heuristics/now",
    "traces/readers": "core",
    "traces": "core traces/readers",
    "sim/files": "core",
    "sim/input": "core traces traces/readers heuristics/chunks sim/files",
    "sim/model_interface": "core traces sim/input",
    "sim/kernels": "core heuristics/chunks heuristics/heterogeneous",
    "sim/sampling": "core traces heuristics/chunks heuristics/dispatch heuristics/restart heuristics/return_messages "
                    "sim/input sim/model_interface sim/kernels",
    "sim/drawing": "core traces heuristics/charts heuristics/chunks heuristics/worksharing",
    "sim/models": "core heuristics/background heuristics/ceilings heuristics/chunks heuristics/dispatch "
                  "heuristics/heterogeneous heuristics/now heuristics/restart heuristics/return_messages "
                  "heuristics/worksharing sim/input sim/model_interface sim/kernels sim/sampling sim/drawing",
    "sim/campaign": "core traces heuristics/dispatch heuristics/restart heuristics/worksharing sim/input sim/model_interface sim/models",
    "sim/totals": "core sim/kernels",
    "sim/engine": "core sim/campaign sim/totals",
    "sim/statistics": "core sim/totals sim/model_interface sim/sampling sim/campaign sim/engine",
    "sim/results": "core sim/files sim/input sim/model_interface sim/campaign sim/totals sim/engine sim/statistics",
    "sim/run": "core sim/files sim/model_interface sim/sampling sim/campaign sim/totals sim/engine sim/results",
    "sim/fleet": "core heuristics/chunks heuristics/dispatch heuristics/worksharing sim/model_interface sim/sampling "
                 "sim/campaign sim/engine",
    "sim/exports": "core heuristics/dispatch sim/files sim/input sim/drawing",
    "sim/planning": "core traces traces/readers heuristics/ceilings heuristics/chunks heuristics/dispatch heuristics/restart "
                    "heuristics/worksharing "
                    "sim/input sim/model_interface sim/sampling sim/models sim/campaign sim/engine sim/fleet sim/statistics sim/drawing",
    "sim/backtest": "core traces traces/readers heuristics/dispatch sim/sampling sim/campaign sim/fleet "
                    "sim/planning sim/statistics sim/drawing",
    "sim/solve": "core heuristics/background heuristics/ceilings heuristics/chunks heuristics/heterogeneous heuristics/now "
                 "heuristics/restart heuristics/return_messages heuristics/worksharing sim/input sim/drawing",
    "sim/report": "core sim/model_interface sim/campaign sim/statistics sim/results sim/drawing",
    "sim/terminal": "core traces traces/readers heuristics/worksharing sim/files sim/model_interface "
                    "sim/campaign sim/engine sim/statistics",
    "sim/plan_verb": "core traces traces/readers heuristics/chunks sim/files sim/input sim/model_interface sim/exports sim/planning "
                     "sim/terminal",
    "sim/command_line": "core traces traces/readers heuristics/ceilings heuristics/charts heuristics/worksharing "
                        "sim/files sim/input "
                        "sim/model_interface sim/models sim/sampling sim/campaign sim/engine "
                        "sim/results sim/run sim/drawing sim/planning sim/backtest sim/solve sim/report sim/terminal sim/plan_verb",
    "sim": "sim/command_line",
}
LAYERS = set(MAY_INCLUDE) | {"scripts", "tests"}
FILES = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}


def sources(folder):
    return sorted(path for suffix in ("hpp", "cpp", "in") for path in folder.rglob(f"*.{suffix}"))


@pytest.mark.parametrize("layer", MAY_INCLUDE)
def test_no_layer_includes_one_above_it(root, layer):
    wrong = []
    found = 0
    for path in sources(root / layer):
        for include in includes_of(path):
            found += 1
            if include.split("/")[0] not in MAY_INCLUDE[layer]:
                wrong.append(f"{path.relative_to(root)} includes {include}")
    assert found > 0
    assert not wrong, "\n".join(wrong)


def includes_of(path):
    return re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), flags=re.MULTILINE)


def test_the_order_of_folders_has_no_knot():
    """Each line names only folders above it."""
    above = set()
    for folder, others in FOLDERS.items():
        assert set(others.split()) <= above, folder
        above.add(folder)


def test_folders_include_only_what_stands_in_their_line(root):
    wrong, met = [], set()
    for layer in MAY_INCLUDE:
        for path in sources(root / layer):
            folder = str(path.parent.relative_to(root))
            met.add(folder)
            allowed = {folder, *FOLDERS.get(folder, "").split()}
            wrong += [f"{path.relative_to(root)} includes {include}" for include in includes_of(path)
                      if include.rpartition("/")[0] not in allowed]
    assert met == set(FOLDERS)
    assert not wrong, "\n".join(wrong)


def test_every_folder_has_a_line_in_the_readme_of_its_room(root):
    untold = [folder for folder in FOLDERS if "/" in folder
              and f"`{folder.split('/')[1]}/`" not in (root / folder.split("/")[0] / "README.md").read_text()]
    assert untold == []


def test_tests_mirror_the_tree(root):
    """A test of its own for a file is in the folder of the file's name."""
    lost = []
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        folder = path.parent.relative_to(root / "tests")
        stem = path.name.removesuffix("_test.cpp")
        homes = [home.parent.relative_to(root) for layer in MAY_INCLUDE
                 for home in (root / layer).rglob(f"{stem}.[hc]pp")]
        if homes and folder not in homes:
            lost.append(f"{path.relative_to(root)}: belongs into tests/{homes[0]}")
    assert lost == []


def test_every_source_of_a_room_has_its_header(root):
    alone = [str(path.relative_to(root)) for layer in ("core", "heuristics", "traces")
             for path in (root / layer).rglob("*.cpp") if not path.with_suffix(".hpp").exists()
             and not (path.parent.name == "readers" and path.stem.endswith("_reader"))  # rows of formats.cpp
             and not path.with_name(path.stem.rpartition("_")[0] + "_body.hpp").exists()]  # loops, by instruction set
    assert alone == []


def test_the_top_level_holds_the_rooms_and_nothing_else(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0 or not listed.stdout:
        pytest.skip("no git here: cannot tell the project's files from others")
    paths = listed.stdout.splitlines()
    folders = {path.split("/")[0] for path in paths if "/" in path and not path.startswith(".")}
    files = {path for path in paths if "/" not in path and not path.startswith(".")}
    assert folders == LAYERS
    assert files <= FILES


def test_no_file_outweighs_the_code(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("no git here: cannot tell the project's files from others")
    heavy = [path for path in listed.stdout.splitlines()
             if (root / path).is_file() and (root / path).stat().st_size > 1 << 20]
    assert heavy == []


def test_every_function_of_the_python_package_says_its_types(root):
    untold = []
    for path in sorted((root / "scripts" / "coterie").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef):
                continue
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            given += [one for one in (node.args.vararg, node.args.kwarg) if one]
            if node.returns is None or any(one.annotation is None for one in given if one.arg != "self"):
                untold.append(f"{path.name}:{node.lineno}: {node.name}")
    assert untold == []


def test_every_public_name_of_the_python_package_is_explained():
    """Of its own: dataclasses make up a text, and classes inherit one."""
    own = {name: vars(value).get("__doc__") if inspect.isclass(value := getattr(coterie, name)) else value.__doc__
           for name in coterie.__all__}
    assert [name for name, words in own.items() if not words or words.startswith(f"{name}(")] == []


def test_a_notebook_is_told_in_one_place(root):
    package = (root / "scripts" / "coterie").glob("*.py")
    assert [path.name for path in package if re.search("ipykernel|IPython", path.read_text())] == ["shell.py"]


def test_figures_need_no_screen_where_only_modules_of_notebooks_are_there(root):
    lines = ("import sys, types", "sys.modules['ipykernel'] = types.ModuleType('ipykernel')",
             "import matplotlib, coterie.plots", "print(matplotlib.get_backend())")
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True,
                          env={**os.environ, "MPLBACKEND": "svg", "PYTHONPATH": str(root / "scripts")})
    assert done.stdout.strip().lower() == "agg"
