"""The grammar of WinoMT-like sentences by rules: no parser, no dependency."""

from __future__ import annotations

from cuescope.data.cues.causality import CONNECTIVES, Verb, forms, verbs
from cuescope.data.cues.names import name_after
from cuescope.data.cues.phrases import Sentence
from cuescope.data.cues.syntax import Cause, Syntax
from cuescope.data.items import Item
from cuescope.data.pronouns import PRONOUN, pronouns

_NOT_CAUSAL = frozenset("a an the well soon long much many though if far usual".split())


class Rules:
    """The rule-based annotator."""

    name = "rules"

    def read(self, items: list[Item]) -> list[Syntax]:
        """The syntax of each item.

        >>> item = Item("The clerk thanked the cook because he helped.", (22, 26), (35, 37), "male")
        >>> found = Rules().read([item])[0]
        >>> found.subject, found.recent, str(found.cause.verb), found.cause.side
        (False, True, 'thank', 'O')
        """
        return [_read(item) for item in items]


def _read(item: Item) -> Syntax:
    sentence = Sentence(item.text)
    first, last = sentence.at(item.focus)
    focus = first, last + (name_after(item) is not None)
    subject = _is_subject(sentence, *focus)
    return Syntax(
        subject=subject,
        recent=_is_recent(sentence, item, focus[1], subject),
        cause=_cause(sentence, item, focus),
    )


def _is_subject(sentence: Sentence, first: int, last: int) -> bool:
    """Does the noun at words first … last-1 head the main clause's subject?"""
    if sentence.owns(last):
        return False
    start = sentence.main_clause()
    if first >= start and sentence.opens_phrase(start, first):
        return True
    before = sentence.phrase_start(first)
    joined = sentence.word(before - 1)
    if joined not in ("and", "or", "nor", "but", "so") or before < start + 2:
        return False
    if sentence.finite(last):  # a main clause of its own: … and the cook left
        return sentence.has_verb(start, before - 1)
    return False if sentence.has_verb(start, before - 1) else sentence.opens_phrase(start, first)


def _is_recent(sentence: Sentence, item: Item, after: int, subject: bool) -> bool:
    """Is there no noun phrase between the focus noun and the pronoun that shows its gender?"""
    if item.cue is None or item.cue[0] < item.focus[1]:
        return False
    if not PRONOUN.fullmatch(item.text[slice(*item.cue)]):
        return False
    if sentence.owns(after):
        return False
    start = sentence.after_verb(after) if subject else after
    return not sentence.has_noun(start, sentence.at(item.cue)[0])


def _cause(sentence: Sentence, item: Item, focus: tuple[int, int]) -> Cause | None:
    connective = causal(item, [(w.form.lower(), w.start) for w in sentence.words])
    subject = sentence.first_person(sentence.main_clause(), focus)
    if connective is None or subject is None:
        return None
    word, place = connective
    at, passive = sentence.main_verb(subject[1])
    form = forms().get(sentence.word(at))
    if form is None or sentence.words[at].start > place:
        return None
    verb, after = _verb(sentence, form.lemma, at, passive)
    if verb is None or (passive and not form.participle):
        return None
    other = sentence.person_phrase(after)
    if other is None or focus[0] not in (subject[0], other[0]):
        return None
    side = verb.bias if not passive else "O" if verb.bias == "S" else "S"
    return Cause(verb, side, word)


def _verb(sentence: Sentence, lemma: str, at: int, passive: bool) -> tuple[Verb | None, int]:
    """The listed verb at a place, and where its object (in a passive: its agent) begins."""
    following = sentence.word(at + 1)
    with_preposition = verbs().get((lemma, following))
    if with_preposition is not None:
        return with_preposition, at + 2
    if passive:
        return (verbs().get((lemma, "")), at + 2) if following == "by" else (None, at)
    return verbs().get((lemma, "")), at + 1


def causal(item: Item, words: list[tuple[str, int]]) -> tuple[str, int] | None:
    """A causal connective whose first pronoun is the item's cue, and where it stands.

    *as* and *since* count only right before a pronoun: else they may be of time or manner.
    """
    cues = {span for span in (item.cue, *item.more_cues) if span}
    known = [p.span for p in pronouns(item.text)]
    for index, (word, start) in enumerate(words):
        if word not in CONNECTIVES or start < item.focus[1]:
            continue
        following = words[index + 1] if index + 1 < len(words) else ("", 0)
        if word == "as" and (following[0] in _NOT_CAUSAL or "as" in dict(words[index - 2 : index])):
            continue
        first = next((span for span in known if span[0] > start), None)
        near = word not in ("as", "since") or (first is not None and first[0] == following[1])
        if first in cues and near and following[0] != "of":
            return word, start
    return None
