"""What enumeration gives: for each label the probability that is certain, and what is undecided."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

ROUNDING = 1e-4  # relative: matrix products of other shapes differ in the last bits


@dataclass(frozen=True)
class Likely:
    """The most probable sequence of a label; `certain` where nothing left over can be more so."""

    ids: tuple[int, ...]
    text: str
    truncated: float  # log probability under the ε-truncated model
    finished: bool = True
    certain: bool = True


@dataclass(frozen=True)
class Bounds:
    """A source's tree, enumerated: each label's probability lies in `interval(label)`.

    >>> found = Bounds("Hi", {"feminine": 0.75, "masculine": 0.24}, 0.01, 12, 0.02, 0.01)
    >>> [round(end, 3) for end in found.interval("feminine")], found.reached
    ([0.75, 0.76], True)
    """

    source: str
    mass: dict[str, float]  # decided, by label
    undecided: float
    evaluations: int  # prefixes that the decoder had to look at
    epsilon: float
    width: float  # asked for
    best: dict[str, Likely] = field(default_factory=dict, repr=False)
    searched: int = 0  # evaluations of the search for the best

    @property
    def reached(self) -> bool:
        """Is the interval as narrow as was asked?"""
        return self.undecided <= self.width

    def interval(self, label: str) -> tuple[float, float]:
        """What the probability of a label cannot leave, rounding included."""
        low = self.mass.get(label, 0.0)
        return low * (1 - ROUNDING), min(1.0, (low + self.undecided) * (1 + ROUNDING))

    @property
    def majority(self) -> str | None:
        """The label that is the most probable whatever the undecided part says, if there is one."""
        low = {label: self.interval(label) for label in self.mass}
        top = max(low, key=lambda label: low[label], default=None)
        others = [high for label, (_, high) in low.items() if label != top]
        unseen = self.interval("")[1]  # a label that was never met
        return top if top and low[top][0] > max(unseen, *others, 0.0) else None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `from_json` gives the same back."""
        return {**vars(self), "best": {label: vars(one) for label, one in self.best.items()}}

    @staticmethod
    def from_json(saved: dict[str, Any]) -> Bounds:
        """Bounds out of what `to_json` wrote."""
        best = {
            label: Likely(**{**one, "ids": tuple(one["ids"])})
            for label, one in saved["best"].items()
        }
        return Bounds(**{**saved, "best": best})


def total(masses: list[float]) -> float:
    """A sum of probabilities in which no order can matter, from 0 to 1."""
    return min(1.0, math.fsum(masses))
