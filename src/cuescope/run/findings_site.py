"""What findings say of the heads of one site."""

from __future__ import annotations

from typing import Literal, TypedDict

from cuescope.run.numbers import GridOf, Number

Who = Literal["all", "male", "female"]
Carrying = Literal["carries", "opposes", "unsure"]


class Agreement(TypedDict):
    """How two measures of the heads of a site agree.

    `carriers` are the heads that carry the cue with their ranks by the first measure (1 is the
    strongest), `auc` the chance that such a head ranks above another one.
    """

    names: tuple[str, str]  # of attention, effect, attribution
    at: str  # of attention in `cross`: the step of the choice, or those that emit the noun
    rho: float | None
    low: float | None
    high: float | None
    over: str  # what was redrawn for the interval; empty where there is none
    ceiling: float | None  # the largest ρ that the noise of both measures allows
    r: float | None
    auc: float | None
    carriers: dict[str, int]
    heads: int
    n: int


class Taken(TypedDict):
    """A head taken into the smallest set, and what the set with it restores on other pairs."""

    layer: int
    head: int
    restored: Number


class Together(TypedDict):
    """The fewest heads that carry the cue: chosen on some nouns, judged on the others."""

    chosen_on: int  # pairs
    judged_on: int
    steps: list[Taken]


class Site(TypedDict):
    """What is known of the heads of one site, in one story.

    Each measure is a grid for all, male and female. Attention: of the sentences whose cue is male
    (female). Effect and attribution: of the twin's head patched *into* the male (female) sentence;
    `all` is the mean of both directions. 1 restores the whole gap between the twins.
    """

    layers: int
    heads: int
    attention: dict[Who, GridOf] | None  # in cross, at the step where the gender is chosen
    attention_at_noun: dict[Who, GridOf] | None  # cross only: at the steps that emit the noun
    effect: dict[Who, GridOf] | None
    attribution: dict[Who, GridOf] | None
    carrying: dict[str, Carrying]  # "layer.head" → by the one rule; the rest does neither
    enough: bool  # pairs and nouns for that rule to speak at all
    agreements: list[Agreement]
    halves: Number | None  # ρ of the effects on two disjoint halves, over many splits
    together: Together | None
    skipped: dict[str, dict[str, int]]  # measure → reason → how many
