"""Files and words that nobody means well with: each is refused with a message, and nothing is lost or steered."""
import json
import os
import re
import socket
import stat
import subprocess
import time

import pytest

CAMPAIGN = """title = "{title}"
seed = 1
instances = 10
strategies = ["greedy", "brute"]
[grid]
workers = [2, 3]
work = 1
chunks = 4
startup = 0.01
risk = ["linear", "trace(file=lab.txt)"]
"""
ESCAPES = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202eevil\u2066"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\u009b31m\u202eevil\u2066"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def folder(coterie, tmp_path):
    """A campaign, its trace, its result, and the result of it in two shards."""
    (tmp_path / "lab.txt").write_text("100\n200\n300\n")
    (tmp_path / "c.toml").write_text(CAMPAIGN.format(title="mine"))
    coterie("run", "c.toml", "--output", "r.h5", "--quiet", cwd=tmp_path)
    return tmp_path


@pytest.fixture
def refused(coterie, folder):
    """What is refused changes no file."""
    def run(*words, message, code=(1, 2), **options):
        before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        done = coterie(*words, check=False, cwd=folder, **{"stdin": subprocess.DEVNULL, **options})
        assert done.returncode in code and message in done.stderr, done
        assert before == {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        return done

    return run


READERS = {
    "validate": ["validate", "x"], "run": ["run", "x", "--output", "o.h5"], "solve": ["solve", "x"],
    "estimate": ["solve", "--estimate", "x"], "show": ["show", "x"], "status": ["status", "x"], "report": ["report", "x"],
    "replay": ["replay", "x", "--configuration", 0, "--instance", 0], "merge": ["merge", "x", "--output", "o.h5"],
    "info": ["trace", "info", "x"], "convert": ["trace", "convert", "x", "--to", "json"], "fit": ["trace", "fit", "x"],
    "info of a format": ["trace", "info", "x", "--trace-format", "durations"],
    "plan": ["plan", "--trace", "x", "--workers", 2, "--work", "1h", "--checkpoint", "1s"],
    "schedule": ["schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--chunks", 4, "--risk", "trace(file=x)"],
}


# ---- what a file is ----

@pytest.mark.parametrize("kind", ["pipe", "zeros", "folder", "socket"])
def test_what_is_no_file_is_refused_by_every_verb(refused, folder, kind):
    path = folder / "x"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "zeros":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        server = socket.socket(socket.AF_UNIX)
        server.bind(os.path.relpath(path))  # a socket's name is short
    message = {"pipe": "is a pipe", "zeros": "", "folder": "is a directory", "socket": "is a socket"}[kind]
    for verb, words in READERS.items():
        if kind == "pipe" and verb in ("estimate", "convert", "fit", "info of a format"):
            continue  # read as others are, and each waits a second for somebody who writes
        assert "x: " in refused(*words, message=message, code=[1]).stderr


def test_what_flows_through_a_pipe_is_read(coterie, folder):
    text = CAMPAIGN.format(title="mine").replace(', "trace(file=lab.txt)"', "")
    assert "seed" in coterie("validate", "/dev/stdin", input=text, cwd=folder).stdout
    coterie("run", "/dev/stdin", "--output", "s.h5", "--quiet", input=text, cwd=folder)
    for words in (["--trace-format", "durations"], []):
        assert coterie("trace", "convert", "/dev/stdin", "--to", "durations", *words, input="3\n1\n").stdout == "3\n1\n"
    with subprocess.Popen(["/bin/bash", "-c", '"$COTERIE" validate <(cat c.toml)'], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shell:
        assert shell.communicate()[0] == "" and shell.returncode == 1  # lab.txt is not beside /dev/fd
    os.mkfifo(folder / "late")
    with subprocess.Popen(["/bin/sh", "-c", "sleep 0.3; echo 3 > late"], cwd=folder):
        assert coterie("trace", "convert", "late", "--to", "durations", cwd=folder).stdout == "3\n"


def test_a_pipe_cannot_be_a_risk(refused):
    refused("plan", "--risk", "trace(file=/dev/stdin)", "--workers", 2, "--work", "1h", "--checkpoint", "1s", stdin=None, input="3\n1\n",
            message="save it to a file first")


def test_nothing_is_written_to_what_is_no_file(refused, folder):
    for end, words in ((".csv", ["plan", "--trace", "lab.txt", "--workers", 2, "--work", "1h", "--checkpoint", "1s", "--export"]),
                       (".html", ["report", "r.h5", "--output"]), (".h5", ["run", "c.toml", "--force", "--output"])):
        os.mkfifo(folder / f"pipe{end}")
        (folder / f"null{end}").symlink_to("/dev/null")
        for target in (f"pipe{end}", f"null{end}"):
            refused(*words, target, message="is not a regular file", code=[2])
    refused("report", "r.h5", "--output", "/dev/null", message="end its name in .html", code=[2])
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


# ---- what is broken says so ----

def test_a_broken_result_is_called_a_broken_result(refused, folder):
    good = (folder / "r.h5").read_bytes()
    for content, message in ((b"12345678" + good[8:], "is damaged"), (good[:100], "cut off"), (good[:-3000], "cut off"),
                             (b"", "is empty"), (bytes(512) + good, "is damaged"), (bytes(900), "damaged at its beginning")):
        (folder / "x.h5").write_bytes(content)
        for words in (["validate", "x.h5"], ["run", "x.h5", "--output", "o.h5"], ["show", "x.h5"], ["status", "x.h5"]):
            assert "TOML" not in refused(*words, message=message, code=[1]).stderr
        refused("solve", "x.h5", message="is a coterie result, or the remains of one", code=[2])


def test_a_result_in_place_of_a_campaign_and_the_other_way_round(refused):
    refused("validate", "r.h5", message="is a result, not a campaign", code=[2])
    for verb in ("show", "status", "report"):
        refused(verb, "c.toml", message="run a campaign with coterie run", code=[1])


# ---- nothing that is read is replaced ----

@pytest.mark.parametrize("words", [
    ["run", "c.toml", "--output", "NAME.toml", "--force"],
    ["run", "c.toml", "--output", "NAME.toml", "--resume"],
    ["run", "c.toml", "--output", "NAME.txt", "--force"],
    ["run", "r.h5", "--output", "NAME.h5", "--force"],
    ["merge", "s1.h5", "s2.h5", "--output", "NAME1.h5", "--force"],
    ["report", "r.h5", "--output", "NAME.h5"],
    ["report", "r.h5", "--output", "NAME.txt"],
    ["plan", "--trace", "lab.csv", "--workers", 2, "--work", "1h", "--checkpoint", "1s", "--export", "NAME.csv"],
    ["plan", "--classes", "fleet.csv", "--work", "1h", "--checkpoint", "1s", "--export", "NAME2.csv"],
    ["plan", "--strategy", "file(path=lists.csv)", "--risk", "linear", "--risk-unit", "2h", "--machines", 2, "--work", "1h", "--checkpoint", "1s", "--export", "NAME3.csv"],
    ["trace", "plot", "event.tab", "--option", "node_tab=nodes.csv", "--format", "csv", "--output", "NAME4.csv"],
    ["plan", "--risk", "trace(file=lab.csv)", "--workers", 2, "--work", "1h", "--checkpoint", "1s", "--export", "NAME.csv"],
])
def test_no_input_is_replaced(refused, coterie, folder, words):
    (folder / "lab.csv").write_text("100\n200\n300\n")
    if words[0] == "merge":
        for shard in "12":
            coterie("run", "c.toml", "--output", f"s{shard}.h5", "--shard", f"{shard}/2", "--quiet", cwd=folder)
    (folder / "fleet.csv").write_text("machines,trace\n2,lab.csv\n")
    (folder / "lists.csv").write_text("worker,begin,end\n0,0,1800\n1,1800,3600\n")
    (folder / "event.tab").write_text("")
    (folder / "nodes.csv").write_text("1 5 n NULL G1/c1\n")
    names = {".toml": "c.toml", ".txt": "lab.txt", ".h5": "r.h5", ".csv": "lab.csv", "1.h5": "s1.h5", "2.csv": "fleet.csv",
             "3.csv": "lists.csv", "4.csv": "nodes.csv"}
    output = next(word for word in words if str(word).startswith("NAME"))
    own = names[output[4:]]
    wants = {"run": ".h5", "merge": ".h5", "report": ".html"}.get(words[0], ".csv")
    message = "would be lost" if own.endswith(wants) else f"end its name in {wants}"
    (folder / f"soft{wants}").symlink_to(own)
    (folder / f"hard{wants}").hardlink_to(folder / own)
    for name in (own, f"./{own}", folder / own):
        refused(*(name if word == output else word for word in words), message=message, code=[2])
    for name in (f"soft{wants}", f"hard{wants}"):
        refused(*(name if word == output else word for word in words), message="would be lost", code=[2])


def test_a_lock_takes_no_input_away(refused, folder):
    (folder / "o.h5.lock").write_text(CAMPAIGN.format(title="mine"))
    refused("run", "o.h5.lock", "--output", "o.h5", message="is in the way", code=[2])


@pytest.mark.parametrize("words", [["info"], ["info", "--format", "svg"], ["fit"], ["convert", "--to", "durations"],
                                   ["plot", "--format", "csv"]])
def test_no_trace_is_appended_to_itself(tmp_path, words):
    log = tmp_path / "log.csv"
    log.write_text("duration,observed\n" + "".join(f"{k},1\n" for k in range(1, 40)))
    before = log.read_bytes()
    with open(log, "ab") as out:
        done = subprocess.run([os.environ["COTERIE"], "trace", words[0], log, *words[1:]], stdout=out, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 2 and "is also the target of standard output" in done.stderr
    assert log.read_bytes() == before


# ---- links ----

def test_a_link_stays_a_link(coterie, folder):
    (folder / "runs").mkdir()
    (folder / "latest.h5").symlink_to("runs/7.h5")
    (folder / "runs" / "7.h5").write_bytes((folder / "r.h5").read_bytes())
    (folder / "page.html").symlink_to("runs/page.html")
    (folder / "runs" / "page.html").write_text("old")
    coterie("run", "c.toml", "--output", "latest.h5", "--resume", "--instances", 20, "--quiet", cwd=folder)
    coterie("report", "latest.h5", "--output", "page.html", cwd=folder)
    for name in ("latest.h5", "page.html"):
        assert (folder / name).is_symlink()
    status = [json.loads(coterie("status", name, "--format", "json", cwd=folder).stdout) for name in ("latest.h5", "runs/7.h5")]
    assert [one["instances"] for one in status] == [20, 20]
    assert (folder / "runs" / "page.html").read_text().startswith("<!")
    assert sorted(os.listdir(folder / "runs")) == ["7.h5", "page.html"]


def test_a_link_and_its_file_have_one_lock_and_the_same_parts(coterie, refused, folder):
    (folder / "runs").mkdir()
    (folder / "latest.h5").symlink_to("runs/7.h5")
    (folder / "runs" / "7.h5").write_bytes((folder / "r.h5").read_bytes())
    words = ["run", "c.toml", "--output", "latest.h5", "--resume", "--quiet"]
    for limit in (0.2, 1, 5, 25):  # on a busy machine the first may end before anything is done
        coterie(*words, "--instances", 10000000, "--time-limit", f"{limit}s", "--save-every", "0.05s", check=False,
                cwd=folder)
        if (folder / "runs" / "7.h5.parts").is_dir():
            break
    assert (folder / "runs" / "7.h5.parts").is_dir() and not (folder / "latest.h5.parts").exists()
    for name in ("latest.h5", "runs/7.h5"):
        status = coterie("status", name, "--format", "json", check=False, cwd=folder)
        assert status.returncode == 3 and json.loads(status.stdout)["parts"] > 0
    with subprocess.Popen([os.environ["COTERIE"], *words, "--instances", "100000000"], cwd=folder,
                          stderr=subprocess.DEVNULL) as first:
        deadline = time.monotonic() + 60
        while not (folder / "runs" / "7.h5.lock").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        second = coterie("run", "c.toml", "--output", "runs/7.h5", "--resume", "--instances", "100000000", "--quiet",
                         check=False, cwd=folder)
        first.terminate()
    assert second.returncode == 1 and "another run is writing it" in second.stderr


def test_files_beside_an_output_stay(coterie, folder):
    names = [f"o.{end}" for end in ("h5.partial", "h5.tmp", "h5.partial-backup", "html.tmp", "csv.tmp", "svg.tmp")]
    for name in names:
        (folder / name).write_text(name)
    for i in (1, 2):
        coterie("run", "c.toml", "--shard", f"{i}/2", "--output", f"s{i}.h5", "--quiet", cwd=folder)
    coterie("merge", "s1.h5", "s2.h5", "--output", "o.h5", cwd=folder)
    coterie("run", "c.toml", "--output", "o.h5", "--force", "--quiet", cwd=folder)
    coterie("report", "o.h5", "--output", "o.html", cwd=folder)
    for output in ("o.csv", "o.svg"):
        coterie("plan", "--trace", "lab.txt", "--workers", 2, "--work", "100s", "--checkpoint", "1s", "--export", output, cwd=folder)
    assert {name: (folder / name).read_text() for name in names} == {name: name for name in names}


@pytest.mark.parametrize("kind", ["text", "link", "dangling", "second-name", "pipe"])
def test_what_is_no_lock_stays(refused, folder, kind):
    (folder / "precious").write_text("precious")
    way = folder / "o.h5.lock"
    if kind == "pipe":
        os.mkfifo(way)
    elif kind == "text":
        way.write_text("mine")
    elif kind == "second-name":
        way.hardlink_to(folder / "precious")
    else:
        way.symlink_to("precious" if kind == "link" else "nothing")
    refused("run", "c.toml", "--output", "o.h5", message="o.h5.lock: is in the way")
    assert os.path.lexists(way) and not (folder / "nothing").exists() and not (folder / "o.h5").exists()


def test_links_that_lead_nowhere_are_refused(refused, folder):
    (folder / "dangling.h5").symlink_to("gone/9.h5")
    (folder / "loop.h5").symlink_to("loop.h5")
    (folder / "dangling.csv").symlink_to("gone/9.csv")
    for output, message in (("dangling.h5", "is a link to gone/9.h5, which does not exist"), ("loop.h5", "is part of a loop of links")):
        refused("run", "c.toml", "--output", output, message=message, code=[2])
    (folder / "dangling.html").symlink_to("gone/9.html")
    refused("report", "r.h5", "--output", "dangling.html", message="is a link to gone/9.html, which does not exist", code=[2])
    refused("plan", "--trace", "lab.txt", "--workers", 2, "--work", "1h", "--checkpoint", "1s", "--export", "dangling.csv",
            message="which does not exist", code=[2])
    for verb in ("show", "status"):
        refused(verb, "loop.h5", message="loop.h5: ")


# ---- nothing steers the terminal ----

def test_titles_and_names_are_shown_and_not_sent(coterie, folder):
    name = f"r{ESCAPES}.h5"
    title = "".join(c if c.isprintable() and ord(c) < 0x7f else f"\\u{ord(c):04x}" for c in ESCAPES)
    (folder / "t.toml").write_text(CAMPAIGN.format(title=title + r"\nr.h5: complete"))
    ran = coterie("run", "t.toml", "--output", name, cwd=folder)
    assert SHOWN in ran.stderr
    answers = [coterie(*words, check=False, cwd=folder) for words in (
        ["validate", "t.toml"], ["show", name], ["status", name], ["report", name], ["show", name, "--format", "csv"],
        ["replay", name, "--configuration", 0, "--instance", 0], ["show", f"{name}.gone"], ["run", "t.toml", "--output", name],
        [ESCAPES], ["list", ESCAPES], ["run", "t.toml", f"--{ESCAPES}"], ["show", name, "--where", f"risk={ESCAPES}"],
        ["plan", "--risk", ESCAPES, "--workers", 2, "--work", 1, "--checkpoint", 0.1])]
    for answer in [ran, *answers]:
        assert not STEERS.search(answer.stdout + answer.stderr), answer
        assert "\nr.h5: complete" not in answer.stdout + answer.stderr
    assert SHOWN in answers[1].stdout and SHOWN in answers[2].stdout
    assert all(SHOWN in answer.stderr for answer in answers[6:7] + answers[8:10])
    status = json.loads(coterie("status", name, "--format", "json", cwd=folder).stdout)
    assert status["title"] == f"{ESCAPES}\nr.h5: complete" and status["file"] == name  # in JSON nothing is lost


def test_nothing_beyond_the_first_plane_is_lost_in_json(coterie, folder):
    (folder / "t.toml").write_text(CAMPAIGN.format(title=r"a\U000E0041z\U0001BCA0"))
    coterie("run", "t.toml", "--output", "t.h5", "--quiet", cwd=folder)
    assert json.loads(coterie("status", "t.h5", "--format", "json", cwd=folder).stdout)["title"] == "a\U000E0041z\U0001BCA0"


def test_the_page_holds_no_escape(coterie, folder):
    (folder / "t.toml").write_text(CAMPAIGN.format(title=r"</script><script>alert(1)</script>\u001b[2J"))
    coterie("run", "t.toml", "--output", "t.h5", "--quiet", cwd=folder)
    coterie("report", "t.h5", cwd=folder)
    page = (folder / "t.html").read_text()
    assert "<script>alert" not in page and not STEERS.search(page)


def test_hosts_of_a_trace(coterie, refused, folder):
    (folder / "h.csv").write_text("host,start,end,observed\na\x1b[2J,0,5,1\nb,0,7,1\n")
    assert json.loads(coterie("trace", "convert", "h.csv", "--to", "json", cwd=folder).stdout)["records"][0][0] == "a\x1b[2J"
    refused("trace", "convert", "h.csv", "--to", "intervals", message=r"a\x1b[2J", code=[2])


def test_bytes_that_are_no_utf8(coterie, folder):
    name = os.fsencode(folder) + b"/\xff\xfe.h5"
    os.rename(folder / "r.h5", name)
    for verb in (["status"], ["status", "--format", "json"], ["show"]):
        done = subprocess.run([os.environ["COTERIE"], verb[0], name, *verb[1:]], capture_output=True)
        assert done.returncode == 0, done
        done.stdout.decode(), done.stderr.decode()


def test_a_command_to_go_on_can_be_pasted(coterie, folder):
    name = "a\x1bb'c\n.h5"
    stopped = coterie("run", "c.toml", "--output", name, "--instances", 100000000, "--time-limit", "0.1s", "--quiet",
                      check=False, cwd=folder)
    assert stopped.returncode == 3 and not STEERS.search(stopped.stderr)
    command = stopped.stderr.split("continue with: coterie ")[1].strip()
    words = subprocess.run(["/bin/bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, text=True).stdout.split("\0")
    assert name in words


# ---- messages stay short ----

LONG = 'x" y\\" (' * 2000


@pytest.mark.parametrize("text", [
    f"{'k' * 5000} = 1\n", f"model = '{LONG}'\n", f"[grid]\nwork = '{LONG}'\n", f"[grid]\nrisk = '{LONG}'\n",
    f"[grid]\nrisk = '{'r' * 9000}(a=b)'\n", f"[grid]\nrisk = 'linear({'k' * 9000}=1)'\n", f"[grid]\n'{LONG}' = 1\n",
    f"[grid]\nrisk = 'linear(kappa={'7' * 9000}z)'\n", f"[grid]\nrisk = 'trace(file=\"{'f' * 5000}\")'\n",
    f"[grid]\nrisk = 'mix({'7' * 9000}z : linear)'\n", f"[grid]\nbackground = '{LONG}'\n", f"strategies = ['{LONG}']\n",
    f"baseline = '{LONG}'\n", f"seed = '{LONG}'\n", f"sampling = '{LONG}'\n", f"[grid]\nwork = '1..{'8' * 5000}x'\n",
    f"x = {'[' * 20}{'k' * 5000}\n", f"[{'a' * 5000}]\n[{'a' * 5000}]\n", f"[grid]\nlambda = '0.5 {'w' * 5000}'\n",
    f"[grid]\nrisk = 'trace(file=lab.txt, normalise={'n' * 5000})'\n", f"[grid]\nrisk = 'trace(file=lab.txt, age={'n' * 5000})'\n",
    f"[grid]\nrisk = 'trace(file=lab.txt, format={'n' * 5000})'\n", f"[grid]\nrisk = 'trace(file=lab.txt, unit={'n' * 5000})'\n",
], ids=str.__len__)
def test_no_message_echoes_a_campaign_at_length(refused, folder, text):
    base = CAMPAIGN.format(title="mine").splitlines(keepends=True)
    for line in text.splitlines():
        key = line.split("=")[0].strip()
        base = [kept for kept in base if not kept.startswith(key + " =") or not key.isalpha()]
    lines = "".join(base)
    lines = lines.replace("[grid]\n", text) if text.startswith("[grid]") else text + lines
    (folder / "c.toml").write_text(lines)
    done = refused("validate", "c.toml", message="c.toml:")
    assert len(done.stderr) < 1500, done.stderr


@pytest.mark.parametrize("words", [
    ["LONG"], ["show", "LONG"], ["run", "LONG"], ["run", "c.toml", "--output", "LONG"], ["run", "c.toml", "--set", "LONG=3"],
    ["run", "c.toml", "--set", "workers=LONG"], ["run", "c.toml", "--set=model=LONG"], ["run", "c.toml", "--LONG"],
    ["run", "c.toml", "--threads", "LONG"], ["run", "c.toml", "--shard", "LONG"], ["run", "c.toml", "--time-limit=LONG"],
    ["show", "r.h5", "--where", "LONG=1"], ["show", "r.h5", "--where", "risk=LONG"], ["show", "r.h5", "--by", "LONG"],
    ["list", "LONG"], ["trace", "LONG"], ["trace", "info", "LONG"], ["trace", "info", "lab.txt", "--option", "LONG"],
    ["trace", "info", "lab.txt", "--option", "unit=LONG"], ["trace", "info", "lab.txt", "--trace-format", "LONG"],
    ["schedule", "--strategy", "LONG", "--workers", 1, "--work", 1], ["completion", "LONG"], ["manual", "LONG"],
    ["schedule", "--strategy", "greedy", "--workers", "LONG", "--work", 1], ["solve", "LONG"], ["charts", "LONG"],
    ["schedule", "--strategy", "greedy", "--workers", 2, "--work", 1, "--risk", "LONG"],
    ["plan", "--risk", "LONG", "--workers", 2, "--work", 1, "--checkpoint", 1],
    ["plan", "--risk", "linear", "--workers", 2, "--work", "LONG", "--checkpoint", 1],
    ["plan", "--risk", "linear", "--workers", 2, "--work", 1, "--checkpoint", 0.1, "--export", "LONG"],
])
@pytest.mark.parametrize("long", ["w" * 5000, LONG], ids=["word", "text"])
def test_no_message_echoes_the_command_line_at_length(refused, words, long):
    done = refused(*(str(word).replace("LONG", long) for word in words), message="")
    assert len(done.stderr) < 1500 and done.stdout == "", done.stderr


@pytest.mark.parametrize("trace", [
    "LONG\n", "host,start,end\na,LONG,3\n", "host,start,end\nLONG,5,3\n", "duration,observed\n3,LONG\n", "duration,observed\nLONG,1\n",
    "LONG 1 0 5\nLONG 1 0 5\n", "n LONG 1 2\n", "time_in_sec,end_type\n3,LONG\n", "0 a LONG\n", "0 LONG up\n1 LONG up\n",
    '{"metadata": {"gap_seconds": 1}, "data": ["LONG"]}', '{"LONG', "LONG,LONG,start\n", "1\n2\nLONG\n",
])
@pytest.mark.parametrize("long", ["w" * 5000, "w\" (" * 2000], ids=["word", "text"])
def test_no_message_echoes_a_trace_at_length(refused, folder, trace, long):
    (folder / "x").write_text(trace.replace("LONG", long))
    for name in ("", "durations", "intervals", "events", "avt", "samples", "lifetimes"):
        words = ["--trace-format", name] if name else []
        done = refused("trace", "info", "x", *words, message="x", code=(0, 1, 2))
        assert len(done.stderr) < 1500, done.stderr


# ---- threads, depth, numbers ----

@pytest.mark.parametrize("environment", [{"OMP_NUM_THREADS": "100000"}, {"OMP_NUM_THREADS": "2147483647"}])
def test_too_many_threads(refused, coterie, folder, environment):
    refused("run", "c.toml", "--output", "o.h5", message="OMP_NUM_THREADS", code=[2], env={**os.environ, **environment})
    refused("validate", "c.toml", message="must be at most 4096", code=[2], env={**os.environ, **environment})
    coterie("run", "c.toml", "--output", "o.h5", "--threads", 2, "--quiet", cwd=folder, env={**os.environ, **environment})


@pytest.mark.parametrize("environment", [{"OMP_NUM_THREADS": "many"}, {"OMP_NUM_THREADS": "-3"}, {"OMP_THREAD_LIMIT": "1"},
                                         {"OMP_NUM_THREADS": "100000", "OMP_THREAD_LIMIT": "2"}, {"OMP_DYNAMIC": "true"}])
def test_what_openmp_makes_of_its_variables(coterie, folder, environment):
    coterie("run", "c.toml", "--output", "o.h5", "--quiet", cwd=folder, env={**os.environ, **environment})
    assert [(folder / name).exists() for name in ("o.h5", "o.h5.parts")] == [True, False]


def test_too_many_threads_asked_for(refused):
    refused("run", "c.toml", "--output", "o.h5", "--threads", 100000, message="--threads must be at most 4096", code=[2])


@pytest.mark.parametrize("text", ["DOTS = 1\n", "[DOTS]\n", "[[DOTS]]\n", "x = {DOTS = 1}\n"])
def test_keys_of_many_parts(refused, folder, text):
    (folder / "deep.toml").write_text(text.replace("DOTS", ".".join("a" * 20000)))
    for words in (["validate", "deep.toml"], ["run", "deep.toml"], ["solve", "deep.toml"], ["solve", "--estimate", "deep.toml"]):
        refused(*words, message="deep.toml:1:", code=[2])


@pytest.mark.parametrize("gap", ["1e308", "1e200"])
@pytest.mark.parametrize("samples", ["[1, 0, 1, 1, 0]", "[1, 1, 1]", "[0, 1, 1, 1, 1, 1, 1, 0]"])
def test_traces_beyond_numbers(refused, folder, gap, samples):
    (folder / "x").write_text(f'{{"metadata": {{"gap_seconds": {gap}}}, "data": {samples}}}')
    for words in (["info"], ["fit"], ["convert", "--to", "json"], ["convert", "--to", "durations"]):
        refused("trace", words[0], "x", *words[1:], message="x: E_RANGE", code=[2])


@pytest.mark.parametrize("text, message", [("1\n1e308\n1e308\n", "x:2: E_RANGE"), ("5e-324\n1\n2\n", "x: a spell of"),
                                           ("1e-310\n1e-310\n", "x: a spell of")])
def test_durations_beyond_numbers(refused, folder, text, message):
    (folder / "x").write_text(text)
    refused("trace", "fit", "x", message=message, code=[2])


NOW = """problem = "now"
lifespan = LIFESPAN
protocol = "fifo"
delta = 0.1
latency = 0
transit = 0.1
packaging = 0.1
[[worker]]
work_time = 1
packaging = 0.1
unpackaging = 0.1
setup_to = 0
setup_from = 0
"""
STAR = """problem = "return-messages"
ports = "two"
strategy = "opt-lifo"
lifespan = 4
risk = "exponential(rate=.1)"
[[worker]]
send = 1
compute = 3
return = LAST
[[worker]]
send = 1.5
compute = 2
return = 1
"""


@pytest.mark.parametrize("text, words, message", [
    (NOW.replace("LIFESPAN", "5e-324"), [], "overflows"),
    (NOW.replace("LIFESPAN", "1e308"), ["--format", "svg"], "cannot be drawn"),
    (NOW.replace("LIFESPAN", "1e-310"), ["--format", "svg"], ""),
    (STAR.replace("LAST", "1e308"), ["--format", "svg"], "cannot be drawn"),
])
def test_problems_beyond_numbers(refused, folder, text, words, message):
    (folder / "p.toml").write_text(text)
    refused("solve", "p.toml", *words, message=message, code=[2])


def test_a_lifespan_beyond_numbers_has_an_answer(coterie, folder):
    (folder / "p.toml").write_text(STAR.replace("LAST", "2").replace("lifespan = 4", "lifespan = 1e308"))
    answer = json.loads(coterie("solve", "p.toml", "--format", "json", cwd=folder).stdout)
    assert answer["best_lifespan"] <= 1e308


def test_work_below_all_chunks(refused):
    refused("schedule", "--strategy", "greedy", "--workers", 3, "--work", "5e-324", "--chunks-per-slice", 3,
            message="work must be at least 1e-300", code=[2])


def test_startup_above_all_work(refused):
    for words in (["--startup", "1e308", "--work", 1, "--format", "svg"], ["--startup", "1e308", "--work", 1]):
        refused("schedule", "--strategy", "greedy", "--workers", 3, "--chunks-per-slice", 3, *words,
                message="startup must be at most 1e+300", code=[2])
