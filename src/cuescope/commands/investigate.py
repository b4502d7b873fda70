"""cuescope investigate: the main job, from a model's name to a folder of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cuescope.commands.options import (
    Data,
    Device,
    Lang,
    Model,
    Src,
    Tgt,
    Threads,
    open_model,
    progress,
)

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from cuescope.measures.value import Value
    from cuescope.run import Run
    from cuescope.scores import Grid


def investigate(
    model: Model,
    data: Data = "simplegen",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of results [artifacts/MODEL-DATA].")
    ] = None,
    heads: Annotated[
        int, typer.Option(help="Pairs on which the heads are measured; 0: none.", min=0)
    ] = 120,
    lang: Lang = None,
    src: Src = None,
    tgt: Tgt = None,
    device: Device = "cpu",
    threads: Threads = 0,
) -> None:
    """Does this model use the cue? Check it, translate a challenge set, measure, save.

    Example: cuescope investigate firefox:en-pt --data simplegen
    """
    from rich.console import Console

    from cuescope import data as sets
    from cuescope.models import catalog, checks
    from cuescope.run import investigate as run_it

    console = Console()
    pairs = sets.pairs(data)
    here = catalog.folder_of(model)
    if here.is_dir():
        console.print(f"{model} is on this machine ({here}): the network is not needed")
    mt = open_model(model, src, tgt, device, threads, check=False)
    failed = [one for one in checks.run(mt) if one.ok is False]
    console.print(f"{mt!r}\nguards: {'all hold' if not failed else 'FAILED: see cuescope check'}")
    with progress("translating", len({item.text for pair in pairs for item in pair})) as done:
        run = run_it(mt, pairs, lang=lang, progress=done)
    left = f"; {len(pairs.left_out)} left out: not minimal" if pairs.left_out else ""
    console.print(f"{data}: {len(pairs):,} minimal pairs{left}; signature {run.signature}\n")
    console.print(_numbers(run))
    console.print(_examples(run))
    if run.unfinished:
        console.print(f"{run.unfinished} translations were cut off at the length limit")
    grids = _inside(run.thin(heads), console) if heads else {}
    name = f"{model}-{Path(data.partition(':')[0]).stem}".replace(":", "-").replace("/", "-")
    folder = run.save(out or Path("artifacts") / name.strip("-"), **grids)
    console.print(f"\nresults: {folder}/ ({', '.join(sorted(p.name for p in folder.iterdir()))})")
    if failed:
        raise typer.Exit(1)


def _inside(run: Run, console: Console) -> dict[str, Grid]:
    """Which heads look from the noun to the cue, and which carry it: both on the same pairs."""
    from cuescope.errors import CueScopeError

    grids: dict[str, Grid] = {}
    for site in ("encoder", "cross"):
        try:
            looks, carries = run.attention(site).mean("pair"), run.patch(site).mean("pair")
        except CueScopeError as error:  # no pair of this set can be used here
            console.print(f"{site} heads: {error}")
            continue
        grids |= {f"attention-{site}": looks, f"effect-{site}": carries}
        rows: list[Any] = list(carries.top(8).itertuples())
        best = [row for row in rows if row.value >= 0.05]
        shown = ", ".join(
            f"{row.layer}.{row.head} ({100 * row.value:.0f} % [{100 * row.low:.0f}, "
            f"{100 * row.high:.0f}], attention {looks.values[row.layer, row.head]:.2f})"
            for row in best
        )
        total = carries.values.size
        console.print(
            f"Of {total} {site} heads, these carry 5 % or more of the cue to the noun's gender: "
            f"{shown or 'none'}; measured on {carries.n} pairs"
        )
    return grids


def _numbers(run: Run) -> Table:
    from rich.table import Table

    table = Table("measure", "", "value", "95 % interval", "n")
    for name, values in run.accuracy().items():
        meaning = {"pro": "cue as the stereotype says", "anti": "cue against the stereotype"}
        for who, value in values.items():
            label = f"accuracy, {meaning[name]}" if who == "all" else ""
            table.add_row(label, who, *_cells(value))
    found = run.mpa()
    for label, value in (("minimal pair accuracy", found.value), ("", found.strict)):
        table.add_row(label, "strict" if value is found.strict else "", *_cells(value))
    return table


def _cells(v: Value) -> tuple[str, str, str]:
    return f"{100 * v.value:.1f} %", f"{100 * v.low:.1f} – {100 * v.high:.1f}", f"{v.n:,}"


def _examples(run: Run, count: int = 3) -> Table:
    """Some twins whose noun keeps its gender though the cue changes, and some that follow it."""
    from rich.table import Table

    table = Table("", "source", "translation", "reading", title="twins", title_justify="left")
    for wanted, label in ((False, "ignores"), (True, "follows")):
        shown = 0
        for pro, anti in zip(run.score.sets["pro"], run.score.sets["anti"], strict=True):
            if (pro.correct and anti.correct) is not wanted or shown == count:
                continue
            for verdict in (pro, anti):
                table.add_row(label, verdict.item.text, verdict.translation, str(verdict.reading))
            table.add_section()
            shown += 1
    return table
