"""What tests of runs share: a campaign whose instances are of every kind, and what two results must have in common."""
import h5py
import numpy
import scipy.stats


def write_campaign(path, head, strategies='"greedy", "random-replication"', workers="3, 6"):
    """`head`: title, seed, instances or precision. Returns the path."""
    path.write_text(f"""{head}
strategies = [{strategies}]
[grid]
workers = [{workers}]
work = [2, 3]
chunks = 10
startup = 0.01
background = ["none", "mm1(arrival=.5, service=1)"]
""")
    return path


def datasets(path):
    """Whether a result is complete, and the bytes of every dataset."""
    with h5py.File(path) as file:
        found = {name: list(data[...]) if data.dtype == object else data[...].tobytes() for name, data in file.items()
                 if name not in ("configuration", "instance")}
        return {"complete": file.attrs["complete"], **found}


def guarded_error(values, ends=(0, 1)):
    """Standard errors of the means over the last axis, value by value: as sim/statistics/statistics.hpp says."""
    def of_row(row):
        n, mean = len(row), row.mean()
        end = max(abs(mean - ends[0]), abs(ends[1] - mean))
        if numpy.ptp(row) <= 1e-12:
            return 2**0.5 * end / n
        skewness = ((row - mean)**3).mean() / ((row - mean)**2).mean()**1.5
        k = min(n / max(skewness**2, 1e-12), n - 1)
        widen = scipy.stats.t.ppf(0.975, k) / scipy.stats.t.ppf(0.975, n - 1)
        variance = row.var(ddof=1) + 2 * abs(row - mean).max()**2 / n
        return (widen**2 * variance / n + 2 * (end / (1 + k) / n)**2)**0.5
    return numpy.apply_along_axis(of_row, -1, values)
