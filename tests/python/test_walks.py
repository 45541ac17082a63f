"""scripts/examples/README.md: each walk's commands are run, and say what stands there."""

import re
import shlex

import pytest

from test_readme import ROOT

PAGE = ROOT / "scripts" / "examples" / "README.md"
WALKS = PAGE.read_text().split("\n## ")[1:]


def steps_of(walk):
    """Commands with the output that is shown, in pieces."""
    found = re.findall(r"^```console\n\$ (.*?)\n```\n\n```text\n(.*?)^```", walk, flags=re.MULTILINE | re.DOTALL)
    return [(shlex.split(command.replace("\\\n", " ")), shown.split("...\n")) for command, shown in found]


def test_there_are_five_walks():
    assert len(WALKS) == 5
    assert all(steps_of(walk) for walk in WALKS)


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.splitlines()[0])
def test_a_walk_says_what_the_program_says(root, program, tmp_path, walk):
    for name in ("traces", "scripts"):
        (tmp_path / name).symlink_to(root / name)
    for words, parts in steps_of(walk):
        assert words[0] == "coterie"
        said = program(*words[1:], cwd=tmp_path)
        for part in parts:
            assert part in said, part
        assert "--explain" in words or len(said.splitlines()) <= 25
        if "--export" in words:
            assert (tmp_path / words[words.index("--export") + 1]).stat().st_size > 0
