"""How often the cue changes nothing: the noun has one gender in both twins."""

from __future__ import annotations

from collections.abc import Sequence

from cuescope.data.items import Pair
from cuescope.measures.registry import Measure, register
from cuescope.measures.verdict import Verdict


def _row(pair: Pair, pro: Verdict, anti: Verdict) -> Sequence[float]:
    """A noun that shows no gender in either twin is not unchanged: it has none to change."""
    return {pro.reading.gender, anti.reading.gender} in ({"masculine"}, {"feminine"}), 1


register(
    Measure(
        "unchanged",
        "unchanged",
        "The noun is masculine in both twins, or feminine in both.",
        _row,
    )
)
