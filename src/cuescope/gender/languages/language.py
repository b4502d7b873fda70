"""All that the rules need to know of one language: its words, its tables, who reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any

from cuescope.gender.languages.tables import Entry, Table, entries, rows
from cuescope.signature import hash_text

# Where a chunk of letters, hyphens and apostrophes is cut (no width): after an elision, but not
# where the apostrophe is a letter (aujourd'hui).
ELISION = re.compile(
    r"(?<=')(?=.)(?<!aujourd')(?<!quelqu')(?<!prud')(?<!presqu')(?<!entr')(?<!\bo')"
)


@dataclass(frozen=True, eq=False)
class Language:
    """One language; `missing` names what it still lacks to be read, scored and contrasted.

    `reader` is a module or object with `read_phrase(text, words, span, lang, entry)` and
    `inflections(form, lang)`, or the name of a module that is imported when first asked for.
    """

    code: str
    name: str = ""  # in English, and the three letters of ISO 639-3:
    three: str = ""  # where `codes` does not know them
    reader: str | ModuleType | object | None = None
    nouns: Table = ""  # the lexicon: english, masculine, feminine, epicene
    # words
    cuts: re.Pattern[str] | None = None  # where a chunk of letters is cut: elisions, clitics
    shortened: frozenset[str] = frozenset()  # words that end in an apostrophe (*po'*)
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # do: (de, o)
    # the other gender: a phrase turned round, for the contrast
    partners: str = ""  # determiners, masculine/feminine; of several partners the first is taken
    elided: Mapping[str, str] = field(default_factory=dict)  # before a vowel: *l'avvocata*
    onset: re.Pattern[str] | None = None  # what asks for a longer form (*lo studente*)
    lengthened: Mapping[str, str] = field(default_factory=dict)
    past: tuple[tuple[str, str], ...] = ()  # endings of a past tense that shows a gender
    # the aligner
    equivalents: Table = ""  # English forms, kind (f: function word, c: content), forms
    function_words: frozenset[str] = frozenset()  # where no table of equivalents lists them
    # more
    classes: Mapping[str, Table] = field(default_factory=dict)  # word classes of its own rules
    spacy: str = ""  # how to get a spaCy model that is not on spaCy's own server

    @cached_property
    def rules(self) -> Any:
        """The reader, imported when first asked for."""
        return import_module(self.reader) if isinstance(self.reader, str) else self.reader

    @cached_property
    def lexicon(self) -> dict[str, Entry]:
        """Entries by English noun, read once."""
        return entries(self.nouns)

    @property
    def english_name(self) -> str:
        """Its name in English; empty where nobody says it."""
        from cuescope.codes import english_name

        known = english_name(self.code)
        return self.name or (known if known != self.code else "")

    def introduce(self) -> None:
        """Let models know its names, so that `tgt="ca"` is their `cat_Latn`."""
        from cuescope.codes import call

        if self.name:
            call(self.code, self.three, self.name)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Determiners as (masculine, feminine)."""
        return pairs(self.partners)

    @cached_property
    def dictionary(self) -> tuple[tuple[tuple[str, ...], str, tuple[str, ...]], ...]:
        """The aligner's rows: English forms, kind, forms in this language."""
        found = rows(self.equivalents, "english, kind, forms")
        return tuple((tuple(e.split("|")), kind, tuple(f.split("|"))) for e, kind, f, *_ in found)

    @cached_property
    def light(self) -> frozenset[str]:
        """Its function words: articles, pronouns, prepositions, conjunctions, auxiliaries."""
        listed = {form for _, kind, forms in self.dictionary if kind == "f" for form in forms}
        return frozenset(listed) or self.function_words

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of its words and tables: other ones may read another gender."""
        return hash_text(f"{one.name} {_told(getattr(self, one.name))}" for one in fields(self))

    def missing(self) -> list[str]:
        """What it lacks, in words; nothing, if it is complete."""
        verbs = ("read_phrase", "inflections")
        lacks = {
            "code (lower-case letters)": re.fullmatch(r"[a-z]{2,3}(-[a-z]+)?", self.code),
            "name (in English)": self.english_name,
            "nouns (rows of english, masculine, feminine)": any(
                entry.masculine and entry.feminine for entry in self.lexicon.values()
            ),
            **{
                f"reader.{verb}": self.reader and callable(getattr(self.rules, verb, None))
                for verb in verbs
            },
            "partners (masculine/feminine determiners) or past (endings)": self.pairs or self.past,
            "function_words, or a table of equivalents": self.light,
        }
        return [what for what, there in lacks.items() if not there]


def _told(value: object) -> str:
    """A field as text: a table by its rows, a set in order, code by its name."""
    if isinstance(value, Traversable):
        return value.read_text("utf-8")
    if isinstance(value, frozenset):
        return repr(sorted(value))
    if isinstance(value, Mapping):
        return repr([(key, _told(one)) for key, one in value.items()])
    if isinstance(value, str | tuple | re.Pattern | None):
        return repr(value)
    return getattr(value, "__name__", type(value).__name__)


def pairs(partners: str) -> tuple[tuple[str, str], ...]:
    """The two sides of `el/la al/a_la`; an underscore is a space.

    >>> pairs("el/la al/a_la")
    (('el', 'la'), ('al', 'a la'))
    """
    cut = (pair.replace("_", " ").partition("/") for pair in partners.split())
    return tuple((masculine, feminine) for masculine, _, feminine in cut)
