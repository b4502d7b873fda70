"""Slavic: which word of a span is the noun it is about, and what a span without noun says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cuescope.gender.foreign import foreign
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Reading
from cuescope.gender.slavic.clause import gendered, governed
from cuescope.gender.slavic.morph import Parse, can, inflections, parses, top
from cuescope.gender.slavic.names import evidence
from cuescope.gender.slavic.nouns import known_noun, sexed_adjective
from cuescope.gender.words import Unfinished, Word, written


def joined(words: list[Word]) -> list[Word]:
    """Words with an apostrophe inside (кар'єра) put together again; what follows stays open."""
    found: list[Word] = []
    for word in written(words):
        tight = len(found) > 1 and found[-1].end == word.start and found[-2].end == found[-1].start
        if tight and found[-1].form in "'’ʼ" and word.form[0].isalpha():
            first, mark = found[-2], found[-1]
            found[-2:] = [Word(first.form + mark.form + word.form, first.start, word.end)]
        else:
            found.append(word)
    return Unfinished(found) if isinstance(words, Unfinished) else found


@cache
def _forms(entry: Entry, lang: str) -> frozenset[str]:
    forms = (*entry.masculine, *entry.feminine, *entry.epicene)
    heads = {
        next((part for part in form.split() if top(part, lang) == "noun"), form.split()[-1])
        for form in forms
    }
    return frozenset(surface for head in heads for surface in inflections(head, lang))


def find_head(words: list[Word], inside: list[int], lang: str, entry: Entry | None) -> int | None:
    """The noun that the span is about: the entry's, else a person, else a name, else any noun."""
    known: frozenset[str] = _forms(entry, lang) if entry else frozenset()
    best: tuple[int, int] | None = None
    for i in inside:
        form = words[i].form
        rank = 5 if form.lower() in known else _rank(form, lang, opening=i == 0)
        run_on = best is not None and rank == 3 and best == (3, i - 1)  # Ван Дорн
        if best and best == (rank, i - 1) and can(words[i - 1].form, lang, "adj"):
            run_on = True  # молодою дівчиною: the first is an adjective here
        if rank > 1 and (best is None or rank > best[0] or run_on):
            best = (rank, i)
    return best[1] if best else None


def _rank(form: str, lang: str, opening: bool) -> int:
    """How likely a word is the head: 4 a person, 3 a name, 2 another noun, 0 none."""
    if foreign(form) or known_noun(form, lang):
        return 4
    if "-" in form and any(_rank(part, lang, opening) == 4 for part in form.split("-") if part):
        return 4
    found = parses(form, lang)
    if not found or not form[0].isalpha() or found[0].pos in ("prep", "conj"):
        return 0
    if found[0].pos == "pronoun":
        return 2 if "-" in form or form.endswith("сь") else 0
    nouns = [p for p in found if p.pos == "noun"]
    if form[0].isupper() and not opening and not any(p.known for p in found):
        return 3
    if any(p.animate and p.known and not p.name for p in nouns) and found[0].pos != "verb":
        return 4 if found[0].pos == "noun" else 2
    named = form[0].isupper() and not opening
    verbal = any(p.pos in ("verb", "short", "present", "infinitive") for p in found)
    if not nouns or (not named and (verbal or found[0].pos == "adj")):
        return 0
    return 3 if form[0].isupper() and found[0].pos != "verb" else 2


def without_noun(words: list[Word], inside: list[int], lang: str, *, sense: bool) -> Reading | None:
    """A span without noun: its pronouns, past verbs, short forms and adjectives speak.

    `sense`: and adjectives that name a sex by what they mean (женский).
    """
    found: list[Evidence] = []
    for i in inside:
        form = words[i].form
        if sense and (slot := sexed_adjective(form, lang)):
            found.append(evidence(words[i], "adjective's sense", slot))
            continue
        for pos, rule in (("pronoun", "pronoun"), ("verb", "past verb"), ("short", "short form")):
            if (parse := gendered(form, lang, pos)) and parse.slot in ("m", "f"):
                found.append(evidence(words[i], rule, parse.slot))
                break
        else:
            if not can(form, lang, "pronoun", "verb", "short"):
                found += _bare_adjective(words, i, lang)
    if not found:
        return None
    speaking = [e for e in found if e.rule != "adjective"] or found
    agree = len({e.gender for e in speaking}) == 1
    return Reading(speaking[0].gender, agree, tuple(speaking), (found[0].start, found[-1].end))


def _bare_adjective(words: list[Word], i: int, lang: str) -> list[Evidence]:
    """A nominalised adjective or participle (служащая, сопровождающего); m before n."""
    own = [p for p in parses(words[i].form, lang) if p.pos == "adj" and p.number == "sing"]
    opening = i == 0 or not words[i - 1].form[-1].isalnum()
    cases = governed(words, i, lang) or ({"nomn"} if opening else set())
    slots = {p.slot for p in own if p.case in cases} or {p.slot for p in own}
    slots = slots & _right_noun(words, i, lang) or slots
    oblique = {p.slot for p in own if p.case not in ("nomn", "accs")}
    if oblique == {"f"} and not opening:
        slots = {"f"}  # "становилась смешной": the nominative of another word
    slot = "f" if slots == {"f"} else "m" if "m" in slots and "f" not in slots else None
    return [evidence(words[i], "adjective", slot)] if slot else []


def _right_noun(words: list[Word], i: int, lang: str) -> set[str | None]:
    if i + 1 < len(words) and top(words[i + 1].form, lang) == "noun":
        return {p.slot for p in parses(words[i + 1].form, lang) if p.pos == "noun"}
    return set()


def can_be_noun(form: str, lang: str) -> bool:
    """May the word be a noun, a nominalised adjective or an indefinite pronoun?"""
    return form[:1].isalpha() and (_rank(form, lang, False) > 1 or top(form, lang) == "adj")


def parts(word: str) -> list[str]:
    """The nouns of a compound, each of which is declined: женщина-врач."""
    return word.split("-") if "-" in word else []


def stands_as_noun(words: list[Word], first: int, last: int, lang: str) -> bool:
    """A form of the lexicon is no noun as the adjective of another: дежурный пост."""
    form = words[last].form
    own = parses(form, lang)
    if any(p.pos == "noun" and p.animate for p in own) or last + 1 >= len(words):
        return True
    own = tuple(p for p in own if p.pos == "adj")
    after = parses(words[last + 1].form, lang)
    if not after or any(p.pos != "noun" or p.animate or p.fixed or not p.known for p in after):
        return True
    return _frames(own).isdisjoint(_frames(after))


def _frames(found: Sequence[Parse]) -> set[tuple[str | None, str, str | None]]:
    """What must be alike in two words that agree: case, number, and gender in the singular."""
    return {(p.case, p.number, p.slot if p.number == "sing" else None) for p in found}


def can_be_person(words: list[Word], i: int, lang: str) -> bool:
    """May a word that the lexicon does not know name a person: an animate noun, or one in -щий?"""
    form = words[i].form
    if foreign(form) or known_noun(form, lang):
        return True
    nouns = [p for p in parses(form, lang) if p.pos == "noun"]
    if nouns:
        return top(form, lang) == "noun" and any(p.animate for p in nouns)
    return top(form, lang) == "adj" and stands_as_noun(words, i, i, lang)


def neighbour(words: list[Word], inside: list[int], lang: str) -> int | None:
    """The nearest noun when the span itself says nothing: right, then left."""
    near: list[int] = [
        *range(inside[-1] + 1, inside[-1] + 4),
        *range(inside[0] - 1, inside[0] - 3, -1),
    ]
    for i in near:
        if 0 <= i < len(words) and _rank(words[i].form, lang, i == 0) >= 2:
            return i
    return None
