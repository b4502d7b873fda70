"""`cuescope ablate`: what is lost without each head."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from cuescope.commands import causal
from cuescope.commands.groups import grouped
from cuescope.commands.options import ModelOptions, progress
from cuescope.inside.options import Measure, Value, check_option

Says = Annotated[str, typer.Option(help="What ablated heads say: zero, mean or resample.")]
Seed = Annotated[int, typer.Option(help="Of the resampling.")]


@grouped
def ablate(
    heads: causal.HeadOptions,
    *,
    value: Says = "mean",
    measure: causal.Choice = "logit difference",
    seed: Seed = 0,
    model: ModelOptions,
) -> None:
    """What is lost without each head: it is taken out, and the gap shrinks.

    Prints, for each site, a grid of the shares of the gap that are lost, the
    strongest heads with intervals, and what was skipped; --json OUT writes it.

    Example: cuescope ablate firefox:en-pt --data simplegen --limit 40
    """
    from cuescope.inside.effect.ablation import ablation

    check_option("--value", value, Value)
    mt = model.open()
    sites = causal.sites_of(mt, heads.site)
    twins = heads.ready(mt)
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
    causal.finish(scores, heads.json_out, "share of the gap lost")
