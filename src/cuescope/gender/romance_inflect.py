"""Surface forms of a dictionary form in Spanish, Italian, Portuguese and French: the plurals."""

from __future__ import annotations

import re
from functools import cache

_LINKS = frozenset(
    # prepositions, after which the words of a form no longer inflect
    {"a", "ai", "al", "alla", "alle", "au", "aux", "con", "d'", "da", "das", "de", "del", "des"}
    | {"di", "do", "dos", "du", "en", "in", "per", "à"}
)

# (ending, its plurals); the first ending that fits is used.
_PLURALS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "es": (
        ("ón", ("ones",)),
        ("án", ("anes",)),
        ("ín", ("ines",)),
        ("én", ("enes",)),
        ("és", ("eses",)),
        ("oven", ("óvenes",)),
        ("z", ("ces",)),
        ("í", ("íes", "ís")),
        ("s", ("s",)),
        *((v, (v + "s",)) for v in "aeoáéóú"),
        ("", ("es", "s")),
    ),
    "it": (
        ("uomo", ("uomini",)),
        ("dio", ("dei",)),
        ("tore", ("tor", "tori")),
        ("sore", ("sor", "sori")),
        ("co", ("ci", "chi")),
        ("go", ("gi", "ghi")),
        ("io", ("i", "ii")),
        ("ca", ("che", "chi")),
        ("ga", ("ghe", "ghi")),
        ("cia", ("ce", "cie")),
        ("gia", ("ge", "gie")),
        ("o", ("i",)),
        ("a", ("e", "i")),
        ("e", ("i",)),
        ("", ("", "s")),
    ),
    "pt": (
        ("ão", ("ões", "ãos", "ães")),
        ("ês", ("eses",)),
        ("m", ("ns",)),
        ("al", ("ais",)),
        ("el", ("éis", "eis")),
        ("il", ("is", "eis")),
        ("ol", ("óis",)),
        ("ul", ("uis",)),
        ("s", ("s",)),
        *((c, (c + "es",)) for c in "rz"),
        ("", ("s",)),
    ),
    "fr": (
        ("monsieur", ("messieurs",)),
        ("madame", ("mesdames",)),
        ("mademoiselle", ("mesdemoiselles",)),
        ("al", ("aux", "als")),
        ("eau", ("eaux",)),
        ("eu", ("eux", "eus")),
        *((c, (c,)) for c in "sxz"),
        ("man", ("men", "mans")),
        ("", ("s",)),
    ),
}


def _plurals(word: str, lang: str) -> tuple[str, ...]:
    """The plurals of one word, itself excluded unless it does not change."""
    if lang == "fr" and "-" in word:
        first, _, last = word.rpartition("-")
        return tuple(
            f"{start}-{end}"
            for start in (*_plurals(first, lang), first)
            for end in _plurals(last, lang)
        )
    for ending, plurals in _PLURALS[lang]:
        if word.endswith(ending):
            return tuple(word[: len(word) - len(ending)] + plural for plural in plurals)
    return ()


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
