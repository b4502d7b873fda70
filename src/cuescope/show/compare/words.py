"""The answer of a comparison in plain words: who follows the cue more often, and is it sure?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuescope.measures.anova import ALPHA
from cuescope.stats.shown import shown

if TYPE_CHECKING:
    from cuescope.run.compare import SideBySide, Versus

_NBSP = "\N{NO-BREAK SPACE}"


def answer(found: SideBySide) -> list[str]:
    """A headline, then a sentence for every two runs that were set against each other.

    The headline is of the pairs that all runs have: shares of different pairs prove nothing.
    """
    told = [_versus(one) for one in found.versus]
    ranking = next((one for one in found.rankings if len(one.labels) == len(found.runs)), None)
    known = ranking.scores.get("MPA", {}) if ranking else {}
    if not ranking or not known:
        return ["Runs side by side", *told]
    first, last = (choose(known, key=lambda label: known[label]) for choose in (max, min))
    shares = [f"{100 * known[label]:.1f}{_NBSP}%" for label in (first, last)]
    where = f"the {ranking.pairs:,} pairs"
    if shares[0] == shares[1]:
        both = "Both" if len(found.runs) == 2 else "All"
        return [f"{both} follow the cue in {shares[0]} of {where}", *told]
    return [f"{first} follows the cue in {shares[0]} of {where}, {last} in {shares[1]}", *told]


def _versus(one: Versus) -> str:
    """By the papers' own measure, MPA; a difference is clear if both interval and test say so.

    The interval is over what pairs share; McNemar's test takes them for independent, and says so.
    """
    for measure in one.differences:
        if measure.measure == "MPA" and measure.value.n and measure.p is not None:
            v, p = measure.value, measure.p
            told = shown(v.value, v.low, v.high, unit="points", signed=True)
            size = f"{'<' if p < 0.001 else '='}{_NBSP}{max(p, 0.001):.3f}"
            numbers = (
                f"{told.value} points of minimal pair accuracy {told.interval} "
                f"on the {v.n:,} pairs judged in both, McNemar "
                f"p{_NBSP}{size} after Holm, as if pairs were independent"
            )
            if v.low <= 0 <= v.high or p >= ALPHA:
                return f"{one.second} and {one.first} do not clearly differ: {numbers}."
            way = "more" if v.value > 0 else "less"
            return f"{one.second} follows the cue {way} often than {one.first}: {numbers}."
    return f"{one.second} and {one.first} share {one.pairs:,} pairs."
