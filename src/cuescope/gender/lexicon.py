"""The project's own lists of profession words: English noun → forms in the target language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Entry:
    """The forms of one English noun, dictionary case and number (singular, nominative)."""

    english: str
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    epicene: tuple[str, ...]  # one form for both: the phrase around it decides
    loose: frozenset[str] = frozenset()  # of these, what translates the noun only now and then


@cache
def lexicon(lang: str) -> dict[str, Entry]:
    """Entries by English noun, from `lexica/LANG.tsv` (english, masculine, feminine, epicene).

    A column holds forms separated by `|`; after a `;` come the loose ones.
    """
    table = files("cuescope.gender").joinpath("lexica", f"{lang}.tsv").read_text("utf-8")
    entries: dict[str, Entry] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        english, *columns = line.split("\t")
        halves = [column.partition(";") for column in columns]
        forms = [_split(usual) + _split(loose) for usual, _, loose in halves]
        masculine, feminine, epicene = (forms + [()] * 3)[:3]
        loose = frozenset(form for _, _, half in halves for form in _split(half))
        entries[english] = Entry(english, masculine, feminine, epicene, loose)
    return entries


def _split(column: str) -> tuple[str, ...]:
    return tuple(filter(None, column.split("|")))
