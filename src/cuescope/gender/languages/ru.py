"""Russian."""

from __future__ import annotations

from cuescope.gender.languages.slavic import Slavic
from cuescope.gender.languages.tables import beside

LANGUAGE = Slavic(
    code="ru",
    nouns=beside("ru.lexicon"),
    equivalents=beside("ru.align"),
    classes={"nouns": beside("ru.nouns")},
    past=(("лся", "лась"), ("л", "ла")),  # the gendered word of a Slavic clause
)
