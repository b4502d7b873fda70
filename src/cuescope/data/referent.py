"""Whose pronoun is it? The noun that a sentence's cue means, by rules; where not sure, a reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuescope.data.cues.english import word_class
from cuescope.data.cues.phrases import Sentence
from cuescope.data.cues.whose import Scene, whose
from cuescope.data.items import Item, Span
from cuescope.data.marks import is_gendered
from cuescope.data.others import people_of
from cuescope.data.pronouns import Pronoun, pronouns
from cuescope.gender.forms import singulars


class Referent(NamedTuple):
    """The item that a sentence is, or none, and the rule that said so, or the reason."""

    item: Item | None
    why: str


class Rules:
    """The project's own reader: grammar, and what verbs say. It would rather say nothing."""

    name = "rules"

    def find(self, text: str) -> Item | str:
        """The noun that the cue means, or why nothing is said."""
        found = referent(text)
        return found.item or found.why


def referent(text: str) -> Referent:
    """The noun that the first gendered pronoun of a sentence means.

    >>> found = referent("The cook called the nurse and thanked her.")
    >>> found.item.noun, found.why
    ('nurse', 'not the one who acts')
    >>> referent("The cook met the nurse before she left.")
    Referent(item=None, why="after 'before' the pronoun may mean either")
    """
    cues = [one for one in pronouns(text) if one.gender != "neutral"]
    if not cues:
        return Referent(None, "no cue")
    if len({one.gender for one in cues}) > 1:
        return Referent(None, "pronouns of two genders")
    cue, *more = cues
    sentence = Sentence(text)
    if any(is_gendered(w.form) for w in sentence.words if w.end <= cue.start):
        return Referent(None, "a noun that has a gender in English may be meant")
    before = [span for span in _candidates(text) if span[1] <= cue.start]
    return _among(text, cue, more, before) if before else Referent(None, "nobody before the cue")


def _candidates(text: str) -> list[Span]:
    """Everyone whom a singular pronoun can mean: no plurals."""
    found = people_of(text)
    if len(found) == 1:  # its care not to take *the patient care* for a person may miss someone
        found = sorted({*found, *_phrases(Sentence(text))})
    return [span for span in found if _singular(text[slice(*span)])]


def _phrases(sentence: Sentence) -> Iterator[Span]:
    for index, _ in enumerate(sentence.words):
        place = sentence.person_phrase(index) if _determines(sentence, index) else None
        if place:
            yield sentence.words[place[0]].start, sentence.words[place[1] - 1].end


def _determines(sentence: Sentence, index: int) -> bool:
    """Does a phrase begin here that is not said of someone (*is a liar*)?"""
    be = sentence.word(index - 1) in word_class("be")
    return sentence.word(index) in word_class("determiners") and not be


def _agent(sentence: Sentence, index: int) -> bool:
    """A word that is no person as a rule, yet might be one: *the printer*, *a model*."""
    word, led = sentence.word(index), sentence.word(index - 1) in word_class("determiners")
    return (
        led
        and (word in word_class("things") or word in word_class("ambiguous"))
        and (word.endswith(("er", "or")) or word in word_class("ambiguous"))
    )


def _singular(noun: str) -> bool:
    head = noun.split()[-1]
    return len(singulars(head.lower())) == 1 or head.endswith("ss")


def _among(text: str, cue: Pronoun, more: list[Pronoun], before: list[Span]) -> Referent:
    sentence = Sentence(text)
    if len(before) == 1:
        if any(_agent(sentence, i) for i, w in enumerate(sentence.words) if w.end <= cue.start):
            return Referent(None, "someone else may be named")
        return Referent(_item(text, cue, more, before[0]), "the only person")
    if len(before) > 2:
        return Referent(None, "more than two people before the cue")
    first, second = map(sentence.at, before)
    found = whose(Scene(sentence, first, second, sentence.at(cue.span)[0], cue.role))
    if found.side is None:
        return Referent(None, found.rule)
    return Referent(_item(text, cue, more, before[found.side == "second"]), found.rule)


def _item(text: str, cue: Pronoun, more: list[Pronoun], focus: Span) -> Item:
    spans = tuple(one.span for one in more)
    return Item(text, focus, cue.span, cue.gender, more_cues=spans)
