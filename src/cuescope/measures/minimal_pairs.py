"""Minimal Pair Accuracy (paper A): both twins right, and whose stereotype those pairs have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cuescope.data.items import Pair
from cuescope.measures.registry import Measure, register
from cuescope.measures.verdict import Verdict
from cuescope.signature import Signature
from cuescope.stats import measured
from cuescope.stats.intervals import Clusters, ratio
from cuescope.stats.value import Value


@dataclass(frozen=True)
class MPA:
    """Minimal pair accuracy with its strict form, Pro-F / Pro-M, and the pairs left out."""

    value: Value
    strict: Value
    pro_f: Value
    pro_m: Value
    pairs: int
    left_out: tuple[Pair, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        parts = {part.name: part for part in (self.value, self.strict, self.pro_f, self.pro_m)}
        left_out = f", {len(self.left_out)} left out" if self.left_out else ""
        return html.values(parts, notes=[f"{self.pairs} pairs{left_out}"])

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line."""
        parts = {n: getattr(self, n) for n in ("value", "strict", "pro_f", "pro_m")}
        return {
            **{name: part.number() for name, part in parts.items()},
            "pairs": self.pairs,
            "left_out": len(self.left_out),
            "left_out_pairs": [{"line": p.index, "reason": p.reason} for p in self.left_out],
            "intervals": {name: part.interval() for name, part in parts.items()},
            "over": self.value.over,
        }


def mpa(
    pairs: Sequence[Pair],
    correct: Sequence[tuple[bool, bool]],
    consistent: Sequence[tuple[bool, bool]],
    left_out: Sequence[Pair] = (),
    signature: Signature | None = None,
    clusters: Clusters | None = None,
) -> MPA:
    """The share of pairs right in both twins; strict asks for consistent noun phrases too.

    `correct` and `consistent` hold (pro, anti) for each pair. Pro-F and Pro-M divide the pairs
    that are right by the stereotype of their noun.
    """
    added = [
        _counted(pair, right, agree)
        for pair, right, agree in zip(pairs, correct, consistent, strict=True)
    ]

    def part(name: str, label: str) -> Value:
        table = np.asarray([each[name] for each in added], dtype=float).reshape(-1, 2)
        return measured(label, table, ratio, clusters, scale="share", signature=signature)

    return MPA(
        value=part("mpa", "MPA"),
        strict=part("strict_mpa", "strict MPA"),
        pro_f=part("pro_f", "Pro-F"),
        pro_m=part("pro_m", "Pro-M"),
        pairs=len(pairs),
        left_out=tuple(left_out),
    )


def _counted(
    pair: Pair, correct: tuple[bool, bool], consistent: tuple[bool, bool]
) -> dict[str, tuple[float, float]]:
    """What a pair adds to each number: a hit, and whether it is there to be one."""
    both, gender = all(correct), pair.pro.stereotype
    return {
        "mpa": (both, 1),
        "strict_mpa": (both and all(consistent), 1),
        "pro_f": (both and gender == "female", both),
        "pro_m": (both and gender == "male", both),
    }


def _row(name: str) -> Callable[..., Sequence[float]]:
    def row(pair: Pair, pro: Verdict, anti: Verdict) -> Sequence[float]:
        right, agree = (pro.correct, anti.correct), (pro.consistent, anti.consistent)
        return _counted(pair, right, agree)[name]

    return row


_RIGHT = "Of the pairs that are right, the share whose noun is stereotypically"
for _name, _label, _says in (
    ("mpa", "MPA", "Both twins are right."),
    ("strict_mpa", "strict MPA", "Both twins are right, and no noun phrase contradicts itself."),
    ("pro_f", "Pro-F", f"{_RIGHT} female."),
    ("pro_m", "Pro-M", f"{_RIGHT} male."),
):
    register(Measure(_name, _label, _says, _row(_name)))
