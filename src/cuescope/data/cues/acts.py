"""Verbs by what they say of two people: one seeks, gives, punishes, tells; the other is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from cuescope.data.cues.causality import inflect
from cuescope.data.cues.english import word_class
from cuescope.data.cues.phrases import Sentence
from cuescope.data.lists import rows


def kind_of_verb(sentence: Sentence, start: int, end: int, kinds: Sequence[str]) -> str:
    """The kind of the verb that stands there, its preposition with it; nothing if of no kind.

    >>> kind_of_verb(Sentence("The cook yelled at the clerk."), 2, 4, ["seek", "punish"])
    'punish'
    """
    words = [sentence.word(i) for i in range(start, end)]
    text = " ".join(words)
    for kind in kinds:
        if any(re.search(rf"\b{form}\b", text) for form in verb_forms(kind)[1] if " " in form):
            return kind
    for index, word in enumerate(words):
        found = next((kind for kind in kinds if word in verb_forms(kind)[0]), "")
        if found and (index == 0 or words[index - 1] not in word_class("determiners")):
            return found
        if found == "" and sentence.verb(word) and word not in _light():
            return ""
    return ""


@cache
def _light() -> frozenset[str]:
    """Verbs that another one follows: *tried to help*, *has to ask*."""
    return word_class("auxiliaries") | frozenset(
        "want wants wanted try tries tried offer offers offered decide decides decided go went "
        "demand demanded like likes liked love loves loved".split()
    )


@cache
def word_list(name: str) -> tuple[str, ...]:
    """The entries of one row of `whose.tsv`."""
    table = rows("whose.tsv", "cuescope.data.cues")
    return tuple({kind: words.split("|") for kind, words in table}[name])


@cache
def verb_forms(kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """All forms of the verbs of a kind: single words, and those with a preposition."""
    found: set[str] = set()
    for entry in word_list(kind):
        lemma, *irregular = entry.split("/")
        verb, _, rest = lemma.partition(" ")
        for form, _participle in inflect(verb):
            found.add(f"{form} {rest}".strip())
        found.update(irregular)
    return frozenset(f for f in found if " " not in f), frozenset(f for f in found if " " in f)
