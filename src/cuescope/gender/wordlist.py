"""Word classes kept as tables beside the lexica: one class a line, its words separated by `|`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def wordlist(name: str) -> Mapping[str, frozenset[str]]:
    """The classes of `lexica/NAME.tsv`.

    >>> "sehr" in wordlist("de_words")["adverb"]
    True
    """
    table = files("cuescope.gender").joinpath("lexica", f"{name}.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and line[0] != "#")
    return {kind: frozenset(listed.split("|")) for kind, listed in rows}
