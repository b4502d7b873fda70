"""BLEU and chrF of a whole test set as functions of sums over its sentences.

So their intervals, and those of a change between two systems, are the same jackknife as all others.
The numbers are sacrebleu's (its tokenisation and settings); the tests hold them to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cuescope.errors import imported, one_each
from cuescope.signature import Signature
from cuescope.stats import measured
from cuescope.stats.intervals import PART, Array, Bounds
from cuescope.stats.value import Value

FALL: Bounds = (-np.inf, 1.0)  # nothing falls by more than all of it
_ORDERS, _CHARS, _BETA = 4, 6, 2.0


@dataclass(frozen=True)
class Metric:
    """A corpus metric: what each sentence adds, and the score of the sums (0 to 1)."""

    name: str
    rows: Callable[[Sequence[str], Sequence[str]], Array]
    score: Callable[[Array], Array]

    def value(self, table: Array, signature: Signature | None = None) -> Value:
        """The score with its interval over sentences, as a share: BLEU 46.7 is 46.7 %."""
        return measured(self.name, table, self.score, bounds=PART, signature=signature)

    def drop(self, before: Array, after: Array, signature: Signature | None = None) -> Value:
        """By how much the score fell, relative to what it was, over the same sentences."""
        wide = before.shape[1]

        def fallen(sums: Array) -> Array:
            return 1 - self.score(sums[..., wide:]) / self.score(sums[..., :wide])

        both = np.hstack([before, after])
        return measured(
            f"{self.name}, relative drop", both, fallen, bounds=FALL, signature=signature
        )


def _bleu_rows(translations: Sequence[str], references: Sequence[str]) -> Array:
    """Lengths of both sides, then matches and totals of each order."""
    from sacrebleu.metrics import BLEU as Scorer

    one_each(references, translations)
    scorer = Scorer(effective_order=True)
    rows = []
    for text, reference in zip(translations, references, strict=True):
        found = scorer.corpus_score([text], [[reference]])
        rows.append([found.sys_len, found.ref_len, *found.counts, *found.totals])
    return np.asarray(rows, dtype=np.float64).reshape(-1, 2 + 2 * _ORDERS)


def _bleu(sums: Array) -> Array:
    ours, theirs = sums[..., 0], sums[..., 1]
    matches, totals = sums[..., 2 : 2 + _ORDERS], sums[..., 2 + _ORDERS :]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.log(matches / totals).mean(-1)
        brevity = np.minimum(0.0, 1 - theirs / ours)
        return np.asarray(np.where((matches > 0).all(-1), np.exp(brevity + precision), 0.0))


def _chrf_rows(translations: Sequence[str], references: Sequence[str]) -> Array:
    """Of each order of letters, without spaces: n-grams said, n-grams of the reference, shared."""
    one_each(references, translations)
    rows = []
    for text, reference in zip(translations, references, strict=True):
        sides = ["".join(one.split()) for one in (text, reference)]
        row: list[float] = []
        for order in range(1, _CHARS + 1):
            ours, theirs = (_grams(side, order) for side in sides)
            row += [sum(ours.values()), sum(theirs.values()), sum((ours & theirs).values())]
        rows.append(row)
    return np.asarray(rows, dtype=np.float64).reshape(-1, 3 * _CHARS)


def _grams(text: str, order: int) -> Counter[str]:
    return Counter(text[at : at + order] for at in range(len(text) - order + 1))


def _chrf(sums: Array) -> Array:
    ours, theirs, shared = (sums[..., at::3] for at in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        used = (ours > 0) & (theirs > 0)
        precision = np.where(used, shared / ours, 0.0)
        recall = np.where(used, shared / theirs, 0.0)
        precision, recall = (np.sum(one, -1) / used.sum(-1) for one in (precision, recall))
        score = (1 + _BETA**2) * precision * recall / (_BETA**2 * precision + recall)
    return np.asarray(np.where(precision + recall > 0, score, 0.0))


BLEU = Metric("BLEU", _bleu_rows, _bleu)
CHRF = Metric("chrF", _chrf_rows, _chrf)


def needs_sacrebleu() -> None:
    """Raise at once, not after an hour of translating, where sacrebleu is not installed."""
    do = 'pip install "cuescope[quality]"'
    imported("sacrebleu", "BLEU needs sacrebleu, which is not installed", do=do)
