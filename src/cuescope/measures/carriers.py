"""Which heads carry the cue: the one rule, for all heads of all sites that were looked at."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from cuescope.stats import holm
from cuescope.stats.intervals import Clusters
from cuescope.stats.scores import Scores

LEAST = 0.05  # of the gap between the twins
LEVEL = 0.05  # of all heads of all sites together: the chance that any is named wrongly
FEWEST, NOUNS = 30, 8  # pairs, and nouns among them: see probes/carriers.py
RULE = (
    f"A head carries the cue if, speaking as in the twin, it alone restores {100 * LEAST:.0f} % or "
    "more of the gap between the twins, and this is no chance: that any of all heads measured is "
    "named by chance has p < 0.05 (Holm), over other nouns and templates, on "
    f"{FEWEST} pairs or more with {NOUNS} nouns or more."
)
K = TypeVar("K", bound=Hashable)
Word = Literal["carries", "opposes", "unsure", "little"]


@dataclass(frozen=True)
class Carrier:
    """A head with its effect, its own interval, and what may be said of it."""

    site: str
    layer: int
    head: int
    value: float
    low: float
    high: float
    p: float  # adjusted
    word: Word

    @property
    def name(self) -> str:
        """Layer and head, both from 0."""
        return f"{self.layer}.{self.head}"

    @property
    def carries(self) -> bool:
        """The rule."""
        return self.word == "carries"

    @property
    def opposes(self) -> bool:
        """The rule, the other way round."""
        return self.word == "opposes"

    @property
    def unsure(self) -> bool:
        """Large enough, but perhaps by chance."""
        return self.word == "unsure"

    def to_json(self) -> dict[str, Any]:
        """For files; what has no value is null."""
        return {k: None if v != v else v for k, v in vars(self).items()}


def carriers(scores: Mapping[K, Scores]) -> dict[K, list[Carrier]]:
    """By site (or whatever the scores are of), the heads with a value, each with its word.

    Give all that were looked at together: the more heads, the likelier one stands out by chance.
    """
    found = {key: one.by_pair().estimate() for key, one in scores.items()}
    own = [float(p) for one in found.values() for p in one.p.ravel()]
    most = [float(p) for one in found.values() for p in one.chance(LEAST).ravel()]
    ps = iter(holm(own, most))
    made = {}
    for key, one in found.items():
        sure, site = enough(scores[key]), scores[key].site
        heads = [
            Carrier(site, layer, head, *numbers, p, _word(numbers[0], p, sure))
            for (layer, head), value in np.ndenumerate(one.value)
            for p in [next(ps)]
            for numbers in [
                (float(value), float(one.low[layer, head]), float(one.high[layer, head]))
            ]
            if np.isfinite(value)
        ]
        made[key] = sorted(heads, key=lambda h: (-h.value, h.layer, h.head))
    return made


def enough(scores: Scores) -> bool:
    """Are there pairs and nouns enough to tell a carrier from chance?"""
    pairs = scores.by_pair()
    nouns = Clusters.of_rows(pairs.rows).count("noun")
    return len(pairs) >= FEWEST and (nouns is None or nouns >= NOUNS)


def _word(value: float, p: float, enough: bool) -> Word:
    """
    >>> _word(0.3, 0.001, True), _word(-0.3, 0.001, True), _word(0.3, 0.2, True)
    ('carries', 'opposes', 'unsure')
    """
    if abs(value) < LEAST:
        return "little"
    if not (enough and p < LEVEL):
        return "unsure"
    return "carries" if value > 0 else "opposes"
