"""Italian."""

from __future__ import annotations

import re

from cuescope.gender.languages.romance import Romance
from cuescope.gender.languages.tables import beside

LANGUAGE = Romance(
    code="it",
    nouns=beside("it.lexicon"),
    grammar=beside("it.grammar"),
    equivalents=beside("it.align"),
    shortened=frozenset(
        {"po'", "mo'", "be'", "to'", "di'", "da'", "fa'", "va'", "sta'", "ve'", "fra'"}
    ),
    contractions={
        stem + ending: (preposition, article)
        for preposition, stem in {"a": "a", "da": "da", "di": "de", "in": "ne", "su": "su"}.items()
        for ending, article in {
            "l": "il",
            "llo": "lo",
            "lla": "la",
            "ll'": "l'",
            "i": "i",
            "gli": "gli",
            "lle": "le",
        }.items()
    }
    | {"col": ("con", "il"), "coi": ("con", "i")},
    partners="il/la lo/la i/le gli/le un/una uno/una del/della dello/della dei/delle degli/delle "
    "al/alla allo/alla ai/alle agli/alle dal/dalla dallo/dalla nel/nella sul/sulla questo/questa "
    "quel/quella quello/quella",
    elided={
        "il": "l'",
        "la": "l'",
        "del": "dell'",
        "della": "dell'",
        "al": "all'",
        "alla": "all'",
    },
    onset=re.compile(r"(s[^aeiouàèéìòùh]|z|gn|ps|x|y|pn)", re.IGNORECASE),
    lengthened={
        "il": "lo",
        "un": "uno",
        "del": "dello",
        "al": "allo",
        "dal": "dallo",
        "quel": "quello",
    },
    plurals=(
        ("uomo", ("uomini",)),
        ("dio", ("dei",)),
        ("tore", ("tor", "tori")),
        ("sore", ("sor", "sori")),
        ("co", ("ci", "chi")),
        ("go", ("gi", "ghi")),
        ("io", ("i", "ii")),
        ("ca", ("che", "chi")),
        ("ga", ("ghe", "ghi")),
        ("cia", ("ce", "cie")),
        ("gia", ("ge", "gie")),
        ("o", ("i",)),
        ("a", ("e", "i")),
        ("e", ("i",)),
        ("", ("", "s")),
    ),
    vowel_plurals=True,
    clitics=re.compile(
        r"(?:\w\w[aeou]r|\w\wir|^(?:fa|da|di|sta|po)r|ndo|[aiu]t[oaei])"  # not parla, perla
        r"(?:me|te|se|ce|ve|glie)?(lo|la|li|le|gli)$"
    ),
    masculine_clitics=frozenset({"lo", "li", "gli"}),
    objects={"la": "feminine", "lo": "masculine", "le": "feminine", "gli": "masculine"},
    datives=frozenset({"le", "gli"}),
    reflexives=frozenset({"si"}),
    people=frozenset({"lui", "lei", "egli", "ella", "le", "gli"}),
    participle=re.compile(r"[ts][oaei]$"),
    masculine_participle=re.compile(r"o$"),
    agreeing=True,
    bare_apostrophes=True,
)
