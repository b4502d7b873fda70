"""German nouns: lexical gender by form, last part of a compound, and inflected forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .german_grammar import ADJECTIVE, ALL, ENDINGS, Cells, cells
from .lexicon import lexicon


@dataclass(frozen=True)
class Noun:
    """What a noun's form says: sense ("m", "f", "n", None = open), its cells, and by which rule."""

    sense: str | None
    cells: Cells
    rule: str
    person: bool = True


# Masculine endings of agents. The weak ones take -en in every case but the nominative singular.
_AGENT = ("er", "tor", "sor", "ror", "dor", "eur", "är", "ar", "ier", "ling", "iker", "oge", "ol")
_WEAK_AGENT = ("ist", "ent", "ant", "loge", "agoge", "graf", "graph", "soph", "nom", "itekt", "urg")
_WEAK_AGENT += ("dat", "krat", "plomat", "vokat", "suit", "mit", "dit", "vorit", "hlet", "oet")
_WEAK_AGENT += ("phet", "ilot", "riot", "peut", "naut", "krut", "arch", "path", "äne", "siast")
_UMLAUT = "arzt koch anwalt sohn papst abt bischof gast general kardinal kaplan vogt propst".split()
_UMLAUT += "wolf vorstand marschall admiral herzog vormund".split()
_MIXED_MASCULINE = ("bauer", "nachbar", "herr", "ungar", "vetter", "gevatter", "bayer")
_FEMININE_THING = ("ung", "heit", "keit", "schaft", "ion", "tät", "ik", "ei", "kraft", "enz", "anz")
_NEUTER_THING = ("chen", "lein", "tum", "ment", "ium")
_SHORT_HEADS = frozenset(
    "frau mann herr dame sohn kind chef boss star arzt wirt koch bote pate erbe held abt team "
    "lady girl boy graf zar braut magd".split()
)


@cache
def classes() -> dict[str, frozenset[str]]:
    """The word classes of `lexica/de_nouns.tsv`."""
    table = files("cuescope.gender").joinpath("lexica", "de_nouns.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and line[0] != "#")
    return {name: frozenset(listed.split("|")) for name, listed in rows}


def _umlauted(word: str) -> str:
    for at in range(len(word) - 1, -1, -1):
        if word[at] in "aou":
            return word[:at] + {"a": "ä", "o": "ö", "u": "ü"}[word[at]] + word[at + 1 :]
    return word


def _is_weak(word: str) -> bool:
    return word.endswith("e") or word.endswith(_WEAK_AGENT)


@cache
def declined(word: str) -> dict[str, Cells]:
    """The forms of one noun, lower case, with the cells each stands for (gender by its form).

    >>> sorted(declined("Assistent"))
    ['assistent', 'assistenten']
    """
    word = word.lower()
    if word.endswith(("jemand", "niemand")):
        return dict.fromkeys((word, word + "en", word + "em", word + "es"), ALL)
    if word.endswith("in") and word not in classes()["not-in"]:
        return {word: cells("f"), word + "nen": cells("pl")}
    if word.endswith("frau"):
        return {word: cells("f"), word + "en": cells("pl")}
    if word.endswith("mann"):
        stem = word[:-4]
        return {
            word: cells("m:nom,acc,dat"),
            word + "es": cells("m:gen"),
            word + "s": cells("m:gen"),
            stem + "männer": cells("pl:nom,acc,gen"),
            stem + "männern": cells("pl:dat"),
            stem + "leute": cells("pl:nom,acc,gen"),
            stem + "leuten": cells("pl:dat"),
        }
    if word.endswith(_MIXED_MASCULINE):
        return {
            word: cells("m:nom,acc,dat"),
            word + "n": cells("m:acc,dat,gen pl"),
            word + "en": cells("pl"),
            word + "s": cells("m:gen"),
        }
    if _is_weak(word):
        oblique = word + ("n" if word.endswith("e") else "en")
        return {word: cells("m:nom"), oblique: cells("m:acc,dat,gen pl")}
    single = {word: cells("m:nom,acc,dat"), word + "s": cells("m:gen")}
    if word.endswith(("er", "el")):
        single[word] |= cells("pl:nom,acc,gen")
        return single | {word + "n": cells("pl:dat")}
    if word.endswith("or"):
        return single | {word + "en": cells("pl")}
    if word[-1] in "aiouy":
        return {word: cells("m:nom,acc,dat"), word + "s": cells("m:gen pl")}
    single[word + "es"] = cells("m:gen")
    plural = _umlauted(word) if word.endswith(tuple(_UMLAUT)) else word
    return single | {
        plural + "e": cells("pl:nom,acc,gen"),
        plural + "en": cells("pl:dat"),
        word + "s": cells("m:gen pl"),
    }


@cache
def _adjective_stems() -> frozenset[str]:
    """Listed stems, and those of lexicon pairs like `Angestellter`, `Angestellte`."""
    heads = (
        form.split()[-1].lower()
        for entry in lexicon("de").values()
        for form in entry.feminine
        if form + "r" in entry.masculine
    )
    return classes()["adjective"] | {head.removesuffix("e") for head in heads}


def _adjectival(form: str) -> str | None:
    """The stem of a nominalised adjective: `Angestellten` → `angestellt`."""
    stems = _adjective_stems()
    for ending in ENDINGS:
        stem = form.removesuffix(ending)
        if stem == form:
            continue
        if stem in stems or any((len(s) > 4 or s == "best") and stem.endswith(s) for s in stems):
            return stem
        if stem.endswith("end") and len(stem) > 6 and ending != "er":
            return stem
    return None


def is_adjectival(form: str) -> bool:
    """Does the noun decline like an adjective (der Angestellte, ein Angestellter)?"""
    return _adjectival(form.lower()) is not None


@cache
def inflections(form: str, lang: str = "de") -> frozenset[str]:
    """The surface forms, lower case, in which a lexicon form may stand.

    >>> sorted(inflections("Ärztin"))
    ['ärztin', 'ärztinnen']
    """
    *before, head = form.lower().split() if " " in form else [form.lower()]
    stem = _adjectival(head)
    own = [stem + e for e in ENDINGS] if stem is not None else list(declined(head))
    phrases = [""]
    for word in before:
        stem = next((word.removesuffix(e) for e in ENDINGS if word.endswith(e)), word)
        variants = [word] if stem == word else [stem + e for e in ENDINGS]
        phrases = [f"{phrase}{variant} " for phrase in phrases for variant in variants]
    return frozenset(phrase + noun for phrase in phrases for noun in own)


@cache
def _lexical() -> dict[str, Noun]:
    """Every inflected one-word form of the lexicon with its gender."""
    found: dict[str, Noun] = {}
    for entry in lexicon("de").values():
        for slot, forms in (("f", entry.feminine), ("m", entry.masculine)):
            for form in forms:
                head = form.split()[-1]
                if is_adjectival(head) or head.endswith(("mädchen", "kind", "junge")):
                    continue
                for surface, table in declined(head).items():
                    if slot == "f" and not head.endswith(("in", "frau")):
                        table = cells("pl") if surface != head.lower() else cells("f")
                    known = found.get(surface)
                    if known and known.sense == slot:
                        table |= known.cells
                    found[surface] = Noun(slot, table, "noun form")
    return found


def _tails(form: str) -> Iterator[tuple[str, str]]:
    """The word and its possible last parts with what stands before, longest first."""
    yield form, ""
    for at in range(2, len(form) - 3):
        if len(form) - at >= 5 or form[at:] in _SHORT_HEADS:
            yield form[at:], form[:at].rstrip("-")


_FEMININE_PLURALS = "mütter müttern töchter töchtern bräute bräuten mägde mägden kräfte kräften"


def _cells_of(form: str, listed: frozenset[str], sense: str) -> Cells:
    """The cells of a listed form: by its lemma, which stands in the same list."""
    tails = ("en", "n", "es", "s", "e")
    lemma = next(
        (form[: -len(t)] for t in tails if form.endswith(t) and form[: -len(t)] in listed), ""
    )
    if sense == "f":
        plural = lemma or form in _FEMININE_PLURALS.split() or form.endswith(("innen", "ies"))
        return cells("pl") if plural else cells("f")
    if (
        lemma
        or form.endswith(("er", "el", "en", "ern", "eln", "s"))
        or any(v in form for v in "äöü")
    ):
        return cells("m pl")
    return cells("m")


def _listed(form: str, whole: bool) -> Noun | None:
    """The noun if the project's lists know it, as a whole or as the last part of a compound."""
    table = classes()
    for name, sense in (("sense-feminine", "f"), ("sense-masculine", "m")):
        if form in table[name]:
            return Noun(sense, ALL - cells("m:nom,acc f m:dat,gen"), "noun sense")
    for name, sense in (("feminine", "f"), ("masculine", "m"), ("fixed-feminine", "f")):
        if form in table[name] or (whole and "=" + form in table[name]):
            rule = "fixed-gender noun" if name.startswith("fixed") else "noun form"
            return Noun(sense, _cells_of(form, table[name], sense), rule)
    if form in table["fixed-masculine"] or (whole and "=" + form in table["fixed-masculine"]):
        return Noun("m", cells("m pl"), "fixed-gender noun")
    if form in table["neuter"]:
        return Noun("n", cells("n pl"), "neuter noun")
    if form in table["plural"]:
        return Noun("n", cells("pl"), "plural noun")
    return _lexical().get(form)


def _in_feminine(form: str) -> Noun | None:
    """A feminine in -in, -innen (also misspelt -rinen)."""
    mislead = classes()["not-in"]
    if len(form) < 5 or form in mislead or form.endswith(tuple(w for w in mislead if len(w) > 5)):
        return None
    if form.endswith(("innen", "rinen")):
        return Noun("f", cells("pl"), "noun in -in")
    return Noun("f", cells("f"), "noun in -in") if form.endswith("in") else None


def _by_ending(form: str) -> Noun | None:
    """The noun by derivation: agent suffixes, endings of things."""
    if form.endswith(tuple(e + s for e in _FEMININE_THING for s in ("", "en"))) and len(form) > 6:
        return Noun("f", cells("f pl"), "fixed-gender noun", person=False)
    if form.endswith(_NEUTER_THING):
        return Noun("n", cells("n pl"), "neuter noun", person=False)
    for ending in (*_AGENT, *_WEAK_AGENT):
        weak = ending in _WEAK_AGENT
        for tail in ("", "s", "n", "e", "en", "es"):
            base = form.removesuffix(tail)
            if base.endswith(ending) and len(base) > len(ending) + 1:
                lemma = base + "e" if weak and ending.endswith("og") else base
                table = declined(lemma).get(form)
                if table is not None:
                    return Noun("m", table, "agent suffix")
    return None


@cache
def analyse(form: str, kind: str = "der") -> Noun | None:
    """What a noun's form says after a determiner of this kind (`der`, `ein`, `none`).

    >>> analyse("Sicherheitsbeamtin").sense, analyse("Opfer").sense, analyse("Bauarbeiter").sense
    ('f', 'n', 'm')
    """
    form = form.lower().strip("-")
    if stem := _adjectival(form):
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
            return Noun(sense, ALL, "first part of compound", person=False)
    for tail, _ in _tails(form):
        if (found := _listed(tail, whole=False)) and tail not in classes()["no-person"]:
            return found
    return None if last in classes()["no-person"] else _by_ending(last)


def _modifier(part: str) -> str | None:
    part = part.rsplit("-", 1)[-1]
    table = classes()
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
    return bool(guess and guess.person) and not tail.endswith(tuple(classes()["no-person"]))
