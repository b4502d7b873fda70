"""Ukrainian."""

from __future__ import annotations

from cuescope.gender.languages.language import Language
from cuescope.gender.languages.tables import beside

LANGUAGE = Language(
    code="uk",
    reader="cuescope.gender.slavic.reader",
    nouns=beside("uk.lexicon"),
    equivalents=beside("uk.align"),
    classes={"nouns": beside("uk.nouns")},
    past=(("вся", "лася"), ("в", "ла")),  # the gendered word of a Slavic clause
)
