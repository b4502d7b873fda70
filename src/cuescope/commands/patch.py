"""`cuescope patch`: the causal effect of every head, patched from the twin sentence."""

from __future__ import annotations

from typing import Annotated, Any

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
from cuescope.errors import CueScopeError


def patch(
    model: Model,
    data: Data,
    site: causal.Site = "encoder",
    json_out: Json = None,
    limit: Limit = 0,
    subject: causal.OnlySubjects = False,
    into: Annotated[str, typer.Option(help="The twin that is patched: male or female.")] = "male",
    where: Annotated[str, typer.Option(help="Positions: all, noun or cue.")] = "all",
    measure: causal.Choice = "logit difference",
    gradient: Annotated[
        bool, typer.Option("--gradient", help="Estimate by gradients: faster, less exact.")
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
    for name, value, known in (
        ("--into", into, ("male", "female")),
        ("--where", where, ("all", "noun", "cue")),
        ("--measure", measure, ("logit difference", "probability")),
    ):
        if value not in known:
            raise CueScopeError(name, expected=" or ".join(known), found=value)
    mt = open_model(model, src, tgt, device, threads)
    sites = causal.sites_of(mt, site)
    twins = causal.ready(mt, data, limit, subject)
    settings: dict[str, Any] = {"into": into, "where": where, "measure": measure}
    with progress("patch", len(twins)) as told:
        if gradient:
            from cuescope.inside.effect.attribution import attribute

            found = attribute(mt, twins, sites, progress=told, **settings)
        else:
            from cuescope.inside.effect.patch import patch as sweep

            found = sweep(mt, twins, sites, progress=told, **settings)
    causal.finish(found, json_out, "share of the gap restored")
