"""Words with their character offsets: elisions and contractions split, nothing lost."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple


class Word(NamedTuple):
    """One word: its form and where it stands in the text.

    The two halves of a contraction share one place: *do* is *de* and *o*, both at *do*.
    """

    form: str
    start: int
    end: int


_APOSTROPHE = "'’ʼ"
_STRAIGHT = str.maketrans(dict.fromkeys(_APOSTROPHE, "'"))
_ACCENT = "\u0300-\u036f"  # in decomposed text a mark belongs to the letter before it
_LETTERS = rf"(?:[^\W_{_APOSTROPHE}][{_ACCENT}]*)+"
_TOKEN = re.compile(
    rf"{_LETTERS}(?:[-{_APOSTROPHE}]{_LETTERS})*[{_APOSTROPHE}]?|[^\w\s]|[_{_APOSTROPHE}]"
)
_ENGLISH = re.compile(  # corpora write the clitic apart: the designer 's idea
    rf"(?:(?<=\s)|^)[{_APOSTROPHE}](?:s|re|ve|ll|d|m)(?!\w)|{_TOKEN.pattern}"
)

# Where a chunk of letters, hyphens and apostrophes is cut (the patterns have no width): after an
# elision, but not where the apostrophe is a letter (aujourd'hui), and before an English or German
# clitic. What a hyphen joins stays whole (secrétaire-comptable, disse-lhe, celle-ci): the readers
# of gender look into it.
_ELISION = re.compile(
    r"(?<=')(?=.)(?<!aujourd')(?<!quelqu')(?<!prud')(?<!presqu')(?<!entr')(?<!\bo')"
)
_CUTS = dict.fromkeys(("ca", "fr", "it", "pt"), _ELISION) | {
    "en": re.compile("(?=n't$)|(?='(?:s|re|ve|ll|d|m)$)"),
    "de": re.compile("(?='(?:s|n|ne|nen|nem|ner)$)"),
}
_SHORTENED = {
    "it": frozenset({"po'", "mo'", "be'", "to'", "di'", "da'", "fa'", "va'", "sta'", "ve'", "fra'"})
}

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
_CONTRACTIONS["it"] |= {"col": ("con", "il"), "coi": ("con", "i")}
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
    for match in (_ENGLISH if lang == "en" else _TOKEN).finditer(text):
        chunk, start = match.group(), match.start()
        for first, last in _pieces(chunk, lang):
            form = chunk[first:last].translate(_STRAIGHT)
            halves = table.get(form.lower())
            place = (start + first, start + last)
            if halves is None:
                found.append(Word(form, *place))
            else:
                left = halves[0].capitalize() if form[0].isupper() else halves[0]
                found += [Word(left, *place), Word(halves[1], *place)]
    return found


def _pieces(chunk: str, lang: str) -> list[tuple[int, int]]:
    """Where the words of a chunk begin and end in it."""
    if len(chunk) == 1 or chunk.isalpha():
        return [(0, len(chunk))]
    plain = chunk.translate(_STRAIGHT).lower()
    if len(plain) != len(chunk):  # a few letters grow when lower-cased
        plain = chunk.translate(_STRAIGHT)
    quote = len(plain) > 1 and plain[-1] == "'" and plain not in _SHORTENED.get(lang, ())
    body = plain[:-1] if quote else plain
    pattern = _CUTS.get(lang)
    inner = {match.start() for match in pattern.finditer(body)} if pattern else set()
    cuts = sorted({0, len(body), len(plain)} | inner)
    return list(pairwise(cuts))
