"""Sentences to tune on: twins with one person or two, and sentences without any cue.

All are made from the project's own templates, of nouns that WinoMT does not have. In a sentence
with two people the pronoun means one of them, by syntax or by what makes sense; both cases of a
frame are there wherever both make sense, so that whose pronoun it is must be learned.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from cuescope.data.items import Gold, Item, Pair, Span
from cuescope.data.lists import rows

PRONOUNS: dict[Gold, dict[str, str]] = {
    "male": {"sbj": "he", "obj": "him", "pos": "his"},
    "female": {"sbj": "she", "obj": "her", "pos": "her"},
}
_SLOT = re.compile(r"\{(\w+)\}")
_PACKAGE = "cuescope.mend.sentences"


@dataclass(frozen=True)
class Lesson:
    """Twins, and the other person of the sentence if there is one: where, and which noun."""

    pair: Pair
    other: tuple[str, Span, Span] | None  # noun; its span in the first twin and in the second
    sense: bool = False  # made of an act and what is said of either person: sense alone tells

    @property
    def sure(self) -> bool:
        """Does syntax say whose pronoun it is? A subject of a second clause may be either's."""
        return self.other is None or not (self.sense or "{sbj}" in self.pair.pro.template)


@cache
def _slots() -> dict[str, list[str]]:
    return {name: words.split("|") for name, words in rows("slots.tsv", _PACKAGE)}


def slot(name: str) -> list[str]:
    """The words that a slot of the templates may take."""
    return _slots()[name]


def nouns(*, held_out: bool = False) -> list[str]:
    """The nouns to tune on, or those kept apart to stop by.

    >>> len(set(nouns()) & set(nouns(held_out=True)))
    0
    """
    return _slots()["heldout" if held_out else "noun"]


@cache
def templates() -> tuple[tuple[str, str], ...]:
    """All templates with a cue, each with the letter of the noun that the pronoun means.

    >>> templates()[0]
    ('The {a} asked the {b} for help because {sbj} could not lift the box alone.', 'a')
    """
    found = [(row[0], "a") for row in rows("one.tsv", _PACKAGE)]
    two = []
    for frame, first, second in rows("two.tsv", _PACKAGE):
        for letter, endings in (("a", first), ("b", second)):
            two += [(f"{frame} {end}.", letter) for end in endings.split("|") if end]
    return (*two, *found, *_joined(), *_caused())


def _joined() -> list[tuple[str, str]]:
    """First and second clauses joined: each first one with twelve others, in turn."""
    table = dict(rows("clauses.tsv", _PACKAGE))
    first, second = (table[name].split("|") for name in ("first", "second"))
    return [
        (f"The {{a}} {one} {second[(at + 7 * step) % len(second)]}.", "b")
        for at, one in enumerate(first)
        for step in range(12)
    ]


def _caused() -> list[tuple[str, str]]:
    """Acts joined with what is said of either of the two: two ends of each kind, in turn."""
    found = []
    for acts, *sides in rows("causes.tsv", _PACKAGE):
        for letter, ends in zip("ab", (side.split("|") for side in sides), strict=True):
            for at, act in enumerate(acts.split("|")):
                two = {ends[at % len(ends)], ends[(at + len(ends) // 2) % len(ends)]}
                found += [(f"The {{a}} {act} {end}.", letter) for end in sorted(two) if end]
    return found


def lessons(times: int = 1, *, seed: int = 0, held_out: bool = False) -> list[Lesson]:
    """Each template so many times with drawn nouns; every eighth template is held out.

    >>> first = lessons()[0].pair
    >>> [item.gold for item in first]
    ['male', 'female']
    """
    draw = random.Random(seed)
    found: list[Lesson] = []
    for at, (template, letter) in enumerate(templates()):
        if (at % 8 == 7) != held_out:
            continue
        for _ in range(times):
            a, b = draw.sample(nouns(held_out=held_out), 2)
            found.append(_lesson(template, {"a": a, "b": b}, letter, len(found)))
    return found


def sense(times: int = 1, *, seed: int = 0, held_out: bool = False) -> list[Lesson]:
    """Lessons in which only sense says whose pronoun it is: each act so many times for either
    person, with drawn ends and nouns; every eighth act and every eighth end are held out.

    >>> first = sense()[0]
    >>> first.sure, first.pair.pro.template[:8]
    (False, 'The {a} ')
    """
    draw = random.Random(seed)

    def mine(some: list[str]) -> list[str]:
        return [one for at, one in enumerate(some) if (at % 8 == 7) == held_out]

    table = [row for name in ("causes.tsv", "sense.tsv") for row in rows(name, _PACKAGE)]
    acts = [(act, sides) for acts, *sides in table for act in acts.split("|")]
    found: list[Lesson] = []
    for at, (act, sides) in enumerate(acts):
        if (at % 8 == 7) != held_out:
            continue
        for letter, ends in zip("ab", (mine(side.split("|")) for side in sides), strict=True):
            for _ in range(times if any(ends) else 0):
                a, b = draw.sample(nouns(held_out=held_out), 2)
                template = f"The {{a}} {act} {draw.choice(ends)}."
                made = _lesson(template, {"a": a, "b": b}, letter, len(found))
                found.append(replace(made, sense=True))
    return found


def apart(times: int = 1, *, seed: int = 0) -> list[Lesson]:
    """Lessons that no fit takes, of templates and nouns of their own: to choose recipes by.

    >>> apart()[0].sure
    True
    """
    draw = random.Random(seed)
    found: list[Lesson] = []
    for template, letter in rows("apart.tsv", _PACKAGE):
        for _ in range(times):
            a, b = draw.sample(nouns(held_out=True), 2)
            found.append(_lesson(template, {"a": a, "b": b}, letter, len(found)))
    return found


def plain(
    times: int = 1, *, seed: int = 0, held_out: bool = False, people: bool = True
) -> list[str]:
    """Sentences without a cue, each template so many times with other words."""
    draw = random.Random(seed)
    found = []
    for at, (template,) in enumerate(rows("none.tsv", _PACKAGE)):
        if (at % 8 == 7) != held_out or (not people and re.search("{[ab]}", template)):
            continue
        for _ in range(times):
            a, b = draw.sample(nouns(held_out=held_out), 2)
            words = {name: draw.choice(some) for name, some in _slots().items()}
            found.append(_fill(template, {**words, "a": a, "b": b})[0])
    return list(dict.fromkeys(found))


def _lesson(template: str, people: dict[str, str], letter: str, number: int) -> Lesson:
    made = []
    for gold in ("male", "female"):
        text, spans = _fill(template, people | PRONOUNS[gold])
        cue, *more = (span for name, span in spans if name in ("sbj", "obj", "pos"))
        where = dict(spans)
        item = Item(
            text=text,
            focus=where[letter],
            cue=cue,
            more_cues=tuple(more),
            gold=gold,
            set="lessons",
            line=number,
            pair=number,
            noun=people[letter],
            template=template,
        )
        made.append((item, where))
    (first, theirs), (second, hers) = made
    letters = [other for other in "ab" if other != letter and other in theirs]
    other = (people[letters[0]], theirs[letters[0]], hers[letters[0]]) if letters else None
    return Lesson(Pair(first, second, number), other)


def _fill(template: str, words: dict[str, str]) -> tuple[str, list[tuple[str, Span]]]:
    """The sentence, and where each slot's word stands in it; *a* becomes *an* where it must."""
    text, spans, done = "", [], 0
    for match in _SLOT.finditer(template):
        text += template[done : match.start()]
        word = words[match.group(1)]
        if re.search(r"\b[Aa] $", text) and word[0] in "aeiou":
            text = text[:-1] + "n "
        start = len(text)
        text += word.capitalize() if not text else word
        spans.append((match.group(1), (start, len(text))))
        done = match.end()
    return text + template[done:], spans


def items(some: list[Lesson]) -> Iterator[Item]:
    """Both twins of each lesson."""
    for lesson in some:
        yield from lesson.pair


def other_items(some: list[Lesson]) -> list[Item | None]:
    """The same sentences with the other person in focus; None where there is none."""
    found: list[Item | None] = []
    for lesson in some:
        for item, at in zip(lesson.pair, (1, 2), strict=True):
            if lesson.other is None:
                found.append(None)
                continue
            span = lesson.other[at]
            assert not isinstance(span, str)
            found.append(
                Item(item.text, span, item.cue, item.gold, noun=lesson.other[0], pair=item.pair)
            )
    return found
