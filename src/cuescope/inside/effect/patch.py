"""The causal effect of every head, by the wavefront: one climb for all heads of many pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from cuescope.errors import CueScopeError, Unfit
from cuescope.files.chunks import each
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import UNLIKE
from cuescope.inside.effect.measure import gender_scores, leaning, normalised
from cuescope.inside.effect.wave import Block, Wave
from cuescope.inside.effect.ways import together
from cuescope.inside.heads import Head, Heads, by_layer, every_head
from cuescope.inside.options import Patching, Side
from cuescope.inside.ready import Ready, Twins
from cuescope.stats.intervals import Array
from cuescope.stats.scores import Scores

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator
    from cuescope.signature import Signature

ROWS = 192  # most rows of a climb: 768 take half as long again at OPUS-MT's shape, and more memory
_DEAF = ("decoder", 0)  # the heads that have not yet heard of the source


def patch(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str] = ("encoder",),
    how: Patching = Patching(),
    *,
    heads: Heads | None = None,
    given: Heads | None = None,
    rows: int = ROWS,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """The effect of each head when it says what it said in the twin: Scores[pair, layer, head].

    1 restores the whole gap between the twins, 0 nothing. `heads` limits the sweep; `given` heads
    are patched all the time, and the effect is what each further head adds to them. Into both is
    the mean of the two directions.
    """
    return together(patched(mt, twins, heads or every_head(mt, sites), given, how, rows, progress))


def patched(
    mt: Translator,
    twins: Ready[Twins],
    wanted: Heads,
    given: Heads | None,
    how: Patching,
    rows: int = ROWS,
    progress: Progress | None = None,
) -> list[dict[str, Scores]]:
    """The same of each direction by itself; workers have the chunks of both at once."""
    if not len(twins):
        raise Unfit("no pair can be used", expected="at least one pair", found=repr(twins.skipped))
    batches, given = list(chunks(twins, wanted, rows)), given or {}
    lang = twins.lang or None
    work = [
        (
            f"patch {one.side} {some[0]} and {len(some) - 1} more",
            partial(_climb, mt, [twins[n] for n in some], wanted, given, one, lang),
        )
        for one in how.ways()
        for some in batches
    ]
    made = each(work)
    found = [
        _sweep(mt, twins, wanted, given, one, batches, islice(made, len(batches)), progress)
        for one in how.ways()
    ]
    next(made, None)  # it is over: nobody waits for more
    return found


def _sweep(
    mt: Translator,
    twins: Ready[Twins],
    wanted: Heads,
    given: Heads,
    how: Patching,
    batches: Sequence[Sequence[int]],
    climbed: Iterable[tuple[Array, Sequence[Block], Array]],
    progress: Progress | None,
) -> dict[str, Scores]:
    """The effects in one direction, of what the chunks give."""
    found = {site: np.full((len(twins), *mt.sites[site]), np.nan) for site in wanted}
    base, fixed, donor = (np.zeros(len(twins)) for _ in range(3))
    for some, (values, blocks, effects) in zip(batches, climbed, strict=True):
        base[some], fixed[some], donor[some] = values
        for (site, layer, head), effect in zip(blocks, effects, strict=True):
            found[site][some, layer, head] = effect
        if progress:
            progress(len(some))
    made, whose = {}, mt.signature  # once: it looks at every weight
    for site, change in found.items():
        reasons = [_reason(one, site, how) for one in twins]
        usable = np.array([not reason for reason in reasons])
        fit = twins.without(reasons)
        if not len(fit):
            raise Unfit(
                f"no pair can be used at the {site} site",
                found=repr(fit.skipped),
                do='patch the noun or the cue only: where="noun"',
            )
        extra = {"base": base[usable], "twin": donor[usable]}
        gap = extra["twin"] - extra["base"]
        effect, per = normalised(change[usable], gap, how.normalise)
        if given:
            extra["given"], _ = normalised(fixed[usable] - extra["base"], gap, how.normalise)
        extra["gap"] = gap
        made[site] = scores(mt, fit, site, "effect", effect, how.facts(), per, whose, **extra)
    return made


def scores(
    mt: Translator,
    twins: Ready[Twins],
    site: str,
    name: str,
    values: Array,
    settings: Mapping[str, Any],
    per: Array | None,
    whose: Signature,
    **columns: Array,
) -> Scores:
    """Values per pair as Scores, with the pairs' facts and a signature (the model's: `whose`)."""
    import pandas as pd

    table = pd.DataFrame([one.row() for one in twins]).assign(**columns)
    signature = whose | {**twins.facts(mt), "site": site, **settings}
    return Scores(values, site, name, table, twins.skipped, signature, unit="pair", per=per)


def _reason(one: Twins, site: str, how: Patching) -> str:
    """Why a pair cannot be used at a site; source positions matter to the encoder only."""
    return UNLIKE if site == "encoder" and feeding.matched(one, how.side, how.where) is None else ""


def chunks(
    twins: Ready[Twins], heads: Mapping[str, Sequence[Head]], rows: int
) -> Iterator[list[int]]:
    """Pairs of like length together, as many as give about `rows` rows."""
    from cuescope.models.translator import by_length

    each = 1 + sum(map(len, heads.values()))
    lengths = [len(one.male.encoding) + one.contrast.step for one in twins]
    yield from by_length(lengths, evenly(len(twins), rows // each), each)


def evenly(count: int, most: int) -> int:
    """How many of each chunk, at most so many: no last one is so small that workers wait.

    >>> evenly(4, 3), evenly(80, 3), evenly(5, 0)
    (2, 3, 1)
    """
    most = max(1, min(most, count))
    return -(-count // -(-count // most))


def _climb(
    mt: Translator,
    batch: Sequence[Twins],
    heads: Heads,
    given: Heads,
    how: Patching,
    lang: str | None,
) -> tuple[Array, list[Block], Array]:
    """Values of base, base with given heads, and twin; the heads, and each one's change."""
    into = how.side
    with torch.no_grad():
        sites = tuple({**heads, **given})
        donors, theirs = feeding.from_twin(mt, batch, into, sites, how.where)
        fed = feeding.feed(mt, batch, into)
        fixed = by_layer(mt, given) if given else None
        join = by_layer(mt, heads)
        # twins have the same words before the choice, of which alone these heads know
        known = how.measure != "gender"
        deaf = [Block(*_DEAF, head) for head in (join.pop(_DEAF, ()) if known else ())]
        wave = Wave(mt, fed, donors, join, fixed)
        if how.measure == "gender":
            values = _generated(mt, wave, batch, into, lang)
            base, twin = _genders(batch, into), _genders(batch, feeding.other(into))
        else:
            hidden = wave.climb()
            values = leaning(mt, fed, hidden, how.measure)
            plain = feeding.hidden_of(mt, fed) if given else hidden[0]
            base, twin = leaning(mt, fed, torch.stack([plain, theirs]), how.measure)
    change = np.concatenate([values[1:] - values[0], np.zeros((len(deaf), len(batch)))])
    return np.stack([base, values[0], twin]), [*wave.blocks, *deaf], change


def _generated(
    mt: Translator, wave: Wave, batch: Sequence[Twins], into: Side, lang: str | None
) -> Array:
    """The noun's gender in a translation under each edited encoder head [1 + block, pair]."""
    from cuescope.models import decoding

    if any(site != "encoder" for site, _ in (*wave.join, *wave.given)):
        raise CueScopeError(
            "the gender of the generated noun is swept over encoder heads",
            expected="site encoder",
            do="generate under `mt.patched(…)` for single heads of the decoder",
        )
    states, mask = wave.encode()
    found = decoding.greedy(mt.engine, states, mask, mt.tokenizer.forced, mt.limits)
    items = [one.twin(into).item for one in batch] * (1 + len(wave.blocks))
    texts = [mt.tokenizer.decode(h.ids) for h in found]
    return gender_scores(mt, items, texts, lang).reshape(-1, len(batch))


def _genders(batch: Sequence[Twins], side: Side) -> Array:
    """The noun's gender in the plain translations of one side."""
    signs = {"feminine": 1.0, "masculine": -1.0}
    readings = (one.twin(side).reading for one in batch)
    return np.array([signs.get(reading.gender, 0.0) for reading in readings])
