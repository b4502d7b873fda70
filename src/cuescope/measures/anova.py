"""ANOVA of a measure on the bias cues: each level against the reference group (paper B)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cuescope.data.cues.levels import CUES
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    import pandas as pd

Test = Literal["pooled", "welch", "cluster"]
ALPHA = 0.05


@dataclass(frozen=True)
class Effect:
    """One level against the reference group: the difference of means, and its t-test."""

    level: str
    coef: float
    se: float
    t: float
    p: float
    n: int

    @property
    def significant(self) -> bool:
        """p < 0.05, bold in the paper's tables."""
        return self.p < ALPHA


@dataclass(frozen=True)
class OneWay:
    """The single effect of one cue: an effect per level, and the F test of all together."""

    cue: str
    reference: str
    mean: float  # of the reference group
    n_reference: int
    effects: tuple[Effect, ...]
    f: float
    p: float
    eta2: float  # share of the variance that the cue explains
    left_out: int = 0  # rows without a level or a value

    def __getitem__(self, level: str) -> Effect:
        for effect in self.effects:
            if effect.level == level:
                return effect
        raise CueScopeError(
            f"{self.cue} has no such effect",
            expected=", ".join(effect.level for effect in self.effects),
            found=level,
        )


@dataclass(frozen=True)
class Anova:
    """The single effects of several cues on one response; what could not be estimated, and why."""

    response: str
    cues: Mapping[str, OneWay]
    test: Test
    not_estimated: Mapping[str, str] = field(default_factory=dict)

    def table(self) -> pd.DataFrame:
        """One row a level: coefficient, standard error, t, p, n, significant."""
        import pandas as pd

        rows = [
            {"cue": cue, **vars(effect), "significant": effect.significant}
            for cue, one in self.cues.items()
            for effect in one.effects
        ]
        return pd.DataFrame(rows)


def one_way(
    values: Sequence[float],
    levels: Sequence[str | None],
    reference: str,
    *,
    cue: str = "",
    order: Iterable[str] = (),
    test: Test = "pooled",
    groups: Sequence[Any] | None = None,
) -> OneWay:
    """The effect of each level against the reference group.

    pooled: one variance for all groups, as in the ANOVA. welch: each group its own. cluster:
    robust against dependence within `groups`: the versions of a sentence are not independent.

    >>> found = one_way([1, 2, 3, 5, 6, 7], ["N", "N", "N", "F", "F", "F"], "N")
    >>> round(found["F"].coef, 6), round(found["F"].t, 3), round(found.f, 2)
    (4.0, 4.899, 24.0)
    """
    y, given = np.asarray(values, dtype=float), np.asarray(levels, dtype=object)
    if y.shape != given.shape:
        raise CueScopeError(
            "values and levels do not match", expected=f"{y.size} levels", found=str(given.size)
        )
    known = np.isfinite(y) & np.array([isinstance(level, str) for level in given], dtype=bool)
    left_out = int((~known).sum())
    y, given = y[known], given[known]
    present = [*dict.fromkeys([*order, *sorted(set(given))])]
    names = [level for level in present if level != reference and (given == level).any()]
    _check(cue, y, given, reference, names)
    design = np.column_stack([np.ones(y.size), *((given == level) for level in names)])
    clusters = None if groups is None else np.asarray(groups, dtype=object)[known]
    fit = _fit(y, design.astype(float), test, clusters)
    total = float(((y - y.mean()) ** 2).sum())
    columns = [[float(x) for x in column] for column in fit[:4]]
    effects = [
        Effect(level, coef, se, t, p, int((given == level).sum()))
        for level, coef, se, t, p in zip(names, *(column[1:] for column in columns), strict=True)
    ]
    return OneWay(
        cue=cue,
        reference=reference,
        mean=float(fit[0][0]),
        n_reference=int((given == reference).sum()),
        effects=tuple(effects),
        f=fit[4],
        p=fit[5],
        eta2=1 - fit[6] / total if total > 0 else float("nan"),
        left_out=left_out,
    )


def anova(
    frame: pd.DataFrame,
    response: str,
    *,
    cues: Iterable[str] | None = None,
    references: Mapping[str, str] | None = None,
    test: Test = "pooled",
    groups: str | None = None,
) -> Anova:
    """Single effects of each cue on a column, from a table such as `cue_table` with measures.

    Reference groups are the paper's: N, 'no name', 'no default', 'unambiguous'. A cue that has
    no reference group or nothing but one is listed under `not_estimated` with the reason.
    """
    chosen = [cue for cue in CUES if cue in frame] if cues is None else list(cues)
    missing = [name for name in (response, *chosen) if name not in frame]
    if missing or not chosen:
        raise CueScopeError(
            "the table lacks columns",
            expected=f"{response} and at least one cue of {', '.join(CUES)}",
            found=f"no {', '.join(missing) or 'cue'} among {', '.join(map(str, frame.columns))}",
        )
    found: dict[str, OneWay] = {}
    failed: dict[str, str] = {}
    clusters = frame[groups].tolist() if groups else None
    for cue in chosen:
        order = CUES.get(cue, ())
        reference = (references or {}).get(cue) or (order[-1] if order else "N")
        try:
            found[cue] = one_way(
                frame[response].tolist(),
                frame[cue].tolist(),
                reference,
                cue=cue,
                order=order,
                test=test,
                groups=clusters,
            )
        except CueScopeError as reason:
            failed[cue] = f"{reason.what}: {reason.found}"
    return Anova(response, found, test, failed)


def _check(cue: str, y: Any, levels: Any, reference: str, names: list[str]) -> None:
    size = int((levels == reference).sum())
    if not size or not names:
        raise CueScopeError(
            f"no effect of {cue or 'this cue'} can be told",
            expected=f"items of the reference group {reference!r} and of another",
            found=f"{size} of the reference, {y.size - size} others",
        )
    if y.size - len(names) - 1 < 1:
        raise CueScopeError(
            f"too few items for the effect of {cue or 'this cue'}",
            expected=f"more than {len(names) + 1}",
            found=str(y.size),
        )


def _fit(y: Any, design: Any, test: Test, groups: Any) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """Coefficients, errors, t, p; F, its p, and the residual sum of squares."""
    import statsmodels.api as sm

    if test not in ("pooled", "welch", "cluster"):
        raise CueScopeError("no such t-test", expected="pooled, welch or cluster", found=test)
    if test == "cluster" and groups is None:
        raise CueScopeError(
            "which rows belong together?", expected="groups", found="none", do="name them: groups="
        )
    plain = sm.OLS(y, design).fit()
    fit = plain
    if test == "cluster":
        codes = np.unique(groups.astype(str), return_inverse=True)[1]
        fit = sm.OLS(y, design).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    columns = (fit.params, fit.bse, fit.tvalues, fit.pvalues)
    if test == "welch":
        columns = _welch(y, design, plain.params)
    return (*columns, float(plain.fvalue), float(plain.f_pvalue), float(plain.ssr))


def _welch(y: Any, design: Any, params: Any) -> tuple[Any, Any, Any, Any]:
    """Each level against the reference group with its own variance (Welch's t)."""
    from scipy import stats

    base = y[design[:, 1:].sum(1) == 0]
    errors, ts, ps = [np.nan], [np.nan], [np.nan]
    for column in design.T[1:]:
        ours = y[column == 1]
        with np.errstate(all="ignore"):
            found = stats.ttest_ind(ours, base, equal_var=False)
            spread = ours.var(ddof=1) / ours.size + base.var(ddof=1) / base.size
        errors.append(float(np.sqrt(spread)))
        ts.append(float(found.statistic))
        ps.append(float(found.pvalue))
    return params, np.array(errors), np.array(ts), np.array(ps)
