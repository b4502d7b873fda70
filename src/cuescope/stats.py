"""Statistics behind the measures: bootstrap intervals, McNemar, logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.measures.value import Value
from cuescope.signature import Signature

if TYPE_CHECKING:
    import pandas as pd

Array = np.ndarray[Any, np.dtype[np.float64]]
DRAWS, SEED = 2000, 7


def bootstrap(
    name: str,
    counts: Sequence[Sequence[int]],
    statistic: Callable[..., Array],
    *,
    n: int | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    level: float = 0.95,
    signature: Signature | None = None,
) -> Value:
    """A statistic of counted cells with its percentile interval.

    `counts` holds one row of cells per independent sample; `statistic` gets the rows as arrays
    whose last axis is the cells. Redrawing sentences is redrawing the cells of a multinomial,
    so all draws are made at once.

    >>> half = bootstrap("accuracy", [[50, 50]], lambda cells: cells[..., 0] / cells.sum(-1))
    >>> half.value, half.n, 0.39 < half.low < 0.42
    (0.5, 100, True)
    """
    rng = np.random.default_rng(seed)
    rows = [np.asarray(row, dtype=np.float64) for row in counts]
    total = int(sum(row.sum() for row in rows)) if n is None else n
    if total == 0 or any(row.sum() == 0 for row in rows):
        return Value(name, float("nan"), float("nan"), float("nan"), 0, signature or Signature())
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(statistic(*rows))
        redrawn = [rng.multinomial(int(r.sum()), r / r.sum(), size=draws) for r in rows]
        found = statistic(*(r.astype(np.float64) for r in redrawn))
    found = found[np.isfinite(found)]
    tail = (1 - level) / 2
    low, high = np.quantile(found, [tail, 1 - tail]) if len(found) else (value, value)
    return Value(name, value, float(low), float(high), total, signature or Signature())


def share(name: str, hits: int, n: int, **options: Any) -> Value:
    """A share with its interval.

    >>> share("accuracy", 3, 4).value
    0.75
    """
    return bootstrap(name, [[hits, n - hits]], lambda c: c[..., 0] / c.sum(-1), **options)


def difference(name: str, first: tuple[int, int], second: tuple[int, int], **options: Any) -> Value:
    """The difference of two shares `(hits, n)` of separate samples, as Δ in papers A and D.

    >>> round(difference("delta", (8, 10), (3, 10)).value, 3)
    0.5
    """
    rows = [[hits, n - hits] for hits, n in (first, second)]
    return bootstrap(
        name, rows, lambda a, b: a[..., 0] / a.sum(-1) - b[..., 0] / b.sum(-1), **options
    )


@dataclass(frozen=True)
class McNemar:
    """Twins of which only one was right: how many each way, and how surprising that is."""

    only_first: int
    only_second: int
    statistic: float
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> McNemar:
    """McNemar's test on paired outcomes, exact where few twins differ (< 25), χ² else.

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
    value and a constant number drop out: their effect cannot be told from the intercept.
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
    try:
        fit = sm.Logit(right, design).fit(disp=0, maxiter=200)
    except np.linalg.LinAlgError:
        raise CueScopeError(
            "the regression has no unique answer",
            expected="terms that vary independently",
            found=f"a singular design of {', '.join(columns)}",
            do="leave out a term, or add systems or occupations",
        ) from None
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
