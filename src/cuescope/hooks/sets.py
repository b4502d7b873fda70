"""Sets of heads: which pairs work together, and how few heads carry most of the gap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.hooks.heads import Head, every_head
from cuescope.hooks.sweep import patch

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.models.translator import Translator
    from cuescope.subjects import Ready, Twins


@dataclass(frozen=True)
class Step:
    """A head taken into the set, and the share of the gap that the set restores with it."""

    site: str
    layer: int
    head: int
    restored: float


def greedy(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str] = ("encoder",),
    *,
    enough: float = 0.9,
    most: int = 12,
    least: float = 0.0,
    **options: Any,
) -> list[Step]:
    """Heads taken one by one, each the one that restores most with those before it.

    Ends when `enough` of the gap is restored, after `most` heads, or when none restores more than
    `least` on top; one climb for each.
    """
    _check(options)
    chosen: dict[str, list[Head]] = {}
    steps: list[Step] = []
    restored = 0.0
    while restored < enough and len(steps) < most:
        left = {
            site: [head for head in heads if head not in chosen.get(site, ())]
            for site, heads in every_head(mt, sites).items()
        }
        found = patch(mt, twins, heads=left, given=chosen, **options)
        best = max(_candidates(found), key=lambda step: step.restored)
        if best.restored <= restored + least:
            break
        steps.append(best)
        restored = best.restored
        chosen.setdefault(best.site, []).append((best.layer, best.head))
    return steps


def _candidates(found: Any) -> Iterator[Step]:
    """Each swept head with the share that is restored once it joins the given ones."""
    for site, scores in found.items():
        already = float(scores.rows.given.mean()) if "given" in scores.rows else 0.0
        swept = ~np.isnan(scores.values).all(0)
        for layer, head in np.argwhere(swept):
            added = float(scores.values[:, layer, head].mean())
            yield Step(site, int(layer), int(head), already + added)


def pairs(
    mt: Translator, twins: Ready[Twins], heads: Sequence[tuple[str, int, int]], **options: Any
) -> pd.DataFrame:
    """Two heads at once, for some heads: what both restore, and how far that is from the sum."""
    import pandas as pd

    _check(options)
    if len(set(heads)) < 2:
        raise CueScopeError("pairs need two heads or more", found=str(heads))
    alone = {one: _restored(mt, twins, [one], **options) for one in heads}
    rows = []
    for number, first in enumerate(heads):
        for second in heads[number + 1 :]:
            both = _restored(mt, twins, [first, second], **options)
            sum_of = alone[first] + alone[second]
            rows.append(
                {"first": first, "second": second, "both": both, "interaction": both - sum_of}
            )
    return pd.DataFrame(rows)


def _restored(
    mt: Translator, twins: Ready[Twins], heads: Sequence[tuple[str, int, int]], **options: Any
) -> float:
    """The share of the gap that some heads restore together."""
    *given, (site, layer, head) = heads
    fixed: dict[str, list[Head]] = {}
    for name, a, b in given:
        fixed.setdefault(name, []).append((a, b))
    found = patch(mt, twins, heads={site: [(layer, head)]}, given=fixed, **options)
    return next(iter(_candidates(found))).restored


def _check(options: dict[str, Any]) -> None:
    if options.get("normalise", "mean") != "mean":
        raise CueScopeError("sets are judged by the share of the mean gap", found=str(options))
