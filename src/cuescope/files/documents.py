"""JSON, YAML and CSV of strangers: what cannot be taken is said in words, with where it stands.

The libraries raise much that is no error of theirs: numbers of a thousand digits, brackets that
nest too deep, halves of characters, aliases that unfold into gigabytes.
"""

from __future__ import annotations

import csv
import json
import re
import reprlib
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from cuescope.errors import CueScopeError, first_line

MOST_ALIASES = 24  # however they are nested, so few unfold into a few thousand entries
_DEEPEST = 64
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def json_of(text: str | bytes, what: str, do: str = "") -> Any:
    """The JSON of a text; `what` is said if it is none."""
    try:
        found = json.loads(text)
        if _HALF.search(text if isinstance(text, str) else text.decode()):
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise CueScopeError(what, expected="JSON", found=_said(error), do=do) from None
    return found


def yaml_of(text: str, where: str, do: str = "") -> Any:
    """The YAML of a text: plain values alone, and no more than a few aliases."""
    import yaml

    try:
        aliases = depth = 0
        for event in yaml.parse(text):
            aliases += isinstance(event, yaml.AliasEvent)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise RecursionError
        if aliases <= MOST_ALIASES:
            found = yaml.safe_load(text)
            json.dumps(found, ensure_ascii=False, default=str, skipkeys=True).encode()
            return found
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError) as error:
        raise CueScopeError(
            f"{where} is not YAML", expected="YAML", found=_said(error), do=do
        ) from None
    raise CueScopeError(
        f"{where} has too many aliases",
        expected=f"at most {MOST_ALIASES} (`*name`)",
        found=str(aliases),
        do="write out what they stand for",
    )


def csv_of(lines: Iterable[str], where: str) -> list[list[str]]:
    """The rows of a CSV."""
    try:
        return list(csv.reader(lines))
    except csv.Error as error:
        raise CueScopeError(f"{where} is not CSV", expected="CSV", found=str(error)) from None


def checksum(record: object) -> int:
    """A checksum of plain data: a bit that flipped on the disk is seen."""
    return crc32(json.dumps(record, ensure_ascii=False).encode())


def short(value: object) -> str:
    """A value for a complaint: a few of its entries, however many it has."""
    return reprlib.repr(value)


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "brackets that nest too deep"
    if isinstance(error, UnicodeError):
        return f"something that is no Unicode text ({error.reason})"  # type: ignore[attr-defined]
    return " ".join(str(error).split())[:300] or first_line(error)
