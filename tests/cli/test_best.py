"""best is never below the strategies that it chooses among, in exact expected work, in any configuration of E1 to E6.

Of the traces a part is looked at: 5 and 25 workers, 1 and 5 units of work, all traces and start-up costs; with
COTERIE_FULL all 6080 configurations. best is planned apart from the others, sharing no plan with them; in the two
largest campaigns that takes COTERIE_FULL, too.
"""
import os
import resource
from pathlib import Path

import h5py
import numpy
import pytest

CAMPAIGNS = Path(__file__).resolve().parents[2] / "scripts" / "campaigns"
RIVALS = ["greedy", "refined", "no-replication", "cyclic-replication", "brute"]
FULL = "COTERIE_FULL" in os.environ
PART_OF_TRACES = [] if FULL else ["workers=[5, 25]", "work=[1, 5]"]
PLANNED_TOGETHER = () if FULL else ("e1-workload", "e3-chunks")
EXPERIMENTS = {"e1-workload": 3040, "e2-workers": 1152, "e3-chunks": 3920, "e4-startup": 840,
               "e5-automatic-chunks": 760, "e6-replication": 364, "traces": 128 if PART_OF_TRACES else 6080}


def expectations(coterie, folder, name, strategies, settings):
    """Exact expected work [configuration, strategy]; plans are built, one instance of each is run."""
    words = [word for setting in settings for word in ("--set", setting)]
    names = ", ".join(f'"{strategy}"' for strategy in strategies)
    output = folder / f"{name}-{len(strategies)}.h5"
    coterie("run", CAMPAIGNS / f"{name}.toml", "--output", output, "--quiet", "--instances", 1, "--set",
            f"strategies=[{names}]", "--set", f'baseline="{strategies[0]}"', *words)
    with h5py.File(output) as file:
        axes = [file[axis][...] for axis in ("workers", "work", "startup")]
        return file["expected_work"][...], axes


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_best_is_never_beaten(coterie, tmp_path, name):
    settings = PART_OF_TRACES if name == "traces" else []
    if name in PLANNED_TOGETHER:
        together, axes = expectations(coterie, tmp_path, name, [*RIVALS, "best"], settings)
        rivals, best, same_axes = together[:, :-1], together[:, -1:], axes
    else:
        rivals, axes = expectations(coterie, tmp_path, name, RIVALS, settings)
        best, same_axes = expectations(coterie, tmp_path, name, ["best"], settings)
    assert len(best) == EXPERIMENTS[name]
    for one, other in zip(axes, same_axes):
        assert (one == other).all()
    short = numpy.flatnonzero((best < rivals).any(axis=1))
    assert short.size == 0, [tuple(axis[k] for axis in axes) for k in short[:5]]
    refined, greedy = rivals[:, RIVALS.index("refined")], rivals[:, RIVALS.index("greedy")]
    assert (refined >= greedy).all()
    assert (best <= axes[1][:, None] * (1 + 1e-12)).all()
    assert (best[:, 0] > rivals.max(axis=1) * 1.0001).any()  # and somewhere it pays


PLANNED_BY_LAW = """
seed = 1
instances = 1
strategies = ["best", "refined", "no-replication", "cyclic-replication", "brute"]
"""
CASE = """
[[case]]
workers = {}
work = {}
startup = {}
chunks = "auto"
risk = '{}'
planned_risk = "capacity"
background = "mm1({})"
"""


def test_best_goes_by_the_exact_law_of_capacities(coterie, tmp_path):
    """Plans are made by a table of that law; by the table alone best was up to 1.5 % below these."""
    (tmp_path / "five.durations").write_text("10\n20\n30\n50\n100\n")
    trace = "trace(file=five.durations)"
    cases = [(2, 0.2, 0.01, trace, "arrival=0.2, service=0.4, initial=1"),
             (5, 15, 0.1, trace, "arrival=10, service=11, departures=shared"),
             (1, 3, 0.2, "exponential(rate=1)", "arrival=10, service=40, initial=1, departures=shared"),
             (5, 4.5, 0.03, "exponential(rate=1)", "arrival=10, service=8, initial=3")]
    (tmp_path / "c.toml").write_text(PLANNED_BY_LAW + "".join(CASE.format(*case) for case in cases))
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", cwd=tmp_path)
    with h5py.File(tmp_path / "c.h5") as file:
        expected = file["expected_work"][()]
    assert expected.shape == (4, 5) and not numpy.isnan(expected).any()
    assert (expected[:, :1] >= expected * (1 - 1e-12)).all(), expected


@pytest.mark.skipif(not FULL, reason="takes half a minute; set COTERIE_FULL")
def test_a_million_workers_take_no_more_memory_than_refined(coterie):
    """47 million tasks: 2.4 GB with refined alone; with other candidates kept beside it, as for fewer tasks, 4.4 GB."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (3_500_000_000, 3_500_000_000))

    words = ["--workers", 1000000, "--work", 700000, "--risk", "linear", "--startup", 0.001, "--chunks", "auto"]
    expected = {}
    for strategy in ("refined", "best"):
        text = coterie("schedule", "--strategy", strategy, *words, preexec_fn=limited).stdout[:1000]
        expected[strategy] = float(text.split("expected work ")[1].split()[0])
    assert expected["best"] >= expected["refined"]
