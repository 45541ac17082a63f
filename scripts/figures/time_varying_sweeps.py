#!/usr/bin/python3
"""Figs. 7 and 8, or 10 and 11, of time-varying-2019 from the results of time-varying-fig07-jobs.toml and
time-varying-fig07-processors.toml (or fig10) in scripts/campaigns. Mean finishing times, and mean speedups: the ratio
of control-alone. Bars: three standard errors."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot
import numpy

from campaign_result import CampaignResult


def curves(result, axes, x_of, values_of):
    for w in numpy.unique(result.axis("w")):
        chosen = result.configurations(w=w)
        rows = [values_of(configuration) for configuration in chosen]
        errors = [3 * row.std(ddof=1) / numpy.sqrt(len(row)) for row in rows]
        axes.errorbar([x_of(configuration) for configuration in chosen], [row.mean() for row in rows], errors,
                      marker="o", markersize=3, label=f"W = {w:g}")
    axes.legend()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jobs", help="result of ...-jobs.toml")
    parser.add_argument("processors", help="result of ...-processors.toml")
    parser.add_argument("--output", default="time-varying-sweeps.png")
    arguments = parser.parse_args()
    jobs = CampaignResult(arguments.jobs)
    processors = CampaignResult(arguments.processors)
    first = 7 if set(jobs.axis("varying")) == {"workers"} else 10

    _, axes = pyplot.subplots(1, 3, figsize=(16, 4.5), layout="constrained")
    laws = jobs.axis("jobs")
    curves(jobs, axes[0], lambda k: int(laws[k].split("=")[1].rstrip(")")), jobs.reference)
    axes[0].set(xlabel="background jobs", ylabel="finishing time", title=f"Fig. {first}(a): 4 processors")
    counts = processors.axis("processors")
    curves(processors, axes[1], lambda k: counts[k], processors.reference)
    axes[1].set(xlabel="processors", ylabel="finishing time", title=f"Fig. {first}(b): 40 background jobs")
    curves(processors, axes[2], lambda k: counts[k], lambda k: processors.ratio(k, "control-alone"))
    axes[2].set(xlabel="processors", ylabel="speedup", title=f"Fig. {first + 1}: 40 background jobs")
    pyplot.savefig(arguments.output, dpi=130)


if __name__ == "__main__":
    main()
