"""`cuescope attention`: how much the noun attends to its cue, head by head."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from cuescope.commands import complete
from cuescope.commands.groups import grouped
from cuescope.commands.options import Data, Json, Limit, ModelOptions, progress
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.stats.scores import Grid, Scores

_SPLITS = ("gold", "set")


@grouped
def attention(
    data: Data,
    site: Annotated[
        str,
        typer.Option(
            help="encoder, cross, decoder; several with commas.", autocompletion=complete.sites
        ),
    ] = "encoder",
    *,
    json_out: Json = None,
    measure: Annotated[
        str, typer.Option(help="attention (the weight) or norm (‖α·v·W_O‖).")
    ] = "attention",
    limit: Limit = 0,
    accurate: Annotated[
        bool, typer.Option("--accurate", help="Only pairs whose twins both have the right gender.")
    ] = False,
    model: ModelOptions,
) -> None:
    """Where each head looks: how much the noun attends to its cue.

    Prints a grid of layers and heads for each site, a star above the uniform
    share, the strongest heads by the cue's gender and by set, and what was
    skipped; --json OUT writes it.

    Example: cuescope attention firefox:en-pt --data simplegen --limit 40
    """
    from cuescope import data as sets
    from cuescope.inside.options import Weight
    from cuescope.inside.read.attention import attention as measured
    from cuescope.inside.read.attention import check, twin_subjects
    from cuescope.inside.ready import has_rules

    sites = list(dict.fromkeys(site.split(",")))
    pairs = sets.pairs(data).sample(limit)
    mt = model.open()
    weight = cast(Weight, measure)
    check(mt, sites, measure=weight)
    blind = sites == ["encoder"] and not accurate  # the source side is enough
    if blind and not has_rules(mt):
        typer.echo(
            f"no gender rules for {mt.tgt or 'its target language'}: no noun is read", err=True
        )
    with progress("translate", 2 * len(pairs)) as told:
        ready = twin_subjects(mt, pairs, any_language=blind, progress=told)
    with progress("attend", len(ready)) as told:
        found = measured(mt, ready, sites, measure=weight, progress=told)
    if accurate:
        found = {name: scores.where(accurate_pair=True) for name, scores in found.items()}
        if not len(found[sites[0]]):
            raise CueScopeError(
                "no accurate pair",
                expected="a pair whose twins both have the right gender in the translation",
                found=f"none of {len(pairs)}",
                do="leave out --accurate",
            )
    _finish(found, json_out)


def _finish(found: dict[str, Scores], json_out: Path | None) -> None:
    from rich.console import Console

    from cuescope.files import write

    if json_out is not None:
        made = [_json(scores) for scores in found.values()]
        text = json.dumps(made[0] if len(made) == 1 else made, ensure_ascii=False, allow_nan=False)
        write(json_out, f"{text}\n")
    console = Console(stderr=str(json_out) == "-")
    for scores in found.values():
        show(scores.mean("pair"), console)
        for by in _SPLITS:
            for value, part in scores.split(by).items():
                _show_part(f"{by} {value}", part, console)
        show_orders(scores, console)
    for reason, count in next(iter(found.values())).skipped.items():
        console.print(f"skipped: {count} sentences, {reason}", highlight=False, markup=False)
    for scores in found.values():
        console.print(str(scores.signature), highlight=False, style="dim", markup=False)


def _json(scores: Scores) -> dict[str, Any]:
    """The mean over pairs, and the same split by the cue's gender and by set."""
    splits = {
        by: {str(value): _part(part) for value, part in scores.split(by).items()} for by in _SPLITS
    }
    return {**scores.by_pair().to_json(), "by": {**splits, "order": orders_json(scores)}}


def orders_json(scores: Scores) -> dict[str, Any]:
    """The scores of each order of noun and cue by itself."""
    return {str(order): _part(part) for order, part in scores.split("order").items()}


def show_orders(scores: Scores, console: Any) -> None:
    """The strongest heads of each order of noun and cue, where there are both: two stories."""
    orders = scores.split("order")
    for order, part in orders.items() if len(orders) > 1 else ():
        _show_part(f"the {order} the noun", part, console)


def _show_part(name: str, part: Scores, console: Any) -> None:
    strongest = ", ".join(_heads(part.mean(), 3))
    console.print(f"  {name} (n={len(part)}): {strongest}", highlight=False, markup=False)


def _part(scores: Scores) -> dict[str, Any]:
    made = scores.mean().to_json()
    return {name: made[name] for name in ("n", "scores", "low", "high")}


def show(grid: Grid, console: Any, top: int = 5, what: str = "noun → cue") -> None:
    """A grid as a table, a star at each head above the threshold, and the strongest heads."""
    from rich.table import Table

    layers, heads = grid.values.shape
    title = f"{grid.measure}, {grid.site}: {what}, mean of {grid.n} {grid.unit}s"
    table = Table(title=title, title_justify="left")
    table.add_column("layer")
    for head in range(heads):
        table.add_column(str(head), justify="right")
    for layer in range(layers):
        table.add_row(str(layer), *(_cell(value, grid.threshold) for value in grid.values[layer]))
    console.print(table)
    if grid.threshold is not None:
        console.print(
            f"* above the uniform share, 1 / length = {grid.threshold:.3f}", highlight=False
        )
    console.print(f"strongest: {', '.join(_heads(grid, top))}", highlight=False, markup=False)


def _cell(value: float, threshold: float | None) -> str:
    mark = "*" if threshold is not None and value > threshold else ""
    return f"{value:.3f}{mark}"


def _heads(grid: Grid, count: int) -> list[str]:
    """`2.1 0.192 [0.174, 0.211]`: layer.head, mean and interval."""
    top = grid.top(count)
    columns = (top[name] for name in ("layer", "head", "value", "low", "high"))
    return [
        f"{a}.{b} {v:.3f} [{low:.3f}, {high:.3f}]"
        for a, b, v, low, high in zip(*columns, strict=True)
    ]
