"""Scores: one number per item (or pair), layer and head, and the Grid that they average to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.signature import Signature
from cuescope.stats.intervals import FREE, PART, Array, Clusters, Estimate, estimate, ratio
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

Unit = Literal["item", "pair"]


@dataclass(frozen=True, eq=False)
class Grid:
    """A mean per layer and head [layer, head], with its interval; n units stand behind it."""

    values: Array
    low: Array
    high: Array
    n: int
    site: str
    measure: str
    unit: Unit = "item"
    threshold: float | None = None  # what chance would give, where the measure has such a thing
    signature: Signature = field(default_factory=Signature)
    over: str = ""  # what the intervals leave out in turn, as "18 nouns × 33 templates"

    def __repr__(self) -> str:
        layers, heads = self.values.shape
        over = f" of {self.over}" if self.over else ""
        return f"Grid({self.measure}, {self.site} {layers}×{heads}, n={self.n} {self.unit}s{over})"

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        return html.grid(self)

    def top(self, n: int = 5) -> pd.DataFrame:
        """The heads with the largest values, in size, whatever their sign."""
        import pandas as pd

        flat = np.nan_to_num(np.abs(self.values).ravel(), nan=-1.0)
        order = np.argsort(-flat, kind="stable")[:n]
        layer, head = np.unravel_index(order, self.values.shape)
        columns = {"layer": layer, "head": head}
        for name in ("values", "low", "high"):
            columns[name.removesuffix("s")] = getattr(self, name).ravel()[order]
        return pd.DataFrame(columns)

    def to_pandas(self) -> pd.DataFrame:
        """One row per head: layer, head, value, low, high."""
        frame = self.top(self.values.size).sort_values(["layer", "head"])
        return frame.reset_index(drop=True)

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line; an empty cell is null."""
        shown = {"scores": self.values, "low": self.low, "high": self.high}
        return {
            "site": self.site,
            "measure": self.measure,
            "unit": self.unit,
            "n": self.n,
            "over": self.over,
            "threshold": self.threshold,
            **{name: _listed(values) for name, values in shown.items()},
            "signature": str(self.signature),
        }


@dataclass(frozen=True, eq=False)
class Scores:
    """Values [unit, layer, head] of one site; a unit is an item or a pair, NaN has no value.

    `rows` describes each unit (text, pair, set, gold, stereotype, length …), `skipped` counts the
    sentences that have no value at all, by reason. Shares of a gap have `per`, the gap of each
    unit: their mean is the sum of all values over the sum of all gaps, of whatever units are left.
    Both are told in mean gaps of the whole set, so that there it is the mean of the values too.
    """

    values: Array
    site: str
    measure: str
    rows: pd.DataFrame
    skipped: Mapping[str, int] = field(default_factory=dict)
    signature: Signature = field(default_factory=Signature)
    unit: Unit = "item"
    per: Array | None = None  # [unit]

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64)
        if values.ndim != 3 or len(values) != len(self.rows):
            raise CueScopeError(
                "scores do not fit their rows",
                expected=f"[{len(self.rows)}, layers, heads]",
                found=str(list(values.shape)),
            )
        if self.per is not None and np.shape(self.per) != (len(values),):
            raise CueScopeError(
                "gaps do not fit their scores",
                expected=f"[{len(values)}]",
                found=str(list(np.shape(self.per))),
            )
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "rows", self.rows.reset_index(drop=True))

    def __repr__(self) -> str:
        units, layers, heads = self.values.shape
        left = f", {sum(self.skipped.values())} skipped" if self.skipped else ""
        return f"Scores({self.measure}, {self.site} {layers}×{heads}, {units} {self.unit}s{left})"

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        return html.grid(self.mean(), [f"skipped: {n} {why}" for why, n in self.skipped.items()])

    def __len__(self) -> int:
        return len(self.values)

    # -- choosing --------------------------------------------------------------------------

    def where(self, **facts: object) -> Scores:
        """The units with these facts, as `scores.where(gold="female", accurate=True)`.

        A name that no unit has is an error, not an empty selection.
        """
        keep = np.ones(len(self), dtype=bool)
        for name, wanted in facts.items():
            column = self._column(name)
            there = (column == wanted).to_numpy(dtype=bool, na_value=False)
            if len(self) and isinstance(wanted, str) and not there.any():
                raise _no_such(name, wanted, column)
            keep &= there
        return self._select(keep, self.signature | {k: str(v) for k, v in facts.items()})

    def split(self, by: str) -> dict[Any, Scores]:
        """Scores for each value of a column of `rows`; the key None holds those without one."""
        column = self._column(by)
        known = sorted(column.dropna().unique().tolist(), key=str)
        found = {value: self.where(**{by: value}) for value in known}
        missing = column.isna().to_numpy()
        if missing.any():
            found[None] = self._select(missing, self.signature | {by: "none"})
        return found

    def _select(self, keep: np.ndarray[Any, Any], signature: Signature) -> Scores:
        return replace(self.take(keep), signature=signature)

    def take(self, places: Any) -> Scores:
        """The units at these places, or those that a mask keeps."""
        per = None if self.per is None else self.per[places]
        return replace(self, values=self.values[places], rows=self.rows.loc[places], per=per)

    def _column(self, name: str) -> pd.Series[Any]:
        if name not in self.rows:
            raise CueScopeError(
                f"the rows of these scores have no {name!r}",
                expected=", ".join(map(str, self.rows.columns)),
                do="name one of these columns",
            )
        return self.rows[name]

    # -- averaging -------------------------------------------------------------------------

    def by_pair(self) -> Scores:
        """The mean of each pair's twins: they are no independent sentences."""
        return self if self.unit == "pair" else self._by_pair

    @cached_property
    def _by_pair(self) -> Scores:
        pairs = self._column("pair")
        if pairs.isna().any():
            raise CueScopeError(
                "not every item belongs to a pair",
                expected="a number in the column pair",
                found=f"{int(pairs.isna().sum())} items of {len(self)} without",
                do='average over items: .mean("item")',
            )
        order = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        place = pairs.map(order).to_numpy(dtype=int)
        known = ~np.isnan(self.values)
        total, count = (np.zeros((len(order), *self.values.shape[1:])) for _ in range(2))
        np.add.at(total, place, np.where(known, self.values, 0.0))
        np.add.at(count, place, known)
        grouped = self.rows.groupby(place, sort=True)
        rows = grouped.first()
        for name in rows.columns:  # what the twins do not share is no fact of the pair
            if name not in ("pair", "length"):
                rows[name] = rows[name].astype(object).where(grouped[name].nunique() <= 1, None)
        if "length" in rows:
            rows["length"] = grouped["length"].mean()
        with np.errstate(invalid="ignore"):
            values = total / count
        per = None if self.per is None else np.bincount(place, self.per) / np.bincount(place)
        return replace(self, values=values, rows=rows, unit="pair", per=per)

    def estimate(self, *, plain: bool = False) -> Estimate:
        """The mean of each head [layer, head], its interval and its standard error."""
        known = (~np.isnan(self.values)).astype(float)
        gaps = known if self.per is None else known * self.per[:, None, None]
        table = np.stack([np.nan_to_num(self.values), gaps], axis=-1)
        bounds = PART if self.measure == "attention" else FREE
        shared = None if plain else Clusters.of_rows(self.rows)
        return estimate(table, ratio, shared, bounds=bounds)

    def mean(self, unit: Unit | None = None, *, plain: bool = False) -> Grid:
        """The mean over items or pairs, with its interval over what they share, or `plain`.

        >>> import pandas as pd
        >>> rows = pd.DataFrame({"length": [10, 10]})
        >>> scores = Scores(np.array([[[0.1]], [[0.3]]]), "encoder", "attention", rows)
        >>> scores.mean().to_json()["scores"]
        [[0.2]]
        """
        if unit == "pair" and self.unit == "item":
            return self.by_pair().mean(plain=plain)
        if unit not in (None, self.unit):
            raise CueScopeError("no such axis", expected=self.unit, found=str(unit))
        found = self.estimate(plain=plain)
        return Grid(
            found.value,
            found.low,
            found.high,
            n=int((~np.isnan(self.values)).any((1, 2)).sum()),
            site=self.site,
            measure=self.measure,
            unit=self.unit,
            threshold=self.threshold() if self.measure == "attention" and len(self) else None,
            signature=self.signature,
            over=found.over,
        )

    def moved(self) -> Value:
        """The share of pairs in which the cue moves the model the right way at the choice.

        The female twin leans more to the feminine form than the male one, whether or not that
        decides the word.
        """
        from cuescope.stats import share

        gap = self._column("gap").to_numpy(dtype=float)
        right = (-gap if self.signature.get("into") == "female" else gap) > 0
        shared = Clusters.of_rows(self.rows)
        return share("moved", right.tolist(), None, shared, signature=self.signature)

    def threshold(self, by: str = "length") -> float:
        """The share that every word would get if attention were uniform: the mean of 1 / length."""
        lengths = self._column(by).to_numpy(dtype=float)
        return float(np.mean(1 / lengths))

    def top(self, n: int = 5) -> pd.DataFrame:
        """The heads with the largest mean, with intervals."""
        return self.mean().top(n)

    # -- out -------------------------------------------------------------------------------

    def to_pandas(self) -> pd.DataFrame:
        """A tidy table: the rows' columns, layer, head and value."""
        units, layers, heads = self.values.shape
        frame = self.rows.loc[np.repeat(np.arange(units), layers * heads)].reset_index(drop=True)
        unit, layer, head = np.indices(self.values.shape).reshape(3, -1)
        frame.insert(0, self.unit if self.unit not in frame else "unit", unit)
        return frame.assign(layer=layer, head=head, value=self.values.ravel())

    def to_json(self) -> dict[str, Any]:
        """The mean's schema with the skipped sentences and the strongest heads."""
        grid = self.mean()
        top = grid.top()[["layer", "head"]].astype(int).to_dict("records")
        return {**grid.to_json(), "top": top, "skipped": dict(self.skipped)}


def _no_such(name: str, wanted: object, column: pd.Series[Any]) -> CueScopeError:
    known = sorted(map(repr, column.dropna().unique()))
    more = f", … {len(known) - 8} more" if len(known) > 8 else ""
    return CueScopeError(
        f"nothing has {name}={wanted!r}",
        expected=(", ".join(known[:8]) + more) or "a column that says something",
        found=repr(wanted),
        do="ask for one of these",
    )


def both_ways(male: Scores, female: Scores) -> Scores:
    """The mean of an effect patched into the male and into the female twin, pair by pair.

    Changes that are no share of the gap point to the twin's gender: the female one's are turned.
    """
    places = [{pair: n for n, pair in enumerate(s.rows["pair"])} for s in (male, female)]
    shared = [pair for pair in places[0] if pair in places[1]]
    mine, theirs = ([place[pair] for pair in shared] for place in places)
    one, other = male.take(mine), female.take(theirs)
    per = None if one.per is None or other.per is None else (one.per + other.per) / 2
    way = -1.0 if female.signature.get("normalise") == "none" else 1.0
    rows = one.rows
    if "given" in rows:
        given = other.rows["given"].to_numpy(dtype=float)
        rows = rows.assign(given=(rows["given"] + way * given) / 2)
    values = (one.values + way * other.values) / 2
    signature = male.signature | {"into": "both"}
    return replace(one, values=values, rows=rows, per=per, signature=signature)


def _listed(values: Array) -> list[list[float | None]]:
    return [[None if np.isnan(v) else float(v) for v in row] for row in values]
