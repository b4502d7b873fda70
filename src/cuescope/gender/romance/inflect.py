"""Surface forms of a Romance dictionary form: the plurals."""

from __future__ import annotations

import re
from functools import cache

from cuescope.gender.languages import per_language
from cuescope.gender.romance.language import romance

_LINKS = frozenset(
    # prepositions, after which the words of a form no longer inflect
    {"a", "ai", "al", "alla", "alle", "au", "aux", "con", "d'", "da", "das", "de", "del", "des"}
    | {"di", "do", "dos", "du", "en", "in", "per", "à"}
)


def _plurals(word: str, lang: str) -> tuple[str, ...]:
    """The plurals of one word, itself excluded unless it does not change."""
    if romance(lang).hyphens and "-" in word:
        first, _, last = word.rpartition("-")
        return tuple(
            f"{start}-{end}"
            for start in (*_plurals(first, lang), first)
            for end in _plurals(last, lang)
        )
    for ending, plurals in romance(lang).plurals:
        if word.endswith(ending):
            return tuple(word[: len(word) - len(ending)] + plural for plural in plurals)
    return ()


@per_language
@cache
def inflections(form: str, lang: str) -> frozenset[str]:
    """The lower-case forms in which a dictionary form may appear; several words inflect the head.

    >>> sorted(inflections("directora ejecutiva", "es"))
    ['directora ejecutiva', 'directoras ejecutivas']
    >>> sorted(inflections("addetto alle pulizie", "it"))
    ['addetti alle pulizie', 'addetto alle pulizie']
    """
    parts = form.lower().split(" ")
    stop = next(
        (i for i, part in enumerate(parts) if i and (part in _LINKS or re.match(r"\w+['’]", part))),
        len(parts),
    )
    tail = " ".join(["", *parts[stop:]])
    plurals = [_plurals(part, lang) for part in parts[:stop]]
    longest = max(map(len, plurals))
    found = {form.lower()}
    for i in range(longest):
        found.add(" ".join(each[min(i, len(each) - 1)] for each in plurals) + tail)
    return frozenset(found)
