"""Scores: means by hand, intervals against a loop, splits that lose nobody."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cuescope.errors import CueScopeError
from cuescope.signature import Signature
from cuescope.stats.scores import Scores, both_ways


def made(values, **columns):
    rows = pd.DataFrame({"length": [10] * len(values), **columns})
    return Scores(np.asarray(values, float), "encoder", "attention", rows, {"no cue": 2})


def cells(*numbers):
    """Units with one layer and two heads: x and 2x."""
    return [[[x, 2 * x]] for x in numbers]


def test_mean_and_interval_equal_the_obvious_loop():
    values = np.random.default_rng(0).random((40, 3, 2))
    values[5] = np.nan
    grid = made(values).mean()
    kept = np.delete(values, 5, 0)
    assert np.allclose(grid.values, kept.mean(0))
    assert grid.n == 39
    assert (grid.low < grid.values).all()
    assert (grid.values < grid.high).all()
    rng = np.random.default_rng(1)
    drawn = [np.nanmean(values[rng.integers(0, 40, 40)], 0) for _ in range(400)]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    assert np.allclose(grid.low, low, atol=0.02)
    assert np.allclose(grid.high, high, atol=0.02)


def shares(change, gap, **columns):
    """Changes of one head as shares of the gap, as a sweep makes them."""
    gap = np.asarray(gap, float)
    rows = pd.DataFrame({"pair": range(len(gap)), "gap": gap, **columns})
    values = (np.asarray(change, float) / gap.mean())[:, None, None]
    return Scores(values, "cross", "effect", rows, unit="pair", per=gap / gap.mean())


def test_a_share_of_the_gap_is_a_ratio_of_sums_in_every_part():
    kind = ["big", "big", "small", "small"]
    scores = shares([4, 5, 0.5, 1], [5, 5, 1, 1], kind=kind)
    assert scores.mean().values.item() == pytest.approx(10.5 / 12)
    parts = scores.split("kind")
    assert parts["big"].mean().values.item() == pytest.approx(9 / 10)
    assert parts["small"].mean().values.item() == pytest.approx(1.5 / 2)
    assert scores.where(kind="small").by_pair().mean().values.item() == pytest.approx(0.75)


def test_change_and_gap_are_left_out_together():
    """A head that restores nearly all of every gap, large or small, is known well."""
    rng = np.random.default_rng(3)
    gap = rng.gamma(2.0, 2.0, 200)
    change = gap * (0.95 + 0.02 * rng.normal(size=200))
    grid = shares(change, gap).mean()
    assert grid.high.item() - grid.low.item() < 0.01
    drawn = []
    for _ in range(600):  # the definition: redraw pairs, then divide the sums
        pick = rng.integers(0, 200, 200)
        drawn.append(change[pick].sum() / gap[pick].sum())
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert grid.low.item() == pytest.approx(low, abs=0.001)
    assert grid.high.item() == pytest.approx(high, abs=0.001)


def test_both_ways_keeps_the_gaps():
    male, female = shares([1, 2], [2, 4]), shares([-1, -4], [-2, -4])
    both = both_ways(male, female)
    # each direction in its own mean gaps: (1/3 + 1/3) / 2 and (2/3 + 4/3) / 2 over 2/3 and 4/3
    assert both.mean().values.item() == pytest.approx((1 / 3 + 1) / 2)
    assert both.per == pytest.approx([2 / 3, 4 / 3])


def test_moved_counts_the_pairs_whose_gap_has_the_right_sign():
    male, female = shares([1, 1, 1, 1], [2, 3, -1, 4]), shares([1, 1, 1, 1], [-2, -3, 1, -4])
    assert male.moved().value == 0.75
    into = replace(female, signature=Signature(into="female"))
    assert into.moved().value == 0.75
    assert "moved = 75.0 %" in into.moved().brief()


def test_twins_are_averaged_before_they_are_counted():
    scores = made(cells(1, 3, 10), pair=[7, 7, 8], gold=["male", "female", "male"], n=[1, 1, 2])
    pairs = scores.by_pair()
    assert pairs.values.tolist() == [[[2, 4]], [[10, 20]]]
    assert pairs.rows["pair"].tolist() == [7, 8]
    assert pairs.rows["gold"].tolist() == [None, "male"]
    grid = scores.mean("pair")
    assert (grid.n, grid.unit, grid.values.tolist()) == (2, "pair", [[6, 12]])
    assert pairs.mean("pair").n == 2
    with pytest.raises(CueScopeError, match="no such axis"):
        pairs.mean("item")
    with pytest.raises(CueScopeError, match="not every item"):
        made(cells(1, 2), pair=[1, None]).mean("pair")


def test_split_loses_nobody():
    scores = made(cells(1, 2, 3), gold=["male", "female", None])
    parts = scores.split("gold")
    assert list(parts) == ["female", "male", None]
    assert {k: v.values[0, 0, 0] for k, v in parts.items()} == {"female": 2, "male": 1, None: 3}
    assert parts["male"].signature["gold"] == "male"
    assert parts["male"].skipped == {"no cue": 2}
    with pytest.raises(CueScopeError, match="have no 'genre'"):
        scores.split("genre")


def test_threshold_is_the_mean_uniform_share():
    scores = Scores(np.zeros((2, 1, 1)), "encoder", "attention", pd.DataFrame({"length": [10, 20]}))
    assert scores.threshold() == pytest.approx(0.075)
    assert scores.mean().threshold == pytest.approx(0.075)


def test_an_effect_has_no_threshold():
    scores = Scores(np.zeros((1, 1, 1)), "encoder", "effect", pd.DataFrame({"text": ["a"]}))
    assert scores.mean().threshold is None


def test_top_takes_size_and_keeps_the_sign():
    grid = made([[[0.1, -0.9], [0.5, np.nan]]]).mean()
    top = grid.top(2)
    assert top[["layer", "head"]].values.tolist() == [[0, 1], [1, 0]]
    assert top["value"].tolist() == [-0.9, 0.5]
    assert grid.to_pandas()[["layer", "head"]].values.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_tidy_table():
    frame = made(cells(1, 2), pair=[0, 0]).to_pandas()
    assert frame["value"].tolist() == [1, 2, 2, 4]
    assert frame["head"].tolist() == [0, 1, 0, 1]
    assert frame["item"].tolist() == [0, 0, 1, 1]


def test_json_knows_no_nan():
    made_json = made([[[0.25, np.nan]]]).to_json()
    text = json.dumps(made_json, allow_nan=False)
    assert json.loads(text)["scores"] == [[0.25, None]]
    assert made_json["site"] == "encoder"
    assert made_json["n"] == 1
    assert made_json["skipped"] == {"no cue": 2}
    assert "version:" in made_json["signature"]


def test_nobody_is_no_crash():
    one = made(cells(1), gold=["male"])
    with pytest.raises(CueScopeError, match="nothing has gold='female'"):
        one.where(gold="female")
    none = one.take(np.array([False]))
    grid = none.mean()
    assert grid.n == 0
    assert np.isnan(grid.values).all()
    json.dumps(none.to_json(), allow_nan=False)


def test_wrong_shape_is_said():
    with pytest.raises(CueScopeError, match="do not fit"):
        Scores(np.zeros((2, 3)), "encoder", "attention", pd.DataFrame({"text": ["a", "b"]}))
