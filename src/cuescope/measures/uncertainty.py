"""How sure a model is: SE, S3E and GE of paper B, and the surprisal of a given translation.

All three are one formula. Let K(y, y′) in [0, 1] say how alike two translations are; then
I(y) = −log mean over samples y′ of K(y, y′), and H = mean over samples of I. For SE, K is 1 for
translations of one meaning and 0 otherwise; for GE, of one gender; for S3E it is similarity^α.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np

from cuescope.data.items import Item
from cuescope.errors import CueScopeError, Unfit

Array = np.ndarray[Any, np.dtype[np.float64]]
Correction = Literal["none", "miller-madow", "jackknife"]


class Group(NamedTuple):
    """The translations of one source: the samples, most frequent first, then given ones (0)."""

    texts: tuple[str, ...]
    counts: tuple[int, ...]
    item: Item | None = None  # whose focus noun has a gender

    @classmethod
    def of(
        cls, samples: Mapping[str, int], *, given: Sequence[str] = (), item: Item | None = None
    ) -> Group:
        """Counted samples in an order of their own, so that the order of drawing cannot matter.

        >>> Group.of({"b": 1, "a": 1, "c": 5}, given=["d", "a"]).texts
        ('c', 'a', 'b', 'd')
        """
        drawn = {text: count for text, count in samples.items() if count > 0}
        if not any(text.strip() for text in drawn):
            raise Unfit(
                "no samples to measure" if not drawn else "every sample is empty",
                expected="translations with at least one word among them",
                found="none" if not drawn else f"{sum(drawn.values())} empty translations",
                do="check the model on this source (`cuescope translate`), or draw more",
            )
        order = sorted(drawn, key=lambda text: (-drawn[text], text))
        more = [text for text in dict.fromkeys(given) if text not in drawn]
        return cls((*order, *more), (*map(drawn.__getitem__, order), *[0] * len(more)), item)


@runtime_checkable
class Equivalence(Protocol):
    """A pluggable part: which translations count as one."""

    name: str

    def labels(self, groups: Sequence[Group]) -> Sequence[Sequence[Hashable]]:
        """A label for each text of each group: those with one label are equivalent."""
        ...


class Similarity(Protocol):
    """A pluggable part: how alike translations are."""

    name: str

    def kernels(self, groups: Sequence[Group]) -> Sequence[Array]:
        """K of each group's texts [text, text]: symmetric, within [0, 1], 1 on the diagonal."""
        ...


Part = Equivalence | Similarity


def same(labels: Sequence[Hashable]) -> Array:
    """K of labelled texts: 1 where the labels are equal.

    >>> same(["m", "f", "m"]).tolist()
    [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    """
    codes = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    found = np.array([codes[label] for label in labels])
    kernel: Array = (found[:, None] == found).astype(float)
    return kernel


def entropy(counts: Array, kernel: Array) -> Array:
    """H of counts [..., text] under K [text, text], in nats.

    >>> coin = entropy(np.array([64.0, 64.0]), np.eye(2))
    >>> bool(np.isclose(coin, math.log(2)))
    True
    """
    share = counts / counts.sum(-1, keepdims=True)
    alike = np.where(share > 0, share @ kernel, 1.0)
    found: Array = np.maximum(-(share * np.log(alike)).sum(-1), 0.0)
    return found


@dataclass(frozen=True)
class Uncertainty:
    """One source's samples through one part: entropy, surprisal, standard error.

    >>> seen = Uncertainty(("ele", "ela"), (96, 32), np.eye(2), "gender")
    >>> round(seen.entropy(), 4), round(seen.surprisal("ela"), 4)
    (0.5623, 1.3863)
    """

    texts: tuple[str, ...]
    counts: tuple[int, ...]
    similarity: Array = field(repr=False)
    part: str
    alpha: float = 1.0
    labels: tuple[Hashable, ...] = field(default=(), repr=False)  # of an equivalence

    @property
    def n(self) -> int:
        """Number of samples."""
        return sum(self.counts)

    @cached_property
    def kernel(self) -> Array:
        """similarity^α."""
        return self.similarity if self.alpha == 1 else self.similarity**self.alpha

    @cached_property
    def _drawn(self) -> tuple[Array, Array]:
        """Counts and kernel of the samples alone, without the given translations."""
        counts = np.asarray(self.counts, dtype=float)
        drawn = counts > 0
        return counts[drawn], self.kernel[np.ix_(drawn, drawn)]

    def at(self, alpha: float) -> Uncertainty:
        """The same samples with another α."""
        return replace(self, alpha=_positive(alpha))

    @property
    def shares(self) -> dict[Hashable, float]:
        """The share of samples with each label of an equivalence: of each gender, for GE."""
        found: dict[Hashable, float] = dict.fromkeys(self.labels, 0.0)
        for label, count in zip(self.labels, self.counts, strict=bool(self.labels)):
            found[label] += count / self.n
        return found

    @property
    def clusters(self) -> tuple[int, ...]:
        """Samples in each cluster, largest first; an error where K is not yes or no."""
        counts, kernel = self._drawn
        if not np.isin(kernel, (0, 1)).all():
            raise CueScopeError(
                f"{self.part} makes no clusters",
                expected="a part that says yes or no: NLI, Gender, Normalised",
                found="similarities between 0 and 1",
                do='correct the bias of S3E with "jackknife" instead of "miller-madow"',
            )
        leaders = np.unique(kernel.argmax(1))
        return tuple(sorted((int(counts @ kernel[i]) for i in leaders), reverse=True))

    def entropy(self, correction: Correction = "none") -> float:
        """H in nats. The plug-in estimate is too low by about (clusters − 1) / 2n: see docs."""
        counts, kernel = self._drawn
        plain, n = float(entropy(counts, kernel)), self.n
        if correction == "none":
            return plain
        if correction == "miller-madow":
            return plain + (len(self.clusters) - 1) / (2 * n)
        if correction == "jackknife":
            if n == 1:
                return plain  # nothing can be left out
            without = entropy(counts - np.eye(len(counts)), kernel)
            return n * plain - (n - 1) * float(counts @ without) / n
        raise CueScopeError(
            "no such correction", expected="none, miller-madow or jackknife", found=correction
        )

    def surprisal(self, text: str, *, itself: bool = True) -> float:
        """I of a translation, drawn or given, against the samples, in nats.

        A given one that was never drawn counts as one more sample, as each sample counts in its own
        mean; with `itself=False` the mean runs over the drawn samples alone and may be infinite.
        """
        if text not in self.texts:
            raise CueScopeError(
                "this translation was not measured",
                expected="a sample, or one named with `given=`",
                found=repr(text),
            )
        place, counts = self.texts.index(text), np.asarray(self.counts, dtype=float)
        if itself and not counts[place]:
            counts[place] = 1
        with np.errstate(divide="ignore"):  # in logarithms: similarity^α can be very small
            logs = self.alpha * np.log(self.similarity[place]) + np.log(counts / counts.sum())
        found = -float(np.logaddexp.reduce(logs))
        return max(found, 0.0)

    def standard_error(self, draws: int = 500, seed: int = 7) -> float:
        """Standard error of H, by drawing the samples again out of themselves."""
        counts, kernel = self._drawn
        rng = np.random.default_rng(seed)
        again = rng.multinomial(self.n, counts / self.n, size=draws).astype(float)
        return float(entropy(again, kernel).std(ddof=1))


def measure(groups: Sequence[Group], part: Part, *, alpha: float = 1.0) -> list[Uncertainty]:
    """Every group through a part, all of them together so that the part can work in batches.

    >>> from cuescope.measures.equivalence import Normalised
    >>> (seen,) = measure([Group.of({"A casa.": 1, "a casa": 1})], Normalised())
    >>> seen.entropy(), seen.clusters
    (0.0, (2,))
    """
    power = _positive(alpha)
    if isinstance(part, Equivalence):
        labels = [tuple(found) for found in part.labels(groups)]
        kernels: Sequence[Array] = [same(found) for found in labels]
    else:
        labels, kernels = [()] * len(groups), part.kernels(groups)
    return [
        Uncertainty(group.texts, group.counts, kernel, part.name, power, names)
        for group, kernel, names in zip(groups, kernels, labels, strict=True)
    ]


def _positive(alpha: float) -> float:
    if not (alpha > 0 and math.isfinite(alpha)):
        raise CueScopeError("α out of range", expected="α > 0", found=str(alpha))
    return float(alpha)


class Tuned(NamedTuple):
    """The α of the highest correlation, and the correlation of every α that was tried."""

    alpha: float
    correlation: float
    tried: dict[float, float]

    def __str__(self) -> str:
        edge = ", the end of the range" if self.alpha in (min(self.tried), max(self.tried)) else ""
        return f"α = {self.alpha:g}{edge}: r = {self.correlation:.2f} of H (s3e) with H (ge)"


GRID = tuple(float(round(2 ** (k / 2), 3)) for k in range(0, 21))  # 1 to 1,024


def tune_alpha(
    similar: Sequence[Uncertainty], gender: Sequence[Uncertainty], grid: Sequence[float] = GRID
) -> Tuned:
    """α for which H(S3E) correlates best (Pearson) with the entropy of the gender labels."""
    wanted = np.array([one.entropy() for one in gender])
    if len(wanted) != len(similar) or len(wanted) < 3 or np.ptp(wanted) == 0:
        raise Unfit(
            "α cannot be tuned on these sources",
            expected="three sources or more, of which some vary in gender more than others",
            found=f"{len(similar)} sources, {len(np.unique(wanted))} different gender entropies",
            do="give more sources, or name α",
        )
    tried = {}
    for alpha in grid:
        values = np.array([one.at(alpha).entropy() for one in similar])
        tried[alpha] = float(np.corrcoef(values, wanted)[0, 1]) if np.ptp(values) > 0 else -1.0
    best = max(tried, key=lambda alpha: tried[alpha])
    return Tuned(best, tried[best], tried)
