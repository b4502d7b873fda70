"""The fast_align model against a plain, word by word reading of the algorithm."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma

from cuescope.align.fast_align import Model


def plain_fast_align(
    sources: list[list[int]], targets: list[list[int]]
) -> tuple[dict[tuple[int, int], float], float]:
    """The published algorithm, word by word, for comparison: its table and its tension."""
    table: dict[tuple[int, int], float] = {}
    tension, p0, alpha = 4.0, 0.08, 0.01
    tokens = sum(map(len, targets))
    for step in range(4):
        counts: dict[tuple[int, int], float] = {}
        observed = 0.0
        for source, target in zip(sources, targets, strict=True):
            n, m = len(source), len(target)
            for j, f in enumerate(target, 1):
                near = [exp(-tension * abs(i / n - j / m)) for i in range(1, n + 1)]
                prob = [p0, *((1 - p0) * x / sum(near) for x in near)]
                joint = [
                    p * table.get((e, f), 1.0) for p, e in zip(prob, [0, *source], strict=True)
                ]
                for i, (e, p) in enumerate(zip([0, *source], joint, strict=True)):
                    counts[e, f] = counts.get((e, f), 0.0) + p / sum(joint)
                    if i:
                        observed -= abs(i / n - (j - 1) / m) * p / sum(joint)
        for _ in range(8 if step else 0):
            expected = 0.0
            for source, target in zip(sources, targets, strict=True):
                n, m = len(source), len(target)
                for j in range(1, m + 1):
                    feature = [-abs(i / n - j / m) for i in range(1, n + 1)]
                    near = [exp(tension * x) for x in feature]
                    expected += sum(a * b for a, b in zip(near, feature, strict=True)) / sum(near)
            tension = min(max(tension + 20 * (observed - expected) / tokens, 0.1), 14.0)
        total: dict[int, float] = {}
        for (e, _), c in counts.items():
            total[e] = total.get(e, 0.0) + c + alpha
        table = {
            (e, f): exp(digamma(c + alpha) - digamma(total[e])) for (e, f), c in counts.items()
        }
    return table, tension


_SENTENCE = st.lists(st.integers(1, 6), min_size=1, max_size=6)
_CORPUS = st.lists(st.tuples(_SENTENCE, _SENTENCE), min_size=1, max_size=6)


@settings(deadline=None, max_examples=40)
@given(_CORPUS)
def test_model_equals_the_plain_algorithm(corpus: list[tuple[list[int], list[int]]]) -> None:
    sources, targets = [s for s, _ in corpus], [t for _, t in corpus]
    table, tension = plain_fast_align(sources, targets)
    model = Model(sources, targets)
    assert model.tension == pytest.approx(tension)
    pairs = list(zip(model.pairs[0].tolist(), model.pairs[1].tolist(), strict=True))
    assert dict(zip(pairs, model.table, strict=True)) == pytest.approx(table)


def test_model_in_small_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    sources, targets = (
        [rng.integers(1, 30, rng.integers(1, 12)).tolist() for _ in range(80)] for _ in range(2)
    )
    whole = Model(sources, targets)
    monkeypatch.setattr("cuescope.align.fast_align.BLOCK", 200)
    pieces = Model(sources, targets)
    assert pieces.tension == pytest.approx(whole.tension)
    np.testing.assert_allclose(pieces.table, whole.table)
    assert [a.tolist() for a in pieces.viterbi()] == [a.tolist() for a in whole.viterbi()]


def test_counts_stand_for_repeated_sentences() -> None:
    sources, targets = [[1, 2], [2, 3, 1]], [[4, 5], [5, 6]]
    once = Model(sources, targets, counts=[3, 1])
    thrice = Model([*[sources[0]] * 3, sources[1]], [*[targets[0]] * 3, targets[1]])
    np.testing.assert_allclose(once.table, thrice.table)
    assert once.tension == pytest.approx(thrice.tension)
