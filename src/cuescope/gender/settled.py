"""When more words cannot change the gender of a noun: what a text that goes on has decided.

The gender meant here is that of the first form of the noun's entry that stands as a noun: it
depends on the text alone, and no later word can take its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from cuescope.gender.forms import common, entry, reader
from cuescope.gender.locate import first
from cuescope.gender.reading import Gender
from cuescope.gender.words import words


def settled(text: str, noun: str, lang: str) -> Gender | None:
    """The gender in which a noun stands in every text that begins like this one, if it is one.

    >>> settled("A médica do hos", "doctor", "pt")
    'feminine'
    >>> settled("A médica", "doctor", "pt")  # might become médicas, or be a lexicon's longer form
    """
    known, rules = entry(noun, lang), getattr(reader(lang), "settled", None)
    whole = _whole(text)
    if known is None or rules is None or not whole:
        return None
    tokens = words(whole, lang)
    forms = common(known, lang)
    span = first(tokens, forms, lang)
    if span is None:
        return None
    lower = tuple(token.form.lower() for token in tokens)
    inside = [
        i for i, token in enumerate(tokens) if span[0] <= token.start and token.end <= span[1]
    ]
    if lower[inside[0] : inside[-1] + 1] not in forms:  # part of a compound: the reader looks about
        return None
    if _unfinished(lower, inside[0], forms):
        return None
    gender: Gender | None = rules(whole, tokens, span, lang, known)
    return gender


def _whole(text: str) -> str:
    """The words that are whole: all but the last, once a letter of that has been written."""
    done, _, begun = text.rpartition(" ")
    return done.rstrip() if begun[:1].isalnum() else ""


def _unfinished(lower: tuple[str, ...], noun: int, forms: Iterable[tuple[str, ...]]) -> bool:
    """May a longer form still come about at the noun or before it (*agente* … *de polícia*)?"""
    starts = {lower[i:] for i in range(noun + 1)}
    return any(key[:size] in starts for key in forms for size in range(1, len(key)))
