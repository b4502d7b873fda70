"""The Romance language of a code."""

from __future__ import annotations

from functools import cache

from cuescope.gender.languages import Romance, per_language, reader_language


@per_language
@cache
def romance(lang: str) -> Romance:
    """What the registry holds for this code, if it is a Romance language."""
    return reader_language(lang, Romance)
