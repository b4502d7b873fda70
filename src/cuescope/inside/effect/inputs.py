"""How much each source word moves the choice of gender: captum's integrated gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError, imported
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.attribution import embedded, embedding
from cuescope.inside.effect.feed import UNLIKE, Feed
from cuescope.inside.effect.measure import preference
from cuescope.inside.options import Baseline, Integrating, Measure, Side

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.inside.ready import Subject, Twins
    from cuescope.models.translator import Progress, Translator


def input_attribution(
    mt: Translator,
    twins: Sequence[Twins],
    how: Integrating | None = None,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """One row per sub-word: how much of the measure it accounts for, and whether it is the cue.

    The baseline has the end of sentence in place of every word (a pad would move M2M100's
    positions), or is the twin: then only the cue differs. `delta` is what integration missed.
    """
    import pandas as pd

    how = how or Integrating()
    side = how.side
    rows: list[dict[str, Any]] = []
    for one in twins:
        subject = one.twin(side)
        fed = feeding.feed(mt, [one], side)
        start = _baseline(mt, one, side, how.baseline, fed)
        found = parts(mt, fed, start, how.measure, how.steps)
        roles = dict.fromkeys(subject.noun, "noun") | dict.fromkeys(subject.cue, "cue")
        for at, value in enumerate(found.values.tolist()):
            piece = subject.encoding.pieces[at]
            role = roles.get(at, "other")
            facts = {"pair": one.pair.index, "side": side, "position": at, "piece": piece}
            rows.append({**facts, "role": role, "value": value, "delta": found.missed})
        if progress:
            progress(1)
    return pd.DataFrame(rows)


class Parts(NamedTuple):
    """What each source position adds to a measure, and to what they should sum."""

    values: Tensor  # [position]
    leaning: float  # the measure of the sentence
    whole: float  # less that of the baseline
    missed: float  # the sum of the values less the whole


def parts(mt: Translator, fed: Feed, start: Tensor, measure: Measure, steps: int) -> Parts:
    """Integrated gradients of one sentence, from the embeddings `start` to its own."""

    def leaning(values: Tensor) -> Tensor:
        many = Feed(*(part.repeat(len(values), *[1] * (part.ndim - 1)) for part in fed))
        with embedding(mt, values):
            hidden = feeding.hidden_of(mt, many)
        return preference(mt, hidden, many.feminine, many.masculine, measure)

    own = embedded(mt, fed.ids, fed.mask)
    found = _captum().IntegratedGradients(leaning).attribute(own, start, n_steps=steps).sum(-1)[0]
    with torch.no_grad():
        here, there = (float(leaning(values)) for values in (own, start))
    whole = here - there
    return Parts(found.detach().cpu(), here, whole, float(found.sum()) - whole)


def ended(mt: Translator, one: Subject, fed: Feed) -> Tensor:
    """The baseline: the end of sentence for every word. A pad would move M2M100's positions."""
    ids = fed.ids.clone()
    ids[:, list(one.encoding.words)] = mt.engine.eos_id
    return embedded(mt, ids, torch.ones_like(fed.mask))


def _baseline(mt: Translator, one: Twins, side: Side, kind: Baseline, fed: Feed) -> Tensor:
    if kind == "end":
        return ended(mt, one.twin(side), fed)
    if not one.like_length:
        raise CueScopeError(UNLIKE, found=one.male.item.text, do='baseline="end"')
    twin = feeding.feed(mt, [one], feeding.other(side), side)
    return embedded(mt, twin.ids, twin.mask)


def _captum() -> Any:
    what = "attribution to the input needs captum, which is not installed"
    return imported("captum.attr", what, package="captum 0.9", do="pip install captum==0.9.0")
