"""The word lists of a Romance language: its `grammar` table, one row per kind and gender."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from cuescope.gender import languages
from cuescope.gender.lexicon import lexicon
from cuescope.gender.reading import Gender
from cuescope.gender.romance.inflect import inflections
from cuescope.gender.romance.language import romance

_ENDINGS = ("ending", "attribute", "finite_ending")


@dataclass(frozen=True)
class Grammar:
    """Closed-class words by kind, and endings by kind, each with its gender."""

    lang: str
    words: Mapping[str, Mapping[str, Gender]]
    endings: Mapping[str, Mapping[str, Gender]]

    def has(self, kind: str, word: str) -> bool:
        """Is `word` (lower case) listed under `kind`?"""
        return word in self.words[kind]

    def ending(self, word: str, kind: str = "ending") -> tuple[str, Gender] | None:
        """The longest listed ending of a word, never the whole word."""
        table = self.endings[kind]
        for start in range(1, len(word)):
            if (gender := table.get(word[start:])) is not None:
                return word[start:], gender
        return None


@languages.per_language
@cache
def grammar(lang: str) -> Grammar:
    """The grammar of a language, read once."""
    lists = dict(romance(lang).lists)
    endings = {kind: lists.pop(kind, {}) for kind in _ENDINGS}
    return Grammar(lang, defaultdict(dict, lists), endings)


@languages.per_language
@cache
def person_nouns(lang: str) -> Mapping[str, Gender]:
    """Every one-word form of the lexicon, plurals included, with its gender.

    A form listed under two genders is `neutral`; a dictionary form goes before a plural.
    """
    seen: dict[str, set[Gender]] = defaultdict(set)
    plurals: dict[str, set[Gender]] = defaultdict(set)
    for entry in lexicon(lang).values():
        columns: tuple[tuple[Gender, tuple[str, ...]], ...] = (
            ("masculine", entry.masculine),
            ("feminine", entry.feminine),
            ("neutral", entry.epicene),
        )
        for gender, forms in columns:
            for form in forms:
                if " " not in form:
                    seen[form.lower()].add(gender)
                    for surface in inflections(form, lang):
                        plurals[surface].add(inflected_gender(form, surface, gender, lang))
    merged = {**plurals, **seen}
    return {form: next(iter(g)) if len(g) == 1 else "neutral" for form, g in merged.items()}


def inflected_gender(form: str, surface: str, gender: Gender, lang: str) -> Gender:
    """The gender a surface form shows: Italian *-ista* is common, *-isti* and *-iste* are not."""
    if not romance(lang).vowel_plurals:
        return gender
    if gender == "neutral" and form.endswith("a") and surface != form.lower():
        return "feminine" if surface.endswith("e") else "masculine"
    if form.endswith("a") and surface.endswith("i"):
        return "masculine"
    return gender
