"""How good an alignment is: links marked by hand, and F1 against them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cuescope.align.alignment import Alignment
from cuescope.align.symmetrise import Links
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines


class GoldPair(NamedTuple):
    """A sentence pair and its links, by the indices of `cuescope.gender.words.words`."""

    source: str
    target: str
    links: Links


def read_gold(path: Path) -> list[GoldPair]:
    """Gold links from a table: source, target, links such as `0-0 1-2`; `#` begins a comment."""
    found = []
    for number, line in enumerate(read_lines(path)):
        if not line or line.startswith("#"):
            continue
        try:
            source, target, links = line.split("\t")
            pairs = [link.split("-") for link in links.split()]
            found.append(GoldPair(source, target, frozenset((int(i), int(j)) for i, j in pairs)))
        except ValueError as error:
            raise CueScopeError(
                f"{at(path, number)}: not a gold alignment",
                expected="source, target and links such as 0-0 1-2, separated by tabs",
                found=repr(line[:80]),
            ) from error
    return found


def f1(found: Iterable[Alignment], gold: Iterable[GoldPair]) -> float:
    """F1 of the links; where all gold links are sure, this is 1 - AER.

    >>> pair = Alignment((), (), ((0, 0), (1, 1)), ("en", "it"))
    >>> round(f1([pair], [GoldPair("", "", frozenset({(0, 0)}))]), 3)
    0.667
    """
    pairs = [(set(a.links), g.links) for a, g in zip(found, gold, strict=True)]
    right, total = sum(len(a & g) for a, g in pairs), sum(len(a) + len(g) for a, g in pairs)
    return 2 * right / total if total else 1.0
