"""Gender accuracy as papers A and WinoMT count it: accuracy, F1, ΔG, ΔS, confusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from cuescope.data.items import GOLDS, Gold
from cuescope.gender.reading import Gender
from cuescope.measures.value import Value
from cuescope.signature import Signature
from cuescope.stats import Array, bootstrap, share

GENDERS: tuple[Gender, ...] = ("masculine", "feminine", "neutral", "unknown")
_NAMED: dict[Gold, Gender] = {"male": "masculine", "female": "feminine"}
GENDERED: tuple[Gold, ...] = ("male", "female")


def is_correct(gold: Gold, gender: Gender) -> bool:
    """Right is the gold gender only: a neutral or unknown reading counts as wrong (paper A).

    >>> is_correct("male", "masculine"), is_correct("female", "neutral")
    (True, False)
    """
    return _NAMED.get(gold) == gender


def confusion(golds: Sequence[Gold], genders: Sequence[Gender]) -> dict[Gold, dict[Gender, int]]:
    """How often each gold gender came out as each reading.

    >>> confusion(["male"], ["feminine"])["male"]
    {'masculine': 0, 'feminine': 1, 'neutral': 0, 'unknown': 0}
    """
    counted = Counter(zip(golds, genders, strict=True))
    return {gold: {g: counted[gold, g] for g in GENDERS} for gold in GOLDS}


def accuracy(
    golds: Sequence[Gold], genders: Sequence[Gender], signature: Signature | None = None
) -> dict[str, Value]:
    """Accuracy over all lines and over those of each gender.

    >>> accuracy(["male", "female"], ["masculine", "masculine"])["all"]
    accuracy = 50.0 % [0.0, 100.0] (n=2)
    """
    right = [is_correct(gold, gender) for gold, gender in zip(golds, genders, strict=True)]
    found = {"all": share("accuracy", sum(right), len(right), signature=signature)}
    for name in GENDERED:
        of_gender = [ok for ok, gold in zip(right, golds, strict=True) if gold == name]
        found[name] = share(f"accuracy {name}", sum(of_gender), len(of_gender), signature=signature)
    return found


def f1(
    golds: Sequence[Gold], genders: Sequence[Gender], signature: Signature | None = None
) -> dict[str, Value]:
    """F1 of each gender as WinoMT prints it, and ΔG, the male F1 less the female one.

    >>> f1(["male", "female"], ["masculine", "masculine"])["female"].value
    0.0
    """
    cells = _cells(golds, genders)
    made: dict[str, Value] = {
        gold: bootstrap(f"F1 {gold}", [cells], lambda c, g=gold: _f1(c, g), signature=signature)
        for gold in GENDERED
    }
    gap = bootstrap("ΔG", [cells], lambda c: _f1(c, "male") - _f1(c, "female"), signature=signature)
    return {**made, "delta_g": gap}


def delta_s(
    pro: tuple[Sequence[Gold], Sequence[Gender]],
    anti: tuple[Sequence[Gold], Sequence[Gender]],
    signature: Signature | None = None,
) -> Value:
    """ΔS: mean F1 of both genders on pro less that on anti."""

    def gap(a: Array, b: Array) -> Array:
        means = [(_f1(c, "male") + _f1(c, "female")) / 2 for c in (a, b)]
        return np.asarray(means[0] - means[1])

    return bootstrap("ΔS", [_cells(*pro), _cells(*anti)], gap, signature=signature)


def _cells(golds: Sequence[Gold], genders: Sequence[Gender]) -> list[int]:
    table = confusion(golds, genders)
    return [table[gold][gender] for gold in GOLDS for gender in GENDERS]


def _f1(cells: Array, gold: Gold) -> Array:
    """F1 from the flattened confusion table; 0 where nothing was hit."""
    table = cells.reshape(*cells.shape[:-1], len(GOLDS), len(GENDERS))
    row, column = GOLDS.index(gold), GENDERS.index(_NAMED[gold])
    hits = table[..., row, column]
    there = table[..., row, :].sum(-1) + table[..., :, column].sum(-1)
    return np.asarray(2 * hits / np.maximum(there, 1))


def summary(golds: Sequence[Gold], genders: Sequence[Gender]) -> dict[str, Any]:
    """The accuracy part of the command line's JSON."""
    values, scores = accuracy(golds, genders), f1(golds, genders)
    return {
        "n": len(golds),
        "accuracy": {name: value.number() for name, value in values.items()},
        "f1": {name: value.number() for name, value in scores.items()},
        "intervals": {
            "accuracy": {name: value.interval() for name, value in values.items()},
            "f1": {name: value.interval() for name, value in scores.items()},
        },
        "confusion": confusion(golds, genders),
    }
