"""The layout of the tree: which rooms there are, and who may include whom."""

import ast
import inspect
import re
import subprocess

import pytest

import coterie

MAY_INCLUDE = {
    "core": {"core"},
    "heuristics": {"heuristics", "core"},
    "traces": {"traces", "core"},
    "sim": {"sim", "heuristics", "traces", "core"},
}
ROOMS = set(MAY_INCLUDE) | {"scripts", "tests"}
FILES = {"CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}


def sources(folder):
    return sorted(path for suffix in ("hpp", "cpp", "in") for path in folder.rglob(f"*.{suffix}"))


@pytest.mark.parametrize("room", MAY_INCLUDE)
def test_no_room_includes_one_above_it(root, room):
    wrong = []
    found = 0
    for path in sources(root / room):
        for include in re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), flags=re.MULTILINE):
            found += 1
            if include.split("/")[0] not in MAY_INCLUDE[room]:
                wrong.append(f"{path.relative_to(root)} includes {include}")
    assert found > 0
    assert not wrong, "\n".join(wrong)


def test_every_source_of_a_room_has_its_header(root):
    alone = [str(path.relative_to(root)) for room in ("core", "heuristics", "traces")
             for path in (root / room).rglob("*.cpp") if not path.with_suffix(".hpp").exists()]
    assert alone == []


def test_the_top_level_holds_the_rooms_and_nothing_else(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0 or not listed.stdout:
        pytest.skip("no git here: cannot tell the project's files from others")
    paths = listed.stdout.splitlines()
    folders = {path.split("/")[0] for path in paths if "/" in path and not path.startswith(".")}
    files = {path for path in paths if "/" not in path and not path.startswith(".")}
    assert folders == ROOMS
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
    names = [getattr(coterie, name) for name in coterie.__all__]
    assert [name for name in names if not inspect.getdoc(name)] == []
