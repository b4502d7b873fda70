"""Statistics behind the measures: values with intervals, McNemar, Holm, logistic regression."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.signature import Signature
from cuescope.stats.intervals import (
    APART,
    FREE,
    Array,
    Bounds,
    Clusters,
    Scale,
    Statistic,
    estimate,
    ratio,
)
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

DRAWS, SEED = 2000, 7  # of what is redrawn: orders of models, halves of the pairs


def measured(
    name: str,
    table: Array,
    statistic: Statistic,
    clusters: Clusters | None = None,
    *,
    scale: Scale = "number",
    bounds: Bounds = FREE,
    percent: bool = True,
    signature: Signature | None = None,
) -> Value:
    """A statistic of the column sums of a table [unit, column], with the interval of its clusters.

    `bounds` are those of the quantity: an entropy has none below 0, and so no interval there.

    >>> measured("mean", np.array([[1.0, 1], [3, 1]]), ratio, percent=False).value
    2.0
    """
    found = estimate(table, statistic, clusters, scale=scale, bounds=bounds)
    numbers = (float(found.value), float(found.low), float(found.high))
    if not found.n:
        numbers = (float("nan"),) * 3
    return Value(name, *numbers, found.n, signature or Signature(), percent, found.over)


def share(
    name: str,
    hits: Sequence[bool] | int,
    n: Sequence[bool] | int | None = None,
    clusters: Clusters | None = None,
    *,
    signature: Signature | None = None,
) -> Value:
    """A share with its interval: of hits among the units that are there, or of counts.

    >>> share("accuracy", 3, 4).value, share("accuracy", [True, False, True, True]).value
    (0.75, 0.75)
    """
    if isinstance(hits, int):
        assert isinstance(n, int)
        right, there = np.arange(n) < hits, np.ones(n)
    else:
        right = np.asarray(hits, dtype=bool)
        there = np.ones(len(right)) if n is None else np.asarray(n, dtype=float)
    table = np.stack([right * there, there], axis=1).astype(float)
    return measured(name, table, ratio, clusters, scale="share", signature=signature)


def difference(
    name: str,
    hits: Sequence[bool],
    first: Sequence[bool],
    clusters: Clusters | None = None,
    *,
    signature: Signature | None = None,
) -> Value:
    """The share of hits among the `first` units less that among the others: Δ in papers A and D.

    >>> round(difference("delta", [True, True, False, True], [True, True, False, False]).value, 3)
    0.5
    """
    right, mine = np.asarray(hits, dtype=float), np.asarray(first, dtype=float)
    table = np.stack([right * mine, mine, right * (1 - mine), 1 - mine], axis=1)
    return measured(name, table, _apart, clusters, bounds=APART, signature=signature)


def _apart(sums: Array) -> Array:
    return np.asarray(ratio(sums[..., :2]) - ratio(sums[..., 2:]))


def holm(ps: Sequence[float], most: Sequence[float] | None = None) -> list[float]:
    """p values adjusted for their number: smallest first, times what is left; NaN stays.

    The chance that any below 0.05 is false is then 5 % at most, however they hang together. `most`:
    the chance of each to count at all, where what counts must be large too; it adds no more.

    >>> [round(p, 3) for p in holm([0.04, 0.01])]
    [0.04, 0.02]
    >>> [round(p, 3) for p in holm([0.04, 0.01], most=[0.003, 1.0])]
    [0.04, 0.013]
    """
    known = sorted((p, at) for at, p in enumerate(ps) if p == p)
    adjusted, least = list(ps), 0.0
    for rank, (p, at) in enumerate(known):
        others = [1.0 if most is None else most[other] for _, other in known[rank + 1 :]]
        least = max(least, min(1.0, p + sum(min(p, one) for one in others)))
        adjusted[at] = least
    return adjusted


@dataclass(frozen=True)
class McNemar:
    """Twins of which only one was right: how many each way, and how surprising that is."""

    only_first: int
    only_second: int
    statistic: float
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's test on paired outcomes, exact where few twins differ (< 25), χ² else.

    It takes pairs for independent: where they share nouns, its p is too small. Say so beside it.

    >>> mcnemar([True] * 9 + [False], [False] * 9 + [False]).p < 0.01
    True
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    a, b = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if a.shape != b.shape:
        raise CueScopeError(
            "paired outcomes differ in length", expected=f"{a.size} in both", found=str(b.size)
        )
    table = [[int((a & b).sum()), int((a & ~b).sum())], [int((~a & b).sum()), int((~a & ~b).sum())]]
    differ = table[0][1] + table[1][0]
    found = test(table, exact=differ < 25)
    return McNemar(table[0][1], table[1][0], float(found.statistic), float(found.pvalue))


@dataclass(frozen=True)
class Logistic:
    """A fitted logistic regression: terms with coefficient, standard error, z and p."""

    nobs: int
    llr: float
    llr_p: float
    df: int
    terms: Mapping[str, Mapping[str, float]]

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line: nobs, llr, terms."""
        terms = {name: dict(term) for name, term in self.terms.items()}
        return {
            "nobs": self.nobs,
            "llr": self.llr,
            "llr_p": self.llr_p,
            "df": self.df,
            "terms": terms,
        }


def z_normalise(values: Array) -> Array:
    """Mean 0 and standard deviation 1 over the known values; missing ones become 0 afterwards.

    >>> z_normalise(np.array([1.0, 3.0, np.nan])).tolist()
    [-1.0, 1.0, 0.0]
    """
    known = ~np.isnan(values)
    if known.any():
        spread = float(np.nanstd(values))
        values = (values - np.nanmean(values)) / (spread if spread > 0 else 1.0)
    return np.where(known, values, 0.0)


def logistic(
    frame: pd.DataFrame, outcome: str, categories: Sequence[str], numbers: Sequence[str]
) -> Logistic:
    """Logistic regression with treatment-coded categories, the first in the alphabet the default.

    Terms are named as statsmodels' formulas name them, `lang[T.Italian]`. A category with one
    value and a constant number drop out: their effect cannot be told from the intercept. Standard
    errors are those of independent rows.
    """
    import pandas as pd
    import statsmodels.api as sm

    columns: dict[str, Any] = {"Intercept": np.ones(len(frame))}
    for name in categories:
        for level in sorted(map(str, frame[name].unique()), key=str.casefold)[1:]:
            columns[f"{name}[T.{level}]"] = (frame[name].astype(str) == level).to_numpy(dtype=float)
    for name in numbers:
        values = frame[name].to_numpy(dtype=float)
        if np.ptp(values) > 0:
            columns[name] = values
    design = pd.DataFrame(columns, index=frame.index)
    right = frame[outcome].to_numpy(dtype=float)
    if right.min() == right.max():
        raise CueScopeError(
            "a regression needs right and wrong outcomes",
            found=f"all {len(right)} are {'right' if right[0] else 'wrong'}",
        )
    fit = None
    with warnings.catch_warnings(), suppress(np.linalg.LinAlgError):
        warnings.simplefilter("ignore")  # what it warns of is asked for below
        fit = sm.Logit(right, design).fit(disp=0, maxiter=200)
    if fit is None or not fit.mle_retvals["converged"] or not np.isfinite(fit.bse).all():
        raise CueScopeError(
            "the regression has no unique answer",
            expected="terms that vary independently",
            found=f"a singular design, or groups all right or all wrong, of {', '.join(columns)}",
            do="leave out a term, or add systems or occupations",
        )
    terms = {
        str(name): {
            "coef": float(fit.params[name]),
            "se": float(fit.bse[name]),
            "z": float(fit.tvalues[name]),
            "p": float(fit.pvalues[name]),
        }
        for name in design.columns
    }
    return Logistic(int(fit.nobs), float(fit.llr), float(fit.llr_pvalue), int(fit.df_model), terms)
