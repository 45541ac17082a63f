#!/usr/bin/python3
"""Figs. 12 and 13 of time-varying-2019 from the results of scripts/campaigns/time-varying-fig12.toml or -fig13.toml.
Boxes: quartiles of type 7; whiskers to 1.5 box lengths, as in the paper. Upper row: what the methods predict, which the
paper plots. Lower row: the realised finishing times of their fixed splits on fresh background jobs."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

from campaign_result import CampaignResult

PANELS = [("workers", "time-unit"), ("workers", "slot"), ("all", "time-unit"), ("all", "slot")]
LETTERS = {"workers": "(a)", "all": "(b)"}


def panel(result, axes, **setting):
    (configuration,) = result.configurations(**setting)
    reference = result.reference(configuration)
    rows = [reference] + [result.ratio(configuration, name) * reference for name in result.strategies]
    names = ["clairvoyant"] + result.strategies
    axes.boxplot(rows, flierprops={"markersize": 1, "alpha": 0.3}, medianprops={"color": "C3"})
    axes.set_xticks(range(1, len(names) + 1), names, rotation=25, ha="right", fontsize=8)
    axes.set(ylabel="finishing time",
             title=f"{LETTERS[setting['varying']]} {setting['varying']}, {setting['evaluation']}, rates per "
                   f"{setting['rates']}")
    axes.title.set_fontsize(9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("--output", default="time-varying-methods.png")
    arguments = parser.parse_args()
    result = CampaignResult(arguments.result)
    processors = int(result.axis("processors")[0])

    figure, axes = pyplot.subplots(2, len(PANELS), figsize=(18, 9), layout="constrained")
    for row, evaluation in zip(axes, ["predicted", "realised"]):
        for cell, (varying, rates) in zip(row, PANELS):
            panel(result, cell, varying=varying, rates=rates, evaluation=evaluation)
    figure.suptitle(f"time-varying-2019, Fig. {12 if processors == 4 else 13}: {processors} processors")
    pyplot.savefig(arguments.output, dpi=110)


if __name__ == "__main__":
    main()
