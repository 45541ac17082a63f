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


def guarded_error(values):
    """Standard error of the means over the last axis, as if two more instances were as far off as the farthest that was
    seen: at the other end of [0, 1] where all are alike."""
    n, mean = values.shape[-1], values.mean(axis=-1)
    alike = numpy.ptp(values, axis=-1) <= 1e-12
    farthest = numpy.where(alike, numpy.maximum(abs(mean), abs(1 - mean)), abs(values - mean[..., None]).max(axis=-1))
    return numpy.sqrt((values.var(axis=-1, ddof=1) + 2 * farthest**2 / n) / n)
