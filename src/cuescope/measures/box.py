"""Entropies of probabilities that are known up to an interval: bounds that nothing inside leaves.

The entropy is concave: over {p: low ≤ p ≤ high, Σp = 1} its highest value is where the p are as
equal as they can be, its lowest at a corner, where all but one stand at an end of their interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

Interval = tuple[float, float]


def entropy_between(intervals: Sequence[Interval]) -> Interval:
    """The lowest and the highest entropy, in nats, of probabilities within these intervals.

    >>> [round(h, 3) for h in entropy_between([(0.5, 0.6), (0.4, 0.5)])]
    [0.673, 0.693]
    """
    lows, highs = [low for low, _ in intervals], [high for _, high in intervals]
    corners = [c for free in range(len(intervals)) for c in _corners(intervals, free)]
    if not corners:  # the ends themselves sum to 1 but for rounding
        corners = [lows, highs]
    at, above = 0.0, 1.0
    for _ in range(60):  # the level to which the p are filled up
        level = (at + above) / 2
        full = sum(min(max(level, low), high) for low, high in intervals) > 1
        at, above = (at, level) if full else (level, above)
    equal = [min(max(at, low), high) for low, high in intervals]
    least = min(map(_entropy, corners))
    return least, max(least, _entropy(equal), *map(_entropy, corners))


def _corners(intervals: Sequence[Interval], free: int) -> list[list[float]]:
    """Where all but one probability stand at an end, and the free one can take the rest."""
    ends = [interval if at != free else (0.0,) for at, interval in enumerate(intervals)]
    found = []
    for corner in product(*ends):
        rest = 1 - math.fsum(corner)
        low, high = intervals[free]
        if low - 1e-12 <= rest <= high + 1e-12:
            found.append([p if at != free else max(rest, 0.0) for at, p in enumerate(corner)])
    return found


def _entropy(p: Sequence[float]) -> float:
    return max(0.0, -sum(x * math.log(x) for x in p if x > 0))


def mean_between(intervals: Sequence[Interval]) -> Interval:
    """The mean of numbers that are known up to an interval."""
    lows, highs = zip(*intervals, strict=True)
    return math.fsum(lows) / len(lows), math.fsum(highs) / len(highs)


def norm_between(intervals: Sequence[Interval]) -> list[Interval]:
    """norm-H of each member of a contrast set: it rises with its own H and falls with the others'.

    >>> norm_between([(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)])
    [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)]
    """
    found = []
    for at, (low, high) in enumerate(intervals):
        others = [one for place, one in enumerate(intervals) if place != at]
        least, most = (math.fsum(ends) for ends in zip(*others, strict=True))
        ends = _norm(low, most, len(intervals)), _norm(high, least, len(intervals))
        none = [1.0] if all(one[0] == 0 for one in intervals) else []  # all may be 0
        found.append((min(*ends, *none), max(*ends, *none)))
    return found


def _norm(own: float, others: float, members: int) -> float:
    return members * own / (own + others) if own + others > 0 else 1.0


def relative_between(first: Interval, second: Interval) -> Interval:
    """(first − second) / ½(first + second), as ΔH is: rises with the first, falls with the second.

    >>> [round(x, 2) for x in relative_between((0.1, 0.2), (0.3, 0.3))]
    [-1.0, -0.4]
    """

    def relative(a: float, b: float) -> float:
        return 2 * (a - b) / (a + b) if a + b > 0 else 0.0

    return relative(first[0], second[1]), relative(first[1], second[0])
