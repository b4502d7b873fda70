"""The one interval of every number: the jackknife over what units share, their nouns and templates.

Sentences with one noun, or from one template, tend to go right or wrong together. Each noun (each
template) is left out in turn, and the spread of what is left says how sure the number is. Two ways
of sharing add up, less what they have in common (Cameron, Gelbach & Miller 2011; as a jackknife:
MacKinnon, Nielsen & Webb 2024). Redrawing percentiles instead cover 80 to 92 % on such data where
these cover 93 to 97 %: see probes/coverage.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    import pandas as pd

Array = np.ndarray[Any, np.dtype[np.float64]]
Codes = np.ndarray[Any, np.dtype[np.int64]]
Statistic = Callable[[Array], Array]
Scale = Literal["share", "number"]
FACTORS = ("noun", "template")
LEVEL = 0.95
SKEWED = 0.5  # nouns' shares of hits are skewed: their variance is known as if from half as many


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
        return f"Clusters({self.n} units: {_told(self._used(np.ones(self.n, bool))) or 'alone'})"

    def _used(self, kept: np.ndarray[Any, np.dtype[np.bool_]]) -> dict[str, Codes]:
        """The codes, from 0, of the kept units, by the factors that have two levels among them."""
        if self.codes and len(kept) != self.n:
            raise CueScopeError(
                "labels do not match the units", expected=f"{len(kept)} labels", found=str(self.n)
            )
        found = {name: _coded(codes[kept].tolist()) for name, codes in self.codes.items()}
        return {name: codes for name, codes in found.items() if codes.max(initial=0) > 0}


class Estimate(NamedTuple):
    """A statistic with its interval; NaN bounds where nothing can be left out."""

    value: Array
    low: Array
    high: Array
    error: Array  # standard error
    df: Array
    n: int
    over: str  # what was left out in turn: "18 nouns × 33 templates"; empty: the units themselves
    fewest: float  # parts of the factor that has the fewest

    @property
    def p(self) -> Array:
        """Of a t-test against 0, two-sided; far out, the fewest parts say how much is known."""
        from scipy.special import stdtr

        df = np.minimum(self.df, max(1.0, self.fewest - 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Array = 2 * stdtr(df, -np.abs(self.value / self.error))
        return found


@dataclass(frozen=True)
class _Spread:
    """The jackknife's variance over one partition of the units, and how many parts it is worth."""

    variance: Array
    parts: float


def estimate(
    table: Array,
    statistic: Statistic,
    clusters: Clusters | None = None,
    *,
    scale: Scale = "number",
    level: float = LEVEL,
) -> Estimate:
    """A statistic of the column sums of a table [unit, …], with its interval.

    `statistic` gets sums […] or a stack of them [part, …]. Rows of zeros count for nothing. A
    share's interval is made on the logit scale, where it is as wide as few hits make it; with no
    hit, or no miss, it is the exact binomial one.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [0, 1]])  # hits, units
    >>> estimate(rows, ratio, Clusters(noun=["a", "b", "a", "b"])).over
    '2 nouns'
    """
    table = np.asarray(table, dtype=np.float64)
    kept = np.any(table != 0, axis=tuple(range(1, table.ndim)))
    used = clusters._used(kept) if clusters is not None else {}
    table = table[kept]
    total = table.sum(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.asarray(statistic(total), dtype=np.float64)
        worth = SKEWED if scale == "share" else 1.0
        variance, df, fewest = _variance(table, total, value, statistic, list(used.values()), worth)
        low, high = _bounds(value, np.sqrt(variance), df, len(table), scale, level)
    return Estimate(value, low, high, np.sqrt(variance), df, len(table), _told(used), fewest)


def ratio(sums: Array) -> Array:
    """The first column's sum over the second's."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def _variance(
    table: Array,
    total: Array,
    value: Array,
    statistic: Statistic,
    factors: list[Codes],
    worth: float,
) -> tuple[Array, Array, float]:
    """The variance over all factors together, its degrees of freedom, and the fewest parts.

    It is never less than that of the smallest parts: a sum of few squares can be too small by
    chance, and the difference of two even below 0.
    """
    units = np.arange(len(table))
    cells = _coded(list(zip(*(f.tolist() for f in factors), strict=True))) if factors else units
    if len(factors) == 1:
        cells = units

    def spread(codes: Codes) -> _Spread:
        return _left_out(table, total, value, statistic, codes)

    least = spread(cells)
    if not factors:
        return least.variance, np.full(value.shape, least.parts - 1), least.parts
    ways = [spread(codes) for codes in factors]
    found = sum(way.variance for way in ways) - (len(ways) - 1) * least.variance
    fewest = max(2.0, worth * min(way.parts for way in ways))
    found = np.maximum(found, least.variance)
    shared = 1 - least.variance / found  # how much of it comes from what units share
    df = 1 / (shared**2 / (fewest - 1) + (1 - shared) ** 2 / (least.parts - 1))
    return found, df, fewest


def _left_out(
    table: Array, total: Array, value: Array, statistic: Statistic, codes: Codes
) -> _Spread:
    """What the statistic becomes as each part is left out. Unequal parts are worth fewer equal."""
    count = int(codes.max(initial=-1)) + 1
    if count < 2:
        return _Spread(np.full(value.shape, np.nan), float(count))
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums = np.add.reduceat(table[order], starts, axis=0)
    without = np.asarray(statistic(total - sums), dtype=np.float64)
    sizes = np.bincount(codes).astype(float)
    variance = (count - 1) / count * np.square(without - value).sum(0)
    return _Spread(variance, float(sizes.sum() ** 2 / np.square(sizes).sum()))


def _bounds(
    value: Array, error: Array, df: Array, n: int, scale: Scale, level: float
) -> tuple[Array, Array]:
    from scipy.special import expit, logit, stdtrit

    tail = (1 - level) / 2
    times = stdtrit(np.maximum(df, 1), 1 - tail)
    if scale == "number":
        return value - times * error, value + times * error
    wide = times * error / (value * (1 - value))
    low, high = expit(logit(value) - wide), expit(logit(value) + wide)
    edge = tail ** (1 / n) if n > 1 else np.nan
    low = np.where(value <= 0, np.where(n > 1, 0.0, np.nan), np.where(value >= 1, edge, low))
    high = np.where(value >= 1, np.where(n > 1, 1.0, np.nan), np.where(value <= 0, 1 - edge, high))
    return low, high


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
