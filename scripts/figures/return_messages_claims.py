#!/usr/bin/python3
"""Which claims of return-messages-2005, Section 5, hold, and where they do not.

Reads a folder (out) with the results of the campaigns return-messages-fig07, return-messages-fig08 and
return-messages-fig09.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np  # noqa: E402
import xarray as xr  # noqa: E402

from claims import Verdict, share_of_run  # noqa: E402
from coterie import ResultError, open_results  # noqa: E402
from coterie.figure_files import table_program  # noqa: E402
from coterie.results import instances_text  # noqa: E402
from coterie.text import at_most, at_most_in_digits  # noqa: E402

#: Ratios that differ by less than this are equal: sums of rounded numbers.
TOLERANCE = 1e-9
#: The paper's words in numbers. "Good results": at least this mean throughput relative to the best FIFO; "not so well"
#: and "no longer able to reach a comparable throughput": below it. "High" w/c: the greatest drawn; "small": up to SMALL.
GOOD, HIGH, SMALL = 0.95, 100, 0.316
#: "A very small fraction of the workers": a tenth.
FEW = 0.1

NAMES = {"opt-lifo": "OPT-LIFO", "fifo-inc-c": "FIFO-INC-C", "fifo-inc-w": "FIFO-INC-W"}


def mean(results: xr.Dataset, strategy: str) -> np.ndarray:
    return results["mean"].sel(strategy=strategy).values


def ratios(results: xr.Dataset) -> np.ndarray:
    return results["wc_ratio"].values


def along(results: xr.Dataset, strategy: str) -> str:
    """Mean relative throughput at a few w/c."""
    w_c, values = ratios(results), mean(results, strategy)
    chosen = [k for k in range(len(w_c)) if w_c[k] in (0.1, 1, 10, 100)] or range(len(w_c))
    return f"{NAMES[strategy]} " + ", ".join(f"{values[k]:.3f} at {w_c[k]:g}" for k in chosen)


def never_beats(results: xr.Dataset, strategy: str) -> Verdict:
    values = results["ratio"].sel(strategy=strategy).values
    more = values > 1 + TOLERANCE
    facts = f"more in {100 * share_of_run(more, values):.2f} % of {(~np.isnan(values)).sum()} instances"
    if more.any():
        where = ratios(results)[more.any(axis=-1)]
        facts += f", by at most {at_most(100 * (np.nanmax(values) - 1), 0.01)} % (w/c = {where.min():g} to {where.max():g})"
    return Verdict(f"{NAMES[strategy]} never processes more than OPT-FIFO", not more.any(), facts)


def good_everywhere(results: xr.Dataset, strategy: str, claim: str) -> Verdict:
    least = mean(results, strategy)
    return Verdict(claim, bool(least.min() >= GOOD),
                   f"least mean {least.min():.3f}, at w/c = {ratios(results)[least.argmin()]:g}; {along(results, strategy)}")


def poor_until(results: xr.Dataset, strategy: str, limit: float, claim: str) -> Verdict:
    poor = mean(results, strategy) < GOOD
    wanted = ratios(results) < limit
    wrong = ratios(results)[wanted & ~poor]
    facts = along(results, strategy)
    if wrong.size:
        facts += "; reaches " + f"{GOOD:g} already at w/c = " + ", ".join(f"{value:g}" for value in wrong)
    return Verdict(claim, not wrong.size, facts)


def close_at_high(results: xr.Dataset) -> Verdict:
    high = ratios(results) >= HIGH
    least = {name: mean(results, name)[high].min() for name in NAMES}
    from_thirty = min(mean(results, name)[ratios(results) > 30].min() for name in NAMES)
    return Verdict(f"all schedules perform well at high w/c (at {HIGH:g})", min(least.values()) >= GOOD,
                   "means there: " + ", ".join(f"{NAMES[name]} {value:.3f}" for name, value in least.items())
                   + f"; the least from w/c = 30 on is {from_thirty:.3f}")


def lifo_remark(results: xr.Dataset) -> str:
    """Not a claim of the paper, but its figures suggest it."""
    values = results["ratio"].sel(strategy="opt-lifo").values
    more = values > 1 + TOLERANCE
    text = ("  note   OPT-FIFO is the best FIFO, not the best schedule: OPT-LIFO processes more in "
            f"{100 * share_of_run(more, values):.2f} %")
    if not more.any():
        return text + " of the instances"
    least = ratios(results)[more.any(axis=-1)].min()
    return f"{text} of the\n         instances, by at most {at_most(100 * (np.nanmax(values) - 1), 0.01)} %, all from w/c = {least:g} on"


def figure_7(results: xr.Dataset) -> list[Verdict]:
    return [
        never_beats(results, "fifo-inc-c"), never_beats(results, "fifo-inc-w"),
        good_everywhere(results, "fifo-inc-c", "FIFO-INC-C gives good results at every w/c"),
        poor_until(results, "fifo-inc-w", 10, "FIFO-INC-W does not perform so well below w/c = 10"),
        poor_until(results, "opt-lifo", 10, "OPT-LIFO does not perform so well below w/c = 10"),
        close_at_high(results),
    ]


def figure_8(results: xr.Dataset) -> list[Verdict]:
    workers = float(results["workers"].values[0])
    enrolled = results["reference"].values / workers
    order = np.argsort(ratios(results))
    w_c, share = ratios(results)[order], enrolled[order]
    small = w_c <= SMALL
    at = {value: np.nanmean(share[k]) for k, value in enumerate(w_c) if value in (0.1, 1, 10, 100)}
    facts = "mean share enrolled: " + ", ".join(f"{100 * value:.1f} % at {key:g}" for key, value in at.items())
    means = np.nanmean(share, axis=-1)
    growing = np.diff(means)
    return [
        Verdict(f"for small w/c (up to {SMALL:g}) a very small fraction (a tenth) of the workers is enrolled",
                bool(means[small].max() <= FEW),
                f"{facts}; greatest mean share there {100 * means[small].max():.1f} %"),
        Verdict("using all processors is not always a good choice", bool((share < 1).any()),
                f"some worker stays out in {100 * share_of_run(share < 1, share):.1f} % of the instances"),
        Verdict("the number of enrolled workers grows with w/c", bool((growing >= 0).all()),
                f"least step of the mean {workers * growing.min():.2f} workers"),
    ]


def figure_9(results: xr.Dataset) -> list[Verdict]:
    apart = np.abs(results["ratio"].sel(strategy="fifo-inc-c").values - results["ratio"].sel(strategy="fifo-inc-w").values)
    return [
        never_beats(results, "fifo-inc-c"), never_beats(results, "fifo-inc-w"),
        Verdict("FIFO-INC-C and FIFO-INC-W give exactly the same results: with z = 1 the order has no importance",
                bool(np.nanmax(apart) <= TOLERANCE), f"ratios differ by at most {at_most_in_digits(np.nanmax(apart))}"),
        poor_until(results, "fifo-inc-c", 10, "below w/c = 10 FIFO-INC-C cannot reach a comparable throughput"),
        poor_until(results, "fifo-inc-w", 10, "below w/c = 10 FIFO-INC-W cannot reach a comparable throughput"),
        poor_until(results, "opt-lifo", 10, "below w/c = 10 OPT-LIFO cannot reach a comparable throughput"),
        close_at_high(results),
    ]


FIGURES = [("Fig. 7 (z = 0.8)", "return-messages-fig07", figure_7),
           ("Fig. 8 (enrolled workers)", "return-messages-fig08", figure_8),
           ("Fig. 9 (z = 1)", "return-messages-fig09", figure_9)]


def print_table(arguments: argparse.Namespace) -> int:
    folder = arguments.folder
    print("Claims of return-messages-2005, Section 5, on the throughput relative to OPT-FIFO. In numbers: good = a mean of "
          f"at least {GOOD:g}")
    found = held = 0
    for title, name, judge in FIGURES:
        path = folder / f"{name}.h5"
        if not path.exists():
            continue
        try:
            with open_results(path) as results:
                verdicts = judge(results)
                remark = lifo_remark(results) if "fig08" not in name else ""
                print(f"\n{title}: {results.sizes['configuration']} values of w/c x {instances_text(results)} stars")
        except (ResultError, OSError) as error:
            print(f"return_messages_claims: {path}: {error}", file=sys.stderr)
            return 1
        print("\n".join(verdict.text() for verdict in verdicts))
        if remark:
            print(remark)
        found += len(verdicts)
        held += sum(verdict.holds for verdict in verdicts)
    if not found:
        print(f"return_messages_claims: {folder} has no result of return-messages-fig07 to fig09; run "
              "coterie run scripts/campaigns/return-messages-fig07.toml --output FOLDER/return-messages-fig07.h5 and so on",
              file=sys.stderr)
        return 1
    print(f"\n{found} claims: {held} hold, {found - held} fail")
    return 0


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, nargs="?", default=Path("out"), help="folder of results (default: out)")


if __name__ == "__main__":
    sys.exit(table_program("return-messages-claims", print_table, __doc__, configure))
