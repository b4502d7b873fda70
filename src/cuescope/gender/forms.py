"""The surface forms of a lexicon entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from cuescope.gender import languages
from cuescope.gender.lexicon import Entry, lexicon
from cuescope.gender.reading import Gender
from cuescope.gender.words import words

_LOANS = ("a", "o", "as", "os", "in", "innen")  # half translated: *o hygienista*
_LOOSE, _SELDOM = 100, 1000  # ranks
_LONG = 7  # letters of an English noun that no word resembles by chance


class Form(NamedTuple):
    """The gender of a form; `open`: masculine by default, yet a feminine article suits it too."""

    gender: Gender
    open: bool = False
    rank: int = 0  # place in the entry: the usual translation comes first


def reader(lang: str) -> Any:
    """The module (or object) that reads a language."""
    return languages.get(lang).rules


@languages.per_language
@cache
def surfaces(entry: Entry, lang: str) -> Mapping[tuple[str, ...], Form]:
    """Every way an entry may look in a sentence, as lower-case words, with its gender."""
    inflections = reader(lang).inflections
    found: dict[tuple[str, ...], Form] = {}
    columns: tuple[tuple[Gender, tuple[str, ...]], ...] = (
        ("masculine", entry.masculine),
        ("feminine", entry.feminine),
        ("neutral", entry.epicene),
    )
    times = Counter(form.lower() for _, some in columns for form in some)
    listed: list[tuple[str, Gender, int]] = [
        (
            form,
            "neutral" if times[form.lower()] > 1 else gender,  # in two columns: of either gender
            rank + _LOOSE * (form in entry.loose) + _SELDOM * (form in entry.seldom),
        )
        for gender, forms in columns
        for rank, form in enumerate(forms)
    ]
    # Dictionary forms first: Italian *infermiere* is a man before it is the plural of *infermiera*.
    for inflected in (False, True):
        for form, gender, rank in listed:
            for surface in inflections(form, lang) if inflected else (form.lower(),):
                key = tuple(w.form.lower() for w in words(surface, lang))
                shown = _shown(form, surface, gender, lang)
                found.setdefault(key, Form(shown, rank=rank))
    for ending in ("", "s", *(_LOANS if len(entry.english) >= _LONG else ())):  # left untranslated
        found.setdefault(tuple(f"{entry.english}{ending}".lower().split()), Form("neutral"))
    return found


@languages.per_language
@cache
def common(
    entry: Entry, lang: str, others: tuple[str, ...] | None = None
) -> Mapping[tuple[str, ...], Form]:
    """The forms by which a noun may be known without an aligner: none that is seldom meant.

    A seldom one is as likely another person of the sentence; where the `others` are known, and it
    is in no form of theirs, it can be nobody else.
    """
    known = None if others is None else [_called(noun, lang) for noun in others]
    theirs = None if known is None or None in known else [k for one in known for k in one or ()]
    return {
        key: form
        for key, form in surfaces(entry, lang).items()
        if form.rank < _SELDOM or (theirs is not None and not any(_in(key, k) for k in theirs))
    }


def _called(noun: str, lang: str) -> Mapping[tuple[str, ...], Form] | None:
    known = entry(noun, lang)
    return None if known is None else surfaces(known, lang)


def _in(key: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """Is a form, word by word, in a longer one, or the end of a word of it (*-leiter*)?"""
    if len(key) == 1 and any(word.endswith(key) for word in longer):
        return True
    return any(longer[i : i + len(key)] == key for i in range(len(longer)))


@languages.per_language
@cache
def unaccented(entry: Entry, lang: str) -> Mapping[tuple[str, ...], Form]:
    """The forms as a system may spell them that drops accents: *fermiere*, *medica*."""
    return {tuple(map(plain, key)): form for key, form in surfaces(entry, lang).items()}


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """A word without the accents of Latin letters; й and ї are letters of their own."""
    if not word[:1].isascii() and not "À" <= word[:1] <= "ɏ":
        return word
    return "".join(c for c in normalize("NFD", word) if not combining(c))


def _shown(form: str, surface: str, gender: Gender, lang: str) -> Gender:
    """Some languages tell by the plural what the singular hides (Italian *-ista*, *-iste*)."""
    rule = getattr(reader(lang), "inflected_gender", None)
    return gender if rule is None else rule(form, surface, gender, lang)


@cache
def singulars(noun: str) -> tuple[str, ...]:
    """An English noun and what it may be the plural of."""
    guesses = [noun]
    for ending, singular in (("men", "man"), ("ies", "y"), ("ves", "fe"), ("es", ""), ("s", "")):
        if noun.endswith(ending):
            guesses.append(noun[: -len(ending)] + singular)
    if noun.endswith("people"):
        guesses.append(noun[:-6] + "person")
    irregular = {"children": "child", "wives": "wife", "staff": "staff member"}
    return (*guesses, *filter(None, [irregular.get(noun)]))


@languages.per_language
@cache
def entry(noun: str, lang: str) -> Entry | None:
    """The lexicon's entry for an English noun, whatever its case, number or article.

    >>> entry("The Lawyers", "es").english
    'lawyer'
    """
    name = noun.lower().strip()
    for article in ("the ", "a ", "an "):
        name = name.removeprefix(article)
    known = lexicon(lang)
    return next((known[guess] for guess in singulars(name) if guess in known), None)
