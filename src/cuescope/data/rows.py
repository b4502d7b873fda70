"""Pairs from a list or a DataFrame: words in place of offsets, twins found or made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuescope.data import plain
from cuescope.data.contrast import contrast, pair
from cuescope.data.items import Item, Pair, Pairs
from cuescope.data.pronouns import pronouns
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    import pandas as pd

Row = Sequence[str] | Mapping[str, Any]
_NAMES = ("text", "focus", "cue", "gold", "pair")


def pairs(given: Sequence[Row] | pd.DataFrame, *, all_pairs: bool = False) -> Pairs:
    """Twins from (sentence, noun, cue) rows, or from a DataFrame with the columns of a TSV file.

    The gender is the cue's, unless a fourth entry (the column `gold`) says it. Rows with one `pair`
    number, or that differ only in their cue, are twins; to one that is alone its twin is made.

    >>> pairs([("The nurse left as she was ill.", "nurse", "she")])[0].anti.text
    'The nurse left as he was ill.'
    """
    rows = [_named(row, at) for at, row in enumerate(_listed(given))]
    items = [plain.item(row, at, at, "the rows") for at, row in enumerate(map(_gendered, rows))]
    if not items:
        raise CueScopeError("no rows to make pairs of", expected="(sentence, noun, cue)", found="0")
    numbered = [item for item in items if item.pair is not None]
    if numbered:
        if len(numbered) < len(items):
            raise CueScopeError(
                "some rows have a pair number, some have none",
                expected="one in every row, or in none",
                found=f"{len(numbered)} of {len(items)}",
            )
        return plain.paired(items, "the rows", all_pairs=all_pairs)
    return Pairs(_twins(items), all_pairs=all_pairs)


def _listed(given: Any) -> list[Row]:
    """The rows of a list or of a DataFrame, whose empty cells are nothing."""
    if not hasattr(given, "to_dict"):
        return list(given)
    rows = given.to_dict("records")
    return [{k: v for k, v in row.items() if v is not None and v == v} for row in rows]


def _named(row: Row, at: int) -> dict[str, Any]:
    if isinstance(row, Mapping):
        plain.check_names(list(row), "the rows", at, needed=("text", "focus"))
        return dict(row)
    if isinstance(row, str) or not 2 <= len(row) <= len(_NAMES):
        raise CueScopeError(
            f"the rows, row {at + 1}: not a sentence with its noun and its cue",
            expected='("The nurse left as she was ill.", "nurse", "she")',
            found=repr(row)[:120],
        )
    return {name: value for name, value in zip(_NAMES, row, strict=False) if value is not None}


def _gendered(row: dict[str, Any]) -> dict[str, Any]:
    """With the gender of its cue, where none is said."""
    if "gold" in row or "cue" not in row:
        return row
    known = {p.gender for p in pronouns(str(row["cue"]))}
    return {**row, "gold": known.pop()} if len(known) == 1 else row


def _twins(items: Sequence[Item]) -> list[Pair]:
    """Each row with the first that differs from it only in the cue, or with a twin made for it."""
    found: list[Pair] = []
    alone = list(items)
    while alone:
        first = alone.pop(0)
        made = (pair(*_in_order(first, other), len(found)) for other in alone)
        whole = next((one for one in made if one.minimal), None)
        if whole is not None:
            alone.remove(whole.anti if whole.pro is first else whole.pro)
        else:
            versions = contrast(first)
            other = versions.he if first.gold == "female" else versions.she
            whole = pair(*_in_order(first, other), len(found))
        found.append(whole)
    return found


def _in_order(first: Item, second: Item) -> tuple[Item, Item]:
    """The one that follows the stereotype, or comes first, as `pro`."""
    return (second, first) if first.stereotyped == "anti" else (first, second)
