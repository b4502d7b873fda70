"""Words with their character offsets: elisions and contractions split, nothing lost."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, SupportsIndex, overload

from cuescope.gender import languages


class Word(NamedTuple):
    """One word: its form and where it stands in the text.

    The two halves of a contraction share one place: *do* is *de* and *o*, both at *do*.
    """

    form: str
    start: int
    end: int


class NotYet(Exception):
    """A rule asked for a word that is not written yet."""


class Unfinished(list[Word]):
    """The words of a text that goes on: a rule that asks for more than there are gets `NotYet`.

    What a rule says of them without that it says of every text that begins so.

    >>> begun = Unfinished(words("L'élève est", "fr"))
    >>> begun[2].form, len(begun) > 100
    ('est', True)
    """

    def __len__(self) -> int:
        return sys.maxsize

    def __iter__(self) -> Iterator[Word]:
        yield from super().__iter__()
        raise NotYet

    @overload
    def __getitem__(self, place: SupportsIndex) -> Word: ...
    @overload
    def __getitem__(self, place: slice) -> list[Word]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Word | list[Word]:
        written = super().__len__()
        if isinstance(place, slice):
            known = place.stop is not None and 0 <= place.stop <= written
        else:
            known = 0 <= place.__index__() < written
        if not known:
            raise NotYet
        return super().__getitem__(place)


def written(words: list[Word]) -> list[Word]:
    """The words that are there, whatever may follow."""
    return words.copy()  # of a subclass too a plain list


def within(words: list[Word], span: tuple[int, int]) -> list[int]:
    """The places of the words that a span of written text touches.

    >>> within(words("A médica saiu.", "pt"), (2, 8))
    [1]
    """
    return [i for i, w in enumerate(written(words)) if w.start < span[1] and w.end > span[0]]


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

_ENGLISH_CLITIC = re.compile("(?=n't$)|(?='(?:s|re|ve|ll|d|m)$)")
# What a hyphen joins stays whole (secrétaire-comptable, disse-lhe, celle-ci): the readers of
# gender look into it.


def words(text: str, lang: str) -> list[Word]:
    """The words of a text in order; punctuation marks are words of their own.

    >>> [w.form for w in words("L'impiegata parla all'avvocato.", "it")]
    ["L'", 'impiegata', 'parla', 'a', "l'", 'avvocato', '.']
    >>> words("a filha do médico", "pt")[2:4]
    [Word(form='de', start=8, end=10), Word(form='o', start=8, end=10)]
    """
    language = languages.find(lang)
    table = language.contractions if language else {}
    shortened = language.shortened if language else frozenset()
    cuts = _ENGLISH_CLITIC if lang == "en" else language.cuts if language else None
    found: list[Word] = []
    for match in (_ENGLISH if lang == "en" else _TOKEN).finditer(text):
        chunk, start = match.group(), match.start()
        for first, last in _pieces(chunk, cuts, shortened):
            form = chunk[first:last].translate(_STRAIGHT)
            halves = table.get(form.lower())
            place = (start + first, start + last)
            if halves is None:
                found.append(Word(form, *place))
            else:
                left = halves[0].capitalize() if form[0].isupper() else halves[0]
                found += [Word(left, *place), Word(halves[1], *place)]
    return found


def _pieces(
    chunk: str, cuts: re.Pattern[str] | None, shortened: frozenset[str]
) -> list[tuple[int, int]]:
    """Where the words of a chunk begin and end in it."""
    if len(chunk) == 1 or chunk.isalpha():
        return [(0, len(chunk))]
    plain = chunk.translate(_STRAIGHT).lower()
    if len(plain) != len(chunk):  # a few letters grow when lower-cased
        plain = chunk.translate(_STRAIGHT)
    quote = len(plain) > 1 and plain[-1] == "'" and plain not in shortened
    body = plain[:-1] if quote else plain
    inner = {match.start() for match in cuts.finditer(body)} if cuts else set()
    return list(pairwise(sorted({0, len(body), len(plain)} | inner)))
