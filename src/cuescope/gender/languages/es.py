"""Spanish."""

from __future__ import annotations

import re

from cuescope.gender.languages.romance import Romance
from cuescope.gender.languages.tables import beside

LANGUAGE = Romance(
    code="es",
    nouns=beside("es.lexicon"),
    grammar=beside("es.grammar"),
    equivalents=beside("es.align"),
    cuts=None,  # no elisions
    contractions={"al": ("a", "el"), "del": ("de", "el")},
    partners="el/la los/las un/una unos/unas al/a_la del/de_la este/esta ese/esa aquel/aquella "
    "nuestro/nuestra algún/alguna ningún/ninguna otro/otra",
    plurals=(
        ("ón", ("ones",)),
        ("án", ("anes",)),
        ("ín", ("ines",)),
        ("én", ("enes",)),
        ("és", ("eses",)),
        ("oven", ("óvenes",)),
        ("z", ("ces",)),
        ("í", ("íes", "ís")),
        ("s", ("s",)),
        *((v, (v + "s",)) for v in "aeoáéóú"),
        ("", ("es", "s")),
    ),
    accented=("ica", "icas", "ico", "icos"),
    clitics=re.compile(
        r"(?:\w\w[aeiáéí]r|^(?:da|ve|se|i)r|ndo)(?:me|te|se|nos)?(l[oa]s?)$"  # not Carla, perla
    ),
    masculine_clitics=frozenset({"lo", "los"}),
    objects={"la": "feminine", "lo": "masculine"},
    datives=frozenset({"le", "les"}),
    reflexives=frozenset({"se"}),
    people=frozenset({"él", "ella"}),
    participle=re.compile(r"(?:[dts]|ch)o$"),
    masculine_participle=re.compile(r"o$"),
)
