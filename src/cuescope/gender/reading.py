"""What a reader of grammatical gender returns: a verdict and the words that carry it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Gender = Literal["masculine", "feminine", "neutral", "unknown"]
By = Literal["phrase", "pronouns"]  # which reading: the noun's own phrase, or pronouns too


@dataclass(frozen=True)
class Evidence:
    """One word that speaks for a gender, where it stands, and by which rule."""

    word: str
    start: int
    end: int
    rule: str
    gender: Gender

    def __str__(self) -> str:
        return f"{self.word} ({self.rule}: {self.gender})"


@dataclass(frozen=True)
class Reading:
    """The gender in which a noun appears, with its evidence.

    `neutral`: the noun was found, but neither it nor its phrase shows a gender.
    `unknown`: the noun was not found. `consistent`: no word of the phrase contradicts another.
    The noun's own phrase decides, and what agrees with it in grammar; `beyond` are pronouns and
    predicates of other clauses that seem to be about it, where the phrase itself shows nothing.
    """

    gender: Gender
    consistent: bool
    evidence: tuple[Evidence, ...] = ()
    span: tuple[int, int] | None = None
    beyond: tuple[Evidence, ...] = ()
    aside: tuple[Evidence, ...] = ()  # words that translate the cue (*femininos*): no evidence
    reason: str = ""  # why the noun is unknown

    @property
    def with_pronouns(self) -> Gender:
        """The gender by the phrase, or by a pronoun where the phrase shows none."""
        return self.beyond[0].gender if self.gender == "neutral" and self.beyond else self.gender

    def by(self, reading: By) -> Gender:
        """The gender by the noun's phrase alone, or with pronouns as a last resort."""
        return self.with_pronouns if reading == "pronouns" else self.gender

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.evidence)) or self.reason or "no evidence"
        beyond = "".join(f"; beyond the phrase: {mark}" for mark in self.beyond)
        aside = "".join(f"; set aside: {mark}" for mark in self.aside)
        return (
            f"{self.gender}{'' if self.consistent else ' (inconsistent)'}: {shown}{beyond}{aside}"
        )
