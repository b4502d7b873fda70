"""ANOVA against hand computation, scipy and statsmodels' formulas; rank correlations."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from cuescope.data.cues import CUES
from cuescope.errors import CueScopeError
from cuescope.measures.anova import anova, one_way
from cuescope.stats.rank import rank_correlation


def frame(n: int = 300, seed: int = 3) -> pd.DataFrame:
    """A table of cues with a response that F raises by 0.5 and M does not."""
    rng = np.random.default_rng(seed)
    made = pd.DataFrame({cue: rng.choice(levels, n) for cue, levels in CUES.items()})
    made["norm_h"] = rng.normal(1, 0.4, n) + 0.5 * (made["recency"] == "F")
    made["contrast_set"] = np.arange(n) // 3
    return made


def test_by_hand():
    """N: 1 2 3 (mean 2), F: 5 6 7 (mean 6), M: 2 3 4 (mean 3); within-group variance 1."""
    values = [1, 2, 3, 5, 6, 7, 2, 3, 4]
    found = one_way(values, ["N"] * 3 + ["F"] * 3 + ["M"] * 3, "N")
    se = math.sqrt(1 * (1 / 3 + 1 / 3))
    assert found.mean == pytest.approx(2)
    assert found["F"].coef == pytest.approx(4)
    assert found["F"].se == pytest.approx(se)
    assert found["F"].t == pytest.approx(4 / se)
    assert found["F"].p == pytest.approx(2 * stats.t.sf(4 / se, 6))
    assert found["M"].coef == pytest.approx(1)
    between = 3 * ((2 - 11 / 3) ** 2 + (6 - 11 / 3) ** 2 + (3 - 11 / 3) ** 2)
    assert found.f == pytest.approx((between / 2) / (6 / 6))
    assert found.eta2 == pytest.approx(between / (between + 6))
    assert (found["F"].significant, found["M"].significant) == (True, False)


@pytest.mark.parametrize("cue", CUES)
def test_equal_to_statsmodels_formula(cue: str):
    data = frame()
    reference = CUES[cue][-1]
    fit = ols(f"norm_h ~ C({cue}, Treatment('{reference}'))", data).fit()
    lines = anova_lm(fit)
    found = anova(data, "norm_h", cues=[cue]).cues[cue]
    for effect in found.effects:
        name = f"C({cue}, Treatment('{reference}'))[T.{effect.level}]"
        assert effect.coef == pytest.approx(fit.params[name])
        assert effect.se == pytest.approx(fit.bse[name])
        assert effect.p == pytest.approx(fit.pvalues[name])
    assert found.f == pytest.approx(lines["F"].iloc[0])
    assert found.p == pytest.approx(lines["PR(>F)"].iloc[0])


def test_two_groups_are_a_t_test():
    data = frame()
    named, other = (data.loc[data["names"] == level, "norm_h"] for level in ("name", "no name"))
    pooled = anova(data, "norm_h").cues["names"]["name"]
    assert pooled.p == pytest.approx(stats.ttest_ind(named, other).pvalue)
    welch = anova(data, "norm_h", test="welch").cues["names"]["name"]
    assert welch.p == pytest.approx(stats.ttest_ind(named, other, equal_var=False).pvalue)
    assert welch.t == pytest.approx(welch.coef / welch.se)


def test_clusters_equal_statsmodels_and_widen_copies():
    data = frame(60)
    fit = ols("norm_h ~ C(recency, Treatment('N'))", data).fit(
        cov_type="cluster", cov_kwds={"groups": data["contrast_set"]}, use_t=True
    )
    found = anova(data, "norm_h", test="cluster", groups="contrast_set").cues["recency"]
    assert found["F"].se == pytest.approx(fit.bse["C(recency, Treatment('N'))[T.F]"])
    copies = pd.concat([data.assign(contrast_set=range(60))] * 10)
    naive = anova(copies, "norm_h").cues["recency"]["F"].se
    robust = anova(copies, "norm_h", test="cluster", groups="contrast_set").cues["recency"]["F"].se
    assert robust > 2.5 * naive


def test_order_reference_and_significance():
    found = anova(frame(), "norm_h")
    assert [e.level for e in found.cues["pronoun"].effects] == ["S F", "S M", "O F", "O M"]
    assert found.cues["names"].reference == "no name"
    assert found.cues["default_masculine"].reference == "no default"
    assert found.cues["ambiguity"].reference == "unambiguous"
    assert found.cues["recency"]["F"].significant
    table = found.table()
    assert set(table.columns) >= {"cue", "level", "coef", "se", "t", "p", "n", "significant"}


def test_rows_without_value_are_counted():
    data = frame()
    data.loc[:9, "norm_h"] = np.nan
    data["default_masculine"] = data["default_masculine"].where(data.index > 19, None)
    found = anova(data, "norm_h")
    assert found.cues["recency"].left_out == 10
    assert found.cues["default_masculine"].left_out == 20


def test_false_positives_come_at_their_rate():
    rng = np.random.default_rng(0)
    levels = ["N", "F"] * 20
    p = [one_way(rng.normal(size=40), levels, "N")["F"].p for _ in range(400)]
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.09


def test_what_cannot_be_estimated_is_said():
    data = frame().assign(names="no name", stereotype="S F", default_masculine=None)
    found = anova(data, "norm_h")
    assert set(found.not_estimated) == {"names", "stereotype", "default_masculine"}
    assert "0 of the reference" in found.not_estimated["stereotype"]
    with pytest.raises(CueScopeError, match="lacks columns"):
        anova(data, "entropy")
    with pytest.raises(CueScopeError, match="too few"):
        one_way([1, 2], ["N", "F"], "N")
    with pytest.raises(CueScopeError, match="belong together"):
        one_way([1, 2, 3], ["N", "F", "F"], "N", test="cluster")
    with pytest.raises(CueScopeError, match="no such t-test"):
        one_way([1, 2, 3], ["N", "F", "F"], "N", test="bayes")
    with pytest.raises(CueScopeError, match="do not match"):
        one_way([1, 2, 3], ["N", "F"], "N")


# -- ranks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["kendall", "spearman"])
def test_rank_correlation_equals_scipy(method: str):
    rng = np.random.default_rng(1)
    a = {f"m{i}": float(v) for i, v in enumerate(rng.normal(size=12))}
    b = {name: -value + 0.3 * float(rng.normal()) for name, value in a.items()}
    found = rank_correlation(a, b, method, draws=200)
    scipy = stats.kendalltau if method == "kendall" else stats.spearmanr
    expected = scipy(list(a.values()), [b[name] for name in a])
    assert found.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)
    assert found.low <= found.value <= found.high
    assert found.over == "models"
    assert found == rank_correlation(a, b, method, draws=200)  # same seed, same interval


def test_paper_b_rankings():
    """Table 13's orders by gender accuracy and by ΔI: 9 of 66 pairs of models are inverted.

    That is τ = 1 - 2·9/66 = 0.73; the paper prints 0.58 in absolute value (table 14), so its
    tables do not agree with each other; the sign and p < 0.05 do.
    """
    by_delta = [1, 2, 3, 4, 6, 5, 9, 8, 11, 12, 10, 7]  # ranks by accuracy, in the order of ΔI
    a, b = ({f"m{i}": float(v) for i, v in enumerate(ranks)} for ranks in (by_delta, range(12)))
    found = rank_correlation(a, b, draws=200)
    assert found.value == pytest.approx(1 - 2 * 9 / 66)
    assert found.p < 0.05


def test_more_items_make_a_tighter_interval():
    rng = np.random.default_rng(2)

    def width(items: int) -> float:
        true = np.arange(6)[:, None] * 0.1
        a, b = (
            dict(zip("abcdef", (true + rng.normal(size=(6, items))).tolist(), strict=True))
            for _ in range(2)
        )
        found = rank_correlation(a, b, draws=300)
        assert found.over == "items"
        return found.high - found.low

    assert width(2000) < width(20)


def test_rank_correlation_refuses_what_it_cannot_compare():
    a = {"x": 1.0, "y": 2.0, "z": 3.0}
    with pytest.raises(CueScopeError, match="same models"):
        rank_correlation(a, {"x": 1.0, "y": 2.0, "w": 3.0})
    with pytest.raises(CueScopeError, match="cannot be compared"):
        rank_correlation(a, {"x": 1.0, "y": 2.0, "z": float("nan")})
    with pytest.raises(CueScopeError, match="no such correlation"):
        rank_correlation(a, a, "pearson")
