"""Words for a person that a translation leaves in Latin letters: *Girls*, *chico*."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from cuescope.gender.languages.tables import classes


@cache
def _senses() -> dict[str, str]:
    table = classes(files(__package__).joinpath("foreign.tsv"))
    return {word: gender[0] for gender, words in table.items() for word in words}


def foreign(form: str) -> str | None:
    """The gender, m or f, of an English or Spanish word for a person.

    >>> foreign("Girls"), foreign("Tisch")
    ('f', None)
    """
    return _senses().get(form.lower())
