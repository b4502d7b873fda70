"""German agreement: which genders and cases a determiner, an adjective or a preposition allows."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Literal, NamedTuple

from cuescope.gender.wordlist import wordlist

Slot = Literal["m", "f", "n", "pl"]
Case = Literal["nom", "acc", "dat", "gen"]


class Cell(NamedTuple):
    """One place of the declension table: a gender (or the plural) in one case."""

    slot: Slot
    case: Case


Cells = frozenset[Cell]
CASES: tuple[Case, ...] = ("nom", "acc", "dat", "gen")
ALL: Cells = frozenset(Cell(s, c) for s, c in product(("m", "f", "n", "pl"), CASES))  # type: ignore[arg-type]


def cells(text: str) -> Cells:
    """The cells written as `m:nom,acc f:dat`; a slot without cases has all four."""
    found: set[Cell] = set()
    for part in text.split():
        slot, _, cases = part.partition(":")
        found |= {Cell(slot, case) for case in cases.split(",") if case} or {  # type: ignore[arg-type]
            Cell(slot, case)  # type: ignore[arg-type]
            for case in CASES
        }
    return frozenset(found)


# Strong endings stand on "dies-", "jed-", and on an adjective that no determiner precedes.
STRONG = {
    "er": cells("m:nom f:dat,gen pl:gen"),
    "e": cells("f:nom,acc pl:nom,acc"),
    "es": cells("n:nom,acc m:gen n:gen"),
    "en": cells("m:acc,gen n:gen pl:dat"),
    "em": cells("m:dat n:dat"),
}
_WEAK = {
    "e": cells("m:nom f:nom,acc n:nom,acc"),
    "en": ALL - cells("m:nom f:nom,acc n:nom,acc"),
}
_MIXED = {
    "er": cells("m:nom"),
    "e": cells("f:nom,acc"),
    "es": cells("n:nom,acc"),
    "en": ALL - cells("m:nom f:nom,acc n:nom,acc"),
}
ADJECTIVE = {"none": STRONG, "der": _WEAK, "ein": _MIXED}
ENDINGS = ("er", "es", "en", "em", "e")

_THE = {
    "der": cells("m:nom f:dat,gen pl:gen"),
    "die": cells("f:nom,acc pl:nom,acc"),
    "das": cells("n:nom,acc"),
    "den": cells("m:acc pl:dat"),
    "dem": cells("m:dat n:dat"),
    "des": cells("m:gen n:gen"),
}
_EIN_ENDINGS = STRONG | {
    "er": cells("f:dat,gen pl:gen"),
    "es": cells("m:gen n:gen"),
    "en": cells("m:acc pl:dat"),
}
_WORDS = wordlist("de", "words")


@cache
def determiner(form: str) -> tuple[Cells, str] | None:
    """The cells a determiner allows and its kind (`der` or `ein`); None for another word.

    >>> sorted(determiner("einer")[0])
    [Cell(slot='f', case='dat'), Cell(slot='f', case='gen')]
    """
    form = form.lower()
    if form in _THE:
        return _THE[form], "der"
    for suffix in ("selbe", "selben", "jenige", "jenigen"):  # derselbe, diejenigen
        if form.endswith(suffix) and form.removesuffix(suffix) in _THE:
            return _THE[form.removesuffix(suffix)], "der"
    for stem in sorted(_WORDS["ein-word"]):
        if form == stem and stem != "eur":
            return cells("m:nom n:nom,acc"), "ein"
        if form[: len(stem)] == stem and (found := _EIN_ENDINGS.get(form[len(stem) :])):
            return (found - cells("pl") if stem == "ein" else found), "ein"
    for stem in sorted(_WORDS["der-word"]):
        if form[: len(stem)] == stem and (ending := form[len(stem) :]) in STRONG:
            found = STRONG[ending]
            return (found - cells("pl") if stem.startswith("jed") else found), "der"
    return None


@cache
def preposition(form: str) -> Cells | None:
    """The cells a preposition leaves open; None for another word."""
    cases = [case for case in CASES[1:] if form.lower() in _WORDS[f"preposition-{case}"]]
    return frozenset(cell for cell in ALL if cell.case in cases) if cases else None


PRONOUNS = {"er": "m", "ihn": "m", "ihm": "m", "sie": "f", "ihr": "f"}


def possessor(form: str) -> str | None:
    """Whose gender a possessive or third person pronoun shows: `seinen` m, `ihre` f."""
    form = form.lower()
    if form in PRONOUNS:
        return PRONOUNS[form]
    for stem, slot in (("sein", "m"), ("ihr", "f")):
        if form.removeprefix(stem) in ("", *ENDINGS) and form.startswith(stem):
            return slot
    return None
