"""cuescope run: runs out of a YAML file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cuescope.commands.options import Fresh
from cuescope.errors import CueScopeError


def _print_schema(wanted: bool) -> None:
    if wanted:
        from cuescope.audit.settings import schema

        typer.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
        raise typer.Exit


def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG", help="A YAML file of settings.")],
    dry: Annotated[
        bool,
        typer.Option("--dry-run", help="Check the file; say what would be done, and how long."),
    ] = False,
    fresh: Fresh = False,
    schema: Annotated[
        bool,
        typer.Option(
            "--schema",
            callback=_print_schema,
            is_eager=True,
            help="Print the JSON schema of such a file, for editors.",
        ),
    ] = False,
) -> None:
    """Investigate as a YAML file says; several runs are compared at the end.

    Writes what `investigate` writes, a folder for each run. A file that says
    `audit: speed` is an audit of that name.

    Examples:

      cuescope run configs/demo.yaml --dry-run

      cuescope run configs/demo.yaml
    """
    from rich.console import Console

    from cuescope.run.settings import Settings, entries, made

    console, given = Console(), entries(config)
    if any("audit" in one for one in given):
        from cuescope.commands.audit import from_yaml

        return from_yaml(config, given, console, dry=dry, fresh=fresh)
    settings = made(config, given, Settings)
    if dry:
        from cuescope.commands.forecast import tell

        return tell(settings, console)
    from cuescope.commands.summary import finish
    from cuescope.commands.work import carry_out

    for one in settings:
        found = carry_out(one, console, fresh=fresh)
        finish(found, one.folder, console)
    if len(settings) > 1:
        from cuescope.commands.compare import compare

        try:
            compare([str(one.folder) for one in settings])
        except CueScopeError as error:  # each run is there all the same
            console.print(f"the runs are not compared: {error}", highlight=False, markup=False)
