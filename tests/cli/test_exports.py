"""What coterie plan writes for schedulers, run as these would."""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

WORDS = ["plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 4, "--work", "19h", "--checkpoint",
         "7min", "--instances", 100]
LISTS = [*WORDS, "--strategy", "greedy"]
SAVE = ["sh", "-c", 'echo "$0 $1 $2" | tee "$COTERIE_RESULT/told" >> "$COTERIE_RESULT/../order"']


def export(coterie, words, path, *more):
    coterie(*words, *more, "--export", path)
    return path


@pytest.fixture(scope="module")
def made(coterie, tmp_path_factory):
    """All kinds of exports."""
    folder = tmp_path_factory.mktemp("exports")
    for kind in ("csv", "json", "sbatch", "sub", "svg"):
        export(coterie, LISTS, folder / f"plan.{kind}")
    export(coterie, WORDS, folder / "queue")
    return folder


@pytest.fixture
def exports(made, tmp_path):
    return Path(shutil.copytree(made, tmp_path / "exports"))


def lists_of(path):
    """By machine, the chunks of schedule.csv in their order: (number, begin, end)."""
    lists = {}
    for row in csv.DictReader(path.open()):
        lists.setdefault(int(row["worker"]), []).append((int(row["chunk"]), float(row["begin"]), float(row["end"])))
    return lists


def told(results):
    """What the commands were told that made the results, in the order in which they ran."""
    kept = {path.read_text() for path in results.glob("[0-9]*/told")}
    ran = [line for line in (results / "order").read_text().splitlines(keepends=True) if line in kept]
    return [(int(c), float(b), float(e)) for c, b, e in map(str.split, dict.fromkeys(ran))]


def task(script, machine, command=SAVE, **variables):
    return subprocess.Popen(["bash", script, *command], cwd=script.parent, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "SLURM_ARRAY_TASK_ID": str(machine), **variables})


def submitted(path):
    """Of a submit description: its keys, and the items of its last line. KEY = VALUE, then "queue VARIABLES from (" with
    one item a line; the last variable takes the rest of the line. [HTCondor manual, condor_submit, "queue"]"""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    start = next(number for number, line in enumerate(lines) if line.startswith("queue "))
    assert all(re.fullmatch(r"\w+ = .+", line) for line in lines[:start])
    return dict(line.split(" = ", 1) for line in lines[:start]), lines[start:]


def words_of(arguments, **macros):
    """As HTCondor takes "arguments" apart: macros first; then spaces part words, '...' holds them together, and "" stands
    for a quote. [HTCondor manual, condor_submit, "arguments"]"""
    for name, value in macros.items():
        arguments = arguments.replace(f"$({name})", value)
    assert "$(" not in arguments
    if not arguments.startswith('"'):
        return arguments.split()
    text = arguments[1:-1].replace('""', "\0")
    assert '"' not in text
    return [word.strip("'").replace("\0", '"') for word in re.findall(r"'[^']*'|\S+", text)]


def test_all_kinds_of_lists_say_the_same(exports, tmp_path):
    lists = lists_of(exports / "plan.csv")
    assert len(lists) == 4 and all(len(chunks) > 1 for chunks in lists.values())
    assert all(border == int(border) for chunks in lists.values() for _, *borders in chunks for border in borders)

    found = json.loads((exports / "plan.json").read_text())
    chunk = {one["chunk"]: (one["begin"], one["end"]) for one in found["chunks"]}
    assert {one["machine"]: [(number, *chunk[number]) for number in one["chunks"]]
            for one in found["machines"]} == lists
    assert (found["unit"], found["work"], found["checkpoint"]) == ("s", 68400, pytest.approx(420))
    assert ">time (h);" in (exports / "plan.svg").read_text()

    script = exports / "plan.sbatch"
    for machine, chunks in lists.items():
        results = tmp_path / f"results {machine}"
        assert task(script, machine, COTERIE_RESULTS=str(results)).wait(60) == 0
        assert told(results) == chunks

    keys, queue = submitted(exports / "plan.sub")
    assert queue[0] == "queue machine, chunks from (" and queue[-1] == ")" and len(queue) == 6
    for line in queue[1:-1]:
        machine, items = line.strip().split(", ", 1)
        where = tmp_path / f"machine {machine}"
        where.mkdir()
        (where / "save").write_text(f'#!/bin/sh\nshift\nsh -c \'{SAVE[2]}\' "$@"\n')
        (where / "save").chmod(0o755)
        words = words_of(keys["arguments"], machine=machine, chunks=items, command="./save mine")
        subprocess.run([keys["executable"], *words], cwd=where, check=True)
        assert told(next(where.glob("plan-*"))) == lists[int(machine)]


def test_the_array_says_what_slurm_must_know(coterie, exports, tmp_path):
    header = [line for line in (exports / "plan.sbatch").read_text().splitlines() if line.startswith("#SBATCH ")]
    last = max(float(row["finish"]) for row in csv.DictReader((exports / "plan.csv").open()))
    assert {"#SBATCH --array=0-3", "#SBATCH --requeue", "#SBATCH --open-mode=append",
            f"#SBATCH --time={math.ceil(1.1 * last / 60) + 1}"} <= set(header)
    header = [line for line in (exports / "queue/queue.sbatch").read_text().splitlines() if line.startswith("#SBATCH ")]
    assert {"#SBATCH --array=0-3", "#SBATCH --requeue"} <= set(header)
    assert any(re.fullmatch(r"#SBATCH --time=\d+", line) for line in header)
    bare = export(coterie, ["plan", "--risk", "linear", "--workers", 2, "--work", 1, "--checkpoint", 0.1, "--instances", 10],
                  tmp_path / "bare.sbatch").read_text()
    assert "--time=" not in bare and "No --time" in bare


def test_a_list_goes_on_where_it_was_interrupted(exports):
    script = exports / "plan.sbatch"
    lists = lists_of(exports / "plan.csv")
    third = lists[0][2][0]
    stuck = ["sh", "-c", f'if [ "$0" = {third} ]; then touch stuck; sleep 1000; fi; {SAVE[2]}']
    first = task(script, 0, stuck)
    while not (exports / "stuck").exists():
        time.sleep(0.01)
    first.kill()
    assert told(next(exports.glob("plan-*"))) == lists[0][:2]

    assert task(script, 0, SLURM_RESTART_COUNT="1").wait(60) == 0
    assert told(next(exports.glob("plan-*"))) == lists[0]
    several = [task(script, machine) for machine in range(4)]
    assert [one.wait(60) for one in several] == [0] * 4
    whole = sorted({chunk for chunks in lists.values() for chunk in chunks})
    assert sorted(told(next(exports.glob("plan-*")))) == whole
    assert len({number for number, _, _ in whole}) == len(whole)


def test_borders_of_short_chunks_are_thousandths_of_a_second(coterie, tmp_path):
    words = ["10s" if word == "10h" else "7s" if word == "19h" else "0.1s" if word == "7min" else word for word in LISTS]
    rows = list(csv.DictReader(export(coterie, words, tmp_path / "plan.csv").open()))
    assert all(re.fullmatch(r"\d+(\.\d{1,3})?", row[name]) for row in rows for name in ("begin", "end"))
    assert all(float(row["begin"]) < float(row["end"]) for row in rows) and any("." in row["begin"] for row in rows)


def test_a_chunk_that_fails_ends_the_list(exports):
    script = exports / "plan.sbatch"
    assert task(script, 0, ["false"]).wait(60) == 1
    assert not list(exports.glob("plan-*/[0-9]*"))
    without = subprocess.run(["bash", script, "true"], capture_output=True, text=True,
                             env={k: v for k, v in os.environ.items() if k != "SLURM_ARRAY_TASK_ID"})
    assert without.returncode == 2 and "usage: sbatch" in without.stderr
    stray = task(script, 4)
    assert "no machine 4 in this plan" in stray.communicate(timeout=60)[1] and stray.returncode == 2


def test_other_lists_do_not_take_these_results_for_their_own(coterie, tmp_path):
    names = set()
    for words in (LISTS, ["3min" if word == "7min" else word for word in LISTS], [*LISTS, "--seed", 2]):
        names |= set(re.findall(r":-(plan-\w{8})\}", export(coterie, words, tmp_path / "plan.sbatch").read_text()))
    assert len(names) == 2  # the seed changes no list


@pytest.mark.parametrize("kind", ["sbatch", "sub"])
def test_scripts_say_what_they_do_when_machines_return(coterie, tmp_path, kind):
    for more, words in (([], "the plan expects that none does, so more may get done"),
                        (["--replaced", "1h"], "as the plan expects (sooner where a free node takes it)")):
        text = export(coterie, LISTS, tmp_path / f"plan.{kind}", *more).read_text()
        assert f"goes on in its list: {words}." in " ".join(text.replace("#", " ").split())


def test_a_queue_is_worked_on_by_its_own_files(coterie, exports):
    folder = exports / "queue"
    assert {path.name for path in folder.iterdir()} == {"queue.json", "worker.py", "queue.sh", "queue.sbatch", "queue.sub"}
    queue = json.loads((folder / "queue.json").read_text())
    options = json.loads(coterie(*WORDS, "--format", "json").stdout)["options"]
    chosen = next(one for one in options if one["policy"] == "queue")["parameters"]
    assert (queue["workers"], queue["work"], queue["checkpoint"], queue["shares"], queue["least_chunk"]) == (
        4, 68400, 420, chosen["shares"], pytest.approx(chosen["least_chunk"]))
    assert queue["by_age"][0] == [0, pytest.approx(chosen["first_chunk"]), 1]
    ages, _, survival = zip(*queue["by_age"])
    assert survival == pytest.approx([math.exp(-age / 36000) for age in ages])
    assert (queue["beat"], queue["lease"]) == (10, 60)

    keys, last = submitted(folder / "queue.sub")
    assert last == ["queue 4"] and words_of(keys["arguments"], Cluster="1", Process="0", command="./run mine") == [
        "--slot", "condor-1-0", "./run", "mine"]
    assert os.access(folder / keys["executable"], os.X_OK)
    save = [*SAVE[:2], 'echo "$1 $2" > $COTERIE_RESULT/told']
    done = subprocess.run([folder / "queue.sh", "-n", "3", *save], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    parts = sorted([float(one) for one in path.read_text().split()] for path in (folder / "results").glob("*/told"))
    assert parts[0][0] == 0 and parts[-1][1] == 68400 and len(parts) > 4
    assert all(one[1] == two[0] and one[1] == int(one[1]) for one, two in zip(parts, parts[1:]))
    assert len(list((folder / "results").iterdir())) == len(parts)


def test_a_queue_of_whole_tasks(coterie, tmp_path):
    folder = export(coterie, [*WORDS, "--task", "2h"], tmp_path / "queue")
    done = subprocess.run([folder / "queue.sh", "-n", "3", *SAVE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = {path.parent.name: path.read_text() for path in (folder / "results").glob("*/told")}
    assert found == {f"{task}": f"{task} {7200 * task} {min(7200 * (task + 1), 68400)}\n" for task in range(10)}


def test_what_starts_a_queue_stops_it(exports):
    folder = exports / "queue"
    running = subprocess.Popen([folder / "queue.sh", "-n", "2", "sh", "-c", "sleep 1000"], stderr=subprocess.DEVNULL)
    while len(list(folder.glob("attempts/*"))) < 2:
        time.sleep(0.01)
    running.terminate()
    assert running.wait(60) == 143
    gone = [json.loads(path.read_text()) for path in folder.glob("log/0*")]
    assert sorted(entry["event"] for entry in gone) == ["claim", "claim", "gone", "gone"]


@pytest.mark.parametrize("name, more, message", [
    ("plan.txt", [], ".csv, .json, .sbatch, .sub or .svg; that of a folder for a queue has no ending"),
    ("full", [], "is not empty; name a new folder"),
    ("file", [], "is not a folder; name a new folder"),
    ("queue", ["--jobs-every", "10h", "--jobs-last", "1h"], "planned here; for fixed lists"),
])
def test_where_no_queue_can_be_is_told(coterie, tmp_path, name, more, message):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    (tmp_path / "file").touch()
    done = coterie(*WORDS, *more, "--export", name, cwd=tmp_path, check=False)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "queue").exists() and not (tmp_path / "file").read_text()


def test_sbatch_takes_the_job_arrays(exports, tmp_path):
    """The real parser: without a controller it gets no further than to understand its options."""
    if not shutil.which("sbatch"):
        pytest.skip("no sbatch here: install slurm-client to check the job array")
    shutil.copytree(exports, tmp_path, dirs_exist_ok=True)
    (tmp_path / "slurm.conf").write_text("ClusterName=none\nSlurmctldHost=localhost\nAuthType=auth/none\n"
                                         "MessageTimeout=1\nSlurmctldTimeout=1\n"
                                         "NodeName=localhost CPUs=1\nPartitionName=main Nodes=localhost\n")
    (tmp_path / "wrong.sbatch").write_text("#!/bin/bash\n#SBATCH --aray=0-3\ntrue\n")

    def complaint(name):
        return subprocess.run(["sbatch", "--test-only", tmp_path / name, "true"], capture_output=True, text=True,
                              timeout=60, env={**os.environ, "SLURM_CONF": str(tmp_path / "slurm.conf")}).stderr

    assert "unrecognized option" in complaint("wrong.sbatch")
    for name in ("plan.sbatch", "queue/queue.sbatch"):
        assert "controller" in complaint(name) and "option" not in complaint(name)
