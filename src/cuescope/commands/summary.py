"""What a run found, on the screen: the answer in words, the table, where everything is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cuescope.commands.work import REPORT

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cuescope.run.findings import Findings, Number
    from cuescope.stats.shown import Unit

_SETS = {
    "pro": "cue as the stereotype says",
    "anti": "cue against the stereotype",
    "other": "no stereotype known",
}
_FILES = {"sentences.csv": "sentence by sentence", "statistics.json": "all numbers"}


def show(findings: Findings, console: Console) -> None:
    """The answer and the table."""
    from rich.text import Text

    from cuescope.show.report import answer
    from cuescope.show.report.cards import lines

    told = answer(findings)
    console.print()
    console.print(Text(told.question, style="bold"))
    console.print(Text(told.verdict))
    if told.lead:
        console.print(Text(told.lead))
    for point in told.points:
        console.print()
        console.print(Text(point.question, style="bold"))
        for line in point.lines:
            console.print(Text(line))
    if checked := list(lines(findings)):
        console.print()
        console.print(Text("How do the claims about these heads stand up?", style="bold"))
        for line in checked:
            console.print(Text(line))
    if findings["accuracy"] or findings["measures"]:
        console.print()
        console.print(_table(findings))
    for caveat in told.caveats:
        console.print(Text(f"note: {caveat}", style="dim"))
    console.print(Text(f"signature {findings['signature']}", style="dim"))


def finish(findings: Findings, folder: Path, console: Console) -> None:
    """The same, with the path of the report last; exit code 1 if a guard failed."""
    show(findings, console)
    console.print()
    for name, what in _FILES.items():
        if (folder / name).is_file():
            console.print(f"{what}: {folder / name}", highlight=False, soft_wrap=True, markup=False)
    console.print(f"report: {folder / REPORT}", highlight=False, soft_wrap=True, markup=False)
    if any(guard["ok"] is False for guard in findings["guards"]):
        raise typer.Exit(1)


def _table(findings: Findings) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table("measure", "", "value", "95 % interval", "n")
    for name, numbers in findings["accuracy"].items():
        for who, number in numbers.items():
            label = f"accuracy, {_SETS.get(name, name)}" if who == "all" else ""
            table.add_row(label, who, *_cells(number))
    for measure in findings["measures"].values():
        table.add_row(escape(measure["label"]), "", *_cells(measure, measure["unit"]))
    return table


def _cells(number: Number, unit: Unit = "share") -> tuple[str, str, str]:
    from cuescope.stats.shown import shown

    value, low, high = number["value"], number["low"], number["high"]
    n = f"{number['n']:,}"
    if value is None:
        return "–", "", n
    text = shown(value, low, high, unit=unit, sign="" if unit == "number" else " %")
    return text.value, f"{text.low} – {text.high}" if text.low else "", n
