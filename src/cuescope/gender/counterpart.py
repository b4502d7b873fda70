"""A translated noun phrase in the other gender: *O mecânico* ↔ *A mecânica*.

Where the two part is where a model must choose; what comes after that place does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from typing import Literal, NamedTuple

from cuescope.gender import languages
from cuescope.gender.forms import entry, reader
from cuescope.gender.reading import Evidence, Reading

Shown = Literal["masculine", "feminine"]

_VOWEL = re.compile(r"[aeiouhàâäèéêëìîïòôöùû]", re.IGNORECASE)


class Turned(NamedTuple):
    """A translation with a phrase in another gender, and where the first and last change end."""

    text: str
    first: int
    last: int


def counterpart(text: str, reading: Reading, lang: str, noun: str | None = None) -> str | None:
    """The translation with its noun phrase in the other gender, or None where no rule knows it.

    >>> from cuescope.gender import read
    >>> text = "O mecânico chegou."
    >>> counterpart(text, read(text, (2, 10), "pt", noun="mechanic"), "pt", "mechanic")
    'A mecânica chegou.'
    """
    if reading.gender not in ("masculine", "feminine"):
        return None
    other: Shown = "feminine" if reading.gender == "masculine" else "masculine"
    made = turned(text, reading, other, lang, noun)
    return made.text if made else None


def turned(
    text: str, reading: Reading, to: Shown, lang: str, noun: str | None = None, choice: int = 0
) -> Turned | None:
    """The translation with what contradicts a gender turned to it; `choice` counts noun forms.

    >>> from cuescope.gender import read
    >>> text = "Falou à carpinteiro."
    >>> turned(text, read(text, (8, 19), "pt", noun="carpenter"), "feminine", "pt", "carpenter")
    Turned(text='Falou à carpinteira.', first=19, last=19)
    """
    language = languages.get(lang)
    changed, ends = text, []  # ends: counted from the end of the text, which no change moves
    for mark in sorted(reading.evidence, key=lambda mark: -mark.start):
        if mark.rule in ("attribute", "predicate") or mark.gender in (to, "neutral"):
            continue
        new = _in_gender(mark, text[mark.start : mark.end], to, lang, noun, choice)
        if new is None and mark.rule in ("article", "determiner"):
            return None  # the choice falls there: *esses médicas* is no phrase
        if new is None:
            continue
        rest = changed[mark.end :]
        if _VOWEL.match(rest.lstrip()) and new in language.elided:
            new, rest = language.elided[new], rest.lstrip()
        elif language.onset and language.onset.match(rest.lstrip()):
            new = language.lengthened.get(new, new)
        before, new = _contracted(changed[: mark.start], _case(new, text[mark.start]), lang)
        changed = before + new + rest
        ends.append(len(rest))
    if changed == text:
        return None
    return Turned(changed, len(changed) - ends[-1], len(changed) - ends[0])


def _contracted(before: str, new: str, lang: str) -> tuple[str, str]:
    """A preposition and the article after it as one word, where the language has one.

    >>> _contracted("le salaire de ", "le", "fr")
    ('le salaire ', 'du')
    """
    joined = {halves: whole for whole, halves in languages.get(lang).contractions.items()}
    last = before.split(" ")[-2:-1] if before.endswith(" ") else []
    whole = joined.get((last[0], new)) if last else None
    return (before[: -len(last[0]) - 1], whole) if whole else (before, new)


def _in_gender(
    mark: Evidence, form: str, to: Shown, lang: str, noun: str | None, choice: int
) -> str | None:
    """One gendered word in the other gender: a determiner, the noun, or a past tense."""
    word = form.lower()
    if word in _table(lang, to):
        return _table(lang, to)[word]
    if mark.rule == "noun form" and noun is not None:
        return _noun(word, to, lang, noun, choice)
    for endings in languages.get(lang).past:
        old, new = endings if to == "feminine" else endings[::-1]
        if word.endswith(old) and mark.rule != "noun form":
            return word[: -len(old)] + new
    return None


def _noun(word: str, to: Shown, lang: str, noun: str, choice: int) -> str | None:
    """A form of the lexicon's other column, in the same number: first what is most like this one.

    What translates the noun only now and then stands in for its own other form alone: *ferida* →
    *ferido*, but *vítima* has none. A form for both (*ingénieur*) is on the masculine side, where
    it was read as masculine.
    """
    known = entry(noun, lang)
    if known is None:
        return None
    sides = {"masculine": (*known.masculine, *known.epicene), "feminine": known.feminine}
    theirs = sides.pop(to)
    [ours] = sides.values()
    inflections = reader(lang).inflections
    for form in map(str.lower, ours):
        if word in inflections(form, lang):
            rare = known.loose | known.seldom
            fit = [one for one in theirs if one not in rare or _akin(one.lower(), form)]
            best = _ranked(fit, form)[choice : choice + 1]
            if not best or (choice == 0 and not _akin(best[0].lower(), form)):
                return None
            return best[0] if word == form else _inflected(best[0].lower(), lang)
    return None


def _ranked(forms: Sequence[str], like: str) -> list[str]:
    """What is one word with this one first, and of those what begins and is as long as it."""

    def unlike(form: str) -> tuple[bool, int, int]:
        low = form.lower()
        return not _akin(low, like), -_alike(low, like), abs(len(low) - len(like))

    return sorted(forms, key=unlike)


def _inflected(form: str, lang: str) -> str | None:
    """The other form of a noun that has two, singular and plural."""
    others = reader(lang).inflections(form, lang) - {form}
    return next(iter(others)) if len(others) == 1 else None


def _akin(a: str, b: str) -> bool:
    """One word in two genders: they begin alike, or end in the same further words."""
    tails = [form.partition(" ")[2] for form in (a, b)]
    return _alike(a, b) >= min(3, len(a) - 1, len(b) - 1) or bool(tails[0] and len(set(tails)) == 1)


def _alike(a: str, b: str) -> int:
    """How many first letters are the same."""
    return sum(1 for _ in takewhile(lambda ab: ab[0] == ab[1], zip(a, b, strict=False)))


@languages.per_language
@cache
def _table(lang: str, to: Shown) -> dict[str, str]:
    """Determiners in one gender → the other's."""
    found: dict[str, str] = {}
    for masculine, feminine in languages.get(lang).pairs:
        old, new = (masculine, feminine) if to == "feminine" else (feminine, masculine)
        found.setdefault(old, new)
    return found


def _case(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like.isupper() else word
