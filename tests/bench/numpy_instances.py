"""The instances of the benchmark WholeInstancesOfStaticStrategies/25 in NumPy, twice: task by task, and with the sets of
chunks that a worker has done after each number of tasks. Prints JSON: CPU seconds an instance. The program's path is the
first argument."""
import json
import subprocess
import sys
import time

import numpy as np

WORKERS, STARTUP, INSTANCES = 25, 0.001, 1000
STRATEGIES = ("greedy", "cyclic-replication", "no-replication", "brute")


def schedule_of(program, strategy):
    text = subprocess.run(
        [program, "schedule", "--strategy", strategy, "--workers", str(WORKERS), "--work", "1", "--chunks", "100",
         "--startup", str(STARTUP), "--format", "json"], check=True, capture_output=True, text=True).stdout
    tasks = json.loads(text)["tasks"]
    size = {task["chunk"]: task["end"] - task["begin"] for task in tasks}
    return [[(t["chunk"], t["finish"]) for t in tasks if t["worker"] == w] for w in range(WORKERS)], size


def ratios(lists, sizes, times, task_by_task):
    done = np.zeros((len(times), len(sizes)), dtype=bool)
    for w, tasks in enumerate(lists):
        if task_by_task:
            for chunk, finish in tasks:
                done[:, chunk] |= times[:, w] >= finish
        else:
            finish = np.array([t[1] for t in tasks])
            sets = np.zeros((len(tasks) + 1, len(sizes)), dtype=bool)
            for k, (chunk, _) in enumerate(tasks):
                sets[k + 1] = sets[k]
                sets[k + 1, chunk] = True
            done |= sets[np.searchsorted(finish, times[:, w], side="right")]
    omniscient = np.minimum(1, np.maximum(0, times - STARTUP).sum(axis=1))
    return (done @ sizes) / omniscient


def seconds(plans, task_by_task):
    rng = np.random.default_rng(2013)
    start = time.process_time()
    for _ in range(5):
        times = rng.random((INSTANCES, WORKERS))
        for lists, sizes in plans:
            ratios(lists, sizes, times, task_by_task)
    return (time.process_time() - start) / 5 / INSTANCES


def main():
    plans = []
    for strategy in STRATEGIES:
        lists, size = schedule_of(sys.argv[1], strategy)
        plans.append((lists, np.array([size[chunk] for chunk in sorted(size)])))
    print(json.dumps({"plain": seconds(plans, True), "sets": seconds(plans, False)}))


if __name__ == "__main__":
    main()
