"""A fall beyond chance: against every exchange counted one by one, and in worlds without any."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cuescope.stats.fall import Fall, change, fall, tarone
from cuescope.stats.intervals import Clusters


def by_hand(before, after, nouns, allowed=0.0):
    """Each noun's sentences exchanged or not, all ways: how many fall as far?"""
    names = sorted(set(nouns))
    reached = far = 0
    least = sum(b - a - allowed for b, a in zip(before, after, strict=True))
    for ways in product((False, True), repeat=len(names)):
        turned = dict(zip(names, ways, strict=True))
        total = sum(
            (allowed - (b - a)) if turned[noun] else (b - a - allowed)
            for b, a, noun in zip(before, after, nouns, strict=True)
        )
        reached += 1
        far += total >= least - 1e-9
    return far / reached


@pytest.mark.parametrize("seed", range(6))
def test_every_exchange_of_nouns_is_counted(seed):
    draw = np.random.default_rng(seed)
    nouns = [f"n{at}" for at in draw.integers(0, 7, 40)]
    before, after = draw.random(40) < 0.7, draw.random(40) < 0.45
    found = fall(before.tolist(), after.tolist(), Clusters(noun=nouns))
    expected = by_hand(before.astype(float), after.astype(float), nouns)
    if before.mean() > after.mean():
        assert found.p == pytest.approx(expected)
    else:
        assert found.p == 1.0


def test_a_noun_counts_once_however_many_sentences_it_has():
    before, after = [True] * 90, [False] * 90
    three = Clusters(noun=["a"] * 30 + ["b"] * 30 + ["c"] * 30)
    assert fall(before, after, three) == Fall(1 / 8, 1 / 8)
    assert fall(before, after).p < 0.001  # as if sentences were independent


def test_what_is_allowed_is_no_fall():
    before = [True] * 200
    after = [False] * 8 + [True] * 192  # 4 points
    assert fall(before, after).p < 0.01
    assert fall(before, after, allowed=0.04).p == 1.0
    assert fall(before, after, allowed=0.035).p > 0.05
    assert fall(before, [False] * 40 + [True] * 160, allowed=0.04).p < 0.01


def test_a_rise_is_no_fall_and_nothing_changed_has_no_interval():
    assert fall([False, True], [True, True]).p == 1.0
    same = change("x", [True, False], [True, False])
    assert same.value == 0
    assert not same.sure


@pytest.mark.slow
def test_worlds_without_a_fall_are_stopped_in_one_of_twenty():
    """Noun by noun, which release is the first is drawn at random."""
    draw = np.random.default_rng(3)
    stopped = 0
    for _ in range(300):
        nouns = [f"n{at}" for at in draw.integers(0, 25, 120)]
        level = dict(zip(sorted(set(nouns)), draw.random(25), strict=False))
        rows = [(draw.random() < level.get(n, 0.5), draw.random() < 0.4) for n in nouns]
        turned = {noun: draw.random() < 0.5 for noun in set(nouns)}
        both = [(b, a) if turned[n] else (a, b) for n, (a, b) in zip(nouns, rows, strict=True)]
        shared = Clusters(noun=nouns)
        stopped += fall([a for a, _ in both], [b for _, b in both], shared).p < 0.05
    assert 3 <= stopped <= 24  # 15 expected


def test_rules_that_could_not_fail_cost_nothing():
    assert tarone([Fall(0.02, 0.01), Fall(0.5, 0.25), Fall(1.0, 1.0)], 0.05)[0] == 0.02
    assert tarone([Fall(0.02, 0.01)] * 3, 0.05)[0] == pytest.approx(0.06)
    assert tarone([], 0.05) == []
