"""Minimal Pair Accuracy (paper A): both twins right, and whose stereotype those pairs have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cuescope.data.items import Pair
from cuescope.signature import Signature
from cuescope.stats import share
from cuescope.stats.intervals import Clusters
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
        from cuescope import html

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
    both = [all(twins) for twins in correct]
    strict = [ok and all(twins) for ok, twins in zip(both, consistent, strict=True)]

    def part(name: str, hits: list[bool], there: list[bool] | None = None) -> Value:
        return share(name, hits, there, clusters, signature=signature)

    return MPA(
        value=part("MPA", both),
        strict=part("strict MPA", strict),
        pro_f=part("Pro-F", [pair.pro.stereotype == "female" for pair in pairs], both),
        pro_m=part("Pro-M", [pair.pro.stereotype == "male" for pair in pairs], both),
        pairs=len(pairs),
        left_out=tuple(left_out),
    )
