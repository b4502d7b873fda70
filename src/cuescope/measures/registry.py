"""Measures that declare themselves: findings, report, summary, `compare` and JSON go through here.

A measure says what one pair (or one sentence) adds, and how the sums make the number. From that
follow its interval over nouns and templates, and the paired difference of two runs.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.signature import Signature
from cuescope.stats import measured
from cuescope.stats.intervals import APART, FREE, Array, Clusters, Statistic, ratio
from cuescope.stats.shown import Unit
from cuescope.stats.value import Value

Needs = Literal["pairs", "sentences"]
Judged = tuple[Any, ...]  # what `row` is given: (pair, pro, anti), or (set, verdict)


@dataclass(frozen=True)
class Measure:
    """One number of a run: its name in JSON, its label for people, and how it is made.

    `row(pair, pro, anti)`, or with needs="sentences" `row(set, verdict)`, gives what it adds to
    each sum; a row of zeros counts for nothing. Unless told otherwise the number is the first sum
    over the second: hits and units. With `sets`, only their sentences are asked, and all of them
    must be there. `asks` says of a unit, by its source alone, whether it is asked at all; `alike`
    what units share, if that is more than the focus noun and the template.
    """

    name: str
    label: str
    says: str  # in one sentence
    row: Callable[..., Sequence[float]]
    statistic: Statistic = ratio
    unit: Unit = "share"
    needs: Needs = "pairs"
    sets: tuple[str, ...] = ()
    asks: Callable[..., bool] | None = None
    alike: Callable[[Sequence[Judged]], Clusters] | None = None

    def __post_init__(self) -> None:
        for name, kind in (("unit", Unit), ("needs", Needs)):
            if getattr(self, name) not in get_args(kind):
                raise CueScopeError(
                    f"the measure {self.name} has no such {name}",
                    expected=", ".join(get_args(kind)),
                    found=repr(getattr(self, name)),
                )

    def units(
        self, pairs: Sequence[JudgedPair], sets: Mapping[str, Sequence[Verdict]]
    ) -> list[Judged]:
        """The units it asks; none if what it needs is not there."""
        if self.needs == "pairs":
            return [pair for pair in pairs if self.asks is None or self.asks(*pair)]
        if not set(self.sets) <= set(sets):
            return []
        names = self.sets or tuple(sets)
        return [(name, one) for name in names for one in sets[name] if not one.skipped]

    def table(self, units: Sequence[Judged]) -> Array:
        """A row a unit."""
        try:
            rows = [[float(v) for v in self.row(*unit)] for unit in units]
        except (AttributeError, TypeError) as error:
            raise CueScopeError(
                f"the row of the measure {self.name} cannot be made",
                expected="numbers, as many from every unit",
                found=f"{type(error).__name__}: {error}",
                do="see docs/adding-a-measure.md for what a pair and a verdict hold",
            ) from error
        if len({len(row) for row in rows}) > 1:
            raise CueScopeError(
                f"the rows of the measure {self.name} differ in length",
                expected="as many numbers from every unit",
                found=" or ".join(map(str, sorted({len(row) for row in rows}))),
            )
        return np.asarray(rows, dtype=np.float64)

    def value(
        self,
        units: Sequence[Judged],
        *,
        signature: Signature | None = None,
        clustered: bool = True,
    ) -> Value:
        """The number with its interval, which leaves out nouns and templates in turn."""
        return measured(
            self.label,
            self.table(units),
            self.statistic,
            (self.alike or shared)(units) if clustered else None,
            scale="share" if self.unit == "share" else "number",
            bounds=APART if self.unit == "points" else FREE,
            percent=self.unit != "number",
            signature=signature,
        )

    def difference(self, first: Sequence[Judged], second: Sequence[Judged]) -> Value:
        """The second run less the first, over the same units, nouns left out of both at once."""
        tables = [self.table(units) for units in (first, second)]
        width = tables[0].shape[1]

        def apart(sums: Array) -> Array:
            return np.asarray(self.statistic(sums[..., width:]) - self.statistic(sums[..., :width]))

        joined, percent = np.concatenate(tables, axis=1), self.unit != "number"
        clusters = (self.alike or shared)(first)
        bounds = APART if self.unit == "share" else FREE
        return measured(self.label, joined, apart, clusters, bounds=bounds, percent=percent)


def shared(units: Sequence[Judged]) -> Clusters:
    """What the units have in common: the nouns and the templates of their sentences."""
    return Clusters.of(unit[1].item for unit in units)


_KNOWN: dict[str, Measure] = {}


def register(measure: Measure) -> Measure:
    """Make a measure known; to declare it again in the same file replaces it."""
    before = _KNOWN.get(measure.name)
    if before is not None and _where(before) != _where(measure):
        raise CueScopeError(
            f"two measures are called {measure.name}",
            expected="a name of its own",
            found=f"one in {_where(before)}, one in {_where(measure)}",
        )
    _KNOWN[measure.name] = measure
    return measure


def known() -> tuple[Measure, ...]:
    """All measures: those of this package, of pairs first, then one's own as they came.

    >>> [measure.label for measure in known()][:4]
    ['MPA', 'strict MPA', 'Pro-F', 'Pro-M']
    """
    import cuescope.measures as here

    for found in pkgutil.iter_modules(here.__path__, f"{here.__name__}."):
        importlib.import_module(found.name)

    def place(measure: Measure) -> tuple[bool, bool, str]:
        own = not _where(measure).startswith(f"{here.__name__}.")
        return own, not own and measure.needs != "pairs", "" if own else _where(measure)

    return tuple(sorted(_KNOWN.values(), key=place))


def _where(measure: Measure) -> str:
    return getattr(measure.row, "__module__", None) or "a script"
