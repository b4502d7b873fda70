"""The checks of a set of heads: against random sets, against all heads and the rest, by member."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from cuescope.inside.effect.plans import Plan
from cuescope.inside.effect.shares import every, lost, restored
from cuescope.inside.heads import Head, every_head
from cuescope.inside.ready import Ready, Twins
from cuescope.measures import card_rules as rules
from cuescope.measures.card import Check
from cuescope.measures.card_rules import unmeasured
from cuescope.measures.carriers import LEAST
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

SETS, SEED = 200, 7
OUTSIDE = "the smallest set does without it"


def of_set(
    mt: Translator,
    twins: Ready[Twins],
    site: str,
    chosen: Sequence[Head],
    heads: Sequence[Head],
    progress: Progress | None = None,
) -> dict[Head, list[Check]]:
    """Faithfulness, completeness and each member's part; `chosen` in the order of their choice."""
    whole = [(site, *head) for head in every_head(mt, (site,))[site]]
    named = [(site, *head) for head in chosen]
    rest = [head for head in whole if head not in named]
    plans: list[Plan] = [every(whole), *(every(named[:size]) for size in range(1, len(named) + 1))]
    plans += [every([o for o in named if o != one]) for one in named if len(named) > 1]
    plans += [every(rest)] if rest else []
    found = restored(mt, twins, plans, progress=progress)
    size = len(named)
    everything, own = found.values[0], found.values[size]
    if (total := found.value("all heads", 0)).value < LEAST:
        why = f"all heads of the site together restore {total.shown()}"
        shared = [unmeasured("faithful", why), unmeasured("complete", why)]
    else:
        curve = [found.value(f"first {n}", n) for n in range(1, size + 1)]
        area = found.value("area", found.values[1 : size + 1].mean(0))
        part = found.value("share of all heads'", own, everything)
        others = found.values[-1] if rest else np.zeros_like(own)
        left = found.value("others'", others, everything)
        gone = None
        if not any(one.female_own for one in twins):
            texts = [item.text for one in twins for item in one.pair]
            gone = lost(mt, twins, [every(named, "mean")], over=texts).value("lost", 0)
        shared = [rules.faithful(part, curve, area), rules.complete(left, gone)]
    without = {
        head: found.values[size + 1 + n] if size > 1 else np.zeros_like(own)
        for n, head in enumerate(chosen)
    }
    alone = [unmeasured(check.name, OUTSIDE) for check in shared]
    return {
        head: [*shared, rules.minimal(found.value("its part", own - without[head]))]
        if head in without
        else [*alone, Check("minimal", "fails", {}, OUTSIDE)]
        for head in heads
    }


def against_random(
    mt: Translator,
    twins: Ready[Twins],
    site: str,
    chosen: Sequence[Head],
    heads: Sequence[Head],
    *,
    count: int = SETS,
    seed: int = SEED,
    progress: Progress | None = None,
) -> dict[Head, list[Check]]:
    """Where a set stands among random ones of its size, on the card of each of some heads."""
    drawn, told = random_sets(chosen, *mt.sites[site], count, seed)
    sets = [chosen, *drawn]
    plans = [every([(site, *head) for head in one]) for one in sets]
    found = restored(mt, twins, plans, progress=progress)
    totals = found.values.sum(1) / found.per.sum()
    best = 1 + int(np.argmax(totals[1:]))
    as_good = float((totals[1:] >= totals[0]).mean())
    nan = float("nan")
    check = rules.random_sets(
        found.value("set", 0),
        found.value("best random", best),
        Value("as good", as_good, nan, nan, len(drawn)),
        f"{told}, on {len(twins)} pairs",
    )
    alone = unmeasured("random", OUTSIDE)
    return {head: [check if head in chosen else alone] for head in heads}


def random_sets(
    chosen: Sequence[Head], layers: int, heads: int, count: int, seed: int = SEED
) -> tuple[list[list[Head]], str]:
    """Other sets as large: in the same layers if there are so many, else in any; all if fewer.

    >>> random_sets([(0, 1)], layers=2, heads=3, count=200)[1]
    'all 5 other sets of 1 in any layers'
    """
    own, per_layer = set(chosen), Counter(layer for layer, _ in chosen)
    rng, size = np.random.default_rng(seed), len(own)
    same = prod(comb(heads, n) for n in per_layer.values()) - 1 >= count
    every_one = [(a, b) for a in range(layers) for b in range(heads)]
    if not same and comb(layers * heads, size) - 1 <= count:
        found = [list(one) for one in combinations(every_one, size) if set(one) != own]
        return found, f"all {len(found)} other sets of {size} in any layers"
    drawn: dict[frozenset[Head], list[Head]] = {}
    while len(drawn) < count:
        if same:
            one = [
                (layer, int(head))
                for layer, n in per_layer.items()
                for head in rng.choice(heads, n, replace=False)
            ]
        else:
            one = [every_one[at] for at in rng.choice(len(every_one), size, replace=False)]
        if set(one) != own:
            drawn.setdefault(frozenset(one), one)
    where = "the same layers" if same else "any layers"
    return list(drawn.values()), f"{count} random sets of {size} in {where}"
