"""Slavic names: apposition, agreement, and how a name is (or is not) declined."""

from __future__ import annotations

from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.gender.slavic.clause import gendered, governed, predicate
from cuescope.gender.slavic.morph import Parse, parses, top
from cuescope.gender.words import Word

GENDER: dict[str, Gender] = {"m": "masculine", "f": "feminine", "n": "neutral", "c": "neutral"}
_CONSONANTS = "бвгджзйклмнпрстфхцчшщь"
_MASCULINE_TAILS = ("ом", "ем", "ём", "ым", "им", "ого", "ому", "у", "ю")
_FEMININE_TAILS = ("ой", "ей", "ою", "ею", "ая", "ую", "ы", "ої", "ій")


def evidence(word: Word, rule: str, slot: str) -> Evidence:
    """One word's evidence for the gender of a slot."""
    return Evidence(word.form, word.start, word.end, rule, GENDER[slot])


def is_name(form: str, nouns: list[Parse]) -> bool:
    """A capitalised word that the dictionary does not know as a common noun for a person."""
    common = any(p.known and p.animate and not p.name for p in nouns)
    return form[0].isupper() and not common and not any(p.tag == "" for p in nouns)


def read_name(
    words: list[Word], head: int, start: int, inside: list[int], nouns: list[Parse], lang: str
) -> Reading:
    """The gender of a name: title or noun before it, agreeing words, then its own declension."""
    word = words[head]
    while start > 1 and words[start - 1].form[0].isupper() and words[start - 1].form[-1].isalpha():
        start -= 1  # Ван Дорн
    span = (words[start].start, word.end)
    for found in (
        _apposition(words, start, lang),
        _first_name(words, start, head, lang),
        _within(words, sorted({*inside, *range(start, head)}), head, lang),
        _subject(words, start, head, lang),
        _declension(words, head, start, nouns, lang),
    ):
        if found:
            return Reading(found.gender, True, (found,), span)
    return Reading("neutral", True, (), span)


def _apposition(words: list[Word], start: int, lang: str) -> Evidence | None:
    if not start:
        return None
    before = words[start - 1]
    for parse in parses(before.form, lang):
        person = parse.pos == "noun" and parse.animate and parse.known and not parse.name
        if person and parse.slot in ("m", "f"):
            return evidence(before, "noun in apposition", parse.slot)
    return None


def _first_name(words: list[Word], start: int, head: int, lang: str) -> Evidence | None:
    """A known first name before a surname: Мэри Смит."""
    for word in words[start:head]:
        names = [p for p in parses(word.form, lang) if p.known and "Name" in p.tag]
        slots = {p.slot for p in names} & {"m", "f"}
        if len(slots) == 1:
            return evidence(word, "first name", slots.pop() or "m")
    return None


def _within(words: list[Word], inside: list[int], head: int, lang: str) -> Evidence | None:
    for i in inside:
        parse = gendered(words[i].form, lang, "adj", "verb", "short", "pronoun")
        if i != head and parse and parse.slot in ("m", "f") and not parse.fixed:
            return evidence(words[i], "agreeing word", parse.slot)
    return None


def _subject(words: list[Word], start: int, head: int, lang: str) -> Evidence | None:
    if governed(words, start, lang):
        declined = words[head].form[-1] not in _CONSONANTS
        oblique = declined or top(words[start - 1].form, lang) == "prep"
        if oblique or head + 1 >= len(words) or not gendered(words[head + 1].form, lang, "verb"):
            return None
    found = predicate(words, start, head, lang)
    if found and found[1].slot in ("m", "f"):
        return evidence(words[found[0]], "past verb", found[1].slot)
    return None


def _declension(
    words: list[Word], head: int, start: int, nouns: list[Parse], lang: str
) -> Evidence | None:
    """A man's name in a consonant is declined, a woman's is not; -а is her nominative."""
    word = words[head]
    low = word.form.lower()
    known = [p for p in nouns if p.known and p.name and p.slot in ("m", "f")]
    cases = governed(words, start, lang)
    before = words[start - 1].form if start else ""
    impersonal = any(p.pos == "verb" and p.slot in ("n", None) for p in parses(before, lang))
    oblique = bool(cases) or (bool(before) and impersonal)
    fitting = [p for p in known if p.case in cases] if cases else known
    if low[-1] in _CONSONANTS and not low.endswith((*_MASCULINE_TAILS, *_FEMININE_TAILS)):
        return evidence(word, "undeclined name" if oblique else "name", "f" if oblique else "m")
    if fitting:
        return evidence(word, "name", fitting[0].slot or "m")
    if low[-1] in "ая":
        objects = oblique or (bool(before) and top(before, lang) == "verb")
        return evidence(word, "declined name", "m" if objects else "f")
    if low.endswith(_FEMININE_TAILS):
        return evidence(word, "declined name", "f")
    if low.endswith(_MASCULINE_TAILS):
        return evidence(word, "declined name", "m")
    return None
