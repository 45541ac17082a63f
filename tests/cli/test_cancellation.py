"""Whoever asks the program to stop is obeyed within a second wherever it is, and no small input makes it take more
memory than it says. With COTERIE_FULL=1: many slow inputs of all verbs and models, stopped at random times."""
import os
import random
import signal
import subprocess
import time

import pytest

from result_testing import datasets

FULL = os.environ.get("COTERIE_FULL") == "1"
SECONDS = 1.0  # to be gone in; of the clock, or, on a machine that others use too, of processor time of each thread
THREADS = 2
GIBIBYTES = 4 + 2 * THREADS  # scripts/campaigns/README.md


def worksharing(strategies, grid, instances=1_000_000, head=""):
    names = ", ".join(f'"{name}"' for name in strategies.split())
    return f"seed = 1\ninstances = {instances}\n{head}\nstrategies = [{names}]\n[grid]\n{grid}\n"


def model(name, strategies, grid, instances=100_000):
    return worksharing(strategies, grid, instances, f'model = "{name}"')


WEIBULL = 'risk = "weibull(shape=0.7, scale=1)"'
EXPONENTIAL = 'risk = "exponential(rate=1)"'
CAMPAIGNS = {
    "refined charts of 100000 chunks": worksharing(
        "refined", 'workers = 10\nwork = 3\nchunks = 100000\nstartup = 1e-7'),
    "best of 100000 chunks": worksharing("best", 'workers = 10\nwork = 3\nchunks = 100000\nstartup = 1e-7'),
    "best chunks of 1000 workers": worksharing(
        "best", f'workers = 1000\nwork = "0.7 workers"\nchunks = "auto"\nstartup = 1e-6\n{WEIBULL}'),
    "greedy chunks of a million workers": worksharing(
        "greedy", f'workers = 1000000\nwork = "0.7 workers"\nchunks = "auto"\nstartup = 1e-3\n{EXPONENTIAL}'),
    "schedules of 9e7 tasks": worksharing(
        "greedy brute", f"workers = 900\nwork = 1\nchunks = 100000\nstartup = 1e-6\n{EXPONENTIAL}"),
    "cyclic and random schedules": worksharing(
        "cyclic-replication random-replication no-replication",
        f'workers = 2000\nwork = "0.7 workers"\nchunks = "auto"\nstartup = 1e-6\n{WEIBULL}'),
    "two workers": worksharing("two-workers", f"workers = 2\nwork = 1\nchunks = 100000\nstartup = 0\n{WEIBULL}"),
    "optimal charts": worksharing("optimal", f"workers = 6\nwork = 1\nchunks = 60\nstartup = 0.001\n{WEIBULL}"),
    "chunks of one worker": worksharing(
        "single-optimal", f"workers = 10\nwork = 30\nchunks = 2500\nstartup = 1e-5\n{WEIBULL}"),
    "many background jobs": worksharing(
        "greedy", f'workers = 1000\nwork = "0.7 workers"\nchunks = 20\nstartup = 1e-3\n{EXPONENTIAL}\n'
        'background = "mm1(arrival=1e6, service=1e6)"'),
    "background jobs on wall-clock time": worksharing(
        "greedy", f'workers = 100\nwork = "0.7 workers"\nchunks = 20\nstartup = 1e-3\n{EXPONENTIAL}\n'
        'background = "mm1(arrival=1e3, service=1e3, startup=wall)"'),
    "a plan by background jobs": worksharing(
        "greedy", f'workers = 100\nwork = "0.7 workers"\nchunks = 20\nstartup = 1e-3\n{EXPONENTIAL}\n'
        'background = "mm1(arrival=1e6, service=1e6)"\nplanned_risk = "capacity"'),
    "controls of many workers": worksharing(
        "no-replication", f'workers = 100000\nwork = "0.7 workers"\nchunks = "auto"\nstartup = 1e-1\n{WEIBULL}',
        head='variance_reduction = "control"'),
    "a large grid": worksharing(
        "greedy", 'workers = "1..1000"\nwork = "1..100"\nchunks = [1, 2, 3, 4, 5]\nstartup = 1e-3', instances=100),
    "replicated work of 100 workers": model(
        "heterogeneous", "replicated", 'workers = 100\nwork = 30\npieces = "auto"'),
    "shares of 100000 workers": model("heterogeneous", "optimal equal-finish", "workers = 100000\nwork = 30"),
    "stars of 100000 workers": model("return-messages", "opt-lifo fifo-inc-c", "workers = 100000"),
    "stars of 7 workers": model("return-messages", "best-pair", "workers = 7"),
    "plans of 1e8 trials": model("background", "simulation-based", "processors = 8\nw = 1\ntrials = 100000000"),
    "iterative plans of 1e8 trials": model("background", "iterative", "processors = 8\nw = 1\ntrials = 100000000"),
    "trees of 100000 processors": model("background", "no-background", "processors = 100000\nw = 1"),
    "random orders of workstations": model("now", "random-orders", "workers = 300\nlifespan = 1e6"),
}
WORST = ["refined charts of 100000 chunks", "many background jobs", "replicated work of 100 workers",
         "stars of 100000 workers", "plans of 1e8 trials"]


class Watched:
    """A call of the program: when it is stopped, how long it still works, what memory it took."""

    def __init__(self, folder, *arguments):
        self.folder, self.arguments = folder, arguments
        self.errors = folder / "errors.txt"
        with open(self.errors, "w") as file:
            self.process = subprocess.Popen([os.environ["COTERIE"], *map(str, arguments)], stderr=file,
                                            stdout=subprocess.DEVNULL, cwd=folder, preexec_fn=self.hears_of_signals)
        self.begin = time.monotonic()

    @staticmethod
    def hears_of_signals():
        """A test that runs in the background of a shell ignores Ctrl-C, and so would all that it starts."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def still_there(self, seconds):
        """Whether it is, so long after its beginning."""
        while time.monotonic() - self.begin < seconds:
            if self.ended(os.WNOHANG):
                return False
            time.sleep(0.01)
        return True

    def ended(self, options=0):
        pid, status, usage = os.wait4(self.process.pid, options)
        if pid:
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.gibibytes = usage.ru_maxrss / 2**20
            self.seconds = usage.ru_utime + usage.ru_stime
        return pid != 0

    def stop(self, number=signal.SIGINT):
        """Returns after how many seconds it is gone."""
        worked, begin = self.processor_seconds(), time.monotonic()
        self.process.send_signal(number)
        while not self.ended(os.WNOHANG):
            if time.monotonic() - begin > 60:
                self.process.kill()
                self.ended()
                return 60.0
            time.sleep(0.005)
        return min(time.monotonic() - begin, (self.seconds - worked) / THREADS)

    def message(self):
        return self.errors.read_text()


def begin_run(folder, name, *more):
    (folder / "c.toml").write_text(CAMPAIGNS[name])
    return Watched(folder, "run", "c.toml", "--output", "out.h5", "--threads", THREADS, *more)


def assert_stopped(run, seconds, why):
    assert run.process.returncode == 3, run.message()
    assert seconds <= SECONDS
    assert run.gibibytes <= GIBIBYTES
    begins_again = "--force" in run.arguments and not (run.folder / "out.h5.parts").exists()
    assert f"stopped by {why}" in run.message() and ("--force" if begins_again else "--resume") in run.message()


@pytest.mark.parametrize("name", WORST)
def test_slow_planning_and_slow_blocks_are_interrupted(tmp_path, name):
    run = begin_run(tmp_path, name, "--quiet")
    assert run.still_there(0.5), run.message()
    assert_stopped(run, run.stop(), "SIGINT")


def test_a_time_limit_counts_from_the_beginning_planning_included(tmp_path):
    run = begin_run(tmp_path, "refined charts of 100000 chunks", "--time-limit", "0.3s")
    run.ended()
    assert_stopped(run, run.seconds / THREADS - 0.3, "the time limit")


def test_what_was_cancelled_while_it_was_planned_comes_out_the_same(coterie, tmp_path):
    """Each configuration takes some tenths of a second to plan."""
    (tmp_path / "c.toml").write_text(worksharing(
        "refined", 'workers = [8, 9, 10]\nwork = 3\nchunks = [2000, 2500]\nstartup = 1e-5', instances=300))
    coterie("run", "c.toml", "--output", "whole.h5", "--quiet", cwd=tmp_path)
    stops = 0
    for limit in range(40):
        run = coterie("run", "c.toml", "--output", "out.h5", "--resume", "--quiet", "--save-every", "0.01s",
                      "--time-limit", f"{0.1 * 1.5 ** limit}s", check=False, cwd=tmp_path)
        if run.returncode == 0:
            break
        assert run.returncode == 3, run.stderr
        stops += 1
    assert stops > 0 and datasets(tmp_path / "out.h5") == datasets(tmp_path / "whole.h5")


@pytest.mark.skipif(not FULL, reason="long")
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_slow_campaign_is_stopped_at_any_time(tmp_path, name):
    chance = random.Random(name)
    stopped = 0
    for _ in range(4):
        moment = 10 ** chance.uniform(-0.5, 0.8)
        limited = chance.random() < 0.3
        run = begin_run(tmp_path, name, "--force", *(["--time-limit", f"{moment}s"] if limited else []))
        if limited:
            run.ended()
            if run.process.returncode != 0:
                assert_stopped(run, run.seconds / THREADS - moment, "the time limit")
        elif run.still_there(moment):
            seconds = run.stop(chance.choice([signal.SIGINT, signal.SIGTERM]))
            if run.process.returncode != 0:
                assert_stopped(run, seconds, "SIG")
        stopped += run.process.returncode == 3
        assert run.process.returncode in (0, 3), run.message()
        assert run.gibibytes <= GIBIBYTES
    assert stopped > 0, "it is too quick to test anything"


OTHERS = {
    "validate": ["validate", "c.toml"],
    "schedule": ["schedule", "--strategy", "best", "--workers", 10, "--work", 3, "--chunks", 100000, "--startup", 1e-7],
    "schedule as JSON": ["schedule", "--strategy", "no-replication", "--workers", 10, "--work", 1, "--chunks", 10**7,
                         "--startup", 1e-9, "--format", "json"],
    "plan": ["plan", "--risk", "exponential(rate=1)", "--risk-unit", "8h", "--workers", 10, "--work", "40h",
             "--checkpoint", "0.001s"],
    "solve": ["solve", "p.toml"],
}


@pytest.mark.skipif(not FULL, reason="long")
@pytest.mark.parametrize("verb", OTHERS)
def test_other_verbs_die_of_the_signal(tmp_path, verb):
    """They have nothing to save, so nothing of them catches it."""
    (tmp_path / "c.toml").write_text(CAMPAIGNS["a large grid" if verb == "validate" else "best of 100000 chunks"])
    (tmp_path / "p.toml").write_text(f'problem = "two-workers"\nwork = 1\nchunks = 100000\n{WEIBULL}\n')
    call = Watched(tmp_path, *OTHERS[verb])
    assert call.still_there(1), call.message()
    seconds = call.stop()
    assert call.process.returncode == -signal.SIGINT and seconds <= SECONDS
    assert call.gibibytes <= GIBIBYTES
