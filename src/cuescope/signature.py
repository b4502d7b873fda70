"""Signatures: the short line from which a result can be reproduced."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from cuescope._version import __version__

_SHOWN = ("show", "commands")  # pages, pictures, options: no number is made there


class Signature(Mapping[str, str]):
    """An ordered, immutable set of facts behind a number, printed on one line.

    >>> Signature(data="simplegen", seed=7).without_version()
    'data:simplegen|seed:7'
    """

    def __init__(self, facts: Mapping[str, object] | None = None, /, **more: object) -> None:
        given = {**(facts or {}), **more}
        given.pop("version", None)
        self._facts = MappingProxyType({k: str(v) for k, v in given.items()})

    def __getitem__(self, key: str) -> str:
        return f"{__version__}+{code()}" if key == "version" else self._facts[key]

    def __iter__(self) -> Iterator[str]:
        return iter([*self._facts, "version"])

    def __len__(self) -> int:
        return len(self._facts) + 1

    def __or__(self, other: Mapping[str, object]) -> Signature:
        """The facts of both; the right one wins."""
        return Signature({**self, **other})

    def __reduce__(self) -> tuple[type[Signature], tuple[dict[str, str]]]:
        """So that it can go to a worker and come back."""
        return Signature, (dict(self._facts),)

    def without_version(self) -> str:
        """The facts alone, as they are compared across releases."""
        return "|".join(f"{k}:{v}" for k, v in self._facts.items())

    def __str__(self) -> str:
        return "|".join(f"{k}:{v}" for k, v in self.items())

    def __repr__(self) -> str:
        return f"Signature({self})"


@cache
def code() -> str:
    """Short hash of the code and tables that bear on numbers: between releases they change too."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        place = path.relative_to(package)
        if place.parts[0] in _SHOWN or "__pycache__" in place.parts or not path.is_file():
            continue
        digest.update(str(place).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:7]


def hash_text(lines: Iterable[str]) -> str:
    """Short hash of some lines of text, for the data's place in a signature."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()[:12]


def hash_file(path: Path) -> str:
    """Full sha256 of a file, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
