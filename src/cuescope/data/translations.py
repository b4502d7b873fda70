"""A system's output: one translation a line, or `source ||| translation`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cuescope.data.files import at, read_lines
from cuescope.errors import CueScopeError

_BAR = "|||"


def read(path: str | Path, sources: Sequence[str]) -> list[str]:
    """The translations of `sources`, line by line; an empty one stays, as an empty text."""
    lines = read_lines(path)
    if any(_BAR in line for line in lines):
        given, found = split(path, lines)
        for number, (mine, theirs) in enumerate(zip(sources, given, strict=False)):
            if " ".join(mine.split()) != " ".join(theirs.split()):
                raise CueScopeError(
                    f"{at(path, number)}: this is not the source sentence of the challenge set",
                    expected=mine,
                    found=theirs,
                    do="put the lines into the order of the set",
                )
    else:
        found = [line.strip() for line in lines]
    if len(found) != len(sources):
        raise CueScopeError(
            f"{path}: translations and sources do not match line by line",
            expected=f"{len(sources)} lines",
            found=f"{len(found)}; the last one read: {at(path, max(len(found) - 1, 0))}",
            do="translate every sentence once, in order",
        )
    return found


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
