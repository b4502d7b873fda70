"""The two directions of patching: into the male twin, into the female one, or the mean of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cuescope.inside.options import Patching
from cuescope.stats.scores import Scores, both_ways


def each_way(how: Patching, make: Callable[[Patching], Mapping[str, Scores]]) -> dict[str, Scores]:
    """What is made of each direction, by site; of two the mean, pair by pair."""
    return together([make(one) for one in how.ways()])


def together(ways: Sequence[Mapping[str, Scores]]) -> dict[str, Scores]:
    """One direction as it is; of two the mean, pair by pair."""
    if len(ways) == 1:
        return dict(ways[0])
    return {site: both_ways(*(way[site] for way in ways)) for site in ways[0]}
