"""The fast_align model (Dyer, Chahuneau and Smith 2013) on flat arrays, one direction at a time.

IBM model 2 whose distortion has one parameter, the tension λ towards the diagonal; a null word;
variational Bayes for the translation table. A *cell* is one (sentence, target word, source word);
all cells of a block of sentences lie in one array, so that no step loops over words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Ids = Sequence[Sequence[int]]
Prior = Callable[[Ints, Ints], Floats]  # source ids, target ids → weight from 0 to 1

BLOCK = 1 << 20  # cells handled at once: bounds the memory of one step
NULL = 0  # id of the null word; real words count from 1


@dataclass(frozen=True)
class Settings:
    """fast_align's own defaults with `-d -o -v`, and the weight of the lexical prior.

    `prior`: pseudo-counts given to a pair that the prior is sure of; they fade as data grows.
    """

    iterations: int = 5
    p_null: float = 0.08
    tension: float = 4.0
    alpha: float = 0.01
    prior: float = 1.0
    start: float = 50.0  # how many times likelier than others such a pair is to begin with


@dataclass
class _Block:
    """The cells of some sentences, the null word's cell first in each row (target word)."""

    pair: Ints  # index into the translation table, per cell
    row: Ints  # first cell of each row
    width: Ints  # cells in each row
    feature: Floats  # minus the distance from the diagonal, per cell; 0 at the null word
    observed: Floats  # the same with target words counted from 0, as fast_align measures λ's gain
    count: Floats  # how often the row's sentence occurs


class Model:
    """One direction, trained: p(target word | source word) and the tension.

    Sentences are lists of word ids from 1 on, none of them empty.

    >>> model = Model([[1, 2], [1, 3]], [[1, 2], [1, 3]])
    >>> [a.tolist() for a in model.viterbi()]
    [[0, 1], [0, 1]]
    """

    def __init__(
        self,
        sources: Ids,
        targets: Ids,
        counts: Sequence[int] | None = None,
        prior: Prior | None = None,
        settings: Settings = Settings(),
    ) -> None:
        self.settings, self.tension = settings, settings.tension
        self._targets = np.array([len(t) for t in targets], dtype=np.int64)
        weights = np.ones(len(sources)) if counts is None else np.asarray(counts, dtype=float)
        self._shapes = _shapes(sources, targets, weights)
        self._blocks = list(_blocks(sources, targets, weights))
        self._index_pairs()
        known = np.zeros(len(self.pairs[0]))
        if prior is not None:
            real = self.pairs[0] != NULL
            known[real] = prior(self.pairs[0][real], self.pairs[1][real])
        self.table = 1.0 + settings.start * known
        self._pseudo = settings.prior * known**2  # squared: hints start the search, no more
        for step in range(settings.iterations - 1):
            self._iterate(optimise=step > 0)

    def _index_pairs(self) -> None:
        """Number the distinct (source, target) pairs; cells then hold those numbers."""
        keys = np.concatenate([b.pair for b in self._blocks] or [np.zeros(0, np.int64)])
        distinct, inverse = np.unique(keys, return_inverse=True)
        self.pairs = distinct >> 32, distinct & 0xFFFFFFFF
        self._source_words = int(self.pairs[0].max(initial=0)) + 1
        at = 0
        for block in self._blocks:
            end = at + len(block.pair)
            block.pair, at = inverse[at:end], end

    def _iterate(self, *, optimise: bool) -> None:
        expected = np.zeros(len(self.table))
        feature, words = 0.0, 0.0
        for block in self._blocks:
            cells = self._joint(block)
            cells *= np.repeat(block.count / np.add.reduceat(cells, block.row), block.width)
            expected += np.bincount(block.pair, weights=cells, minlength=len(expected))
            feature += float(cells @ block.observed)
            words += float(block.count.sum())
        if optimise and words:
            self._optimise_tension(feature / words, words)
        posterior = expected + self._pseudo + self.settings.alpha
        total = np.bincount(self.pairs[0], weights=posterior, minlength=self._source_words)
        self.table = np.exp(digamma(posterior) - digamma(total)[self.pairs[0]])

    def _joint(self, block: _Block) -> Floats:
        """p(link) · p(target word | source word), per cell."""
        near = np.exp(self.tension * block.feature)
        near[block.row] = 0.0
        near *= np.repeat(
            (1 - self.settings.p_null) / np.add.reduceat(near, block.row), block.width
        )
        near[block.row] = self.settings.p_null
        joint: Floats = near * self.table[block.pair]
        return joint

    def _optimise_tension(self, empirical: float, words: float) -> None:
        """Eight gradient steps, as in fast_align: model expectation towards the empirical one."""
        for _ in range(8):
            model = 0.0
            for block in self._shapes:
                near = np.exp(self.tension * block.feature)
                near[block.row] = 0.0
                mean = np.add.reduceat(near * block.feature, block.row)
                model += float(block.count @ (mean / np.add.reduceat(near, block.row)))
            self.tension += (empirical - model / words) * 20
            self.tension = min(max(self.tension, 0.1), 14.0)

    def viterbi(self) -> list[Ints]:
        """For each sentence, the linked source position of each target word, or -1."""
        best = [self._best(block) for block in self._blocks]
        flat = np.concatenate(best or [np.zeros(0, np.int64)])
        return np.split(flat, np.cumsum(self._targets)[:-1]) if len(self._targets) else []

    def _best(self, block: _Block) -> Ints:
        """The first cell of the highest value in each row, less one for the null word."""
        joint = self._joint(block)
        top = np.repeat(np.maximum.reduceat(joint, block.row), block.width)
        (hits,) = np.nonzero(joint >= top * (1 - 1e-9))  # rounding must not decide a tie
        return hits[np.searchsorted(hits, block.row)] - block.row - 1


def _blocks(sources: Ids, targets: Ids, weights: Floats) -> Iterator[_Block]:
    """Pack sentences into blocks of about BLOCK cells."""
    n = np.array([len(s) for s in sources], dtype=np.int64)
    m = np.array([len(t) for t in targets], dtype=np.int64)
    group = np.cumsum((n + 1) * m) // BLOCK
    for g in np.unique(group):
        (chosen,) = np.nonzero(group == g)
        block = _grid(n[chosen], m[chosen], weights[chosen])
        with_null = np.array(
            [w for s in chosen.tolist() for w in (NULL, *sources[s])], dtype=np.int64
        )
        target = np.array([w for s in chosen.tolist() for w in targets[s]], dtype=np.int64)
        # Row r of sentence s reads the run of s in `with_null`, which begins at first[s].
        first = np.repeat(np.cumsum(n[chosen] + 1) - (n[chosen] + 1), m[chosen])
        cell = np.arange(len(block.feature)) - np.repeat(block.row - first, block.width)
        block.pair = (with_null[cell] << 32) | np.repeat(target, block.width)
        yield block


def _shapes(sources: Ids, targets: Ids, weights: Floats) -> list[_Block]:
    """One grid per pair of lengths: the expectation over alignments depends on nothing else."""
    lengths = np.array(
        [(len(s), len(t)) for s, t in zip(sources, targets, strict=True)], dtype=np.int64
    ).reshape(-1, 2)
    distinct, inverse = np.unique(lengths, axis=0, return_inverse=True)
    total = np.bincount(inverse, weights=weights, minlength=len(distinct))
    group = np.cumsum((distinct[:, 0] + 1) * distinct[:, 1]) // BLOCK
    n, m = distinct.T
    return [_grid(n[group == g], m[group == g], total[group == g]) for g in np.unique(group)]


def _grid(n: Ints, m: Ints, weights: Floats) -> _Block:
    """Cells of sentences with n source and m target words: rows of n + 1 cells."""
    width = np.repeat(n + 1, m)
    row = np.cumsum(width) - width
    place = np.arange(len(width)) - np.repeat(np.cumsum(m) - m, m)  # of the target word, from 0
    source = np.arange(int(width.sum())) - np.repeat(row, width)  # 0 is the null word
    near = source / np.repeat(np.maximum(width - 1, 1), width)
    feature, observed = (
        -np.abs(near - np.repeat((place + first) / np.repeat(m, m), width)) for first in (1, 0)
    )
    feature[row] = observed[row] = 0.0
    return _Block(np.zeros(0, np.int64), row, width, feature, observed, np.repeat(weights, m))
