"""`cuescope ablate`: what is lost without each head."""

from __future__ import annotations

from typing import Annotated, cast

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
from cuescope.inside.options import Measure, Value, check_option


def ablate(
    model: Model,
    data: Data,
    site: causal.Site = "encoder",
    json_out: Json = None,
    limit: Limit = 0,
    subject: causal.OnlySubjects = False,
    value: Annotated[
        str, typer.Option(help="What ablated heads say: zero, mean or resample.")
    ] = "mean",
    measure: causal.Choice = "logit difference",
    seed: Annotated[int, typer.Option(help="Of the resampling.")] = 0,
    src: Src = None,
    tgt: Tgt = None,
    device: Device = "cpu",
    threads: Threads = 0,
) -> None:
    """What is lost without each head: it is taken out, and the gap shrinks.

    Prints, for each site, a grid of the shares of the gap that are lost, the
    strongest heads with intervals, and what was skipped; --json OUT writes it.

    Example: cuescope ablate firefox:en-pt --data simplegen --limit 40
    """
    from cuescope.inside.effect.ablation import ablation

    check_option("--value", value, Value)
    mt = open_model(model, src, tgt, device, threads)
    sites = causal.sites_of(mt, site)
    twins = causal.ready(mt, data, limit, subject)
    with progress("ablate", len(twins)) as told:
        scores = ablation(
            mt,
            twins,
            sites,
            value=cast(Value, value),
            measure=cast(Measure, measure),
            seed=seed,
            progress=told,
        )
    causal.finish(scores, json_out, "share of the gap lost")
