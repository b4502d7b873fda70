"""English word classes for the rules, and which nouns are people."""

from __future__ import annotations

from functools import cache

from cuescope.data.lists import rows
from cuescope.gender.lexicon import lexicon

_ENDINGS = ("er", "or", "ist", "ian", "ant", "ee", "eer", "man", "woman", "person", "keeper")


@cache
def word_class(name: str) -> frozenset[str]:
    """The words of one class in `words.tsv`.

    >>> "because" in word_class("conjunctions")
    True
    """
    table = rows("words.tsv", "cuescope.data.cues")
    return {kind: frozenset(listed.split()) for kind, listed in table}[name]


@cache
def people() -> frozenset[str]:
    """Nouns for people: those of the lexica and a few more."""
    return frozenset(lexicon("pt")) | word_class("people")


def is_person(noun: str) -> bool:
    """Is this noun (its head, if it has several words) a person?

    >>> is_person("construction worker"), is_person("someone"), is_person("letter")
    (True, True, False)
    """
    low = noun.lower()
    head = low.split()[-1] if low else ""
    if low in people() or head in people() or low in word_class("indefinites"):
        return not low.endswith("thing")
    if head.endswith("s") and not head.endswith("ss") and head not in word_class("things"):
        return is_person(head[:-1])
    return len(head) > 4 and head.endswith(_ENDINGS) and head not in word_class("things")
