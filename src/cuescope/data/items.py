"""What a challenge set is made of: items, minimal pairs and contrast sets."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar, overload

from cuescope.errors import CueScopeError

Span = tuple[int, int]
T = TypeVar("T")
Gold = Literal["male", "female", "neutral"]
Order = Literal["cue after", "cue before"]  # where the cue stands, seen from the noun
ORDERS: tuple[Order, ...] = ("cue after", "cue before")
GOLDS: tuple[Gold, ...] = ("male", "female", "neutral")


@dataclass(frozen=True)
class Item:
    """A sentence whose focus noun must take the gender that its cue shows.

    >>> item = Item("The nurse said he left.", focus=(4, 9), cue=(15, 17), gold="male")
    >>> item.noun, item.text[slice(*item.cue)], item.stereotyped
    ('nurse', 'he', None)
    """

    text: str
    focus: Span
    cue: Span | None
    gold: Gold
    stereotype: Gold | None = None  # the gender that people expect of this noun
    set: str = ""
    line: int = 0  # from 0, in the file or the order that the item came from
    pair: int | None = None
    noun: str = ""  # dictionary form of the focus noun; its own form if nothing else is known
    more_cues: tuple[Span, ...] = ()
    lang: str = "en"
    template: str = ""  # what the sentence was made from, if from one that others share
    reference: str = ""  # its right translation, where the set gives it

    def __post_init__(self) -> None:
        for name, span in (("focus", self.focus), ("cue", self.cue)):
            if span is not None and not 0 <= span[0] < span[1] <= len(self.text):
                raise CueScopeError(
                    f"the {name} of an item lies outside its text",
                    expected=f"a span within 0 to {len(self.text)}",
                    found=f"{span} in {self.text!r}",
                    do="give character offsets, start before end",
                )
        if not self.noun:
            object.__setattr__(self, "noun", self.text[slice(*self.focus)])

    @property
    def stereotyped(self) -> Literal["pro", "anti"] | None:
        """Does the gold gender follow the stereotype of the noun (pro) or go against it (anti)?"""
        if self.stereotype is None or self.gold == "neutral":
            return None
        return "pro" if self.stereotype == self.gold else "anti"

    @property
    def order(self) -> Order | None:
        """Does the cue come after the noun, or a first one before it? None without a cue."""
        if self.cue is None:
            return None
        first = min(start for start, _ in (self.cue, *self.more_cues))
        return "cue before" if first < self.focus[0] else "cue after"


@dataclass(frozen=True)
class Pair:
    """Twins that should differ in nothing but the cue; `reason` says how a pair breaks that."""

    pro: Item
    anti: Item
    index: int
    reason: str = ""

    @property
    def minimal(self) -> bool:
        """Do the twins differ only in the cue?"""
        return not self.reason

    @property
    def forms(self) -> tuple[str, str] | None:
        """The right translations of the twins, the feminine first, where the set gives both."""
        given = {item.gold: item.reference for item in self}
        two = given.get("female", ""), given.get("male", "")
        return two if all(two) else None

    def __iter__(self) -> Iterator[Item]:
        return iter((self.pro, self.anti))


class Listed(Sequence[T]):
    """A sequence whose members are the tuple `_members`."""

    @property
    @abstractmethod
    def _members(self) -> tuple[T, ...]: ...

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._members[index]

    def __len__(self) -> int:
        return len(self._members)


class Pairs(Listed[Pair]):
    """Pairs in order, and beside them those that were left out, each with its reason."""

    def __init__(self, pairs: Iterable[Pair], *, all_pairs: bool = False) -> None:
        given = tuple(pairs)
        self._kept = tuple(pair for pair in given if all_pairs or pair.minimal)
        self.left_out: tuple[Pair, ...] = (
            () if all_pairs else tuple(p for p in given if not p.minimal)
        )
        self.bad: tuple[str, ...] = ()  # rows that were skipped, each with its place and the reason

    @property
    def _members(self) -> tuple[Pair, ...]:
        return self._kept

    def sample(self, most: int, seed: int = 0) -> Pairs:
        """At most so many pairs, drawn at random, in their order; 0 takes all.

        The first ones are no sample, since sets come sorted. What was left out stays beside them.
        """
        drawn = Pairs(sample(self._kept, most, seed), all_pairs=True)
        drawn.left_out, drawn.bad = self.left_out, self.bad
        return drawn

    def __repr__(self) -> str:
        return f"Pairs({len(self)} pairs, {len(self.left_out)} left out)"


def check_pairs(pairs: object) -> None:
    """Raise unless these are pairs: a set's name, or bare sentences, are not."""
    found = repr(pairs)
    if not isinstance(pairs, str) and isinstance(pairs, Sequence):
        strange = next((one for one in pairs if not isinstance(one, Pair)), None)
        if strange is None:
            return
        found = repr(strange)
    raise CueScopeError(
        "these are no pairs",
        expected="pairs, as cs.pairs gives them",
        found=found[:120],
        do='cs.pairs("simplegen"), or cs.pairs([("The cook left as he was ill.", "cook", "he")])',
    )


def numbered(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs, told apart by their numbers; by their places, where the numbers given are not.

    >>> twins = [Item("A nurse.", (2, 7), None, gold) for gold in ("male", "female")]
    >>> [pair.index for pair in numbered([Pair(*twins, 0), Pair(*twins, 0)])]
    [0, 1]
    """
    check_pairs(pairs)
    told = {pair.index for pair in pairs}
    if len(told) == len(pairs) and all(item.pair == p.index for p in pairs for item in p):
        return tuple(pairs)
    return tuple(
        Pair(replace(p.pro, pair=at), replace(p.anti, pair=at), at, p.reason)
        for at, p in enumerate(pairs)
    )


def sample(things: Sequence[T], most: int | None, seed: int = 0) -> Sequence[T]:
    """At most so many, drawn at random, in their order; 0 or None takes all.

    Challenge sets come sorted, and in cycles: the first ones are no sample, every n-th one neither.
    A smaller sample of the same seed is part of a larger one.

    >>> sample("abcdefgh", 3), sample("abcdefgh", 4)
    (['b', 'e', 'f'], ['b', 'c', 'e', 'f'])
    """
    if most is not None and most < 0:
        raise CueScopeError("a sample of fewer than none", expected="0 or more", found=str(most))
    if not most or most >= len(things):
        return things
    places = list(range(len(things)))
    random.Random(seed).shuffle(places)
    return [things[place] for place in sorted(places[:most])]


@dataclass(frozen=True)
class ContrastSet:
    """The he, she and they versions of one sentence."""

    he: Item
    she: Item
    they: Item

    def __iter__(self) -> Iterator[Item]:
        return iter((self.he, self.she, self.they))
