"""output = "statistics": no ratio is kept; what is told of them, that it is the same however it was computed, and what is
refused. The measure of all numbers is the same campaign with its ratios."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy
import pytest

from result_testing import datasets, standard_error, write_campaign

STRATEGIES = '"greedy", "cyclic-replication", "no-replication"'
HEAD = 'title = "statistics"\nseed = 11\noutput = "statistics"\nbaseline = "greedy"\ninstances = {}'


def campaign(folder, instances=2250, name="s.toml", strategies=STRATEGIES):
    return write_campaign(folder / name, HEAD.format(instances), strategies)


@pytest.fixture(name="toml")
def toml_fixture(tmp_path):
    return campaign(tmp_path)


def run(coterie, toml, output, *options):
    coterie("run", toml, "--output", output, "--quiet", *options)
    return output


@pytest.fixture(scope="module", name="both")
def both_fixture(tmp_path_factory):
    """The same campaign, with its ratios and without."""
    folder = tmp_path_factory.mktemp("both")
    toml = campaign(folder)
    for name, output in (("ratios", "ratios"), ("statistics", "statistics")):
        subprocess.run([os.environ["COTERIE"], "run", toml, "--quiet", "--set", f"output={output}", "--output",
                        folder / f"{name}.h5"], check=True)
    return folder / "ratios.h5", folder / "statistics.h5"


def test_it_tells_of_ratios_what_a_result_with_them_tells(both):
    with h5py.File(both[0]) as ratios, h5py.File(both[1]) as statistics:
        assert "ratio" not in statistics and "reference" not in statistics and "instance" not in statistics
        assert statistics.attrs["format_version"].tolist() == [1, 0] and ratios.attrs["format_version"].tolist() == [1, 0]
        assert statistics.attrs["complete"] == 1 and statistics.attrs["output"] == "statistics"
        assert statistics.attrs["instances"] == 2250
        for name in ("chunks", "chunk_size", "expected_work", "identity", "min", "max", "workers", "static_ceiling"):
            assert repr(statistics[name][...].tolist()) == repr(ratios[name][...].tolist())
        for name in ("mean", "stddev", "standard_error", "half_width"):
            numpy.testing.assert_allclose(statistics[name], ratios[name], rtol=1e-11, atol=1e-14)
        error = statistics.attrs["quantile_error"]
        assert error == 1 / 4096
        values = ratios["ratio"][...]
        for name, probability in (("q05", 5), ("q25", 25), ("q50", 50), ("q75", 75), ("q95", 95)):
            assert abs(statistics[name][...] - ratios[name][...]).max() <= error
            assert abs(statistics[name][...] - numpy.percentile(values, probability, axis=2)).max() <= error
        cells = numpy.minimum(numpy.floor(values * 4096), 4096).astype(int)
        for place in numpy.ndindex(cells.shape[:2]):
            assert statistics["histogram"][place].tolist() == numpy.bincount(cells[place], minlength=4097).tolist()
        numpy.testing.assert_allclose(statistics["reference_mean"], ratios["reference"][...].mean(axis=1), rtol=1e-12)
        gaps = values[:, :, None, :] - values[:, None, :, :]
        numpy.testing.assert_allclose(statistics["difference"], gaps.mean(axis=3), rtol=1e-10, atol=1e-14)
        numpy.testing.assert_allclose(statistics["difference_standard_error"], standard_error(gaps), rtol=1e-9)


def test_ratios_are_what_they_were_and_so_is_their_file(coterie, both, tmp_path):
    """The key changes nothing where it is not given, or says what is so anyhow."""
    toml = tmp_path / "plain.toml"
    text = campaign(tmp_path).read_text()
    toml.write_text(text.replace('output = "statistics"\n', ""))
    assert datasets(run(coterie, toml, tmp_path / "plain.h5")) == datasets(both[0])


def test_show_says_the_same(coterie, both):
    shown = [json.loads(coterie("show", path, "--by", "workers", "--baseline", "no-replication", "--format", "json").stdout)
             for path in both]
    assert len(shown[0]) == 6
    for ratios, statistics in zip(*shown):
        assert [*statistics] == [*ratios, "q05", "q25", "q50", "q75", "q95", "quantile_error"]
        assert statistics["quantile_error"] == 1 / 4096
        for key, value in ratios.items():
            assert statistics[key] == (pytest.approx(value, rel=1e-8, abs=1e-13) if isinstance(value, float) else value), key
    tables = [coterie("show", path).stdout.split("\n", 1)[1] for path in both]
    told = 'Single ratios were not kept (output = "statistics"). Below: quantiles of the ratio in per cent, averaged over the ' \
        "configurations, to within 0.025 points (- where ratios above 100 % or below 0 leave one unknown).\n"
    assert tables[1].count(told) == 1 and "not kept" not in tables[0]
    before, after = re.split(r" +5 % +25 % +median +75 % +95 %\n", tables[1].replace(told, ""))
    assert before == tables[0] and after.count("\n") == 3


def test_show_tells_quantiles_with_their_error(coterie, both):
    """Means over the configurations of a group, against those of all ratios."""
    with h5py.File(both[0]) as file:
        ratios, workers = file["ratio"][...], file["workers"][...]
        names = list(file["strategy"].asstr())
    rows = json.loads(coterie("show", both[1], "--by", "workers", "--format", "json").stdout)
    for row in rows:
        chosen = ratios[workers == row["workers"], names.index(row["strategy"])]
        for name, probability in (("q05", 5), ("q25", 25), ("q50", 50), ("q75", 75), ("q95", 95)):
            assert abs(row[name] - numpy.percentile(chosen, probability, axis=1).mean()) <= row["quantile_error"]
    text = coterie("show", both[1], "--by", "workers", "--format", "table").stdout
    for row in rows:
        assert "".join(f" {100 * row[name]:>9.3f}" for name in ("q05", "q25", "q50", "q75", "q95")) in text


def test_report_status_replay_and_validate(coterie, both, toml, tmp_path):
    page = tmp_path / "page.html"
    coterie("report", both[1], "--output", page)
    words = [page.read_text().count(word) for word in ("greedy", "2250", '"quantile_error":0.000244141,')]
    assert min(words) > 0
    told = page.read_text().split('"quantiles":[')[1].split("]")[0].split(",")
    with h5py.File(both[1]) as file:
        wanted = numpy.stack([file[name] for name in ("q05", "q25", "q50", "q75", "q95")], axis=-1)
        assert sorted(map(float, told)) == pytest.approx(sorted(wanted.ravel()), rel=1e-5)
    coterie("report", both[0], "--output", page)
    assert '"quantiles":[]' in page.read_text() and '"quantile_error":null' in page.read_text()
    assert "complete\n18000 of 18000" in coterie("status", both[1], "--verify").stdout
    answers = [json.loads(coterie("replay", path, "--configuration", 3, "--instance", 77, "--format", "json").stdout)
               for path in both]
    assert answers[0] == answers[1]
    assert "must be below 2250" in coterie("replay", both[1], "--configuration", 0, "--instance", 2250, check=False).stderr
    assert "only statistics are kept" in coterie("validate", toml).stdout


def test_the_same_bytes_for_any_number_of_threads_and_for_shards(coterie, both, toml, tmp_path):
    whole = datasets(both[1])
    for threads in (1, 2, 5):
        assert datasets(run(coterie, toml, tmp_path / "t.h5", "--threads", threads, "--force")) == whole
    for count in (2, 3, 8):
        shards = [run(coterie, toml, tmp_path / f"shard-{i}-{count}.h5", "--shard", f"{i}/{count}")
                  for i in range(1, count + 1)]
        assert coterie("status", shards[0], check=False).returncode == 3
        with h5py.File(shards[0]) as shard:
            assert shard.attrs["complete"] == 0 and shard["instances_done"][...].sum() < 8 * 2250
        coterie("merge", *reversed(shards), "--output", tmp_path / f"merged-{count}.h5")
        assert datasets(tmp_path / f"merged-{count}.h5") == whole
        assert coterie("status", tmp_path / f"merged-{count}.h5", "--verify").returncode == 0


def test_results_are_extended_by_instances_and_configurations(coterie, toml, tmp_path, both):
    small = campaign(tmp_path, 1000, "small.toml")
    small.write_text(small.read_text().replace("work = [2, 3]", "work = 2"))
    out = run(coterie, small, tmp_path / "grown.h5")
    run(coterie, toml, out, "--resume")
    assert datasets(out) == datasets(both[1])
    again = out.read_bytes()
    assert "nothing to do" in coterie("run", toml, "--output", out, "--resume").stderr
    assert out.read_bytes() == again


def test_what_cannot_be_extended_is_refused(coterie, toml, tmp_path, both):
    def refusal(change, output=both[1]):
        other = tmp_path / "other.toml"
        other.write_text(change(toml.read_text()))
        answer = coterie("run", other, "--output", output, "--resume", check=False)
        assert answer.returncode == 2
        return answer.stderr
    before = both[1].read_bytes()
    assert "output: was statistics, now ratios" in refusal(lambda text: text.replace('output = "statistics"\n', ""))
    assert "output: was ratios, now statistics" in refusal(lambda text: text, both[0])
    assert "need the same instances of all of them" in refusal(lambda text: text.replace(STRATEGIES, STRATEGIES + ', "brute"'))
    assert "there may be more, not fewer" in refusal(lambda text: text.replace("2250", "2000"))
    odd = run(coterie, campaign(tmp_path, 1001, "odd.toml"), tmp_path / "odd.h5")
    assert "only from a multiple of 250" in refusal(lambda text: text, odd)
    assert both[1].read_bytes() == before


@pytest.mark.parametrize("instances", [1, 249, 250, 251, 1001])
def test_any_number_of_instances(coterie, tmp_path, instances):
    toml = campaign(tmp_path, instances)
    whole = run(coterie, toml, tmp_path / "whole.h5")
    with h5py.File(whole) as file:
        assert (file["histogram"][...].sum(axis=2) == instances).all()
        assert (file["node_moments"][:, 0, 0].sum() == 8 * instances)
        assert numpy.isnan(file["stddev"][...]).all() == (instances == 1)
    shards = [run(coterie, toml, tmp_path / f"{i}.h5", "--shard", f"{i}/3") for i in (1, 2, 3)]
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == datasets(whole)


def test_a_shard_may_have_no_block(coterie, tmp_path):
    """Two shards of one configuration of one block."""
    toml = write_campaign(tmp_path / "one.toml", HEAD.format(250), STRATEGIES, "3")
    toml.write_text(toml.read_text().replace("[2, 3]", "2").replace('["none", "mm1(arrival=.5, service=1)"]', '"none"'))
    whole = run(coterie, toml, tmp_path / "whole.h5")
    shards = [run(coterie, toml, tmp_path / f"{i}.h5", "--shard", f"{i}/2") for i in (1, 2)]
    nodes = []
    for shard in shards:
        with h5py.File(shard) as file:
            assert len(file["mean"]) == 1
            nodes.append(len(file["node"]))
            for name in ("difference", "difference_standard_error", "difference_half_width"):
                assert numpy.isnan(file[name][:]).all() == (nodes[-1] == 0), name
        assert coterie("status", shard, "--verify", check=False).returncode == 3
    assert sorted(nodes) == [0, 1]
    coterie("merge", *shards, "--output", tmp_path / "merged.h5")
    assert datasets(tmp_path / "merged.h5") == datasets(whole)


SLOW = HEAD.format(40_000)
LONG = HEAD.format(100_000)


def start(toml, out, *options):
    command = [os.environ["COTERIE"], "run", toml, "--output", out, "--quiet", "--save-every", "50ms", "--threads", "2", *options]
    return subprocess.Popen([str(one) for one in command], stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on_and_comes_to_the_same(coterie, tmp_path, ending):
    toml = write_campaign(tmp_path / "long.toml", LONG, STRATEGIES, "40, 60")
    whole = run(coterie, toml, tmp_path / "whole.h5")
    out = tmp_path / "out.h5"
    parts = tmp_path / "out.h5.parts"
    ended = 0
    for _ in range(4):
        process = start(toml, out, "--resume")
        seen = len(list(parts.glob("part-*.h5")))
        end = time.monotonic() + 60
        while process.poll() is None and len(list(parts.glob("part-*.h5"))) <= seen and time.monotonic() < end:
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(ending)
            ended += 1
            if ending == signal.SIGKILL:
                # A copy of what a kill at this moment leaves can be told of, too.
                process.wait()
                assert coterie("status", out, "--verify", check=False).returncode in (0, 3)
        process.communicate()
        assert process.returncode in (0, 3, -signal.SIGKILL)
    assert ended > 0
    run(coterie, toml, out, "--resume")
    assert datasets(out) == datasets(whole)
    assert not parts.exists()


def test_parts_that_a_result_has_taken_in_already_do_not_count_twice(coterie, tmp_path):
    """As where a run is ended between its result and the removal of its parts."""
    toml = write_campaign(tmp_path / "slow.toml", SLOW, STRATEGIES, "40, 60")
    small = tmp_path / "small.toml"
    small.write_text(toml.read_text().replace("40000", "1000"))
    out = run(coterie, small, tmp_path / "out.h5")
    parts, kept = tmp_path / "out.h5.parts", tmp_path / "kept"
    seconds = 0.02
    while not list(parts.glob("part-*.h5")):
        assert coterie("run", toml, "--output", out, "--quiet", "--resume", "--time-limit", f"{seconds}s",
                       check=False).returncode == 3
        seconds *= 1.5
    shutil.copytree(parts, kept)
    run(coterie, toml, out, "--resume")
    whole = datasets(out)
    shutil.copytree(kept, parts)
    assert coterie("status", out).returncode == 0
    more = tmp_path / "more.toml"
    more.write_text(toml.read_text().replace("40000", "40250"))
    shutil.copytree(kept, parts, dirs_exist_ok=True)
    run(coterie, more, out, "--resume")
    grown = datasets(out)
    assert grown == datasets(run(coterie, more, tmp_path / "whole.h5")) and grown != whole


@pytest.mark.parametrize("text, place, message", [
    ('output = "statistic"', ":3:", 'must be "ratios" or "statistics", not "statistic" (did you mean "statistics"?)'),
    ("output = 3", ":3:", 'must be "ratios" or "statistics", or a table such as {deflate = 4}'),
])
def test_what_statistics_cannot_be_of_is_refused_with_its_place(coterie, tmp_path, text, place, message):
    toml = write_campaign(tmp_path / "bad.toml", f"instances = 500\nseed = 1\n{text}", STRATEGIES)
    answer = coterie("run", toml, check=False)
    assert answer.returncode == 2 and f"bad.toml{place}" in answer.stderr and message in answer.stderr, answer.stderr


def test_precision_and_models_that_measure_more_are_refused(coterie, tmp_path, toml):
    answer = coterie("run", toml, "--precision", "0.01", check=False)
    assert answer.returncode == 2 and "needs a fixed number of instances" in answer.stderr
    (tmp_path / "d.toml").write_text("""model = "dispatch"
instances = 500
output = "statistics"
strategies = ["central"]
[grid]
workers = 5
work = 2
chunks = 20
startup = 0.01
""")
    answer = coterie("run", tmp_path / "d.toml", check=False)
    assert answer.returncode == 2 and "for models that measure only ratios; dispatch" in answer.stderr, answer.stderr


def test_damage_is_told(coterie, both, tmp_path):
    content = bytearray(both[1].read_bytes())
    content[len(content) // 2] ^= 16
    (tmp_path / "damaged.h5").write_bytes(content)
    answer = coterie("status", tmp_path / "damaged.h5", "--verify", check=False)
    assert answer.returncode == 1 and "damaged" in answer.stderr


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="mpirun is not installed (scripts/setup --mpi)")
def test_ranks_come_to_the_same(coterie, toml, tmp_path, both):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if "MPI       none" in coterie("--version").stdout:
        pytest.skip("coterie was built without MPI")
    subprocess.run(["mpirun", "--oversubscribe", "-n", "3", os.environ["COTERIE"], "run", toml, "--output",
                    tmp_path / "ranks.h5", "--quiet", "--threads", "2"], env=environment, check=True, timeout=120)
    assert datasets(tmp_path / "ranks.h5") == datasets(both[1])


def test_runs_of_very_many_instances_list_no_pieces_of_them(coterie, tmp_path):
    """24 million pieces would take more memory than there is here, and be listed before a stop is looked at."""
    (tmp_path / "many.toml").write_text("""output = "statistics"
instances = 100000000000
strategies = ["greedy"]
grid = {workers = "1..100", work = "1..10", chunks = 10, startup = 0.01}
""")
    memory = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    stopped = coterie("run", tmp_path / "many.toml", "--output", tmp_path / "many.h5", "--time-limit", "1s", "--threads", 1,
                      check=False, preexec_fn=memory)
    assert stopped.returncode == 3 and "--resume" in stopped.stderr, stopped.stderr
