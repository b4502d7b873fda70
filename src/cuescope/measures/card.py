"""The validity card of a head: each check that a claim about it must pass, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cuescope.stats.value import Value

Verdict = Literal["passes", "fails", "not measured"]


class Question(NamedTuple):
    """What a check asks, in one sentence, and by what its answer is judged."""

    label: str
    asks: str
    passes: str


CHECKS: dict[str, Question] = {  # in their order on the card
    "carries": Question(
        "carries the cue",
        "Does it alone, speaking as in the twin, restore some of the gap between the twins?",
        "by the one rule, over all heads of all sites",
    ),
    "directions": Question(
        "both directions",
        "Does it do so in the male sentence and in the female one?",
        "both intervals above 0",
    ),
    "held out": Question(
        "held out",
        "Found on some nouns, does it carry the cue on the others?",
        "5 % or more on both halves, and the interval on the other half above 0",
    ),
    "ablation": Question(
        "missed when out",
        "Is some of the gap lost without it, whatever it says instead: nothing (zero), what it "
        "says on average (mean), anything (resample)?",
        "all three intervals above 0",
    ),
    "dose": Question(
        "dose–response",
        "Does the gap grow as the head speaks louder: not at all, half, as it is, twice?",
        "it grows at each step, and from silent to twice by more than chance",
    ),
    "repair": Question(
        "not repaired",
        "Without it, do the later heads of its site leave the loss as it is? (lost: as they react; "
        "frozen: as they go on saying what they said)",
        "half or more of the frozen loss remains",
    ),
    "same answer": Question(
        "same-answer control",
        "Does the choice stay when it speaks as in another sentence with a cue of the same gender?",
        "less than half of what the twin's words do, by more than chance",
    ),
    "selective": Question(
        "selective",
        "Does it move the noun of the cue more than the other person of the sentence?",
        "twice as much or more, as the literature asks",
    ),
    "random": Question(
        "beats random sets",
        "Does the set of heads to which it belongs restore more than random sets as large?",
        "at most 5 % of them restore as much",
    ),
    "faithful": Question(
        "faithful set",
        "Does its set alone restore what all heads of the site together restore?",
        "80 % of it or more",
    ),
    "complete": Question(
        "complete set",
        "Is little restored when all heads of the site but its set speak as in the twin?",
        "20 % or less of what all of them restore",
    ),
    "minimal": Question(
        "its set needs it",
        "Does its set restore less without it?",
        "2 % of the gap or more, by more than chance",
    ),
    "transfer": Question(
        "transfers",
        "Does it carry the cue elsewhere too: with other kinds of cue, in the other order, in "
        "other sets?",
        "5 % or more everywhere, all intervals above 0",
    ),
    "blocks": Question(
        "more than a block",
        "Does it restore more than any feed-forward block? (A block passes on what heads brought.)",
        "as much or more",
    ),
    "no head": Question(
        "beats no head",
        "Made louder, does it turn as many wrong choices as decoding contrasted with the twin's "
        "source, which needs no head?",
        "as many or more",
    ),
}


@dataclass(frozen=True)
class Check:
    """One line of a card: what was found, and whether the claim stands it."""

    name: str
    verdict: Verdict
    numbers: Mapping[str, Value] = field(default_factory=dict)
    why: str = ""  # it fails, or could not be measured

    @property
    def question(self) -> Question:
        """What is asked, and how it is judged."""
        return CHECKS[self.name]

    def summary(self) -> str:
        """The numbers in a line."""
        return " · ".join(f"{name} {value.shown()}".strip() for name, value in self.numbers.items())

    def to_json(self) -> dict[str, Any]:
        """For files; what has no value is null."""
        return {
            "name": self.name,
            "label": self.question.label,
            "asks": self.question.asks,
            "passes": self.question.passes,
            "verdict": self.verdict,
            "numbers": {name: _number(value) for name, value in self.numbers.items()},
            "why": self.why,
        }


@dataclass(frozen=True)
class Card:
    """All checks of one head, in one story, with a word on what they were measured on."""

    site: str
    story: str
    layer: int
    head: int
    checks: tuple[Check, ...]
    measured_on: str = ""

    @property
    def name(self) -> str:
        """Layer and head, both from 0."""
        return f"{self.layer}.{self.head}"

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def count(self, verdict: Verdict) -> int:
        """How many checks came out so."""
        return sum(check.verdict == verdict for check in self.checks)

    def summary(self) -> str:
        """How it stands, in a line."""
        told = f"{self.count('passes')} of {len(self.checks)} checks passed"
        failed = [check.question.label for check in self.checks if check.verdict == "fails"]
        return told + (f"; fails: {', '.join(failed)}" if failed else "")

    def __repr__(self) -> str:
        wide = max(len(check.question.label) for check in self.checks)
        lines = [f"Card of {self.site} {self.name}, {self.story}: {self.summary()}"]
        for check in self.checks:
            told = " — ".join(part for part in (check.summary(), check.why) if part)
            lines.append(f"  {check.verdict:<12}  {check.question.label:<{wide}}  {told}".rstrip())
        return "\n".join([*lines, f"  measured on {self.measured_on}" * bool(self.measured_on)])

    def _repr_html_(self) -> str:
        from cuescope.stats import html

        rows = [
            [
                html.Cell(check.question.label, check.question.asks, right=False),
                html.Cell(check.verdict, check.question.passes, check.verdict == "fails", False),
                " — ".join(part for part in (check.summary(), check.why) if part),
            ]
            for check in self.checks
        ]
        title = f"{self.site} {self.name}, {self.story}: {self.summary()}"
        notes = [f"measured on {self.measured_on}"] if self.measured_on else []
        return html.table(rows, title=title, notes=notes)

    def to_json(self) -> dict[str, Any]:
        """For files."""
        return {
            "site": self.site,
            "story": self.story,
            "layer": self.layer,
            "head": self.head,
            "checks": [check.to_json() for check in self.checks],
            "measured_on": self.measured_on,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Card:
        """The card again; checks that this release does not know are left out."""
        checks = tuple(
            Check(
                one["name"],
                one["verdict"],
                {name: _value(name, number) for name, number in one["numbers"].items()},
                one["why"],
            )
            for one in told["checks"]
            if one["name"] in CHECKS
        )
        where = (told["site"], told["story"], told["layer"], told["head"])
        return cls(*where, checks, told["measured_on"])


def _number(value: Value) -> dict[str, Any]:
    low, high = value.interval() or (None, None)
    finite = value.n and value.value == value.value
    return {
        "value": value.value if finite else None,
        "low": low,
        "high": high,
        "n": value.n,
        "over": value.over,
        "unit": "share" if value.percent else "number",
    }


def _value(name: str, told: Mapping[str, Any]) -> Value:
    nan = float("nan")
    value, low, high = (nan if told[k] is None else told[k] for k in ("value", "low", "high"))
    percent = told["unit"] == "share"
    return Value(name, value, low, high, told["n"], percent=percent, over=told["over"])
