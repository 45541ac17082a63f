"""What drawing costs, for a result as large as that of the traces: how much is read, in how many pieces, and memory.

The values are random. COTERIE_FULL=1 takes as many as scripts/campaigns/traces.toml.
"""

import os
import runpy
import sys
import tracemalloc

import h5py
import numpy as np
import pytest

import coterie

CONFIGURATIONS, INSTANCES = (6080, 1000) if os.environ.get("COTERIE_FULL") else (1520, 250)
STRATEGIES = ("greedy", "refined", "best", "cyclic-replication", "no-replication", "brute")
SLAB = 8 * CONFIGURATIONS * INSTANCES
RISKS = [f"trace(file=a/{name}-synthetic.durations)" for name in "abcdefgh"]


@pytest.fixture(scope="module", name="large")
def large_fixture(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "traces.h5"
    random = np.random.default_rng(1)
    shape = {"configuration": CONFIGURATIONS, "strategy": len(STRATEGIES), "instance": INSTANCES}
    with h5py.File(path, "w") as file:
        file.attrs.update({"filetype": "coterie-result", "format_version": [1, 0], "complete": 1, "title": "Random", "seed": [1],
                           "campaign_path": "traces.toml", "resolved": "{}", "coterie_version": "0", "git_revision": "0"})

        def write(name, dims, values=None, **more):
            made = file.create_dataset(name, [shape[dim] for dim in dims], data=values, **more)
            if dims == (name,):
                made.make_scale(name)
            for number, dim in enumerate(dims):
                if dims != (name,):
                    made.dims[number].attach_scale(file[dim])

        write("configuration", ("configuration",), np.arange(CONFIGURATIONS))
        write("strategy", ("strategy",), list(STRATEGIES), dtype=h5py.string_dtype())
        write("instance", ("instance",), np.arange(INSTANCES))
        for name, values in (("risk", RISKS), ("identity", [f"{k:x}" for k in range(CONFIGURATIONS)]),
                             ("chunks_requested", ["auto"])):
            values = np.resize(np.array(values, dtype=object), CONFIGURATIONS)
            write(name, ("configuration",), values, dtype=h5py.string_dtype())
        for name, value in (("workers", 5.0), ("work", 2.0), ("startup", 0.1), ("instances_done", INSTANCES)):
            write(name, ("configuration",), np.full(CONFIGURATIONS, value))
        write("ratio", tuple(shape), dtype=np.float64, chunks=(21, len(STRATEGIES), INSTANCES), fletcher32=True)
        mean = np.empty((CONFIGURATIONS, len(STRATEGIES)))
        for start in range(0, CONFIGURATIONS, 760):
            values = np.sqrt(random.uniform(size=(760, len(STRATEGIES), INSTANCES)))
            file["ratio"][start:start + 760] = values
            mean[start:start + 760] = values.mean(axis=2)
        for name in ("mean", "chunks", "chunk_size", "expected_work", "standard_error", "half_width"):
            write(name, ("configuration", "strategy"), mean)
    return path


@pytest.fixture
def read(monkeypatch):
    """How many bytes of ratios each reading from the file takes."""
    sizes = []
    original = h5py.Dataset.__getitem__

    def counted(self, *arguments, **more):
        values = original(self, *arguments, **more)
        if self.name == "/ratio":
            sizes.append(np.asarray(values).nbytes)
        return values

    monkeypatch.setattr(h5py.Dataset, "__getitem__", counted)
    return sizes


@pytest.mark.parametrize("name", ["figure_7", "figure_8"])
def test_a_figure_reads_large_slices_few_times(root, large, read, name, tmp_path, monkeypatch):
    """Once for best shares, once for differences."""
    monkeypatch.setattr(sys, "argv", [name, str(large), "--output", str(tmp_path / "f.png")])

    tracemalloc.start()
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(root / "scripts" / "figures" / f"{name}.py"), run_name="__main__")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert ended.value.code == 0
    assert sum(read) == 2 * len(STRATEGIES) * SLAB
    assert len(read) <= len(STRATEGIES) + 1 + len(STRATEGIES) * SLAB / coterie.results.CHUNK
    assert peak < 4 * (SLAB + coterie.results.CHUNK)


def test_chunks_for_users_have_tens_of_megabytes(large):
    dask = pytest.importorskip("dask", reason="there is no python3-dask here: scripts/setup installs it")
    with coterie.open_results(large, chunks=True) as results, dask.config.set(scheduler="synchronous"):
        chunks = results["ratio"].chunks
        assert chunks[1:] == ((len(STRATEGIES),), (INSTANCES,))
        assert len(chunks[0]) == -(-len(STRATEGIES) * SLAB // coterie.results.CHUNK)
        np.testing.assert_allclose(results["ratio"].mean("instance")[:30], results["mean"][:30], rtol=1e-12)
