"""What worksharing-2013 prints, for comparison."""

from typing import Iterable

from .results import trace_name

#: Said wherever a result from the synthetic traces is shown as the paper's.
STAND_IN_NOTE = "paper: measured traces / here: synthetic stand-ins"


def stand_ins(risks: Iterable[object]) -> bool:
    """Whether these risks are made of the stand-ins of the paper's traces, and of nothing else.

    >>> stand_ins(["trace(file=a/sdsc-synthetic.durations)"]), stand_ins(["trace(file=a/lab.csv)"]), stand_ins(["linear"])
    (True, False, False)
    """
    return all(trace_name(risk).endswith(" (synthetic)") for risk in map(str, risks))


def data_note(risks: Iterable[object]) -> str:
    """What is to be said beside the paper's numbers of the traces that these risks are made of; nothing if none is.

    >>> data_note(["trace(file=a/sdsc-synthetic.durations)"]) == STAND_IN_NOTE
    True
    >>> data_note(["trace(file=a/bamboo-p3.csv)", "linear"])
    'paper: its measured traces / here: other traces'
    >>> data_note(["linear"])
    ''
    >>> data_note(["trace(file=a/sdsc-synthetic.durations)", "trace(file=a/bamboo-p3.csv)"])
    'paper: its measured traces / here: other traces and synthetic stand-ins'
    """
    traces = [risk for risk in map(str, risks) if trace_name(risk) != risk]
    if not traces:
        return ""
    if stand_ins(traces):
        return STAND_IN_NOTE
    mixed = any(stand_ins([risk]) for risk in traces)
    return f"paper: its measured traces / here: other traces{' and synthetic stand-ins' if mixed else ''}"


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
