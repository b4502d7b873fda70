"""`cuescope compare`: runs side by side, as tables and as a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cuescope.commands import complete
from cuescope.commands.options import OUT, Json


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN",
            help="Folders that `cuescope investigate` wrote; two or more.",
            autocompletion=complete.runs,
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE.html", help="The page to write.", rich_help_panel=OUT),
    ] = Path("artifacts/compare.html"),
    json_out: Json = None,
) -> None:
    """Models side by side: accuracy, minimal pairs, heads, entropies, rankings.

    Differences are measured on the pairs that two runs share, with paired
    intervals and McNemar's test. Prints the tables, writes one self-contained
    page (--out) and, if asked, the numbers (--json).

    Example: cuescope compare artifacts/first artifacts/second
    """
    from rich.console import Console

    from cuescope.files import write
    from cuescope.run.compare import side_by_side
    from cuescope.show.compare.page import page
    from cuescope.show.compare.tables import tables

    found = side_by_side(*runs)
    write(out, page(found))
    if json_out is not None:
        text = json.dumps(found.to_json(), ensure_ascii=False, indent=1, allow_nan=False)
        write(json_out, f"{text}\n")
    console = Console(stderr="-" in (str(json_out), str(out)))
    for name, table in tables(found).items():
        if name != "runs":
            console.print(table.to_rich(), "", highlight=False)
    for note in found.notes:
        console.print(f"note: {note}", highlight=False, markup=False)
    if str(out) != "-":
        console.print(f"page: {out}", highlight=False, markup=False, soft_wrap=True)
