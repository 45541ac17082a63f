#!/usr/bin/env python3
"""Figs. 7, 8 and 9 of return-messages-2005 from the results of scripts/campaigns/return-messages-fig0{7,8,9}.toml."""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot
import numpy

from campaign_result import CampaignResult

LABELS = {"opt-lifo": "OPT-LIFO", "fifo-inc-c": "FIFO-INC-C", "fifo-inc-w": "FIFO-INC-W"}
STYLES = {"opt-lifo": ("C1", "s"), "fifo-inc-c": ("C2", "^"), "fifo-inc-w": ("C3", "v")}


def relative_throughput(result, axes, title):
    ratios = result.axis("wc_ratio")
    axes.axhline(1, color="C0", label="OPT-FIFO")
    for name in result.strategies:
        low, mean, high = ([], [], [])
        for configuration in range(len(ratios)):
            values = result.ratio(configuration, name)
            low.append(numpy.quantile(values, 0.05))
            high.append(numpy.quantile(values, 0.95))
            mean.append(values.mean())
        color, marker = STYLES[name]
        axes.plot(ratios, mean, color=color, marker=marker, markersize=4, label=LABELS[name])
        axes.fill_between(ratios, low, high, color=color, alpha=0.2)
    axes.set(xscale="log", xlabel="ratio w/c", ylabel="relative throughput (mean, 5 to 95 %)", title=title,
             ylim=(0, 1.1))
    axes.legend()


def enrolled(result, axes):
    ratios = result.axis("wc_ratio")
    axes.boxplot([result.reference(k) for k in range(len(ratios))], positions=ratios, widths=0.2 * ratios,
                 manage_ticks=False, whis=(0, 100), medianprops={"color": "C0"})
    axes.set(xscale="log", xlabel="ratio w/c", ylabel="workers that OPT-FIFO enrols", title="Fig. 8: z = 0.8",
             ylim=(0, 105))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fig07")
    parser.add_argument("fig08")
    parser.add_argument("fig09")
    parser.add_argument("--output", default="return-messages.png")
    arguments = parser.parse_args()
    _, axes = pyplot.subplots(1, 3, figsize=(16, 4.5), layout="constrained")
    relative_throughput(CampaignResult(arguments.fig07), axes[0], "Fig. 7: z = 0.8")
    enrolled(CampaignResult(arguments.fig08), axes[1])
    relative_throughput(CampaignResult(arguments.fig09), axes[2], "Fig. 9: z = 1")
    pyplot.savefig(arguments.output, dpi=130)


if __name__ == "__main__":
    main()
