"""The English word lists of this package, kept out of the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def rows(name: str, package: str = "cuescope.data") -> list[list[str]]:
    """The rows of a table that comes with the package; lines that begin with # are notes.

    >>> rows("default_masculine.tsv", "cuescope.data.cues")[0][:2]
    ['accountant', 'бухгалтер']
    """
    text = files(package).joinpath(name).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if line[:1] not in ("", "#")]


@cache
def _lists() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in rows("english.tsv")}


def word_list(name: str) -> frozenset[str]:
    """The words of one list in `english.tsv`.

    >>> "must" in word_list("modals")
    True
    """
    return _lists()[name]
