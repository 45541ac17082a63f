"""What scripts/reproduce says of the papers' claims; here of few instances, in the long tests of whole campaigns."""

import doctest
import importlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from coterie import open_results

FULL = os.environ.get("COTERIE_FULL") == "1"
PAPERS = ("worksharing-2013", "heterogeneous-2011", "return-messages-2005", "now-2001", "time-varying-2019")


@pytest.fixture(scope="module", autouse=True)
def paths(root):
    added = [str(root / "scripts" / folder) for folder in ("claims", "figures")]
    sys.path[:0] = added
    yield
    for one in added:
        sys.path.remove(one)


def paper(name):
    return importlib.import_module(name)


def checked(claims, cut=()):
    """By place and claim; nothing is left open but for campaigns that were `cut`, and no number is missing."""
    verdicts = paper("verdicts")
    assert {claim.claim for claim in claims if not claim.is_understood} <= set(cut)
    text = verdicts.table("a paper", claims)
    assert not re.search(r"\bnan\b", text) and max(map(len, text.splitlines())) <= 120
    return {(claim.place, claim.claim): claim for claim in claims}


def test_tables_are_as_documented():
    for name in ("verdicts", "worksharing_2013"):
        assert doctest.testmod(paper(name)).failed == 0


def test_what_differs_for_no_known_reason_is_told():
    verdicts = paper("verdicts")
    claim = verdicts.Claim("Fig. 1", "more is better", "always", "never", False)
    assert not claim.is_understood and "why: no reason is known" in verdicts.table("p", [claim])
    assert verdicts.Claim("Fig. 1", "more is better", "always", "always", True, differs="not now").why == ""


def test_claims_of_worksharing_2013(campaign_results, tmp_path, monkeypatch):
    module = paper("worksharing_2013")
    for path in campaign_results.glob("*.h5"):
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "e6-auto-paper.h5").symlink_to(campaign_results / "e6-replication.h5")
    monkeypatch.setattr(module, "charts", list)
    found = checked(module.claims(tmp_path), cut=("brute with the number of workers", "cyclic-replication's performance"))
    assert len(found) > 60 and {place.split(", ")[-1] for place, _ in found} >= {"E1", "E2", "E3", "E4", "E5", "E6", "Table 5", "Fig. 8"}
    for experiment in ("6.2 A, E1", "6.2 B, E2", "6.2 C, E3", "6.2 D, E4", "6.2 E, E5", "6.2 F, E6"):  # exact: no luck needed
        assert found[experiment, "cyclic-replication has at least the work of no-replication"].verdict == "same"
        assert found[experiment, "greedy has at least the work of brute"].verdict == "same"
    assert found["6.2 C, E3", "greedy has at least the work of random-replication"].verdict == "differs"  # n = 1


def test_claims_of_charts(program):
    module = paper("worksharing_2013")
    found = {(claim.place, claim.claim): claim.verdict for claim in (module.charts() if FULL else module.proposition_2())}
    assert [found["Prop. 2", f"bounds on K of {name}"] for name in ("cyclic", "reverse", "mirror", "snake", "fat-snake")] == ["same"] * 5
    costs = module.log_of_costs(4, 20)
    for name, cost in (("cyclic", 34104), ("reverse", 24396), ("mirror", 27284), ("snake", 25784), ("fat-snake", 24276)):
        assert np.exp(costs[name]) == pytest.approx(cost, rel=1e-12)  # Table 3
    if FULL:
        assert found["Table 4", "K of all heuristics over g and n"] == "same"


def with_wide(star_results, folder):
    for number in (7, 8, 9):
        for name in ("", "-wide"):
            (folder / f"return-messages-fig0{number}{name}.h5").symlink_to(star_results / f"return-messages-fig0{number}.h5")


def test_claims_of_return_messages_2005(star_results, tmp_path):
    with_wide(star_results, tmp_path)
    found = checked(paper("return_messages_2005").claims(tmp_path))
    assert len(found) == 24
    for figure in ("Fig. 7", "Fig. 9"):
        assert found[figure, "FIFO-INC-C processes more than OPT-FIFO"].verdict == "same"  # Theorem 2: no luck needed
    assert found["Fig. 9", "FIFO-INC-C and FIFO-INC-W"].verdict == "same"
    assert found["Fig. 4(d)", "throughput, LIFO"].here == "271/4060"


def test_claims_that_do_not_hold_are_found_out(star_results):
    """The results of z = 0.8 in place of those of z = 1: there the order has importance."""
    with open_results(star_results / "return-messages-fig07.h5") as results:
        found = {claim.claim: claim.verdict for claim in paper("return_messages_2005").figure_9(results, results)}
    assert found["FIFO-INC-C and FIFO-INC-W"] == found["FIFO-INC-C below w/c = 10"] == "differs"


def test_claims_are_of_the_instances_that_were_run(root, program, tmp_path):
    """With precision, configurations differ in how many that are."""
    program("run", root / "scripts" / "campaigns" / "return-messages-fig09.toml", "--output", tmp_path / "r.h5",
            "--set", "wc_ratio=[0.1, 1, 40, 100]", "--precision", 0.0002, "--quiet")
    with open_results(tmp_path / "r.h5") as results:
        assert np.isnan(results["ratio"].values).any()
        found = {claim.claim: claim for claim in paper("return_messages_2005").figure_9(results, results)}
    assert found["FIFO-INC-C and FIFO-INC-W"].verdict == "same" and not any("nan" in claim.here for claim in found.values())


def test_claims_of_heterogeneous_2011(root, program, tmp_path, monkeypatch):
    module = paper("heterogeneous_2011")
    monkeypatch.setattr(module, "PLATFORMS", 20 if FULL else 2)
    monkeypatch.setattr(module, "WORKERS", 4 if FULL else 3)
    program("run", root / "scripts/campaigns/heterogeneous-theorem-4.toml", "--output", tmp_path / "heterogeneous-theorem-4.h5",
            "--instances", 2, "--quiet")
    found = checked(module.claims(tmp_path))
    assert {key[0] for key, claim in found.items() if claim.verdict == "differs"} == {"Theorem 4"}
    assert found["Theorem 4", "the recurrence is optimal, p = 2"].verdict == "same"


def test_claims_of_now_2001(root, program, tmp_path, monkeypatch):
    module = paper("now_2001")
    monkeypatch.setattr(module, "WORKERS", [8, 32] if FULL else [8])
    monkeypatch.setattr(module, "NETWORKS", 200 if FULL else 30)
    program("run", root / "scripts/campaigns/now-orders.toml", "--set", "lifespan=3.2e8", "--output", tmp_path / "now-orders.h5",
            "--instances", 2, "--quiet")
    found = checked(module.claims(tmp_path))
    assert found["theorem", "FIFO outperforms LIFO in a long lifespan (ten years)"].verdict == "same"
    assert found["crossover", "pipelined, (1+2^(i-n))/2, grain 10 s, n = 8"].here == "1.808 years"


def test_claims_of_time_varying_2019(background_results, monkeypatch):
    module = paper("time_varying_2019")
    monkeypatch.setattr(module, "TRIALS", 50)
    monkeypatch.setattr(module, "DRAWS", 40)
    found = checked([claim if claim.explained else module.Claim(claim.place, claim.claim, claim.printed, claim.here, True)
                     for claim in module.claims(background_results)])  # few instances: chance may hide what increases
    assert found["Table II", "T_f and shares without background jobs"].here.startswith("1.4070 0.3517")
    assert "give all its shares" in found["Table III", "T_f and shares without background jobs"].why


@pytest.mark.parametrize("name", PAPERS if FULL else ["return-messages-2005"])
def test_the_program_runs_draws_and_prints(root, tmp_path, name):
    few = [] if FULL else ["--instances", "5"]
    done = subprocess.run([root / "scripts/reproduce", name, "--output", tmp_path, *few], capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (tmp_path / f"{name}.txt").read_text() and done.stdout.startswith(f"{name}: ")
    for _, figure, *_ in paper(name.replace("-", "_")).FIGURES:
        assert (tmp_path / f"{figure}.png").exists() and f"figure {figure}" in done.stderr


def test_an_unknown_paper_is_refused(root, tmp_path):
    done = subprocess.run([root / "scripts/reproduce", "worksharing", "--output", tmp_path], capture_output=True, text=True)
    assert done.returncode == 2 and "known are worksharing-2013" in done.stderr


def test_the_gallery_shows_every_figure_whose_results_are_there(root, campaign_results, tmp_path):
    (tmp_path / "e6-replication.h5").symlink_to(campaign_results / "e6-replication.h5")
    done = subprocess.run([root / "scripts/gallery", tmp_path], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'gallery.html'}\n"), done.stderr
    page = (tmp_path / "gallery.html").read_text()
    commands = set(re.findall(r"^\| .* \| `(scripts/figures/.*)` \| `.*` \|$", (root / "scripts/README.md").read_text(), flags=re.MULTILINE))
    assert set(re.findall(r"<pre>(.*)</pre>", page)) == commands and len(commands) > 15
    assert re.search(r"figure_6.py out/e6-replication.h5</pre>\n<p>\d+ s, 7\.2 × \d\.\d in, \d+ kB</p>\n<img src=\"figure-6.png\" alt=\"worksharing-2013, Fig. 6",
                     page)
    assert all((tmp_path / name).exists() for name in re.findall(r'src="(.*?)"', page))
    assert page.count("Not drawn: its results are missing.") == len(commands) - page.count("<img")
    assert subprocess.run([root / "scripts/gallery", tmp_path / "none"], capture_output=True).returncode == 2
