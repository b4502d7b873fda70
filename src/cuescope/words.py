"""Words with their character offsets: elisions and contractions split, nothing lost."""

from __future__ import annotations

import re
from typing import NamedTuple


class Word(NamedTuple):
    """One word: its form and where it stands in the text.

    The two halves of a contraction share one place: *do* is *de* and *o*, both at *do*.
    """

    form: str
    start: int
    end: int


_APOSTROPHE = "'’ʼ"
_TOKEN = re.compile(rf"[^\W_]+(?:-[^\W_]+)*[{_APOSTROPHE}]?|[^\w\s]|_")
_ELIDING = frozenset({"fr", "it", "pt", "ca"})

_CONTRACTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "es": {"al": ("a", "el"), "del": ("de", "el")},
    "fr": {"au": ("à", "le"), "aux": ("à", "les"), "du": ("de", "le"), "des": ("de", "les")},
    "de": {
        form: (preposition, article)
        for preposition, forms in {
            "an": ("am dem", "ans das"),
            "auf": ("aufs das",),
            "bei": ("beim dem",),
            "durch": ("durchs das",),
            "für": ("fürs das",),
            "in": ("im dem", "ins das"),
            "um": ("ums das",),
            "von": ("vom dem",),
            "zu": ("zum dem", "zur der"),
        }.items()
        for form, article in (pair.split() for pair in forms)
    },
    "it": {
        stem + ending: (preposition, article)
        for preposition, stem in {
            "a": "a",
            "da": "da",
            "di": "de",
            "in": "ne",
            "su": "su",
        }.items()
        for ending, article in {
            "l": "il",
            "llo": "lo",
            "lla": "la",
            "ll'": "l'",
            "i": "i",
            "gli": "gli",
            "lle": "le",
        }.items()
    },
    "pt": {
        onset + article: (preposition, article)
        for preposition, onset in {"a": "a", "de": "d", "em": "n", "por": "pel"}.items()
        for article in ("o", "a", "os", "as", "um", "uma", "uns", "umas")
        if preposition in ("de", "em") or (article in ("o", "a", "os", "as"))
    },
}
_CONTRACTIONS["pt"] |= {"à": ("a", "a"), "às": ("a", "as")}
for _odd in ("aa", "aas"):
    del _CONTRACTIONS["pt"][_odd]


def words(text: str, lang: str) -> list[Word]:
    """The words of a text in order; punctuation marks are words of their own.

    >>> [w.form for w in words("L'impiegata parla all'avvocato.", "it")]
    ["L'", 'impiegata', 'parla', 'a', "l'", 'avvocato', '.']
    >>> words("a filha do médico", "pt")[2:4]
    [Word(form='de', start=8, end=10), Word(form='o', start=8, end=10)]
    """
    table = _CONTRACTIONS.get(lang, {})
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        form, start, end = match.group(), match.start(), match.end()
        if form[-1] in _APOSTROPHE and len(form) > 1:
            followed = end < len(text) and text[end].isalpha()
            if not (lang in _ELIDING and followed):
                found += [Word(form[:-1], start, end - 1), Word(form[-1], end - 1, end)]
                continue
            form = form[:-1] + "'"
        halves = table.get(form.lower())
        if halves is None:
            found.append(Word(form, start, end))
        else:
            first = halves[0].capitalize() if form[0].isupper() else halves[0]
            found += [Word(first, start, end), Word(halves[1], start, end)]
    return found
