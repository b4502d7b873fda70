"""The one interval of every number: the jackknife over what units share, their nouns and templates.

Sentences with one noun, or from one template, tend to go right or wrong together. Each noun (each
template) is left out in turn, and the spread of what is left says how sure the number is. Two ways
of sharing add up, less what they have in common (Cameron, Gelbach & Miller 2011; as a jackknife:
MacKinnon, Nielsen & Webb 2024). How often they hold the truth: probes/coverage.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.stats.spread import Array as Array
from cuescope.stats.spread import Codes, Spread, spread
from cuescope.stats.spread import Statistic as Statistic

if TYPE_CHECKING:
    import pandas as pd

Scale = Literal["share", "number"]
FACTORS = ("noun", "template")
LEVEL = 0.95
_HALVINGS = 40
GROWTH = 1.75  # of a share's variance with p(1-p): 1 is Wilson's, 2 about that of logits
Bounds = tuple[float, float]
FREE: Bounds = (-np.inf, np.inf)
PART: Bounds = (0.0, 1.0)  # of a whole
APART: Bounds = (-1.0, 1.0)  # two parts


class Clusters:
    """A label of each unit for each way in which units are alike; those without one stand alone.

    >>> Clusters(noun=["nurse", "nurse", "clerk"], template=["", "", ""])
    Clusters(3 units: 2 nouns)
    """

    def __init__(self, **labels: Sequence[object]) -> None:
        self.codes = {
            name: _coded(given) for name, given in labels.items() if any(map(_known, given))
        }
        self.n = max(map(len, labels.values()), default=0)

    @classmethod
    def of(cls, things: Iterable[object]) -> Clusters:
        """By the `noun` and the `template` of items, or of whatever has them."""
        all_of = list(things)
        return cls(**{name: [getattr(one, name, None) for one in all_of] for name in FACTORS})

    @classmethod
    def of_rows(cls, rows: pd.DataFrame) -> Clusters:
        """By the columns `noun` and `template`, those that are there."""
        return cls(**{name: rows[name].tolist() for name in FACTORS if name in rows})

    def count(self, name: str) -> int | None:
        """How many levels a factor has; None if nothing is known of it."""
        return int(self.codes[name].max()) + 1 if name in self.codes else None

    def __repr__(self) -> str:
        return f"Clusters({self.n} units: {self.over or 'alone'})"

    @property
    def over(self) -> str:
        """What the units share, in words; empty where each stands alone."""
        return _told(self._used(np.ones(self.n, bool)))

    def _used(self, kept: np.ndarray[Any, np.dtype[np.bool_]]) -> dict[str, Codes]:
        """The codes, from 0, of the kept units, by the factors that have two levels among them."""
        if self.codes and len(kept) != self.n:
            raise CueScopeError(
                "labels do not match the units", expected=f"{len(kept)} labels", found=str(self.n)
            )
        found = {name: _coded(codes[kept].tolist()) for name, codes in self.codes.items()}
        return {name: codes for name, codes in found.items() if codes.max(initial=0) > 0}


@dataclass(frozen=True)
class Estimate:
    """A statistic with its interval; NaN bounds where nothing can be left out."""

    value: Array
    low: Array
    high: Array
    error: Array  # standard error
    n: int
    over: str  # what was left out in turn: "18 nouns × 33 templates"; empty: the units themselves
    spread: Spread

    @property
    def p(self) -> Array:
        """Of a t-test against 0, two-sided, one of many: what units share is taken to matter."""
        return self._beyond(np.abs(self.value))

    def chance(self, least: float) -> Array:
        """Of a number so far from 0 or further, if 0 is the truth."""
        return self._beyond(np.full_like(self.value, least))

    def _beyond(self, distance: Array) -> Array:
        careful = self.spread.cautious()
        with np.errstate(divide="ignore", invalid="ignore"):
            return 2 * careful.tail(distance / np.sqrt(careful.variance))


def estimate(
    table: Array,
    statistic: Statistic,
    clusters: Clusters | None = None,
    *,
    scale: Scale = "number",
    bounds: Bounds = FREE,
    level: float = LEVEL,
) -> Estimate:
    """A statistic of the column sums of a table [unit, …], with its interval.

    `statistic` gets sums […] or a stack of them [part, …]. Rows of zeros count for nothing. What
    cannot lie outside its `bounds` has no interval outside. A share's is a score interval.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [0, 1]])  # hits, units
    >>> estimate(rows, ratio, Clusters(noun=["a", "b", "a", "b"])).over
    '2 nouns'
    """
    table = np.asarray(table, dtype=np.float64)
    kept = np.any(table != 0, axis=tuple(range(1, table.ndim)))
    used = clusters._used(kept) if clusters is not None else {}
    table = table[kept]
    tail = (1 - level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.asarray(statistic(table.sum(0)), dtype=np.float64)
        found = spread(table, value, statistic, list(used.values()))
        error = np.sqrt(found.variance)
        if scale == "share":
            low, high = _score(value, found, tail)
        else:
            wide = found.times(np.full(value.shape, tail)) * error
            low, high = value - wide, value + wide
    low, high = np.clip(low, *bounds), np.clip(high, *bounds)
    return Estimate(value, low, high, error, len(table), _told(used), found)


def ratio(sums: Array) -> Array:
    """The first column's sum over the second's."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _score(share: Array, found: Spread, tail: float) -> tuple[Array, Array]:
    """Every share at which the one found would not be rare.

    Of independent units the variance goes with p(1-p): that is Wilson's interval. Of nouns that
    differ it grows faster, as a sample without the noun that has most of the hits shows too low a
    share and too small a variance at once; but never beyond that of nouns that are all or nothing.
    With no hit, or no miss, it is the exact binomial one of so many cells.
    """
    error = found.times(np.full(share.shape, tail)) * np.sqrt(found.variance)
    low, high = _not_rare(share, error, GROWTH if found.levels else 1.0)
    if found.levels:
        least, most = _not_rare(share, found.all_or_nothing(tail) * np.sqrt(share * (1 - share)), 1)
        low, high = np.fmax(low, least), np.fmin(high, most)
    edge = tail ** (1 / found.cells) if found.cells > 1 else np.nan
    none, all_of = np.where(edge > 0, 0.0, np.nan), np.where(edge > 0, 1.0, np.nan)
    low = np.where(share <= 0, none, np.where(share >= 1, edge, low))
    high = np.where(share >= 1, all_of, np.where(share <= 0, 1 - edge, high))
    return low, high


def _not_rare(share: Array, error: Array, growth: float) -> Array:
    """The ends, by halving; `error` times the growth of p(1-p) lies between share and end."""
    wide = error / (share * (1 - share)) ** (growth / 2)
    if wide.ndim == 0:  # most are a single number, of which arrays make slow work
        return np.array([_end(float(share), side, float(wide), growth / 2) for side in (0.0, 1.0)])
    near = np.stack([share, share])
    beyond = np.stack([np.zeros_like(share), np.ones_like(share)])
    for _ in range(_HALVINGS):
        middle = (near + beyond) / 2
        within = np.abs(middle - share) <= wide * (middle * (1 - middle)) ** (growth / 2)
        near, beyond = np.where(within, middle, near), np.where(within, beyond, middle)
    return np.where(np.isfinite(wide), near, np.nan)


def _end(share: float, beyond: float, wide: float, power: float) -> float:
    """One end of one share, likewise."""
    if not math.isfinite(wide):
        return math.nan
    near = share
    for _ in range(_HALVINGS):
        middle = (near + beyond) / 2
        if abs(middle - share) <= wide * (middle * (1 - middle)) ** power:
            near = middle
        else:
            beyond = middle
    return near


def _known(label: object) -> bool:
    return label is not None and label != "" and label == label  # NaN is not itself


def _coded(labels: Sequence[object]) -> Codes:
    """Labels as numbers from 0, in the order in which they come."""
    codes: dict[object, int] = {}
    alone = (
        codes.setdefault(x if _known(x) else ("alone", at), len(codes))
        for at, x in enumerate(labels)
    )
    return np.fromiter(alone, dtype=np.int64, count=len(labels))


def _told(used: Mapping[str, Codes]) -> str:
    return " × ".join(f"{codes.max() + 1} {name}s" for name, codes in used.items())
