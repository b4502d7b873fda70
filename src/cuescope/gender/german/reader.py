"""German: the gender of a noun phrase from determiner, adjectives, noun form and case."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from cuescope.gender.german.grammar import (
    ADJECTIVE,
    ALL,
    Cell,
    Cells,
    cells,
    determiner,
    preposition,
)
from cuescope.gender.german.head import (
    GENDER,
    adjective_ending,
    can_be_noun,
    can_be_person,
    english,
    evidence,
    find_head,
    head_of_rest,
    is_noun,
    neighbour,
    parts,
    pronoun,
    sex_named,
    stands_as_noun,
    without_noun,
)
from cuescope.gender.german.inflect import inflections
from cuescope.gender.german.nouns import Noun, analyse
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Reading
from cuescope.gender.wordlist import wordlist
from cuescope.gender.words import Word, within

__all__ = ["can_be_noun", "can_be_person", "inflections", "parts", "read_phrase", "stands_as_noun"]

by_words = True  # nothing is asked but the words: see `gender.settled`
_WORDS = wordlist("de", "words")
_RELATIVE = {"der": "m", "den": "m", "dem": "m", "dessen": "m", "die": "f", "deren": "f"}


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender of the noun phrase at `span`: the noun's form, settled by its phrase.

    A fixed-gender noun (die Person, der Mensch) reads with its grammatical gender, a neuter one
    (das Opfer) as neutral, unless its sense is plain (das Mädchen). Where determiner and
    profession form disagree (eine Arzt) the determiner wins and the phrase is inconsistent.

    >>> from cuescope.gender.words import words
    >>> text = "Sie dankte der netten Angestellten."
    >>> str(read_phrase(text, words(text, "de"), (22, 34), "de", None))
    'feminine: der (determiner: feminine), Angestellten (nominalised adjective: feminine)'
    """
    inside = within(words, span)
    if not inside:
        return Reading("unknown", True)
    head = find_head(words, inside, entry)
    if head is None and (plain := without_noun(words, inside, sense=entry is None)):
        return plain
    if head is None:
        head = head_of_rest(words, inside[-1])
    if head is None and (plain := pronoun(words, inside)):
        return plain
    if head is None:
        head = neighbour(words, inside)
    if head is None:
        return Reading("unknown", True, span=span)
    return _read_head(words, head)


class _Left(NamedTuple):
    """What stands left of a noun: its determiner, adjectives, and a preposition's cases."""

    determiner: int | None
    adjectives: list[int]
    case: Cells | None


def _left(words: list[Word], head: int) -> _Left:
    adjectives: list[int] = []
    for i in range(head - 1, max(head - 9, -1), -1):
        form = words[i].form
        low = form.lower()
        if determiner(low) and not (form == "sein" and adjectives):
            return _Left(i, adjectives, preposition(words[i - 1].form) if i else None)
        if (case := preposition(low)) is not None:
            return _Left(None, adjectives, case)
        opening = i == 0 and head == 1 and form[0].isupper() and adjective_ending(low)
        if adjective_ending(form) or opening:
            adjectives.append(i)
        elif form == "," or low in ("und", "oder"):
            listed = adjectives and adjectives[-1] == i + 1
            if not (listed and i and adjective_ending(words[i - 1].form)):
                break
        elif not (low in _WORDS["adverb"] or form[0].isdigit() or _inner(form, i)):
            break
    return _Left(None, adjectives, None)


def _inner(form: str, i: int) -> bool:
    """A word that may stand inside a noun phrase: Berliner, an English word, quotation marks."""
    if form in "„“\"'»«()-.":
        return True
    return form[0].isupper() and i > 0 and (form.endswith("er") or english(form) is not None)


def _read_head(words: list[Word], head: int) -> Reading:
    word = words[head]
    indefinite = word.form.lower() in _WORDS["indefinite"]
    if indefinite or _inclusive(words, head):
        rule = "indefinite pronoun" if indefinite else "inclusive form"
        own = evidence(word, rule, "neutral")
        return Reading("neutral", True, (own,), (word.start, word.end))
    left = _left(words, head)
    found = determiner(words[left.determiner].form) if left.determiner is not None else None
    article, kind = found or (ALL, "none")
    noun = _noun(word.form, kind)
    case = left.case if left.case and article & left.case else None  # "bis der Arzt kommt"
    endings = [adjective_ending(words[i].form.lower()) or "e" for i in left.adjectives]
    frame, fits = _frame(article, case, endings, kind, noun)
    if not fits and left.determiner and words[left.determiner - 1].form == ",":
        article, kind = ALL, "none"  # ", die weibliche Köche ausbildet": a relative pronoun
        frame, fits = _frame(article, case, endings, kind, noun)
    if not fits and noun.guess:
        possible = any(cell.slot == noun.sense for cell in article)
        noun, fits = noun if possible else Noun(None, ALL, "unknown noun", person=False), True
    plural = {cell.slot for cell in frame & noun.cells} == {"pl"}
    if plural and Cell("f", "nom") in frame and _singular_subject(words, left.determiner, head):
        frame &= cells("m f n")
        fits = noun.rule == "agent suffix"  # a loan word: "die Developer kam"
        noun = Noun("f", frame, "loan word") if fits else noun
    slots: set[str] = {cell.slot for cell in frame & noun.cells or frame}
    sense = noun.sense or _settle(slots, noun, kind)
    if sense is None and case is None and _nominative_der(words, left.determiner):
        sense = "m"
    if sense is None:
        return _last_resort(words, head)
    if not fits and _yields(words, head, noun):
        sense = _shown(slots, noun) or sense
    shown, span = _account(words, head, left, noun, sense, frame)
    return Reading(GENDER[sense], fits, shown, span, aside=_aside(words, left))


def _aside(words: list[Word], left: _Left) -> tuple[Evidence, ...]:
    """Adjectives that name the sex (weibliche Ärzte): they translate the cue, not the noun."""
    named = ((i, sex_named(words, i)) for i in reversed(left.adjectives))
    return tuple(evidence(words[i], "names the sex", GENDER[sex]) for i, sex in named if sex)


def _inclusive(words: list[Word], head: int) -> bool:
    """A form for both at once: Lehrer*in, Lehrer:innen, Lehrer/-in, LehrerInnen."""
    if re.search("[a-zäöüß]In(nen)?$", words[head].form):
        return True
    if head + 1 >= len(words) or words[head + 1].form not in ("*", ":", "_", "/"):
        return False
    rest = words[head : head + 4]
    tight = all(a.end == b.start for a, b in pairwise(rest[:3]))
    after = " ".join(word.form.lower() for word in rest[1:])
    return tight and re.match("[*:_/] (- )?in(nen)?( |$)", after) is not None


def _yields(words: list[Word], head: int, noun: Noun) -> bool:
    """May a disagreeing determiner overrule the noun: a singular form, and no noun follows it?"""
    followed = head + 1 < len(words) and is_noun(words, head + 1)  # den Lady Stewart Trust
    return not noun.firm and not followed and any(cell.slot == noun.sense for cell in noun.cells)


def _noun(form: str, kind: str) -> Noun:
    noun = analyse(form, kind)
    if (sense := english(form)) and not (noun and noun.sense):
        return Noun(sense, ALL, "English noun")
    return noun or Noun(None, ALL, "unknown noun", person=False)


def _frame(
    article: Cells, case: Cells | None, endings: list[str], kind: str, noun: Noun
) -> tuple[Cells, bool]:
    """The cells that the phrase leaves open, and whether the noun fits into them.

    The preposition and, without a determiner, the adjectives are guesses about words that may
    not belong to the phrase: they are dropped where they leave nothing.
    """
    adjectives = ALL
    for ending in endings:
        adjectives &= ADJECTIVE[kind].get(ending, frozenset())
    for left_open in (article & adjectives & (case or ALL), article & adjectives):
        if left_open & noun.cells:
            return left_open, True
    sure = kind != "none" and bool(endings)
    return article, bool(article & noun.cells) and not sure


def _singular_subject(words: list[Word], at: int | None, head: int) -> bool:
    """Does the phrase open its sentence, and a finite verb in the singular follow it?"""
    if at is None or (at and words[at - 1].form[-1].isalnum()) or head + 1 >= len(words):
        return False
    verb, after = words[head + 1].form, words[head + 2].form if head + 2 < len(words) else ""
    weak_past = verb.islower() and len(verb) > 4 and verb.endswith("te")
    inverted = after in ("er", "sie", "es", "man", "ich")  # "die Schüler lehrte er"
    return (weak_past or verb in _WORDS["singular-verb"]) and not inverted


def _nominative_der(words: list[Word], at: int | None) -> bool:
    """`der` that follows neither preposition nor noun is the masculine nominative."""
    return (
        at is not None and words[at].form.lower() == "der" and not (at and is_noun(words, at - 1))
    )


def _shown(slots: set[str], noun: Noun) -> str | None:
    """The gender that determiner and adjectives show, if one remains beside the plural."""
    if noun.sense in slots:
        return noun.sense
    singular = slots - {"pl"}
    return {frozenset("mn"): "m", frozenset("m"): "m", frozenset("f"): "f"}.get(frozenset(singular))


def _settle(slots: set[str], noun: Noun, kind: str) -> str | None:
    """The gender of a noun that has none by form; a person is not neuter where `m` is open."""
    singular = slots - {"pl"}
    if singular in ({"m", "n"}, {"m"}):
        return "m"
    if len(singular) == 1:
        return singular.pop()
    if kind == "none" and noun.rule == "nominalised adjective" and singular == {"m", "f"}:
        return "m"  # "Angestellter" alone: the genitive feminine would have a noun before it
    return None


def _account(
    words: list[Word], head: int, left: _Left, noun: Noun, sense: str, frame: Cells
) -> tuple[tuple[Evidence, ...], tuple[int, int]]:
    """The evidence for a verdict, what agrees with it first, and the phrase's span."""
    word, at = words[head], left.determiner
    found: list[Evidence] = []
    slots = {cell.slot for cell in frame & noun.cells or frame} - {"pl"}
    shown = (_shown(set(slots), noun) if slots else None) if noun.sense else sense
    if at is not None and shown:
        found.append(evidence(words[at], "determiner", GENDER[shown]))
    if not found and noun.sense is None:
        found += [
            evidence(words[i], "adjective ending", GENDER[sense]) for i in left.adjectives[:1]
        ]
    if noun.rule != "unknown noun" or not found:
        found.append(evidence(word, noun.rule, GENDER[noun.sense or sense]))
    found.sort(key=lambda e: e.gender != GENDER[sense])
    return tuple(found), (words[at].start if at is not None else word.start, word.end)


def _last_resort(words: list[Word], head: int) -> Reading:
    """A relative pronoun after the noun; else the noun is there and shows no gender."""
    span = (words[head].start, words[head].end)
    if head + 2 < len(words) and words[head + 1].form == ",":
        relative = words[head + 2]
        if sense := _RELATIVE.get(relative.form.lower()):
            shown = evidence(relative, "relative pronoun", GENDER[sense])
            return Reading(shown.gender, True, (shown,), span)
    return Reading("neutral", True, (), span)
