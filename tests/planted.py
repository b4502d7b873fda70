"""Grids of sentences with planted effects of noun and template, many at once.

Three families: intervals were chosen on the first. They are measured on the others, which have
other sizes, other distributions of effects and other shares: the second was looked at while ways of
making intervals were compared, the third had no say at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from cuescope.stats.intervals import Clusters, Estimate, estimate, ratio

Shape = Callable[[np.ndarray], np.ndarray]


class Grid(NamedTuple):
    """Which noun and which template each sentence has; no template where there is none."""

    noun: np.ndarray
    template: np.ndarray | None

    @property
    def clusters(self) -> Clusters:
        labels = {"noun": self.noun.tolist()}
        if self.template is not None:
            labels["template"] = self.template.tolist()
        return Clusters(**labels)


def crossed(nouns: int = 18, templates: int = 33, kept: float = 1.0) -> Grid:
    """Every noun in every template, one to four times, as in SimpleGEN; or a part of that."""
    times = np.resize([1, 1, 1, 3, 4, 3, 3, 3, 4, 4, 4, 1, 1, 4, 4, 4, 4, 1, 1, 1, 1, 2], templates)
    one = np.repeat(np.arange(templates), times)
    noun, template = np.repeat(np.arange(nouns), len(one)), np.tile(one, nouns)
    some = np.random.default_rng(5).random(len(noun)) < kept
    return Grid(noun[some], template[some])


def alone(nouns: int, unequal: float = 0.0) -> Grid:
    """Nouns with about twenty sentences each, or with very different numbers of them."""
    rng = np.random.default_rng(3)
    sizes = np.maximum(1, np.exp(3 + unequal * rng.normal(size=nouns)).astype(int))
    return Grid(np.repeat(np.arange(nouns), sizes), None)


def uniform(u: np.ndarray) -> np.ndarray:
    """As far as √3 to either side, all alike."""
    return np.sqrt(12) * (u - 0.5)


def laplace(u: np.ndarray) -> np.ndarray:
    """More in the middle and more far out than the normal."""
    return -np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5)) / np.sqrt(2)


def two_kinds(u: np.ndarray) -> np.ndarray:
    """One in five is far above the others."""
    return np.where(u < 0.8, -0.5, 2.0)


def student(u: np.ndarray) -> np.ndarray:
    """Student's with five degrees of freedom: now and then one is far out."""
    return stdtrit(5, u) / np.sqrt(5 / 3)


def long_below(u: np.ndarray) -> np.ndarray:
    """Gumbel's turned round: some are far below the others."""
    return (np.log(-np.log1p(-u)) + np.euler_gamma) * np.sqrt(6) / np.pi


def sentences(
    grid: Grid,
    kind: str,
    noun: float,
    template: float,
    worlds: int,
    seed: int,
    shape: Shape = ndtri,
) -> tuple[np.ndarray, float]:
    """Numerators and denominators [sentence, world, 2], and the truth that they scatter about.

    kind: a share ("share 7" for 7 %), "mean", or "ratio" of two sums that both vary. `shape`: the
    quantiles of the effects, with mean 0 and variance 1.
    """
    rng = np.random.default_rng(seed)

    def effects(a: float, b: float) -> np.ndarray:
        made = a * shape(rng.random((grid.noun.max() + 1, worlds)))[grid.noun]
        if grid.template is not None:
            made = made + b * shape(rng.random((grid.template.max() + 1, worlds)))[grid.template]
        return made

    noise = rng.normal(size=(len(grid.noun), worlds))
    if kind.startswith("share"):
        truth = int(kind.split()[1]) / 100
        above = threshold(truth, noun, template if grid.template is not None else 0.0, shape)
        hits = effects(noun, template) + noise > above
        return np.stack([hits.astype(float), np.ones_like(noise)], -1), truth
    if kind == "mean":
        return np.stack([0.3 + effects(noun, template) + noise, np.ones_like(noise)], -1), 0.3
    gap = 3 * np.exp(effects(0.4 * (noun > 0), 0.4 * (template > 0)) + 0.4 * noise)
    change = gap * (0.3 + 0.3 * effects(noun, template)) + rng.normal(size=noise.shape)
    return np.stack([change, gap], -1), 0.3


def threshold(truth: float, noun: float, template: float, shape: Shape) -> float:
    """What a sentence must be above, for so many of all possible ones to be: by halving."""
    at = shape((np.arange(200) + 0.5) / 200)
    both = (noun * at[:, None] + template * at[None, :]).ravel()
    low, high = -9.0, 9.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if ndtr(both - middle).mean() > truth else (low, middle)
    return low


class Case(NamedTuple):
    """A number on a grid with planted effects."""

    grid: str
    kind: str
    effect: str
    shape: str = "normal"


class Coverage(NamedTuple):
    """How often the interval holds the truth, how often a plain one does, and its median width."""

    held: float
    plain: float
    width: float


def covered(case: Case, worlds: int, seed: int) -> Coverage:
    """Of as many worlds."""
    grid, planned = GRIDS[case.grid], PLANTED[case.effect]
    table, truth = sentences(grid, case.kind, *planned, worlds, seed, SHAPES[case.shape])
    scale = "share" if case.kind.startswith("share") else "number"

    def held(found: Estimate) -> float:
        return float(np.mean((found.low <= truth) & (truth <= found.high)))

    found = estimate(table, ratio, grid.clusters, scale=scale)
    plain = estimate(table, ratio, None, scale=scale)
    return Coverage(held(found), held(plain), float(np.median(found.high - found.low)))


SHAPES = {"normal": ndtri, "uniform": uniform, "laplace": laplace, "two kinds": two_kinds}
SHAPES |= {"student": student, "long below": long_below}
CHOSEN_ON = {
    "18 nouns × 33 templates": crossed(),
    "30 nouns × 12 templates": crossed(30, 12),
    "12 nouns × 8 templates": crossed(12, 8),
    "18 nouns × 4 templates": crossed(18, 4),
    "40 nouns": alone(40),
    "60 nouns": alone(60),
    "40 unequal nouns": alone(40, 0.8),
    "60 unequal nouns": alone(60, 0.8),
}
HELD_OUT = {
    "22 nouns × 16 templates": crossed(22, 16),
    "11 nouns × 36 templates": crossed(11, 36),
    "27 nouns × 7 templates": crossed(27, 7),
    "45 % of 21 nouns × 24 templates": crossed(21, 24, 0.45),
    "34 nouns": alone(34),
    "75 unequal nouns": alone(75, 0.6),
}
NEW = {
    "20 nouns × 25 templates": crossed(20, 25),
    "10 nouns × 30 templates": crossed(10, 30),
    "28 nouns × 6 templates": crossed(28, 6),
    "35 nouns": alone(35),
    "80 unequal nouns": alone(80, 0.7),
}
GRIDS = {**CHOSEN_ON, **HELD_OUT, **NEW}
PLANTED = {"noun": (0.7, 0.0), "template": (0.0, 0.7), "both": (0.6, 0.6), "little": (0.2, 0.2)}
PLANTED["none"] = (0.0, 0.0)
PLANTED |= {"nouns": (0.9, 0.2), "templates": (0.2, 0.5), "as one": (0.5, 0.5)}


class Family(NamedTuple):
    """Grids with the kinds of numbers, effects and shapes that are planted on all of them."""

    grids: dict[str, Grid]
    kinds: tuple[str, ...]
    effects: tuple[str, ...]
    shapes: tuple[str, ...]

    def cases(self) -> list[Case]:
        """All of it, as far as a grid can have it; without effects, one shape is enough."""
        return [
            Case(grid, kind, effect, shape)
            for grid, made in self.grids.items()
            for kind in (*self.kinds, "mean", "ratio")
            for effect in self.effects
            for shape in self.shapes
            if made.template is not None or effect in ("noun", "nouns", "none")
            if effect != "none" or shape == self.shapes[0]
        ]


FAMILIES = {
    "chosen on": Family(
        CHOSEN_ON,
        ("share 5", "share 7", "share 15", "share 25"),
        ("noun", "template", "both", "little", "none"),
        ("normal",),
    ),
    "held out": Family(
        HELD_OUT,
        ("share 4", "share 12", "share 35", "share 93"),
        ("nouns", "templates", "as one", "none"),
        ("uniform", "laplace", "two kinds"),
    ),
    "new": Family(
        NEW,
        ("share 5", "share 9", "share 30", "share 60", "share 92"),
        ("nouns", "template", "both", "none"),
        ("normal", "student", "long below"),
    ),
}
