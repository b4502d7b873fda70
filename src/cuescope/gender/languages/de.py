"""German."""

from __future__ import annotations

import re

from cuescope.gender.languages.language import Language
from cuescope.gender.languages.tables import beside

LANGUAGE = Language(
    code="de",
    reader="cuescope.gender.german.reader",
    nouns=beside("de.lexicon"),
    equivalents=beside("de.align"),
    classes={"words": beside("de.words"), "nouns": beside("de.nouns")},
    cuts=re.compile("(?='(?:s|n|ne|nen|nem|ner)$)"),
    contractions={
        form: (preposition, article)
        for preposition, forms in {
            "an": ("am dem", "ans das"),
            "auf": ("aufs das",),
            "bei": ("beim dem",),
            "durch": ("durchs das",),
            "für": ("fürs das",),
            "in": ("im dem", "ins das"),
            "um": ("ums das",),
            "von": ("vom dem",),
            "zu": ("zum dem", "zur der"),
        }.items()
        for form, article in (pair.split() for pair in forms)
    },
    partners="der/die den/die dem/der des/der ein/eine einen/eine einem/einer eines/einer "
    "dieser/diese diesen/diese diesem/dieser kein/keine keinen/keine keinem/keiner "
    "vom/von_der zum/zur beim/bei_der im/in_der am/an_der mein/meine sein/seine ihr/ihre",
)
