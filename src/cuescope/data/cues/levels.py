"""The levels of paper B's bias cues, and how they follow from an item and its grammar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from cuescope.data.cues.names import name_after
from cuescope.data.cues.syntax import Syntax
from cuescope.data.items import Gold, Item
from cuescope.data.lists import rows

CUES: dict[str, tuple[str, ...]] = {  # the levels as the tables order them; the reference is last
    "names": ("name", "no name"),
    "recency": ("F", "M", "N"),
    "implicit_causality": ("S F", "S M", "O F", "O M", "N"),
    "stereotype": ("S F", "S M", "O F", "O M", "N"),
    "subject": ("F", "M", "N"),
    "pronoun": ("S F", "S M", "O F", "O M", "N"),
    "default_masculine": ("S", "O", "no default"),
    "ambiguity": ("ambiguous", "unambiguous"),
}
_LETTERS: dict[Gold | None, str] = {"male": "M", "female": "F", "neutral": "N", None: "N"}


@dataclass(frozen=True)
class Cues:
    """One item's cues as levels, with the facts they come from.

    `role` is the focus noun's: S for the subject of the main clause, O for anything else.
    `default_masculine` is None for target languages other than Russian.
    """

    names: str
    recency: str
    implicit_causality: str
    stereotype: str
    subject: str
    pronoun: str
    default_masculine: str | None
    ambiguity: str
    role: str
    recent: bool
    gender: str  # that the cue shows: M, F, N
    verb: str | None = None  # of an implicit causality structure
    expects_focus: bool | None = None  # does that verb's bias point at the focus noun?
    connective: str | None = None

    def row(self) -> dict[str, Any]:
        """Everything as one row of a table."""
        return dict(vars(self))


def cues(item: Item, syntax: Syntax, target: str | None = None) -> Cues:
    """The cues of one item, given its grammar; `target` is the language translated into.

    >>> item = Item("The cook left as she was ill.", (4, 8), (17, 20), "female", stereotype="male")
    >>> found = cues(item, Syntax(subject=True, recent=True, cause=None))
    >>> found.subject, found.recency, found.stereotype, found.pronoun, found.implicit_causality
    ('F', 'F', 'S M', 'S F', 'N')
    """
    gender = _LETTERS[item.gold] if item.cue is not None else "N"
    role = "S" if syntax.subject else "O"
    cause = syntax.cause
    return Cues(
        names="name" if name_after(item) else "no name",
        recency=gender if syntax.recent else "N",
        implicit_causality=_joint(cause.side if cause else "", gender),
        stereotype=_joint(role, _LETTERS[item.stereotype]),
        subject=gender if syntax.subject else "N",
        pronoun=_joint(role, gender),
        default_masculine=_default(item, role) if target == "ru" else None,
        ambiguity="ambiguous" if gender == "N" else "unambiguous",
        role=role,
        recent=syntax.recent,
        gender=gender,
        verb=str(cause.verb) if cause else None,
        expects_focus=cause.side == role if cause else None,
        connective=cause.connective if cause else None,
    )


def _joint(side: str, gender: str) -> str:
    return f"{side} {gender}" if side and gender != "N" else "N"


def _default(item: Item, role: str) -> str:
    return role if item.noun.lower() in default_masculine() else "no default"


@cache
def default_masculine() -> dict[str, str]:
    """English nouns whose Russian noun is masculine for everyone → that noun.

    >>> default_masculine()["physician"]
    'врач'
    """
    table = rows("default_masculine.tsv", "cuescope.data.cues")
    return {english: russian for english, russian, _ in table}
