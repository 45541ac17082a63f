"""What a run tells of itself: on a terminal of any width, in a log, and with --quiet."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import pytest

from result_testing import write_campaign


@pytest.fixture
def long_run(tmp_path):
    """More work than there is time for: it is stopped, so that it tells something on the way."""
    path = write_campaign(tmp_path / "c.toml", 'title = "long"\nseed = 5\ninstances = 10000000')
    return [os.environ["COTERIE"], "run", path, "--output", tmp_path / "c.h5"]


def on_a_terminal(command, columns, kind="xterm", stop_at=None):
    """All that is shown until the command ends, which is interrupted once the pattern `stop_at` is shown."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stderr=its, env={**os.environ, "TERM": kind})
    os.close(its)
    shown = b""
    try:
        while part := os.read(mine, 4096):
            shown += part
            if stop_at and re.search(stop_at, shown):
                process.send_signal(signal.SIGINT)
                stop_at = None
    except OSError:  # the other side has closed it
        pass
    os.close(mine)
    assert process.wait() == 3
    return shown.decode()


@pytest.mark.parametrize("columns", [30, 80, 200])
def test_one_line_that_fits_the_terminal(long_run, columns):
    shown = on_a_terminal([*long_run, "--time-limit", "2min"], columns, stop_at=rb"\d %")
    lines = re.findall(r"\r([^\r\n]*)\x1b\[K", shown)
    assert len(lines) >= 2
    assert all(len(line) <= columns - 3 for line in lines)
    assert lines[-1] == ""  # gone before the last message
    assert re.fullmatch(r"\d+ %.*", lines[0])
    assert "\n" not in shown[shown.index("%"):shown.index("stopped by")]


def test_plain_lines_where_nobody_can_rewrite_one(long_run):
    limited = [*long_run, "--time-limit", "1.5s"]
    shown = on_a_terminal(limited, 80, kind="dumb")
    assert "\x1b" not in shown
    done = subprocess.run(limited + ["--force"], capture_output=True, text=True)
    assert done.returncode == 3 and "\r" not in done.stderr and "\x1b" not in done.stderr


def test_quiet_prints_errors_only(long_run):
    done = subprocess.run([*long_run, "--instances", "10", "--quiet"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
