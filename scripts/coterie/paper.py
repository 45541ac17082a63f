"""What worksharing-2013 prints, for comparison."""

from typing import Iterable

from .results import trace_name

#: Said wherever a result from the synthetic traces is shown, and where one from measured ones is.
STAND_IN_NOTE = "paper: measured traces / here: synthetic stand-ins"
MEASURED_NOTE = "paper: its measured traces / here: other measured traces"


def data_note(risks: Iterable[object]) -> str:
    """What is to be said of the traces that these risks are made of; nothing if none is.

    >>> data_note(["trace(file=a/sdsc-synthetic.durations)"]) == STAND_IN_NOTE
    True
    >>> data_note(["trace(file=a/bamboo-p3.csv)", "linear"]) == MEASURED_NOTE
    True
    >>> data_note(["linear"])
    ''
    >>> data_note(["trace(file=a/sdsc-synthetic.durations)", "trace(file=a/bamboo-p3.csv)"])
    'paper: its measured traces / here: measured traces and synthetic stand-ins'
    """
    names = [name for risk in map(str, risks) if (name := trace_name(risk)) != risk]
    synthetic = {name.endswith(" (synthetic)") for name in names}
    if not synthetic:
        return ""
    if synthetic == {True, False}:
        return "paper: its measured traces / here: measured traces and synthetic stand-ins"
    return STAND_IN_NOTE if True in synthetic else MEASURED_NOTE


#: Section 6.2 E, per cent.
E5_MEANS = {"greedy": 85.2, "no-replication": 79.6}
E5_GAP_CLOSED = 27.4
E5_ALMOST_OPTIMAL_SHARE = 21.0
E5_ALMOST_OPTIMAL = 0.995

#: Table 5 (measured traces), per cent: average, standard deviation.
TABLE_5 = {
    "brute": (21.7, 24.2),
    "no-replication": (53.6, 22.1),
    "cyclic-replication": (56.5, 22.2),
    "greedy": (70.8, 23.2),
}
#: Section 7.2.2 B, per cent: how much of the gap of no-replication to the omniscient greedy closes on the traces.
TRACES_GAP_CLOSED = 37.0
