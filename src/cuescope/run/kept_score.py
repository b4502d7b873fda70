"""A score as the JSON that `score --json` writes, and back: all that a comparison asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, NotRequired, TypedDict

from cuescope.data.items import Gold, Item, Pair, Span
from cuescope.errors import CueScopeError
from cuescope.files import shapes
from cuescope.files.documents import checksum, short
from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.measures.verdict import Verdict, evidence
from cuescope.run.score import Score
from cuescope.signature import Signature

_PARTS = ("evidence", "beyond", "aside")
_SUM, _AGAIN = "crc32", "score the translations again, with --json"
_OF_ITEM = ("focus", "cue", "gold", "stereotype", "set", "line", "pair", "noun", "template")


def row(verdict: Verdict) -> dict[str, Any]:
    """A sentence with its translation, its verdict and the evidence."""
    item = asdict(verdict.item)
    return {
        "source": verdict.item.text,
        "translation": verdict.translation,
        **{name: item[name] for name in _OF_ITEM},
        "gender": verdict.reading.gender,
        "gender_with_pronouns": verdict.reading.with_pronouns,
        "correct": verdict.correct,
        "correct_with_pronouns": verdict.correct_by("pronouns"),
        "consistent": verdict.consistent,
        "span": list(verdict.reading.span) if verdict.reading.span else None,
        **{part: evidence(verdict.reading, part) for part in _PARTS},
        "reason": verdict.reading.reason,
        "skipped": verdict.skipped,
    }


def pairs(score: Score) -> list[dict[str, Any]]:
    """The pairs of a score, by set and place of their twins."""
    place = {
        id(one): [name, at] for name, found in score.sets.items() for at, one in enumerate(found)
    }
    return [
        {"index": p.index, "pro": place[id(a)], "anti": place[id(b)], "reason": p.reason}
        for p, a, b in score.judged
        if id(a) in place and id(b) in place
    ]


def summed(told: Mapping[str, Any]) -> dict[str, Any]:
    """A score's document with its checksum."""
    return {**told, _SUM: checksum(told)}


class MarkOf(TypedDict):
    """A word that speaks for a gender."""

    word: str
    start: int
    end: int
    rule: str
    gender: Gender


class RowOf(TypedDict):
    """A sentence as `row` writes it, as far as it is read back."""

    source: str
    translation: str
    focus: Span
    cue: Span | None
    gold: Gold
    stereotype: Gold | None
    set: str
    line: int
    pair: int | None
    noun: str
    template: str
    gender: Gender
    consistent: bool
    span: Span | None
    evidence: list[MarkOf]
    beyond: list[MarkOf]
    aside: list[MarkOf]
    reason: str
    skipped: str


class SetOf(TypedDict):
    """The sentences of one set."""

    items: list[RowOf]


class TwinsOf(TypedDict):
    """A pair by the places of its twins: set, and number there."""

    index: int
    pro: tuple[str, int]
    anti: tuple[str, int]
    reason: str


class ScoreOf(TypedDict):
    """A kept score, as far as it is read back."""

    sets: dict[str, SetOf]
    pairs: list[TwinsOf]
    signature: str
    warnings: NotRequired[list[str]]


def read(told: Mapping[str, Any], where: object) -> Score:
    """The score that a document tells; one of an earlier release tells too little."""
    stated = told.get(_SUM)
    if stated not in (None, checksum({name: of for name, of in told.items() if name != _SUM})):
        raise CueScopeError(
            f"{where} was changed after it was written",
            expected=f"a document of the checksum {short(stated)}",
            found="another one",
            do=_AGAIN,
        )
    shapes.check(told, ScoreOf, str(where), _AGAIN)
    try:
        sets = {
            name: tuple(_verdict(one) for one in found["items"])
            for name, found in told["sets"].items()
        }
        judged = []
        for one in told["pairs"]:
            pro, anti = (sets[name][at] for name, at in _places(one))
            judged.append((Pair(pro.item, anti.item, one["index"], one["reason"]), pro, anti))
        facts = dict(part.split(":", 1) for part in told["signature"].split("|"))
        return Score(
            sets,
            tuple(judged),
            all_pairs=facts.get("pairs") == "all",
            signature=Signature(facts),
            warnings=tuple(told.get("warnings", ())),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CueScopeError(
            f"{where} does not tell its sentences",
            expected="what `cuescope score --json` writes in this release",
            found=f"no {error}" if isinstance(error, KeyError) else str(error),
            do=_AGAIN,
        ) from None


def _places(pair: TwinsOf) -> Iterator[tuple[str, int]]:
    """Where the twins stand; a place counted from the end is none."""
    for name, at in (pair["pro"], pair["anti"]):
        if at < 0:
            raise IndexError(f"place {at} of {name}")
        yield name, at


def _verdict(told: Mapping[str, Any]) -> Verdict:
    facts = {name: told[name] for name in _OF_ITEM}
    for name in ("focus", "cue"):
        facts[name] = tuple(facts[name]) if facts[name] else None
    marks = {part: tuple(Evidence(**mark) for mark in told[part]) for part in _PARTS}
    span = tuple(told["span"]) if told["span"] else None
    reading = Reading(told["gender"], told["consistent"], span=span, reason=told["reason"], **marks)
    return Verdict(
        Item(told["source"], **facts), told["translation"], reading, skipped=told["skipped"]
    )
