"""What sampling gives: the distinct sequences of a source, each with its count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A sequence that was drawn `count` times, with its two log probabilities.

    `logprob` is the model's own, as `mt.score` gives it; `truncated` is that of the distribution
    that was drawn from. `finished` is False where the length limit cut it off.
    """

    ids: tuple[int, ...]
    text: str
    count: int
    logprob: float
    truncated: float
    finished: bool = True


@dataclass(frozen=True)
class Samples:
    """All samples of one source, the most frequent first.

    >>> drawn = (Sample((7, 0), "Oi", 3, -0.2, -0.1), Sample((7, 8, 0), "Oi", 1, -3.0, -2.4))
    >>> Samples("Hi", drawn, epsilon=0.02, seed=7).texts
    Counter({'Oi': 4})
    """

    source: str
    sequences: tuple[Sample, ...] = field(repr=False)
    epsilon: float
    seed: int
    evaluations: int = 0  # prefixes that the decoder had to look at

    def __len__(self) -> int:
        return len(self.sequences)

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.sequences)

    @property
    def n(self) -> int:
        """How many samples were drawn."""
        return sum(sample.count for sample in self.sequences)

    @property
    def texts(self) -> Counter[str]:
        """Counts by text: other sub-words can spell the same translation."""
        found: Counter[str] = Counter()
        for sample in self.sequences:
            found[sample.text] += sample.count
        return found

    @property
    def unfinished(self) -> int:
        """How many samples the length limit cut off."""
        return sum(sample.count for sample in self.sequences if not sample.finished)

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        most = self.texts.most_common(10)
        rows = [[html.Cell(str(count)), text] for text, count in most]
        left = len(self.texts) - len(most)
        notes = [f"{self.n} samples, ε = {self.epsilon}, seed {self.seed}"]
        notes += [f"{left} more translations"] if left else []
        return html.table(rows, ["times", "translation"], title=self.source, notes=notes)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; `from_json` gives the same samples back."""
        return {**vars(self), "sequences": [vars(sample) for sample in self.sequences]}

    @staticmethod
    def from_json(saved: dict[str, Any]) -> Samples:
        """Samples out of what `to_json` wrote."""
        rows = ({**row, "ids": tuple(row["ids"])} for row in saved["sequences"])
        return Samples(**{**saved, "sequences": tuple(Sample(**row) for row in rows)})
