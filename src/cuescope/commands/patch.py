"""`cuescope patch`: the causal effect of every head, patched from the twin sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from cuescope.commands import causal
from cuescope.commands.options import (
    Data,
    Device,
    Json,
    Limit,
    Model,
    Src,
    Tgt,
    Threads,
    open_model,
    progress,
)
from cuescope.inside.options import Into, Measure, Patching, Where, check_option

if TYPE_CHECKING:
    from cuescope.stats.scores import Scores


def patch(
    model: Model,
    data: Data,
    site: causal.Site = "encoder",
    json_out: Json = None,
    limit: Limit = 0,
    subject: causal.OnlySubjects = False,
    into: Annotated[
        str, typer.Option(help="The twin that is patched: male, female or both (the mean).")
    ] = "male",
    where: Annotated[str, typer.Option(help="Positions: all, noun or cue.")] = "all",
    measure: causal.Choice = "logit difference",
    attribution: Annotated[
        bool, typer.Option("--attribution", help="Estimate by gradients: faster, less exact.")
    ] = False,
    src: Src = None,
    tgt: Tgt = None,
    device: Device = "cpu",
    threads: Threads = 0,
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
    mt = open_model(model, src, tgt, device, threads)
    sites = causal.sites_of(mt, site)
    twins = causal.ready(mt, data, limit, subject)
    measured: Callable[..., dict[str, Scores]] = attribute if attribution else sweep
    how = Patching(cast(Into, into), cast(Where, where), cast(Measure, measure))
    with progress("patch", len(twins) * len(how.sides)) as told:
        scores = measured(mt, twins, sites, how, progress=told)
    causal.finish(scores, json_out, "share of the gap restored")
