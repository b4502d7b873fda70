"""The checks of a head that need the model: what is lost without it, louder, frozen, or answered
from another sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cuescope.inside.effect.plans import Climbed, Edit, Plan
from cuescope.inside.effect.shares import (
    OWN_WORDS,
    Shares,
    every,
    gap_lost,
    restored,
    two_sides,
    with_donors,
)
from cuescope.inside.heads import Head
from cuescope.inside.ready import Ready, Twins
from cuescope.measures import card_rules as rules
from cuescope.measures.card import Check
from cuescope.measures.card_rules import unmeasured
from cuescope.stats import share
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

ABLATIONS = ("zero", "mean", "resample")
LOUDNESS = (0.5, 2.0, 4.0)  # and 0, the zero ablation
_EACH = len(ABLATIONS) + len(LOUDNESS) + 1  # plans of a head


class Examined(NamedTuple):
    """Heads of a site whose cards are made, and the pairs on which."""

    mt: Translator
    twins: Ready[Twins]
    site: str
    heads: Sequence[Head]


def alone(given: Examined, progress: Progress | None = None) -> dict[Head, list[Check]]:
    """Ablation, dose–response, self-repair and the control without a head, of each head."""
    mt, twins, site, heads = given
    names = ("ablation", "dose", "repair", "no head")
    if any(one.female_own for one in twins):
        return {head: [unmeasured(name, OWN_WORDS) for name in names] for head in heads}
    plans = [plan for head in heads for plan in _plans(mt, site, head)]
    texts = [item.text for one in twins for item in one.pair]
    hers, his = two_sides(mt, twins, plans, over=texts, progress=progress)
    found = gap_lost(mt, twins, hers, his)
    return {
        head: _checks(mt, site, head, at * _EACH, found, hers, his) for at, head in enumerate(heads)
    }


def _plans(mt: Translator, site: str, head: Head) -> list[Plan]:
    """In the order in which `_checks` reads them."""
    own = (site, *head)
    silent = [[Edit(*own, value)] for value in ("zero", "mean", "resample")]  # type: ignore[arg-type]
    louder = [[Edit(*own, "zero", 1 - factor)] for factor in LOUDNESS]
    return [*silent, *louder, [Edit(*own, "mean"), *every(_later(mt, site, head), "own")]]


def _later(mt: Translator, site: str, head: Head) -> list[tuple[str, int, int]]:
    """The heads of the layers above."""
    layers, heads = mt.sites[site]
    return [(site, layer, n) for layer in range(head[0] + 1, layers) for n in range(heads)]


def _checks(
    mt: Translator, site: str, head: Head, at: int, found: Shares, hers: Climbed, his: Climbed
) -> list[Check]:
    lost = {name: found.value(name, at + n) for n, name in enumerate(ABLATIONS)}
    kept = {0.0: found.per - found.values[at], 1.0: found.per}
    first = at + len(ABLATIONS)
    kept |= {factor: found.per - found.values[first + n] for n, factor in enumerate(LOUDNESS)}
    gaps = {factor: found.value(f"×{factor:g}", one) for factor, one in kept.items()}
    frozen = found.value("frozen", at + _EACH - 1)
    return [
        rules.ablation(lost),
        rules.dose(gaps, found.value("growth", kept[2.0] - kept[0.0])),
        rules.repair(lost["mean"], frozen)
        if _later(mt, site, head)
        else unmeasured("repair", "no head of its site comes after it"),
        rules.no_head(
            _right(found, hers.base, his.base),
            {
                f"×{factor:g}": _right(found, hers.values[first + n], his.values[first + n])
                for n, factor in enumerate(LOUDNESS)
                if factor > 1
            },
            # At the choice, the logits of the sentence and once more what they have over the twin's
            _right(found, 2 * hers.base - his.base, 2 * his.base - hers.base),
        ),
    ]


def _right(found: Shares, hers: np.ndarray, his: np.ndarray) -> Value:
    """Pairs whose both choices go with the cue."""
    right = ((hers > 0) & (his < 0)).tolist()
    return share("right", right, None, found.clusters, signature=found.signature)


def same_answers(given: Examined, progress: Progress | None = None) -> dict[Head, list[Check]]:
    """Each head speaks as in another sentence, whose cue has the same gender or the other one."""
    mt, twins, site, heads = given
    chosen = with_donors(twins)
    if len(chosen) < rules.FEWEST:
        why = f"{len(chosen)} of {len(twins)} pairs have another sentence of their length"
        return {head: [unmeasured("same answer", why)] for head in heads}
    mine = Ready([one for one, _ in chosen], twins.skipped, twins.data, twins.lang)
    plans = [[Edit(site, *head, s)] for head in heads for s in ("same", "other", "twin")]  # type: ignore[arg-type]
    others = [other for _, other in chosen]
    found = restored(mt, mine, plans, others=others, progress=progress)
    made = {}
    for at, head in enumerate(heads):
        same, other, twin = found.values[3 * at : 3 * at + 3]
        check = rules.same_answer(
            found.value("same", same),
            found.value("other", other),
            found.value("half of the twin's, less the same", rules.HALF * twin - same),
        )
        made[head] = [check]
    return made
