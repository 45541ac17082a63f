#!/usr/bin/python3
"""Writes the seeds of the fuzzers: usage `seeds.py FOLDER` makes FOLDER/<fuzzer>/<seed>.

A seed is a text as users write it and one byte of choices (zero: none); see fuzz_input.hpp. One function a kind of
fuzzer, one row in SEEDS.
"""
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).parent.parent / "data"


def trace_readers():
    cases = [case for name in ("trace-formats.json", "log-formats.json") for case in json.loads((DATA / name).read_text())]
    for number, case in enumerate(cases):
        yield f"trace_{case['format']}", f"case-{number}", case["text"].encode() + b"\0"


CAMPAIGNS = pathlib.Path(__file__).parent.parent.parent / "scripts" / "campaigns"

CAMPAIGN = """seed = 1
precision = 0.01
max_instances = 50
strategies = ["greedy", "brute"]
[grid]
workers = [2, "3..5:2"]
work = "0.5 workers"
startup = 0.01
risk = "mix(3 : linear, 1 : weibull(shape=.5))"
background = "mm1(arrival=.1, service=.125)"
[[case]]
workers = 7
work = 2
chunks = 3
startup = 0
"""

RISKS = ["linear", "linear(kappa=2)", "exponential(rate=1)", "weibull(shape=.5, scale=1)", "lognormal(median=1, sigma=1)",
         "mix(3 : linear, 2 : exponential(rate=.5))", "trace(file=x.durations, normalise=quantile(.9))"]

PROBLEMS = [
    'problem = "one-worker"\nwork = 1\nchunks = 4\nstartup = 0.01\nrisk = "linear"\n',
    'problem = "two-workers"\nwork = 1\nchunks = 2\nstartup = 0\nrisk = "linear"\nshape = "best"\n',
    'problem = "two-workers"\nwork = 1\nchunks = 3\nstartup = 0.1\nrisk = "exponential"\n',
    'problem = "two-workers"\nwork = 1\nrisk = "linear"\nshape = "given"\nworker_1 = [[0, 0.5], [0.25, 1]]\nworker_2 = []\n'
    'charged_startup = 0.1\n',
    'problem = "heterogeneous"\nwork = 0.5\ndeployment = "forced"\n'
    '[[worker]]\nspeed = 1\nbandwidth = 2\nrisk = "linear"\n'
    '[[worker]]\nspeed = "1/3"\nbandwidth = inf\nrisk = "linear(kappa=.5)"\n',
    'problem = "return-messages"\nports = "one"\nstrategy = "opt-fifo"\n'
    '[[worker]]\nsend = 1\ncompute = "1/3"\nreturn = 2\n',
    'problem = "now"\nlifespan = 9\nprotocol = "fifo"\ndelta = 0.1\nlatency = 0\ntransit = 0.1\npackaging = 0.1\n'
    '[[worker]]\nwork_time = 1\npackaging = 0.1\nunpackaging = 0.1\nsetup_to = 0\nsetup_from = 0\n']


def campaigns():
    yield "campaign", "all-keys", CAMPAIGN.encode() + b"\0"
    for path in sorted(CAMPAIGNS.glob("*.toml")):
        yield "campaign", path.stem, path.read_bytes() + b"\0"


def risks():
    for number, text in enumerate(RISKS):
        yield "risk", f"risk-{number}", text.encode() + b"\0"


def problems():
    for number, text in enumerate(PROBLEMS):
        yield "problem", f"problem-{number}", text.encode() + b"\0"


SCHEDULES = ["worker,order,chunk,begin,end,finish\n0,1,0,0,0.5,0.75\n0,2,1,0.5,1,1.5\n1,1,1,0.5,1,0.75\n",
             "worker,begin,end\n0,0,1\n2,0.5,3\n2,0,1\n",
             '\ufeff"end","worker","begin"\r\n# mine\r\n"1",0,0\r\n']


def schedules():
    for number, text in enumerate(SCHEDULES):
        yield "schedule_file", f"schedule-{number}", text.encode() + b"\0"


SEEDS = [trace_readers, campaigns, risks, problems, schedules]


def main(folder):
    for make in SEEDS:
        for fuzzer, name, content in make():
            path = pathlib.Path(folder) / fuzzer / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
