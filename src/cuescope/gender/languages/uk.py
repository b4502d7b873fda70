"""Ukrainian."""

from __future__ import annotations

from cuescope.gender.languages.slavic import Slavic
from cuescope.gender.languages.tables import beside

# Masculine endings: of most nouns, and of those that have two ways (пекару, пекарю).
_HARD, _SOFT = "а у ом ові і и ів ам ами ах", "я ю ем еві ям ями ях"

LANGUAGE = Slavic(
    code="uk",
    nouns=beside("uk.lexicon"),
    equivalents=beside("uk.align"),
    classes={"nouns": beside("uk.nouns")},
    past=(("вся", "лася"), ("в", "ла")),  # the gendered word of a Slavic clause
    surnames_last=True,  # вона, нова, пекар
    short_forms=False,  # лікарка зайнята
    predicates=("повинн",),  # лікар повинна
    clause_ends=frozenset({"та"}),
    spoken=(
        ("ець", "ц", "я ю ем еві і ів ям ями ях"),
        *((ending, ending, f"{_HARD} {_SOFT}") for ending in ("ар", "яр", "ир")),
        *((consonant, consonant, _HARD) for consonant in "бвгджзйклмнпрстфхцчшщ"),
    ),
)
