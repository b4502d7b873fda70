"""Russian and Ukrainian: gender by noun form, agreeing words, past verb and relative pronoun."""

from __future__ import annotations

import re
from dataclasses import replace

from cuescope.gender.foreign import foreign
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Reading
from cuescope.gender.slavic.clause import governed, predicate, relative
from cuescope.gender.slavic.head import (
    can_be_noun,
    can_be_person,
    find_head,
    joined,
    neighbour,
    parts,
    stands_as_noun,
    without_noun,
)
from cuescope.gender.slavic.morph import Parse, can, inflections, parses, top
from cuescope.gender.slavic.names import GENDER, evidence, is_name, read_name
from cuescope.gender.slavic.nouns import known_noun, sexed_adjective
from cuescope.gender.words import Word, within

__all__ = ["can_be_noun", "can_be_person", "inflections", "parts", "read_phrase", "stands_as_noun"]

by_words = True  # nothing is asked but the words: see `gender.settled`
_PERSON_NAME = re.compile("Name|Surn|Patr")
_UNDECLINED = Parse("noun", None, "sing", None, "", True, False, True, True, "")


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender of the noun phrase at `span`.

    A masculine-form person noun (врач, менеджер) is feminine where an agreeing word says so, and
    masculine otherwise; a noun of common gender (коллега) is neutral where nothing agrees.

    >>> from cuescope.gender.words import words
    >>> text = "Врач сказала, что придёт."
    >>> str(read_phrase(text, words(text, "ru"), (0, 4), "ru", None))
    'feminine: сказала (past verb: feminine)'
    """
    words = joined(words)
    inside = within(words, span)
    if not inside:
        return Reading("unknown", True)
    head = find_head(words, inside, lang, entry)
    if head is None and (plain := without_noun(words, inside, lang, sense=entry is None)):
        return plain
    if head is None:
        head = neighbour(words, inside, lang)
    if head is None:
        return Reading("unknown", True, span=span)
    return _read_head(words, head, inside, lang)


def _read_head(words: list[Word], head: int, inside: list[int], lang: str) -> Reading:
    word = words[head]
    if slot := foreign(word.form):
        return Reading(
            GENDER[slot],
            True,
            (evidence(word, "foreign noun", slot),),
            (word.start, word.end),
        )
    nouns = _noun_parses(word.form, lang)
    start, agreeing = _attributes(words, head, lang, nouns)
    nouns, fits = _compatible(nouns, [parse for _, parse in agreeing])
    cases = governed(words, start, lang)
    nouns = [p for p in nouns if p.case in cases or p.fixed] or nouns
    if is_name(word.form, nouns):
        return read_name(words, head, start, inside, nouns, lang)
    verb = _subject_verb(words, start, head, lang, nouns)
    if verb and len({p.slot for p in nouns}) > 1:  # "маркиза улыбнулась"
        nouns = [p for p in nouns if p.case == "nomn" and p.slot in (verb[1].slot, "c")] or nouns
    elif not cases and not (start and can(words[start - 1].form, lang, "verb", "present")):
        nouns.sort(key=lambda p: p.case != "nomn")  # "там больной"
    slot = nouns[0].slot if nouns else None
    shown = [evidence(words[i], "agreeing word", p.slot or "m") for i, p in agreeing if p.slot]
    if verb:
        rule = "short form" if verb[1].pos == "short" else "past verb"
        shown.append(evidence(words[verb[0]], rule, verb[1].slot or "m"))
    if {p.slot for p in nouns} - {"f", "n"}:  # a masculine form, or one open to both
        shown += _relative(words, start, head, lang, nouns) + _named(words, head, lang, nouns)
    elif verb:
        fits = fits and verb[1].slot == slot
    reading = _conclude(word, words[start].start, slot, shown, fits)
    named = ((i, sexed_adjective(words[i].form, lang)) for i in range(start, head))
    aside = tuple(evidence(words[i], "names the sex", sex) for i, sex in named if sex)
    return replace(reading, aside=aside)  # женский врач: it translates the cue, not the noun


def _noun_parses(form: str, lang: str) -> list[Parse]:
    """The noun's parses, a listed reading or a hyphenated noun's person part first."""
    for part in [form, *form.split("-")] if "-" in form else [form]:
        nouns = [p for p in parses(part, lang) if p.pos == "noun"]
        if slot := known_noun(part, lang):
            own = [p for p in nouns if p.slot == slot] or [_UNDECLINED]
            return [replace(p, slot=slot, known=True, animate=True, name=False) for p in own]
        people = [p for p in nouns if p.animate and p.known and not p.name]
        if people and (part == form or len(part) > 3):
            return people
    nouns = [p for p in parses(form, lang) if p.pos == "noun"]
    other = [p for p in parses(form, lang) if p.pos in ("adj", "pronoun") and p.slot in ("m", "f")]
    return [p for p in nouns if p.animate] or nouns or other


def _attributes(
    words: list[Word], head: int, lang: str, nouns: list[Parse]
) -> tuple[int, list[tuple[int, Parse]]]:
    """Where the phrase begins, and the agreeing words left of the noun with a fitting parse."""
    frames = {(p.case, p.number) for p in nouns}
    fixed = any(p.fixed for p in nouns)
    found: list[tuple[int, Parse]] = []
    start = head
    for i in range(head - 1, max(head - 7, -1), -1):
        form = words[i].form
        fitting = [
            p
            for p in parses(form, lang)
            if p.pos == "adj" and ((p.case, p.number) in frames or fixed or p.fixed)
        ]
        if can(form, lang, "verb"):
            break
        slots = {p.slot for p in nouns}
        numeral = fitting and fitting[0].tag.startswith(("NUMR", "NPRO"))
        plain = top(form, lang) == "adj" or numeral
        woman = slots == {"m"} and any((p.slot, p.case) == ("f", "nomn") for p in fitting)
        if fitting and (plain or woman or slots & {p.slot for p in fitting}):  # "нова": also a star
            plural = [p for p in fitting if p.number == "plur"]
            own = next((p for p in fitting if p.slot in slots), (plural or fitting)[0])
            stranger = own.slot not in slots and "c" not in slots and own.number == "sing"
            participle = own.case != "nomn" and ("pssv" in own.tag or "actv" in own.tag)
            if stranger and (own.slot == "n" or participle):
                break  # "после этого девушки", "моделью, предложенной дизайнером"
            if not own.fixed and own.number == "sing" and own.slot:
                found.append((i, own))
            start = i
        elif not (form[0].isdigit() or form in '«"„“'):
            break
    return start, found


def _compatible(nouns: list[Parse], agreeing: list[Parse]) -> tuple[list[Parse], bool]:
    """The noun's parses that its agreeing words allow; whether any was allowed by gender too."""
    if not agreeing:
        return nouns, True
    frames = {(p.case, p.number) for p in agreeing}
    slots = {p.slot for p in agreeing}
    by_case = [p for p in nouns if (p.case, p.number) in frames or p.fixed] or nouns
    both = [p for p in by_case if p.slot in slots or p.slot == "c"]
    if both:
        return both, True
    nominative = all(p.case in ("nomn", None) or p.fixed for p in by_case)
    masculine = all(p.slot == "m" for p in by_case)
    return by_case, masculine and nominative and slots == {"f"}


def _subject_verb(
    words: list[Word], start: int, head: int, lang: str, nouns: list[Parse]
) -> tuple[int, Parse] | None:
    """The predicate, if the noun can be its subject."""
    if not any(p.case in ("nomn", None) and p.number == "sing" for p in nouns):
        return None
    if governed(words, start, lang) and top(words[start - 1].form, lang) == "prep":
        return None
    found = predicate(words, start, head, lang)
    return found if found and found[1].slot in ("m", "f") else None


def _relative(
    words: list[Word], start: int, head: int, lang: str, nouns: list[Parse]
) -> list[Evidence]:
    """What a relative pronoun says about a noun that may be of either gender."""
    link = relative(words, head, lang) if any(p.number == "sing" for p in nouns) else None
    before = words[start - 1].form if start else ""
    rival = bool(before) and top(before, lang) == "noun" and parses(before, lang)[0].slot == "f"
    if link and link[1].slot in ("m", "f") and not rival:
        return [evidence(words[link[0]], "relative", link[1].slot)]
    return []


def _named(words: list[Word], head: int, lang: str, nouns: list[Parse]) -> list[Evidence]:
    """A woman's name in the noun's own case after it: доктору Ивановой."""
    if head + 1 >= len(words) or not words[head + 1].form[0].isupper():
        return []
    cases = {p.case for p in nouns if p.number == "sing"}
    names = [
        p for p in parses(words[head + 1].form, lang) if p.known and _PERSON_NAME.search(p.tag)
    ]
    slots = {p.slot for p in names if p.case in cases and p.number == "sing" and not p.fixed}
    return [evidence(words[head + 1], "name", "f")] if slots == {"f"} else []


def _conclude(
    word: Word, start: int, slot: str | None, shown: list[Evidence], fits: bool
) -> Reading:
    """The verdict: a masculine or common form yields to feminine agreement, others do not."""
    span = (start, word.end)
    if slot in ("f", "n"):
        said = [*shown, evidence(word, "noun form", slot)]
        said.sort(key=lambda e: e.gender != GENDER[slot])
        return Reading(GENDER[slot], fits, tuple(said), span)
    for gender in ("feminine", "masculine"):
        speaking = tuple(e for e in shown if e.gender == gender)
        if gender == "masculine" and slot == "m":
            speaking += (evidence(word, "noun form", slot),)
        if speaking:
            return Reading(speaking[0].gender, fits, speaking, span)
    return Reading("neutral", fits, (), span)
