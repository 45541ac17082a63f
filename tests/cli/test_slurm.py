"""The job array that coterie plan exports, run by Slurm itself: a controller and one node of it, on this machine alone."""
import csv
import getpass
import os
import shutil
import socket
import subprocess
import time

import pytest

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue"]
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def found(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def wait_for(true, what):
    for _ in range(300):
        if true():
            return
        time.sleep(0.1)
    raise AssertionError(what)


@pytest.fixture
def slurm(tmp_path):
    """A function that calls one of Slurm's programs."""
    missing = [program for program in PROGRAMS if not found(program)]
    if missing:
        pytest.skip(f"no {', '.join(missing)} here: install slurm-client, slurmctld, slurmd and munge to run the array")
    if os.geteuid() != 0:
        pytest.skip("only root can start slurmd, which runs the array")
    folder = tmp_path / "slurm"
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    folder.chmod(0o755)
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o600)
    (folder / "slurm.conf").write_text(CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=folder,
                                                            user=getpass.getuser(), ports=free_ports(2)))
    settings = os.environ | {"SLURM_CONF": str(folder / "slurm.conf")}
    daemons = [[found("munged"), "--foreground", "--force", f"--socket={folder}/munge", f"--key-file={folder}/key",
                f"--log-file={folder}/munged.log", f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/seed"],
               [found("slurmctld"), "-D", "-c"], [found("slurmd"), "-D"]]
    running = []

    def call(*words):
        return subprocess.run([found(words[0]), *map(str, words[1:])], capture_output=True, text=True, timeout=60,
                              env=settings, cwd=tmp_path)

    try:
        for daemon in daemons:
            running.append(subprocess.Popen(daemon, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            if len(running) == 1:
                wait_for((folder / "munge").exists, "munged does not start")
        wait_for(lambda: "idle" in call("sinfo", "--noheader", "--format=%T").stdout, "the node does not come up")
        yield call
    finally:
        for one in reversed(running):
            one.terminate()
        for one in running:
            one.wait(30)


def test_slurm_runs_each_machines_list_in_its_order_without_what_is_done(coterie, slurm, tmp_path):
    coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 3, "--work", "20h",
            "--checkpoint", "30min", "--chunks", 5, "--strategy", "greedy", "--instances", 10, "--export",
            tmp_path / "plan.sbatch")
    coterie("plan", "--risk", "exponential(rate=1)", "--risk-unit", "10h", "--workers", 3, "--work", "20h",
            "--checkpoint", "30min", "--chunks", 5, "--strategy", "greedy", "--instances", 10, "--export",
            tmp_path / "plan.csv")
    (tmp_path / "run-chunk").write_text("#!/bin/bash\necho \"$@\" >> ran.$SLURM_ARRAY_TASK_ID\n")
    (tmp_path / "run-chunk").chmod(0o755)

    checked = slurm("sbatch", "--test-only", "plan.sbatch", "./run-chunk", "mine")
    queued = slurm("sbatch", "plan.sbatch", "./run-chunk", "mine")

    assert (checked.returncode, queued.returncode) == (0, 0), checked.stderr + queued.stderr
    wait_for(lambda: slurm("squeue", "--noheader").stdout == "", "the array does not end")
    planned = {}
    with open(tmp_path / "plan.csv") as file:
        for row in csv.DictReader(file):
            planned.setdefault(row["worker"], []).append(["mine", row["chunk"], row["begin"], row["end"]])
    ran = {path.name.split(".")[1]: [tuple(line.split()) for line in path.read_text().splitlines()]
           for path in tmp_path.glob("ran.*")}
    assert len(planned) == 3
    done = [call for calls in ran.values() for call in calls]
    assert sorted(done) == sorted({tuple(call) for calls in planned.values() for call in calls})
    for machine, calls in ran.items():
        assert calls == [tuple(call) for call in planned[machine] if tuple(call) in calls]
