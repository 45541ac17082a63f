"""coterie solve --format svg: who does what when."""
import json
import re
from xml.etree import ElementTree

import pytest

STAR = """problem = "return-messages"
ports = "{ports}"
strategy = "{strategy}"
lifespan = 10
""" + "".join(f"[[worker]]\nsend = {c}\ncompute = {w}\nreturn = {c}\n" for c, w in [(7, 6), (8, 5), (12, 5)])
NOW = """problem = "now"
protocol = "{protocol}"
lifespan = {lifespan}
delta = 0.5
latency = 0.2
transit = 0.1
packaging = 0.1
""" + "".join(f"[[worker]]\nwork_time = {w}\nsetup_to = 0.3\nsetup_from = 0.2\n" for w in (1, 2, 3))


@pytest.fixture
def picture(coterie, tmp_path):
    """The bars of a picture, {row: [(what, begin, end), ...]}, and the answer as JSON."""
    def run(text, check=True):
        file = tmp_path / "problem.toml"
        file.write_text(text)
        done = coterie("solve", file, "--format", "svg", check=check)
        if not check:
            return done
        rows = {}
        for title in ElementTree.fromstring(done.stdout).iter("{http://www.w3.org/2000/svg}title"):
            row, what, begin, end = re.fullmatch(r"(.*): (.*), from (\S+) to (\S+)", title.text).groups()
            rows.setdefault(row.split(":")[0], []).append((what, float(begin), float(end)))
        return rows, json.loads(coterie("solve", file, "--format", "json").stdout)

    return run


def assert_one_after_another(bars):
    bars = sorted(bars, key=lambda bar: bar[1:])
    for (_, _, end), (_, begin, _) in zip(bars, bars[1:]):
        assert begin >= end - 1e-4


@pytest.mark.parametrize("ports", ["two", "one"])
@pytest.mark.parametrize("strategy", ["opt-fifo", "opt-lifo", "best-pair"])
def test_a_star_is_drawn_to_scale(picture, ports, strategy):
    rows, answer = picture(STAR.format(ports=ports, strategy=strategy))

    for bars in rows.values():
        assert_one_after_another(bars)
    workers = [(7, 6, 7), (8, 5, 8), (12, 5, 12)]
    for i in answer["send"]:
        load = 10 * answer["shares"][i - 1]
        lengths = {what: end - begin for what, begin, end in rows[f"P{i}"]}
        assert lengths == pytest.approx({"send": load * workers[i - 1][0], "compute": load * workers[i - 1][1],
                                         "return": load * workers[i - 1][2]}, rel=1e-3)
    port = rows["master's port"] if ports == "one" else rows["master sends"] + rows["master receives"]
    assert [what for what, _, _ in sorted(port, key=lambda bar: bar[1]) if what.startswith("send")] == [
        f"send P{i}" for i in answer["send"]]
    assert [what for what, _, _ in sorted(port, key=lambda bar: bar[1]) if what.startswith("return")] == [
        f"return P{i}" for i in answer["return"]]
    assert max(end for _, _, end in port) == 10


@pytest.mark.parametrize("protocol", ["fifo", "lifo"])
def test_a_network_is_drawn_without_gaps(picture, protocol):
    rows, answer = picture(NOW.format(protocol=protocol, lifespan=40))

    assert answer["feasible"] is True
    for i in (1, 2, 3):
        bars = sorted(rows[f"P{i}"], key=lambda bar: bar[1:])
        assert [what for what, _, _ in bars] == ["set up", "send", "package or unpack", "compute", "package or unpack",
                                                 "set up", "return"]
        for (_, _, end), (_, begin, _) in zip(bars, bars[1:]):
            assert begin == pytest.approx(end, abs=1e-3)
        assert bars[3][2] - bars[3][1] == pytest.approx(i * answer["shares"][i - 1], rel=1e-3)
    assert max(end for _, _, end in rows["master receives"]) == 40
    assert_one_after_another(rows["master sends"])


def test_a_network_whose_messages_overlap_says_so(coterie, tmp_path):
    for protocol in ("fifo", "lifo"):
        (tmp_path / "now.toml").write_text(
            f'problem = "now"\nprotocol = "{protocol}"\ndelta = 1\nlatency = 0.05\ntransit = 0.05\npackaging = 0.1\n'
            "lifespan = 100\n" + 20 * "[[worker]]\nwork_time = 1\n")
        drawn = coterie("solve", tmp_path / "now.toml", "--format", "svg").stdout
        assert ("cannot be done: messages overlap" in drawn) == (protocol == "fifo")


def test_what_cannot_be_drawn_is_refused(picture):
    done = picture(NOW.format(protocol="fifo", lifespan=0.5), check=False)
    assert done.returncode == 2 and "is infeasible" in done.stderr and done.stdout == ""

    done = picture('problem = "one-worker"\nwork = 1\nchunks = 2\nstartup = 0\nrisk = "linear"\n', check=False)
    assert done.returncode == 2 and ".toml:1:" in done.stderr and "has no timing diagram" in done.stderr

    many = 'problem = "return-messages"\nstrategy = "opt-lifo"\n' + "[[worker]]\nsend = 1\ncompute = 9\nreturn = 1\n" * 500
    done = picture(many, check=False)
    assert done.returncode == 2 and "at most 400" in done.stderr


STAR_WITH = STAR.format(ports="two", strategy="best-expected")


@pytest.mark.parametrize("text, message", [
    (STAR_WITH, "needs risks"),
    (STAR_WITH + 'risk = "linear"\n', "is missing, but other workers have one"),
    (STAR_WITH.replace("lifespan = 10", 'lifespan = 0\nrisk = "linear"'), "must be positive"),
    (STAR_WITH.replace("lifespan = 10", 'lifespan = 10\nrisk = "liner"'), 'did you mean "linear"'),
    (STAR_WITH.replace("lifespan = 10", 'risks = "linear"').replace("best-expected", "opt-fifo"), 'did you mean "risk"'),
    (STAR_WITH.replace("lifespan = 10", 'risk = "linear"') + "[[worker]]\nsend = 1\ncompute = 1\nreturn = 1\n" * 40,
     "at most 40 workers"),
    (NOW.format(protocol="best-expected", lifespan=40), "needs risks"),
    (NOW.format(protocol="best-expected", lifespan='0.5\nrisk = "linear"'), "too short"),
    (NOW.format(protocol="best-expected", lifespan=40).replace("lifespan = 40", 'work = 40\nrisk = "linear"'),
     "chooses orders for a lifespan"),
])
def test_wrong_risks_are_refused(coterie, tmp_path, text, message):
    file = tmp_path / "problem.toml"
    file.write_text(text)
    done = coterie("solve", file, check=False)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr and "problem.toml" in done.stderr and done.stdout == ""


def test_background_jobs_are_drawn_above_what_they_slow_down(coterie, tmp_path):
    file = tmp_path / "problem.toml"
    file.write_text("""problem = "background"
[control]
inverse_speed = 1
jobs = {times = [0, 0.25], counts = [0, 3]}
[[worker]]
inverse_speed = 1
inverse_bandwidth = 0.5
link_jobs = {times = [0, 0.1], counts = [1, 0]}
[[worker]]
inverse_speed = 2
inverse_bandwidth = 0.75
""")

    svg = ElementTree.fromstring(coterie("solve", file, "--format", "svg").stdout)
    answer = json.loads(coterie("solve", file, "--format", "json").stdout)

    tips = [title.text for title in svg.iter("{http://www.w3.org/2000/svg}title")]
    bars = {tip.split(":")[0]: [float(time) for time in re.findall(r"(?:from|to) (\S+)", tip)]
            for tip in tips if "from" in tip}
    starts, finish = answer["start_times"], answer["finish_time"]
    assert bars == {
        "P0": pytest.approx([0, finish], rel=1e-5), "P1": pytest.approx([starts[1], finish], rel=1e-5),
        "P2": pytest.approx([starts[2], finish], rel=1e-5), "link 1": pytest.approx([0, starts[1]], rel=1e-5),
        "link 2": pytest.approx([starts[1], starts[2]], rel=1e-5)}
    assert [tip for tip in tips if "jobs" in tip] == ["P0: background jobs, at most 3", "link 1: background jobs, at most 1"]


def test_a_long_fraction_is_a_decimal_in_the_title(picture):
    workers = "".join(f"[[worker]]\nsend = 0.{137 + 2 * k}\ncompute = 1.{291 + 4 * k}\nreturn = 0.{183 + 6 * k}\n" for k in range(18))
    drawn = picture('problem = "return-messages"\nstrategy = "opt-lifo"\n' + workers, check=False).stdout
    title = re.search(r">return-messages: throughput ([^<]*)<", drawn)[1]
    assert re.fullmatch(r"[\d.]+", title) and len(title) < 25
