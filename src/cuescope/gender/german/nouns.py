"""German nouns: lexical gender by list, last part of a compound, and derivation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from cuescope.gender.german.grammar import ADJECTIVE, ALL, Cells, cells
from cuescope.gender.german.inflect import WEAK_AGENT, adjective_stem, declined
from cuescope.gender.lexicon import lexicon
from cuescope.gender.wordlist import wordlist


@dataclass(frozen=True)
class Noun:
    """What a noun's form says: sense ("m", "f", "n", None = open), its cells, and by which rule."""

    sense: str | None
    cells: Cells
    rule: str
    person: bool = True
    firm: bool = False  # its sense stands whatever its determiner says
    guess: bool = False  # by ending alone: a determiner that disagrees shows it to be no person


# Masculine endings of agents, beside the weak ones.
_AGENT = ("er", "tor", "sor", "ror", "dor", "eur", "är", "ar", "ier", "ling", "iker", "oge", "ol")
_FEMININE_THING = ("ung", "heit", "keit", "schaft", "ion", "tät", "ik", "ei", "kraft", "enz", "anz")
_FIRM = (
    *("frau", "mann", "dame", "herr", "schwester", "bruder", "mutter", "vater", "sohn", "junge"),
    *("tochter", "tante", "onkel", "neffe", "nichte", "könig", "cousin", "cousine", "prinz"),
)
_NEUTER_THING = ("chen", "lein", "tum", "ment", "ium")


@cache
def _lexical() -> dict[str, Noun]:
    """Every inflected one-word form of the lexicon with its gender."""
    found: dict[str, Noun] = {}
    for entry in lexicon("de").values():
        for slot, forms in (("f", entry.feminine), ("m", entry.masculine)):
            for form in forms:
                head = form.split()[-1]
                if adjective_stem(head.lower()) or head.endswith(("mädchen", "kind", "junge")):
                    continue
                for surface, table in declined(head).items():
                    if slot == "f" and not head.endswith(("in", "frau")):
                        table = cells("pl") if surface != head.lower() else cells("f")
                    known = found.get(surface)
                    if known and known.sense == slot:
                        table |= known.cells
                    found[surface] = Noun(slot, table, "noun form", firm=head.endswith(_FIRM))
    return found


def _tails(form: str) -> Iterator[tuple[str, str]]:
    """The word and its possible last parts with what stands before, longest first."""
    yield form, ""
    for at in range(2, len(form) - 3):
        if len(form) - at >= 5 or form[at:] in wordlist("de", "words")["short-head"]:
            yield form[at:], form[:at].rstrip("-")


def _cells_of(form: str, listed: frozenset[str], sense: str) -> Cells:
    """The cells of a listed form: by its lemma, which stands in the same list."""
    tails = ("en", "n", "es", "s", "e")
    lemma = next(
        (form[: -len(t)] for t in tails if form.endswith(t) and form[: -len(t)] in listed), ""
    )
    if sense == "f":
        irregular = form in wordlist("de", "words")["feminine-plural"]
        plural = lemma or irregular or form.endswith(("innen", "ies"))
        return cells("pl") if plural else cells("f")
    ending = form.endswith(("er", "el", "en", "ern", "eln", "s"))
    return cells("m pl") if lemma or ending or any(v in form for v in "äöü") else cells("m")


def _listed(form: str, whole: bool) -> Noun | None:
    """The noun if the project's lists know it, as a whole or as the last part of a compound."""
    table = wordlist("de", "nouns")
    for name, sense in (("sense-feminine", "f"), ("sense-masculine", "m")):
        if form in table[name]:
            return Noun(sense, ALL - cells("m:nom,acc f m:dat,gen"), "noun sense", firm=True)
    for name, sense in (("feminine", "f"), ("masculine", "m"), ("fixed-feminine", "f")):
        if form in table[name] or (whole and "=" + form in table[name]):
            rule = "fixed-gender noun" if name.startswith("fixed") else "noun form"
            firm = form.endswith(_FIRM) or form not in _lexical()
            return Noun(sense, _cells_of(form, table[name], sense), rule, firm=firm)
    if form in table["fixed-masculine"] or (whole and "=" + form in table["fixed-masculine"]):
        return Noun("m", cells("m pl"), "fixed-gender noun", firm=True)
    if form in table["neuter"]:
        return Noun("n", cells("n pl"), "neuter noun", firm=True)
    if form in table["plural"]:
        return Noun("n", cells("pl"), "plural noun", firm=True)
    return _lexical().get(form)


def _in_feminine(form: str) -> Noun | None:
    """A feminine in -in, -innen (also misspelt -rinen)."""
    mislead = wordlist("de", "nouns")["not-in"]
    if len(form) < 5 or form in mislead or form.endswith(tuple(w for w in mislead if len(w) > 5)):
        return None
    if form.endswith(("ein", "ain", "oin")):
        return None
    for ending, table in (("innen", cells("pl")), ("rinen", cells("pl")), ("in", cells("f"))):
        if form.endswith(ending):
            stem = form.removesuffix(ending) + "r" * (ending == "rinen")
            return Noun("f", table, "noun in -in", guess=not stem.endswith((*_AGENT, *WEAK_AGENT)))
    return None


def _by_ending(form: str) -> Noun | None:
    """The noun by derivation: agent suffixes, endings of things."""
    if form.endswith(tuple(e + s for e in _FEMININE_THING for s in ("", "en"))) and len(form) > 6:
        return Noun("f", cells("f pl"), "fixed-gender noun", person=False)
    if form.endswith(_NEUTER_THING):
        return Noun("n", cells("n pl"), "neuter noun", person=False)
    for ending in (*_AGENT, *WEAK_AGENT):
        weak = ending in WEAK_AGENT
        for tail in ("", "s", "n", "e", "en", "es"):
            base = form.removesuffix(tail)
            if base.endswith(ending) and len(base) > len(ending) + 1:
                lemma = base + "e" if weak and ending.endswith("og") else base
                table = declined(lemma).get(form)
                if table is not None:
                    return Noun("m", table, "agent suffix", guess=True)
    return None


@cache
def analyse(form: str, kind: str = "der") -> Noun | None:
    """What a noun's form says after a determiner of this kind (`der`, `ein`, `none`).

    >>> analyse("Sicherheitsbeamtin").sense, analyse("Opfer").sense, analyse("Bauarbeiter").sense
    ('f', 'n', 'm')
    """
    form = form.lower().strip("-")
    if stem := adjective_stem(form):
        known = _listed(form, True)
        if known is None or known.sense == "m":
            table = ADJECTIVE[kind].get(form[len(stem) :], ALL)
            if stem.endswith("beamt"):
                table -= cells("f")
            return Noun(None, table, "nominalised adjective")
    if found := _listed(form, whole=True):
        return found
    last = form.rsplit("-", 1)[-1]
    if female := _in_feminine(last):
        return female
    for at in range(3, len(form) - 2):
        if (sense := _modifier(form[:at])) and not _person_tail(form[at:].strip("-")):
            return Noun(sense, ALL, "first part of compound", person=False, firm=True)
    for tail, _ in _tails(form):
        if (found := _listed(tail, whole=False)) and tail not in wordlist("de", "nouns")[
            "no-person"
        ]:
            return found
    return None if last in wordlist("de", "nouns")["no-person"] else _by_ending(last)


def _modifier(part: str) -> str | None:
    part = part.rsplit("-", 1)[-1]
    table = wordlist("de", "nouns")
    for sense in ("feminine", "masculine"):
        if part in table["modifier-" + sense]:
            return sense[0]
    return None


def _person_tail(tail: str) -> bool:
    """Is some last part of this a person (so that the last part decides)?"""
    listed = (_listed(part, whole=not before) for part, before in _tails(tail))
    if any(noun and noun.rule in ("noun form", "noun sense") for noun in listed):
        return True
    guess = _in_feminine(tail) or _by_ending(tail)
    return bool(guess and guess.person) and not tail.endswith(
        tuple(wordlist("de", "nouns")["no-person"])
    )
