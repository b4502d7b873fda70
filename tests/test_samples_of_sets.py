"""Fewer pairs of a set are a sample of it: at random, the same ones each time, in their order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuescope.data import Pairs, pairs
from cuescope.data.items import sample
from cuescope.errors import CueScopeError

SOME = st.lists(st.integers(), max_size=30)


@given(SOME, st.integers(0, 40), st.integers(0, 9))
def test_a_sample_is_some_of_them_in_their_order(things: list[int], most: int, seed: int) -> None:
    places = range(len(things))
    drawn = sample(places, most, seed)
    assert len(drawn) == (min(most, len(things)) or len(things))
    assert list(drawn) == sorted(set(drawn))
    assert [things[place] for place in drawn] == list(sample(things, most, seed))
    assert set(drawn) <= set(sample(places, most + 1, seed)) or not most


def test_each_has_the_same_chance() -> None:
    """20 things, 5 drawn by 2,000 seeds: each in a quarter, within 4 standard errors."""
    counts = Counter(thing for seed in range(2000) for thing in sample(range(20), 5, seed))
    error = (2000 * 0.25 * 0.75) ** 0.5
    assert all(abs(counts[thing] - 500) < 4 * error for thing in range(20))


def test_none_takes_all_and_less_is_a_mistake() -> None:
    assert sample("abc", None) == sample("abc", 0) == sample("abc", 3) == "abc"
    with pytest.raises(CueScopeError, match="fewer than none"):
        sample("abc", -1)


def test_pairs_keep_what_was_left_out() -> None:
    whole = pairs("simplegen")
    some = whole.sample(200)
    assert isinstance(some, Pairs)
    assert repr(some) == "Pairs(200 pairs, 18 left out)"
    assert some.left_out == whole.left_out
    assert [pair.index for pair in some] == sorted(pair.index for pair in some)
    assert list(some) == list(whole.sample(200)) != list(whole.sample(200, seed=1))
    assert list(whole.sample(0)) == list(whole)
    every = pairs("simplegen", all_pairs=True)
    assert any(not pair.minimal for pair in every.sample(len(every) - 1)), "asked for, and kept"


@pytest.mark.parametrize("most", [109, 219, 328, 657])
def test_a_sample_has_all_cues_of_a_set_that_comes_in_cycles(most: int) -> None:
    """Every n-th pair of SimpleGEN left out half of its cues, for these n."""

    def cues(some: Pairs) -> Counter[str]:
        return Counter(pair.pro.text[slice(*pair.pro.cue or ())].lower() for pair in some)

    whole = pairs("simplegen")
    found, expected = cues(whole.sample(most)), cues(whole)
    share = most / len(whole)
    for cue, n in expected.items():
        error = np.sqrt(n * share * (1 - share))
        assert abs(found[cue] - n * share) < 4 * error, cue
