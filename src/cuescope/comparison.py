"""Two ways of scoring the same heads set side by side: do attention, effect and gradient agree?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.scores import Scores
from cuescope.signature import Signature
from cuescope.stats import SEED, Array

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Comparison:
    """Rank correlation over the heads of a site, with its interval over redrawn pairs."""

    site: str
    names: tuple[str, str]
    rho: float
    low: float
    high: float
    n: int  # units that stand behind both
    heads: pd.DataFrame = field(repr=False)  # layer, head, a value and a rank for each
    signature: Signature = field(default_factory=Signature, repr=False)

    def __repr__(self) -> str:
        first, second = self.names
        shown = f"ρ = {self.rho:.2f} [{self.low:.2f}, {self.high:.2f}]"
        return f"{first} and {second}, {self.site}: {shown} ({len(self.heads)} heads, n={self.n})"

    def _repr_html_(self) -> str:
        from cuescope import html

        ranks = ("rank_a", "rank_b")
        rows = [
            [f"{row['layer']:.0f}.{row['head']:.0f}", *(html.Cell(f"{row[r]:.0f}") for r in ranks)]
            for _, row in self.disagree().iterrows()
        ]
        heading = [f"rank by {name}" for name in self.names]
        note = "the heads whose ranks lie furthest apart"
        return html.table(rows, ["head", *heading], title=repr(self), notes=[note])

    def disagree(self, n: int = 5) -> pd.DataFrame:
        """The heads whose two ranks lie furthest apart; rank 1 is the strongest."""
        table = self.heads.assign(apart=(self.heads["rank_a"] - self.heads["rank_b"]).abs())
        return table.sort_values("apart", ascending=False, kind="stable").head(n)

    def to_json(self) -> dict[str, Any]:
        """For files."""
        facts = {"site": self.site, "names": list(self.names), "rho": self.rho, "n": self.n}
        rows = self.disagree().to_dict("records")
        return {
            **facts,
            "interval": [self.low, self.high],
            "disagree": [{str(k): float(v) for k, v in row.items()} for row in rows],
            "signature": str(self.signature),
        }


def compare(
    a: Scores, b: Scores, *, size: bool = True, draws: int = 1000, seed: int = SEED
) -> Comparison:
    """Spearman's ρ of two scores over all heads of a site; `size` ignores the sign of a mean.

    Only pairs that both have are used, and the same ones are redrawn in both.
    """
    import pandas as pd

    a, b = (s.by_pair() if "pair" in s.rows else s for s in (a, b))
    if a.site != b.site or a.values.shape[1:] != b.values.shape[1:]:
        raise CueScopeError(
            "these scores are not of the same heads",
            expected=f"{a.site}, {a.values.shape[1:]}",
            found=f"{b.site}, {b.values.shape[1:]}",
            do="compare scores of one site of one model",
        )
    first, second = _common(a, b)
    rng, each = np.random.default_rng(seed), np.full(len(first), 1 / len(first))
    weights = rng.multinomial(len(first), each, size=draws).astype(np.float64)
    whole = np.ones((1, len(first)))
    value, drawn = (
        _correlation(_means(first, w, size), _means(second, w, size)) for w in (whole, weights)
    )
    low, high = np.nanquantile(drawn, [0.025, 0.975]) if draws else (np.nan, np.nan)
    # Redrawn means are noisier, which lowers ρ: the interval reaches at least to the value.
    low, high = np.minimum(low, value[0]), np.maximum(high, value[0])
    columns: dict[str, Any] = {}
    for name, values in (("a", first), ("b", second)):
        mean = _means(values, whole, False)[0]
        columns[name] = mean
        columns[f"rank_{name}"] = _ranks(-_means(values, whole, size))[0]
    layer, head = np.indices(a.values.shape[1:]).reshape(2, -1)
    table = pd.DataFrame({"layer": layer, "head": head, **columns})
    names = (a.measure, b.measure)
    return Comparison(
        a.site,
        names,
        float(value[0]),
        float(low),
        float(high),
        len(first),
        table,
        a.signature | b.signature | {"measure": " / ".join(names), "draws": draws, "seed": seed},
    )


def halves(scores: Scores, *, size: bool = True, seed: int = SEED) -> float:
    """Spearman's ρ between two disjoint halves of the pairs: are the heads stable?

    >>> import pandas as pd
    >>> rng = np.random.default_rng(0)
    >>> values = np.arange(12.0).reshape(1, 3, 4) + 0.01 * rng.normal(size=(40, 3, 4))
    >>> halves(Scores(values, "encoder", "effect", pd.DataFrame(index=range(40))))
    1.0
    """
    flat = _flat(scores.by_pair() if "pair" in scores.rows else scores)
    order = np.random.default_rng(seed).permutation(len(flat))
    parts = (flat[order[::2]], flat[order[1::2]])
    means = (_means(part, np.ones((1, len(part))), size) for part in parts)
    return round(float(_correlation(*means)[0]), 12)


def _common(a: Scores, b: Scores) -> tuple[Array, Array]:
    """The values of the units that both have, in one order [unit, head]."""
    if "pair" not in a.rows or "pair" not in b.rows:
        if len(a) != len(b):
            raise CueScopeError(
                "scores of different sentences", expected=str(len(a)), found=str(len(b))
            )
        return _flat(a), _flat(b)
    places = [{pair: n for n, pair in enumerate(s.rows["pair"])} for s in (a, b)]
    shared = [pair for pair in places[0] if pair in places[1]]
    if not shared:
        raise CueScopeError("these scores have no pair in common", do="score the same pairs")
    first, second = (
        _flat(s)[[place[pair] for pair in shared]] for s, place in zip((a, b), places, strict=True)
    )
    return first, second


def _flat(scores: Scores) -> Array:
    return scores.values.reshape(len(scores), -1)


def _means(values: Array, weights: Array, size: bool) -> Array:
    """Weighted means [draw, head]; of cells without a value nothing is taken."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: Array = (weights @ np.nan_to_num(values)) / (weights @ known)
    return np.abs(mean) if size else mean


def _ranks(values: Array) -> Array:
    from scipy.stats import rankdata

    out: Array = rankdata(values, axis=1)
    return out


def _correlation(a: Array, b: Array) -> Array:
    """Spearman's ρ row by row."""
    x, y = (r - r.mean(1, keepdims=True) for r in (_ranks(a), _ranks(b)))
    with np.errstate(invalid="ignore"):
        out: Array = (x * y).sum(1) / np.sqrt((x**2).sum(1) * (y**2).sum(1))
    return out
