"""Do two measures put the models in the same order? Kendall's τ and Spearman's ρ (paper B)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.stats import DRAWS, SEED
from cuescope.stats.shown import shown

_FEW = 8  # so many models have few enough orders to try them all
Method = Literal["kendall", "spearman"]


@dataclass(frozen=True)
class Correlation:
    """A rank correlation with its p and its bootstrap interval; `over` says what was redrawn.

    >>> Correlation("kendall", -0.58, -0.9, -0.1, 0.01, 12, "models")
    kendall = -0.58 [-0.90, -0.10], p = 0.010 (n = 12, over models)
    """

    method: Method
    value: float
    low: float
    high: float
    p: float
    n: int
    over: str

    def __repr__(self) -> str:
        told = shown(self.value, self.low, self.high, unit="number", digits=2)
        return f"{self.method} = {told}, p = {self.p:.3f} (n = {self.n}, over {self.over})"


def rank_correlation(
    first: Mapping[str, float | Sequence[float]],
    second: Mapping[str, float | Sequence[float]],
    method: Method = "kendall",
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    level: float = 0.95,
) -> Correlation:
    """The agreement of two measures on the same models, by name.

    With one number a model, the interval comes from redrawing models. With a list of values a
    model (one an item, the same items for all), it comes from redrawing items, and a model's
    number is their mean.

    >>> a, b = {"x": 1.0, "y": 2.0, "z": 3.0}, {"x": 0.1, "y": 0.5, "z": 0.9}
    >>> rank_correlation(a, b).value
    1.0
    """
    if method not in ("kendall", "spearman"):
        raise CueScopeError("no such correlation", expected="kendall or spearman", found=method)
    if set(first) != set(second) or len(first) < 3:
        raise CueScopeError(
            "two measures of the same models are needed",
            expected="the same three models or more in both",
            found=f"{', '.join(first)} / {', '.join(second)}",
        )
    names = list(first)
    a, b = (_matrix([m[name] for name in names]) for m in (first, second))
    value, p = _correlate(a.mean(1), b.mean(1), method)
    if method == "spearman" and len(names) <= _FEW:
        p = _exact(a.mean(1), b.mean(1))
    rng = np.random.default_rng(seed)
    over = "items" if max(a.shape[1], b.shape[1]) > 1 else "models"
    found = []
    known: dict[tuple[int, ...], float] = {}  # few models can be redrawn in few ways
    for _ in range(draws):
        if over == "models":
            rows = np.sort(rng.integers(len(names), size=len(names)))
            redrawn = a[rows, 0], b[rows, 0]
            key = tuple(rows.tolist())
            if key in known:
                found.append(known[key])
                continue
        else:
            redrawn = _redraw(a, b, rng)
        if np.ptp(redrawn[0]) > 0 and np.ptp(redrawn[1]) > 0:
            found.append(_correlate(*redrawn, method)[0])
            if over == "models":
                known[key] = found[-1]
    tail = (1 - level) / 2
    low, high = np.quantile(found, [tail, 1 - tail]) if found else (np.nan, np.nan)
    return Correlation(method, value, float(low), float(high), p, len(names), over)


def _redraw(a: Any, b: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Means over redrawn items; the same items for both measures where they have the same."""
    rows = rng.integers(a.shape[1], size=a.shape[1])
    same = a.shape[1] == b.shape[1]
    other = rows if same else rng.integers(b.shape[1], size=b.shape[1])
    return a[:, rows].mean(1), b[:, other].mean(1)


def _matrix(values: Sequence[float | Sequence[float]]) -> Any:
    """[model, item], one item where a model has one number."""
    rows = [np.atleast_1d(np.asarray(value, dtype=float)) for value in values]
    if len({row.size for row in rows}) != 1 or not all(np.isfinite(row).all() for row in rows):
        raise CueScopeError(
            "the models cannot be compared",
            expected="finite values, the same number for each model",
            found=", ".join(f"{row.size} ({int((~np.isfinite(row)).sum())} not)" for row in rows),
        )
    return np.stack(rows)


def _correlate(a: Any, b: Any, method: Method) -> tuple[float, float]:
    from scipy import stats

    found = stats.kendalltau(a, b) if method == "kendall" else stats.spearmanr(a, b)
    return float(found.statistic), float(found.pvalue)


def _exact(a: Any, b: Any) -> float:
    """Spearman's p from all orders of a few models: scipy's t would make 1.00 of three certain.

    >>> round(_exact(np.array([1, 2, 3]), np.array([1, 2, 3])), 3)
    0.333
    """
    from scipy import stats

    first, second = (stats.rankdata(values) - (len(values) + 1) / 2 for values in (a, b))
    orders = np.array(list(permutations(second)))
    return float(np.mean(np.abs(orders @ first) >= abs(second @ first) - 1e-9))
