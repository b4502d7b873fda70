"""The English word lists of this package, kept out of the code."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def _lists() -> dict[str, frozenset[str]]:
    text = files("cuescope.data").joinpath("english.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, words in rows}


def word_list(name: str) -> frozenset[str]:
    """The words of one list in `english.tsv`.

    >>> "must" in word_list("modals")
    True
    """
    return _lists()[name]
