"""Grids of sentences with planted effects of noun and template, many at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from cuescope.stats.intervals import Clusters, Estimate, estimate, ratio


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


def crossed(nouns: int = 18, templates: int = 33) -> Grid:
    """Every noun in every template, one to four times, as in SimpleGEN."""
    times = np.resize([1, 1, 1, 3, 4, 3, 3, 3, 4, 4, 4, 1, 1, 4, 4, 4, 4, 1, 1, 1, 1, 2], templates)
    one = np.repeat(np.arange(templates), times)
    return Grid(np.repeat(np.arange(nouns), len(one)), np.tile(one, nouns))


def alone(nouns: int, unequal: float = 0.0) -> Grid:
    """Nouns with about twenty sentences each, or with very different numbers of them."""
    rng = np.random.default_rng(3)
    sizes = np.maximum(1, np.exp(3 + unequal * rng.normal(size=nouns)).astype(int))
    return Grid(np.repeat(np.arange(nouns), sizes), None)


def sentences(
    grid: Grid, kind: str, noun: float, template: float, worlds: int, seed: int
) -> tuple[np.ndarray, float]:
    """Numerators and denominators [sentence, world, 2], and the truth that they scatter about.

    kind: a share ("share 7" for 7 %), "mean", or "ratio" of two sums that both vary.
    """
    rng = np.random.default_rng(seed)

    def effects(a: float, b: float) -> np.ndarray:
        made = a * rng.normal(size=(grid.noun.max() + 1, worlds))[grid.noun]
        if grid.template is not None:
            made = made + b * rng.normal(size=(grid.template.max() + 1, worlds))[grid.template]
        return made

    noise = rng.normal(size=(len(grid.noun), worlds))
    if kind.startswith("share"):
        truth = int(kind.split()[1]) / 100
        both = noun**2 + (template**2 if grid.template is not None else 0)
        hits = ndtri(truth) * np.sqrt(1 + both) + effects(noun, template) + noise > 0
        return np.stack([hits.astype(float), np.ones_like(noise)], -1), truth
    if kind == "mean":
        return np.stack([0.3 + effects(noun, template) + noise, np.ones_like(noise)], -1), 0.3
    gap = 3 * np.exp(effects(0.4 * (noun > 0), 0.4 * (template > 0)) + 0.4 * noise)
    change = gap * (0.3 + 0.3 * effects(noun, template)) + rng.normal(size=noise.shape)
    return np.stack([change, gap], -1), 0.3


def covered(grid: Grid, kind: str, noun: float, template: float, worlds: int, seed: int) -> tuple:
    """How often the interval holds the truth: with clusters, and plain; and the clusters' width."""
    table, truth = sentences(grid, kind, noun, template, worlds, seed)
    scale = "share" if kind.startswith("share") else "number"

    def held(found: Estimate) -> float:
        return float(np.mean((found.low <= truth) & (truth <= found.high)))

    found = estimate(table, ratio, grid.clusters, scale=scale)
    plain = estimate(table, ratio, None, scale=scale)
    return held(found), held(plain), float(np.mean(found.high - found.low))


GRIDS = {
    "18 nouns × 33 templates": crossed(),
    "40 nouns": alone(40),
    "60 nouns": alone(60),
    "40 unequal nouns": alone(40, 0.8),
    "60 unequal nouns": alone(60, 0.8),
}
PLANTED = {"noun": (0.7, 0.0), "template": (0.0, 0.7), "both": (0.6, 0.6), "little": (0.2, 0.2)}
PLANTED["none"] = (0.0, 0.0)
KINDS = ("share 5", "share 7", "share 15", "share 25", "mean", "ratio")


def cases() -> list[tuple[str, str, str]]:
    """Every kind of number on every grid, with every effect that the grid can have."""
    return [
        (grid, kind, effect)
        for grid, made in GRIDS.items()
        for kind in KINDS
        for effect in PLANTED
        if made.template is not None or effect in ("noun", "none")
    ]
