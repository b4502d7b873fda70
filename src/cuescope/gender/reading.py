"""What a reader of grammatical gender returns: a verdict and the words that carry it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Gender = Literal["masculine", "feminine", "neutral", "unknown"]


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
    """

    gender: Gender
    consistent: bool
    evidence: tuple[Evidence, ...] = ()
    span: tuple[int, int] | None = None

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.evidence)) or "no evidence"
        return f"{self.gender}{'' if self.consistent else ' (inconsistent)'}: {shown}"
