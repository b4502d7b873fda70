"""Challenge sets: WinoMT, SimpleGEN, relationships, and a user's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cuescope.data import plain, reference, relationships, rows, simplegen, winomt
from cuescope.data.contrast import contrast
from cuescope.data.items import ContrastSet, Gold, Item, Pair, Pairs, Span
from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ContrastSet", "Gold", "Item", "Pair", "Pairs", "Span", "contrast", "load", "pairs"]

NAMES = ("simplegen", "winomt", "winomt:DIR", "relationships", "a .tsv or .jsonl file")


def load(spec: str | Path) -> list[Item]:
    """All items of a challenge set.

    >>> len(load("simplegen"))
    2664
    """
    name, place = _split(spec)
    if name == "simplegen":
        return [item for name in simplegen.SETS for item in simplegen.items(name)]
    if name == "relationships":
        return [item for lang in relationships.LANGUAGES for item in relationships.items(lang)]
    if name == "winomt":
        return [item for items in winomt.folder(place).values() for item in items]
    return plain.read(place)


def pairs(
    name: str | Sequence[Any] | pd.DataFrame,
    path: str | Path | None = None,
    *,
    all_pairs: bool = False,
    skip_bad: bool = False,
    unfit: plain.Unfit | None = None,
) -> Pairs:
    """The minimal pairs of a set; those that differ in more than the cue only with `all_pairs`.

    A set by its name, or one's own: (sentence, noun, cue) rows, or a DataFrame. With `skip_bad`,
    rows of a file that cannot be read, or whose sentence is `unfit`, are skipped and named in
    `.bad`.

    >>> pairs("simplegen")
    Pairs(1314 pairs, 18 left out)
    >>> pairs("simplegen").left_out[0].reason
    "words differ: '.' / '!'"
    >>> pairs([("The cook left as he was ill.", "cook", "he")])
    Pairs(1 pairs, 0 left out)
    """
    if not isinstance(name, str | Path):
        return rows.pairs(name, all_pairs=all_pairs)
    kind, place = _split(name if path is None else f"{name}:{path}")
    if kind == "simplegen":
        return simplegen.pairs(all_pairs=all_pairs)
    if kind == "relationships":
        return Pairs(pair for lang in relationships.LANGUAGES for pair in relationships.pairs(lang))
    if kind == "winomt":
        return winomt.pairs(place, all_pairs=all_pairs)
    return plain.pairs(place, all_pairs=all_pairs, skip_bad=skip_bad, unfit=unfit)


def place(spec: str) -> str:
    """The folder or file that a set is read from; empty for the shipped ones."""
    return _split(spec)[1]


def _split(spec: str | Path) -> tuple[str, str]:
    """The kind of set and its place: `winomt:DIR`, or where the reference data are, or a file."""
    name, _, place = str(spec).partition(":")
    if name == "winomt" and not place:
        return name, str(reference.find(name))
    if name in ("simplegen", "relationships", "winomt"):
        return name, place
    if str(spec).endswith((".tsv", ".jsonl", ".json")):
        return "plain", str(spec)
    raise CueScopeError("no such challenge set", expected=", ".join(NAMES), found=repr(str(spec)))
