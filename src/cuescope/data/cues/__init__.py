"""Bias cues of paper B on any challenge set: what in a sentence suggests a gender."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cuescope.data.cues.levels import CUES, Cues, cues
from cuescope.data.cues.names import NAMES, Named, named
from cuescope.data.cues.rules import Rules
from cuescope.data.cues.syntax import Annotator
from cuescope.data.items import Item
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CUES", "NAMES", "Cues", "Named", "annotate", "cue_table", "named"]


def annotate(
    items: Iterable[Item], *, target: str | None = None, parser: str | Annotator = "rules"
) -> list[Cues]:
    """The bias cues of each item, in order.

    `parser` is "rules" or the name of an installed spaCy English model; `target` the language
    translated into: in Russian some nouns are masculine for everyone.

    >>> item = Item("The clerk envied the cook because she won.", (21, 25), (34, 37), "female")
    >>> found = annotate([item], target="ru")[0]
    >>> found.implicit_causality, found.verb, found.recency, found.subject
    ('O F', 'envy', 'F', 'N')
    """
    given = list(items)
    foreign = next((item for item in given if item.lang != "en"), None)
    if foreign is not None:
        raise CueScopeError(
            "bias cues are read in English sentences",
            expected="items in English",
            found=f"{foreign.lang}: {foreign.text[:60]!r}",
            do="leave those items out",
        )
    syntax = _annotator(parser).read(given)
    return [cues(item, found, target) for item, found in zip(given, syntax, strict=True)]


def cue_table(items: Iterable[Item], annotations: Iterable[Cues]) -> pd.DataFrame:
    """One row an item: what it is, and every cue's level; join measures to it by row.

    >>> item = Item("The cook left as she was ill.", (4, 8), (17, 20), "female")
    >>> cue_table([item], annotate([item])).loc[0, ["noun", "subject"]].tolist()
    ['cook', 'F']
    """
    import pandas as pd

    facts = ("text", "noun", "gold", "set", "line", "pair")
    rows = [
        {**{name: getattr(item, name) for name in facts}, **found.row()}
        for item, found in zip(items, annotations, strict=True)
    ]
    return pd.DataFrame(rows)


def _annotator(parser: str | Annotator) -> Annotator:
    if not isinstance(parser, str):
        return parser
    if parser == "rules":
        return Rules()
    from cuescope.data.cues.parsed import Parsed

    return Parsed(parser)
