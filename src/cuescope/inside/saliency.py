"""Which source words make the noun feminine: the choice in one sentence, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import torch

from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.inputs import Parts, ended, parts
from cuescope.inside.effect.measure import preference
from cuescope.inside.sentence import twin_of
from cuescope.signature import Signature

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.inside.ready import Subject
    from cuescope.models.spans import Encoding
    from cuescope.models.translator import Translator

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]+")
MISSED = 0.02  # of the whole, or of a logit where that is less: what may be missed


@dataclass(frozen=True)
class Word:
    """A word of the source and what it adds to the feminine form's logit, less the masculine's."""

    text: str
    value: float
    role: str  # noun, cue or other


@dataclass(frozen=True)
class Saliency:
    """The words of a sentence with their parts of one choice.

    They sum to `whole`: how much more the sentence leans to the feminine form (a logit
    difference) than the baseline does, which has the end of the sentence for every word. `missed`
    is what the integration of `steps` steps did not account for. `cue`: how much more it leans so
    than with the cue in the other gender; None where the cue is no pronoun.
    """

    text: str
    translation: str
    feminine: str  # the two pieces
    masculine: str
    words: tuple[Word, ...]
    leaning: float
    whole: float
    missed: float
    cue: float | None
    steps: int
    signature: Signature

    @property
    def probability(self) -> float:
        """Of the feminine piece, of the two."""
        return 1 / (1 + exp(-self.leaning))

    @property
    def complete(self) -> bool:
        """Do the parts sum to the whole, but for 2 %?"""
        return abs(self.missed) <= MISSED * max(abs(self.whole), 1.0)

    def table(self) -> pd.DataFrame:
        """A row a word."""
        import pandas as pd

        return pd.DataFrame([vars(word) for word in self.words])

    def summary(self) -> str:
        """The sum in one line, and what is missing of it."""
        short = "" if self.complete else ": raise `steps`"
        twin = "" if self.cue is None else f" Against its twin the cue moves it {self.cue:+.2f}."
        return (
            f"{self.feminine!r} less {self.masculine!r}: {self.leaning:+.2f} logits, P(feminine of "
            f"the two) = {self.probability:.2f}. The words add {self.whole:+.2f}; the integration "
            f"missed {abs(self.missed):.3f}{short}.{twin}"
        )

    def __repr__(self) -> str:
        parts = ", ".join(f"{word.text} {word.value:+.2f}" for word in self.words)
        return f"Saliency({parts}; {self.summary()})"

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        size = max((abs(word.value) for word in self.words), default=0.0) or 1.0
        cells = [
            html.Cell(
                word.text,
                f"{word.value:+.3f}",
                bold=word.role != "other",
                right=False,
                fill=html.colour((word.value / size + 1) / 2, "gender"),
            )
            for word in self.words
        ]
        values = [html.Cell(f"{word.value:+.2f}", right=False) for word in self.words]
        notes = [self.translation, self.summary(), str(self.signature)]
        return html.table([cells, values], title="towards the feminine form", notes=notes)


def saliency(mt: Translator, one: Subject, steps: int) -> Saliency:
    """The parts of a sentence's words, by captum's integrated gradients from ends of sentence.

    The steps are doubled, up to eight times as many, until the parts sum to the whole but for 2 %.
    """
    found, spent = of_subject(mt, one, steps, 8 * steps)
    assert one.choice is not None
    ids = [one.choice.feminine, one.choice.masculine]
    she, he = (piece.removeprefix("▁") or piece for piece in mt.tokenizer.target_pieces(ids))
    facts = {"text": one.item.text, "noun": one.item.noun, "baseline": "end", "steps": spent}
    return Saliency(
        one.item.text,
        one.target.text,
        she,
        he,
        words(one, found.values.tolist()),
        found.leaning,
        found.whole,
        found.missed,
        _against_twin(mt, one, found.leaning),
        spent,
        mt.signature | facts,
    )


def _against_twin(mt: Translator, one: Subject, leaning: float) -> float | None:
    """The same choice after the same words, with the cue in the other gender."""
    twin = twin_of(one.item)
    if twin is None or one.choice is None:
        return None
    fed = feeding.fed(mt, [twin.text], [one.choice])
    with torch.no_grad():
        hidden = feeding.hidden_of(mt, fed)
        there = preference(mt, hidden, fed.feminine, fed.masculine, "logit difference")
    return leaning - float(there)


def of_subject(mt: Translator, one: Subject, steps: int, most: int) -> tuple[Parts, int]:
    """The part of every source position, and the steps that it took to account for the whole."""
    assert one.choice is not None
    fed = feeding.fed(mt, [one.item.text], [one.choice])
    start = ended(mt, one, fed)
    while True:
        found = parts(mt, fed, start, "logit difference", steps)
        if abs(found.missed) <= MISSED * max(abs(found.whole), 1.0) or 2 * steps > most:
            return found, steps
        steps *= 2


def words(one: Subject, values: Sequence[float]) -> tuple[Word, ...]:
    """Sub-words joined to words; noun and cue are named."""
    found = []
    for text, positions in grouped(one.encoding):
        kinds = {"noun" if at in one.noun else "cue" if at in one.cue else "" for at in positions}
        role = next((kind for kind in ("noun", "cue") if kind in kinds), "other")
        found.append(Word(text, sum(values[at] for at in positions), role))
    return tuple(found)


def grouped(encoding: Encoding) -> list[tuple[str, list[int]]]:
    """The words of a source with the positions of their sub-words; tags and the end by themselves.

    >>> from cuescope.models.spans import Encoding
    >>> grouped(Encoding("a chef", (5, 6, 7, 0), ("▁a", "▁che", "f", "</s>"),
    ...     ((0, 1), (2, 5), (5, 6), None)))
    [('a', [0]), ('chef', [1, 2]), ('</s>', [3])]
    """
    spans = [match.span() for match in _WORD.finditer(encoding.text)]
    found: list[tuple[str, list[int]]] = []
    before: object = None
    for at, offsets in enumerate(encoding.offsets):
        # a piece that is but the blank before a word belongs to it
        own = offsets and next((s for s in spans if s[1] > offsets[0] and s[0] <= offsets[1]), None)
        if own and own == before:
            found[-1][1].append(at)
        else:
            found.append((encoding.text[slice(*own)] if own else encoding.pieces[at], [at]))
        before = own
    return found
