"""Relative measures of paper B: ΔI, ΔLogProb, norm-H, ΔH; every zero has a defined answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.signature import Signature
from cuescope.stats import measured
from cuescope.stats.intervals import FREE, Array, Bounds, Clusters
from cuescope.stats.value import Value


def relative(first: Array, second: Array, by: Literal["mean", "first"] = "mean") -> Array:
    """(first − second) / ½(first + second), from −2 to 2; of surprisals ΔI, of entropies ΔH.

    0 / 0 is 0: two certainties do not differ. Against an exact 0 it is ±2 whatever the size, and an
    infinite surprisal against a finite one is ±2 too; two infinities are 0. `by="first"` divides by
    the first alone, which is what paper B's Tables 4 and 15 print, and against its 0 is −∞.

    >>> relative(np.array([0.3, 0.0, 0.0]), np.array([0.1, 0.2, 0.0])).round(2).tolist()
    [1.0, -2.0, 0.0]
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (a - b) / ((a + b) / 2 if by == "mean" else a)
    if by == "mean":
        found = np.where(np.isinf(a) & np.isfinite(b), 2.0, found)
        found = np.where(np.isinf(b) & np.isfinite(a), -2.0, found)
    same: Array = np.where(a == b, 0.0, found)
    return same


def delta_surprisal(correct: Array, incorrect: Array) -> Array:
    """ΔI of a correct and an incorrect reference; below 0 the model prefers the correct one."""
    return relative(correct, incorrect)


def delta_logprob(correct: Array, incorrect: Array) -> Array:
    """ΔLogProb: the same of log probabilities, which are ≤ 0, so that the sign says the same.

    >>> delta_logprob(np.array([-10.0]), np.array([-30.0])).tolist()
    [-1.0]
    """
    return relative(correct, incorrect)


def delta_entropy(
    unambiguous: Array, ambiguous: Array, by: Literal["mean", "first"] = "mean"
) -> Array:
    """ΔH; below 0 the model is less sure where it should be: of the ambiguous source."""
    return relative(unambiguous, ambiguous, by)


def norm_entropy(entropies: Array) -> Array:
    """norm-H of contrast sets [..., member]: H over its set's mean, so that the mean is 1.

    A set in which every H is 0 gives 1s: each member is as uncertain as the mean.

    >>> norm_entropy(np.array([[0.0, 0.6, 0.0], [0.0, 0.0, 0.0]])).round(2).tolist()
    [[0.0, 3.0, 0.0], [1.0, 1.0, 1.0]]
    """
    mean = entropies.mean(-1, keepdims=True)
    found: Array = np.where(mean > 0, entropies / np.where(mean > 0, mean, 1.0), 1.0)
    return found


def of_means(
    name: str,
    rows: Sequence[Sequence[float]] | Array,
    statistic: Callable[[Array], Array],
    clusters: Clusters | None = None,
    *,
    bounds: Bounds = FREE,
    signature: Signature | None = None,
) -> Value:
    """A statistic of column means, with its interval over the items [item, column].

    Each item's own sampling noise is in its row, so this interval holds it too. It keeps within the
    `bounds` of the quantity.

    >>> of_means("H", [[1.0], [3.0]], lambda m: m[..., 0]).value
    2.0
    """
    table = np.asarray(rows, dtype=float)
    if not len(table):
        return Value(name, *(float("nan"),) * 3, 0, signature or Signature(), percent=False)
    if not np.isfinite(table).all():
        raise CueScopeError(
            f"{name}: a mean of what is not finite",
            expected="finite numbers",
            found=f"{int((~np.isfinite(table)).any(1).sum())} of {len(table)} rows are not",
            do="let a reference count among the samples (`itself=True`), or leave those rows out",
        )
    counted = np.hstack([table, np.ones((len(table), 1))])

    def of_sums(sums: Array) -> Array:
        return statistic(sums[..., :-1] / sums[..., -1:])

    return measured(
        name, counted, of_sums, clusters, bounds=bounds, percent=False, signature=signature
    )
