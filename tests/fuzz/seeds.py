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
    for number, case in enumerate(json.loads((DATA / "trace-formats.json").read_text())):
        yield f"trace_{case['format']}", f"case-{number}", case["text"].encode() + b"\0"


SEEDS = [trace_readers]


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
