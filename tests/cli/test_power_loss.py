"""Power losses at every moment of a run: what disk_states says may then be on the disk is never a wrong result, what was
saved is still there, and --resume gives the right result.

Tried are all states that disk_states.states names (those of random subsets from a fixed seed); without COTERIE_FULL=1 a
part of those of one scenario, evenly over the run. What was tried is printed (pytest -rP)."""
import copy
import errno
import json
import random
import shutil

import pytest

from disk_states import Disk, make
from fault_testing import FULL, SCENARIOS, call, campaign, datasets, names_below, run_arguments, scenarios, with_parts

STATES = 1_000_000 if FULL else 30  # of each scenario


def instances_done(state, folder):
    """As `coterie status` has it; 0 where there is nothing yet."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    make(state, folder)
    answer = call(folder, "status", "out.h5", "--format", "json")
    if answer.returncode == 1 and "does not exist" in answer.stderr:
        return 0
    assert answer.returncode in (0, 3), (sorted(state), answer)
    return json.loads(answer.stdout)["instances_done"]


def states_after(disk, lines, chance):
    """(number of the line, its disk as if all were safe, a state it may be in), each state once."""
    seen = set()
    for number, line in enumerate(lines, 1):
        disk.do(line)
        if line.startswith("close") or (not FULL and line.startswith("write") and number % 5):
            continue
        for state in disk.states(chance, 6 if FULL else 2):
            key = tuple(sorted((name, hash(content)) for name, content in state.items()))
            if key not in seen:
                seen.add(key)
                yield number, state


def saved_after(disk, lines, begin, folder):
    """How many instances the program has saved when it has done each line: what it flushed under a name that stays."""
    saved, renamed, found = begin, False, [begin]
    for line in lines:
        disk.do(line)
        renamed |= line.startswith("rename") and line.endswith(".h5")
        if renamed and line.startswith("fsync"):
            saved = max(saved, instances_done(disk.state(lambda change: True, lambda file: file.content()), folder))
            renamed = False
        found.append(saved)
    return found


@pytest.mark.parametrize("name", scenarios("run", "resume", "extend", "begin-anew"))
def test_no_power_loss_makes_a_wrong_result_or_takes_what_was_saved(name, tmp_path):
    scenario = SCENARIOS[name]
    folder, here = tmp_path / "logged", tmp_path / "here"
    folder.mkdir()
    scenario.begin(folder)
    old = datasets(folder / "out.h5") if (folder / "out.h5").exists() else None
    disk = Disk(folder)
    begun = copy.deepcopy(disk)
    run = call(folder, *scenario.arguments, log=tmp_path / "log")
    assert run.returncode == 0, run
    lines = (tmp_path / "log").read_text().splitlines()
    right, names = datasets(folder / "out.h5"), names_below(folder)
    begin = 0 if name == "begin-anew" else instances_done(disk.state(lambda change: True, lambda file: file.content()), here)
    saved = saved_after(begun, lines, begin, here)
    states = list(states_after(disk, lines, random.Random(f"2013 {name}")))
    chosen = states if len(states) <= STATES else [states[i * len(states) // STATES] for i in range(STATES)]
    for number, state in chosen:
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        make(state, here)
        what = f"after line {number}, {lines[number - 1][:100]}: {sorted(state)}"
        if (here / "out.h5").exists():
            assert datasets(here / "out.h5") in (old, right), what
        done = instances_done(state, tmp_path / "asked")
        assert done >= saved[number], f"{done} of {saved[number]} instances {what}"
        again = call(here, *scenario.again)
        assert again.returncode == 0, (what, again)
        assert datasets(here / "out.h5") == right, what
        assert names_below(here) == names, what
    print(f"power losses, {name}: {len(lines)} things done, {len(states)} states of the disk, {len(chosen)} tried")


def test_a_write_that_fails_once_loses_nothing_that_was_computed(tmp_path):
    """The first part is there, the second cannot be named; what it was to hold is saved when the run ends."""
    campaign(tmp_path)
    failed = call(tmp_path, *run_arguments(), call="rename", at=3, error=errno.ENOSPC)
    assert failed.returncode == 1 and "results so far are kept" in failed.stderr
    assert len(list((tmp_path / "out.h5.parts").glob("part-*"))) == 2


def test_parts_without_a_manifest_count_for_nothing(tmp_path):
    """They may be of another campaign than the result."""
    with_parts(tmp_path)
    (tmp_path / "out.h5.parts" / "manifest.json").unlink()
    (tmp_path / "c.toml").write_text((tmp_path / "c.toml").read_text().replace("workers = 3", "workers = 4"))
    assert call(tmp_path, "run", "c.toml", "--output", "other.h5", "--quiet").returncode == 0
    (tmp_path / "other.h5").rename(tmp_path / "out.h5")
    status = call(tmp_path, "status", "out.h5", "--verify", "--format", "json")
    assert status.returncode == 0 and json.loads(status.stdout)["parts"] == 0, status
