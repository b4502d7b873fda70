"""SimpleGEN's check: correct, wrong or inconclusive by a dictionary of occupation forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from cuescope.data.items import Gold, Item
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines
from cuescope.files.documents import csv_of
from cuescope.gender.reading import Gender
from cuescope.signature import Signature
from cuescope.stats import difference, share
from cuescope.stats.intervals import Clusters
from cuescope.stats.value import Value

Outcome = Literal["correct", "inconclusive", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("correct", "inconclusive", "wrong")
Forms = dict[str, dict[Gold, tuple[str, ...]]]


@cache
def table_a8(lang: str) -> Forms | None:
    """The dictionary printed in paper D (es and de), older and smaller than the released one."""
    if lang not in ("es", "de"):
        return None
    column = 1 if lang == "es" else 3
    text = files("cuescope.data").joinpath("table_a8.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {row[0]: _forms(row[column], row[column + 1]) for row in rows}


def dictionary(path: str | Path) -> Forms:
    """A dictionary file: a header, then `english,masculine,feminine`, `|` between alternatives."""
    found: Forms = {}
    for number, row in enumerate(csv_of(read_lines(path), str(path))):
        if number == 0 or not row:
            continue
        if len(row) != 3:
            raise CueScopeError(
                f"{at(path, number)}: wrong number of columns",
                expected="english, masculine forms, feminine forms",
                found=f"{len(row)} columns",
            )
        found[row[0].strip().lower()] = _forms(row[1], row[2])
    if not found:
        raise CueScopeError(f"{path} holds no entries", expected="one line per occupation")
    return found


def _forms(masculine: str, feminine: str) -> dict[Gold, tuple[str, ...]]:
    return {
        "male": tuple(form.strip().lower() for form in masculine.split("|")),
        "female": tuple(form.strip().lower() for form in feminine.split("|")),
    }


@cache
def _finder(forms: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, forms))})(?!\w)")


def occupation(source: str, entries: Iterable[str]) -> str | None:
    """The longest dictionary entry that stands in the source.

    >>> occupation("That truck driver retired.", ["driver", "truck driver"])
    'truck driver'
    """
    low = source.lower()
    there = [entry for entry in entries if _finder((entry,)).search(low)]
    return max(there, key=len, default=None)


def check(translation: str, forms: Mapping[Gold, tuple[str, ...]], expected: Gold) -> Outcome:
    """Correct if a form of the expected gender is there, else wrong if one of the other is.

    >>> check("La directora habla.", {"male": ("director",), "female": ("directora",)}, "female")
    'correct'
    """
    low = translation.lower()
    if _finder(forms[expected]).search(low):
        return "correct"
    other: Gold = "male" if expected == "female" else "female"
    return "wrong" if _finder(forms[other]).search(low) else "inconclusive"


def of_gender(gender: Gender, expected: Gold) -> Outcome:
    """The outcome of a gender reading in place of the dictionary."""
    if gender not in ("masculine", "feminine"):
        return "inconclusive"
    return "correct" if (gender == "masculine") == (expected == "male") else "wrong"


@dataclass(frozen=True)
class SimpleGen:
    """Outcomes by set, with the shares and differences of paper D's tables."""

    outcomes: Mapping[str, tuple[Outcome, ...]]
    signature: Signature = field(default_factory=Signature)
    items: Mapping[str, tuple[Item, ...]] = field(default_factory=dict, repr=False)

    def counts(self, name: str | None = None) -> dict[str, int]:
        """How many of each outcome, in one set or in all."""
        chosen = self.outcomes.values() if name is None else [self.outcomes[name]]
        counted = Counter(outcome for outcomes in chosen for outcome in outcomes)
        return {outcome: counted[outcome] for outcome in OUTCOMES}

    def _right(self, *names: str) -> list[bool]:
        return [outcome == "correct" for name in names for outcome in self.outcomes[name]]

    def _clusters(self, *names: str) -> Clusters | None:
        if not self.items:
            return None
        return Clusters.of(item for name in names for item in self.items[name])

    def correct(self, *names: str) -> Value:
        """The share of correct ones in one or more sets."""
        label, shared = f"correct {'+'.join(names)}", self._clusters(*names)
        return share(label, self._right(*names), None, shared, signature=self.signature)

    def deltas(self) -> dict[str, Value]:
        """Δ (pro − anti), ΔFC (FoFc − MoFc) and ΔMC (MoMc − FoMc), those whose sets are there."""
        wanted = {
            "delta": (("momc", "fofc"), ("mofc", "fomc")),
            "delta_fc": (("fofc",), ("mofc",)),
            "delta_mc": (("momc",), ("fomc",)),
        }
        return {
            name: difference(
                name,
                self._right(*a, *b),
                [True] * len(self._right(*a)) + [False] * len(self._right(*b)),
                self._clusters(*a, *b),
                signature=self.signature,
            )
            for name, (a, b) in wanted.items()
            if {*a, *b} <= set(self.outcomes)
        }

    def to_json(self) -> dict[str, Any]:
        """The schema of the command line."""
        deltas = self.deltas()
        return {
            "counts": self.counts(),
            "sets": {
                name: {
                    "counts": self.counts(name),
                    "correct": self.correct(name).number(),
                    "interval": self.correct(name).interval(),
                    "over": self.correct(name).over,
                }
                for name in self.outcomes
            },
            **{name: value.number() for name, value in deltas.items()},
            "intervals": {name: value.interval() for name, value in deltas.items()},
            "over": {name: value.over for name, value in deltas.items()},
            "signature": str(self.signature),
        }
