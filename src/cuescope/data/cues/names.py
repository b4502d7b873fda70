"""Names as a cue: *the mechanic Anne called …*, in the gender of the pronoun (paper B, table 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cuescope.data.cues.english import word_class
from cuescope.data.items import Gold, Item, Span
from cuescope.errors import CueScopeError

NAMES: dict[str, dict[Gold, str]] = {
    "es": {"female": "Carla", "male": "Gabriel"},
    "fr": {"female": "Anne", "male": "Victor"},
    "uk": {"female": "Anna", "male": "Ivan"},
    "ru": {"female": "Anna", "male": "Ivan"},
}
_NAME = re.compile(r" ([A-Z][a-z]+)\b")
_DEFINITE = frozenset("the this that my your his her its our their".split())


@dataclass(frozen=True)
class Named:
    """The items with names, and those that take none, each with its reason."""

    items: tuple[Item, ...]
    skipped: tuple[tuple[Item, str], ...]


def named(items: Iterable[Item], names: str | Mapping[Gold, str]) -> Named:
    """The items with a name after the focus noun; spans are moved along.

    `names` is a target language of the paper (es, fr, uk, ru), or a name for each gender.

    >>> item = Item("The cook left as she was ill.", (4, 8), (17, 20), "female")
    >>> new = named([item], "fr").items[0]
    >>> new.text, new.text[slice(*new.focus)], new.text[slice(*new.cue)]
    ('The cook Anne left as she was ill.', 'cook', 'she')
    """
    if isinstance(names, str) and names not in NAMES:
        raise CueScopeError(
            f"no names for {names!r}",
            expected=f"{', '.join(NAMES)}, or a name for each gender",
            found=names,
            do="give them: names={'female': 'Ana', 'male': 'Paulo'}",
        )
    table: Mapping[Gold, str] = NAMES[names] if isinstance(names, str) else names
    made: list[Item] = []
    skipped: list[tuple[Item, str]] = []
    for item in items:
        reason = _refused(item, table)
        if reason:
            skipped.append((item, reason))
        else:
            made.append(_with_name(item, table[item.gold]))
    return Named(tuple(made), tuple(skipped))


def name_after(item: Item) -> str | None:
    """The name that stands right after the focus noun, if one does."""
    match = _NAME.match(item.text, item.focus[1])
    return match.group(1) if match else None


def _refused(item: Item, table: Mapping[Gold, str]) -> str:
    """Why an item takes no name; nothing if it does."""
    if item.gold not in table or item.cue is None:
        return "no gender to match"
    if name_after(item):
        return "has a name"
    noun = item.text[slice(*item.focus)].lower()
    if noun in word_class("indefinites"):
        return "an indefinite pronoun takes no name"
    before = re.findall(r"[\w'’-]+", item.text[: item.focus[0]].lower())[-3:]
    nearest = [word for word in before if word in word_class("determiners")]
    if not nearest or nearest[-1] not in _DEFINITE:
        return "not a definite noun"
    return ""


def _with_name(item: Item, name: str) -> Item:
    at, grown = item.focus[1], len(name) + 1

    def moved(span: Span) -> Span:
        return span if span[1] <= at else (span[0] + grown, span[1] + grown)

    return replace(
        item,
        text=f"{item.text[:at]} {name}{item.text[at:]}",
        cue=moved(item.cue) if item.cue else None,
        more_cues=tuple(map(moved, item.more_cues)),
    )
