from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuescope.data import Item, Pair
from cuescope.data.items import GOLDS, Gold
from cuescope.errors import CueScopeError
from cuescope.gender.reading import Gender
from cuescope.measures.accuracy import GENDERS, accuracy, confusion, delta_s, f1
from cuescope.measures.minimal_pairs import mpa
from cuescope.signature import Signature
from cuescope.stats import difference, logistic, mcnemar, share, z_normalise
from cuescope.stats.value import Value

GOLD: list[Gold] = ["male", "male", "male", "female", "female", "neutral"]
READ: list[Gender] = ["masculine", "feminine", "unknown", "feminine", "neutral", "masculine"]


def test_accuracy_counts_neutral_and_unknown_as_wrong() -> None:
    values = accuracy(GOLD, READ)
    assert [values[n].value for n in ("all", "male", "female")] == [2 / 6, 1 / 3, 1 / 2]
    assert [values[n].n for n in ("all", "male", "female")] == [6, 3, 2]


def test_f1_as_winomt_prints_it() -> None:
    # male: precision 1/2 (the neutral one was read masculine), recall 1/3; female: 1/2, 1/2
    scores = f1(GOLD, READ)
    assert scores["male"].value == pytest.approx(0.4)
    assert scores["female"].value == pytest.approx(0.5)
    assert scores["delta_g"].value == pytest.approx(-0.1)


def test_delta_s_is_pro_less_anti() -> None:
    right: tuple[list[Gold], list[Gender]] = (["male", "female"], ["masculine", "feminine"])
    wrong: tuple[list[Gold], list[Gender]] = (["male", "female"], ["feminine", "masculine"])
    assert delta_s(right, wrong).value == pytest.approx(1.0)


@given(st.lists(st.tuples(st.sampled_from(GOLDS), st.sampled_from(GENDERS)), max_size=40))
def test_the_confusion_table_loses_nothing(rows: list[tuple[Gold, Gender]]) -> None:
    golds, genders = [g for g, _ in rows], [r for _, r in rows]
    table = confusion(golds, genders)
    assert sum(sum(row.values()) for row in table.values()) == len(rows)
    value = accuracy(golds, genders)["all"]
    assert value.n == len(rows)
    if len(rows) > 1:
        assert 0 <= value.low <= value.value <= value.high <= 1
    else:
        assert value.interval() is None  # one sentence has none


def twin(index: int, stereotype: Gold) -> Pair:
    made = [
        Item("A cook.", (2, 6), None, gold, stereotype=stereotype, set=name, line=index)
        for gold, name in (("male", "pro"), ("female", "anti"))
    ]
    return Pair(made[0], made[1], index)


def test_mpa_needs_both_twins_and_strict_their_phrases() -> None:
    pairs = [twin(0, "female"), twin(1, "male"), twin(2, "female"), twin(3, "male")]
    correct = [(True, True), (True, True), (True, False), (False, False)]
    consistent = [(True, False), (True, True), (True, True), (True, True)]
    result = mpa(pairs, correct, consistent, left_out=[twin(9, "male")])
    assert (result.value.value, result.strict.value) == (0.5, 0.25)
    assert (result.pro_f.value, result.pro_m.value, result.pro_f.n) == (0.5, 0.5, 2)
    made = result.to_json()
    assert (made["pairs"], made["left_out"]) == (4, 1)


def test_no_right_pair_has_no_stereotype() -> None:
    result = mpa([twin(0, "female")], [(True, False)], [(True, True)])
    assert result.pro_f.n == 0
    assert result.to_json()["pro_f"] is None
    assert repr(result.pro_f) == "Pro-F = undefined (n=0)"


def test_a_value_shows_itself() -> None:
    value = Value("accuracy", 0.5573, 0.532, 0.581, 1584, Signature(data="x", seed=7))
    assert repr(value).startswith("accuracy = 55.7 % [53.2, 58.1] (n=1584) data:x|seed:7|version:")
    assert f"{value:.2f}" == "0.56"


def test_a_plain_interval_is_that_of_single_sentences() -> None:
    value = share("x", 300, 1000)
    half = 1.96 * math.sqrt(0.3 * 0.7 / 1000)
    assert value.low == pytest.approx(0.3 - half, abs=0.002)
    assert value.high == pytest.approx(0.3 + half, abs=0.002)
    assert value.over == ""


def test_a_difference_of_nothing_is_undefined() -> None:
    found = difference("x", [True, False], [False, False])
    assert math.isnan(found.value)
    assert found.interval() is None


def test_mcnemar_counts_the_twins_that_differ() -> None:
    found = mcnemar(
        [True] * 30 + [False] * 2 + [True] * 50, [False] * 30 + [True] * 2 + [True] * 50
    )
    assert (found.only_first, found.only_second) == (30, 2)
    assert found.p < 0.001
    assert mcnemar([True, False], [False, True]).p == 1.0
    with pytest.raises(CueScopeError, match="differ in length"):
        mcnemar([True], [])


def test_missing_figures_become_nought_after_normalising() -> None:
    made = z_normalise(np.array([10.0, np.nan, 20.0, 30.0]))
    assert made[1] == 0
    assert made[[0, 2, 3]].mean() == pytest.approx(0)
    assert made[[0, 2, 3]].std() == pytest.approx(1)
    assert z_normalise(np.array([np.nan, np.nan])).tolist() == [0, 0]
    assert z_normalise(np.array([5.0, 5.0])).tolist() == [0, 0]


def test_a_regression_finds_what_was_put_in() -> None:
    import pandas as pd

    rng = np.random.default_rng(1)
    group = rng.choice(["a", "b"], 4000)
    number = rng.normal(size=4000)
    odds = 0.5 + 1.0 * (group == "b") - 0.8 * number
    frame = pd.DataFrame(
        {"g": group, "x": number, "one": "same", "y": rng.random(4000) < 1 / (1 + np.exp(-odds))}
    )
    fit = logistic(frame, "y", ["g", "one"], ["x"])
    assert list(fit.terms) == ["Intercept", "g[T.b]", "x"]
    for name, truth in (("Intercept", 0.5), ("g[T.b]", 1.0), ("x", -0.8)):
        term = fit.terms[name]
        assert abs(term["coef"] - truth) < 4 * term["se"]
        assert term["z"] == pytest.approx(term["coef"] / term["se"])
    with pytest.raises(CueScopeError, match="right and wrong"):
        logistic(frame.assign(y=True), "y", ["g"], [])
