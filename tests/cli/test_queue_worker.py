"""The worker of an exported queue: killed, stopped, slow or many, every part of the work gets one result."""
import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

PLAN = {"workers": 4, "fallback": 0, "work": 100, "task": 0, "checkpoint": 0, "shares": 2, "least_chunk": 3, "by_age": [],
        "copies": False, "tries": 0, "warning": 0, "beat": 0.05, "lease": 1}


@pytest.fixture
def worker(root):
    spec = importlib.util.spec_from_file_location("worker", root / "sim/exports/worker.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def queue(root, tmp_path):
    """A function that makes the folder of a queue with such parameters; its command says what it was told."""
    def make(**parameters):
        folder = tmp_path / "queue"
        folder.mkdir()
        shutil.copy(root / "sim/exports/worker.py", folder)
        (folder / "queue.json").write_text(json.dumps(PLAN | parameters))
        return folder
    return make


def start(folder, *options, command="sleep 0.05", **more):
    script = f'{command} && echo "$0 $1 $2" > $COTERIE_RESULT/said'
    return subprocess.Popen([sys.executable, folder / "worker.py", *map(str, options), "sh", "-c", script],
                            stderr=subprocess.PIPE, text=True, **more)


def entries(folder):
    return [json.loads(path.read_text()) for path in sorted((folder / "log").glob("[0-9]*"))]


def told(folder):
    """What each result says that its command was told: chunk, begin, end; in order."""
    found = [(path / "said").read_text().split() for path in (folder / "results").iterdir()]
    assert {path.name for path in (folder / "results").iterdir()} == {chunk for chunk, _, _ in found}
    return sorted((float(begin), float(end)) for _, begin, end in found)


def check_whole(folder):
    """The results are the work, without gap or overlap."""
    plan = json.loads((folder / "queue.json").read_text())
    parts = told(folder)
    assert parts[0][0] == 0 and parts[-1][1] == plan["work"]
    assert [end for _, end in parts[:-1]] == [begin for begin, _ in parts[1:]]
    return parts


def end(process, code=0):
    _, message = process.communicate(timeout=120)
    assert process.returncode == code, message
    return message


def test_chunks_are_shares_of_what_is_left(queue):
    folder = queue(checkpoint=1)
    end(start(folder, command="true"))
    left, sizes = 100, []
    while left:
        size = max(3, left / 8)  # 2 shares for each of 4 workers that are expected
        sizes.append(left if left - size < 3 else round(size, 6))
        left = round(left - sizes[-1], 6)
    parts = check_whole(folder)
    assert [e - b for b, e in parts] == pytest.approx(sizes) and len(sizes) > 10
    assert not list((folder / "attempts").iterdir()) and not list((folder / "hearts").iterdir())


def test_a_worker_takes_what_suits_its_age(worker, queue):
    one = worker.Queue(queue(by_age=[[0, 10, 1], [100, 4, 0.5], [200, 0, 0]], shares=0.1), "one")
    for age, size in ((0, 10), (50, 7), (100, 4), (150, 2), (300, 3)):  # beyond all lives the least chunk
        one.born = time.monotonic() - age
        begin, finish = one.fresh_chunk(one.state)
        assert finish - begin == pytest.approx(size, abs=0.1)


def test_chunks_are_whole_seconds_where_they_are_long(queue):
    folder = queue(work=1000.5, least_chunk=10, shares=3)
    end(start(folder, command="true"))
    assert all(border == int(border) for border, _ in check_whole(folder))


@pytest.mark.parametrize("task", [0, 7])
def test_workers_that_are_killed_at_random_lose_nothing(queue, task):
    folder = queue(work=200, task=task, copies=True, by_age=[[0, 50, 1], [10, 50, 0.01]], least_chunk=2)
    draw = random.Random(task)
    waiting = f'sleep 0.1; until [ ${{1%.*}} -lt 100 ] || [ -e {folder}/calm ]; do sleep 0.05; done'
    running = []
    for _ in range(400 if os.environ.get("COTERIE_FULL") else 40):
        running = [one for one in running if one.poll() is None]
        while len(running) < 6:
            running.append(start(folder, command=waiting))
        time.sleep(draw.uniform(0, 0.15))
        draw.choice(running).kill()
    (folder / "calm").touch()
    for one in [*running, start(folder, command=waiting)]:
        one.communicate(timeout=120)
    parts = check_whole(folder)
    assert not task or parts == [(begin, min(begin + 7, 200)) for begin in range(0, 200, 7)]


@pytest.fixture
def dying(root, tmp_path):
    """The worker, which dies at its Nth change of a file: before it (an even N) or after it."""
    (tmp_path / "dying.py").write_text(f"""
import os, pathlib, runpy, sys
left = int(sys.argv.pop(1))
def dies(call):
    def wrapped(*words, **more):
        global left
        left -= 1
        if left == 0: os._exit(9)
        answer = call(*words, **more)
        left -= 1
        if left == 0: os._exit(9)
        return answer
    return wrapped
for name in ("link", "rename", "fsync"):
    setattr(os, name, dies(getattr(os, name)))
for name in ("mkdir", "open", "touch", "unlink"):
    setattr(pathlib.Path, name, dies(getattr(pathlib.Path, name)))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
""")
    return lambda number, folder: subprocess.run(
        [sys.executable, tmp_path / "dying.py", str(number), folder / "worker.py", "--slot", "a", "sh", "-c",
         'echo "$0 $1 $2" > $COTERIE_RESULT/said'], timeout=60).returncode


@pytest.mark.parametrize("slot", ["a", "b"])  # which starts again, or another one
def test_a_worker_that_dies_at_any_step_leaves_a_whole_queue(queue, dying, slot):
    number, every = 1, 1 if os.environ.get("COTERIE_FULL") else 9
    folder = queue(work=9, workers=1, shares=1.5, lease=0.1)
    while dying(number, folder) == 9:
        end(start(folder, "--slot", slot, command="true"))
        check_whole(folder)
        for name in ("log", "results", "attempts", "hearts"):
            shutil.rmtree(folder / name)
        number += every
    assert number > 60


def test_workers_that_claim_at_once_get_different_parts(worker, queue):
    folder = queue(work=1000, workers=8, least_chunk=1)
    queues = [worker.Queue(folder, f"w{i}") for i in range(8)]
    taken = [[] for _ in queues]

    def take(number):
        for _ in range(10):
            attempt, part = queues[number].claim()
            taken[number].append(part)
            queues[number].add(lambda _: queues[number].entry("done", attempt, part))

    threads = [threading.Thread(target=take, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    parts = sorted(part for one in taken for part in one)
    assert len(parts) == 80 and all(first[1] == second[0] for first, second in zip(parts, parts[1:]))


def silent(watcher, beats):
    for _ in range(beats):
        watcher.looked -= 1  # as if so long had passed; at most two beats of it count
        watcher.beat()


def test_a_dead_worker_is_given_up_once(worker, queue):
    folder = queue(lease=1, beat=0.1)
    dead, *others = (worker.Queue(folder, name) for name in ("dead", "b", "c"))
    _, part = dead.claim()
    for one in others:
        silent(one, 5)
    assert not [entry for entry in entries(folder) if entry["event"] == "gone"]  # looked, but not for long enough
    last = others[0].state.alive[dead.worker]
    threads = [threading.Thread(target=one.give_up, args=(dead.worker, last)) for one in others]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [entry["event"] for entry in entries(folder)] == ["claim", "gone"]
    assert others[0].claim()[1][0] == part[0]


def test_a_worker_that_is_heard_of_is_not_given_up(worker, queue):
    folder = queue(lease=1, beat=0.1)
    slow, watcher = worker.Queue(folder, "slow"), worker.Queue(folder, "watcher")
    attempt, part = slow.claim()
    silent(watcher, 5)
    last = watcher.state.alive[slow.worker]
    slow.add(lambda _: slow.entry("done", attempt, part))
    watcher.give_up(slow.worker, last)
    slow.beat()
    silent(watcher, 5)
    slow.beat()
    silent(watcher, 5)
    assert [entry["event"] for entry in entries(folder)] == ["claim", "done"]
    silent(watcher, 10)
    assert entries(folder)[-1]["event"] == "gone"


def test_what_a_worker_adds_is_a_sign_of_life_too(worker, queue):
    folder = queue(lease=1, beat=0.1, work=1000)
    busy, watcher = worker.Queue(folder, "busy"), worker.Queue(folder, "watcher")
    for _ in range(4):
        attempt, part = busy.claim()
        busy.add(lambda _: busy.entry("done", attempt, part))
        silent(watcher, 4)
    assert {entry["event"] for entry in entries(folder)} == {"claim", "done"}


def test_shares_grow_when_a_worker_is_gone_until_it_returns(worker, queue):
    folder = queue(shares=1, least_chunk=1)
    first, second = worker.Queue(folder, "first"), worker.Queue(folder, "second")
    assert first.claim()[1] == (0, 25)
    first.give_up(first.worker)
    attempt, part = second.claim()
    assert part == (0, pytest.approx(100 / 3))
    second.add(lambda _: second.entry("done", attempt, part))
    again = worker.Queue(folder, "first")
    begin, finish = again.claim()[1]
    assert finish - begin == pytest.approx(200 / 3 / 4)
    assert second.claim()[1][1] - finish == pytest.approx((100 - finish) / 4)


@pytest.mark.parametrize("late", [False, True])
def test_of_a_slow_worker_and_the_one_that_took_over_the_first_counts(worker, queue, late):
    folder = queue(workers=1, shares=1.25)
    slow, other = worker.Queue(folder, "slow"), worker.Queue(folder, "other")
    attempt, part = slow.claim()
    other.read()
    other.give_up(slow.worker)
    other.plan["shares"] = 4
    again, smaller = other.claim()
    assert part == (0, 80) and smaller == (0, 25)

    def say(one, name, what):
        return one.add(lambda state: None if state.is_done(*what) else one.entry("done", name, what))

    if late:
        assert say(other, again, smaller) and not say(slow, attempt, part)
        slow.read()
        assert slow.state.done == [smaller] and slow.state.free() == [(25, 100)]
    else:
        assert say(slow, attempt, part) and not say(other, again, smaller)
        assert other.state.done == [part] and other.state.free() == [(80, 100)]
        assert not other.state.running


def test_a_link_whose_answer_is_lost_counts_once(worker, queue, monkeypatch):
    folder = queue()
    one, link = worker.Queue(folder, "one"), os.link

    def lossy(*names):
        link(*names)
        raise FileExistsError

    monkeypatch.setattr(os, "link", lossy)
    assert one.claim()[1][0] == 0 and len(entries(folder)) == 1 and one.state.entries == 1


def test_a_stopped_worker_that_wakes_up_does_no_harm(queue):
    folder = queue(work=30, lease=0.5, workers=2)
    sleepy = start(folder, command="sleep 0.3")
    while not list(folder.glob("attempts/*")):
        time.sleep(0.01)
    sleepy.send_signal(signal.SIGSTOP)
    end(start(folder, command="sleep 0.05"))
    sleepy.send_signal(signal.SIGCONT)
    end(sleepy)
    check_whole(folder)
    assert "lost" in {entry.get("why") for entry in entries(folder)}


@pytest.mark.parametrize("warning, done", [(0, False), (30, True)])
def test_a_worker_that_must_go_gives_back_at_once_what_it_cannot_save(queue, warning, done):
    folder = queue(work=10, lease=1000, workers=1, shares=1, warning=warning)
    going = start(folder, command=f"touch {folder}/begun; sleep 1")
    while not (folder / "begun").exists():
        time.sleep(0.01)
    going.terminate()
    end(going, 143)
    assert [entry["event"] for entry in entries(folder)] == (["claim", "done", "gone"] if done else ["claim", "gone"])
    if not done:
        assert not list((folder / "attempts").iterdir())
        end(start(folder, command="true"))
    assert check_whole(folder) == [(0, 10)]


def test_a_chunk_that_fails_goes_back_and_ends_its_worker(queue):
    folder = queue(work=10, workers=1, shares=1)
    assert "failed for chunk 0-10 (exit code 1); this worker ends" in end(start(folder, command="false"), 1)
    assert [entry["event"] for entry in entries(folder)] == ["claim", "gone"]
    end(start(folder, command="true"))
    check_whole(folder)


def test_a_copy_that_is_ready_first_counts(queue):
    folder = queue(work=10, workers=1, shares=1, copies=True, by_age=[[0, 100, 1], [100, 100, 0]], lease=1000)
    slow = start(folder, "--slot", "slow", command=f"touch {folder}/begun; sleep 1000")
    while not (folder / "begun").exists():
        time.sleep(0.01)
    end(start(folder, command="true"))
    end(slow)
    assert [entry["event"] for entry in entries(folder)] == ["claim", "claim", "done"]
    check_whole(folder)
    assert not list((folder / "attempts").iterdir())


def test_whole_tasks_are_done_one_by_one(queue):
    folder = queue(work=20, task=3)
    end(start(folder, command="true"))
    assert check_whole(folder) == [(0, 3), (3, 6), (6, 9), (9, 12), (12, 15), (15, 18), (18, 20)]
    assert {path.name for path in (folder / "results").iterdir()} == set("0123456")


@pytest.mark.parametrize("fallback", [0, 1])
def test_a_task_that_was_lost_too_often_is_left_to_others(queue, fallback):
    folder = queue(work=9, task=3, tries=2, fallback=fallback)
    bad = 'test "$0" != 1'
    for _ in range(2):
        end(start(folder, command=bad), 1)
    assert "1 tasks were lost 2 times or more" in end(start(folder, command=bad), 0 if fallback else 1)
    assert told(folder) == [(0, 3), (6, 9)]
    end(start(folder, "--fallback", command="true"))
    check_whole(folder)


def test_a_worker_says_how_it_is_called(queue):
    folder = queue()
    for words in ([], ["--slot"], ["--slot", "a/b", "true"], ["--status", "more"], ["--what", "true"]):
        done = subprocess.run([sys.executable, folder / "worker.py", *words], capture_output=True, text=True)
        assert done.returncode == 2 and "usage: worker.py" in done.stderr
