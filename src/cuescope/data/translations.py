"""A system's output: a translation a line, `source ||| translation`, TSV or JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cuescope.data.columns import BAR as _BAR
from cuescope.data.columns import pick, spaced, tables
from cuescope.errors import CueScopeError
from cuescope.files import at, read_lines

TOLERATED = 0.01


class Translations(NamedTuple):
    """A translation per source, and the lines to leave out of every count, with the reason."""

    texts: list[str]
    skipped: dict[int, str]


def read(path: str | Path, sources: Sequence[str]) -> Translations:
    """The translations of `sources`, line by line; an empty one stays, as an empty text.

    A few sources that differ (another release of the set) are skipped with the reason; more
    than one in a hundred means the wrong file or order, and is an error. TSV and JSON lines are
    read where it is clear which column is which, and refused where it is not.
    """
    lines = read_lines(path)
    skipped: dict[int, str] = {}
    given: Sequence[str] = sources
    if any(_BAR in line for line in lines):
        given, texts = split(path, lines)
    elif rows := tables(path, lines):
        given, texts = pick(path, rows, sources)
    else:
        texts = [line.strip() for line in lines]
    for number, (mine, theirs) in enumerate(zip(sources, given, strict=False)):
        if spaced(mine) != spaced(theirs):
            skipped[number] = f"{at(path, number)} translates another sentence: {theirs}"
    if len(skipped) > TOLERATED * len(sources):
        first = min(skipped)
        raise CueScopeError(
            f"{at(path, first)}: this is not the source sentence of the challenge set",
            expected=sources[first],
            found=f"{given[first]} ({len(skipped)} lines differ)",
            do="put the lines into the order of the set",
        )
    if len(texts) != len(sources):
        raise CueScopeError(
            f"{path}: translations and sources do not match line by line",
            expected=f"{len(sources)} lines",
            found=f"{len(texts)}; the last one read: {at(path, max(len(texts) - 1, 0))}",
            do="translate every sentence once, in order",
        )
    return Translations(texts, skipped)


def split(path: str | Path, lines: Sequence[str] | None = None) -> tuple[list[str], list[str]]:
    """Sources and translations of a `source ||| translation` file."""
    sources, found = [], []
    for number, line in enumerate(read_lines(path) if lines is None else lines):
        source, bar, translation = line.partition(_BAR)
        if not bar or _BAR in translation:
            raise CueScopeError(
                f"{at(path, number)}: wrong number of columns",
                expected=f"source {_BAR} translation",
                found=repr(line[:80]),
            )
        sources.append(source.strip())
        found.append(translation.strip())
    return sources, found
