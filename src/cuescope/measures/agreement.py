"""Two measures of the same heads set side by side: do attention, effect and attribution agree?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.signature import Signature
from cuescope.stats import SEED
from cuescope.stats.intervals import Array
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

SPLITS = 200  # of the pairs into two halves
_HEADS = 10  # fewer heads have no interval of ρ
_SAME = {"effect", "attribution"}  # one quantity, of the same choices: what is noise is so in both
Head = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Comparison:
    """How two measures agree over the heads of a site.

    Most heads do nothing, and the order of nothing is noise: beside Spearman's ρ stand the most
    that it could be (`ceiling`, from how well each measure agrees with itself on other nouns),
    Pearson's r, and where the heads that carry the cue rank in the other measure.
    """

    site: str
    names: tuple[str, str]
    rho: float
    low: float  # over the heads; NaN if they are few
    high: float
    n: int  # units that stand behind both
    heads: pd.DataFrame = field(repr=False)  # layer, head, a value and a rank for each, carries
    signature: Signature = field(default_factory=Signature, repr=False)
    r: float = float("nan")
    ceiling: float = float("nan")
    auc: float = float("nan")  # how often a carrier has more of the first measure than another head

    @property
    def ranks(self) -> dict[str, int]:
        """The carriers' ranks by the first measure, the strongest carrier first."""
        mine = self.heads[self.heads["carries"]].sort_values("rank_b", kind="stable")
        columns = (mine[name].tolist() for name in ("layer", "head", "rank_a"))
        return {f"{a}.{b}": round(rank) for a, b, rank in zip(*columns, strict=True)}

    def __repr__(self) -> str:
        first, second = self.names
        shown = f"ρ = {self.rho:.2f}"
        if np.isfinite(self.low):
            shown += f" [{self.low:.2f}, {self.high:.2f}]"
        if np.isfinite(self.ceiling):
            shown += f" of at most {self.ceiling:.2f}"
        shown += f", r = {self.r:.2f}"
        if self.ranks:
            told = ", ".join(f"{name} rank {rank}" for name, rank in self.ranks.items())
            shown += f"; carriers by {first}: {told}, AUC {self.auc:.2f}"
        return f"{first} and {second}, {self.site}: {shown} ({len(self.heads)} heads, n={self.n})"

    def _repr_html_(self) -> str:
        from cuescope.stats import html

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
        """For files; what has no value is null."""
        rows = self.disagree().to_dict("records")
        numbers = {name: getattr(self, name) for name in ("rho", "r", "ceiling", "auc")}
        return {
            "site": self.site,
            "names": list(self.names),
            "n": self.n,
            **{name: value if np.isfinite(value) else None for name, value in numbers.items()},
            "interval": [self.low, self.high] if np.isfinite(self.low) else None,
            "carriers": self.ranks,
            "disagree": [{str(k): float(v) for k, v in row.items()} for row in rows],
            "signature": str(self.signature),
        }


def compare(
    a: Scores,
    b: Scores,
    *,
    size: bool = True,
    carriers: Sequence[Head] | None = None,
    splits: int = SPLITS,
    seed: int = SEED,
) -> Comparison:
    """Two scores over all heads of a site; `size` ignores the sign of a mean.

    Only pairs that both have are used. `carriers` are the heads that carry the cue; unless given,
    those of `b` if it is an effect, by the rule and over this site alone.
    """
    import pandas as pd

    if strange := [one for one in (a, b) if not isinstance(one, Scores)]:
        raise CueScopeError(
            "two scores of heads are compared",
            expected='as run.attention("encoder") and run.patch("encoder")',
            found=type(strange[0]).__name__,
            do="two runs: run.versus(other)",
        )

    a, b = (s.by_pair() if "pair" in s.rows else s for s in (a, b))
    if a.site != b.site or a.values.shape[1:] != b.values.shape[1:]:
        raise CueScopeError(
            "these scores are not of the same heads",
            expected=f"{a.site}, {a.values.shape[1:]}",
            found=f"{b.site}, {b.values.shape[1:]}",
            do="compare scores of one site of one model",
        )
    if carriers is None:
        carriers = _carriers(b)
    first, second = _common(a, b)
    columns: dict[str, Any] = {}
    for name, one in (("a", first), ("b", second)):
        columns[name] = _mean(one, False)
        columns[f"rank_{name}"] = _ranks(-_mean(one, size))
    layer, head = np.indices(a.values.shape[1:]).reshape(2, -1)
    carries = [at in set(carriers) for at in zip(layer.tolist(), head.tolist(), strict=True)]
    table = pd.DataFrame({"layer": layer, "head": head, **columns, "carries": carries})
    means = [_mean(one, size) for one in (first, second)]
    rho = _spearman(*means)
    low, high = _over_heads(rho, len(table))
    names = (a.measure, b.measure)
    facts = {"measure": " / ".join(names), "splits": splits, "seed": seed}
    return Comparison(
        a.site,
        names,
        rho,
        low,
        high,
        len(first),
        table,
        a.signature | b.signature | facts,
        r=_pearson(*means),
        ceiling=_ceiling(first, second, size, splits, seed),
        auc=_auc(means[0], np.array(carries)),
    )


@dataclass(frozen=True)
class Halves(Value):
    """ρ between halves, and how many splits its bounds hold 95 % of."""

    splits: int = 0


def halves(scores: Scores, *, size: bool = True, splits: int = SPLITS, seed: int = SEED) -> Halves:
    """Spearman's ρ between two halves of the pairs, the mean over many splits: are heads stable?

    No noun is in both halves, where there are nouns enough. Its bounds hold 95 % of the splits.

    >>> import pandas as pd
    >>> rng = np.random.default_rng(0)
    >>> values = np.arange(12.0).reshape(1, 3, 4) + 0.01 * rng.normal(size=(40, 3, 4))
    >>> halves(Scores(values, "encoder", "effect", pd.DataFrame(index=range(40)))).value
    1.0
    """
    paired = scores.by_pair() if "pair" in scores.rows else scores
    found, by = _split_rhos(paired, size, splits, seed)
    low, high = np.quantile(found, [0.025, 0.975]) if len(found) else (np.nan, np.nan)
    value = round(float(np.mean(found)), 12) if len(found) else float("nan")
    over = f"{len(found)} splits by {by}"
    name, facts = "ρ of halves", paired.signature
    numbers = (value, float(low), float(high))
    return Halves(name, *numbers, len(paired), facts, False, over, splits=len(found))


def _carriers(effect: Scores) -> list[Head]:
    """The heads that carry the cue, if these scores are of an effect."""
    from cuescope.measures.carriers import carriers

    if effect.measure != "effect":
        return []
    heads = carriers({effect.site: effect})[effect.site]
    return [(one.layer, one.head) for one in heads if one.carries]


def _common(a: Scores, b: Scores) -> tuple[Scores, Scores]:
    """The units that both have, in one order."""
    if "pair" not in a.rows or "pair" not in b.rows:
        if len(a) != len(b):
            raise CueScopeError(
                "scores of different sentences", expected=str(len(a)), found=str(len(b))
            )
        return a, b
    places = [{pair: n for n, pair in enumerate(s.rows["pair"])} for s in (a, b)]
    shared = [pair for pair in places[0] if pair in places[1]]
    if not shared:
        raise CueScopeError("these scores have no pair in common", do="score the same pairs")
    first, second = (
        s.take([place[pair] for pair in shared]) for s, place in zip((a, b), places, strict=True)
    )
    return first, second


def _mean(scores: Scores, size: bool) -> Array:
    """The mean of each head [head]: of shares of a gap, the sum over the gaps' sum."""
    found: Array = _means(scores, np.ones((1, len(scores))), size)[0]
    return found


def _means(scores: Scores, weights: Array, size: bool) -> Array:
    """Weighted means [weighting, head]; of cells without a value nothing is taken."""
    values = scores.values.reshape(len(scores), -1)
    known = (~np.isnan(values)).astype(float)
    gaps = known if scores.per is None else known * scores.per[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean: Array = (weights @ np.nan_to_num(values)) / (weights @ gaps)
    return np.abs(mean) if size else mean


def _split_rhos(scores: Scores, size: bool, splits: int, seed: int) -> tuple[Array, str]:
    """ρ of the two halves of each split, and by what it was split."""
    mine, by = _splits(scores, splits, seed)
    found = _spearmans(_means(scores, mine, size), _means(scores, 1 - mine, size))
    return found[np.isfinite(found)], by


def _splits(scores: Scores, splits: int, seed: int) -> tuple[Array, str]:
    """Halves [split, unit] of 0 and 1: of the nouns, or of the units if nouns are few."""
    rng = np.random.default_rng(seed)
    labels, told = np.arange(len(scores)), str(scores.unit)
    if "noun" in scores.rows:
        _, nouns = np.unique(scores.rows["noun"].fillna("").astype(str), return_inverse=True)
        if nouns.max(initial=0) >= 3:
            labels, told = nouns, "noun"
    count = int(labels.max(initial=-1)) + 1
    order = np.argsort(rng.random((splits, count)), axis=1)
    first: Array = (order < count // 2).astype(float)
    return first[:, labels], told


def _ceiling(a: Scores, b: Scores, size: bool, splits: int, seed: int) -> float:
    """The ρ that two measures of the same thing would reach, as noisy as these are.

    The root of the product of both reliabilities: ρ between halves, stepped up to the whole
    (Spearman and Brown). There is none for measures that share their noise.
    """
    if {a.measure, b.measure} == _SAME:
        return float("nan")
    found = 1.0
    for one in (a, b):
        rhos, _ = _split_rhos(one, size, splits, seed)
        half = max(0.0, float(np.mean(rhos))) if len(rhos) else float("nan")
        found *= 2 * half / (1 + half)
    return float(np.sqrt(found))


def _over_heads(rho: float, heads: int) -> tuple[float, float]:
    """95 % for ρ over heads such as these (Bonett & Wright 2000); none for few.

    >>> [round(x, 2) for x in _over_heads(0.5, 48)]
    [0.23, 0.7]
    """
    if heads < _HEADS or not np.isfinite(rho) or abs(rho) >= 1:
        return float("nan"), float("nan")
    wide = 1.96 * np.sqrt((1 + rho**2 / 2) / (heads - 3))
    return float(np.tanh(np.arctanh(rho) - wide)), float(np.tanh(np.arctanh(rho) + wide))


def _auc(values: Array, carries: np.ndarray[Any, np.dtype[np.bool_]]) -> float:
    """How often a carrier has more than another head; ties count half.

    >>> _auc(np.array([3.0, 1.0, 2.0]), np.array([True, False, False]))
    1.0
    """
    if not carries.any() or carries.all():
        return float("nan")
    apart = values[carries][:, None] - values[~carries]
    return float(((apart > 0) + 0.5 * (apart == 0)).mean())


def _ranks(values: Array) -> Array:
    from scipy.stats import rankdata

    out: Array = rankdata(values, axis=-1)
    return out


def _spearmans(a: Array, b: Array) -> Array:
    """Spearman's ρ row by row."""
    x, y = (r - r.mean(1, keepdims=True) for r in (_ranks(a), _ranks(b)))
    with np.errstate(invalid="ignore"):
        out: Array = (x * y).sum(1) / np.sqrt((x**2).sum(1) * (y**2).sum(1))
    return out


def _spearman(a: Array, b: Array) -> float:
    return float(_spearmans(a[None], b[None])[0])


def _pearson(a: Array, b: Array) -> float:
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])
