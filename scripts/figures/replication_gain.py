#!/usr/bin/python3
"""What replication gains: the lists of two strategies where machines are taken away, and the exact expected work on
measured machines of Google (traces/real/gcp-preemptible-2019)."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import numpy as np  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

from coterie import schedule  # noqa: E402
from coterie.drawing import Sheet  # noqa: E402
from coterie.figure_files import figure_program  # noqa: E402
from coterie.looks import style  # noqa: E402
from coterie.names import strategy_name  # noqa: E402

STRATEGIES = ("no-replication", "greedy")
#: When the machines of the example are taken away, in hours.
LIVES = (1.1, 2.1, np.inf, np.inf)
CHUNKS = 12  # of an hour each
MACHINES, HOUR, CHECKPOINT = 20, 3600, 300  # of the curves
WORK = (10, 20, 40, 60, 80, 100, 120, 160, 200, 240, 280, 320, 360, 400, 440, 480)  # hours
TOLD = 100
TRACE = ROOT / "traces/real/gcp-preemptible-2019/gcp-preemptible-2019.csv"


def lists(axes: Axes, strategy: str) -> int:
    """Who runs which chunk when; how many of the chunks are complete at the end."""
    tasks = schedule(strategy, workers=len(LIVES), work=CHUNKS, chunks_per_slice=CHUNKS,
                     risk=f"linear(kappa={1 / CHUNKS})").tasks
    complete: set[int] = set()
    for task in sorted(tasks, key=lambda task: (task.finish, task.worker)):
        begin, life = task.finish - 1, LIVES[task.worker]
        is_complete = task.finish <= life
        if not is_complete:
            face = "white"
        else:
            face = style(strategy)["color"] if task.chunk not in complete else "0.85"
            complete.add(task.chunk)
        axes.barh(task.worker, 1, left=begin, height=0.8, facecolor=face, edgecolor="0.5", linewidth=0.5,
                  linestyle="-" if is_complete else ":")
        axes.text(begin + 0.5, task.worker, str(task.chunk + 1), ha="center", va="center", fontsize=7,
                  color="white" if face == style(strategy)["color"] else "0.5")
    for worker, life in enumerate(LIVES):
        if np.isfinite(life):
            axes.plot([life, life], [worker - 0.4, worker + 0.4], color="#D00000", linewidth=1.8)
    axes.set(xlim=(0, CHUNKS), ylim=(len(LIVES) - 0.5, -0.5), xlabel="time, hours", yticks=range(len(LIVES)),
             yticklabels=range(1, len(LIVES) + 1), xticks=range(0, CHUNKS + 1, 2))
    axes.grid(False)
    axes.set_title(f"{strategy_name(strategy).capitalize()}: {len(complete)} of {CHUNKS} chunks done")
    return len(complete)


def draw(sheet: Sheet, _: argparse.Namespace) -> None:
    sheet.title = "What replication gains"
    sheet.made_by = f"coterie schedule, {TRACE.stem}"
    without, with_copies, curves = sheet.panels(3, (1, 3), 1.75)
    done = [lists(axes, strategy) for axes, strategy in zip((without, with_copies), STRATEGIES)]
    without.set_ylabel("machine")
    sheet.say(f"Left and middle: {len(LIVES)} machines, {CHUNKS} chunks of an hour, and two machines that are taken away "
              f"(red); {done[0]} and {done[1]} chunks are complete in the end. Coloured: first completed here; grey: a "
              "copy of what is complete; white: lost.")
    share = {strategy: [100 * schedule(strategy, workers=MACHINES, work=hours * HOUR, startup=CHECKPOINT,
                                       risk=f"trace(file={TRACE}, normalise=none)").expected_work / (hours * HOUR)
                        for hours in WORK] for strategy in STRATEGIES}
    for strategy, values in share.items():
        sheet.curve(curves, np.array(WORK), np.array(values), np.zeros(len(WORK)), style(strategy))
    curves.set(ylim=(60, 102), yticks=range(60, 101, 10))
    curves.set(xlim=(0, WORK[-1]), xlabel="work, machine hours", ylabel="done, %")
    curves.set_title(f"{MACHINES} of Google's spot machines")
    at = WORK.index(TOLD)
    sheet.say(f"Right: how much of the work {MACHINES} machines complete on average, exactly, with checkpoints of "
              f"{CHECKPOINT // 60} min: of {TOLD} h, {share['no-replication'][at]:.1f} % without replication and "
              f"{share['greedy'][at]:.1f} % with greedy.")


if __name__ == "__main__":
    sys.exit(figure_program("replication-gain", draw, __doc__, configure=lambda _: None))
