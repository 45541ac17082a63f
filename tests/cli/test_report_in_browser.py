"""The page of `coterie report` in Chromium, at the width of a phone and of a desk, light and dark."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium here (scripts/setup --full installs it)")
WebDriverWait = pytest.importorskip("selenium.webdriver.support.wait").WebDriverWait
AXE = (Path(__file__).parent / "axe-core" / "axe.min.js").read_text()
SIZES = {"phone": (390, 844), "desk": (1280, 900)}

CAMPAIGN = """
title = "A page to look at"
seed = 1
instances = 40
strategies = ["greedy", "refined", "no-replication", "random-replication"]
baseline = "no-replication"
[grid]
workers = [3, 5]
work = "0.5 workers"
startup = [0.1, 0.01, 0.001]
risk = ["linear", "exponential(rate=1)", "trace(file=traces of mine/lab.durations)"]
"""
DISPATCH = """
model = "dispatch"
instances = 40
strategies = ["greedy", "central"]
[grid]
workers = 3
work = 1
startup = 0.05
"""
SQUEEZED = """
instances = 100
strategies = ["greedy", "brute", "cyclic-replication", "refined"]
baseline = "greedy"
[grid]
workers = 10
work = "0.7 workers"
startup = [0.1, 0.01, 0.001]
"""
NOTHING = """
instances = 40
strategies = ["greedy", "no-replication"]
baseline = "no-replication"
[grid]
workers = 3
work = 1
startup = [0.01, 5, 6]
"""
LATE = """
instances = 40
strategies = ["greedy", "no-replication"]
[grid]
workers = 3
work = 0.9
startup = 0.5
"""
TIMES = """
model = "background"
instances = 40
strategies = ["before-correction", "simulation-based", "no-background"]
baseline = "simulation-based"
[grid]
processors = 4
jobs = "mm1(arrival=0.1, service=0.125)"
rates = ["time-unit", "slot"]
trials = 40
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    (folder / "traces of mine").mkdir()
    (folder / "traces of mine" / "lab.durations").write_text("".join(f"{n * n % 97 + 1}\n" for n in range(40)))
    for name, text in (("worksharing", CAMPAIGN), ("dispatch", DISPATCH), ("squeezed", SQUEEZED), ("nothing", NOTHING), ("late", LATE),
                       ("times", TIMES)):
        (folder / f"{name}.toml").write_text(text)
        for words in (["run", f"{name}.toml", "--output", f"{name}.h5", "--quiet"], ["report", f"{name}.h5"]):
            subprocess.run([os.path.abspath(os.environ["COTERIE"]), *words], check=True, cwd=folder, timeout=300)
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("no Chromium with its driver here (scripts/setup --full installs them)")
    options = webdriver.ChromeOptions()
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                 "--disable-background-networking", f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(word)
    driver = webdriver.Chrome(service=webdriver.chrome.service.Service(shutil.which("chromedriver")), options=options)
    yield driver
    driver.quit()


def look_at(browser, page, size="desk", scheme="light"):
    width, height = SIZES[size]
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.get(page.as_uri())
    told = [entry["message"] for entry in browser.get_log("browser")]
    assert told == []


def move(browser, kind, x, y, buttons=0):
    browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
        "type": kind, "x": x, "y": y, "button": "left" if buttons or kind == "mouseReleased" else "none",
        "buttons": buttons, "clickCount": 1})


def plot_box(browser):
    return browser.execute_script("""
        document.querySelector("#curve").scrollIntoView();
        const box = document.querySelector("#curve .u-over").getBoundingClientRect();
        return [box.left, box.top, box.width, box.height];""")


EVERYWHERE = [pytest.param(name, size, scheme, marks=pytest.mark.skipif(
    not os.environ.get("COTERIE_FULL") and (name, size, scheme) != ("dispatch", "phone", "dark"), reason="takes long; set COTERIE_FULL"))
    for name in ("worksharing", "dispatch") for size in SIZES for scheme in ("light", "dark")]


@pytest.mark.parametrize("name, size, scheme", EVERYWHERE)
def test_everybody_can_read_it(browser, pages, name, size, scheme):
    look_at(browser, pages / f"{name}.html", size, scheme)
    browser.execute_script("for (const one of document.querySelectorAll('details')) one.open = true;" + AXE)
    found = browser.execute_async_script("const done = arguments[0]; axe.run().then(done, e => done({violations: [String(e)]}));")
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]] == []
    assert len(found["passes"]) > 20
    assert browser.execute_script("return document.documentElement.scrollWidth") <= SIZES[size][0]
    red, green, blue = map(int, re.findall(r"\d+", browser.execute_script("return getComputedStyle(document.body).backgroundColor"))[:3])
    assert (red + green + blue < 150) == (scheme == "dark")


def test_axe_would_find_something(browser, pages):
    look_at(browser, pages / "dispatch.html")
    browser.execute_script("document.querySelector('h1').style.color = '#ddd'; document.body.append(document.createElement('select'));" + AXE)
    found = browser.execute_async_script("axe.run().then(arguments[0]);")
    assert {"color-contrast", "select-name"} <= {one["id"] for one in found["violations"]}


def test_schedules_scroll_where_one_sees_it(browser, pages):
    look_at(browser, pages / "worksharing.html", "phone")
    wide, room, hint, focusable = browser.execute_script("""
        const one = document.querySelector("figure .wide");
        return [one.scrollWidth, one.clientWidth, one.nextElementSibling.innerText, one.tabIndex];""")
    assert wide > room and "scrolls" in hint and focusable == 0
    look_at(browser, pages / "worksharing.html", "desk")
    assert browser.execute_script("return document.querySelector('figure .hint').hidden")


def test_schedules_are_not_empty_at_first(browser, pages):
    look_at(browser, pages / "late.html", "phone")
    places = browser.execute_script("""
        return [...document.querySelectorAll("figure .wide")].map(one => [one.querySelector("rect > title").parentElement, one]
          .map(of => of.getBoundingClientRect().left).concat(one.clientWidth, one.scrollLeft));""")
    assert len(places) == 2
    for chunk, left, width, scrolled in places:
        assert 0 <= chunk - left < width / 2 and scrolled > 0


def test_a_chart_says_what_it_shows_and_has_a_table(browser, pages):
    look_at(browser, pages / "worksharing.html")
    for chart, words in (("curve", ["ratio to omniscient", "startup", "greedy", "0.001"]), ("risk", ["linear", "interruption"])):
        label = browser.execute_script(f"return document.querySelector('#{chart} [role=img]').getAttribute('aria-label')")
        assert all(word in label for word in words), label
        assert browser.execute_script(f"return document.querySelectorAll('#{chart}-table tr').length") >= 4
    number = re.search(r"greedy: ([\d.]+) at 0\.001", browser.execute_script(
        "return document.querySelector('#curve [role=img]').getAttribute('aria-label')"))[1]
    first = browser.execute_script("return [...document.querySelector('#curve-table tbody tr').cells].map(c => c.textContent.split(' ')[0])")
    assert first[0] == "0.001" and float(first[1]) == pytest.approx(float(number), abs=2e-3)


def test_pointing_tells_numbers(browser, pages):
    look_at(browser, pages / "worksharing.html")
    left, top, width, height = plot_box(browser)
    move(browser, "mouseMoved", left + 0.97 * width, top + height / 2)
    told = browser.execute_script("return document.querySelector('#curve .tip').innerText")
    last = browser.execute_script("return document.querySelector('#curve-table tbody tr:last-child td').textContent").split()
    assert "startup = 0.1" in told
    assert float(re.search(r"greedy: ([\d.]+)", told)[1]) == pytest.approx(float(last[0]), abs=2e-3)


def test_dragging_enlarges_and_a_button_goes_back(browser, pages):
    look_at(browser, pages / "worksharing.html")
    span = "const {min, max} = document.querySelector('#curve').plot.scales.x; return [min, max];"
    before = browser.execute_script(span)
    left, top, width, height = plot_box(browser)
    move(browser, "mouseMoved", left + 0.4 * width, top + 50)
    move(browser, "mousePressed", left + 0.4 * width, top + 50, 1)
    for part in (0.6, 0.9, 1.0):
        move(browser, "mouseMoved", left + part * width - 2, top + 60, 1)
    move(browser, "mouseReleased", left + width - 2, top + 60)
    enlarged = browser.execute_script(span)
    assert enlarged[0] > 2 * before[0]
    browser.execute_script("document.querySelector('#curve-legend button').click()")
    assert browser.execute_script(span) == pytest.approx(enlarged)
    browser.execute_script("document.querySelector('#curve .whole').click()")
    assert browser.execute_script(span) == pytest.approx(before)


COLOURS = """
    const canvas = document.querySelector("#curve canvas");
    const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const wanted = [1, 3, 5].map(i => parseInt(arguments[0].slice(i, i + 2), 16));
    let count = 0;
    for (let i = 0; i < bytes.length; i += 4) if (wanted.every((x, k) => Math.abs(x - bytes[i + k]) < 3) && bytes[i + 3] > 250) ++count;
    return count;"""


def test_the_legend_hides_a_curve(browser, pages):
    look_at(browser, pages / "worksharing.html")
    colour = browser.execute_script("return strategyLook(2).colour")
    assert browser.execute_script(COLOURS, colour) > 100
    button = "document.querySelectorAll('#curve-legend button')[2]"
    browser.execute_script(f"{button}.click()")
    assert browser.execute_script(f"return {button}.getAttribute('aria-pressed')") == "false"
    assert browser.execute_script(COLOURS, colour) == 0
    browser.execute_script(f"{button}.click()")
    assert browser.execute_script(COLOURS, colour) > 100


def test_strategies_look_as_in_the_figures(browser, pages):
    look_at(browser, pages / "worksharing.html")
    table = json.loads((Path(__file__).parents[2] / "scripts/coterie/styles.json").read_text())
    drawn = browser.execute_script("return strategies.map((name, s) => [name, strategyLook(s).colour, strategyLook(s).dash])")
    assert drawn == [[name, table["named"][name][0], [2 * dash for dash in table["named"][name][1]]] for name, *_ in drawn]
    letters = {mark for _, _, mark in (*table["named"].values(), *table["spare"])}
    assert set(browser.execute_script("return Object.keys(marks)")) == letters


def test_curves_that_coincide_are_told(browser, pages):
    look_at(browser, pages / "worksharing.html")
    told = browser.execute_script("""
        const points = ys => ys.map((y, x) => ({ x, y }));
        return coinciding([{ name: "a", points: points([1, 2, 3]) }, { name: "b", points: points([1, 2, 3.001]) },
          { name: "c", points: points([1, 2, 3.1]) }, { name: "d", points: points([1, 2]) }]);""")
    assert told == ["a, b"]
    looks = browser.execute_script("return [...Array(10).keys()].map(i => { const l = look(i); return l.colour + l.dash + l.mark; })")
    assert len(set(looks)) == 10
    for first, second in zip(range(9), range(1, 10)):
        assert browser.execute_script("return String(look(arguments[0]).dash) !== String(look(arguments[1]).dash)", first, second)


def test_a_ratio_of_nothing_is_no_number(browser, pages):
    """Chunks that cost more than anybody lives: omniscient completes nothing, and results keep 0 / 0 as 1."""
    def table(name):
        return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map(row => [...row.cells]"
                                      ".map(cell => cell.textContent))", f"#{name} tbody tr")

    look_at(browser, pages / "nothing.html")
    assert {row[1] for row in table("table")}.isdisjoint({"100.000", "–"})
    assert "In 2 of them omniscient's work completed is 0, where all ratios count as 100 %." in browser.execute_script(
        "return document.querySelector('#selected').textContent")
    (_, *some), *others = table("curve-table")
    assert "–" not in some and others == [["5", "–", "–"], ["6", "–", "–"]]
    browser.execute_script("const one = document.querySelector('#filters select'); one.value = 1; one.dispatchEvent(new Event('change'));")
    assert [(mean, error, *rest) for _, mean, error, _, _, *rest in table("table")] == [("–", "–", "–", "")] * 2
    assert browser.execute_script("return document.querySelector('#selected').textContent").endswith(
        "In all of them omniscient's work completed is 0: there are no ratios.")


def test_a_curve_far_off_does_not_flatten_the_others(browser, pages):
    look_at(browser, pages / "squeezed.html")
    span = "const {min, max} = document.querySelector('#curve').plot.scales.y; return [min, max];"
    told = "return document.querySelector('#curve-note').textContent"
    label = "return document.querySelector('#curve [role=img]').getAttribute('aria-label')"
    heights = browser.execute_script("""
        return [...document.querySelectorAll("#curve-table tbody tr")].map(one => [...one.cells].slice(1).map(c => parseFloat(c.textContent) / 100));""")
    brute, others = [row[1] for row in heights], [y for row in heights for i, y in enumerate(row) if i != 1]
    assert max(brute) < min(others)
    low, high = browser.execute_script(span)
    assert max(brute) < low < min(others) and max(others) < high
    assert "Below the picture" in browser.execute_script(told) and "brute (" in browser.execute_script(told)
    assert "Outside the picture: brute." in browser.execute_script(label)
    browser.execute_script("document.querySelector('#all-curves').click()")
    low, high = browser.execute_script(span)
    assert low < min(brute) and max(others) < high
    assert "the picture, so" not in browser.execute_script(told) and "Outside" not in browser.execute_script(label)


def test_curves_far_off_are_the_worst_ones(browser, pages):
    far = """
        const half = arguments[1] ?? 0;
        const curve = (name, ...ys) => ({ name, points: ys.map((y, x) => ({ x, y, low: y - half, high: y + half })) });
        return farOff([curve("a", 8, 8.1), curve("b", ...arguments[0]), curve("c", 8.2, 8)]).map(one => one.name);"""
    look_at(browser, pages / "worksharing.html")
    for ys, found in (([1, 1], ["b"]), ([20, 20], []), ([7.9, 8.2], [])):
        assert browser.execute_script(far, ys) == found
    assert browser.execute_script(far, [1, 1], 20) == []  # intervals of the others reach as far
    assert browser.execute_script("return document.querySelector('#all-curves').hidden")
    look_at(browser, pages / "times.html")
    for ys, found in (([1, 1], []), ([20, 20], ["b"])):
        assert browser.execute_script(far, ys) == found
    look_at(browser, pages / "squeezed.html")
    two = browser.execute_script(far.replace("]).map", ", curve('d', 5, 5)]).map"), [1, 1])
    assert two == ["b"]  # a third of four at most


def test_more_time_is_worse(browser, pages):
    look_at(browser, pages / "times.html")
    rows = browser.execute_script("""
        return [...document.querySelectorAll("#table tbody tr")].map(one =>
          [one.cells[0].textContent, Number(one.cells[1].textContent), one.querySelector(".better, .worse")?.className ?? ""]);""")
    assert [mean for _, mean, _ in rows] == sorted(mean for _, mean, _ in rows)
    assert {name: kind for name, _, kind in rows}["before-correction"] == "worse"


def test_names_have_no_folders(browser, pages):
    look_at(browser, pages / "worksharing.html")
    for place in ("#filters", "#risk-legend", "#risk-table", "#schedules", "#constants"):
        told = browser.execute_script("return document.querySelector(arguments[0]).textContent", place)
        assert "traces of mine" not in told, place
    assert "trace(file=lab.durations" in browser.execute_script("return document.querySelector('#risk-legend').innerText")


def test_follows_a_change_of_scheme(browser, pages):
    look_at(browser, pages / "worksharing.html", scheme="light")
    light = browser.execute_script("return strategyLook(0).colour")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    until = WebDriverWait(browser, 30).until  # a busy browser tells the page of it late
    dark = until(lambda _: browser.execute_script("return strategyLook(0).colour !== arguments[0] && strategyLook(0).colour", light))
    until(lambda _: browser.execute_script(COLOURS, dark) > 100 and browser.execute_script(COLOURS, light) == 0)
