"""What an annotator must find out about a sentence; the levels of the cues follow from it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from cuescope.data.cues.causality import Bias, Verb
from cuescope.data.items import Item


class Cause(NamedTuple):
    """An implicit causality structure: two people, a biased verb, a causal connective, the cue.

    `side` is where the bias points on the surface: in a passive, subject and object change places.
    """

    verb: Verb
    side: Bias
    connective: str


class Syntax(NamedTuple):
    """The grammar around focus noun and cue."""

    subject: bool  # the focus noun is (part of) the subject of the main clause
    recent: bool  # it heads the last noun phrase before the pronoun
    cause: Cause | None


class Annotator(Protocol):
    """Reads the grammar of many items; its `name` goes into every result."""

    name: str

    def read(self, items: list[Item]) -> list[Syntax]:
        """The syntax of each item, in order."""
        ...
