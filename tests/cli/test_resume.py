"""Long campaigns that cannot be lost: stop, kill, resume, extend, shard, merge, damage, full disks."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy
import pytest

import fault_testing
from fault_testing import with_parts
from result_testing import datasets, write_campaign


def campaign(folder, instances=2000, strategies='"greedy", "random-replication"', workers="3, 6"):
    head = f'title = "resume"\nseed = 5\ninstances = {instances}'
    return write_campaign(folder / "c.toml", head, strategies, workers)


def assert_same(a, b):
    first, second = datasets(a), datasets(b)
    assert set(first) == set(second) and len(first) > 20
    for name in first:
        assert first[name] == second[name], name


def long_campaign(folder):
    """Some seconds of work."""
    return campaign(folder, instances=20000, workers="100, 200, 300, 400")


def start(*arguments, **options):
    return subprocess.Popen([os.environ["COTERIE"], *map(str, arguments)], stderr=subprocess.PIPE, text=True, **options)


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


@pytest.fixture
def whole(coterie, tmp_path):
    """The undisturbed result of the small campaign."""
    path = tmp_path / "whole.h5"
    coterie("run", campaign(tmp_path), "--output", path, "--threads", 1)
    return path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_between_blocks_and_resume_goes_on(coterie, tmp_path, number):
    toml = long_campaign(tmp_path)
    out = tmp_path / "out.h5"
    run = start("run", toml, "--output", out, "--save-every", "0.05s", "--threads", 2)
    wait_for(lambda: list((tmp_path / "out.h5.parts").glob("part-*.h5")))
    run.send_signal(number)
    message = run.communicate()[1]
    assert run.returncode == 3, message
    assert signal.Signals(number).name in message and "--resume" in message and str(toml) in message
    assert not out.exists() and not (tmp_path / "out.h5.lock").exists()

    status = coterie("status", out, "--format", "json", check=False)
    assert status.returncode == 3
    done = json.loads(status.stdout)["instances_done"]
    assert 0 < done < json.loads(status.stdout)["instances_total"]

    command = message.strip().splitlines()[-1].split("continue with: coterie ")[1]
    subprocess.run(f'"$COTERIE" {command}', shell=True, check=True, capture_output=True)
    assert coterie("status", out).stdout.startswith(f"{out}: complete")
    assert sorted(os.listdir(tmp_path)) == ["c.toml", "out.h5"]
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(out, tmp_path / "again.h5")


def test_time_limit(coterie, tmp_path, whole):
    toml = tmp_path / "c.toml"
    out = tmp_path / "out.h5"
    stopped = 0
    for _ in range(1000):  # a limit that is over before the first block gains nothing: so it grows
        run = coterie("run", toml, "--output", out, "--resume", "--time-limit", f"{20e-3 * 1.1 ** stopped}s", "--quiet",
                      check=False)
        if run.returncode == 0:
            break
        assert run.returncode == 3 and "time limit" in run.stderr
        stopped += 1
    assert_same(whole, out)
    for bad in ["0s", "5", "5 days", "-1s"]:
        refused = coterie("run", toml, "--output", tmp_path / "x.h5", "--time-limit", bad, check=False)
        assert refused.returncode == 2 and "--time-limit must be a time above 0 with its unit d, h," in refused.stderr
    for good in ["2d", "1h30m"]:
        coterie("run", toml, "--output", out, "--resume", "--time-limit", good, "--quiet")


def test_a_time_limit_that_is_over_at_once_saves_nothing_and_says_so(coterie, tmp_path):
    run = coterie("run", long_campaign(tmp_path), "--output", tmp_path / "out.h5", "--time-limit", "1e-9s", check=False)
    assert run.returncode == 3 and "at 0.0 %" in run.stderr
    again = coterie("status", tmp_path / "out.h5", check=False)
    assert again.returncode == 1 and "does not exist" in again.stderr


def test_killed_runs_lose_little_and_leave_no_lock(coterie, tmp_path):
    toml = long_campaign(tmp_path)
    out = tmp_path / "out.h5"
    run = start("run", toml, "--output", out, "--save-every", "0.05s")
    parts = tmp_path / "out.h5.parts"
    wait_for(lambda: len(list(parts.glob("part-*.h5"))) >= 2)
    run.kill()
    run.communicate()
    assert not out.exists()
    kept = {path: path.read_bytes() for path in parts.glob("part-*.h5")}

    refused = coterie("run", toml, "--output", out, check=False)
    assert refused.returncode == 2 and "--resume" in refused.stderr and "--force" in refused.stderr
    stopped = coterie("run", toml, "--output", out, "--resume", "--time-limit", "0.3s", check=False)
    if stopped.returncode == 3:  # parts that are there are never touched
        for path, content in kept.items():
            assert path.read_bytes() == content
    coterie("run", toml, "--output", out, "--resume")
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(out, tmp_path / "again.h5")


def test_second_run_on_one_output_is_refused(coterie, tmp_path):
    toml = long_campaign(tmp_path)
    out = tmp_path / "out.h5"
    run = start("run", toml, "--output", out)
    wait_for(lambda: (tmp_path / "out.h5.lock").exists())
    refused = coterie("run", toml, "--output", out, "--resume", check=False)
    assert refused.returncode == 1 and "another run" in refused.stderr
    run.kill()
    run.communicate()
    coterie("run", toml, "--output", out, "--resume", "--instances", 10)


def test_resume_of_a_complete_result_does_nothing(coterie, tmp_path, whole):
    before = whole.read_bytes()
    again = coterie("run", tmp_path / "c.toml", "--output", whole, "--resume")
    assert "complete" in again.stderr
    assert whole.read_bytes() == before


def test_extension(coterie, tmp_path, whole):
    old = datasets(whole)
    toml = campaign(tmp_path, 2600, '"brute", "greedy", "random-replication"', "2, 3, 6")
    anew = tmp_path / "anew.h5"
    coterie("run", toml, "--output", anew)
    coterie("run", toml, "--output", whole, "--resume", "--threads", 3)
    assert_same(anew, whole)
    with h5py.File(whole) as file:
        assert file.attrs["complete"] == 1
        ratio = file["ratio"][4:, 1:, :2000]
    assert numpy.ascontiguousarray(ratio).tobytes() == old["ratio"]


def test_changed_campaigns_are_refused_with_their_differences(coterie, tmp_path, whole):
    before = whole.read_bytes()
    toml = campaign(tmp_path, 1500, '"greedy"', "3, 7")
    refused = coterie("run", toml, "--output", whole, "--resume", "--seed", 6, check=False)
    assert refused.returncode == 2
    for difference in ["seed: was 5, now 6", "instances: were 2000, now 1500", 'strategy "random-replication"',
                       "configuration workers = 6, work = 2"]:
        assert difference in refused.stderr
    assert whole.read_bytes() == before
    both = coterie("run", toml, "--output", whole, "--resume", "--force", check=False)
    assert both.returncode == 2


@pytest.mark.parametrize("shards,instances,workers", [(4, 2000, "3, 6"), (3, 7, "3"), (2, 300, "2, 3, 4, 5, 6")])
def test_shards_merge_into_the_whole(coterie, tmp_path, shards, instances, workers):
    toml = campaign(tmp_path, instances, workers=workers)
    coterie("run", toml, "--output", tmp_path / "whole.h5")
    parts = [tmp_path / f"s{i}.h5" for i in range(1, shards + 1)]
    for i, part in enumerate(parts, 1):
        coterie("run", toml, "--output", part, "--shard", f"{i}/{shards}", "--threads", i % 3 + 1)
        status = coterie("status", part, check=False)
        assert status.returncode == 3 and f"shard {i}/{shards}" in status.stdout
        with h5py.File(part) as file:
            assert file.attrs["complete"] == 0
            done = ~numpy.isnan(file["reference"][...])
            assert abs(done.mean() - 1 / shards) <= 0.3 / shards + 1 / instances
    merged = tmp_path / "merged.h5"
    coterie("merge", *reversed(parts), "--output", merged)
    assert_same(tmp_path / "whole.h5", merged)
    assert coterie("status", merged).returncode == 0


def test_a_shard_is_run_again_as_a_shard(coterie, tmp_path):
    toml = campaign(tmp_path, 300)
    part, again = tmp_path / "part.h5", tmp_path / "again.h5"
    coterie("run", toml, "--output", part, "--shard", "2/3")
    refused = coterie("run", part, "--output", again, check=False)
    assert refused.returncode == 2 and not again.exists()
    assert "part.h5: is shard 2/3 of its campaign: give --shard 2/3 to run this share again" in refused.stderr
    coterie("run", part, "--output", again, "--shard", "2/3")
    assert_same(part, again)
    coterie("run", part, "--output", again, "--shard", "1/1", "--force")
    coterie("run", toml, "--output", tmp_path / "whole.h5")
    assert_same(tmp_path / "whole.h5", again)


def test_merge_refuses_what_does_not_belong_together(coterie, tmp_path):
    toml = campaign(tmp_path, 500)
    parts = {}
    for name, options in {"1": ["1/3"], "2": ["2/3"], "3": ["3/3"], "other": ["3/3", "--seed", 6], "four": ["3/4"]}.items():
        parts[name] = tmp_path / f"{name}.h5"
        coterie("run", toml, "--output", parts[name], "--shard", *options)
    coterie("run", toml, "--output", tmp_path / "whole.h5")
    out = tmp_path / "merged.h5"

    def refused(*names):
        result = coterie("merge", *[parts.get(n, tmp_path / f"{n}.h5") for n in names], "--output", out, check=False)
        assert result.returncode == 2 and not out.exists(), result
        return result.stderr

    assert "missing: shard 3/3" in refused("1", "2")
    assert "missing: shards 1/3, 3/3" in refused("2")
    assert "and so is" in refused("1", "2", "2", "3")
    assert "seed: was 6, now 5" in refused("1", "2", "other")
    assert "4 shards" in refused("1", "2", "four")
    assert "not a shard" in refused("1", "2", "whole")
    coterie("merge", *[parts[n] for n in "123"], "--output", out)
    exists = coterie("merge", *[parts[n] for n in "123"], "--output", out, check=False)
    assert exists.returncode == 2 and "--force" in exists.stderr
    for bad in ["0/3", "4/3", "x", "1/"]:
        assert coterie("run", toml, "--output", tmp_path / "x.h5", "--shard", bad, check=False).returncode == 2


def test_merge_of_an_unfinished_shard_says_so(coterie, tmp_path):
    toml = campaign(tmp_path, 1_000_000, workers="100, 200")  # much more than can be done in that time
    run = coterie("run", toml, "--output", tmp_path / "s1.h5", "--shard", "1/2", "--time-limit", "0.2s", check=False)
    assert run.returncode == 3 and "--shard 1/2" in run.stderr
    if (tmp_path / "s1.h5.parts").exists():
        merge = coterie("merge", tmp_path / "s1.h5", "--output", tmp_path / "m.h5", check=False)
        assert merge.returncode == 1 and "not finished" in merge.stderr


def flip_bit_of(path, name, index):
    with h5py.File(path) as file:
        value = file[name][index].tobytes()
    content = bytearray(path.read_bytes())
    content[content.index(value) + 1] ^= 4
    path.write_bytes(content)


@pytest.mark.parametrize("name,index", [("ratio", (5, 1, 1234)), ("reference", (3, 77)), ("mean", (6, 0))])
def test_a_flipped_bit_is_reported_with_its_place(coterie, tmp_path, whole, name, index):
    flip_bit_of(whole, name, index)
    checked = coterie("status", whole, "--verify", check=False)
    assert checked.returncode == 1
    with h5py.File(whole) as file:
        shape = file[name].chunks
        at = file[name].id.get_chunk_info_by_coord(tuple(i - i % step for i, step in zip(index, shape)))
    first, last = map(int, re.search(f"{whole}: is damaged: bytes ([0-9]+) to ([0-9]+) differ", checked.stderr).groups())
    assert at.byte_offset < last and first < at.byte_offset + at.size and last - first < 16384
    refused = coterie("run", campaign(tmp_path, 3000), "--output", whole, "--resume", check=False)
    assert refused.returncode == 1 and checked.stderr in refused.stderr


def test_no_flipped_bit_goes_unnoticed_in_values(coterie, tmp_path, whole):
    """Any bit: either it is reported, or no number is another one."""
    numbers = ["ratio", "reference", "mean", "q50", "workers"]
    with h5py.File(whole) as file:
        good = {name: file[name][...].tobytes() for name in numbers}
    content = whole.read_bytes()
    flipped = tmp_path / "flipped.h5"
    for k in range(60):
        damaged = bytearray(content)
        damaged[(k * 7919 * 4 + 13 * k * k) % len(content)] ^= 1 << (k % 8)
        flipped.write_bytes(damaged)
        result = coterie("status", flipped, "--verify", check=False)
        assert result.returncode in (0, 1), result
        if result.returncode == 0:
            with h5py.File(flipped) as file:
                assert all(file[name][...].tobytes() == good[name] for name in numbers)
        else:
            assert result.stderr.strip()


def test_truncated_foreign_and_newer_files_are_refused(coterie, tmp_path, whole):
    bad = tmp_path / "bad.h5"
    toml = tmp_path / "c.toml"

    def refused(words):
        for verb in [("status", bad), ("show", bad), ("merge", bad, "--output", tmp_path / "m.h5"),
                     ("run", toml, "--output", bad, "--resume")]:
            result = coterie(*verb, check=False)
            assert result.returncode == 1 and str(bad) in result.stderr, (verb, result)
            assert any(word in result.stderr for word in words), (verb, result.stderr)

    content = whole.read_bytes()
    for size in [0, 100, len(content) // 2]:
        bad.write_bytes(content[:size])
        refused(["cut off"])
    bad.write_text("no result\n")
    refused(["not an HDF5 result"])
    bad.unlink()
    with h5py.File(bad, "w") as file:
        file["x"] = [1.0]
    refused(["not a coterie result"])
    bad.write_bytes(content)
    with h5py.File(bad, "r+") as file:
        file.attrs["format_version"] = [3, 0]
    refused(["result format 3.0"])


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def test_full_disk_is_reported_and_resumed(coterie, tmp_path, whole):
    toml = tmp_path / "c.toml"
    out = tmp_path / "out.h5"
    run = start("run", toml, "--output", out, preexec_fn=limit_files(100_000))
    message = run.communicate()[1]
    assert run.returncode == 1 and "disk full?" in message
    assert not out.exists() and not list(tmp_path.glob("*.partial-*"))
    coterie("run", toml, "--output", out, "--resume")
    assert_same(whole, out)


def test_full_disk_after_much_work_keeps_that_work(coterie, tmp_path):
    toml = long_campaign(tmp_path)
    out = tmp_path / "out.h5"
    # Parts fit, the result does not.
    run = start("run", toml, "--output", out, "--save-every", "0.05s", preexec_fn=limit_files(4_000_000))
    message = run.communicate()[1]
    assert run.returncode == 1 and "disk full?" in message and "are kept in" in message and "--resume" in message
    assert not out.exists() and (tmp_path / "out.h5.parts").exists()
    status = json.loads(coterie("status", out, "--format", "json", check=False).stdout)
    assert status["instances_done"] == status["instances_total"] and not status["complete"]
    coterie("run", toml, "--output", out, "--resume")
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(tmp_path / "again.h5", out)


def test_a_file_system_that_is_full(coterie, tmp_path):
    """A real one, where that may be made; RLIMIT_FSIZE above stands for it elsewhere."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here: " + mounted.stderr.strip())
    try:
        toml = campaign(tmp_path, 20000, workers="100, 200")
        run = start("run", toml, "--output", disk / "out.h5", "--save-every", "0.01s")
        message = run.communicate()[1]
        assert run.returncode == 1 and "disk full?" in message and "--resume" in message
        assert not (disk / "out.h5").exists()
        assert not list(disk.rglob("*.partial-*"))
        status = json.loads(coterie("status", disk / "out.h5", "--format", "json", check=False).stdout)
        assert 0 < status["instances_done"]
        # Somebody makes room.
        subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
        coterie("run", toml, "--output", disk / "out.h5", "--resume")
        coterie("run", toml, "--output", tmp_path / "again.h5")
        assert_same(tmp_path / "again.h5", disk / "out.h5")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_result_that_is_larger_than_the_disk_is_not_begun(coterie, tmp_path):
    toml = campaign(tmp_path, 1_000_000_000, workers=", ".join(map(str, range(1, 101))))
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize
    if free > 9e12:
        pytest.skip("this disk has room for it")
    result = coterie("run", toml, "--output", tmp_path / "out.h5", check=False)
    assert result.returncode == 1 and "9.6e+03 GB for results" in result.stderr and "are free" in result.stderr
    assert not list(tmp_path.glob("out.h5*"))
    assert "MB of results" in coterie("validate", toml).stdout


def test_messages_go_into_no_file_that_took_the_place_of_a_closed_stream(coterie, tmp_path):
    toml = campaign(tmp_path, 500)
    coterie("run", toml, "--output", tmp_path / "a.h5")
    command = '"$0" run "$1" --output "$2" --save-every 0.001s <&- 2>&-'
    for closed in ("", " >&-"):
        out = tmp_path / f"b{len(closed)}.h5"
        subprocess.run(["sh", "-c", command + closed, os.environ["COTERIE"], toml, out], check=False)
        assert_same(tmp_path / "a.h5", out)


def test_outputs_that_cannot_be_written(coterie, tmp_path):
    toml = campaign(tmp_path, 10)
    for out, code in [(tmp_path / "no" / "such.h5", 1), ("/proc/x.h5", 1), (tmp_path, 2), ("/dev/null", 2), ("", 2)]:
        result = coterie("run", toml, "--output", out, check=False)
        assert result.returncode == code and result.stderr.strip(), (out, result)
    if os.geteuid() != 0:
        (tmp_path / "locked").mkdir(mode=0o500)
        result = coterie("run", toml, "--output", tmp_path / "locked" / "x.h5", check=False)
        assert result.returncode == 1 and "Permission denied" in result.stderr


def test_a_file_system_that_is_read_only(coterie, tmp_path, whole):
    """For root, too, to whom no folder is closed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here: " + mounted.stderr.strip())
    try:
        (disk / "old.h5").write_bytes(whole.read_bytes())
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert coterie("status", disk / "old.h5", "--verify").returncode == 0
        toml = campaign(tmp_path, 3000)
        for out in ("new.h5", "old.h5"):
            refused = coterie("run", toml, "--output", disk / out, "--resume", check=False)
            assert refused.returncode == 1 and f"{out}.lock: cannot be created: Read-only file system" in refused.stderr
        merged = coterie("merge", whole, "--output", disk / "m.h5", check=False)
        assert merged.returncode in (1, 2) and merged.stderr.strip()
        assert sorted(os.listdir(disk)) == ["old.h5"]
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_result_that_a_run_is_about_to_replace_is_not_complete(coterie, tmp_path):
    """All of the new rows are in parts, as after a kill while the result file is written."""
    toml, old = long_campaign(tmp_path), tmp_path / "old.h5"
    coterie("run", toml, "--output", old, "--quiet")
    limit = old.stat().st_size * 6 // 10
    run = start("run", toml, "--output", old, "--seed", 6, "--force", "--save-every", "0.05s",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    run.communicate()
    assert run.returncode == 1
    told = coterie("status", old, check=False)
    assert told.returncode == 3 and "incomplete" in told.stdout and "(100.0 %)" in told.stdout
    merged = coterie("merge", old, "--output", tmp_path / "m.h5", check=False)
    assert merged.returncode == 1 and "is not finished" in merged.stderr
    coterie("run", toml, "--output", old, "--seed", 6, "--resume")
    assert coterie("status", old).stdout.startswith(f"{old}: complete")


def test_the_command_that_continues_a_run_is_whole_and_right(coterie, tmp_path, whole):
    title = "x" * 300
    stopped = coterie("run", long_campaign(tmp_path), "--output", whole, "--force", "--set", f"title={title}", "--time-limit",
                      "1e-9s", "--quiet", check=False)
    assert stopped.returncode == 3
    assert f"title={title}" in stopped.stderr
    assert "--force" in stopped.stderr and "--resume" not in stopped.stderr, "nothing is saved that could be resumed"


def stopped_with_parts(folder, toml, *options):
    """A result that has parts only."""
    run = start("run", toml, "--output", folder / "out.h5", "--save-every", "0.05s", *options)
    wait_for(lambda: list((folder / "out.h5.parts").glob("part-*.h5")))
    run.kill()
    run.communicate()
    return folder / "out.h5"


@pytest.mark.parametrize("traced", [False, True])
def test_a_folder_whose_name_is_not_utf8(coterie, tmp_path, traced):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    toml = long_campaign(folder)
    if traced:
        (folder / "t.durations").write_text("1\n2\n3\n")
        toml.write_text(toml.read_text() + 'risk = "trace(file=t.durations)"\n')
    out = stopped_with_parts(folder, toml)
    assert coterie("status", out, check=False).returncode == 3
    coterie("run", toml, "--output", out, "--resume")
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(out, tmp_path / "again.h5")


def test_a_part_that_cannot_be_opened_is_not_called_damaged(coterie, tmp_path):
    out = stopped_with_parts(tmp_path, long_campaign(tmp_path))
    part = next((tmp_path / "out.h5.parts").glob("part-*.h5"))
    part.rename(tmp_path / "aside.h5")
    part.symlink_to(part)  # leads nowhere
    refused = coterie("run", tmp_path / "c.toml", "--output", out, "--resume", check=False)
    assert refused.returncode == 1 and f"{part}: cannot be opened" in refused.stderr and "delete" not in refused.stderr
    part.unlink()
    (tmp_path / "aside.h5").rename(part)
    coterie("run", tmp_path / "c.toml", "--output", out, "--resume")


def test_a_run_that_is_refused_removes_nothing(coterie, tmp_path):
    out = stopped_with_parts(tmp_path, long_campaign(tmp_path))
    kept = {path: path.read_bytes() for path in (tmp_path / "out.h5.parts").iterdir()}
    free = os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize
    if free > 9e12:
        pytest.skip("this disk has room for it")
    toml = campaign(tmp_path, 1_000_000_000, workers=", ".join(map(str, range(1, 101))))
    refused = coterie("run", toml, "--output", out, "--force", check=False)
    assert refused.returncode == 1 and "are free" in refused.stderr
    assert {path: path.read_bytes() for path in (tmp_path / "out.h5.parts").iterdir()} == kept
    coterie("run", long_campaign(tmp_path), "--output", out, "--resume")


def two_shards(coterie, folder):
    toml = campaign(folder, 30)
    shards = [folder / f"s{i}.h5" for i in (1, 2)]
    for i, shard in enumerate(shards, 1):
        coterie("run", toml, "--output", shard, "--shard", f"{i}/2")
    return shards


def test_merge_leaves_unfinished_results_alone(coterie, tmp_path):
    shards = two_shards(coterie, tmp_path)
    out = stopped_with_parts(tmp_path, long_campaign(tmp_path))
    refused = coterie("merge", *shards, "--output", out, check=False)
    assert refused.returncode == 2 and f"{out}.parts: holds unfinished results" in refused.stderr and not out.exists()
    coterie("merge", *shards, "--output", out, "--force")
    assert coterie("status", out).stdout.startswith(f"{out}: complete") and not (tmp_path / "out.h5.parts").exists()
    (tmp_path / "out.h5.parts").mkdir()
    (tmp_path / "out.h5.parts" / "manifest.json").write_text("{")  # damaged
    assert coterie("merge", *shards, "--output", out, "--force", check=False).returncode == 0


def test_a_result_that_came_after_the_parts_is_not_replaced(coterie, tmp_path):
    shards = two_shards(coterie, tmp_path)
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    toml = long_campaign(tmp_path)
    out = stopped_with_parts(tmp_path, toml)
    shutil.copy(tmp_path / "merged.h5", out)
    refused = coterie("run", toml, "--output", out, "--resume", check=False)
    assert refused.returncode == 2 and f"{out}: was not there when" in refused.stderr
    assert out.read_bytes() == (tmp_path / "merged.h5").read_bytes()
    out.unlink()
    coterie("run", toml, "--output", out, "--resume")
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(tmp_path / "again.h5", out)


def test_every_shard_has_room_for_the_whole_result(coterie, tmp_path):
    toml = campaign(tmp_path, instances=20_000_000)
    told = coterie("run", toml, "--output", tmp_path / "o.h5", "--shard", "1/1000", "--time-limit", "1s", check=False).stderr
    assert "as every shard has room for all results, and its share in" in told, told


def test_force_replaces_only_at_the_end(coterie, tmp_path, whole):
    before = whole.read_bytes()
    toml = long_campaign(tmp_path)
    run = start("run", toml, "--output", whole, "--force", "--save-every", "0.05s")
    wait_for(lambda: list((tmp_path / "whole.h5.parts").glob("part-*.h5")))
    run.kill()
    run.communicate()
    assert whole.read_bytes() == before
    assert coterie("status", whole, check=False).returncode == 3
    coterie("run", toml, "--output", whole, "--resume")
    assert coterie("status", whole).stdout.startswith(f"{whole}: complete")
    coterie("run", toml, "--output", tmp_path / "again.h5")
    assert_same(tmp_path / "again.h5", whole)


def test_more_shards_are_merged_than_files_may_be_open(coterie, tmp_path):
    (tmp_path / "c.toml").write_text("""instances = 100
strategies = ["no-replication"]
[grid]
workers = 2
work = 1
chunks = 2
startup = 0
risk = "linear"
""")
    shards = [f"{i}.h5" for i in range(1, 81)]
    for i, shard in enumerate(shards, 1):
        coterie("run", "c.toml", "--shard", f"{i}/80", "--output", shard, "--quiet", cwd=tmp_path)

    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (70, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    coterie("merge", *shards, "--output", "all.h5", cwd=tmp_path, preexec_fn=few_files)
    coterie("run", "c.toml", "--output", "once.h5", "--quiet", cwd=tmp_path)
    assert datasets(tmp_path / "all.h5") == datasets(tmp_path / "once.h5")


def test_the_command_to_go_on_has_its_options_before_the_words(coterie, tmp_path):
    path = long_campaign(tmp_path)
    done = coterie("run", "--output", tmp_path / "o.h5", "--time-limit", "0.000001s", "--", path, check=False)
    command = done.stderr.strip().splitlines()[-1].split("continue with: coterie ")[1]
    assert command.split()[-3:] == ["--resume", "--", str(path)]


# ---- parts that do not belong here ----

def parts_of(folder, **campaign_of):
    """Of a run that was ended when it had saved its first rows."""
    folder.mkdir()
    with_parts(folder, **campaign_of)
    return folder / "out.h5.parts"


@pytest.mark.parametrize("line", ["seed = 5", "common_random_numbers = true\nseed = 5"])
def test_a_part_of_another_campaign_is_refused_by_name(coterie, tmp_path, line):
    """Whatever determines its values: its rows have the same names."""
    mine = parts_of(tmp_path / "mine")
    other = tmp_path / "other"
    other.mkdir()
    made = fault_testing.CAMPAIGN.replace("seed = {seed}", line.replace("5", "6") if line == "seed = 5" else line)
    with_parts(other, text=made)
    shutil.copy(other / "out.h5.parts" / "part-000001.h5", mine)
    run = ["run", "c.toml", "--output", "out.h5", "--quiet"]
    for verb in (["status", "out.h5"], [*run, "--resume"]):
        refused = coterie(*verb, cwd=mine.parent, check=False)
        assert refused.returncode == 2 and "part-000001.h5: belongs to another campaign" in refused.stderr, refused
        assert ("seed: was 6, now 5" if line == "seed = 5" else "common_random_numbers: was true") in refused.stderr
    (mine / "part-000001.h5").unlink()
    coterie(*run, "--resume", cwd=mine.parent)
    coterie("run", "c.toml", "--output", "whole.h5", "--quiet", cwd=mine.parent)
    assert_same(mine.parent / "whole.h5", mine.parent / "out.h5")


def test_parts_of_a_smaller_campaign_are_still_used(coterie, tmp_path):
    parts = parts_of(tmp_path / "mine")
    before = (parts / "part-000001.h5").read_bytes()
    toml = parts.parent / "c.toml"
    toml.write_text(toml.read_text().replace("workers = 3", "workers = [2, 3]"))
    stopped = fault_testing.call(parts.parent, *fault_testing.run_arguments("--resume"), call="rename", at=3, error=28, lasts=1)
    assert stopped.returncode == 1 and (parts / "part-000002.h5").exists()
    assert (parts / "part-000001.h5").read_bytes() == before
    coterie("run", "c.toml", "--output", "out.h5", "--resume", "--quiet", cwd=parts.parent)
    coterie("run", "c.toml", "--output", "whole.h5", "--quiet", cwd=parts.parent)
    assert_same(parts.parent / "whole.h5", parts.parent / "out.h5")


@pytest.mark.parametrize("option", [[], ["--resume"]])
def test_parts_without_a_manifest_are_not_removed_unasked(coterie, tmp_path, option):
    parts = parts_of(tmp_path / "mine")
    (parts / "manifest.json").unlink()
    kept = (parts / "part-000001.h5").read_bytes()
    run = ["run", "c.toml", "--output", "out.h5", "--quiet"]
    refused = coterie(*run, *option, cwd=parts.parent, check=False)
    assert refused.returncode == 2 and "out.h5.parts: holds parts, but no manifest.json" in refused.stderr
    assert (parts / "part-000001.h5").read_bytes() == kept and not (parts.parent / "out.h5").exists()
    status = coterie("status", "out.h5", cwd=parts.parent, check=False)
    assert status.returncode == 1 and "out.h5.parts has no manifest.json that says of what its parts are" in status.stderr
    coterie(*run, "--force", cwd=parts.parent)
    assert not parts.exists()


@pytest.mark.parametrize("manifest", [True, False])
@pytest.mark.parametrize("kind", ["text", "result", "pipe", "folder"])
def test_what_has_the_name_of_a_part_and_is_none_is_never_removed(coterie, tmp_path, manifest, kind):
    parts = parts_of(tmp_path / "mine")
    mine = parts / "part-000099.h5"
    if kind == "text":
        mine.write_text("mine\n")
    elif kind == "result":
        coterie("run", "c.toml", "--output", mine, "--quiet", cwd=parts.parent)
    elif kind == "pipe":
        os.mkfifo(mine)
    else:
        mine.mkdir()
    if not manifest:
        (parts / "manifest.json").unlink()
    for option in ([], ["--resume"], ["--force"]):
        refused = coterie("run", "c.toml", "--output", "out.h5", "--quiet", *option, cwd=parts.parent, check=False)
        assert refused.returncode in (1, 2) and "out.h5.parts" in refused.stderr, refused
        assert ("part-000099.h5" in refused.stderr) == (option == ["--force"] or manifest and option == ["--resume"]), refused
        assert ("move it away" in refused.stderr) == (option == ["--force"]) or option == [], refused
        assert mine.exists() and (parts / "part-000001.h5").exists()


@pytest.mark.parametrize("option", [[], ["--resume"], ["--force"]])
def test_no_link_is_taken_for_the_folder_of_parts(coterie, tmp_path, option):
    parts = parts_of(tmp_path / "mine")
    parts.rename(tmp_path / "far")
    parts.symlink_to("../far")
    before = sorted((path.name, path.read_bytes()) for path in (tmp_path / "far").iterdir())
    for verb in (["run", "c.toml", "--output", "out.h5", "--quiet", *option], ["status", "out.h5"]):
        refused = coterie(*verb, cwd=parts.parent, check=False)
        assert refused.returncode == 2 and "out.h5.parts: is in the way, as it is a link" in refused.stderr, refused
    assert parts.is_symlink() and before == sorted((path.name, path.read_bytes()) for path in (tmp_path / "far").iterdir())
