"""Whose predicate or pronoun is it, where only one noun of the sentence can have it?

*Il contadino ha aiutato l'assistente ed è stata felice*: the farmer is masculine, so the assistant
is a woman. A sentence with a second noun that fits, or whose gender is open, says nothing.
A system that leaves the wrong noun masculine can mislead this: it is meant for the noun that the
sentence's pronoun is about, as in WinoMT, not for a bystander.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuescope.gender.reading import Gender
from cuescope.gender.romance import clause
from cuescope.gender.romance.clause import Found, kind_at
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.subject import (
    SENTENCE_ENDS,
    Phrase,
    governed,
    has_subject,
    is_name,
    is_plural,
    opens_clause,
    phrases,
)
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import Word


class _Mark(NamedTuple):
    """A word that agrees with somebody; `people`: it cannot stand for a thing."""

    place: int
    gender: Gender
    people: bool


def only_referent(words: list[Word], first: int, last: int, lang: str) -> Found | None:
    """A later word that agrees with the noun at `first` to `last` and with no other in reach."""
    start, stop = _sentence(words, first, last)
    words, first, last = words[start:stop], first - start, last - start
    others = [p for p in phrases(words, lang) if p.last < first - 1 or p.first > last]
    others = [p for p in others if not p.first <= first <= p.last]
    if is_plural(words, last, lang):
        return None
    if _named(words, first, last, lang) or any(p.person and _open(p) for p in others):
        return None
    found = [
        mark
        for mark in _marks(words, first, last, others, lang)
        if not any(_fits(p, mark) for p in others if p.first < mark.place)
        and not _bare(words, mark, lang)
    ]
    if len({mark.gender for mark in found}) != 1:
        return None
    return found[0].place + start, found[0].gender


def _sentence(words: list[Word], first: int, last: int) -> tuple[int, int]:
    start, stop = first, last + 1
    while start > 0 and words[start - 1].form not in SENTENCE_ENDS:
        start -= 1
    while stop < len(words) and words[stop].form not in SENTENCE_ENDS:
        stop += 1
    return start, stop


def _open(phrase: Phrase) -> bool:
    return phrase.gender == "neutral" and not phrase.plural


def _fits(other: Phrase, mark: _Mark) -> bool:
    """Could the mark be about this noun?"""
    if other.plural or (mark.people and not other.person):
        return False
    return other.gender in (mark.gender, "neutral")


def _bare(words: list[Word], mark: _Mark, lang: str) -> bool:
    """Is there an indefinite of the same gender: *qualcuno*, *nessuno*?"""
    weights = [(weigh(w.form, lang), w.form.lower()) for w in words[: mark.place]]
    personal = grammar(lang).words["personal"]
    return any(
        w.kind == "pronoun" and w.gender == mark.gender and f not in personal for w, f in weights
    )


def _named(words: list[Word], first: int, last: int, lang: str) -> bool:
    """Is somebody called by name? A name's gender is not known here."""
    lead = words[0].form
    bare = kind_at(words, 0, lang) == "content" and lead.lower() not in person_nouns(lang)
    names = (i for i in range(len(words)) if not first <= i <= last)
    return (bare and lead[:1].isupper() and first > 0) or any(
        is_name(words, i, lang) for i in names
    )


def _marks(
    words: list[Word], first: int, last: int, others: list[Phrase], lang: str
) -> Iterator[_Mark]:
    """Pronouns and predicates after the noun that may be about it, by the place of the noun."""
    language, rules, opens = romance(lang), grammar(lang), opens_clause(words, first, lang)
    relative = last + 1 < len(words) and rules.has("relative", words[last + 1].form.lower())
    for i in range(last + 1, len(words)):
        form = words[i].form.lower()
        relative = relative and kind_at(words, i, lang) not in ("conjunction", "mark")
        subject = opens or relative
        weight = weigh(form, lang)
        if rules.has("personal", form) and not form.endswith(("s", "si")):
            if not (subject and governed(words, i, lang)) and not clause.expletive(words, i, lang):
                yield _Mark(i, weight.gender, form in language.people)
        elif not subject and (found := clause.object_at(words, i, lang)):
            yield _Mark(*found, people=form in language.people)
        elif not subject and weight.rule.startswith("pronoun -") and clause.of_person(form, lang):
            yield _Mark(i, weight.gender, people=True)
        elif (
            language.silent_subject and rules.has("copula", form) and not rules.has("plural", form)
        ):
            yield from _silent(words, i, others, lang)


def _silent(words: list[Word], i: int, others: list[Phrase], lang: str) -> Iterator[_Mark]:
    """The predicate of a verb without a subject: *ed è stata felice*, *perché era stanca*."""
    found = clause.predicate_at(words, i, lang)
    if found is None or clause.impersonal(words, i, found[0], lang):
        return
    if not clause.inverted(words, found[0], lang) and not has_subject(
        words, i, found[1], others, lang
    ):
        yield _Mark(*found, people=False)
