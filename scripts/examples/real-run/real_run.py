#!/usr/bin/python3
"""Runs what coterie plan exports on machines that come and go as they were recorded, and lays it beside the plan.

An hour of the recording lasts some seconds here, and the work is sleeping. Each run is an instance of a campaign of the
model dispatch, on the same machines at the same times, so that one sees both by how much a run differs from its own
simulation, and where it lies in the range of them all. What a plan has to know of the machines here is measured before:
how long one takes to start, and what a chunk costs besides its work.

usage: real_run.py [--on slurm|processes] [--policy queue|lists] [--runs 20] [--hour SECONDS] [--output FOLDER]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
import private_slurm  # noqa: E402
from coterie.program import find_program  # noqa: E402
from coterie.results import open_results  # noqa: E402

RECORDING = ROOT / "traces/real/bamboo-spot/bamboo-p3.csv"
MACHINES = 16
WORK = 32.0  # hours of one machine
CHECKPOINT = 0.05
WINDOW = 7.0
INSTANCES = 1000
STRATEGIES = {"queue": "central", "lists": "skip(greedy)"}
#: Seconds here: between signs of life; until a silent worker is given up.
BEAT, LEASE = 0.1, 0.6

CAMPAIGN = """title = "A real run"
model = "dispatch"
seed = 1
instances = {instances}
strategies = ["{strategy}"]
[grid]
workers = {machines}
work = {work}
startup = {checkpoint}
risk = "trace(file={recording}, normalise=horizon(1h))"
latency = {latency}
notice = {notice}
drop = "{drop}"
horizon = {window}
availability = "replay(trace={recording}, machines=slots, window={window}h, scale=1h)"
"""


def coterie(*words: object) -> str:
    return subprocess.run([find_program(), *map(str, words)], capture_output=True, text=True, check=True).stdout


@dataclass(frozen=True)
class Costs:
    """Seconds until the first machines work, until one that comes back does, and that a chunk takes longer."""

    first: float = 0
    restart: float = 0
    chunk: float = 0


class Plan:
    """What is exported, and what is expected of it. `hour`: seconds here; lengths are in hours."""

    def __init__(self, folder: Path, policy: str, hour: float, costs: Costs) -> None:
        folder.mkdir()
        self.folder, self.policy, self.hour, self.first = folder, policy, hour, costs.first
        self.restart = costs.restart / hour
        self.checkpoint = CHECKPOINT + costs.chunk / hour
        self.recording = folder / "recording.csv"
        self.late_recording()
        self.export()
        strategy = STRATEGIES[policy]
        (folder / "campaign.toml").write_text(CAMPAIGN.format(
            instances=INSTANCES, strategy=strategy, machines=MACHINES, work=WORK, checkpoint=self.checkpoint,
            recording=self.recording, latency=BEAT / hour if policy == "queue" else 0, notice=LEASE / hour,
            drop="yes" if policy == "queue" else "no", window=WINDOW))
        coterie("run", folder / "campaign.toml", "--output", folder / "campaign.h5", "--quiet")
        with open_results(folder / "campaign.h5") as results:
            self.simulated = results["makespan"].values[0, 0]
        self.low, self.high = np.quantile(self.simulated, [0.025, 0.975], method="inverted_cdf")

    def late_recording(self) -> None:
        """Machines are of use only once they have started."""
        rows = []
        for line in RECORDING.read_text().splitlines():
            fields = line.split(",")
            if line.startswith("#") or fields[0] == "host":
                rows.append(line)
            elif float(fields[1]) + 3600 * self.restart < float(fields[2]):
                rows.append(f"{fields[0]},{float(fields[1]) + 3600 * self.restart},{','.join(fields[2:])}")
        self.recording.write_text("\n".join(rows) + "\n")

    def export(self) -> None:
        name = "queue" if self.policy == "queue" else "plan.sbatch"
        answer = json.loads(coterie(
            "plan", "--replay", self.recording, "--option", "machines=slots", "--window", f"{WINDOW}h", "--machines", MACHINES,
            "--work", f"{WORK}h", "--checkpoint", f"{self.checkpoint}h", "--latency", f"{BEAT / self.hour}h", "--notice",
            f"{LEASE / self.hour}h", "--strategy", "queue" if self.policy == "queue" else "greedy", "--export",
            self.folder / name, "--format", "json"))
        self.promise = {quantile: time / 3600 for quantile, time in answer["options"][0]["finish"].items() if time}

    def spells(self, instance: int) -> list[list[tuple[float, float]]]:
        """By machine, from when to when it is of use."""
        answer = json.loads(coterie("replay", self.folder / "campaign.h5", "--configuration", 0, "--instance", instance,
                                    "--format", "json"))
        return [[(begin, end) for begin, end in worker["up"]] for worker in answer["workers"]]


class Job:
    """The files of one run, which are those of the export, an hour lasting some seconds."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        scale = plan.hour / 3600
        if plan.policy == "queue":
            shutil.copytree(plan.folder / "queue", folder)
            queue = json.loads((folder / "queue.json").read_text())
            for name in ("work", "task", "checkpoint", "least_chunk", "warning"):
                queue[name] *= scale
            queue["by_age"] = [[age * scale, chunk * scale, lives] for age, chunk, lives in queue["by_age"]]
            queue |= {"beat": BEAT, "lease": LEASE}
            (folder / "queue.json").write_text(json.dumps(queue))
            self.work, scale = queue["work"], 1
        else:
            folder.mkdir()
            shutil.copy(plan.folder / "plan.sbatch", folder)
            self.work = 3600 * WORK
        self.script = folder / ("queue.sbatch" if plan.policy == "queue" else "plan.sbatch")
        command = folder / "sleep-and-save"
        command.write_text(f'#!/bin/sh\nsleep $(awk "BEGIN {{ print ($3 - $2) * {scale} + {CHECKPOINT * plan.hour} }}")\n'
                           'echo "$2 $3" > $COTERIE_RESULT/part\n')
        command.chmod(0o755)
        self.command = str(command)

    def results(self) -> list[tuple[float, float, float]]:
        """Begin, end, time of saving; in order."""
        found = []
        for path in self.folder.glob("results/*/part" if self.plan.policy == "queue" else "plan-*/[0-9]*/part"):
            words = path.read_text().split()
            if len(words) == 2:
                found.append((float(words[0]), float(words[1]), path.stat().st_mtime))
        return sorted(found)

    def finished(self) -> float | None:
        """When all results were there, which are then checked to be the work without gap or overlap."""
        found = self.results()
        if not found or sum(end - begin for begin, end, _ in found) < self.work * (1 - 1e-9):
            return None
        borders = [0.0] + [end for _, end, _ in found]
        assert [begin for begin, _, _ in found] == borders[:-1] and abs(borders[-1] - self.work) < 1e-6, found
        return max(saved for _, _, saved in found)


def kill_with_children(process: int) -> None:
    """Each is stopped before one looks for its children, so that it begins no more."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGSTOP)
        for path in Path(f"/proc/{process}/task").glob("*/children"):
            for child in path.read_text().split():
                kill_with_children(int(child))
        os.kill(process, signal.SIGKILL)


class Processes:
    """Each machine is a process."""

    def __init__(self) -> None:
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    def begin(self, job: Job, up: set[int]) -> None:
        self.job = job
        for machine in up:
            self.give_back(machine)

    def give_back(self, machine: int) -> None:
        job = self.job
        words = ([sys.executable, str(job.folder / "worker.py"), "--slot", f"m{machine}"] if job.plan.policy == "queue"
                 else ["bash", str(job.script)])
        self.running[machine] = subprocess.Popen([*words, job.command], cwd=job.folder, stdout=subprocess.DEVNULL,
                                                 stderr=subprocess.DEVNULL,
                                                 env=os.environ | {"SLURM_ARRAY_TASK_ID": str(machine)})

    def take_away(self, machine: int) -> None:
        if machine in self.running:
            one = self.running.pop(machine)
            kill_with_children(one.pid)
            one.wait()

    def end(self) -> None:
        for machine in list(self.running):
            self.take_away(machine)


class Slurm:
    """Each machine is a node of a private Slurm, which runs the exported array."""

    def __init__(self, slurm: private_slurm.PrivateSlurm) -> None:
        self.slurm = slurm
        self.down: set[int] = set()
        self.threads = [ThreadPoolExecutor(1) for _ in range(MACHINES)]  # Slurm takes its time
        self.calls: list[Future[None]] = []

    def do(self, call: Callable[[int], None], machine: int) -> None:
        self.calls.append(self.threads[machine].submit(call, machine))

    def wait(self) -> None:
        for one in self.calls:
            one.result()
        self.calls = []

    def begin(self, job: Job, up: set[int]) -> None:
        for machine in range(MACHINES):
            if machine not in up:
                self.take_away(machine)
            elif machine in self.down:
                self.give_back(machine)
        self.wait()
        self.slurm.call("sbatch", "--output=/dev/null", job.script, job.command, folder=job.folder)

    def give_back(self, machine: int) -> None:
        self.down.discard(machine)
        self.do(self.slurm.give_back, machine)

    def take_away(self, machine: int) -> None:
        if machine not in self.down:
            self.down.add(machine)
            self.do(self.slurm.take_away, machine)

    def end(self) -> None:
        self.wait()
        self.slurm.call("scancel", "--full", f"--user={os.getuid()}")
        private_slurm.wait_for(lambda: not self.slurm.call("squeue", "--noheader"), "jobs do not end")


def measured(machines: Any, plan: Plan, folder: Path) -> Costs:
    """On short chunks of a long queue."""
    late = 4  # machines that come later
    job = Job(plan, folder)
    queue = json.loads((folder / "queue.json").read_text())
    queue |= {"work": 1e6, "least_chunk": 0.3, "shares": 1e9, "copies": False, "by_age": []}
    (folder / "queue.json").write_text(json.dumps(queue))

    def entries(event: str) -> list[dict[str, Any]]:
        found = [json.loads(path.read_text()) for path in sorted(folder.glob("log/0*"))]
        return [entry for entry in found if entry["event"] == event]

    def workers() -> dict[str, float]:
        """When each first claimed a chunk."""
        return {entry["worker"]: entry["time"] for entry in reversed(entries("claim"))}

    start = time.time()
    try:
        machines.begin(job, set(range(late, MACHINES)))
        private_slurm.wait_for(lambda: len(workers()) == MACHINES - late, "the workers do not start")
        first = float(np.mean(list(workers().values()))) - start
        restarts = []
        for machine in range(late):
            known, start = set(workers()), time.time()
            machines.give_back(machine)
            private_slurm.wait_for(lambda: len(workers()) > len(known), "no worker starts again")
            restarts.append(max(workers().values()) - start)
        private_slurm.wait_for(lambda: len(entries("done")) > 100, "no chunk gets done")
    finally:
        machines.end()
    claimed = {entry["attempt"]: entry["time"] for entry in entries("claim")}
    takes = 0.3 + CHECKPOINT * plan.hour
    return Costs(first, float(np.mean(restarts)),
                 float(np.mean([done["time"] - claimed[done["attempt"]] - takes for done in entries("done")])))


def one_run(plan: Plan, machines: Any, folder: Path, instance: int) -> tuple[float, float]:
    """The finishing time in hours (infinite: not within the window), and by how much an event came late."""
    spells = plan.spells(instance)
    events = []
    for machine, one in enumerate(spells):
        last = 0.0
        for begin, end in one:
            if begin > 0:  # a machine may be replaced at once
                events.append((max(last, begin - plan.restart), True, machine))
            if end < WINDOW:
                events.append((end, False, machine))
            last = end
    events.sort(key=lambda event: event[0])
    job = Job(plan, folder)
    start = time.time() + plan.first
    late, looked = 0.0, start
    try:
        machines.begin(job, {machine for machine, one in enumerate(spells) if one and one[0][0] <= 0})
        for when, comes, machine in [*events, (WINDOW, False, -1)]:
            while (left := start + when * plan.hour - time.time()) > 0 or time.time() > looked + 0.5:
                if time.time() > looked + 0.5:
                    looked = time.time()
                    if (saved := job.finished()) is not None:
                        return (saved - start) / plan.hour, late
                time.sleep(max(0.0, min(left, 0.1)))
            late = max(late, time.time() / plan.hour - start / plan.hour - when)
            if machine >= 0:
                (machines.give_back if comes else machines.take_away)(machine)
        return float("inf"), late
    finally:
        machines.end()


def draw(plan: Plan, real: list[float], words: str, path: Path) -> None:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.16, 2.9), layout="constrained")
    left.ecdf(plan.simulated, color="0.5", label=f"plan: {INSTANCES} simulated runs") if hasattr(left, "ecdf") else left.plot(
        np.sort(plan.simulated), np.arange(1, INSTANCES + 1) / INSTANCES, color="0.5", label=f"plan: {INSTANCES} simulated runs")
    left.axvspan(plan.low, plan.high, color="0.92", label="its 95 % range")
    left.plot(np.sort(real), np.arange(1, len(real) + 1) / len(real), "o", markersize=3, label=f"{len(real)} real runs")
    left.set(xlabel="all work done after (h)", ylabel="share of runs", ylim=(0, 1))
    left.legend(fontsize=7)
    own = plan.simulated[:len(real)]
    right.plot(own, real, "o", markersize=3)
    right.axline((float(own[0]), float(own[0])), slope=1, color="0.5", linewidth=0.8)
    right.set(xlabel="simulated, on the same machines (h)", ylabel="real (h)")
    figure.suptitle(words, fontsize=8)
    figure.savefig(path)
    figure.savefig(path.with_suffix(".png"), dpi=150)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=["slurm", "processes"], default="processes" if private_slurm.why_not() else "slurm")
    parser.add_argument("--policy", choices=list(STRATEGIES), default="queue")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--hour", type=float, help="seconds that an hour lasts (default: 6; with Slurm 10)")
    parser.add_argument("--output", type=Path, default=Path("real-run"))
    asked = parser.parse_args()
    if asked.on == "slurm" and private_slurm.why_not():
        print(f"real_run.py: {private_slurm.why_not()}; --on processes needs no Slurm", file=sys.stderr)
        return 1
    hour = asked.hour or (10 if asked.on == "slurm" else 6)
    asked.output.mkdir(parents=True, exist_ok=True)
    memory = Path("/dev/shm")  # hours last seconds, in which a busy disk would take its time
    with tempfile.TemporaryDirectory(prefix="real-run-", dir=memory if memory.is_dir() else None) as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        real: list[float] = []
        late: list[float] = []

        def run_all(machines: Any) -> Plan:
            costs = measured(machines, Plan(folder / "any", "queue", hour, Costs()), folder / "measure")
            print(f"a machine starts after {costs.first:.2f} s, again after {costs.restart:.2f} s; a chunk costs "
                  f"{1000 * costs.chunk:.0f} ms", flush=True)
            plan = Plan(folder / "plan", asked.policy, hour, costs)
            print("coterie plan promises the end", ", ".join(f"with {q[1:]} % by {t:.2f} h" for q, t in plan.promise.items()))
            for instance in range(asked.runs):
                found = one_run(plan, machines, folder / f"run-{instance}", instance)
                real.append(found[0])
                late.append(found[1])
                print(f"run {instance + 1}: {real[-1]:.2f} h, simulated {plan.simulated[instance]:.2f} h; machines came and "
                      f"went up to {late[-1]:.2f} h late", flush=True)
            return plan

        if asked.on == "slurm":
            with private_slurm.PrivateSlurm(folder / "slurm", MACHINES) as slurm:
                plan = run_all(Slurm(slurm))
        else:
            plan = run_all(Processes())
    inside = sum(plan.low <= one <= plan.high for one in real)
    words = (f"{asked.policy} on {MACHINES} {'nodes of Slurm' if asked.on == 'slurm' else 'processes'}, 1 h = {hour:g} s: "
             f"{inside} of {asked.runs} runs within {plan.low:.2f} to {plan.high:.2f} h")
    print(words)
    name = asked.output / f"{asked.policy}-{asked.on}"
    draw(plan, real, words, name.with_suffix(".svg"))
    name.with_suffix(".json").write_text(json.dumps({
        "policy": asked.policy, "on": asked.on, "hour": hour, "low": float(plan.low), "high": float(plan.high), "promise": plan.promise, "late": max(late), "inside": int(inside),
        "runs": [{"real": one, "simulated": float(own)} for one, own in zip(real, plan.simulated)]}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
