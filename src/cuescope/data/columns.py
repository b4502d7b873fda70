"""Which column of a file holds the sources, and which the translations: TSV, JSON lines, bars."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cuescope.errors import CueScopeError
from cuescope.files import at
from cuescope.files.documents import json_of

BAR = "|||"
NAMES = ("translation", "target", "hypothesis", "output", "mt", "tgt")  # what people call it
ALIKE = 0.99  # of the lines of a column that must be the set's own sentences
Row = dict[str, str]


def tables(path: str | Path, lines: Sequence[str]) -> list[Row] | None:
    """The rows of JSON lines or of a TSV file, by column; None if it is plain text.

    >>> tables("out.tsv", ["A cook.\\tUn cuoco."])
    [{'column 1': 'A cook.', 'column 2': 'Un cuoco.'}]
    """
    full = [line for line in lines if line.strip()]
    if full and all(line.strip().startswith("{") and line.strip().endswith("}") for line in full):
        return [_object(path, number, line) for number, line in enumerate(lines)]
    tabbed = sum("\t" in line for line in full)
    if not full or tabbed <= len(full) / 2:
        return None
    widths = {line.count("\t") for line in full}
    if len(widths) > 1 or tabbed < len(full):
        raise CueScopeError(
            f"{path}: some lines have tabs, in other numbers than others",
            expected=f"one translation a line, source {BAR} translation, or as many columns in all",
            found=f"{tabbed:,} of {len(full):,} lines with a tab",
        )
    return [
        {f"column {place}": cell.strip() for place, cell in enumerate(line.split("\t"), 1)}
        for line in lines
    ]


def _object(path: str | Path, number: int, line: str) -> Row:
    found = json_of(line, f"{at(path, number)}: not JSON") if line.strip() else {}
    return {str(key): value.strip() for key, value in found.items() if isinstance(value, str)}


def pick(path: str | Path, rows: Sequence[Row], sources: Sequence[str]) -> tuple[list[str], ...]:
    """(sources, translations) of a table's rows: the column that is the set's sentences, and the
    one beside it that is named or alone. No other is guessed at."""
    named = dict(rows[0])
    if len(rows) == len(sources) + 1 and {v.lower() for v in named.values()} & {*NAMES}:
        rows = [{named.get(key, key).lower(): v for key, v in row.items()} for row in rows[1:]]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    own = [key for key in keys if _alike([row.get(key, "") for row in rows], sources)]
    others = [key for key in keys if key not in own]
    wanted = [key for key in others if key in NAMES] or (others if own else [])
    if len(wanted) != 1:
        raise CueScopeError(
            f"{path}: which column holds the translations?",
            expected=f"one called {NAMES[0]}, or one alone beside that of the source sentences",
            found=", ".join(keys[:8]) + ("" if own else "; none holds the source sentences"),
            do="write one translation a line, or `source ||| translation`",
        )
    texts = [row.get(wanted[0], "") for row in rows]
    return ([row.get(own[0], "") for row in rows] if own else list(sources[: len(rows)])), texts


def _alike(column: Sequence[str], sources: Sequence[str]) -> bool:
    same = sum(spaced(a) == spaced(b) for a, b in zip(column, sources, strict=False))
    return bool(sources) and same >= ALIKE * len(sources)


def spaced(text: str) -> str:
    """The text with single spaces, by which sentences are compared."""
    return " ".join(text.split())
