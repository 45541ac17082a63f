"""What tests of runs share: a campaign whose instances are of every kind, and what two results must have in common."""
import h5py
import numpy


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


def standard_error(values):
    """Of the means over the last axis; 0 where all values are equal, up to rounding."""
    error = values.std(axis=-1, ddof=1) / values.shape[-1]**0.5
    return numpy.where(numpy.ptp(values, axis=-1) <= 1e-12, 0, error)
