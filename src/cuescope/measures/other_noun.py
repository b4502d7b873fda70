"""Selectivity: what the cue, or a change of the model, does to the *other* person of the sentence.

A model that makes every noun feminine under *she* follows no cue. The other person's gender is open
in English; it is read as the focus noun's is, in the same translations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

import numpy as np

from cuescope.data.items import Gold, Pair
from cuescope.data.others import other
from cuescope.measures.registry import Judged, Measure, register
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.signature import Signature
from cuescope.stats.intervals import FACTORS, Array, Clusters, Statistic
from cuescope.stats.value import Value

Row = Sequence[float]


def asked(pair: Pair, pro: Verdict, anti: Verdict) -> bool:
    """Do both twins name another person, whose gender English leaves open?"""
    return pro.other is not None and anti.other is not None


def alike(units: Sequence[Judged]) -> Clusters:
    """What pairs share: the focus noun, the other noun, the template."""
    labels = {name: [getattr(unit[1].item, name) for unit in units] for name in FACTORS}
    return Clusters(**{"other noun": [unit[1].other.item.noun.lower() for unit in units]}, **labels)


def left_out(judged: Iterable[JudgedPair]) -> Counter[str]:
    """Why pairs are in no count of the other noun."""
    return Counter(reason for one in judged if (reason := _why(*one)))


def _why(pair: Pair, pro: Verdict, anti: Verdict) -> str:
    for one in (pro, anti):
        if one.other is None:
            return other(one.item)[1] or "the other noun was not asked for"
        if one.other.skipped:
            return one.other.skipped
    return "" if _by_cue(pro, anti) else "the twins' cues are not he and she"


def _by_cue(pro: Verdict, anti: Verdict) -> tuple[Verdict, Verdict] | None:
    """The twins as (she, he)."""
    by: dict[Gold, Verdict] = {one.item.gold: one for one in (pro, anti)}
    return (by["female"], by["male"]) if {"female", "male"} <= set(by) else None


def _row(count: Callable[[Verdict, Verdict], Row], width: int) -> Callable[..., Row]:
    """What a pair adds: what `count` says of its twins, zeros where one cannot be read."""

    def row(pair: Pair, pro: Verdict, anti: Verdict) -> Row:
        twins = _by_cue(pro, anti)
        return [0.0] * width if twins is None or _why(pair, pro, anti) else count(*twins)

    return row


def _feminine(one: Verdict | None) -> bool:
    return one is not None and one.reading.gender == "feminine"


def _turns(she: Verdict, he: Verdict) -> bool:
    assert he.other is not None
    return _feminine(she.other) and he.other.reading.gender == "masculine"


def _rises(she: Verdict, he: Verdict) -> Row:
    """How much more feminine the other noun, and the focus noun, are under she than under he."""
    return _feminine(she.other) - _feminine(he.other), _feminine(she) - _feminine(he), 1


def _second(sums: Array) -> Array:
    return np.asarray(sums[..., 1] / sums[..., 2])


def _first(sums: Array) -> Array:
    return np.asarray(sums[..., 0] / sums[..., 2])


_RISES = _row(_rises, 3)
_declared = partial(Measure, asks=asked, alike=alike)
_BESIDE = "Pairs whose other person's noun is read in both translations"
SHE = _declared(
    "other_she",
    "other noun feminine, she",
    f"{_BESIDE}: the share of those nouns that are feminine where the cue, which is not about "
    "them, is female.",
    _row(lambda she, he: (_feminine(she.other), 1), 2),
)
HE = _declared(
    "other_he",
    "other noun feminine, he",
    "The same where the cue is male: what the noun alone does.",
    _row(lambda she, he: (_feminine(he.other), 1), 2),
)
TURNS = _declared(
    "other_turns",
    "other noun turns",
    f"{_BESIDE}: the share whose other noun is feminine under she and masculine under he.",
    _row(lambda she, he: (_turns(she, he), 1), 2),
)
SPILL = _declared(
    "spill",
    "spill-over",
    "The rise of feminine nouns from he to she, that of the other noun over that of the focus "
    "noun: 0 where the cue turns only whom it is about, 1 where it turns both alike.",
    _RISES,
    unit="number",
)
for _measure in (SHE, HE, TURNS, SPILL):
    register(_measure)


@dataclass(frozen=True)
class Selectivity:
    """The effect of the cue on both nouns of the same pairs, and how they stand to each other."""

    focus: Value  # rise of feminine focus nouns from he to she, in points
    other: Value  # the same of the other nouns
    spill: Value  # other over focus
    turns: Value
    she: Value
    he: Value
    left_out: Counter[str]

    @property
    def times(self) -> tuple[float, float, float]:
        """Focus over other, with its bounds: those of `spill` turned over.

        The upper one is infinite where `spill` may be 0: then only the lower one is known.
        """
        value, low, high = (float(x) for x in (self.spill.value, self.spill.low, self.spill.high))
        over = [1 / x if x > 0 else inf for x in (value, high, low)]
        return over[0], over[1], over[2]


def selectivity(
    judged: Sequence[JudgedPair], *, signature: Signature | None = None, clustered: bool = True
) -> Selectivity:
    """What the cue does to the focus noun and to the other noun, over pairs with both.

    The verdicts must be those of `judge(…, others=True)`.
    """
    units: list[Judged] = [one for one in judged if asked(*one)]

    def value(measure: Measure) -> Value:
        return measure.value(units, signature=signature, clustered=clustered)

    def rise(label: str, statistic: Statistic) -> Value:
        return value(replace(SPILL, label=label, statistic=statistic, unit="points"))

    return Selectivity(
        focus=rise("focus noun, she − he", _second),
        other=rise("other noun, she − he", _first),
        spill=value(SPILL),
        turns=value(TURNS),
        she=value(SHE),
        he=value(HE),
        left_out=left_out(judged),
    )
