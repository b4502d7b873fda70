"""cuescope verify: does a run come out again?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer


def verify(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    share: Annotated[
        float, typer.Option(help="How much of it to compute anew: 0.1 is a tenth.", max=1)
    ] = 0.1,
    seed: Annotated[int, typer.Option(help="Of the choice.", min=0)] = 0,
    model: Annotated[
        str | None, typer.Option(help="Where the model is, if not where it was.")
    ] = None,
) -> None:
    """Compute a random tenth of a run anew, and compare.

    Translations and samples must be the same tokens, attention and effects the
    same numbers within a tolerance. Exit code 1 if something is not. Writes
    nothing.

    Example: cuescope verify artifacts/firefox-en-pt-simplegen
    """
    from rich.console import Console
    from rich.table import Table

    from cuescope import data as sets
    from cuescope.commands.options import open_model, progress
    from cuescope.run import findings
    from cuescope.run import verify as verifying

    use = verifying.settings_of(findings.read(folder))
    mt = open_model(model or use.model, use.src, use.tgt, use.device, check=False)
    if model:
        use = replace(use, model=model)
    run = verifying.opened(folder, mt, sets.pairs(use.data), use)
    table = Table("what", "anew", "of", "largest difference", "", title_justify="left")
    with progress("computing anew", 15) as told:
        done = list(verifying.verify(folder, run, share=share, seed=seed, progress=told))
    for one in done:
        gap = "" if one.gap is None else f"{one.gap:.1e}"
        table.add_row(
            one.what, f"{one.anew:,}", f"{one.total:,}", gap, "same" if one.ok else "differs"
        )
    console = Console()
    console.print(table)
    for word, lines in (
        ("near-tie", [line for one in done for line in one.ties]),
        ("differs", [line for one in done for line in one.differing]),
    ):
        for line in lines[:10]:
            console.print(f"{word}: {line}", markup=False, highlight=False)
        if len(lines) > 10:
            console.print(f"{word}: {len(lines) - 10} more", highlight=False)
    console.print(
        f"tolerance: tokens equal but for near-ties (logits at most {verifying.TIE:g} apart, "
        f"{verifying.EDGE:.0%} of the samples), numbers within {verifying.NEAR:g} of the largest",
        highlight=False,
    )
    if not all(one.ok for one in done):
        raise typer.Exit(1)
