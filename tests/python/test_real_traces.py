"""traces/real is what scripts/traces/convert_real.py makes of the published files, and says where it is from."""

import csv
import gzip
import importlib.util
import json
import os
import re
import shutil
import subprocess

import pytest

FILES = {"gcp-preemptible-2019/gcp-preemptible-2019.csv": (1442, 725), "bamboo-spot/bamboo-g4dn.csv": (79, 5),
         "bamboo-spot/bamboo-p3.csv": (177, 10)}  # spells, and those that were not interrupted, as their sources count
LICENCES = {"gcp-preemptible-2019": "Apache License", "bamboo-spot": "MIT License"}


@pytest.fixture(scope="module")
def script(root):
    spec = importlib.util.spec_from_file_location("convert_real", root / "scripts" / "traces" / "convert_real.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def published():
    folder = os.environ.get("COTERIE_TRACES")
    if not folder:
        pytest.skip("COTERIE_TRACES is not set: no published files here")
    return folder


def test_the_files_are_what_the_script_makes_of_the_published_ones(root, script, published, tmp_path):
    assert script.main([published, str(tmp_path)]) == 0
    real = root / "traces" / "real"
    made = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*.csv")}
    assert made == {str(path.relative_to(real)): path.read_bytes() for path in real.rglob("*.csv")}
    assert set(made) == set(FILES)


def test_licence_and_source_lie_beside_the_files(root):
    folders = {path for path in (root / "traces" / "real").iterdir() if path.is_dir()}
    assert {folder.name for folder in folders} == set(LICENCES)
    for folder in folders:
        assert LICENCES[folder.name] in (folder / "LICENSE").read_text()
        assert "commit\n" in (folder / "SOURCE.md").read_text() and "https://" in (folder / "SOURCE.md").read_text()
        for path in folder.glob("*.csv"):
            assert path.read_text().startswith("# MEASURED")


@pytest.mark.parametrize("name", FILES)
def test_coterie_reads_them_with_the_numbers_of_their_sources(root, program, name):
    info = json.loads(program("trace", "info", root / "traces" / "real" / name, "--format", "json"))
    assert (info["n"], info["censored"]) == FILES[name]
    assert info["hosts"] == info["n"]


def test_the_conversion_keeps_times_zones_and_ends(script, tmp_path):
    (tmp_path / "gcp-preemptible-2019").mkdir()
    (tmp_path / "bamboo-spot").mkdir()
    (tmp_path / "gcp-preemptible-2019" / "lifetimes.csv").write_text(
        "name,zone,machine_type,start,end,end_type,time_in_sec,idle_vs_nonidle\n"
        "b,us-x,n1,2019-03-10T03:30:00.5-07:00,2019-03-10T04:00:00-07:00,stop,1,idle\n"
        "a,us-x,n1,2019-03-10T01:30:00-08:00,2019-03-10T03:30:00-07:00,preempted,1,idle\n")  # clocks go forward between
    (tmp_path / "bamboo-spot" / "g4dn-trace.csv").write_text("0,add,n1\n60000,add,n2\n90000,remove,n1\n")
    shutil.copy(tmp_path / "bamboo-spot" / "g4dn-trace.csv", tmp_path / "bamboo-spot" / "p3-trace.csv")
    assert script.main([str(tmp_path), str(tmp_path / "out")]) == 0

    def rows(name):
        return list(csv.reader(line for line in (tmp_path / "out" / name).open() if not line.startswith("#")))[1:]

    assert rows("gcp-preemptible-2019/gcp-preemptible-2019.csv") == [
        ["us-x/n1/a", "1552210200", "1552213800", "1"], ["us-x/n1/b", "1552213800.5", "1552215600", "0"]]
    assert rows("bamboo-spot/bamboo-g4dn.csv") == [["n1", "0", "90", "1"], ["n2", "60", "90", "0"]]


#: A small file such as each archive's, and the intervals or durations that its command makes of it.
SAMPLES = {
    "component.tab": ("component.tab", "0 1 5 0 n host 0 100 5\n", None),
    "fta.csv": ("event_trace.tab", "0 0 1 5 n 0 0 10 NULL\n1 0 1 5 n 1 10 60 NULL\n2 0 1 5 n 0 60 70 NULL\n",
                "host,start,end,observed,left_truncated\nn,10,60,1,0\n"),
    "lanl05.durations": ("event_trace.tab", "0 0 1 5 n 0 0 10 NULL\n1 0 1 5 n 1 10 60 NULL\n2 0 1 5 n 0 60 70 NULL\n", "50\n"),
    "us-east-1a.durations": ("us-east-1a_v100_1.json", '{"metadata": {"gap_seconds": 600}, "data": [0, 1, 1, 0]}', "1200\n"),
    "us-west-2.csv": ("us-west-2b_v100_1.json", '{"metadata": {"gap_seconds": 600}, "data": [0, 1, 1, 0]}',
                      "host,start,end,observed,left_truncated\nus-west-2b,600,1800,1,0\n"),
    "google.csv": ("part-00000-of-00001.csv.gz", "0,5,0,p,.5,.5\n0,6,0,p,.5,.5\n900000000,6,1,p,,\n800000000,5,2,p,.5,.5\n",
                   "host,start,end,observed,left_truncated\n6,0,900,1,1\n5,0,900,0,1\n"),
    "azure.csv": ("vmtable.csv.gz", "v1,s,d,0,600,9,1,5,Unknown,2,4\nv2,s,d,300,2591700,9,1,5,Unknown,2,4\n",
                  "host,start,end,observed,left_truncated\nv1,0,600,1,1\nv2,300,2591700,0,0\n"),
}


def test_the_commands_for_public_archives_make_traces(root, program, tmp_path):
    page = (root / "scripts" / "traces" / "README.md").read_text()
    commands = re.findall(r"^```sh\n(.*?)\n```", page, flags=re.MULTILINE | re.DOTALL)
    assert len(commands) == len(SAMPLES) - 1
    for command in commands:
        target = command.rsplit("> ", 1)[1]
        for name, text, _ in (SAMPLES["component.tab"], SAMPLES[target]):
            content = text.encode()
            (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        environment = {**os.environ, "PATH": f"{os.path.dirname(os.path.realpath(os.environ['COTERIE']))}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=environment, capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / target).read_text() == SAMPLES[target][2], target
