"""Campaigns, plans, schedules, solutions and fits as objects: checked when they are made, frozen, typed, shown in a notebook."""

import dataclasses
import json
import re
import shutil
import signal
import subprocess
import threading
import time
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import coterie
from coterie.progress import Progress, tqdm_or_none
from coterie.results import folded

GRID = {"workers": [10, 20], "work": [1, 2], "startup": 0.1, "risk": ["linear", "exponential(rate=1)"]}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def interruptible():
    """As at a terminal: what a shell starts in the background ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("change, key", [
    ({"strategies": ["gredy"]}, "strategies"),
    ({"instanzen": 3}, "instanzen"),
    ({"grid": GRID | {"workers": 0}}, "grid.workers"),
    ({"grid": None, "case": [{"workers": 1, "work": 1, "startup": 1}, {"workers": 1, "work": -1, "startup": 1}]}, "case[1].work"),
])
def test_a_campaign_is_checked_when_it_is_made(change, key, tmp_path):
    with pytest.raises(coterie.ProgramError) as error:
        coterie.Campaign(**{"strategies": ["greedy"], "instances": 20, "grid": GRID} | change)
    assert error.value.key == key and str(error.value).startswith(f"{key}: ") and error.value.code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_campaign_has_its_axes_as_dimensions_and_is_run_once():
    campaign = coterie.Campaign(strategies=["greedy", "brute"], instances=20, seed=1, grid=GRID)
    assert campaign.sizes == {"configuration": 8, "strategy": 2, "instance": 20}
    open("mine.toml", "w").write(campaign.toml)
    with campaign.run(quiet=True) as results, coterie.run("mine.toml", "flat.h5", quiet=True) as flat:
        assert results["ratio"].dims == ("workers", "work", "risk", "strategy", "instance")
        one = coterie.select(flat, workers=20, work=2, risk="linear")
        assert np.array_equal(results["ratio"].sel(workers=20, work=2, risk="linear"), one["ratio"][0])
        assert coterie.average(results, "greedy") == coterie.average(flat, "greedy")
        back = coterie.by_configuration(results)
        assert np.array_equal(back["ratio"], flat["ratio"]) and np.array_equal(back["risk"], flat["risk"])
    before = (open("campaign.h5", "rb").read())
    campaign.run(quiet=True).close()  # is there already
    assert open("campaign.h5", "rb").read() == before
    with campaign.replace(instances=30).run(quiet=True) as longer:
        assert longer.sizes["instance"] == 30
    with pytest.raises(coterie.ProgramError, match="seed: was 1, now 2"):
        campaign.replace(seed=2).run(quiet=True)
    campaign.replace(seed=2).run(quiet=True, force=True).close()
    assert "<th>workers</th><td>10, 20</td>" in campaign._repr_html_()


def test_multiples_of_an_axis_are_a_dimension_and_what_is_no_product_is_not():
    def sizes(work):
        campaign = coterie.Campaign(strategies=["greedy"], instances=5, grid={"workers": [5, 10], "work": work, "startup": 0.1})
        with campaign.run(force=True, quiet=True) as results:
            if "work_per_workers" in results.dims:
                assert results["work"].sel(workers=10, work_per_workers=0.7).item() == pytest.approx(7)
            return dict(results.sizes)

    assert sizes(["0.3 workers", "0.7 workers"]) == {"workers": 2, "work_per_workers": 2, "strategy": 1, "instance": 5}
    assert sizes("1..workers") == {"configuration": 15, "strategy": 1, "instance": 5}


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("progress", [True, False])
def test_an_interrupted_run_goes_on_when_it_is_run_again(progress, tmp_path, capfd):
    campaign = coterie.Campaign(strategies=["greedy"], instances=300_000, seed=1,
                                grid={"workers": list(range(40, 60)), "work": 5, "chunks": 20, "startup": 0.001})

    def interrupt():
        while not list(tmp_path.glob("campaign.h5.parts/part-*.h5")):
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        campaign.run(threads=1, save_every="0.05s", progress=progress)
    assert "stopped by SIGINT" in capfd.readouterr().err
    done = coterie.ask("status", "campaign.h5")["instances_done"]
    assert 0 < done < 300_000 * 20
    with campaign.run(quiet=True) as results:
        assert not np.isnan(results["mean"]).any() and results.sizes["workers"] == 20
    assert coterie.ask("status", "campaign.h5")["complete"] is True


def test_a_bar_shows_what_the_program_tells(capfd):
    bar = Progress(True)
    assert bar.is_bar, "scripts/setup installs python3-tqdm"
    bar.tell("12 %, 3 min left, 4 of 32 configurations\n")
    bar.tell("mine.h5: 2 configurations\n")
    bar.close(True)
    shown = capfd.readouterr().err
    assert "12 %|" in shown and "3 min left" in shown and "mine.h5: 2 configurations" in shown


def test_without_tqdm_there_are_lines_and_a_note(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    assert tqdm_or_none() is None
    told = []
    Progress(True, told.append).tell("12 %\n")
    assert told == ["no progress bar: tqdm is not installed (Debian: python3-tqdm)\n", "12 %\n"]


def test_large_results_are_computed_with_piece_by_piece(monkeypatch):
    dask = pytest.importorskip("dask", reason="there is no python3-dask here: scripts/setup installs it")
    campaign = coterie.Campaign(strategies=["no-replication"], instances=200_000, seed=1,
                                grid={"workers": [2, 3, 4, 5], "work": [1, 2], "chunks": 4, "startup": 0.1})
    with campaign.run(quiet=True) as held:
        assert held["ratio"].chunks is None  # 13 MB
        expected = held["ratio"].mean("instance").values
        whole = held["ratio"].nbytes
    monkeypatch.setattr(coterie.results, "LARGE", 1 << 20)
    monkeypatch.setattr(coterie.results, "CHUNK", 2 << 20)
    with campaign.run(quiet=True) as results, dask.config.set(scheduler="synchronous"):
        assert results["ratio"].chunks == ((1,) * 4, (1,) * 2, (1,), (200_000,))
        tracemalloc.start()
        mean = results["ratio"].mean("instance").values
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert np.allclose(mean, expected, rtol=1e-12) and peak < whole / 2
        assert results["ratio"].sel(workers=3, work=2).chunks == ((1,), (200_000,))


@pytest.mark.parametrize("chunk", [1, 5, 6, 7, 30, 60])
@pytest.mark.parametrize("shape", [[60], [2, 30], [30, 2], [5, 4, 3], [1, 60], [2, 3, 5, 2]])
def test_axes_in_place_of_configurations_keep_chunks_small(chunk, shape):
    dask = pytest.importorskip("dask.array", reason="there is no python3-dask here: scripts/setup installs it")
    values = np.arange(240).reshape(2, 60, 2)
    table = folded(dask.from_array(values, chunks=(2, chunk, 2)), 1, shape)
    np.testing.assert_array_equal(table.compute(), values.reshape(2, *shape, 2))
    greatest = np.prod([max(of) for of in table.chunks[1:-1]])
    assert greatest < 2 * chunk and table.npartitions <= 4 * 60 / chunk + max(shape)


def test_a_schedule_is_what_the_program_says(program):
    made = coterie.schedule("greedy", workers=3, work=1, chunks=12, startup=0.01)
    said = json.loads(program("schedule", "--strategy", "greedy", "--workers", 3, "--work", 1, "--chunks", 12,
                              "--startup", 0.01, "--format", "json"))
    assert made.expected_work == said["expected_work"] and made.static_ceiling == said["static_ceiling"]
    assert [dataclasses.asdict(task)["begin"] for task in made.tasks] == [task["begin"] for task in said["tasks"]]
    assert made.coteries[0].workers == (0, 1, 2) and made == coterie.schedule("greedy", workers=3, work=1, chunks=12, startup=0.01)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.strategy = "brute"
    with pytest.raises(TypeError):
        made.answer["strategy"] = "brute"
    assert "<svg" in made._repr_html_()
    (row,) = [task for task in made.tasks if task.worker == 1 and task.order == 1]
    open("mine.csv", "w").write(f"worker,begin,end\n0,{row.begin},{row.end}\n")
    assert len(coterie.schedule(file="mine.csv", workers=1, work=1).tasks) == 1


def test_a_plan_is_what_the_program_says(root):
    log = root / "scripts/examples/logs/spot.csv"
    made = coterie.plan(trace=log, tail="gone", work=10 * 3600, checkpoint="5min", workers=4, deadline="8h", instances=100)
    said = coterie.ask("plan", trace=log, tail="gone", work="10h", checkpoint="300s", machines=4, deadline="8h", instances=100)
    assert made.work == 36000 and made.share == made.advice.work_done / 36000
    assert [one.answer for one in (made.advice, *made.alternatives)] == [coterie.answers.frozen(one) for one in said["options"]]
    assert made.reason == said["reason"] and made.doubts == tuple(said["doubts"])
    assert made.advice.policy in made._repr_html_()


def test_several_groups_are_asked_as_in_a_question_file(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    spot = {"name": "spot", "count": 4, "risk": "exponential(rate=1)", "risk_unit": "5h", "replaced": "10min"}
    made = coterie.plan(work="10h", checkpoint="5min", machines=[spot, {"name": "sure", "count": 1}], instances=100)
    assert made.advice.machines == {"spot": 4, "sure": 1}
    with pytest.raises(coterie.ProgramError, match="machines.0..prize: unknown key") as caught:
        coterie.plan(work="10h", checkpoint="5min", machines=[{**spot, "prize": 1}])
    assert caught.value.key == "machines[0].prize"


def test_a_plan_is_in_seconds_or_refused():
    with pytest.raises(ValueError, match="risk needs risk_unit"):
        coterie.plan(risk="linear", workers=2, work="8", checkpoint="0.1", instances=10)


def test_a_solution_is_of_its_problem_and_names_the_key_to_blame():
    star = {"problem": "return-messages", "strategy": "opt-fifo",
            "worker": [{"send": Fraction(7), "compute": 6, "return": 7}, {"send": 8, "compute": 5, "return": 8}]}
    answer = coterie.solve(star)
    assert isinstance(answer, coterie.ReturnMessages)
    assert Fraction(answer.throughput_exact) == Fraction(1, 14) and answer.return_ == (1, 2)
    assert "1/14" in answer._repr_html_()
    star["worker"][1]["compute"] = -5
    with pytest.raises(coterie.ProgramError) as error:
        coterie.solve(star)
    assert error.value.key == "worker[1].compute" and str(error.value).startswith("worker[1].compute: ")


def test_listening_workers_are_a_problem_of_their_own():
    answer = coterie.solve({"problem": "listening-workers", "work": 1, "startup": Fraction(1, 10), "step": Fraction(1, 20),
                            "risk": "linear", "worker": [{}, {}]})
    assert isinstance(answer, coterie.ListeningWorkers)
    assert 0 < answer.expected_work <= answer.own_clocks + 1e-12 <= answer.expected_work_bound + 2e-12


def test_a_fit_finds_the_law_that_a_trace_was_drawn_from():
    # Quantiles of a Weibull law, shape 0.5 and scale 100: no chance in it.
    u = (np.arange(2000) + 0.5) / 2000
    np.savetxt("stays.txt", 100 * (-np.log1p(-u)) ** 2)
    found = coterie.fit("stays.txt")
    assert found.best.name == "weibull" and found.best.aic == min(law.aic for law in found.laws)
    assert found.best.parameters["shape"] == pytest.approx(0.5, rel=0.02)
    assert found.best.parameters["scale"] == pytest.approx(100, rel=0.02)
    assert coterie.schedule("no-replication", workers=2, work=10, chunks=1, risk=found.best.risk).expected_work > 0
    shown = dict(re.findall(r"<th>(\w+)</th><td>([^<]*)</td>", found._repr_html_()))
    for law in found.laws:
        numbers, all_digits = ([float(one) for one in re.findall(r"(?<==)[\d.e+-]+", risk)] for risk in (shown[law.name], law.risk))
        assert numbers == pytest.approx(all_digits, rel=1e-3) and len(shown[law.name]) < 70


def test_a_fit_keeps_what_can_be_fitted():
    with open("same.durations", "w") as file:
        file.write("10\n10\n")
    found = coterie.fit("same.durations")
    assert "exponential" in [law.name for law in found.laws] and len(found.laws) < 4
    assert any("problem" in law for law in found.answer.values())


def test_the_types_hold(root, tmp_path):
    if not shutil.which("mypy", path="/usr/bin:/bin"):
        pytest.skip("there is no mypy here: scripts/setup installs it")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import coterie\n"
                     "reveal_type(coterie.schedule('greedy', workers=2, work=1).expected_work)\n"
                     "coterie.plan(work='1h', checkpoint='1min').advise\n")
    done = subprocess.run(["/usr/bin/mypy", "--config-file", root / "scripts/pyproject.toml", "--cache-dir", tmp_path / "cache",
                           root / "scripts/coterie", wrong], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env={"PATH": "/usr/bin:/bin", "MYPYPATH": str(root / "scripts")})
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and '"Plan" has no attribute "advise"' in errors[0], done.stdout
    assert 'Revealed type is "builtins.float"' in done.stdout, done.stdout


def test_a_campaign_does_not_change_with_what_it_was_made_of():
    grid = {"workers": [5], "work": 1, "startup": 0.1}
    mine = coterie.Campaign(strategies=["greedy"], instances=20, grid=grid)
    text, sizes = mine.toml, mine.sizes
    grid["workers"].append(20)
    mine.resolved["strategies"].append("brute")
    assert (mine.toml, mine.sizes) == (text, sizes)


def test_a_fit_in_another_unit_says_so(tmp_path):
    (tmp_path / "stays.txt").write_text("10\n20\n40\n80\n90\n300\n")
    assert "in seconds" in coterie.fit("stays.txt")._repr_html_()
    shown = coterie.fit("stays.txt", normalise="longest")._repr_html_()
    assert "in seconds" not in shown and "in units of normalise=longest" in shown
