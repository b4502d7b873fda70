"""Numbers of the findings: with intervals, by head, and of the other person's noun."""

from __future__ import annotations

from math import isfinite
from typing import Literal, NotRequired, TypedDict, get_args

from cuescope.stats.shown import Unit
from cuescope.stats.value import Value

# Order, and whether the twins' translations are alike up to the choice, or part before it, so that
# each has its own words before it, the translated cue among them: other questions, never mixed.
Story = Literal["cue after", "cue after, own words", "cue before", "cue before, own words"]
STORIES: tuple[Story, ...] = get_args(Story)


class Number(TypedDict):
    """A value with its 95 % interval and the number of units behind it."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    over: NotRequired[str]  # what the interval leaves out in turn: "18 nouns × 33 templates"


class MeasureOf(Number):
    """A registered measure: with its words, so that it can be shown where its code is not."""

    label: str
    says: str
    unit: Unit


class GridOf(TypedDict):
    """A value per layer and head [layer][head]."""

    scores: list[list[float | None]]
    low: list[list[float | None]]
    high: list[list[float | None]]
    n: int
    unit: Literal["item", "pair"]
    threshold: float | None  # attention: what uniform attention would give


class OffTargetOf(TypedDict):
    """The heads of a site, towards the focus noun and towards the other one, on the same pairs.

    On and off are shares of the focus noun's gap, spill is off over on, whole the other noun's gap
    over the focus noun's: what the cue itself does.
    """

    on: GridOf
    off: GridOf
    spill: GridOf
    whole: Number


class SelectivityOf(TypedDict):
    """What the heads do to the other person, in the story of most pairs."""

    story: Story
    pairs: int
    skipped: dict[str, int]
    sites: dict[str, OffTargetOf]


class WordOf(TypedDict):
    """A source word, the attention that it gets, and in how many sentences it stands."""

    word: str
    weight: float
    n: int


class NodeOf(TypedDict):
    """A head of the circuit. Effects are shares of the gap between the twins.

    `direct`: with all other heads held as they were; of an encoder head that is nothing, since the
    decoder reads it through heads. `looks`: from a place, its attention by spot of the source;
    `words`: the source words that get most. `writes`: the cosine of what it writes differently in
    the twin with the twins' difference at the end of its side.
    """

    name: str
    site: str
    layer: int
    head: int
    total: Number
    direct: Number
    looks: dict[str, dict[str, float]]
    words: dict[str, list[WordOf]]
    writes: dict[str, Number]


class EdgeOf(TypedDict):
    """What one head passes to another, through one of its inputs, at some source positions."""

    sender: str
    receiver: str
    by: str  # query, key or value
    where: str  # all, or cue, noun, end, other
    effect: Number


class CircuitOf(TypedDict):
    """The heads that carry the cue and the paths between them, in the story of most pairs."""

    story: Story
    pairs: int
    apart: bool  # measured on pairs other than those on which the heads were found
    skipped: dict[str, int]
    heads: list[NodeOf]
    edges: list[EdgeOf]


def number(value: Value) -> Number:
    """A value as plain JSON."""
    low, high = value.interval() or (None, None)
    shown = value.value if value.n and isfinite(value.value) else None
    return {"value": shown, "low": low, "high": high, "n": value.n, "over": value.over}
