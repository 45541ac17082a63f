"""`coterie trace plot`: the picture of a trace, and the points of its curve, against an estimator written here."""

import csv
import io
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

BUNDLED = Path(__file__).resolve().parents[2] / "traces" / "bundled"
NORMAL = 1.959963984540054
LEFT, TOP, WIDTH, HEIGHT = 84, 68, 690, 320  # of the plot, pixels
PIXEL = 0.3 + 0.011  # jumps nearer to each other than this are drawn as one; two digits


def kaplan_meier(spells):
    """(time, at risk, interrupted, survival, low, high) of each jump: the product limit, Greenwood's variance, the interval
    on the scale log(-log S); one sum over all spells a jump."""
    rows, survival, variance = [], 1.0, 0.0
    for time in sorted({value for value, observed in spells if observed}):
        at_risk = sum(value >= time for value, _ in spells)
        interrupted = sum(value == time and observed for value, observed in spells)
        survival *= (at_risk - interrupted) / at_risk
        if interrupted == at_risk:
            rows.append((time, at_risk, interrupted, 0.0, None, None))
            break
        variance += interrupted / at_risk / (at_risk - interrupted)
        spread = NORMAL * math.sqrt(variance) / math.log(survival)
        low, high = (math.exp(-math.exp(math.log(-math.log(survival)) + sign * spread)) for sign in (-1, 1))
        rows.append((time, at_risk, interrupted, survival, low, high))
    return rows


def sample(seed, count, censored):
    """Spells of a heavy tail with ties; a share of them censored."""
    dice = random.Random(seed)
    return [(round(dice.weibullvariate(20000, 0.7)) + 1.0, dice.random() >= censored) for _ in range(count)]


@pytest.fixture
def trace(tmp_path):
    def write(spells):
        path = tmp_path / "trace.csv"
        path.write_text("duration,observed\n" + "".join(f"{value!r},{int(observed)}\n" for value, observed in spells))
        return path

    return write


def points(text):
    return [[float(cell) if cell else None for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]]


def drawn(svg):
    """The paths of a class, each as its vertices (x, y)."""
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    paths = {}
    for path in root.iter("{http://www.w3.org/2000/svg}path"):
        x = y = 0.0
        vertices = []
        for letter, numbers in re.findall(r"([MLHVv])([-\d. ]*)", path.get("d")):
            values = [float(number) for number in numbers.split()]
            if letter in "ML":
                x, y = values
            elif letter == "H":
                x = values[0]
            elif letter == "V":
                y = values[0]
            else:
                y += values[0]
            vertices.append((x, y))
        paths.setdefault(path.get("class"), []).append(vertices)
    return paths


def texts(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("seed, count, censored", [(1, 1, 0), (2, 2, 0), (3, 40, 0), (4, 60, 0.4), (5, 300, 0.2)])
def test_points_and_band_are_those_of_an_independent_estimator(coterie, trace, seed, count, censored):
    spells = sample(seed, count, censored)
    rows = points(coterie("trace", "plot", trace(spells), "--format", "csv").stdout)
    expected = kaplan_meier(spells)

    assert rows[0] == [0, count, 0, 1, 1, 1]
    jumps = [row for row in rows[1:] if row[2] > 0]
    assert len(jumps) == len(expected) and len(rows) - 1 - len(jumps) <= 1
    for row, (time, at_risk, interrupted, survival, low, high) in zip(jumps, expected):
        assert row[:3] == [time, at_risk, interrupted]
        assert row[3] == pytest.approx(survival, rel=1e-12)
        if low is None:
            assert row[3:] == [0, None, None]
        else:
            assert row[4] == pytest.approx(low, rel=1e-9) and row[5] == pytest.approx(high, rel=1e-9)
            assert row[4] < row[3] < row[5]
    if rows[-1][2] == 0 and len(rows) > 1:  # where the watching ended the longest spell
        assert rows[-1][0] == max(value for value, _ in spells) and rows[-1][3:] == (jumps or rows)[-1][3:]


@pytest.mark.parametrize("seed, count, censored", [(6, 30, 0.3), (7, 5000, 0.1)])
def test_the_picture_shows_these_points(coterie, trace, seed, count, censored):
    spells = sample(seed, count, censored)
    path = trace(spells)
    svg = coterie("trace", "plot", path).stdout
    paths = drawn(svg)
    longest = max(value for value, _ in spells)

    def pixels(time, share):
        return LEFT + time / longest * WIDTH, TOP + (1 - share) * HEIGHT

    rows = points(coterie("trace", "plot", path, "--format", "csv").stdout)
    (curve,), (band,) = paths["curve"], paths["band"]

    def distance(vertices, point):
        """From the nearest side of a stair, whose sides are upright or level."""
        sides = zip(vertices, vertices[1:])
        return min(math.hypot(*(max(min(a[k], b[k]) - point[k], 0, point[k] - max(a[k], b[k])) for k in (0, 1)))
                   for a, b in sides if min(a[0], b[0]) <= point[0] + 1 and max(a[0], b[0]) >= point[0] - 1)

    turn = max(range(len(band)), key=lambda k: band[k][0])
    above, below = band[:turn + 1], band[turn + 1:][::-1] + [band[0]]
    for time, _, _, survival, low, high in rows[::max(1, len(rows) // 200)]:
        assert distance(curve, pixels(time, survival)) <= PIXEL
        if low is not None:
            assert distance(above, pixels(time, high)) <= PIXEL and distance(below, pixels(time, low)) <= PIXEL
    assert all(min(abs(x - pixels(row[0], 1)[0]) for row in rows) < 0.011 for x, _ in curve)  # nothing between points
    assert len(svg) < 300_000
    (ticks,) = paths["censored"]
    times = [value for value, observed in spells if not observed]
    assert all(min(abs(x - pixels(time, 1)[0]) for time in times) < 0.011 for x, _ in ticks)
    if len(times) < 20:
        assert len({x for x, _ in ticks}) == len(set(times))


def test_the_laws_are_those_that_fit_prints(coterie, trace):
    spells = sample(8, 200, 0.2)
    path = trace(spells)
    svg = coterie("trace", "plot", path).stdout
    exponential, weibull, *_ = drawn(svg)["law"]
    longest = max(value for value, _ in spells)
    parameters = {name: [float(number) for number in re.findall(r"=([\d.e+-]+)", risk)]
                  for name, risk in re.findall(r"^(\w+) .*?  (\w+\(.*\))$", coterie("trace", "fit", path).stdout,
                                               flags=re.MULTILINE)}
    (rate,), (shape, scale) = parameters["exponential"], parameters["weibull"]
    for vertices, survival in ((exponential, lambda t: math.exp(-rate * t)),
                               (weibull, lambda t: math.exp(-((t / scale) ** shape)))):
        assert len(vertices) > 100
        for x, y in vertices:
            assert y == pytest.approx(TOP + (1 - survival((x - LEFT) / WIDTH * longest)) * HEIGHT, abs=0.2)
    for law in ("exponential", "weibull", "lognormal", "hyperexponential"):
        assert any(re.fullmatch(rf"{law} \(KS 0\.\d{{3}}\)", text) for text in texts(svg) if text)


@pytest.mark.parametrize("spells, until, band, ticks", [
    ([(5.0, True), (7.0, True)], (), True, False),
    ([(5.0, True), (7.0, False)], (), True, True),
    ([(5.0, False), (7.0, False)], (), False, True),
    ([(7.0, True)], (), False, False),
    ([(5.0, True), (7.0, True), (9.0, False)], ("--until", "6s"), True, False),  # no tick before the end of the axis
])
def test_the_legend_tells_of_what_is_drawn(coterie, trace, spells, until, band, ticks):
    svg = coterie("trace", "plot", trace(spells), *until).stdout
    words, paths = texts(svg), drawn(svg)
    assert ("band" in paths, "censored" in paths) == (band, ticks)
    assert ("Kaplan-Meier, 95 % band" in words, "Kaplan-Meier" in words) == (band, not band)
    assert ("censored (not interrupted)" in words) == ticks
    laws = [word for word in words if word and " (KS " in word]
    assert len(laws) == len(paths.get("law", []))


def test_info_draws_the_same_picture(coterie, trace):
    path = trace(sample(9, 50, 0.2))
    assert coterie("trace", "info", path, "--format", "svg").stdout == coterie("trace", "plot", path).stdout
    refused = coterie("trace", "info", path, "--format", "svg", "--together", "1s", check=False)
    assert refused.returncode == 2 and "--together" in refused.stderr


@pytest.mark.parametrize("longest, unit", [(90, "seconds"), (3600, "minutes"), (50 * 3600, "hours"), (30 * 86400, "days"),
                                           (0.01, "milliseconds")])
def test_the_axis_is_in_a_unit_that_people_read(coterie, trace, longest, unit):
    svg = coterie("trace", "plot", trace([(longest, True), (longest / 3, True)])).stdout
    assert f"time since a machine came, in {unit}" in texts(svg)


def test_until_ends_the_axis(coterie, trace):
    path = trace([(float(value), value % 3 > 0) for value in range(1, 101)])
    paths = drawn(coterie("trace", "plot", path, "--until", "9s").stdout)
    for vertices in paths["curve"] + paths["band"] + paths["law"] + paths["censored"]:
        assert max(x for x, _ in vertices) <= LEFT + WIDTH
    (curve,) = paths["curve"]
    assert len({x for x, _ in curve}) == 1 + 6 + 1  # 0, the interruptions among 1, ..., 9, the end
    late = drawn(coterie("trace", "plot", path, "--until", "200s").stdout)
    assert max(x for x, _ in late["curve"][0]) == LEFT + WIDTH / 2
    for words in (["--until", "0s"], ["--until", "10"], ["--until", "10s", "--format", "csv"]):
        refused = coterie("trace", "plot", path, *words, check=False)
        assert refused.returncode == 2 and "--until" in refused.stderr and not refused.stdout


def test_one_spell(coterie, trace):
    done = coterie("trace", "plot", trace([(7.0, True)]))
    paths = drawn(done.stdout)
    assert paths["curve"] == [[(LEFT, TOP), (LEFT + WIDTH, TOP), (LEFT + WIDTH, TOP + HEIGHT)]]
    assert "weibull is not drawn" in done.stderr
    assert "1 spell, 0 censored; median 7 s, 95 %: 0 s or more" in texts(done.stdout)


def test_nothing_but_censored_spells(coterie, trace):
    path = trace([(5.0, False), (7.0, False)])
    done = coterie("trace", "plot", path)
    paths = drawn(done.stdout)
    assert paths["curve"] == [[(LEFT, TOP), (LEFT + WIDTH, TOP)]]
    assert "law" not in paths and "band" not in paths and len(paths["censored"][0]) == 4
    assert "no law is drawn" in done.stderr
    assert points(coterie("trace", "plot", path, "--format", "csv").stdout) == [[0, 2, 0, 1, 1, 1], [7, 1, 0, 1, 1, 1]]


def test_spells_of_no_length_lower_where_curve_and_laws_begin(coterie, trace):
    path = trace([(0.0, True), (0.0, True), (5.0, True), (9.0, True)])
    done = coterie("trace", "plot", path)
    assert points(coterie("trace", "plot", path, "--format", "csv").stdout)[0][:4] == [0, 4, 2, 0.5]
    assert all(vertices[0] == (LEFT, TOP + HEIGHT / 2) for vertices in drawn(done.stdout)["law"])
    assert "2 spells of length zero are left out of the fits" in done.stderr
    none = coterie("trace", "plot", trace([(0.0, True)]), check=False)
    assert none.returncode == 2 and "there is no curve to draw" in none.stderr and not none.stdout


def test_what_cannot_be_read_is_refused(coterie, tmp_path):
    (tmp_path / "empty.txt").touch()
    for words in (["empty.txt"], ["missing.txt"], []):
        refused = coterie("trace", "plot", *words, check=False, cwd=tmp_path)
        assert refused.returncode in (1, 2) and refused.stderr.count("\n") == 1 and not refused.stdout


def test_output_writes_a_file(coterie, trace, tmp_path):
    path = trace(sample(10, 20, 0.2))
    done = coterie("trace", "plot", path, "--output", tmp_path / "a.svg")
    assert done.stdout == "" and (tmp_path / "a.svg").read_text() == coterie("trace", "plot", path).stdout
    for words, message in ((["--output", tmp_path / "a.pdf"], "end the file name in .svg"),
                           (["--output", tmp_path / "a.svg", "--format", "csv"], "end the file name in .csv"),
                           (["--output", path, "--format", "csv"], "trace.csv")):
        refused = coterie("trace", "plot", path, *words, check=False)
        assert refused.returncode == 2 and message in refused.stderr
    assert path.read_text().startswith("duration,observed\n")


def test_titles_are_text(coterie, tmp_path):
    path = tmp_path / "a<b>&c.txt"
    path.write_text("3\n4\n")
    assert "How long machines stayed: a<b>&c.txt" in texts(coterie("trace", "plot", path).stdout)


@pytest.mark.parametrize("name", sorted(path.name for path in BUNDLED.glob("*.durations")))
def test_bundled_traces_are_drawn(coterie, name):
    svg = coterie("trace", "plot", BUNDLED / name).stdout
    paths = drawn(svg)
    assert len(paths["curve"]) == 1 and len(paths["law"]) == 4 and len(svg) < 300_000
    for vertices in paths["curve"] + paths["law"] + paths["band"]:
        assert all(LEFT <= x <= LEFT + WIDTH and TOP <= y <= TOP + HEIGHT for x, y in vertices)


def test_spells_that_end_at_a_tick_are_at_risk_there(coterie, tmp_path):
    """0.6 s is 3 times 0.2 s, but for a digit."""
    (tmp_path / "t.durations").write_text("0.6\n0.6\n1\n")
    done = coterie("trace", "plot", "t.durations", "--option", "unit=s", "--format", "svg", cwd=tmp_path)
    below = re.findall(r'<text[^>]*x="([\d.]+)"[^>]*>([\d.]+)</text>', done.stdout)
    at = [x for x, text in below if text == "0.6"][-1]  # the first is of the shares
    assert [text for x, text in below if x == at] == ["0.6", "3"]
