"""What the Slavic reader asks of a language, beside what every language has."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from cuescope.gender.languages.language import Language


@dataclass(frozen=True, eq=False)
class Slavic(Language):
    """A Slavic language that pymorphy3 has a dictionary of."""

    reader: str | ModuleType | object | None = "cuescope.gender.slavic.reader"
    surnames_last: bool = False  # the dictionary lists every surname: other readings come first
    short_forms: bool = True  # of a predicate; without them an adjective stands there:
    predicates: tuple[str, ...] = ()  # at the end of a clause, and these stems anywhere
    clause_ends: frozenset[str] = frozenset()  # beside those of all Slavic languages
    # Masculine endings that translations use beside the dictionary's: (ending, what of it stays,
    # the endings of the other cases); the first that fits.
    spoken: tuple[tuple[str, str, str], ...] = ()
