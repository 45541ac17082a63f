"""A figure at its width in print: panels, curves with intervals, a legend and a source line below, a caption beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from .looks import LEAST_TEXT
from .results import instances_text
from .text import at_most_in_digits

#: Widths of a journal's column and page, in inches.
COLUMNS = {"single": 3.5, "double": 7.16}
PAD = 0.04  # inches


def drawn_strategies(results: xr.Dataset) -> list[str]:
    """All strategies but refined, which panels of differences show: its curve mostly lies under greedy's."""
    names = [str(name) for name in results["strategy"].values]
    return [name for name in names if name != "refined" or "greedy" not in names]


def per_cent(axes: Axes, low: float = 0, high: float = 100) -> None:
    axes.set_ylim(low, high + 0.015 * (high - low))  # room for markers at the top
    axes.set_yticks(np.arange(low, high + 1, 20))


def source_of(results: Sequence[xr.Dataset]) -> str:
    """From which campaigns, how many instances, which version made them.

    >>> from coterie import run
    >>> with run("mine.toml", instances=20, quiet=True) as results:
    ...     source_of([results])  # doctest: +ELLIPSIS
    'mine.toml, 2 configurations × 20 instances; seed ..., coterie ...'
    """
    def name(one: xr.Dataset) -> str:
        path = Path(str(one.attrs.get("campaign_path", "")))
        if path.suffix == ".toml" and not path.name.startswith("."):
            return path.name
        return str(one.attrs.get("title", "")) or "a campaign without a title"  # of Python

    sizes = [f"{one.sizes['configuration']} configurations × {instances_text(one)} instances" for one in results]
    if len(set(sizes)) == 1:
        text = f"{', '.join(map(name, results))}, {sizes[0]}{' each' if len(sizes) > 1 else ''}"
    else:
        text = ", ".join(f"{name(one)} ({one.sizes['configuration']} × {instances_text(one)})" for one in results)
    made = dict.fromkeys(f"coterie {one.attrs.get('coterie_version', '?')} "
                         f"({str(one.attrs.get('git_revision', '?'))[:12]})" for one in results)
    seeds = dict.fromkeys(str(int(np.atleast_1d(one.attrs["seed"])[0])) for one in results)
    return f"{text}; seed {', '.join(seeds)}, {', '.join(made)}"


@dataclass(frozen=True)
class Interval:
    """What shows the intervals of one curve; `least` is what has to be exceeded to be seen, in points of print."""

    axes: Axes
    shown: list[Artist]
    half_width: float
    least: float
    kind: str


class Sheet:
    """A figure that is being drawn, with what its caption says.

    `shows` is the paper's figure ("worksharing-2013, Fig. 5"), `note` what must be said on the figure itself.
    """

    def __init__(self, column: str = "double", results: Sequence[xr.Dataset] = ()) -> None:
        self.single = column == "single"
        self.width = COLUMNS[column]
        self.results = list(results)
        self.figure = plt.figure(figsize=(self.width, 1), layout="constrained")
        self.shows = self.title = self.note = self.made_by = ""
        self.unit = "points"
        self._height = 0.0
        self._sentences: list[str] = []
        self._remarks: list[str] = []
        self._without_numbers: set[Axes] = set()
        self._intervals: list[Interval] = []

    def call(self, number: int, title: str, drawn: xr.Dataset, is_the_papers: bool, note: str = "") -> None:
        """Names the figure after that of worksharing-2013, with the note, if its campaign is drawn; else after the campaign."""
        if is_the_papers:
            self.shows, self.title, self.note = f"worksharing-2013, Fig. {number}", title, note
        else:
            self.title = f"{drawn.attrs['title'] or 'a campaign'}, drawn as Fig. {number} of worksharing-2013"

    def say(self, *sentences: str) -> None:
        """Adds to the caption."""
        self._sentences += sentences

    def remark(self, sentence: str) -> None:
        """Adds to the end of the caption, once."""
        if sentence not in self._remarks:
            self._remarks.append(sentence)

    def panels(self, count: int, columns: tuple[int, int], height: float, sharex: bool | str = False,
               sharey: bool | str = False) -> list[Axes]:
        """Panels of `height` inches in rows of at most `columns` of (single, double)."""
        across = min(count, columns[0 if self.single else 1])
        rows = -(-count // across)
        self._height = rows * height
        self.figure.set_size_inches(self.width, self._height)
        grid = self.figure.subplots(rows, across, sharex=sharex, sharey=sharey, squeeze=False)
        for number in range(count, rows * across):
            grid.flat[number].remove()
            if sharex is True and number >= across:
                grid.flat[number - across].tick_params(labelbottom=True)
        return list(grid.flat[:count])

    def pairs(self, count: int, columns: tuple[int, int], heights: tuple[float, float],
              same_x: bool = True) -> list[tuple[Axes, Axes]]:
        """Panels as `panels`, each above a lower one that shares its abscissa; the upper ones share their ordinate.

        `same_x`: all abscissas are the same, so that only the last row needs them.
        """
        across = min(count, columns[0 if self.single else 1])
        rows = -(-count // across)
        self._height = rows * sum(heights)
        self.figure.set_size_inches(self.width, self._height)
        grid = self.figure.add_gridspec(2 * rows, across, height_ratios=heights * rows)
        made: list[tuple[Axes, Axes]] = []
        for number in range(count):
            row, column = divmod(number, across)
            upper = self.figure.add_subplot(grid[2 * row, column], sharey=made[0][0] if made else None)
            lower = self.figure.add_subplot(grid[2 * row + 1, column], sharex=upper)
            upper.tick_params(labelbottom=False)
            if column:
                upper.tick_params(labelleft=False)
            if same_x and number + across < count:
                lower.tick_params(labelbottom=False)
                self._without_numbers.add(lower)
            made.append((upper, lower))
        return made

    @staticmethod
    def first_of_rows(axes: Sequence[Axes]) -> list[Axes]:
        """The leftmost panels, which carry the ordinate's label."""
        return [one for one in axes if one.get_subplotspec().colspan.start == 0]

    def label_x(self, axes: Axes, words: str) -> None:
        """The label of an abscissa, where its numbers are."""
        if axes not in self._without_numbers:
            axes.set_xlabel(words)

    def curve(self, axes: Axes, x: np.ndarray, y: np.ndarray, half_width: np.ndarray, look: dict[str, object],
              markers: int = 8) -> None:
        """A curve, the band of its 95 % intervals, and about `markers` markers, staggered to keep close ones apart.

        Where not every point has one, the ends have none: the frame would cut them.
        """
        spacing = max(1, len(x) // markers)
        offset = {"o": 0, "s": 1, "^": 2, "D": 3, "v": 4, "P": 5}.get(str(look["marker"]), 0) * spacing // 6
        marked = range(len(x)) if spacing == 1 else range(offset or spacing // 2, len(x) - 1, spacing)
        band = axes.fill_between(x, y - half_width, y + half_width, color=look["color"], alpha=0.2, linewidth=0)
        (line,) = axes.plot(x, y, markevery=list(marked), markerfacecolor="white", **look)
        self._intervals.append(Interval(axes, [band], float(np.nanmax(half_width, initial=0)), line.get_linewidth(),
                                        "bands"))

    def points(self, axes: Axes, x: np.ndarray, y: np.ndarray, half_width: np.ndarray, look: dict[str, object],
               **more: object) -> None:
        """Points with bars of their 95 % intervals."""
        drawn = axes.errorbar(x, y, half_width, capsize=1.5, elinewidth=0.8, **{"markerfacecolor": "white", **look, **more})
        bars = [*drawn.lines[1], *drawn.lines[2]]
        self._intervals.append(Interval(axes, bars, float(np.nanmax(half_width, initial=0)),
                                        drawn.lines[0].get_markersize(), "bars"))

    def finish(self, titled: bool = False) -> None:
        """Legend, source line, title if wanted; intervals that cannot be seen are taken away."""
        figure = self.figure
        source = self._text(f"{self.shows}: {self.source}" if self.shows else self.source, LEAST_TEXT, color="0.35",
                            va="bottom")
        source_height = self._inches(source)
        legend = self._legend()
        legend_height = self._inches(legend) if legend else 0
        title = self._text(f"{self.shows}: {self.title}" if self.shows else self.title, 9, va="top") if titled else None
        title_height = self._inches(title) + PAD if title else 0
        below = source_height + legend_height + 2 * PAD
        height = self._height + below + title_height
        figure.set_size_inches(self.width, height)
        source.set_position((PAD / self.width, PAD / 2 / height))
        if legend:
            legend.set_bbox_to_anchor((0.5, (source_height + PAD) / height), figure.transFigure)
        if title:
            title.set_position((PAD / self.width, 1 - PAD / 2 / height))
        margin = PAD / self.width
        figure.get_layout_engine().set(rect=(margin, below / height, 1 - 2 * margin, self._height / height), w_pad=0.03, h_pad=0.03)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once for all formats
        for axes in figure.axes:  # the solver's last bits differ from run to run, and the bytes of files with them
            place = axes.get_position(original=True)
            axes.set_position([round(value, 6) for value in place.bounds])
        self._drop_intervals()

    @property
    def source(self) -> str:
        return "; ".join(filter(None, [source_of(self.results) if self.results else self.made_by, self.note]))

    @property
    def caption(self) -> str:
        """What the figure shows, in sentences, and where it comes from."""
        head = f"{self.shows}: {self.title}." if self.shows else f"{self.title}."
        return " ".join([head, *self._sentences, *self._remarks, f"Source: {self.source}."])

    def _drop_intervals(self) -> None:
        kept, dropped = [], []
        for one in self._intervals:
            low, high = one.axes.get_ylim()
            inches = one.axes.get_position().height * self.figure.get_figheight()
            if 2 * one.half_width / (high - low) * inches * 72 > one.least:
                kept.append(one)
                continue
            dropped.append(one)
            for artist in one.shown:
                artist.remove()
        if kept:
            self.remark(f"{' and '.join(sorted({one.kind for one in kept})).capitalize()}: 95 % intervals.")
        widths = [one.half_width for one in dropped if one.half_width > 0]
        if widths:
            unit = f" {self.unit}" if self.unit else ""
            self.remark(f"{'Others' if kept else '95 % intervals'} are thinner than a line or marker, at most "
                     f"± {at_most_in_digits(max(widths))}{unit}, and not drawn.")

    def _inches(self, artist: Artist) -> float:
        return artist.get_window_extent(self.figure.canvas.get_renderer()).height / self.figure.dpi

    def _text(self, words: str, size: float, **look: object) -> Artist:
        """Text over the whole width, in as many lines as it takes."""
        text = self.figure.text(0, 0, "", fontsize=size, ha="left", **look)
        text.set_in_layout(False)
        lines = [""]
        for word in words.split():
            text.set_text(f"{lines[-1]} {word}".strip())
            width = text.get_window_extent(self.figure.canvas.get_renderer()).width / self.figure.dpi
            if width > self.width - 2 * PAD and lines[-1]:
                lines.append(word)
            else:
                lines[-1] = text.get_text()
        text.set_text("\n".join(lines))
        return text

    def _legend(self) -> Artist | None:
        """One for all panels, in as many columns as the width takes."""
        found: dict[str, Artist] = {}
        for axes in self.figure.axes:
            for handle, label in zip(*axes.get_legend_handles_labels()):
                found.setdefault(label, handle)
        if not found:
            return None
        for columns in range(len(found), 0, -1):
            legend = self.figure.legend(found.values(), found.keys(), loc="lower center", ncol=columns, borderpad=0.2,
                                        handlelength=3.2, columnspacing=1.2, labelspacing=0.3, borderaxespad=0)
            legend.set_in_layout(False)
            width = legend.get_window_extent(self.figure.canvas.get_renderer()).width / self.figure.dpi
            if width <= self.width - 2 * PAD or columns == 1:
                break
            legend.remove()
        rows = -(-len(found) // columns)
        columns = -(-len(found) // rows)  # no wider than as many rows need
        legend.remove()
        legend = self.figure.legend(found.values(), found.keys(), loc="lower center", ncol=columns, borderpad=0.2,
                                    handlelength=3.2, columnspacing=1.2, labelspacing=0.3, borderaxespad=0)
        legend.set_in_layout(False)
        return legend
