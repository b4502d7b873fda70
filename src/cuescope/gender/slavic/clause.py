"""Slavic clauses: the past verb, short form, relative or participle that agrees with a noun."""

from __future__ import annotations

from cuescope.gender.slavic.language import slavic
from cuescope.gender.slavic.morph import WORDS, Parse, can, parses, top
from cuescope.gender.words import Word

_CASES = ("gent", "datv", "accs", "ablt", "loct")
_OPEN, _CLOSE = '(«"„“[', ')»"“”]'


def _lower(words: list[Word], i: int) -> str:
    return words[i].form.lower()


def gendered(form: str, lang: str, *pos: str) -> Parse | None:
    """The form's singular parse with a gender among these parts of speech."""
    for parse in parses(form, lang):
        if parse.pos in pos and parse.number == "sing" and parse.slot in ("m", "f", "n"):
            return parse
    return None


def _only_subject(form: str, lang: str) -> bool:
    """Can the word be nothing but the subject of another clause?"""
    found = [p for p in parses(form, lang) if p.pos in ("noun", "pronoun")]
    if not found or top(form, lang) not in ("noun", "pronoun"):
        return False
    return all(p.case == "nomn" for p in found)


def _can_be_subject(form: str, lang: str) -> bool:
    return any(
        p.case == "nomn" and p.number == "sing"
        for p in parses(form, lang)
        if p.pos in ("noun", "pronoun")
    ) and top(form, lang) in ("noun", "pronoun")


def _past(words: list[Word], i: int, lang: str) -> Parse | None:
    """The word as a past verb or a predicate short form with a gender."""
    form = words[i].form
    verb = gendered(form, lang, "verb")
    if verb:
        return verb
    short = gendered(form, lang, "short")
    predicative = top(form, lang) != "present" and _predicate_place(words, i)
    if short and (top(form, lang) == "short" or predicative):
        return short
    language, adjective = slavic(lang), gendered(form, lang, "adj")
    if language.short_forms or not adjective or adjective.case != "nomn":
        return None
    return adjective if _predicate_place(words, i) or form.startswith(language.predicates) else None


def _predicate_place(words: list[Word], i: int) -> bool:
    return i + 1 >= len(words) or words[i + 1].form in {",", ".", "!", "?", ";"}


def relative(words: list[Word], end: int, lang: str) -> tuple[int, Parse] | None:
    """`, которая …` or an agreeing participle (`, укрывшаяся …`) directly after word `end`."""
    i = end + 1
    if i >= len(words) or words[i].form != ",":
        return None
    i += 1
    if i < len(words) and can(words[i].form, lang, "prep") and top(words[i].form, lang) == "prep":
        i += 1
    if i >= len(words):
        return None
    for parse in parses(words[i].form, lang):
        is_relative = parse.lemma in WORDS["relative"] and parse.pos == "adj"
        participle = "PRTF" in parse.tag or "actv" in parse.tag or "pssv" in parse.tag
        if parse.number == "sing" and parse.slot and (is_relative or participle):
            return (i, parse) if parse.pos == "adj" else None
    return None


def _past_insert(words: list[Word], i: int, lang: str) -> int | None:
    """Index after a `, который …,` or participle insert opened by the comma at `i`."""
    if relative(words, i - 1, lang) is None:
        return None
    for j in range(i + 2, min(i + 25, len(words))):
        if words[j].form == ",":
            return j + 1
    return None


def predicate(words: list[Word], start: int, end: int, lang: str) -> tuple[int, Parse] | None:
    """The past verb or short form whose subject is the phrase `start`..`end`, if it has one.

    Right of the noun up to the clause's end, else right before it where nothing else in that
    clause can be the subject.
    """
    return _right(words, end, lang) or _left(words, start, lang)


def _right(words: list[Word], end: int, lang: str) -> tuple[int, Parse] | None:
    i, in_phrase = end + 1, False
    rivals: set[str | None] = set()
    while i < min(end + 16, len(words)):
        form = words[i].form
        low = form.lower()
        if form == ",":
            after = _past_insert(words, i, lang)
            if after is None:
                return None
            i = after
            continue
        if form in _OPEN and form != '"':
            i = next((j for j in range(i, len(words)) if words[j].form in _CLOSE), len(words)) + 1
            continue
        if low in WORDS["clause-end"] or form in ".;:!?—–" or low in slavic(lang).clause_ends:
            return None
        if not in_phrase and (found := _past(words, i, lang)):
            return None if found.slot in rivals else (i, found)
        if can(form, lang, "verb") and not can(form, lang, "noun", "adj"):
            return (i, found) if (found := _past(words, i, lang)) else None
        kind = top(form, lang)
        if kind in ("present", "infinitive"):
            return None
        if kind == "pronoun" and _only_subject(form, lang):
            return None
        if kind == "noun" and _only_subject(form, lang) and form[0].islower():
            return None
        if kind == "noun" and not in_phrase and form[0].islower() and i > end + 1:
            readings = parses(form, lang)
            rivals |= {p.slot for p in readings if p.case == "nomn" and p.number == "sing"}
        in_phrase = kind == "prep" or (in_phrase and kind == "adj")
        i += 1
    return None


def _left(words: list[Word], start: int, lang: str) -> tuple[int, Parse] | None:
    i = start - 1
    while i >= 0 and start - i < 4 and top(words[i].form, lang) in ("pronoun", "other"):
        if words[i].form in ",.;:—–" or _can_be_subject(words[i].form, lang):
            return None
        i -= 1
    if i < 0 or not (found := gendered(words[i].form, lang, "verb")):
        return None
    for j in range(i - 1, -1, -1):
        low = _lower(words, j)
        if low in WORDS["clause-end"] or words[j].form in ",.;:!?—–":
            break
        if _can_be_subject(words[j].form, lang):
            return None
    return i, found


def governed(words: list[Word], start: int, lang: str) -> frozenset[str]:
    """The cases that the word before a phrase asks for; empty where it asks for none.

    A preposition, or a noun before (then the phrase is its genitive), or a numeral.
    """
    if not start:
        return frozenset()
    before = _lower(words, start - 1)
    if top(before, lang) == "prep":
        return frozenset(case for case in _CASES if before in WORDS[f"preposition-{case}"])
    counting = ("nomn", "accs", "gent", "loct")
    numeral = any("NUMR" in p.tag and p.case in counting for p in parses(before, lang))
    noun = parses(before, lang)[0] if parses(before, lang) else None
    governs = noun and noun.pos == "noun" and noun.known and not noun.name
    if numeral or (noun and governs and noun.lemma not in WORDS["time"]):
        return frozenset({"gent"})
    return frozenset()
