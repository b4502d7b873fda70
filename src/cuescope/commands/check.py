"""cuescope check: the guards, as a table."""

from __future__ import annotations

import typer

from cuescope.commands.options import Device, Model, Src, Tgt, open_model


def check(model: Model, src: Src = None, tgt: Tgt = None, device: Device = "cpu") -> None:
    """Is the model wrapped rightly? Every guard, one line each; writes nothing.

    The exit code is 1 if a guard fails: so it can stand in a script.

    Example: cuescope check firefox:en-pt
    """
    from rich.console import Console
    from rich.table import Table

    from cuescope.models import checks

    mt = open_model(model, src, tgt, device, check=False)
    found = checks.run(mt)
    table = Table("guard", "verdict", "detail", title=repr(mt), title_justify="left")
    words = {True: "[green]holds", False: "[red]FAILS", None: "[dim]does not apply"}
    for one in found:
        table.add_row(one.name, words[one.ok], one.detail)
    Console().print(table)
    if any(one.ok is False for one in found):
        raise typer.Exit(1)
