"""Which pairs of a run: fewer of them, and those of each story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from cuescope.data.items import Pair, sample
from cuescope.run.numbers import STORIES, Story

if TYPE_CHECKING:
    from cuescope.measures.verdict import Verdict
    from cuescope.run.run import Run


def halved(
    judged: Sequence[tuple[Pair, Any]], most: int
) -> Sequence[tuple[Pair, tuple[Verdict, Verdict]]]:
    """At most so many, half with the cue before the noun; those of each order drawn at random."""
    if not most or most >= len(judged):
        return judged
    places: dict[bool, list[int]] = {True: [], False: []}
    for at, (pair, _) in enumerate(judged):
        places[pair.pro.order == "cue before"].append(at)
    fewer, more = sorted(places.values(), key=len)
    some = min(len(fewer), most // 2)
    chosen = [*(sample(fewer, some) if some else ()), *sample(more, most - some)]
    return [judged[at] for at in sorted(chosen)]


def stories(run: Run) -> dict[Story, tuple[int, ...]]:
    """The pairs that can be looked into, by number: by order, and by whether the twins'
    translations are alike up to the choice. Where there is no choice for want of rules: by order.
    """
    found: dict[Story, list[int]] = {story: [] for story in STORIES}
    for one in run.twins:
        own = ", own words" if one.contrast.origin == "own prefix" else ""
        found[cast("Story", f"{one.pair.pro.order}{own}")].append(one.pair.index)
    if run.unread and not len(run.twins):
        for pair in run.pairs:
            if pair.pro.order and pair.anti.order:
                found[cast("Story", pair.pro.order)].append(pair.index)
    return {story: tuple(pairs) for story, pairs in found.items() if pairs}
