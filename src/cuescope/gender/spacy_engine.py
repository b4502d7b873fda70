"""Gender as a spaCy model sees it: an engine that is used only where the caller names it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from cuescope.errors import CueScopeError, imported
from cuescope.gender import languages
from cuescope.gender.reading import Evidence, Gender, Reading

_SIZES = ("lg", "md", "sm")
_GENDERS: dict[str, Gender] = {"Masc": "masculine", "Fem": "feminine"}
_RANKS = {"det": "article", "noun": "noun form", "amod": "adjective", "acl": "adjective"}


@cache
def model(lang: str) -> Any:
    """The user's spaCy model for a language, the largest that is installed."""
    spacy = imported(
        "spacy",
        "the engine 'spacy' needs spaCy, which is not installed",
        do="pip install 'cuescope[nlp]', or leave engine out to use the built-in rules",
    )
    names = [f"{lang}_core_news_{size}" for size in _SIZES]
    for name in names:
        if spacy.util.is_package(name):
            return spacy.load(name, exclude=["ner"])
    raise CueScopeError(
        f"the engine 'spacy' has no model for {lang!r}",
        expected=f"one of {', '.join(names)}",
        found="none of them installed",
        do=languages.get(lang).spacy or f"python -m spacy download {names[-1]}",
    )


@lru_cache(maxsize=512)
def _parse(text: str, lang: str) -> Any:
    return model(lang)(text)


def read_phrase(text: str, span: tuple[int, int], lang: str) -> Reading:
    """The gender of the noun phrase at `span`: its determiner, its noun, its adjectives.

    The order is that of the rules, so the two engines can be compared.
    """
    inside = [t for t in _parse(text, lang) if t.idx < span[1] and t.idx + len(t) > span[0]]
    inside = [t for t in inside if not t.is_punct and not t.is_space]
    if not inside:
        return Reading("unknown", True, (), None)
    nouns = [t for t in inside if t.pos_ in ("NOUN", "PROPN")]
    head = (nouns or [t for t in inside if t.morph.get("Gender")] or inside)[0]
    shown = list(_evidence(head, inside))
    place = (inside[0].idx, inside[-1].idx + len(inside[-1]))
    if not shown:
        return Reading("neutral", True, (), place)
    agree = len({mark.gender for mark in shown}) == 1
    return Reading(shown[0].gender, agree, tuple(shown), place)


def _evidence(head: Any, inside: list[Any]) -> Iterator[Evidence]:
    """Words with a gender, determiners first; a predicate only if there is no other."""
    near = [(t.dep_, t) for t in head.children if t.dep_ in ("det", "amod", "acl")]
    ranked = sorted([*near, ("noun", head)], key=lambda pair: list(_RANKS).index(pair[0]))
    found = [mark for dep, token in ranked if (mark := _mark(token, _RANKS[dep]))]
    if not found and head.dep_.startswith("nsubj"):
        found = [mark for mark in [_mark(head.head, "predicate")] if mark]
    yield from found or [mark for token in inside if (mark := _mark(token, "word"))]


def _mark(token: Any, rule: str) -> Evidence | None:
    genders = token.morph.get("Gender")
    if len(genders) != 1 or genders[0] not in _GENDERS:
        return None
    end = token.idx + len(token)
    return Evidence(token.text, token.idx, end, f"spaCy {rule}", _GENDERS[genders[0]])
