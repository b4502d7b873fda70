"""Find the focus noun in each translation and read its gender."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cuescope.data.items import Gold, Item, Pair
from cuescope.data.others import other
from cuescope.gender.reading import By, Gender, Reading

if TYPE_CHECKING:
    from cuescope.align import Alignment


NAMED: dict[Gold, Gender] = {"male": "masculine", "female": "feminine"}


def is_correct(gold: Gold, gender: Gender) -> bool:
    """Right is the gold gender only: a neutral or unknown reading counts as wrong (paper A).

    >>> is_correct("male", "masculine"), is_correct("female", "neutral")
    (True, False)
    """
    return NAMED.get(gold) == gender


@dataclass(frozen=True)
class Verdict:
    """One translation judged: the reading of its focus noun, with the evidence."""

    item: Item
    translation: str
    reading: Reading
    skipped: str = ""  # why this line is in no count, if it is in none
    alignment: Alignment | None = field(default=None, repr=False, compare=False)
    other: Verdict | None = field(default=None, repr=False)  # on the other person, if one was asked

    @cached_property
    def correct(self) -> bool:
        """Does the noun have the gold gender, by its own phrase?"""
        return self.correct_by("phrase")

    def correct_by(self, reading: By) -> bool:
        """The same by its phrase, or with pronouns as a last resort."""
        return is_correct(self.item.gold, self.reading.by(reading))

    @property
    def consistent(self) -> bool:
        """Does its phrase agree with itself?"""
        return self.reading.consistent


JudgedPair = tuple[Pair, Verdict, Verdict]  # the pair, its pro and its anti twin


def judge(
    items: Sequence[Item],
    translations: Sequence[str],
    lang: str,
    *,
    engine: str = "builtin",
    others: bool = False,
) -> list[Verdict]:
    """Verdicts in order; an empty translation is `unknown`, not lost, and so is a missing noun.

    All sentences are aligned together, each different pair of texts once: the more the aligner
    sees the better it is. With `others`, each verdict has one on the other person of its sentence,
    where English names one.
    """
    from cuescope.align import align

    texts = list(
        dict.fromkeys(
            (item.text, translation)
            for item, translation in zip(items, translations, strict=True)
            if translation
        )
    )
    links = align([s for s, _ in texts], [t for _, t in texts], "en", lang, engine=engine)
    aligned = dict(zip(texts, links, strict=True))
    known: dict[tuple[str, str, tuple[int, int]], Reading] = {}

    def verdict(item: Item, translation: str) -> Verdict:
        key = (item.text, translation, item.focus)
        if key not in known:
            near = aligned[item.text, translation].target_span(*item.focus) if translation else None
            known[key] = _read(translation, item.noun, lang, near)
        found = aligned.get((item.text, translation))
        return Verdict(item, translation, known[key], alignment=found)

    made = [verdict(item, text) for item, text in zip(items, translations, strict=True)]
    if not others:
        return made
    return [replace(one, other=_other(one, verdict)) for one in made]


def _other(focus: Verdict, verdict: Callable[[Item, str], Verdict]) -> Verdict | None:
    """The verdict on the other person, skipped if it stands nowhere in the translation."""
    span, _ = other(focus.item)
    if span is None:
        return None
    item = replace(focus.item, focus=span, noun=focus.item.text[slice(*span)], stereotype=None)
    found = verdict(item, focus.translation)
    if found.reading.gender == "unknown":
        return replace(found, skipped="other noun not found in the translation")
    ours, theirs = found.reading.span, focus.reading.span
    if ours and theirs and ours[0] < theirs[1] and theirs[0] < ours[1]:
        return replace(found, skipped="the same words as the focus noun")
    return found


def _read(text: str, noun: str, lang: str, near: tuple[int, int] | None) -> Reading:
    """The reading of a noun that stands in the translation; why it is unknown, if it does not."""
    from cuescope.gender import read
    from cuescope.gender.locate import find

    place = find(text, noun, lang, near=near)
    if place.span is None:
        return Reading("unknown", True, reason=place.reason if text else "empty translation")
    return read(text, place.span, lang, noun=noun)


def evidence(reading: Reading, part: str = "evidence") -> list[dict[str, object]]:
    """The evidence as JSON objects, or that `beyond` the phrase, or what was set `aside`."""
    return [vars(piece) | {} for piece in getattr(reading, part)]
