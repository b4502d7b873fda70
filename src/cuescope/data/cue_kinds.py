"""What kind of word a cue is: a pronoun, a relative, a name, another word."""

from __future__ import annotations

from typing import Literal

from cuescope.data.items import Item
from cuescope.data.pronouns import GENDER

Kind = Literal["pronouns", "relatives", "names", "other words"]
RELATIVES = frozenset(
    "wife husband mother father mum mom dad sister brother girlfriend boyfriend daughter son aunt "
    "uncle niece nephew grandmother grandfather granddaughter grandson fiancée fiancé".split()
)


def kind_of(item: Item) -> Kind | None:
    """The kind of an item's cue; a capital inside the sentence makes a name. None without a cue.

    >>> text = "The nurse is my sister."
    >>> kind_of(Item(text, (4, 9), (16, 22), "female"))
    'relatives'
    """
    if item.cue is None:
        return None
    word = item.text[slice(*item.cue)]
    if word.lower() in GENDER:
        return "pronouns"
    if word.lower() in RELATIVES:
        return "relatives"
    return "names" if word[0].isupper() and item.cue[0] > 0 else "other words"
