"""Mends that act on translations: who is meant, what became of each sentence, and the `with`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from cuescope.data.items import Item
from cuescope.errors import CueScopeError
from cuescope.inside.heads import signed
from cuescope.models.decoding import Hypothesis
from cuescope.models.turn import alone

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

CHANGED = frozenset({"chosen", "contrasted"})


class Referents(Protocol):
    """Says whose pronoun it is: an item with noun and cue, or why nothing can be said."""

    name: str

    def find(self, text: str) -> Item | str:
        """The noun that the cue of this sentence means, or a reason."""
        ...


class Given:
    """Referents that the user gives, by sentence; of other sentences nothing is known.

    >>> item = Item("The nurse said he left.", (4, 9), (15, 17), "male")
    >>> Given([item]).find(item.text) is item, Given([item]).find("It rains.")
    (True, 'no referent is given')
    """

    name = "given referents"

    def __init__(self, items: Iterable[Item]) -> None:
        self._known: dict[str, Item | str] = {}
        for item in items:
            before = self._known.setdefault(item.text, item)
            if isinstance(before, str) or (before.focus, before.gold) != (item.focus, item.gold):
                self._known[item.text] = "two referents are given"

    def find(self, text: str) -> Item | str:
        """The item of this very sentence."""
        return self._known.get(text, "no referent is given")


@dataclass(frozen=True)
class Outcome:
    """What became of one translation, and why; `plain` where another one took its place."""

    text: str
    made: Hypothesis
    reason: str
    plain: Hypothesis | None = None


@dataclass
class Log:
    """Every sentence that was translated inside the `with`, counted by what became of it."""

    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """How many sentences had each outcome, the most frequent first."""
        return dict(Counter(one.reason for one in self.outcomes).most_common())

    @property
    def changed(self) -> int:
        """How many translations are not the plain ones."""
        return sum(one.reason in CHANGED for one in self.outcomes)

    def __str__(self) -> str:
        return "; ".join(f"{count} {reason}" for reason, count in self.counts.items())


Reviser = Callable[[Sequence[str], list[Hypothesis]], Iterable[Outcome]]


@alone
def revising(mt: Translator, said: str, reviser: Reviser) -> Iterator[Log]:
    """Translations go through the reviser, for as long as the `with`; signatures say so."""
    log, before = Log(), mt.revise

    def revise(texts: Sequence[str], found: list[Hypothesis], beam: int) -> list[Hypothesis]:
        if beam > 1:
            raise CueScopeError(
                "a translation is chosen step by step", expected="beam=1", found=f"beam={beam}"
            )
        if before is not None:
            found = before(texts, found, beam)
        outcomes = list(reviser(texts, found))
        log.outcomes += outcomes
        return [one.made for one in outcomes]

    with signed(mt, said):
        mt.revise = revise
        try:
            yield log
        finally:
            mt.revise = before
