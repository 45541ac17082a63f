"""Manual pages: one for the program and one a verb, with every option that --help tells, and no complaint of groff."""

import os
import re
import shutil
import subprocess

import pytest


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("manual")
    subprocess.run([os.environ["COTERIE"], "manual", "--output", folder], check=True)
    return folder


def plain(page):
    """A page without the language of man."""
    return re.sub(r"\\f[BIR]|\\&", "", page.read_text()).replace("\\-", "-").replace("\\e", "\\")


def test_a_page_for_the_program_and_each_verb(coterie, pages):
    help_text = re.sub(r"\n {14}", " ", coterie("--help").stdout)
    verbs = re.findall(r"^  (\w+) {2,}(.*)", help_text, flags=re.MULTILINE)
    assert {path.name for path in pages.iterdir()} == {"coterie.1", *(f"coterie-{verb}.1" for verb, _ in verbs)}
    whole = plain(pages / "coterie.1")
    for verb, summary in verbs:
        assert f"coterie-{verb}(1)\n{summary}\n" in whole
        page = plain(pages / f"coterie-{verb}.1")
        assert page.startswith(f".TH COTERIE-{verb.upper()} 1")
        assert f".SH NAME\ncoterie-{verb} - {summary}\n" in page
        for action in [["info"], ["convert"], ["fit"]] if verb == "trace" else [[]]:
            told = coterie(verb, *action, "--help").stdout
            for option in re.findall(r"^  (--[\w-]+)", told, flags=re.MULTILINE):
                assert re.search(rf"^\.TP\n{option}( VALUE)?\n", page, flags=re.MULTILINE), (verb, option)


def test_the_verb_prints_what_it_writes(coterie, pages):
    assert coterie("manual").stdout == (pages / "coterie.1").read_text()
    assert coterie("manual", "run").stdout == (pages / "coterie-run.1").read_text()


def test_groff_has_nothing_to_complain_of(pages):
    if not shutil.which("groff"):
        pytest.skip("no groff here: install groff-base to check the manual pages")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-c", *sorted(pages.iterdir())], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""
    assert "coterie-run - runs a campaign and writes a result file" in done.stdout
    assert "\\" not in done.stdout  # nothing of the language of man is left


def test_messages(coterie, tmp_path):
    result = coterie("manual", "runn", check=False)
    assert result.returncode == 2 and 'unknown verb "runn" (did you mean "run"?)' in result.stderr
    result = coterie("manual", "run", "--output", tmp_path, check=False)
    assert result.returncode == 2 and result.stderr == '--output writes all pages; leave out "run"\n'
