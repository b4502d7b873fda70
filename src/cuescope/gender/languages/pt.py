"""Portuguese."""

from __future__ import annotations

import re

from cuescope.gender.languages.romance import Romance
from cuescope.gender.languages.tables import beside

LANGUAGE = Romance(
    code="pt",
    nouns=beside("pt.lexicon"),
    grammar=beside("pt.grammar"),
    equivalents=beside("pt.align"),
    contractions={
        onset + article: (preposition, article)
        for preposition, onset, articles in (
            ("a", "a", ("o", "os")),
            ("de", "d", ("o", "a", "os", "as", "um", "uma", "uns", "umas")),
            ("em", "n", ("o", "a", "os", "as", "um", "uma", "uns", "umas")),
            ("por", "pel", ("o", "a", "os", "as")),
        )
        for article in articles
    }
    | {"à": ("a", "a"), "às": ("a", "as")},
    partners="o/a os/as um/uma uns/umas do/da dos/das no/na nos/nas ao/à aos/às pelo/pela "
    "pelos/pelas dum/duma num/numa este/esta esse/essa aquele/aquela meu/minha seu/sua "
    "nosso/nossa algum/alguma nenhum/nenhuma outro/outra deste/desta desse/dessa neste/nesta "
    "ambos/ambas",
    plurals=(
        ("ão", ("ões", "ãos", "ães")),
        ("ês", ("eses",)),
        ("m", ("ns",)),
        ("al", ("ais",)),
        ("el", ("éis", "eis")),
        ("il", ("is", "eis")),
        ("ol", ("óis",)),
        ("ul", ("uis",)),
        ("s", ("s",)),
        ("uiz", ("uízes", "uizes")),
        *((c, (c + "es",)) for c in "rz"),
        ("", ("s",)),
    ),
    accented=("ica", "icas", "ico", "icos"),
    clitics=re.compile(r"\w-(?:lhe)?([ln]?[oa]s?)$"),
    masculine_clitics=frozenset({"lo", "los", "no", "nos", "o", "os"}),
    objects={"a": "feminine", "o": "masculine"},
    datives=frozenset({"lhe", "lhes"}),
    reflexives=frozenset({"se"}),
    participle=re.compile(r"[dts]o$"),
    masculine_participle=re.compile(r"o$"),
    preposition_too=frozenset({"a"}),
)
