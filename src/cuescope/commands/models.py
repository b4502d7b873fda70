"""cuescope models: what can be had by name, and where it is."""

from __future__ import annotations

from typing import Annotated

import typer

from cuescope.commands.options import a_model

app = typer.Typer(
    no_args_is_help=True, help="Models by name: list them, get them, see where they are."
)
Name = Annotated[str, a_model("NAME", "firefox:en-pt, argos:zh-en, firefox:SRC-TGT.")]


@app.command("list")
def list_() -> None:
    """Models that have a name, and whether they are on this machine; writes nothing.

    Example: cuescope models list
    """
    from rich.console import Console
    from rich.table import Table

    from cuescope.models import catalog

    here = set(catalog.cached())
    table = Table("name", "what", "on this machine")
    for name in [*catalog.CATALOG, *sorted(here - set(catalog.CATALOG))]:
        entry = catalog.CATALOG.get(name)
        table.add_row(name, entry.about if entry else "Firefox", "yes" if name in here else "no")
    table.add_row("firefox:SRC-TGT", "other Firefox pairs, from Mozilla's storage", "")
    table.add_row(
        "Helsinki-NLP/opus-mt-en-it …", "any Marian, M2M100, NLLB, mBART, T5 of the hub", ""
    )
    Console().print(table)


@app.command()
def get(name: Name) -> None:
    """Fetch a model into the cache: hash-checked; a broken download is resumed.

    Example: cuescope models get firefox:en-pt
    """
    from cuescope.models import catalog

    typer.echo(catalog.get(name))


@app.command()
def path(name: Name) -> None:
    """Print the folder of a model that is on this machine; fetches nothing.

    Example: cuescope models path firefox:en-pt
    """
    from cuescope.errors import CueScopeError
    from cuescope.models import catalog

    folder = catalog.folder_of(name)
    if not folder.is_dir():
        raise CueScopeError(
            f"{name} is not on this machine",
            expected=f"one of {', '.join(catalog.cached()) or 'nothing yet'}",
            found=name,
            do=f"`cuescope models get {name}`",
        )
    typer.echo(folder)
