"""Implicit causality verbs: whom *because* is expected to speak of next."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from cuescope.data.lists import rows

Bias = Literal["S", "O"]  # subject-biased (annoy), object-biased (admire)
CONNECTIVES = frozenset({"because", "since", "as"})


class Verb(NamedTuple):
    """A verb with the direction of its bias; `preposition` is part of it (*rely on*)."""

    lemma: str
    preposition: str
    bias: Bias
    kind: str

    def __str__(self) -> str:
        return f"{self.lemma} {self.preposition}".strip()


@cache
def _table() -> dict[str, tuple[str, list[str]]]:
    table = rows("causality.tsv", "cuescope.data.cues")
    return {kind: (bias, words.split("|")) for kind, bias, words in table}


@cache
def verbs() -> dict[tuple[str, str], Verb]:
    """All verbs by (lemma, preposition).

    >>> verbs()["annoy", ""].bias, verbs()["rely", "on"].bias
    ('S', 'O')
    """
    found: dict[tuple[str, str], Verb] = {}
    for kind, (bias, listed) in _table().items():
        if bias == "-":
            continue
        side: Bias = "S" if bias == "S" else "O"
        for entry in listed:
            lemma, _, preposition = entry.partition(" ")
            for spelling in {lemma, lemma.removesuffix("ize") + "ise" * lemma.endswith("ize")}:
                found[spelling, preposition] = Verb(spelling, preposition, side, kind)
    return found


class Form(NamedTuple):
    """An inflected form of a verb: which verb, and whether it can be a participle."""

    lemma: str
    participle: bool


@cache
def forms() -> dict[str, Form]:
    """Every inflected form of the listed verbs.

    >>> forms()["forgave"], forms()["nagging"].lemma, forms()["pities"].lemma
    (Form(lemma='forgive', participle=False), 'nag', 'pity')
    """
    found: dict[str, Form] = {}
    for lemma in dict.fromkeys(lemma for lemma, _ in verbs()):
        for form, participle in inflect(lemma):
            if not found.get(form, Form("", False)).participle:
                found[form] = Form(lemma, participle)
    return found


@cache
def _irregular() -> dict[str, list[str]]:
    entries = (entry.split(":") for entry in _table()["irregular"][1])
    return {lemma: rest for lemma, *rest in entries}


def inflect(lemma: str) -> Iterator[tuple[str, bool]]:
    """Forms of a verb, each with whether it is (also) the past participle."""
    ends_y = lemma.endswith("y") and lemma[-2] not in "aeiou"
    yield lemma, False
    if ends_y:
        yield lemma[:-1] + "ies", False
    else:
        yield lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else "s"), False
    if lemma in _irregular():
        past, participle, ing = _irregular()[lemma]
        yield past, past == participle
        yield participle, True
        yield ing, False
        return
    stem = lemma + lemma[-1] if _doubles(lemma) else lemma
    past = lemma + "d" if lemma.endswith("e") else lemma[:-1] + "ied" if ends_y else stem + "ed"
    yield past, True
    silent = lemma.endswith("e") and not lemma.endswith("ee")
    yield (lemma[:-1] if silent else stem) + "ing", False


def _doubles(lemma: str) -> bool:
    """*nag* → *nagged*: one short vowel between single consonants."""
    if lemma in _table()["doubled"][1]:
        return True
    vowels = [c in "aeiou" for c in lemma]
    return len(lemma) > 2 and sum(vowels) == 1 and vowels[-2] and lemma[-1] not in "aeiouwxy"
