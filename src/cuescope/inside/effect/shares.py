"""What plans restore of the twins' gap, and what they lose of it: shares with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.inside.effect.measure import normalised
from cuescope.inside.effect.plans import Climbed, Edit, Plan, Says, climb
from cuescope.inside.options import Into, Patching, Side
from cuescope.inside.ready import Ready, Twins
from cuescope.signature import Signature
from cuescope.stats import measured
from cuescope.stats.intervals import Array, Clusters, ratio
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

OWN_WORDS = "the twins' translations part before the noun"


@dataclass(frozen=True)
class Shares:
    """Of each plan and pair, a share of the mean gap; `per` is each pair's own gap in mean gaps."""

    values: Array  # [plan, pair]
    per: Array  # [pair]
    clusters: Clusters
    signature: Signature

    def value(self, name: str, share: Array | int, per: Array | None = None) -> Value:
        """A plan's mean share with its interval, or that of any numbers of the pairs."""
        own = self.values[share] if isinstance(share, int) else share
        table = np.stack([own, self.per if per is None else per], axis=1)
        return measured(name, table, ratio, self.clusters, signature=self.signature)


def restored(
    mt: Translator,
    twins: Ready[Twins],
    plans: Sequence[Plan],
    *,
    into: Into = "both",
    others: Sequence[Twins] = (),
    progress: Progress | None = None,
) -> Shares:
    """How far each plan moves the choice to the twin's: 1 is all the way, into one side or both."""
    ways = []
    for side in Patching(into).sides:
        found = climb(mt, twins, plans, side, others=others, progress=progress)
        gap = found.twin - found.base
        shares, per = normalised((found.values - found.base).T, gap, "mean")
        assert per is not None
        ways.append((shares.T, per))
    values, per = (np.mean(part, axis=0) for part in zip(*ways, strict=True))
    return _shares(mt, twins, values, per, into=into)


def two_sides(
    mt: Translator,
    twins: Ready[Twins],
    plans: Sequence[Plan],
    *,
    over: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Climbed, Climbed]:
    """The female and the male sentences, each by itself, under every plan."""
    if any(one.female_own for one in twins):
        raise CueScopeError(OWN_WORDS, expected="twins with one prefix", found="others among them")
    both: tuple[Side, Side] = ("female", "male")
    hers, his = (climb(mt, twins, plans, side, over=over, progress=progress) for side in both)
    return hers, his


def gap_lost(mt: Translator, twins: Ready[Twins], hers: Climbed, his: Climbed) -> Shares:
    """How much of the gap between the twins is gone under each plan: 1 is all of it."""
    gap = hers.base - his.base
    shares, per = normalised((gap - (hers.values - his.values)).T, gap, "mean")
    assert per is not None
    return _shares(mt, twins, shares.T, per)


def lost(
    mt: Translator, twins: Ready[Twins], plans: Sequence[Plan], over: Sequence[str] | None = None
) -> Shares:
    """The same for plans that are not run yet; `over` is that of ablation."""
    return gap_lost(mt, twins, *two_sides(mt, twins, plans, over=over))


def _shares(
    mt: Translator, twins: Ready[Twins], values: Array, per: Array, **facts: object
) -> Shares:
    clusters = Clusters.of(one.pair.pro for one in twins)
    return Shares(values, per, clusters, mt.signature | {**twins.facts(mt), **facts})


def with_donors(twins: Sequence[Twins], into: Into = "both") -> list[tuple[Twins, Twins]]:
    """Pairs, each with another of another noun whose sentences have the same length and the choice
    at the same step: one from the same template if there is one."""
    made = []
    for one in twins:
        fit = [
            other
            for other in twins
            if other.pair.pro.noun != one.pair.pro.noun
            and all(_alike(one, other, side) for side in Patching(into).sides)
        ]
        template = one.pair.pro.template
        same = [o for o in fit if template and o.pair.pro.template == template]
        if chosen := same or fit:
            # not always the first one: sets come sorted
            made.append((one, chosen[one.pair.index % len(chosen)]))
    return made


def _alike(one: Twins, other: Twins, side: Side) -> bool:
    lengths = {len(t.twin(s).encoding) for t in (one, other) for s in Patching("both").sides}
    return len(lengths) == 1 and one.at(side).step == other.at(side).step


def every(heads: Sequence[tuple[str, int, int]], says: Says = "twin") -> list[Edit]:
    """An edit of each of some heads, all in the same way."""
    return [Edit(*head, says) for head in heads]
