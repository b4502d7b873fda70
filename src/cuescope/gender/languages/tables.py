"""The tables of a language: shipped beside its file, or a user's own text or path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from cuescope.errors import CueScopeError

Table = str | Traversable  # rows with tabs, or the path of a file of them


@dataclass(frozen=True)
class Entry:
    """The forms of one English noun, dictionary case and number (singular, nominative)."""

    english: str
    masculine: tuple[str, ...]
    feminine: tuple[str, ...]
    epicene: tuple[str, ...]  # one form for both: the phrase around it decides
    loose: frozenset[str] = frozenset()  # of these, what translates the noun only now and then,
    seldom: frozenset[str] = frozenset()  # and what is as likely another person of the sentence


def beside(name: str) -> Traversable:
    """A table that lies beside the languages of the project."""
    return files(__package__).joinpath(f"{name}.tsv")


def rows(table: Table, columns: str) -> Iterator[list[str]]:
    """The rows of a table; lines that begin with # are notes. Too few columns are an error."""
    given = isinstance(table, str) and ("\t" in table or "\n" in table)
    if not table:
        return
    where = "the table given" if given else str(table)
    try:
        place = Path(table) if isinstance(table, str) and not given else table
        text = place if isinstance(place, str) else place.read_text("utf-8")
    except (OSError, ValueError) as error:  # no such file; no text in UTF-8
        raise CueScopeError(
            f"a table of the language cannot be read: {where}",
            expected=f"rows of {columns}, or the path of a file of them",
            found=str(error),
        ) from error
    least = 1 + columns.split("[")[0].count(",")
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        row = line.split("\t")
        if len(row) < least:
            raise CueScopeError(
                f"{where}, line {number}: too few columns",
                expected=f"{columns}, separated by tabs",
                found=repr(line[:80]),
            )
        yield row


def entries(table: Table) -> dict[str, Entry]:
    """The nouns of a lexicon by their English: english, masculine, feminine, epicene.

    A column holds forms separated by `|`; after a `;` come the loose ones, after another those that
    are seldom meant.

    >>> entries("mechanic\\tmecànic\\tmecànica")["mechanic"].feminine
    ('mecànica',)
    """
    found: dict[str, Entry] = {}
    for english, *columns in rows(table, "english, masculine [, feminine, epicene]"):
        parts = [[_split(part) for part in (f"{column};;").split(";")[:3]] for column in columns]
        forms = [usual + loose + seldom for usual, loose, seldom in parts]
        masculine, feminine, epicene = (forms + [()] * 3)[:3]
        further = (frozenset(form for part in parts for form in part[at]) for at in (1, 2))
        found[english] = Entry(english, masculine, feminine, epicene, *further)
    return found


def _split(column: str) -> tuple[str, ...]:
    return tuple(filter(None, column.split("|")))


def classes(table: Table) -> Mapping[str, frozenset[str]]:
    """Word classes: one a line, its words separated by `|`.

    >>> sorted(classes("adverb\\tsehr|ganz")["adverb"])
    ['ganz', 'sehr']
    """
    return {kind: frozenset(listed.split("|")) for kind, listed, *_ in rows(table, "class, words")}
