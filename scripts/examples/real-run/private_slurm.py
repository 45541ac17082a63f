"""A Slurm of one's own on this machine alone, with nodes that can be taken away and given back."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel"]
CONFIGURATION = """ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmctldPort={port}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=0
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
PartitionName=all Nodes=n[0-{last}] Default=YES MaxTime=INFINITE State=UP
"""


def found(program: str) -> str | None:
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def why_not() -> str:
    """What keeps Slurm from being started here; "" if nothing does."""
    missing = [program for program in PROGRAMS if not found(program)]
    if missing:
        return f"no {', '.join(missing)} here: install slurm-client, slurmctld, slurmd and munge"
    return "" if os.geteuid() == 0 else "only root can start slurmd"


def free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def wait_for(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 60
    while not true():
        if time.monotonic() > end:
            raise RuntimeError(what)
        time.sleep(0.05)


def kill_all(variable: str, value: str) -> None:
    """Kills the processes with this environment variable at once, and the slurmstepd above them."""
    mark = f"{variable}={value}".encode()
    marked, above = [], set()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (path / "environ").read_bytes().split(b"\0"):
                marked.append(int(path.name))
                above.add(int((path / "stat").read_text().rpartition(")")[2].split()[1]))
        except (OSError, ValueError):  # it has ended, or is another user's
            continue
    for number in [*above, *marked]:
        try:
            if number in marked or "slurmstepd" in (Path("/proc") / str(number) / "comm").read_text():
                os.kill(number, signal.SIGKILL)
        except (OSError, ValueError):
            continue


class PrivateSlurm:
    def __init__(self, folder: Path, nodes: int) -> None:
        self.folder = folder
        self.nodes = nodes
        self.running: list[subprocess.Popen[bytes]] = []
        self.settings = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self) -> PrivateSlurm:
        folder = self.folder
        (folder / "state").mkdir(parents=True)
        folder.chmod(0o755)
        (folder / "key").write_bytes(os.urandom(128))
        (folder / "key").chmod(0o600)
        host = socket.gethostname().split(".")[0]
        ports = free_ports(self.nodes + 1)
        text = CONFIGURATION.format(host=host, folder=folder, user=getpass.getuser(), port=ports[-1], last=self.nodes - 1)
        for node in range(self.nodes):
            text += f"NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[node]} CPUs=1 State=UNKNOWN\n"
        (folder / "slurm.conf").write_text(text)
        try:
            self.start("munged", "--foreground", "--force", f"--socket={folder}/munge", f"--key-file={folder}/key",
                       f"--log-file={folder}/munged.log", f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/seed")
            wait_for((folder / "munge").exists, "munged does not start")
            self.start("slurmctld", "-D", "-c")
            for node in range(self.nodes):
                self.start("slurmd", "-D", "-N", f"n{node}")
            wait_for(lambda: self.call("sinfo", "--noheader", "--format=%T %D").split() == ["idle", str(self.nodes)],
                     "the nodes do not come up")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for one in reversed(self.running):
            one.terminate()
        for one in self.running:
            one.wait(30)

    def start(self, program: str, *words: str) -> None:
        path = found(program)
        assert path is not None
        self.running.append(subprocess.Popen([path, *words], env=self.settings, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def call(self, *words: object, folder: Path | None = None) -> str:
        """What one of Slurm's programs answers."""
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, env=self.settings,
                              cwd=folder or self.folder)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def take_away(self, node: int) -> None:
        """As if its power failed. Slurm queues again what ran there."""
        kill_all("SLURMD_NODENAME", f"n{node}")
        self.call("scontrol", "update", f"nodename=n{node}", "state=down", "reason=gone")

    def give_back(self, node: int) -> None:
        """Slurm holds what it queued again for two minutes, by itself; here it may run at once."""
        self.call("scontrol", "update", f"nodename=n{node}", "state=resume")
        waiting = [line.split() for line in self.call("squeue", "--noheader", "--array", "--format=%i %r").splitlines()]
        for job in [words[0] for words in waiting if words[1] == "BeginTime"]:
            try:
                self.call("scontrol", "update", f"jobid={job}", "starttime=now")
            except RuntimeError as error:
                if "no longer pending" not in str(error):
                    raise
