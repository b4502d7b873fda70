"""What an intervention is measured by: a preference for the feminine form, or the gender itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from cuescope.errors import CueScopeError, Unfit
from cuescope.inside.options import Measure, Normalise, check_options
from cuescope.stats.intervals import Array

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.inside.effect.feed import Feed
    from cuescope.models.translator import Translator

# Of a mean gap: the same sentence beside others is summed in another order, which moves a logit so
# much in float32. A share of less would be a share of rounding.
_NO_GAP = 1e-5


def preference(
    mt: Translator, hidden: Tensor, feminine: Tensor, masculine: Tensor, measure: Measure
) -> Tensor:
    """How much each row [row, width] leans to the feminine token.

    Logit difference: feminine less masculine. Probability: of the feminine one, of the two.
    """
    pair = mt.engine.pick(hidden, torch.stack([feminine, masculine], 1))
    difference = pair[:, 0] - pair[:, 1]
    if measure == "logit difference":
        return difference
    if measure == "probability":
        return difference.sigmoid()
    raise CueScopeError(
        "no such measure of a choice", expected="logit difference or probability", found=measure
    )


def leaning(mt: Translator, fed: Feed, hidden: Tensor, measure: Measure) -> Array:
    """The same for hidden states [copy, pair, width] of a batch: [copy, pair]."""
    copies = len(hidden)
    ids = (fed.feminine.repeat(copies), fed.masculine.repeat(copies))
    found = preference(mt, hidden.flatten(0, 1), *ids, measure)
    out: Array = found.view(hidden.shape[:2]).double().cpu().numpy()
    return out


def gender_scores(
    mt: Translator, items: Sequence[Item], translations: Sequence[str], lang: str | None = None
) -> Array:
    """The generated noun's gender: 1 feminine, -1 masculine, 0 neither."""
    from cuescope.inside.ready import target_language
    from cuescope.measures.verdict import judge

    signs = {"feminine": 1.0, "masculine": -1.0}
    verdicts = judge(items, translations, target_language(mt, lang))
    return np.array([signs.get(v.reading.gender, 0.0) for v in verdicts])


def normalised(change: Array, gap: Array, how: Normalise) -> tuple[Array, Array | None]:
    """Changes [pair, …] as a share of the twins' gap [pair], and what their mean is over.

    By the mean gap (the mean is then a ratio of sums, and no pair with a tiny gap rules it): each
    pair's own gap goes along, in mean gaps, for `Scores.per`. By each pair's own, or not at all.

    >>> shares, per = normalised(np.array([[1.0], [1.0]]), np.array([1.0, 3.0]), "mean")
    >>> shares.ravel().tolist(), per.tolist()
    ([0.5, 0.5], [0.5, 1.5])
    """
    check_options(normalise=how)
    if how == "none":
        return change, None
    scale = np.full(len(gap), gap.mean()) if how == "mean" else gap
    if how == "mean" and len(gap) and abs(gap.mean()) < _NO_GAP:
        raise Unfit(
            "the twins differ by rounding at most: there is no gap to restore",
            expected="a measure on which male and female twins part",
            found=f"a mean gap of {gap.mean():.1e} over {len(gap)} pairs",
            do='choose another measure, or normalise="none"',
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Array = change / scale.reshape(-1, *[1] * (change.ndim - 1))
    return out, gap / gap.mean() if how == "mean" and len(gap) else None
