"""What a newcomer gets wrong: each message says where, what, and what would be right."""
import pytest

CAMPAIGN = """title = "mine"
seed = 1
instances = 10
strategies = ["greedy", "brute"]
[grid]
workers = [3, 5]
work = "0.5 workers"
startup = 0.01
risk = ["linear", "trace(file=lab.txt)"]
"""
KNOWN_RISKS = '"linear", "exponential", "weibull", "lognormal", "hyperexponential", "trace", "cdf" or "mix"'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lab.txt").write_text("100\n200\n300\n")
    return tmp_path


@pytest.mark.parametrize("wrong, right, code, message", [
    ("workers =", "workrs =", 2, 'c.toml:6:1: unknown key "workrs" in [grid] (did you mean "workers"?)'),
    ("strategies = [", "strategy = [", 2, 'c.toml:4:1: "strategies" is missing; is "strategy" meant to be it?'),
    ("[3, 5]", '"3,5"', 2, 'c.toml:6:1: "workers" "3,5" is not a number, a range "A..B" or a multiple such as '
     '"0.3 workers"; lists are written as [5, 10]'),
    ("[grid]", "[gird]", 2, 'c.toml:5:2: unknown key "gird" (did you mean "grid"?)'),
    ("instances = 10", 'instances = "10"', 2, 'c.toml:3:1: "instances" must be a whole number, not the text "10"'),
    ("[3, 5]", "[3, -5]", 2, "c.toml:6:15: workers must be a whole number from 1 to 1000000, not -5"),
    ('"0.5 workers"', '"0.5 machines"', 2, 'c.toml:7:1: "work" names "machines", which is not an earlier axis of numbers'),
    ('"0.5 workers"', '"1e-310 workers"', 2, "work must be at least 1e-300; take a smaller unit, not"),
    ("startup = 0.01", "startup = 1e301", 2, "c.toml:8:1: startup must be at most 1e+300; take a larger unit, not"),
    ('"greedy"', '"gredy"', 2, '"gredy" (did you mean "greedy"?)'),
    ('"linear"', '"linaer"', 2, f'c.toml:9:9: unknown risk "linaer" (did you mean "linear"?); known are {KNOWN_RISKS}'),
    ('"linear"', '"weibull(shap=1)"', 2, 'c.toml:9:9: weibull: unknown argument "shap" (did you mean "shape"?)'),
    ("lab.txt", "lob.txt", 1, "c.toml:9:19: trace: lob.txt: cannot be opened: No such file or directory"),
    ("lab.txt", "c.toml", 2, "c.toml:9:19: trace: c.toml: the format cannot be recognised from the content (its first line is"),
])
def test_in_a_campaign(coterie, folder, wrong, right, code, message):
    text = CAMPAIGN.replace(wrong, right)
    assert text != CAMPAIGN
    (folder / "c.toml").write_text(text)
    done = coterie("validate", "c.toml", check=False, cwd=folder)
    assert done.returncode == code and message in done.stderr, done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("words, code, message", [
    (["plan"], 2, "give either --trace FILE or --risk R"),
    (["plan", "--trace", "lab.txt", "--workers", 3, "--work", 40, "--checkpoint", "5min"], 2,
     "--work must be a time with its unit d, h, min, s, ms or us, such as 40h, 1h30m or \"1.5 min\", not \"40\""),
    (["plan", "--trace", "gone.txt", "--workers", 3, "--work", "4h", "--checkpoint", "5min"], 1,
     "gone.txt: cannot be opened: No such file or directory"),
    (["plan", "--trace", "lab.txt", "--workers", 3, "--work", "4h", "--checkpoint", "5min", "--export", "no/such.csv"], 1,
     "no/such.csv: cannot be created: No such file or directory"),
    (["schedule", "--strategy", "greedy"], 2, "--workers, --work are missing"),
    (["list"], 2, "what to list (models|strategies|"),
    (["solve", "c.toml"], 2, '"problem" is missing: write problem = "now", '),
    (["solve", "c.toml"], 2, "(a campaign is run by coterie run)"),
    (["run", "c.toml", "--set", "workers=5,10"], 2, "; lists are written as [5, 10]"),
    (["run", "c.toml", "--output", "mine.csv"], 2, "--output mine.csv: a result is an HDF5 file (coterie show prints it "
     "as a table, csv or json); end its name in .h5"),
    (["merge", "a.h5", "--output", "mine.csv"], 2, "--output mine.csv: a result is an HDF5 file"),
    (["report", "a.h5", "--output", "mine.pdf"], 2,
     "--output mine.pdf: a report is an HTML page (a browser prints it to PDF); end its name in .html"),
    (["run", "gone.toml"], 1, "gone.toml: cannot be opened: No such file or directory"),
    (["trace", "info", "gone.txt"], 1, "gone.txt: cannot be opened: No such file or directory"),
    (["trace", "info", "."], 1, ".: is a directory"),
])
def test_on_the_command_line(coterie, folder, words, code, message):
    (folder / "c.toml").write_text(CAMPAIGN)
    done = coterie(*words, check=False, cwd=folder)
    assert done.returncode == code and message in done.stderr, done.stderr
    assert done.stdout == ""
