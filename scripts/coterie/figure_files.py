"""The command line of all scripts of figures and tables, and the files that they write."""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.figure import Figure

from .drawing import COLUMNS, Sheet
from .results import ResultError, open_results

#: Formats of figures, and what makes their bytes the same for the same data.
UNDATED: dict[str, dict[str, None]] = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FORMATS = tuple(UNDATED)
SUBJECT = {"png": "Description", "svg": "Description", "pdf": "Subject"}


@dataclass(frozen=True)
class Output:
    """Files STEM.FORMAT of a folder."""

    folder: Path
    stem: str
    formats: tuple[str, ...]

    def path(self, suffix: str) -> Path:
        return self.folder / f"{self.stem}.{suffix}"


def output_of(text: str, name: str | None, default: str, formats: Sequence[str] = FORMATS) -> Output:
    """The files that --output and --name ask for: a folder gets NAME in all formats, a file only its own format.

    >>> output_of("out", None, "figure-5").path("pdf").as_posix()
    'out/figure-5.pdf'
    >>> output_of("a/b.svg", None, "figure-5").formats
    ('svg',)
    >>> output_of("b.eps", None, "figure-5")
    Traceback (most recent call last):
    ValueError: b.eps: unknown format .eps; known are .png, .svg, .pdf (a folder of that name: b.eps/)
    """
    path = Path(text)
    if text.endswith("/") or path.is_dir() or not path.suffix:
        if name and ("/" in name or not name):
            raise ValueError(f"--name {name} must be a plain name; give folders with --output")
        return Output(path, name or default, tuple(formats))
    if path.suffix[1:].lower() not in formats:
        known = ", ".join(f".{one}" for one in formats)
        raise ValueError(f"{text}: unknown format {path.suffix}; known are {known} (a folder of that name: {text}/)")
    if name:
        raise ValueError(f"--output {text} already names a file; --name is only for folders")
    return Output(path.parent, path.stem, (path.suffix[1:].lower(),))


def write(figure: Figure, output: Output, title: str = "", caption: str = "") -> list[Path]:
    """Writes the figure in each format (the same bytes for the same data) and its caption in STEM.txt; their paths."""
    output.folder.mkdir(parents=True, exist_ok=True)
    paths = [output.path(kind) for kind in output.formats]
    for path, kind in zip(paths, output.formats):
        told: dict[str, str | None] = {"Title": title, SUBJECT[kind]: caption} if caption else {}
        figure.savefig(path, format=kind, metadata=told | UNDATED[kind])
    plt.close(figure)
    if caption:
        paths.append(output.path("txt"))
        paths[-1].write_text(f"{caption}\n", encoding="utf-8")
    return paths


#: Results by their files, while programs of this process share them.
_shared: dict[Path, xr.Dataset] = {}
_sharing = False


@contextlib.contextmanager
def sharing_results() -> Iterator[None]:
    """Programs that run meanwhile have the same results, with all that any of them computed; at the end they are closed."""
    global _sharing
    outermost, _sharing = not _sharing, True
    try:
        yield
    finally:
        if outermost:
            for results in _shared.values():
                results.close()
            _shared.clear()
            _sharing = False


def shared_results(path: Path) -> xr.Dataset:
    """The result in a file, in a program of this module; opened once, without dask."""
    key = path.resolve()
    if key not in _shared:
        _shared[key] = open_results(path, chunks=False)
    return _shared[key]


def ran(script: Path, arguments: Sequence[str]) -> bool:
    """Whether the program in a file, run in this process without its output, succeeds."""
    sys.argv = [script.name, *arguments]
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as ended:
            return not ended.code
    return True


def _parser(text: str | None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def figure_program(name: str, draw: Callable[..., None], text: str | None, campaigns: Sequence[str] = (),
                   configure: Callable[[argparse.ArgumentParser], object] | None = None) -> int:
    """The main program of a figure; returns its exit status.

    `draw(sheet, ...)` gets the results in the order of `campaigns`, or the arguments where `configure` added some.
    """
    parser = _parser(text)
    for campaign in campaigns:
        parser.add_argument(campaign, type=Path, metavar=f"{campaign.upper()}.h5")
    if configure:
        configure(parser)
    parser.add_argument("--output", default="out", metavar="PATH", help="a folder (default: out) for NAME.png, "
                        "NAME.svg, NAME.pdf and the caption NAME.txt; or a .png, .svg or .pdf file, with the caption beside it")
    parser.add_argument("--name", help=f"NAME of the files in a folder (default: {name})")
    parser.add_argument("--column", choices=COLUMNS, default="double", help="width in print: "
                        + ", ".join(f"{one} {width:g} in" for one, width in COLUMNS.items()) + " (default: double)")
    parser.add_argument("--title", action="store_true", help="put the title on the figure as well as in the caption")
    arguments = parser.parse_args()
    try:
        output = output_of(arguments.output, arguments.name, name)
    except ValueError as error:
        parser.error(str(error))
    with sharing_results():
        try:
            results = [shared_results(vars(arguments)[one]) for one in campaigns]
            sheet = Sheet(arguments.column, results)
            if results:
                draw(sheet, *results)
            else:
                draw(sheet, arguments)
            sheet.finish(arguments.title)
            paths = write(sheet.figure, output, f"{sheet.shows}: {sheet.title}".removeprefix(": "), sheet.caption)
        except (ResultError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        except KeyError as error:  # an axis, a value or a strategy
            asked = re.sub(r"No variable named '([^']*)'.*", r"\1", str(error.args[0]))  # xarray of 2025 lists all others
            print(f"{name}: not in this result: {asked}", file=sys.stderr)
            return 1
    print(sheet.caption, *paths, sep="\n")
    return 0


def table_program(name: str, print_table: Callable[[argparse.Namespace], int | None], text: str | None,
                  configure: Callable[[argparse.ArgumentParser], object]) -> int:
    """The main program of a table; returns its exit status. It prints, or writes a text file with --output."""
    parser = _parser(text)
    configure(parser)
    parser.add_argument("--output", metavar="PATH", help=f"a .txt file, or a folder for {name}.txt (default: terminal)")
    arguments = parser.parse_args()
    try:
        output = output_of(arguments.output, None, name, ["txt"]) if arguments.output else None
    except ValueError as error:
        parser.error(str(error))
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(told) if output else contextlib.nullcontext(), sharing_results():
            status = print_table(arguments) or 0
        if output and told.getvalue():
            output.folder.mkdir(parents=True, exist_ok=True)
            output.path("txt").write_text(told.getvalue(), encoding="utf-8")
            print(output.path("txt"))
    except (ResultError, OSError, KeyError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    return status
