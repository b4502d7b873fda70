"""Where the translation of an English noun stands in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cuescope.gender.forms import Form, entry, reader, surfaces
from cuescope.words import Word, words

Span = tuple[int, int]


def locate(text: str, noun: str, lang: str, near: Span | None = None) -> Span | None:
    """The character span of a noun's translation, by the lexicon; `near` is an aligner's guess.

    What `near` touches wins, then the usual translation, then the nearest. Without a form in the
    sentence, the answer is `near`, moved to a neighbour where it is plainly no noun.

    >>> text = "La doctora llamó a la directora ejecutiva."
    >>> locate(text, "CEO", "es")
    (22, 41)
    """
    reader(lang)
    tokens = words(text, lang)
    known = entry(noun, lang)
    if known is not None:
        found = _matches(tokens, surfaces(known, lang))
        if found:
            return min(found, key=lambda match: _cost(match, near)).span
    return None if near is None else _mend(tokens, near, lang)


class _Match(NamedTuple):
    span: Span
    rank: int


def _matches(tokens: list[Word], known: Mapping[tuple[str, ...], Form]) -> list[_Match]:
    """Every place where a form of the entry stands; a shorter one inside a longer is dropped."""
    lower = [token.form.lower() for token in tokens]
    sizes = sorted({len(key) for key in known}, reverse=True)
    found: list[_Match] = []
    reached = 0
    for i in range(len(lower)):
        for size in sizes:
            form = known.get(tuple(lower[i : i + size]))
            if form is not None and i >= reached and i + size <= len(lower):
                span = (tokens[i].start, tokens[i + size - 1].end)
                found.append(_Match(span, form.rank))
                reached = i + size
                break
    return found


def _cost(match: _Match, near: Span | None) -> tuple[bool, int, int]:
    """Lower is better: what the aligner touches, then the usual translation, then the nearest."""
    if near is None:
        return False, match.rank, match.span[0]
    gap = max(match.span[0] - near[1], near[0] - match.span[1])
    return gap >= 0, match.rank, gap


def _mend(tokens: list[Word], near: Span, lang: str) -> Span | None:
    """The aligner's span, or the closest word beside it that can be a noun (to the right first)."""
    inside = [i for i, t in enumerate(tokens) if t.start < near[1] and t.end > near[0]]
    if not inside:
        return None
    can_be_noun = getattr(reader(lang), "can_be_noun", lambda form, lang: form[:1].isalnum())
    around = [inside[-1] + 1, inside[-1] + 2, inside[0] - 1, inside[0] - 2]
    for i in (*inside, *around):
        if 0 <= i < len(tokens) and can_be_noun(tokens[i].form, lang):
            return near if i in inside else (tokens[i].start, tokens[i].end)
    return None
