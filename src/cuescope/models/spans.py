"""Character spans ↔ sub-word positions: where a word stands among the model's pieces."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cuescope.errors import CueScopeError

Span = tuple[int, int]


@dataclass(frozen=True)
class Encoding:
    """A text as a model sees it.

    `offsets` gives each position's characters, without the blank that a leading `▁` stands for:
    an empty span where a piece holds nothing else, None for what is no word (language tags, end of
    sentence, a prompt).
    """

    text: str
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    offsets: tuple[Span | None, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def positions(self, start: int, end: int) -> tuple[int, ...]:
        """The positions whose characters meet text[start:end].

        >>> pieces, offsets = ("▁a", "▁che", "f", "</s>"), ((0, 1), (2, 5), (5, 6), None)
        >>> Encoding("a chef", (5, 6, 7, 0), pieces, offsets).positions(2, 6)
        (1, 2)
        """
        if not 0 <= start < end <= len(self.text):
            raise CueScopeError(
                "a span outside the text",
                expected=f"0 ≤ start < end ≤ {len(self.text)}",
                found=f"{start}, {end} in {self.text!r}",
                do="count characters, from 0, the end not included",
            )
        met = tuple(i for i, at in enumerate(self.offsets) if at and at[0] < end and start < at[1])
        if not met:
            raise CueScopeError(
                "no sub-word stands at this span",
                expected="a span that holds more than blanks",
                found=f"{self.text[start:end]!r} at {start}:{end} of {self.text!r}",
                do="point the span at the word itself",
            )
        return met

    def span(self, positions: Iterable[int]) -> Span:
        """The smallest piece of text that holds these positions; tags have none.

        >>> Encoding("a chef", (5, 6), ("▁a", "▁chef"), ((0, 1), (2, 6))).span([1])
        (2, 6)
        """
        wanted = list(positions)
        places = [at for i in wanted if (at := self.offsets[i]) is not None]
        if not places:
            raise CueScopeError(
                "these positions are no words",
                expected="positions of sub-words of the text",
                found=", ".join(f"{i} ({self.pieces[i]})" for i in wanted) or "none",
                do="leave out language tags and the end of the sentence",
            )
        return min(a for a, _ in places), max(b for _, b in places)

    def find(self, word: str, occurrence: int = 0) -> tuple[int, ...]:
        """The positions of a word, or of several, as they stand in the text.

        >>> Encoding("a chef", (5, 6), ("▁a", "▁chef"), ((0, 1), (2, 6))).find("chef")
        (1,)
        """
        return self.positions(*find(self.text, word, occurrence))

    @property
    def words(self) -> tuple[int, ...]:
        """The positions that are pieces of words: no tags, no end of sentence."""
        return tuple(i for i, at in enumerate(self.offsets) if at is not None)


def find(text: str, word: str, occurrence: int = 0) -> Span:
    """Characters of the n-th whole-word occurrence of `word`, whatever its case.

    >>> find("The cheerleader told her leader", "leader")
    (25, 31)
    """
    folded, wanted = _fold(text), _fold(word)
    seen, at = 0, folded.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        if not (_inside(folded, at) or _inside(folded, end)):
            if seen == occurrence:
                return at, end
            seen += 1
        at = folded.find(wanted, at + 1)
    raise CueScopeError(
        f"{word!r} is not in the sentence" + (f" {occurrence + 1} times" if seen else ""),
        expected=f"whole word {word!r}, occurrence {occurrence} (from 0)",
        found=f"{seen} in {text!r}",
        do="give the word as it is written there, or its character span",
    )


def _fold(text: str) -> str:
    """Lower case character by character, so that places stay: 'İ' and 'ß' would grow."""
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def _inside(text: str, at: int) -> bool:
    """Is this place inside a word, between two letters or digits?"""

    def joins(c: str) -> bool:
        return c.isalnum() or unicodedata.combining(c) > 0

    return 0 < at < len(text) and joins(text[at - 1]) and joins(text[at])


def settle(text: str, pieces: Sequence[str], offsets: Sequence[Span]) -> tuple[Span, ...]:
    """A tokenizer's offsets made to say one thing: the characters that each piece stands for.

    Blanks at the edges go; a bare `▁` stands for none (T5 lends it the next letter); pieces that
    share one character (`ﬁ` read as `f`, `i`) all have it (SentencePiece gives it to the last).

    >>> settle("a ﬁ", ["▁a", "▁", "f", "i"], [(0, 1), (1, 2), (2, 2), (2, 3)])
    ((0, 1), (2, 2), (2, 3), (2, 3))
    """
    settled = []
    for piece, (start, end) in zip(pieces, offsets, strict=True):
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if not piece.strip("▁"):
            end = start
        elif start == end:
            start = min(start, len(text) - 1)
            end = start + 1
        settled.append((start, end))
    return tuple(settled)
