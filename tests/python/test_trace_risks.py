"""The figure of the risks of any traces."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest


@pytest.fixture(scope="module")
def script(root):
    spec = importlib.util.spec_from_file_location("trace_risks", root / "scripts" / "figures" / "trace_risks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(root, *arguments, **variables):
    return subprocess.run([sys.executable, root / "scripts" / "figures" / "trace_risks.py", *map(str, arguments)],
                          capture_output=True, text=True, timeout=300, env={**os.environ, **variables})


def test_kaplan_meier_is_that_of_the_textbook(script):
    # Freireich et al. 1963, the 21 leukaemia patients of the treated group: S(6) = 0.857, ..., S(23) = 0.448.
    times = np.array([6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35], dtype=float)
    observed = np.array([1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], dtype=bool)
    jumps, risk = script.kaplan_meier(times, observed)
    assert jumps.tolist() == [6, 7, 10, 13, 16, 22, 23]
    assert (1 - risk).round(3).tolist() == [0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448]


def test_without_censoring_it_is_the_share_of_the_shorter(script):
    times = np.array([3, 1, 2, 2, 5], dtype=float)
    for one, other in zip(script.empirical(times), script.kaplan_meier(times, np.ones(5, dtype=bool))):
        np.testing.assert_allclose(one, other, rtol=1e-15)


def test_the_laws_are_those_of_the_program(script, program):
    """P(T < t) from the exact expected work of one chunk on one worker, which is 1 - Pr(1)."""
    laws = {"exponential(rate=0.7)": {"rate": 0.7}, "weibull(shape=0.6, scale=2)": {"shape": 0.6, "scale": 2},
            "lognormal(median=3, sigma=1.5)": {"median": 3, "sigma": 1.5},
            "hyperexponential(p=0.3, rate1=4, rate2=0.2)": {"p": 0.3, "rate1": 4, "rate2": 0.2}}
    for text, parameters in laws.items():
        answer = script.ask("schedule", "--strategy", "no-replication", "--workers", 1, "--work", 1, "--chunks", 1,
                            "--risk", text, "--format", "json")
        risk = script.LAWS[text.split("(")[0]](np.array([1.0]), **parameters)[0]
        assert abs(answer["expected_work"] - (1 - risk)) < 1e-12


def test_any_traces_make_one_figure_the_same_each_time(root, tmp_path):
    (tmp_path / "a.durations").write_text("duration,observed\n" + "".join(f"{i * i},{i % 3 and 1}\n" for i in range(1, 60)))
    (tmp_path / "b.csv").write_text("host,start,end\n" + "".join(f"h{i},{i},{i + 5 + i % 7}\n" for i in range(40)))
    (tmp_path / "c.durations").write_text("duration,observed\n5,0\n7,0\n")  # nothing to fit
    for folder in ("once", "twice"):
        done = run(root, *(tmp_path / name for name in ("a.durations", "b.csv", "c.durations")), "--output",
                   tmp_path / folder)
        assert done.returncode == 0, done.stderr
    text = (tmp_path / "once" / "trace-risks.svg").read_text()
    for words in ("Kaplan-Meier", "Weibull, fitted", "share of spells below t"):
        assert words in text
    for words in ("a.durations: 59 spells, 32.2 % censored", "b.csv: 40 spells, 0 % censored"):
        assert words in (tmp_path / "once" / "trace-risks.txt").read_text()
    for suffix in ("png", "svg"):
        once, twice = ((tmp_path / folder / f"trace-risks.{suffix}").read_bytes() for folder in ("once", "twice"))
        assert once == twice


def test_what_is_wrong_with_a_trace_is_said(root, tmp_path):
    (tmp_path / "bad.durations").write_text("5\nx\n")
    done = run(root, tmp_path / "bad.durations", "--output", tmp_path)
    assert done.returncode == 1 and "bad.durations:2: E_NUMBER" in done.stderr
    done = run(root, tmp_path / "bad.durations", "--output", tmp_path, COTERIE=str(tmp_path / "none"))
    assert done.returncode == 1 and "none, which is not an executable program" in done.stderr
