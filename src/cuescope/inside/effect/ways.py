"""The two directions of patching: into the male twin, into the female one, or the mean of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cuescope.inside.options import Patching
from cuescope.stats.scores import Scores, both_ways


def each_way(how: Patching, make: Callable[[Patching], Mapping[str, Scores]]) -> dict[str, Scores]:
    """What is made of each direction, by site; of two the mean, pair by pair."""
    ways = [make(one) for one in how.ways()]
    if len(ways) == 1:
        return dict(ways[0])
    return {site: both_ways(*(way[site] for way in ways)) for site in ways[0]}
