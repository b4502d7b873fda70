"""Did a share fall by more than was allowed, beyond chance? For two releases on the same units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cuescope.stats.intervals import APART, Array, Clusters, Estimate, estimate
from cuescope.stats.value import Value

FLIPS, EXACT, SEED = 20_000, 14, 7  # up to so many nouns that changed, every flip is tried


def _apart(sums: Array) -> Array:
    return np.asarray((sums[..., 1] - sums[..., 0]) / sums[..., 2])


def _compared(before: Sequence[bool], after: Sequence[bool], clusters: Clusters | None) -> Estimate:
    columns = [np.asarray(one, dtype=float) for one in (before, after)]
    table = np.stack([*columns, np.ones(len(columns[0]))], axis=1)
    return estimate(table, _apart, clusters, bounds=APART)


def change(
    name: str, before: Sequence[bool], after: Sequence[bool], clusters: Clusters | None = None
) -> Value:
    """The share after less that before, over the same units, with its paired interval.

    >>> change("MPA", [True, True, False, True], [True, False, False, True]).value
    -0.25
    """
    found = _compared(before, after, clusters)
    bounds = (float(found.low), float(found.high))
    if list(before) == list(after):  # nothing changed: there is no chance in that
        bounds = (float("nan"),) * 2
    return Value(name, float(found.value), *bounds, found.n, over=found.over)


class Fall(NamedTuple):
    """p of a fall, and the smallest p that changes in so many nouns could have had at all."""

    p: float
    least: float


def fall(
    before: Sequence[bool],
    after: Sequence[bool],
    clusters: Clusters | None = None,
    allowed: float = 0.0,
) -> Fall:
    """How often a fall is so large by chance, if the true one is no more than `allowed`.

    Before and after are exchanged at random, whole nouns (and whole templates) at a time: three
    nouns that fell and none that rose are 1 in 8, however many sentences they have. Where some fall
    is allowed that is not exact, and Student's p over nouns and templates must be as small too.

    >>> fall([True] * 10, [False] * 5 + [True] * 5)
    Fall(p=0.03125, least=0.03125)
    """
    found = _compared(before, after, clusters)
    net = np.asarray(before, dtype=float) - np.asarray(after, dtype=float) - allowed
    ways = list(clusters.codes.values()) if clusters is not None else []
    parts = [np.bincount(codes, net).astype(float) for codes in ways] or [net]
    falls = [_flipped(one[np.abs(one) > 1e-12]) for one in parts]
    p, least = (max(column) for column in zip(*falls, strict=True))
    drop, error = -float(found.value) - allowed, float(found.error)
    if not found.n or drop <= 0:
        return Fall(1.0, least)
    if allowed and error > 0:
        p = max(p, float(found.spread.tail(np.asarray(drop / error))))
    return Fall(p, least)


def _flipped(parts: Array) -> Fall:
    """How often the parts fall as far when their signs are drawn at random; all ways if few."""
    sizes, reached = np.abs(parts), parts.sum() - 1e-9
    if len(parts) <= EXACT:
        signs = 2 * (np.arange(2 ** len(parts))[:, None] >> np.arange(len(parts)) & 1) - 1
        return Fall(float((signs @ sizes >= reached).mean()), 0.5 ** len(parts))
    drawn = np.random.default_rng(SEED).integers(0, 2, (FLIPS, len(parts)), dtype=np.int8)
    far = int(((2.0 * drawn - 1) @ sizes >= reached).sum())
    return Fall((far + 1) / (FLIPS + 1), 1 / (FLIPS + 1))


def tarone(falls: Sequence[Fall], level: float) -> list[float]:
    """p adjusted for the number of those that could have been below `level` at all.

    What cannot be significant cannot be so falsely (Tarone 1990): a share in which two nouns
    changed costs the others nothing.

    >>> tarone([Fall(0.03, 0.03), Fall(1.0, 0.25)], 0.05), tarone([Fall(0.03, 0.01)] * 2, 0.05)
    ([0.03, 1.0], [0.06, 0.06])
    """
    count = 1
    while sum(one.least <= level / count for one in falls) > count:
        count += 1
    return [min(1.0, one.p * count) for one in falls]
