"""What is lost without a head: the twins' gap with the head taken out, for every head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.inside.edit.outputs import replacement
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import Donor
from cuescope.inside.effect.measure import leaning, normalised
from cuescope.inside.effect.patch import ROWS, chunks, scores
from cuescope.inside.effect.wave import Wave
from cuescope.inside.heads import by_layer, every_head
from cuescope.inside.options import Measure, Normalise, Side, Value, check_options

if TYPE_CHECKING:
    from cuescope.inside.ready import Ready, Twins
    from cuescope.models.translator import Progress, Translator
    from cuescope.stats.scores import Scores

_OWN = "twins whose translations part before the noun"


def ablation(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str] = ("encoder",),
    *,
    value: Value = "mean",
    over: Sequence[str] | None = None,
    seed: int = 0,
    measure: Measure = "logit difference",
    normalise: Normalise = "mean",
    rows: int = ROWS,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """The share of the twins' gap that is lost without each head: Scores[pair, layer, head].

    1: without it the model tells the twins apart no more; 0: it does as before. Twins of any
    length can be used: nothing is carried from one to the other. They must share their prefix.
    """
    check_options(value=value, measure=measure, normalise=normalise)
    twins = twins.without([_OWN if one.female_own else "" for one in twins])
    if not len(twins):
        raise CueScopeError("no pair can be used", found=repr(twins.skipped))
    heads = every_head(mt, sites)
    join = by_layer(mt, heads)
    draw = replacement(mt, list(join), value, over, seed)
    gaps = np.zeros((1 + sum(map(len, heads.values())), len(twins)))
    blocks: Sequence[tuple[str, int, int]] = ()
    for some in chunks(twins, heads, rows):
        batch = [twins[n] for n in some]
        sides: list[Side] = ["female", "male"]
        for sign, side in zip((1, -1), sides, strict=True):
            fed = feeding.feed(mt, batch, side)
            lengths = {"encoder": fed.ids.shape[1]}
            donors = {
                place: Donor(draw(place, 0, lengths.get(place[0], fed.inputs.shape[1])), None)
                for place in join
            }
            wave = Wave(mt, fed, donors, join)
            gaps[:, some] += sign * leaning(mt, fed, wave.climb(), measure)
            blocks = wave.blocks
        if progress:
            progress(len(some))
    settings: dict[str, str] = {"measure": measure, "value": value, "normalise": normalise}
    settings |= {"seed": str(seed)} if value == "resample" else {}
    made, whose = {}, mt.signature
    for site in sites:
        lost = np.full((len(twins), *mt.sites[site]), np.nan)
        for (name, layer, head), gap in zip(blocks, gaps[1:], strict=True):
            if name == site:
                lost[:, layer, head] = gaps[0] - gap
        shares, per = normalised(lost, gaps[0], normalise)
        made[site] = scores(mt, twins, site, "ablation", shares, settings, per, whose, gap=gaps[0])
    return made
