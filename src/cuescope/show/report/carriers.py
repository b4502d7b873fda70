"""The heads of a site in order of their effect, with what the one rule says of each."""

from __future__ import annotations

from typing import NamedTuple

from cuescope.run.findings import Carrying, GridOf, Site
from cuescope.show.report.say import percent


class Head(NamedTuple):
    """A head with a value and its interval; `carrying` is the rule's word on its effect."""

    layer: int
    head: int
    value: float
    low: float | None
    high: float | None
    carrying: Carrying | None = None

    @property
    def name(self) -> str:
        """Layer and head, both from 0."""
        return f"{self.layer}.{self.head}"

    def with_effect(self, what: str = "") -> str:
        """The head with its effect.

        >>> Head(2, 1, 0.41, 0.37, 0.46).with_effect()
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
    if not site["effect"]:
        return []
    known = site["carrying"]
    return [one._replace(carrying=known.get(one.name)) for one in ranked(site["effect"]["all"])]


def carriers(site: Site) -> list[Head]:
    """Those that carry the cue."""
    return [one for one in effects(site) if one.carrying == "carries"]
