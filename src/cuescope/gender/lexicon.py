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


@cache
def lexicon(lang: str) -> dict[str, Entry]:
    """Entries by English noun, from `lexica/LANG.tsv` (english, masculine, feminine, epicene)."""
    table = files("cuescope.gender").joinpath("lexica", f"{lang}.tsv").read_text("utf-8")
    entries: dict[str, Entry] = {}
    for line in table.splitlines():
        if not line or line.startswith("#"):
            continue
        english, *columns = line.split("\t")
        forms = [tuple(filter(None, column.split("|"))) for column in columns]
        entries[english] = Entry(english, *(forms + [()] * (3 - len(forms))))
    return entries
