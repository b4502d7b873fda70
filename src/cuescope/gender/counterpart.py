"""A translated noun phrase in the other gender: *O mecânico* ↔ *A mecânica*.

Where the two part is where a model must choose; what comes after that place does not matter.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from typing import Literal

from cuescope.gender import languages
from cuescope.gender.forms import entry, reader
from cuescope.gender.reading import Evidence, Reading

Shown = Literal["masculine", "feminine"]

_VOWEL = re.compile(r"[aeiouhàâäèéêëìîïòôöùû]", re.IGNORECASE)


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
    language = languages.get(lang)
    changed, moved = text, False
    for mark in sorted(reading.evidence, key=lambda mark: -mark.start):
        if mark.rule in ("attribute", "predicate") or mark.gender != reading.gender:
            continue
        new = _in_gender(mark, text[mark.start : mark.end], other, lang, noun)
        if new is None and mark.rule in ("article", "determiner"):
            return None  # the choice falls there: *esses médicas* is no phrase
        if new is None:
            continue
        rest = changed[mark.end :]
        if _VOWEL.match(rest.lstrip()) and new in language.elided:
            new, rest = language.elided[new], rest.lstrip()
        elif language.onset and language.onset.match(rest.lstrip()):
            new = language.lengthened.get(new, new)
        changed, moved = changed[: mark.start] + _case(new, text[mark.start]) + rest, True
    return changed if moved and changed != text else None


def _in_gender(mark: Evidence, form: str, to: Shown, lang: str, noun: str | None) -> str | None:
    """One gendered word in the other gender: a determiner, the noun, or a past tense."""
    word = form.lower()
    if word in _table(lang, to):
        return _table(lang, to)[word]
    if mark.rule == "noun form" and noun is not None:
        return _noun(word, to, lang, noun)
    for endings in languages.get(lang).past:
        old, new = endings if to == "feminine" else endings[::-1]
        if word.endswith(old) and mark.rule != "noun form":
            return word[: -len(old)] + new
    return None


def _noun(word: str, to: Shown, lang: str, noun: str) -> str | None:
    """The form of the lexicon's other column that is most like this one, in the same number.

    A form for both (*ingénieur*) is on the masculine side, where it was read as masculine.
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
            akin = [other for other in theirs if _akin(other.lower(), form)]
            best = max(akin, key=lambda other: _alike(other.lower(), form), default=None)
            return best if best is None or word == form else _inflected(best.lower(), lang)
    return None


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
