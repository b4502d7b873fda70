"""`cuescope compare`: runs, or releases of a system, side by side, as tables and as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands import complete
from cuescope.commands.gate import Data, Lang, Sentences
from cuescope.commands.options import OUT, Json

if TYPE_CHECKING:
    from cuescope.run.release import Release


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN",
            help="Folders of `cuescope investigate`; or of `score`, its --json files, or files of "
            "translations with --data and --lang. Two or more.",
            autocompletion=complete.runs,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE.html", help="The page to write.", rich_help_panel=OUT),
    ] = Path("artifacts/compare.html"),
    json_out: Json = None,
    data: Data = None,
    lang: Lang = None,
    sentences: Sentences = 10,
) -> None:
    """Models or releases side by side: accuracy, pairs, heads, sentences.

    Differences are measured on the sentences that two share, with paired
    intervals and McNemar's test; the pairs that broke or were mended are told
    with their evidence. Prints the tables, writes one self-contained page
    (--out) and, if asked, the numbers (--json).

    Example: cuescope compare artifacts/first artifacts/second
    """
    from rich.console import Console

    from cuescope.files import write

    console = Console(stderr="-" in (str(json_out), str(out)))
    if all(Path(run).is_dir() or Path(run).name == "findings.json" for run in runs):
        html, made, releases = _runs(runs, console)
    else:
        html, made, releases = _releases(runs, data, lang, console)
    write(out, html)
    if json_out is not None:
        text = json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False)
        write(json_out, f"{text}\n")
    _sentences(releases, sentences, console)
    if str(out) != "-":
        console.print(f"page: {out}", highlight=False, markup=False, soft_wrap=True)


Made = tuple[str, Mapping[str, Any], list["Release"]]


def _runs(runs: list[str], console: Any) -> Made:
    """Everything that runs know of each other."""
    from cuescope.run.compare import side_by_side
    from cuescope.show.compare.page import page
    from cuescope.show.compare.tables import tables

    found = side_by_side(*runs)
    for name, table in tables(found).items():
        if name != "runs":
            console.print(table.to_rich(), "", highlight=False)
    for note in found.notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    return page(found), found.to_json(), list(found.releases)


def _releases(runs: list[str], data: str | None, lang: str | None, console: Any) -> Made:
    """Each against the first, by their sentences alone."""
    from cuescope.run.release.sides import all_opened
    from cuescope.run.release.versus import versus
    from cuescope.show.release.page import page
    from cuescope.show.release.tables import differences

    first, *others = all_opened(runs, data=data, lang=lang)
    found = [versus(first, other) for other in others]
    for one in found:
        console.print(differences(one).to_rich(), "", highlight=False)
        for note in one.notes:
            console.print(f"note: {note}", highlight=False, markup=False)
    return page(found), {"releases": [one.to_json() for one in found]}, found


def _sentences(releases: list[Release], most: int, console: Any) -> None:
    from cuescope.show.release import sentences as told

    for one in releases:
        for kind in told.HEADINGS:
            for line in told.lines(one, kind, most):
                console.print(line, highlight=False, markup=False, soft_wrap=True)
