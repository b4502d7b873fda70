"""Where the translation of an English noun stands in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cuescope.gender.forms import Form, common, entry, reader, surfaces, unaccented
from cuescope.gender.words import Word, words, written

Span = tuple[int, int]
_ROOT = 4  # letters


class Found(NamedTuple):
    """Where a noun's translation stands; without a span, the reason why there is none."""

    span: Span | None
    reason: str = ""


def locate(text: str, noun: str, lang: str, near: Span | None = None) -> Span | None:
    """The character span of a noun's translation, or None; `near` is an aligner's guess.

    >>> text = "La doctora llamó a la directora ejecutiva."
    >>> locate(text, "CEO", "es")
    (22, 41)
    """
    return find(text, noun, lang, near).span


def find(text: str, noun: str, lang: str, near: Span | None = None) -> Found:
    """The translation of a noun, or why no word of the sentence is one: the one guard for all.

    A noun of the lexicon is found only by a form of its entry that stands as a noun: what `near`
    touches wins, then the usual translation, then the nearest. For a noun that the lexicon does
    not know, the aligner's word is taken if it can be a person.

    >>> find("As pessoas riam do estaleiro.", "groundskeeper", "pt", near=(19, 28)).reason
    "noun not found: 'estaleiro' is not a translation of 'groundskeeper'"
    """
    tokens = words(text, lang)
    known = entry(noun, lang)
    if known is not None:
        forms = surfaces(known, lang)
        for some in (forms, unaccented(known, lang)):
            if found := list(_matches(tokens, some, lang)):
                return Found(min(found, key=lambda match: _cost(match, near)).span)
        return Found(None, _missing(tokens, noun, near, f"is not a translation of {noun!r}"))
    span = None if near is None else _mend(tokens, near, noun, lang)
    return Found(span, "" if span else _missing(tokens, noun, near, "cannot be a person"))


def first(tokens: list[Word], forms: Mapping[tuple[str, ...], Form], lang: str) -> Span | None:
    """The first place where one of these forms stands as a noun."""
    found = next(_matches(tokens, forms, lang), None)
    return found.span if found else None


def find_first(text: str, noun: str, lang: str, others: tuple[str, ...] | None = None) -> Found:
    """The first translation of a noun of the lexicon: no aligner is asked.

    What is seldom meant comes last, unless it can be none of the `others` of the source.

    >>> find_first("A doutora é médica.", "doctor", "pt").span
    (2, 9)
    """
    tokens, known = words(text, lang), entry(noun, lang)
    if known is None:
        return Found(None, f"noun not found: no entry for {noun!r}")
    tables = common(known, lang, others), surfaces(known, lang), unaccented(known, lang)
    span = next((place for forms in tables if (place := first(tokens, forms, lang))), None)
    return Found(span, "" if span else _missing(tokens, noun, None, ""))


def _missing(tokens: list[Word], noun: str, near: Span | None, why: str) -> str:
    """A rejected noun in words: what the aligner points at, and why it is not taken."""
    shown = " ".join(t.form for t in tokens if near and t.start < near[1] and t.end > near[0])
    return f"noun not found: {shown!r} {why}" if shown else f"noun not found: nothing for {noun!r}"


class _Match(NamedTuple):
    span: Span
    rank: int


def _matches(
    tokens: list[Word], known: Mapping[tuple[str, ...], Form], lang: str
) -> Iterator[_Match]:
    """Every place where a form of the entry stands as a noun; the longest form of each place."""
    stands_as_noun = getattr(reader(lang), "stands_as_noun", lambda *_: True)
    lower = [token.form.lower() for token in written(tokens)]
    sizes = sorted({len(key) for key in known}, reverse=True)
    reached = 0
    for i in range(len(lower)):
        for size in sizes:
            form = known.get(tuple(lower[i : i + size]))
            if form is None and size == 1:
                form = _compound(lower[i], known, lang)
            if form is not None and i >= reached and i + size <= len(lower):
                reached = i + size
                if stands_as_noun(tokens, i, reached - 1, lang):
                    yield _Match((tokens[i].start, tokens[reached - 1].end), form.rank)
                break


def _compound(word: str, known: Mapping[tuple[str, ...], Form], lang: str) -> Form | None:
    """The form inside a compound: *ex-infermiera*, *женщина-врач*, *Hirnchirurg*."""
    parts_of = getattr(reader(lang), "parts", lambda word: word.split("-")[1:])
    return next((known[part,] for part in parts_of(word) if (part,) in known), None)


def _cost(match: _Match, near: Span | None) -> tuple[bool, int, int]:
    """Lower is better: what the aligner touches, then the usual translation, then the nearest."""
    if near is None:
        return False, match.rank, match.span[0]
    gap = max(match.span[0] - near[1], near[0] - match.span[1])
    return gap >= 0, match.rank, gap


def _mend(tokens: list[Word], near: Span, noun: str, lang: str) -> Span | None:
    """The aligner's span, or the closest word beside it where it is plainly no noun (right first).

    Only for a word that can be a person, or that looks like the English noun.
    """
    inside = [i for i, t in enumerate(tokens) if t.start < near[1] and t.end > near[0]]
    if not inside:
        return None
    module = reader(lang)
    can_be_noun = getattr(module, "can_be_noun", lambda form, lang: form[:1].isalnum())
    can_be_person = getattr(module, "can_be_person", lambda *_: True)
    around = [inside[-1] + 1, inside[-1] + 2, inside[0] - 1, inside[0] - 2]
    nouns = [
        i for i in (*inside, *around) if 0 <= i < len(tokens) and can_be_noun(tokens[i].form, lang)
    ]
    for i in [i for i in nouns if i in inside] or nouns:
        if _alike(tokens[i].form, noun) or can_be_person(tokens, i, lang):
            return near if i in inside else (tokens[i].start, tokens[i].end)
    return None


def _alike(form: str, noun: str) -> bool:
    """Does a word begin as the English noun does: a loan, or of the same root?"""
    return len(noun) > 3 and form.lower().startswith(noun.lower()[:_ROOT])
