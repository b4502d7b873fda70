"""The Slavic language of a code."""

from __future__ import annotations

from functools import cache

from cuescope.gender.languages import Slavic, per_language, reader_language


@per_language
@cache
def slavic(lang: str) -> Slavic:
    """What the registry holds for this code, if it is a Slavic language."""
    return reader_language(lang, Slavic)
