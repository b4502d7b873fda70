"""Russian."""

from __future__ import annotations

from cuescope.gender.languages.language import Language
from cuescope.gender.languages.tables import beside

LANGUAGE = Language(
    code="ru",
    reader="cuescope.gender.slavic.reader",
    nouns=beside("ru.lexicon"),
    equivalents=beside("ru.align"),
    classes={"nouns": beside("ru.nouns")},
    past=(("лся", "лась"), ("л", "ла")),  # the gendered word of a Slavic clause
)
