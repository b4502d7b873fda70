"""German: which word of a span is the noun it is about, and what a span without noun says."""

from __future__ import annotations

from functools import cache
from itertools import islice

from cuescope.gender.foreign import foreign
from cuescope.gender.german.grammar import ENDINGS, PRONOUNS, determiner, possessor, preposition
from cuescope.gender.german.inflect import inflections
from cuescope.gender.german.nouns import analyse
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.gender.wordlist import wordlist
from cuescope.gender.words import Word

GENDER: dict[str, Gender] = {"m": "masculine", "f": "feminine", "n": "neutral"}
_WORDS = wordlist("de", "words")
_OPENING = frozenset({".", "!", "?", ":", "„", '"', "»", "“"})


def evidence(word: Word, rule: str, gender: Gender) -> Evidence:
    """One word's evidence."""
    return Evidence(word.form, word.start, word.end, rule, gender)


def english(form: str) -> str | None:
    """The sense of an English or Spanish word for a person left in the text (Girls', chico)."""
    return foreign(form.lower().removesuffix("'s").removesuffix("'"))


def _closed(low: str) -> bool:
    return bool(
        determiner(low)
        or possessor(low)
        or preposition(low) is not None
        or low in _WORDS["function"]
    )


def can_be_noun(form: str, lang: str = "de") -> bool:
    """May the word be a noun: capitalised and of no closed class, or an indefinite pronoun?"""
    low = form.lower()
    if low in _WORDS["indefinite"]:
        return True
    return (
        form[:1].isalpha() and not _closed(low) and (form[0].isupper() or english(low) is not None)
    )


def is_noun(words: list[Word], i: int) -> bool:
    """Is the word a noun at its place (a sentence begins with a capital anyway)?"""
    form = words[i].form
    if not can_be_noun(form) or form.lower() in _WORDS["indefinite"]:
        return False
    opening = i == 0 or words[i - 1].form in _OPENING
    known = analyse(form.lower()) is not None or not form.endswith(ENDINGS)
    return not opening or known


def adjective_ending(form: str) -> str | None:
    """The ending of a lower-case word that may be an attributive adjective."""
    if form[0].isupper() or not form[-1].isalpha() or _closed(form):
        return None
    return next((e for e in ENDINGS if form.endswith(e) and len(form) > len(e) + 2), None)


def parts(word: str) -> list[str]:
    """The possible last parts of a compound, longest first: Hirnchirurg is a Chirurg."""
    return [word[at:].strip("-") for at in range(2, len(word) - 4)]


def stands_as_noun(words: list[Word], first: int, last: int, lang: str = "de") -> bool:
    """A form of the lexicon is no noun in small letters: *die angestellten Köche*.

    A text that has no capitals inside (chat, lower-cased data) says nothing of it.
    """
    form = words[last].form
    if form[0].isupper() or form.lower() in _WORDS["indefinite"] or english(form):
        return True
    return not any(word.form[0].isupper() for word in islice(words, 1, None))


def can_be_person(words: list[Word], i: int, lang: str = "de") -> bool:
    """May a word that the lexicon does not know name a person: by derivation, list or sense?"""
    return words[i].form.lower() in _WORDS["indefinite"] or _person(words[i].form)


@cache
def _entry_forms(entry: Entry) -> frozenset[str]:
    heads = {form.split()[-1] for form in (*entry.masculine, *entry.feminine, *entry.epicene)}
    return frozenset(surface for head in heads for surface in inflections(head))


def find_head(words: list[Word], inside: list[int], entry: Entry | None) -> int | None:
    """The noun that the span is about: the entry's, else the first known person, else the last."""
    known: frozenset[str] = _entry_forms(entry) if entry else frozenset()
    longer = tuple(form for form in known if len(form) > 4)
    nouns = [i for i in inside if is_noun(words, i)]
    lows = {i: words[i].form.lower() for i in inside}
    choices = [
        (i for i in nouns if lows[i] in known or lows[i].endswith(longer)),
        (i for i in inside if lows[i] in known),
        (i for i in nouns if _person(words[i].form)),
        (i for i in inside if lows[i] in _WORDS["indefinite"]),
        reversed(nouns),
    ]
    return next((i for choice in choices for i in choice), None)


def _person(form: str) -> bool:
    noun = analyse(form)
    return bool(noun and noun.person) or english(form) is not None


def head_of_rest(words: list[Word], last: int) -> int | None:
    """The noun of a phrase whose article or adjective is at `last`: right, past adjectives."""
    for i in range(last + 1, min(last + 5, len(words))):
        if is_noun(words, i):
            return i
        if not (adjective_ending(words[i].form) or words[i].form.lower() in _WORDS["adverb"]):
            return None
    return None


def neighbour(words: list[Word], inside: list[int]) -> int | None:
    """The nearest noun when the span itself has none: left, then right."""
    first, last = inside[0], inside[-1]
    around = (*range(first - 1, max(first - 3, -1), -1), *range(last + 1, last + 4))
    return next((i for i in around if i < len(words) and is_noun(words, i)), None)


def pronoun(words: list[Word], inside: list[int]) -> Reading | None:
    """A determiner that stands for a noun: `eine der besten`, `die andere`, a relative `der`."""
    for i in inside:
        low = words[i].form.lower()
        for sense in ("feminine", "masculine"):
            if low in _WORDS["pronoun-" + sense]:
                own = evidence(words[i], "pronoun", GENDER[sense[0]])
                return Reading(own.gender, True, (own,), (words[i].start, words[i].end))
    return None


def sex_named(words: list[Word], i: int) -> str | None:
    """The sex that an adjective names: `weibliche` f, `männlicher` m."""
    low = words[i].form.lower()
    stem = next((low.removesuffix(e) for e in ENDINGS if low.endswith(e)), low)
    return next((s[0] for s in ("feminine", "masculine") if stem in _WORDS["sex-" + s]), None)


def without_noun(words: list[Word], inside: list[int], *, sense: bool) -> Reading | None:
    """A span of pronouns or, by their `sense`, of adjectives that name a sex: their own gender."""
    found: list[Evidence] = []
    for i in inside:
        low = words[i].form.lower()
        shown = PRONOUNS.get(low) or possessor(low)
        rule = "pronoun" if low in PRONOUNS else "possessive"
        if shown is None and sense:
            shown, rule = sex_named(words, i), "adjective's sense"
        if shown:
            found.append(evidence(words[i], rule, GENDER[shown]))
    if not found:
        return None
    agree = len({e.gender for e in found}) == 1
    return Reading(found[0].gender, agree, tuple(found), (found[0].start, found[-1].end))
