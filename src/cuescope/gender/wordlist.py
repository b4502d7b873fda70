"""Word classes that the rules of one language need, kept as tables beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cuescope.gender import languages
from cuescope.gender.languages.tables import classes


@cache
def wordlist(lang: str, name: str) -> Mapping[str, frozenset[str]]:
    """The classes of a language's table.

    >>> "sehr" in wordlist("de", "words")["adverb"]
    True
    """
    return classes(languages.get(lang).classes[name])
