"""What the Romance reader asks of a language, beside what every language has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

from cuescope.errors import CueScopeError
from cuescope.gender.languages.language import ELISION, Language, pairs
from cuescope.gender.languages.tables import Table, rows
from cuescope.gender.reading import Gender

GENDERS: dict[str, Gender] = {"m": "masculine", "f": "feminine", "c": "neutral", "-": "neutral"}
# What a row of the grammar may be of: a kind that no rule asks for would be read by nobody.
KINDS = frozenset(
    "adjective adverb article attribute attributive auxiliary been conjunction consecutive "
    "contracted coordinator copula determiner ending expletive finite finite_ending fixed "
    "idiom impersonal is_a many modal negative nominal noun of_person of_thing open "
    "other_clause passive personal plural possessive preposition pronoun reflexive relative "
    "role sex sexed stressed_a thing verb".split()
)
_NEVER = re.compile("(?!)")
_LIGHT = (
    *("determiner", "possessive", "pronoun", "preposition", "conjunction"),
    *("copula", "auxiliary"),
)


@dataclass(frozen=True, eq=False)
class Romance(Language):
    """A Romance language: two tables are enough to begin, `nouns` and `grammar`.

    A row of `grammar` is kind, gender (m, f, c for both, - for none) and forms; with the gender
    `m/f` the forms are pairs (*el/la*), which are also partners, and an `article` a determiner.
    """

    reader: str | ModuleType | object | None = "cuescope.gender.romance.reader"
    cuts: re.Pattern[str] | None = ELISION
    grammar: Table = ""  # kind, gender, forms
    plurals: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (ending, plurals): the first that fits
    hyphens: bool = False  # both parts of *secrétaire-comptable* take a plural
    vowel_plurals: bool = False  # plurals in -i and -e, not in -s
    clitics: re.Pattern[str] = _NEVER  # a verb with its object; the group is the pronoun
    masculine_clitics: frozenset[str] = frozenset()
    objects: Mapping[str, Gender] = field(default_factory=dict)  # object pronouns before a verb
    datives: frozenset[str] = frozenset()
    reflexives: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()  # pronouns that stand for no thing
    participle: re.Pattern[str] = re.compile(".")
    masculine_participle: re.Pattern[str] = re.compile(".")
    agreeing: bool = False  # a participle agrees with the object before it (*li ha impiegati*)
    bare_apostrophes: bool = False  # *e'* for *è*
    preposition_too: frozenset[str] = frozenset()  # an article that is a preposition as well (*a*)
    accented: tuple[str, ...] = ()  # endings before which an adjective has an accent (*única*)
    singular_s: bool = False  # a singular may end in -s (*français*)
    expletive: str = ""  # a pronoun that may stand for nobody (*il faut*)
    silent_subject: bool = True  # a verb needs no pronoun

    @cached_property
    def lists(self) -> Mapping[str, Mapping[str, Gender]]:
        """The forms of the grammar by kind, with their genders."""
        found: defaultdict[str, dict[str, Gender]] = defaultdict(dict)
        for kind, gender, forms, *_ in rows(self.grammar, "kind, gender, forms"):
            if kind not in KINDS:
                raise CueScopeError(
                    f"{self.code}: no such kind in the grammar",
                    expected=", ".join(sorted(KINDS)),
                    found=repr(kind),
                )
            if gender == "m/f":
                if lone := [form for form in forms.split() if not all(form.partition("/"))]:
                    raise CueScopeError(
                        f"{self.code}: half a pair in the grammar",
                        expected="masculine/feminine, as el/la",
                        found=f"{lone[0]!r} for {kind}",
                    )
                for masculine, feminine in pairs(forms):
                    both: dict[str, Gender] = {masculine: "masculine", feminine: "feminine"}
                    found[kind].update(both)
                    found["determiner" if kind == "article" else kind].update(both)
            elif gender in GENDERS:
                found[kind].update(dict.fromkeys(forms.split(" "), GENDERS[gender]))
            else:
                raise CueScopeError(
                    f"{self.code}: no such gender in the grammar",
                    expected=f"{', '.join(GENDERS)} or m/f",
                    found=f"{gender!r} for {kind}: {forms[:40]}",
                )
        return dict(found)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The partners, and those of the grammar."""
        read = rows(self.grammar, "kind, gender, forms")
        return (
            *pairs(self.partners),
            *(pair for _, gender, forms, *_ in read if gender == "m/f" for pair in pairs(forms)),
        )

    @cached_property
    def light(self) -> frozenset[str]:
        """Its function words: as its tables list them, else the closed classes of its grammar."""
        return super().light or frozenset(
            form for kind in _LIGHT for form in self.lists.get(kind, ())
        )

    def missing(self) -> list[str]:
        """What it lacks, in words."""
        shown = set(self.lists.get("determiner", {}).values())
        said = isinstance(self.plurals, tuple) and all(
            isinstance(some, tuple) for _, some in self.plurals
        )
        lacks = {
            "grammar (determiners of both genders)": {"masculine", "feminine"} <= shown,
            "grammar (articles)": self.lists.get("article"),
            'plurals, as (("", ("s",)),): an ending, and a tuple of its plurals': self.plurals
            and said,
        }
        return [*super().missing(), *(what for what, there in lacks.items() if not there)]
