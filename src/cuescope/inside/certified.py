"""Genders of focus nouns with certified probabilities: each lies in its interval, no sampling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from cuescope.data.items import Item, Listed
from cuescope.data.others import people_of
from cuescope.errors import CueScopeError
from cuescope.gender.reading import Gender
from cuescope.measures.box import Interval, entropy_between
from cuescope.sampling.bounds import Bounds
from cuescope.signature import Signature
from cuescope.stats.shown import outwards

if TYPE_CHECKING:
    import pandas as pd

GENDERS: tuple[Gender, ...] = get_args(Gender)


def ge_between(bounds: Bounds) -> Interval:
    """The gender entropy of a source, as an interval.

    >>> sure = Bounds("Hi", {"feminine": 1.0}, 0.0, 3, 0.02, 0.01)
    >>> ge_between(sure)
    (0.0, 0.0)
    """
    return entropy_between([bounds.interval(gender) for gender in GENDERS])


@dataclass(frozen=True)
class Certified(Listed[Bounds]):
    """The bounds of some items, in their order, with the signature of all of them."""

    items: tuple[Item, ...] = field(repr=False)
    bounds: tuple[Bounds, ...] = field(repr=False)
    signature: Signature

    @property
    def _members(self) -> tuple[Bounds, ...]:
        return self.bounds

    @property
    def evaluations(self) -> int:
        """Prefixes that the decoder had to look at, the search of the best not counted."""
        return sum(one.evaluations for one in self.bounds)

    @property
    def exhausted(self) -> int:
        """How many sources are wider than was asked, since they had spent what they may."""
        return sum(not one.reached for one in self.bounds)

    def table(self) -> pd.DataFrame:
        """One row a source: the interval of each gender and of GE, and what it cost."""
        import pandas as pd

        rows = []
        for item, one in zip(self.items, self.bounds, strict=True):
            row: dict[str, object] = {"text": item.text, "noun": item.noun, "gold": item.gold}
            intervals: Mapping[str, Interval] = {
                **{f"P({gender})": one.interval(gender) for gender in GENDERS},
                "GE": ge_between(one),
            }
            for name, (low, high) in intervals.items():
                row |= {f"{name} low": low, f"{name} high": high}
            row |= {
                "undecided": one.undecided,
                "evaluations": one.evaluations,
                "reached": one.reached,
            }
            row |= {f"best {gender}": likely.text for gender, likely in one.best.items()}
            rows.append(row)
        return pd.DataFrame(rows)

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        rows = [
            [item.text, item.noun, *(outwards(one.interval(gender)) for gender in GENDERS)]
            for item, one in zip(self.items[:20], self.bounds, strict=False)
        ]
        notes = [f"{self.evaluations:,} prefixes looked at", str(self.signature)]
        if self.exhausted:
            notes.insert(0, f"{self.exhausted} wider than asked: their evaluations were spent")
        title = f"certified probabilities of {len(self)} sources"
        return html.table(rows, ["source", "noun", *GENDERS], title=title, notes=notes)


def as_item(given: Item | str) -> Item:
    """A sentence as an item: a plain text has the one person noun that stands in it as its focus.

    >>> as_item("The nurse left early.").noun
    'nurse'
    """
    if isinstance(given, Item):
        return given
    people = people_of(given)
    if len(people) != 1:
        named = ", ".join(given[slice(*span)] for span in people) or "none"
        raise CueScopeError(
            "whose gender? A plain text must name one person",
            expected="one person noun, or an item that says its focus",
            found=f"{named} in {given!r}",
            do="give cs.Item(text, focus=(start, end), cue=None, gold=…)",
        )
    return Item(given, people[0], None, "neutral")
