#!/usr/bin/python3
"""Adds up the JUnit reports of a folder and prints one line: N passed, N failed, N skipped.

Exit code 1 if a test failed, or if a report is missing or contains no test.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def count(report: Path) -> tuple[int, int, int]:
    """(passed, failed, skipped) of one report."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main(folder: Path) -> int:
    counts = {}
    for log in sorted(folder.glob("*.log")):  # each runner leaves NAME.log and, unless it broke down, NAME.xml
        report = log.with_suffix(".xml")
        counts[log.stem] = count(report) if report.is_file() else (0, 0, 0)
    passed, failed, skipped = (sum(column) for column in zip(*counts.values())) if counts else (0, 0, 0)
    empty = [name for name, one in counts.items() if sum(one) == 0]
    for name in empty or ([] if counts else ["any runner"]):
        print(f"{name} found no test")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or empty or not counts else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
