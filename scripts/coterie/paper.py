"""What worksharing-2013 prints, for comparison."""

#: Said wherever a result from the bundled traces is shown.
STAND_IN_NOTE = "paper: measured traces / here: synthetic stand-ins"

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
