"""Running the program from Python: results, messages as exceptions, stopping; `ask`; quick pictures."""

import json
import os
import pathlib
import pickle
import signal
import threading
import time

import pytest

import coterie
from coterie.plots import plot_mean

LONG = """
seed = 1
instances = 1000000
strategies = ["greedy"]
[grid]
workers = 50
work = 20
chunks = 20
startup = 0.001
risk = "linear"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "long.toml").write_text(LONG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_run_gives_the_open_result_and_shows_what_the_program_says(folder, capfd):
    results = coterie.run("long.toml", settings={"workers": [2, 3], "risk": "exponential(rate=2)", "work": 1},
                          instances=30, threads=1)

    with results:
        assert results["workers"].values.tolist() == [2, 3]
        assert set(results["risk"].values) == {"exponential(rate=2)"}
        assert results.sizes["instance"] == 30
    assert "long.h5: 2 configurations x 1 strategy x 30 instances" in capfd.readouterr().err


def test_quiet_says_nothing(folder, capfd):
    coterie.run("long.toml", "quiet.h5", settings={"workers": 2, "work": 1}, instances=10, quiet=True).close()

    assert capfd.readouterr() == ("", "")


def test_what_the_program_complains_of_is_the_exception(folder):
    with pytest.raises(coterie.ProgramError, match=r'unknown option --instanzen \(did you mean "--instances"') as caught:
        coterie.run("long.toml", instanzen=3, quiet=True)
    assert caught.value.code == 2
    with pytest.raises(coterie.ProgramError, match=r"long.toml:\d+:\d+.*workers|--set.*workers") as caught:
        coterie.run("long.toml", settings={"workers": 0}, quiet=True)
    assert caught.value.code == 2
    with pytest.raises(coterie.ProgramError, match="none.toml") as caught:
        coterie.run("none.toml", quiet=True)
    assert caught.value.code == 1


def test_errors_cross_processes():
    error = coterie.Stopped("until noon", 3, "grid.workers")

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), str(copy), copy.code, copy.key) == (coterie.Stopped, "until noon", 3, "grid.workers")


def test_no_file_is_taken_for_an_option(folder):
    (folder / "long.toml").rename("--quiet.toml")
    coterie.run("--quiet.toml", "--force.h5", settings={"workers": 2, "work": 1}, instances=10, quiet=True).close()

    assert coterie.ask("status", pathlib.Path("--force.h5"))["complete"] is True


@pytest.mark.parametrize("table, message", [
    ({"title": "a lone \ud800"}, "not valid Unicode"), ({"\ud800": 1}, "not valid Unicode"),
    ({"grid": {5: 1}}, "keys .* are text, not 5"), ({None: {"workers": 2}}, "keys .* are text, not None")])
def test_what_no_file_can_hold_is_told(table, message):
    with pytest.raises((TypeError, ValueError), match=message):
        coterie.ask("validate", table)


@pytest.mark.parametrize("word, why", [("\ud800", "not valid Unicode"), ("a\0b", "a null character")])
def test_what_no_program_can_be_given_is_told(word, why):
    for call in (lambda: coterie.ask("schedule", strategy=word), lambda: coterie.ask("trace", "info", word),
                 lambda: coterie.run(word, quiet=True)):
        with pytest.raises(ValueError, match=f"the program cannot be given .*: it .*{why}"):
            call()


def test_every_character_of_a_text_arrives(folder):
    title = "".join(map(chr, [*range(1, 160), 0x2028, 0xfeff, 0x1f600]))
    campaign = coterie.Campaign(title=title, strategies=["greedy"], instances=10,
                                grid={"workers": 2, "work": 1, "chunks": 4, "startup": 0.1})

    assert campaign.resolved["title"] == title


def test_a_run_that_was_stopped_goes_on(folder):
    settings = {"workers": [50, 51], "work": 2}
    with pytest.raises(coterie.Stopped, match="stopped by the time limit at .*; continue with: coterie run") as caught:
        coterie.run("long.toml", settings=settings, instances=600, time_limit="0.000001s", quiet=True)
    assert caught.value.code == 3

    with coterie.run("long.toml", settings=settings, instances=600, resume=True, quiet=True) as results:
        assert coterie.ask("status", "long.h5")["complete"] is True
        assert results.sizes["instance"] == 600


@pytest.fixture
def interruptible():
    """As at a terminal: what a shell starts in the background ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_lets_the_program_save_first(folder, capfd):
    def interrupt():
        while not list(folder.glob("long.h5.parts/part-*.h5")):
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        coterie.run("long.toml", settings={"workers": "2..500"}, threads=1, save_every="0.1s", time_limit="600s")

    assert "stopped by SIGINT at" in capfd.readouterr().err
    assert coterie.ask("status", "long.h5")["instances_done"] > 0


def test_a_shard_is_opened_where_it_is_asked_for(folder):
    with coterie.run("long.toml", "s.h5", settings={"workers": [2, 3], "work": 1}, instances=500, shard="1/2",
                     quiet=True) as results:
        assert int(results.attrs["complete"]) == 0
    with pytest.raises(coterie.ResultError, match="^s.h5: holds only shard 1/2: join all shards with coterie merge"):
        coterie.open_results("s.h5")


def test_the_program_is_found_by_environment_build_tree_and_path(tmp_path, monkeypatch):
    named = os.environ["COTERIE"]
    assert str(coterie.find_program()) == named
    monkeypatch.setenv("COTERIE", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="is not an executable program"):
        coterie.find_program()
    monkeypatch.delenv("COTERIE")
    monkeypatch.setattr(coterie.program, "BUILD_TREE", tmp_path / "build" / "coterie")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="was not found"):
        coterie.find_program()
    (tmp_path / "coterie").symlink_to(named)
    assert coterie.find_program() == tmp_path / "coterie"
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "coterie").symlink_to(named)
    assert coterie.find_program() == tmp_path / "build" / "coterie"


def test_ask_gives_what_the_program_answers_in_json(program):
    options = {"strategy": "greedy", "workers": 3, "work": 1, "chunks": 12, "risk": "weibull(shape=0.7, scale=1)"}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]

    assert coterie.ask("schedule", **options) == json.loads(program("schedule", *words, "--format", "json"))
    assert len(coterie.ask("trace", "info", coterie.program.BUILD_TREE.parents[2] / "traces" / "bundled" /
                           "princeton-synthetic.durations")) > 5


def test_plot_mean_averages_over_the_other_axes(small):
    with coterie.open_results(small) as results:
        axes = plot_mean(results, "workers", ["brute", "greedy"])
        line = axes.get_lines()[0]
        expected = [100 * coterie.select(results, workers=p)["mean"].sel(strategy="brute").values.mean() for p in (2, 5)]

        assert axes.get_ylabel() == "work completed / that of omniscient, %"
        assert line.get_xdata().tolist() == [2, 5]
        assert line.get_ydata().tolist() == pytest.approx(expected)
        exact = plot_mean(results, "startup", ["greedy"], variable="expected_work", scale=1).get_lines()[0]
        assert exact.get_ydata()[0] > exact.get_ydata()[1]
        with pytest.raises(coterie.ResultError, match="no numeric axis 'risk'"):
            plot_mean(results, "risk")
        with pytest.raises(coterie.ResultError, match="no strategy 'greddy'"):
            plot_mean(results, "work", ["greddy"])


def test_what_it_complains_of_beside_a_bar_has_no_colours(folder):
    (folder / "taken.h5").write_text("no result")
    with pytest.raises(coterie.ProgramError) as caught:
        coterie.run("long.toml", "taken.h5", instances=3, progress=True)
    assert "taken.h5" in str(caught.value) and "\x1b" not in str(caught.value)


def test_a_key_is_named_in_a_folder_with_a_blank(folder, monkeypatch):
    (folder / "my own").mkdir()
    monkeypatch.chdir(folder / "my own")
    with pytest.raises(coterie.ProgramError, match="^grid.workers: ") as caught:
        coterie.Campaign(strategies=["greedy"], grid={"workers": 0, "work": 1, "chunks": 2, "startup": 0, "risk": "linear"},
                         instances=10).run(quiet=True)
    assert caught.value.key == "grid.workers"
