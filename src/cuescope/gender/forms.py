"""The surface forms of a lexicon entry, and which module reads which language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from cuescope.errors import CueScopeError
from cuescope.gender.lexicon import Entry, lexicon
from cuescope.gender.reading import Gender
from cuescope.gender.words import words

# language → module with `read_phrase` and `inflections`; those of this package by name
READERS: dict[str, str | ModuleType] = {
    "de": "german",
    "es": "romance",
    "fr": "romance",
    "it": "romance",
    "pt": "romance",
    "ru": "slavic",
    "uk": "slavic",
}


class Form(NamedTuple):
    """The gender of a form; `open`: masculine by default, yet a feminine article suits it too."""

    gender: Gender
    open: bool = False
    rank: int = 0  # place in the entry: the usual translation comes first


def check(lang: str) -> None:
    """Refuse a language without rules."""
    if lang not in READERS:
        raise CueScopeError(
            f"no gender rules for the language {lang!r}",
            expected=f"one of {', '.join(sorted(READERS))}",
            found=lang,
            do="see docs/adding-a-language.md",
        )


def reader(lang: str) -> ModuleType:
    """The module for a language, imported when first asked for."""
    check(lang)
    found = READERS[lang]
    return import_module(f"cuescope.gender.{found}") if isinstance(found, str) else found


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
    listed = [
        (form, gender, rank + 100 * (form in entry.loose))
        for gender, forms in columns
        for rank, form in enumerate(forms)
    ]
    # Dictionary forms first: Italian *infermiere* is a man before it is the plural of *infermiera*.
    for inflected in (False, True):
        for form, gender, rank in listed:
            for surface in inflections(form, lang) if inflected else (form.lower(),):
                key = tuple(w.form.lower() for w in words(surface, lang))
                shown = _shown(form, surface, gender, lang)
                before = found.setdefault(key, Form(shown, rank=rank))
                if before.gender != shown and not inflected:
                    found[key] = before._replace(gender="neutral")
    for surface in (entry.english, f"{entry.english}s"):  # left untranslated
        found.setdefault(tuple(surface.lower().split()), Form("neutral"))
    return found


def _shown(form: str, surface: str, gender: Gender, lang: str) -> Gender:
    """Some languages tell by the plural what the singular hides (Italian *-ista*, *-iste*)."""
    rule = getattr(reader(lang), "inflected_gender", None)
    return gender if rule is None else rule(form, surface, gender, lang)


@cache
def _singular(noun: str) -> tuple[str, ...]:
    """An English noun and what it may be the plural of."""
    guesses = [noun]
    for ending, singular in (("men", "man"), ("ies", "y"), ("ves", "fe"), ("es", ""), ("s", "")):
        if noun.endswith(ending):
            guesses.append(noun[: -len(ending)] + singular)
    if noun.endswith("people"):
        guesses.append(noun[:-6] + "person")
    irregular = {"children": "child", "wives": "wife", "staff": "staff member"}
    return (*guesses, *filter(None, [irregular.get(noun)]))


@cache
def entry(noun: str, lang: str) -> Entry | None:
    """The lexicon's entry for an English noun, whatever its case, number or article.

    >>> entry("The Lawyers", "es").english
    'lawyer'
    """
    name = noun.lower().strip()
    for article in ("the ", "a ", "an "):
        name = name.removeprefix(article)
    known: Mapping[str, Entry] = getattr(reader(lang), "LEXICON", None) or lexicon(lang)
    return next((known[guess] for guess in _singular(name) if guess in known), None)
