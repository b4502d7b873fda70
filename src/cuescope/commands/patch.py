"""`cuescope patch`: the causal effect of every head, patched from the twin sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from cuescope.commands import causal
from cuescope.commands.groups import grouped
from cuescope.commands.options import ModelOptions, progress
from cuescope.inside.options import Into, Measure, Patching, Where, check_option

if TYPE_CHECKING:
    from cuescope.stats.scores import Scores

Twin = Annotated[
    str, typer.Option(help="The twin that is patched: male, female or both (the mean).")
]
Places = Annotated[str, typer.Option(help="Positions: all, noun or cue.")]
ByGradients = Annotated[
    bool, typer.Option("--attribution", help="Estimate by gradients: faster, less exact.")
]


@grouped
def patch(
    heads: causal.HeadOptions,
    *,
    into: Twin = "male",
    where: Places = "all",
    measure: causal.Choice = "logit difference",
    attribution: ByGradients = False,
    model: ModelOptions,
) -> None:
    """What each head carries: it speaks as in the twin, and the gap closes.

    Prints, for each site, a grid of the shares of the gap that the heads
    restore, the strongest with intervals, how stable they are over two halves
    of the pairs, and what was skipped; --json OUT writes it.

    Example: cuescope patch firefox:en-pt --data simplegen --limit 40
    """
    from cuescope.inside.effect.attribution import attribute
    from cuescope.inside.effect.patch import patch as sweep

    check_option("--into", into, Into)
    check_option("--where", where, Where)
    check_option("--measure", measure, Literal["logit difference", "probability"])
    mt = model.open()
    sites = causal.sites_of(mt, heads.site)
    twins = heads.ready(mt)
    measured: Callable[..., dict[str, Scores]] = attribute if attribution else sweep
    how = Patching(cast(Into, into), cast(Where, where), cast(Measure, measure))
    with progress("patch", len(twins) * len(how.sides)) as told:
        scores = measured(mt, twins, sites, how, progress=told)
    causal.finish(scores, heads.json_out, "share of the gap restored")
