"""cuescope show: a run's findings on the screen again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    report: Annotated[
        bool, typer.Option("--report", help="Write its report.html again, nothing measured.")
    ] = False,
) -> None:
    """Show what a run found: the answer in words and the table.

    Prints only, unless --report is given. Needs no model. Of a run that did
    not come to its end: where it stopped, and how to go on.

    Example: cuescope show artifacts/firefox-en-pt-simplegen
    """
    from rich.console import Console

    from cuescope import files
    from cuescope.commands import summary
    from cuescope.commands.work import REPORT
    from cuescope.run import findings, unfinished

    at = unfinished.read(folder)
    for line in at.lines(folder) if at else ():
        typer.echo(line)
    if at and not (folder / findings.NAME).is_file():
        return
    found = findings.read(folder)
    if report:
        from cuescope.show.report import render

        files.write(folder / REPORT, render(found))
    summary.show(found, Console())
    if folder.is_dir() and (folder / REPORT).is_file():
        typer.echo(f"report: {folder / REPORT}")
