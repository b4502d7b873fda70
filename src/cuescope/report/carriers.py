"""Which heads carry the cue: the rule, and the heads of a site in order of their effect."""

from __future__ import annotations

from typing import NamedTuple

from cuescope.findings import GridOf, Site
from cuescope.report.say import percent

LEAST = 0.05  # of the gap between the twins
RULE = (
    "A head carries the cue if, speaking as in the twin, it alone restores 5 % or more of the gap "
    "between the twins, and the 95 % interval of that share lies above 0."
)


class Head(NamedTuple):
    """A head with its effect and interval."""

    layer: int
    head: int
    value: float
    low: float | None
    high: float | None

    @property
    def name(self) -> str:
        """Layer and head, both from 0."""
        return f"{self.layer}.{self.head}"

    @property
    def carries(self) -> bool:
        """The rule."""
        return self.value >= LEAST and self.low is not None and self.low > 0

    @property
    def opposes(self) -> bool:
        """The rule, the other way round."""
        return self.value <= -LEAST and self.high is not None and self.high < 0

    @property
    def unsure(self) -> bool:
        """Large enough, but perhaps by chance."""
        return abs(self.value) >= LEAST and not self.carries and not self.opposes

    def told(self, what: str = "") -> str:
        """The head with its effect.

        >>> Head(2, 1, 0.41, 0.37, 0.46).told()
        '2.1 (41 % [37, 46])'
        """
        return f"{self.name} ({percent(self.value, self.low, self.high)}{what})"


def ranked(grid: GridOf) -> list[Head]:
    """The heads that have a value, the largest first."""
    heads = [
        Head(layer, head, value, grid["low"][layer][head], grid["high"][layer][head])
        for layer, row in enumerate(grid["scores"])
        for head, value in enumerate(row)
        if value is not None
    ]
    return sorted(heads, key=lambda one: (-one.value, one.layer, one.head))


def effects(site: Site) -> list[Head]:
    """The heads of a site by their causal effect; none if that was not measured."""
    return ranked(site["effect"]["all"]) if site["effect"] else []
