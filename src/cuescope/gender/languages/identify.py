"""In which of the known languages is a text? By the function words of their own tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from cuescope.gender import languages

_WORD = re.compile(r"[^\W\d_]+")
ENGLISH = "en"
ENOUGH = 100  # function words that a table must list: fewer say nothing of a text
LEAST = 0.15  # of the words of a text; in texts of these seven languages it is 0.27 to 0.53
_DOUBT = 0.001


@languages.per_language
@cache
def light() -> Mapping[str, frozenset[str]]:
    """The function words of every language whose table is long enough, and of English."""
    every = {code: languages.get(code) for code in languages.codes()}
    english = {
        form
        for one in every.values()
        for forms, kind, _ in one.dictionary
        if kind == "f"
        for form in forms
    }
    known = {code: one.light for code, one in every.items() if len(one.light) >= ENOUGH}
    return {**known, ENGLISH: frozenset(english)}


def words(text: str) -> list[str]:
    """Its words, in lower case."""
    return _WORD.findall(text.lower())


def another(texts: Iterable[str], lang: str) -> str | None:
    """The language that a text is in, if it is surely not `lang`; empty if it is none of ours.

    Of the words that only one of two languages has for function words, more are of the other one
    than chance allows. None: nothing speaks against `lang`, or nothing is known of it.

    >>> another(["Il medico ha detto che lei non era più in ritardo."] * 2, "es")
    'it'
    """
    known = light()
    if lang not in known:
        return None
    all_of = [word for text in texts for word in words(text)]
    counts = {code: sum(word in own for word in all_of) for code, own in known.items()}
    other = max(counts, key=lambda code: (counts[code], code == lang))
    if other != lang and _beyond(all_of, known[other], known[lang]):
        return other
    return "" if len(all_of) >= ENOUGH and counts[lang] < LEAST * len(all_of) else None


def _beyond(all_of: list[str], other: frozenset[str], own: frozenset[str]) -> bool:
    """Are the words of the other language alone more than chance would make them?"""
    from scipy.stats import binomtest

    theirs = sum(word in other and word not in own for word in all_of)
    ours = sum(word in own and word not in other for word in all_of)
    return theirs > ours and binomtest(theirs, theirs + ours).pvalue < _DOUBT


def looks_english(text: str, lang: str) -> bool:
    """Has a sentence three or more English function words, and fewer of its own language's?"""
    own, english = light().get(lang, frozenset()), light()[ENGLISH]
    found = words(text)
    theirs = sum(word in english and word not in own for word in found)
    return theirs >= 3 and theirs > sum(word in own and word not in english for word in found)
