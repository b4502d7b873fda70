"""Gender accuracy as papers A and WinoMT count it: accuracy, F1, ΔG, ΔS, confusion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from cuescope.data.items import GOLDS, Gold
from cuescope.gender.reading import Gender
from cuescope.measures.registry import Measure, register
from cuescope.measures.verdict import NAMED, Verdict, is_correct
from cuescope.signature import Signature
from cuescope.stats import measured, share
from cuescope.stats.intervals import APART, Array, Clusters
from cuescope.stats.value import Value

GENDERS: tuple[Gender, ...] = ("masculine", "feminine", "neutral", "unknown")
GENDERED: tuple[Gold, ...] = ("male", "female")


def confusion(golds: Sequence[Gold], genders: Sequence[Gender]) -> dict[Gold, dict[Gender, int]]:
    """How often each gold gender came out as each reading.

    >>> confusion(["male"], ["feminine"])["male"]
    {'masculine': 0, 'feminine': 1, 'neutral': 0, 'unknown': 0}
    """
    counted = Counter(zip(golds, genders, strict=True))
    return {gold: {g: counted[gold, g] for g in GENDERS} for gold in GOLDS}


def accuracy(
    golds: Sequence[Gold],
    genders: Sequence[Gender],
    signature: Signature | None = None,
    clusters: Clusters | None = None,
) -> dict[str, Value]:
    """Accuracy over all lines and over those of each gender.

    >>> accuracy(["male", "female"], ["masculine", "masculine"])["all"]
    accuracy = 50.0 % [0.2, 99.8] (n=2)
    """
    right = [is_correct(gold, gender) for gold, gender in zip(golds, genders, strict=True)]
    found = {"all": share("accuracy", right, None, clusters, signature=signature)}
    for name in GENDERED:
        there = [gold == name for gold in golds]
        found[name] = share(f"accuracy {name}", right, there, clusters, signature=signature)
    return found


def f1(
    golds: Sequence[Gold],
    genders: Sequence[Gender],
    signature: Signature | None = None,
    clusters: Clusters | None = None,
) -> dict[str, Value]:
    """F1 of each gender as WinoMT prints it, and ΔG, the male F1 less the female one.

    >>> f1(["male", "female"], ["masculine", "masculine"])["female"].value
    0.0
    """
    cells = _cells(golds, genders)
    made: dict[str, Value] = {
        gold: measured(
            f"F1 {gold}",
            cells,
            partial(_f1, gold=gold),
            clusters,
            scale="share",
            signature=signature,
        )
        for gold in GENDERED
    }
    gap = measured("ΔG", cells, _gap, clusters, bounds=APART, signature=signature)
    return {**made, "delta_g": gap}


def delta_s(
    pro: tuple[Sequence[Gold], Sequence[Gender]],
    anti: tuple[Sequence[Gold], Sequence[Gender]],
    signature: Signature | None = None,
    clusters: Clusters | None = None,
) -> Value:
    """ΔS: mean F1 of both genders on pro less that on anti; clusters are of pro, then of anti."""
    cells = [_beside(name, _cells(*one)) for name, one in (("pro", pro), ("anti", anti))]
    return measured(
        "ΔS", np.concatenate(cells), _shift, clusters, bounds=APART, signature=signature
    )


def _beside(name: str, cells: Array) -> Array:
    """The cells of pro stand left of those of anti, in rows as wide as both."""
    none = np.zeros_like(cells)
    return np.concatenate([cells, none] if name == "pro" else [none, cells], axis=-1)


def _shift(sums: Array) -> Array:
    means = [
        (_f1(cells, "male") + _f1(cells, "female")) / 2 for cells in np.split(sums, 2, axis=-1)
    ]
    return np.asarray(means[0] - means[1])


def _gap(cells: Array) -> Array:
    return np.asarray(_f1(cells, "male") - _f1(cells, "female"))


def _cells(golds: Sequence[Gold], genders: Sequence[Gender]) -> Array:
    """A row of zeros for each line, with a 1 in its cell of the confusion table."""
    found = np.zeros((len(golds), len(GOLDS) * len(GENDERS)))
    for row, (gold, gender) in enumerate(zip(golds, genders, strict=True)):
        found[row, GOLDS.index(gold) * len(GENDERS) + GENDERS.index(gender)] = 1
    return found


def _f1(cells: Array, gold: Gold) -> Array:
    """F1 from the flattened confusion table; 0 where nothing was hit."""
    table = cells.reshape(*cells.shape[:-1], len(GOLDS), len(GENDERS))
    row, column = GOLDS.index(gold), GENDERS.index(NAMED[gold])
    hits = table[..., row, column]
    there = table[..., row, :].sum(-1) + table[..., :, column].sum(-1)
    return np.asarray(2 * hits / np.maximum(there, 1))


def _row(name: str, verdict: Verdict) -> Sequence[float]:
    cells = _cells([verdict.item.gold], [verdict.reading.gender])
    return [float(v) for v in _beside(name, cells)[0]]


register(
    Measure(
        "delta_s",
        "ΔS",
        "The mean F1 of both genders where the cue agrees with the stereotype, less that where it "
        "goes against it.",
        _row,
        statistic=_shift,
        unit="points",
        needs="sentences",
        sets=("pro", "anti"),
    )
)


def summary(
    golds: Sequence[Gold], genders: Sequence[Gender], clusters: Clusters | None = None
) -> dict[str, Any]:
    """The accuracy part of the command line's JSON."""
    values = accuracy(golds, genders, clusters=clusters)
    scores = f1(golds, genders, clusters=clusters)
    return {
        "n": len(golds),
        "over": values["all"].over,
        "accuracy": {name: value.number() for name, value in values.items()},
        "f1": {name: value.number() for name, value in scores.items()},
        "intervals": {
            "accuracy": {name: value.interval() for name, value in values.items()},
            "f1": {name: value.interval() for name, value in scores.items()},
        },
        "confusion": confusion(golds, genders),
    }
