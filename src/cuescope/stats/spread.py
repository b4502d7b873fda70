"""How far a statistic would move with other nouns and templates, and how well that is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
Codes = np.ndarray[Any, np.dtype[np.int64]]
Statistic = Callable[[Array], Array]  # of column sums


@dataclass(frozen=True)
class Spread:
    """A jackknife's variance, and the Student distributions that its factors ask for.

    The critical value is the mean of the factors' own, weighted by their variances (Cochran & Cox
    1950): four templates that matter little do not make a number as unsure as four templates.
    """

    variance: Array
    weights: Array  # [factor, …], of each factor in the variance; they add up to 1
    df: Array  # [factor, …]
    cells: float  # how many of the smallest parts there are
    factors: Array  # weights that take the factors to show, whether they do or not
    largest: Array  # of the variance and each factor's own (MacKinnon, Nielsen & Webb 2024)
    levels: tuple[float, ...] = ()  # how many parts each factor has; unequal ones count less

    def cautious(self) -> Spread:
        """For a test of many: among many numbers, some look as if nothing were shared by chance.

        They would be taken for as sure as single cells make them, or as one factor less the other's
        noise, and stand out for that.
        """
        return replace(self, weights=self.factors, variance=self.largest)

    def times(self, tail: Array) -> Array:
        """How many standard errors lie between the value and a bound with this much beyond it."""
        from scipy.special import stdtrit

        found: Array = -(self.weights * stdtrit(self.df, tail)).sum(0)
        return found

    def all_or_nothing(self, tail: float) -> float:
        """Standard errors from a share to its bound, in √p(1-p), if no part were divided."""
        from scipy.special import stdtrit

        per = 1 / np.array(self.levels)
        return float(np.sqrt(per.sum()) * -np.average(stdtrit(1 / per - 1, tail), weights=per))

    def tail(self, times: Array) -> Array:
        """How much lies beyond so many standard errors: `times` turned round, by halving."""
        low, high = np.full(times.shape, -80.0), np.full(times.shape, np.log(0.5))
        for _ in range(50):
            middle = (low + high) / 2
            near = self.times(np.exp(middle)) > times
            low, high = np.where(near, middle, low), np.where(near, high, middle)
        found: Array = np.where(np.isnan(times), np.nan, np.exp((low + high) / 2))
        return found


@dataclass(frozen=True)
class _Way:
    """What leaving out the parts of one partition says."""

    variance: Array
    parts: float  # unequal ones count less
    df: Array


def spread(table: Array, value: Array, statistic: Statistic, factors: Sequence[Codes]) -> Spread:
    """Over all factors together: their variances add up, less what they have in common.

    What they have in common, single cells, is the least that it can be. If it is no more than that,
    the factors do not show, and it is known as well as so many cells make it.
    """
    units = np.arange(len(table))
    crossed = np.stack(factors, 1) if len(factors) > 1 else None
    cells = units if crossed is None else np.unique(crossed, axis=0, return_inverse=True)[1]
    least = _left_out(table, value, statistic, cells.ravel())
    rest = np.full((1, *value.shape), least.parts - 1)
    if not factors:
        alone, ones = least.variance, np.ones_like(rest)
        return Spread(alone, ones, rest, least.parts, ones, alone)
    made = [_left_out(table, value, statistic, codes) for codes in factors]
    ways = np.stack([way.variance for way in made])
    found = ways.sum(0) - (len(ways) - 1) * least.variance
    shows = found > least.variance
    parts = ways / np.where(ways.sum(0) > 0, ways.sum(0), 1.0)
    weights = np.where(shows, parts, 0.0)
    known = ways.sum(0) > 0  # all alike: it is not
    variance = np.where(known, np.maximum(found, least.variance), np.nan)
    return Spread(
        variance,
        np.concatenate([weights, ~shows[None]]),
        np.concatenate([*(way.df[None] for way in made), rest]),
        least.parts,
        np.concatenate([parts, np.zeros_like(rest)]),
        np.maximum(variance, ways.max(0)),
        tuple(way.parts for way in made),
    )


def _left_out(table: Array, value: Array, statistic: Statistic, codes: Codes) -> _Way:
    """The variance as each part is left out, with its degrees of freedom.

    They are those of so many parts of unequal size, or fewer, if most of the variance comes from a
    few of the parts: the variance of a variance is (2 / (k - 1) + kurtosis / k) times its square.
    """
    count = int(codes.max(initial=-1)) + 1
    if count < 2:
        return _Way(np.full(value.shape, np.nan), float(count), np.full(value.shape, np.nan))
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums = np.add.reduceat(table[order], starts, axis=0)
    without = np.asarray(statistic(table.sum(0) - sums), dtype=np.float64)
    variance = (count - 1) / count * np.square(without - value).sum(0)
    apart = without - without.mean(0)
    kurtosis = count * (apart**4).sum(0) / np.square((apart**2).sum(0)) - 3
    known = 2 / (2 / (count - 1) + np.fmax(kurtosis, 0.0) / count)
    sizes = np.bincount(codes).astype(float)
    parts = float(sizes.sum() ** 2 / np.square(sizes).sum())
    return _Way(variance, parts, np.maximum(1.0, np.minimum(known, parts - 1)))
