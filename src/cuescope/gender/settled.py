"""When more words cannot change the gender of a noun: what a text that goes on has decided.

The gender meant here is that of the first form of the noun's entry that stands as a noun: it
depends on the text alone, and no later word can take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cuescope.gender.forms import common, entry, reader
from cuescope.gender.locate import first
from cuescope.gender.reading import Gender
from cuescope.gender.words import NotYet, Unfinished, words, written


def settled(
    text: str, noun: str, lang: str, others: tuple[str, ...] | None = None
) -> Gender | None:
    """The gender in which a noun stands in every text that begins like this one, if it is one.

    `others`: the English nouns for the other people of the source, where they are known.

    >>> settled("A médica do hos", "doctor", "pt")
    'feminine'
    >>> settled("A médica", "doctor", "pt")  # might become médicas, or be a lexicon's longer form
    """
    known, rules = entry(noun, lang), _rules(lang)
    whole = _whole(text)
    if known is None or rules is None or not whole:
        return None
    tokens = Unfinished(words(whole, lang))
    forms = common(known, lang, others)
    try:
        span = first(tokens, forms, lang)
        if span is None or _unfinished(tokens, span[0], forms):
            return None
        return rules(whole, tokens, span, lang, known)
    except NotYet:
        return None


def _rules(lang: str) -> Callable[..., Gender | None] | None:
    """How a language reads words that go on: by a way of its own, or as it reads all.

    The latter only where a reader says (`by_words`) that it looks at nothing but the words.
    """
    module = reader(lang)
    own: Callable[..., Gender | None] | None = getattr(module, "settled", None)
    return own or (_read(module) if getattr(module, "by_words", False) else None)


def _read(module: Any) -> Callable[..., Gender | None]:
    return lambda *asked: module.read_phrase(*asked).gender


def _whole(text: str) -> str:
    """The words that are whole: all but the last, once a letter of that has been written."""
    done, _, begun = text.rpartition(" ")
    return done.rstrip() if begun[:1].isalnum() else ""


def _unfinished(tokens: Unfinished, start: int, forms: Iterable[tuple[str, ...]]) -> bool:
    """May a longer form still come about at the noun or before it (*agente* … *de polícia*)?"""
    there = written(tokens)
    lower = tuple(token.form.lower() for token in there)
    starts = {lower[i:] for i, token in enumerate(there) if token.start <= start}
    return any(key[:size] in starts for key in forms for size in range(1, len(key)))
