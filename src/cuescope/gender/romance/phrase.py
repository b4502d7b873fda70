"""The noun in a span of Romance text, and the words that belong to its phrase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cuescope.gender.forms import Form, surfaces, unaccented
from cuescope.gender.lexicon import Entry
from cuescope.gender.romance.words import Weight, is_open, weigh
from cuescope.gender.words import Word

LINKS = ("preposition", "conjunction")
_LONGEST = 8  # words in a lexicon form


class Noun(NamedTuple):
    """The head: its words are `first` to `last`, with the form the lexicon gives it."""

    first: int
    last: int
    form: Form
    rule: str


def weight_at(words: list[Word], i: int, lang: str) -> Weight:
    """What word `i` is where it stands: the first half of a contraction is a preposition."""
    word = words[i]
    if i + 1 < len(words) and words[i + 1].start == word.start:
        return Weight("preposition", "neutral", "preposition")
    return weigh(word.form, lang)


def head(words: list[Word], inside: list[int], lang: str, entry: Entry | None) -> Noun | None:
    """The noun in the span: as the lexicon's entry has it, else the first that is known."""
    if entry is not None:
        beside = [i for i in _around(inside) if 0 <= i < len(words)]  # an aligner may be off by two
        for places, known in (
            ([*inside, *beside], surfaces(entry, lang)),
            (inside, unaccented(entry, lang)),
        ):
            nouns = (_known(words, i, known, lang) for i in places)
            if noun := next(filter(None, nouns), None):
                return noun
    best: Noun | None = None
    for i in inside:
        weight = weight_at(words, i, lang)
        if best is not None and weight.kind in LINKS:
            break
        if weight.kind in ("content", "verb"):
            form = Form(weight.gender, is_open(words[i].form.lower(), lang))
            found = Noun(i, i, form, weight.rule)
            if weight.rule in ("noun form", "noun list"):
                return found
            best = best or found
    return best


def _known(
    words: list[Word], i: int, known: Mapping[tuple[str, ...], Form], lang: str
) -> Noun | None:
    """The longest known form that begins with word `i`."""
    for size in range(min(_LONGEST, len(words) - i), 0, -1):
        key = tuple(w.form.lower() for w in words[i : i + size])
        if key in known:
            form = known[key]
            if form.gender != "feminine" and is_open(key[0], lang):
                form = Form("masculine", open=True)
            return Noun(i, i + size - 1, form, "noun form")
    return None


def _around(inside: list[int]) -> list[int]:
    return [inside[-1] + 1, inside[-1] + 2, inside[0] - 1, inside[0] - 2]


def core_of(words: list[Word], inside: list[int], lang: str, noun: Noun | None) -> list[int]:
    """The words of the span without leading prepositions and without what depends on the noun."""
    start = 0
    while start < len(inside) - 1 and weight_at(words, inside[start], lang).kind in LINKS:
        start += 1
    core: list[int] = []
    for i in inside[start:]:
        if core and weight_at(words, i, lang).kind in LINKS and (noun is None or i > noun.last):
            break
        core.append(i)
    if noun is None:
        return core
    return sorted({*core, *range(noun.first, noun.last + 1)})
