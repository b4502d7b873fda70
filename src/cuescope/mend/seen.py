"""What a translation shows of the people of its source: the focus noun, and everyone else."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from cuescope.data.items import Item
from cuescope.data.others import others
from cuescope.gender import read
from cuescope.gender.forms import reader
from cuescope.gender.locate import find
from cuescope.gender.reading import Gender, Reading
from cuescope.gender.words import words
from cuescope.measures.verdict import judge


class Seen(NamedTuple):
    """The reading of the focus noun, and everyone else's, each with the English noun."""

    text: str
    lang: str
    focus: Reading
    others: tuple[tuple[str, Reading], ...]

    @property
    def genders(self) -> tuple[Gender, ...]:
        """The others' genders."""
        return tuple(reading.gender for _, reading in self.others)


def look(item: Item, translation: str, lang: str) -> Seen:
    """Read everyone in a plain translation; it is aligned alone, whatever stands beside it."""
    apart = [replace(item, focus=s, noun=item.text[slice(*s)]) for s in others(item)]
    first, *rest = judge([item, *apart], [translation] * (len(apart) + 1), lang)
    return Seen(
        translation, lang, first.reading, tuple((one.item.noun, one.reading) for one in rest)
    )


def look_again(item: Item, translation: str, plain: Seen) -> Seen:
    """Read the same people in another translation: each near where it stood in the plain one."""

    def near(noun: str, before: Reading) -> Reading:
        place = find(translation, noun, plain.lang, near=before.span)
        if place.span is None:
            return Reading("unknown", True, reason=place.reason)
        return read(translation, place.span, plain.lang, noun=noun)

    return Seen(
        translation,
        plain.lang,
        near(item.noun, plain.focus),
        tuple((noun, near(noun, before)) for noun, before in plain.others),
    )


def fits_either(seen: Seen) -> bool:
    """Is the focus noun one that takes articles of either gender, as far as its language knows?"""
    takes = getattr(reader(seen.lang), "takes_either", lambda *_: True)
    start, end = seen.focus.span or (0, 0)
    named = [mark for mark in seen.focus.evidence if mark.rule == "noun form"]
    return bool(named) or all(
        takes(word.form, seen.lang) for word in words(seen.text[start:end], seen.lang)
    )
