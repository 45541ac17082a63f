"""A campaign with its traces and its result may move together, to another folder or machine."""
import json

import pytest

from result_testing import datasets

CAMPAIGN = """title = "moved"
seed = 3
instances = {instances}
{more}strategies = ["greedy", "no-replication"]
[grid]
workers = 3
work = 2
chunks = 10
startup = 0.05
risk = "trace(file=logs/t.durations)"
"""


def write(folder, instances=250, more=""):
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    (folder / "logs" / "t.durations").write_text("".join(f"{17 * i % 101 + 1}\n" for i in range(101)))
    (folder / "c.toml").write_text(CAMPAIGN.format(instances=instances, more=more))
    return folder / "c.toml"


@pytest.mark.parametrize("more", ["", 'variance_reduction = "exact"\n', 'output = "statistics"\n'])
def test_what_moved_is_shown_and_continued(coterie, tmp_path, more):
    here, there = tmp_path / "here", tmp_path / "there"
    coterie("run", write(here, more=more), "--output", here / "r.h5")
    shown = coterie("show", here / "r.h5").stdout
    here.rename(there)

    assert coterie("status", there / "r.h5").stdout.startswith(f"{there / 'r.h5'}: complete")
    assert coterie("show", there / "r.h5").stdout.replace("there", "here") == shown
    coterie("report", there / "r.h5")
    assert "is not drawn" not in (there / "r.html").read_text()
    one = json.loads(coterie("replay", there / "r.h5", "--configuration", 0, "--instance", 3, "--format", "json").stdout)
    assert len(one["strategies"]) == 2
    if "statistics" not in more:
        coterie("run", write(there, 500, more), "--output", there / "r.h5", "--resume")
        coterie("run", write(tmp_path / "anew", 500, more), "--output", tmp_path / "anew.h5")
        assert datasets(there / "r.h5") == datasets(tmp_path / "anew.h5")


def test_a_result_in_a_folder_of_its_own_moves_with_its_campaign(coterie, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    toml = write(here)
    (here / "results").mkdir()
    coterie("run", toml, "--output", here / "results" / "r.h5")
    here.rename(there)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "r.h5").symlink_to(there / "results" / "r.h5")
    for path in (there / "results" / "r.h5", tmp_path / "links" / "r.h5"):
        assert "complete" in coterie("status", path).stdout
        coterie("replay", path, "--configuration", 0, "--instance", 3)
    coterie("run", write(there, 500), "--output", there / "results" / "r.h5", "--resume")
    (tmp_path / "elsewhere").mkdir()
    (there / "results" / "r.h5").rename(tmp_path / "elsewhere" / "r.h5")
    coterie("run", write(there, 750), "--output", tmp_path / "elsewhere" / "r.h5", "--resume")


def test_shards_of_several_machines_are_merged(coterie, tmp_path):
    coterie("run", write(tmp_path / "all"), "--output", tmp_path / "all.h5")
    for i in (1, 2):
        machine = tmp_path / f"machine{i}"
        coterie("run", write(machine), "--output", machine / f"s{i}.h5", "--shard", f"{i}/2")
        (machine / f"s{i}.h5").rename(tmp_path / "all" / f"s{i}.h5")
        machine.rename(tmp_path / f"gone{i}")
    coterie("merge", tmp_path / "all" / "s1.h5", tmp_path / "all" / "s2.h5", "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == datasets(tmp_path / "all.h5")


@pytest.mark.parametrize("more", ["", 'variance_reduction = "exact"\n'])
def test_a_result_is_shown_without_its_traces(coterie, tmp_path, more):
    coterie("run", write(tmp_path / "here", more=more), "--output", tmp_path / "r.h5")
    shown = coterie("show", tmp_path / "r.h5").stdout
    (tmp_path / "here" / "logs").rename(tmp_path / "gone")
    assert coterie("show", tmp_path / "r.h5").stdout == shown
    coterie("report", tmp_path / "r.h5")
    assert "t.durations" in (tmp_path / "r.html").read_text()


def test_a_trace_that_changed_where_it_moved_is_seen(coterie, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    toml = write(here)
    coterie("run", toml, "--output", here / "r.h5")
    here.rename(there)
    (there / "logs" / "t.durations").write_text("5\n")
    refused = coterie("run", there / "c.toml", "--output", there / "r.h5", "--resume", check=False)
    assert refused.returncode == 2 and "changed: the file logs/t.durations" in refused.stderr
    replayed = coterie("replay", there / "r.h5", "--configuration", 0, "--instance", 0, check=False)
    assert replayed.returncode == 1 and "changed since it was made" in replayed.stderr
    coterie("report", there / "r.h5")
    assert "is not drawn: the file logs/t.durations changed since the result was made" in (there / "r.html").read_text()
