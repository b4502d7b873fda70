"""The lists of profession words: English noun → forms in the target language."""

from __future__ import annotations

from cuescope.gender import languages
from cuescope.gender.languages.tables import Entry

__all__ = ["Entry", "lexicon"]


def lexicon(lang: str) -> dict[str, Entry]:
    """Entries by English noun.

    >>> lexicon("es")["lawyer"].feminine[0]
    'abogada'
    """
    return languages.get(lang).lexicon
