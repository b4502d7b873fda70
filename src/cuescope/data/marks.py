"""What else in a sentence shows the person's gender, so that its pronouns cannot change alone."""

from __future__ import annotations

import re

from cuescope.data.items import Item, Span
from cuescope.data.lists import word_list
from cuescope.data.pronouns import PRONOUN, Pronoun, pronouns, takes_a_possessor

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NAME = re.compile(r" [A-Z][a-z]+\b")
_COMPOUND = re.compile(r"[a-z-]{2,}m[ae]n")
_GENDERED = word_list("gendered")
_NO_COMPOUNDS = word_list("no_compounds")
_DETERMINERS = word_list("determiners")


def obstacle(item: Item) -> tuple[str, str]:
    """Why the pronouns of an item cannot change alone, and the word; two empty strings if they can.

    >>> obstacle(Item("My wife likes her work as a chef.", (28, 32), (14, 17), "female"))
    ('another word shows the gender too', 'wife')
    """
    cues = (*((item.cue,) if item.cue else ()), *item.more_cues)
    nouns = [item.text[slice(*span)] for span in cues if not _is_pronoun(item.text, span)]
    if not cues or len(nouns) == len(cues):
        return "the cue is no pronoun", nouns[0] if nouns else "no cue"
    found = pronouns(item.text)
    own = [pronoun for pronoun in found if pronoun.span in cues]
    for noun in (*nouns, *_gendered(item, own)):
        return "another word shows the gender too", noun
    if name := _NAME.match(item.text, item.focus[1]):
        return "a name may show the gender too", name.group().strip()
    for pronoun in found:
        word = item.text[slice(*pronoun.span)]
        if pronoun.span not in cues and pronoun.gender != "neutral":
            return "a pronoun beside the cue keeps its gender", word
        if pronoun in own and pronoun.role == "object" and takes_a_possessor(item.text, pronoun):
            return "an object pronoun stands where a possessive must", word
    return "", ""


def _is_pronoun(text: str, span: Span) -> bool:
    return PRONOUN.fullmatch(text, *span) is not None


def is_gendered(word: str) -> bool:
    """Does an English noun or adjective say a person's gender?

    >>> [is_gendered(word) for word in ("women", "policeman", "human", "wife", "nurse")]
    [True, True, False, True, False]
    """
    low = word.lower()
    return low in _GENDERED or (low not in _NO_COMPOUNDS and bool(_COMPOUND.fullmatch(low)))


def _gendered(item: Item, own: list[Pronoun]) -> list[str]:
    """Words that say a gender, unless the person has them: *his wife* is someone else."""
    words = [(match.group(), match.span()) for match in _WORD.finditer(item.text)]
    having = {pronoun.span for pronoun in own if pronoun.role == "possessive"}
    found = []
    for at, (word, span) in enumerate(words):
        word = re.sub(r"['’]s?$", "", word)
        focus = item.focus[0] <= span[0] < item.focus[1]
        if is_gendered(word) and (focus or _determiner(words[:at]) not in having):
            found.append(word)
    return found


def _determiner(before: list[tuple[str, Span]]) -> Span | None:
    """Where the determiner of a noun stands, at most two words before it."""
    near = reversed(before[-3:])
    return next((span for word, span in near if word.lower() in _DETERMINERS), None)
