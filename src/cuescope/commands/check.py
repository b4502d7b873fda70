"""cuescope check: the guards, as a table."""

from __future__ import annotations

import typer

from cuescope.commands.options import Device, Model, Src, Tgt, open_model


def check(model: Model, src: Src = None, tgt: Tgt = None, device: Device = "cpu") -> None:
    """Check that a model is wrapped rightly: every guard, one line each; exit code 1 if one fails.

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
