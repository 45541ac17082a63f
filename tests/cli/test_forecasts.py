"""80 % forecast intervals of completed work, held against parts of recordings that they were not made from.

A recording is cut into blocks of equal length. Those of odd number, joined, are one half, the others the other. From
windows of one half comes the interval from the 10 % to the 90 % quantile; windows of the other half are counted. Each
half forecasts the other, and each has to do so alone: on average over both, errors cancel. Completed work has atoms (all
done, nobody interrupted): windows at an end of the interval count as much as that end's quantile takes of them, so that
a true forecast covers 80 %.

The recordings are fixed and so is the seed: the same numbers in each run; -rP prints them. 2000 windows of each half tell
a share within 0.04 (3 standard errors). Files that may not be in the project: COTERIE_TRACES. The fleets of bamboo-spot
were seen for 11 hours: too few windows that do not overlap for anything to be told of their halves."""
import csv
import io
import json
import os
from pathlib import Path

import h5py
import numpy
import pytest

STRATEGIES = ["greedy", "no-replication", "central"]
WORKERS = 12
HOUR = 3600
RECORDINGS = {  # block and window in hours
    "g5k06": ("g5k06-fta/event_trace.tab", 168, 12),
    "microsoft99": ("microsoft99-avt/microsoft.first4000.avt", 168, 12),
}


def published(path):
    folder = os.environ.get("COTERIE_TRACES")
    if not folder:
        pytest.skip("COTERIE_TRACES is not set: no published files here")
    return Path(folder) / path


def spells_of(coterie, path):
    text = coterie("trace", "convert", path, "--to", "intervals").stdout
    return [(row["host"], float(row["start"]), float(row["end"])) for row in csv.DictReader(io.StringIO(text))]


def write(path, spells):
    with open(path, "w") as file:
        file.write("host,start,end,observed\n")
        for host, begin, end in spells:
            file.write(f"{host},{begin:.3f},{end:.3f},1\n")


def half(spells, block, parity):
    """Every second block of a recording, one after the other; who is up across a seam stays up."""
    first = min(begin for _, begin, _ in spells)
    blocks = int((max(end for _, _, end in spells) - first) // block)
    parts = {}
    for host, begin, end in spells:
        for k in range(int((begin - first) // block), min(blocks, int((end - first) // block) + 1)):
            low, high = first + k * block, first + (k + 1) * block
            if k % 2 == parity and min(end, high) > max(begin, low):
                shift = (k // 2 - k) * block - first
                parts.setdefault(host, []).append([max(begin, low) + shift, min(end, high) + shift])
    joined = []
    for host, times in parts.items():
        times.sort()
        merged = [times[0]]
        for begin, end in times[1:]:
            if begin - merged[-1][1] < 1e-6:
                merged[-1][1] = end
            else:
                merged.append([begin, end])
        joined += [(host, begin, end) for begin, end in merged]
    return joined


def completed(coterie, folder, seed, axes):
    """Of two loads, by configuration and strategy."""
    (folder / "c.toml").write_text(f"""model = "dispatch"
seed = {seed}
instances = 2000
strategies = {json.dumps(STRATEGIES)}
[grid]
workers = {WORKERS}
work = [{WORKERS / 2}, {WORKERS}]
startup = 0.005
chunks = 20
latency = 0.01
{axes}
""")
    coterie("run", "c.toml", "--output", "c.h5", "--quiet", "--force", cwd=folder)
    with h5py.File(folder / "c.h5") as file:
        return (file["ratio"][:] * file["reference"][:][:, None]).reshape(-1, 2000)


def covered(forecast, seen):
    """The share of what was seen between the 10 % and the 90 % quantile of the forecast, atoms in parts."""
    forecast, seen = numpy.sort(numpy.round(forecast, 9)), numpy.round(seen, 9)
    below = numpy.searchsorted(forecast, seen, "left") / len(forecast)
    up_to = numpy.searchsorted(forecast, seen, "right") / len(forecast)
    inside = numpy.minimum(up_to, 0.9) - numpy.maximum(below, 0.1)
    whole = (below > 0.1) & (up_to < 0.9)
    atom = up_to > below
    return numpy.mean(numpy.where(atom, numpy.clip(inside, 0, None) / numpy.where(atom, up_to - below, 1), whole))


def shares_of(name, halves):
    """How much of each half the other's forecast covers, by configuration and strategy."""
    for k, (one, other) in enumerate(zip(*halves)):
        shares = covered(one, other), covered(other, one)
        load, strategy = ("1/2", "1")[k // len(STRATEGIES)], STRATEGIES[k % len(STRATEGIES)]
        print(f"{name}, load {load}, {strategy}: {shares[0]:.1%}, {shares[1]:.1%}")
        yield shares


def hold(name, halves):
    assert all(0.75 <= share <= 0.85 for shares in shares_of(name, halves) for share in shares)


def test_a_forecast_that_is_wrong_is_seen():
    numbers = numpy.random.default_rng(1)  # 0.04 is 9 standard errors
    same, wide, moved = (numbers.normal(mean, sd, 8000) for mean, sd in ((0, 1), (0, 2), (1, 1)))
    atoms = [numbers.choice([0, 1, 2], 8000, p=[0.2, 0.3, 0.5]) for _ in range(2)]
    assert abs(covered(same, numbers.normal(0, 1, 8000)) - 0.8) < 0.04
    assert abs(covered(*atoms) - 0.8) < 0.04
    assert covered(same, wide) < 0.6 and covered(same, moved) < 0.65 and covered(wide, same) > 0.95


def windows_of(coterie, folder, name, block=None):
    """The completed work of windows of both halves."""
    path, week, window = RECORDINGS[name]
    spells = spells_of(coterie, published(path))
    halves = []
    for parity in (0, 1):
        write(folder / f"{parity}.csv", half(spells, (block or week) * HOUR, parity))
        halves.append(completed(coterie, folder, 1 + parity, f"""risk = "weibull(shape=0.6, scale=2)"
availability = "replay(trace={parity}.csv, window={window}h, scale={window}h)" """))
    return halves


@pytest.mark.parametrize("name", RECORDINGS)
def test_windows_of_the_other_half_are_within_the_forecast(coterie, tmp_path, name):
    hold(name, windows_of(coterie, tmp_path, name))


def test_the_next_weeks_are_within_the_forecast_the_next_months_are_not(coterie, tmp_path):
    """The two halves of a recording in time: 17 days of desktops, nine months of a cluster that grew and changed."""
    hold("microsoft99 in time", windows_of(coterie, tmp_path, "microsoft99", 420))
    shares = list(shares_of("g5k06 in time", windows_of(coterie, tmp_path, "g5k06", 6575)))
    assert all(min(pair) < 0.6 for pair in shares)  # what grew more reliable is not what it was


def test_a_recording_that_changes_is_warned_of(coterie):
    """What results/beyond-the-papers.md tells. The check was chosen with both recordings in view: no evidence that it tells others apart."""
    for name, warned in (("g5k06", True), ("microsoft99", False)):
        assert ("may not hold" in coterie("trace", "info", published(RECORDINGS[name][0])).stderr) == warned


def test_machines_that_were_not_in_the_trace_are_within_the_forecast(coterie, root, tmp_path):
    """Every second machine of Google's, each met once, as it begins."""
    spells = spells_of(coterie, root / "traces/real/gcp-preemptible-2019/gcp-preemptible-2019.csv")
    halves = []
    for parity in (0, 1):
        write(tmp_path / f"{parity}.csv", spells[parity::2])
        halves.append(completed(coterie, tmp_path, 1 + parity, f"""horizon = 1
risk = "trace(file={parity}.csv, normalise=horizon(12h))" """))
    hold("gcp-preemptible-2019", halves)
