"""German inflection: the forms of a noun with their cases, nominalised adjectives, phrases."""

from __future__ import annotations

from functools import cache

from cuescope.gender.german.grammar import ALL, ENDINGS, Cells, cells
from cuescope.gender.lexicon import lexicon
from cuescope.gender.wordlist import wordlist

# Masculine endings that take -en in every case but the nominative singular.
WEAK_AGENT: tuple[str, ...] = (
    *("ist", "ent", "ant", "loge", "agoge", "graf", "graph", "soph", "nom", "itekt", "urg"),
    *("dat", "krat", "plomat", "vokat", "suit", "mit", "dit", "vorit", "hlet", "oet"),
    *("phet", "ilot", "riot", "peut", "naut", "krut", "arch", "path", "äne", "siast"),
)
_MIXED_MASCULINE = ("bauer", "nachbar", "herr", "ungar", "vetter", "gevatter", "bayer")


def _umlauted(word: str) -> str:
    for at in range(len(word) - 1, -1, -1):
        if word[at] in "aou":
            return word[:at] + {"a": "ä", "o": "ö", "u": "ü"}[word[at]] + word[at + 1 :]
    return word


def _is_weak(word: str) -> bool:
    return word.endswith("e") or word.endswith(WEAK_AGENT)


@cache
def declined(word: str) -> dict[str, Cells]:
    """The forms of one noun, lower case, with the cells each stands for (gender by its form).

    >>> sorted(declined("Assistent"))
    ['assistent', 'assistenten']
    """
    word = word.lower()
    if word.endswith(("jemand", "niemand")):
        return dict.fromkeys((word, word + "en", word + "em", word + "es"), ALL)
    if word.endswith("in") and word not in wordlist("de", "nouns")["not-in"]:
        return {word: cells("f"), word + "nen": cells("pl")}
    if word.endswith(("frau", "person")):
        return {word: cells("f"), word + "en": cells("pl")}
    if word.endswith("kraft"):
        many = _umlauted(word) + "e"
        return {word: cells("f"), many: cells("pl:nom,acc,gen"), many + "n": cells("pl:dat")}
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
    plural = (
        _umlauted(word) if word.endswith(tuple(wordlist("de", "words")["umlaut-plural"])) else word
    )
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
    return wordlist("de", "nouns")["adjective"] | {head.removesuffix("e") for head in heads}


@cache
def adjective_stem(form: str) -> str | None:
    """The stem of a lower-case nominalised adjective; None for another noun.

    >>> adjective_stem("angestellten"), adjective_stem("lehrer")
    ('angestellt', None)
    """
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


@cache
def inflections(form: str, lang: str = "de") -> frozenset[str]:
    """The surface forms, lower case, in which a lexicon form may stand.

    >>> sorted(inflections("Ärztin"))
    ['ärztin', 'ärztinnen']
    """
    *before, head = form.lower().split() if " " in form else [form.lower()]
    stem = adjective_stem(head)
    own = [stem + e for e in ENDINGS] if stem is not None else list(declined(head))
    phrases = [""]
    for word in before:
        stem = next((word.removesuffix(e) for e in ENDINGS if word.endswith(e)), word)
        variants = [word] if stem == word else [stem + e for e in ENDINGS]
        phrases = [f"{phrase}{variant} " for phrase in phrases for variant in variants]
    return frozenset(phrase + noun for phrase in phrases for noun in own)
