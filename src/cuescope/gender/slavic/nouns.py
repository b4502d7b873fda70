"""Nouns that pymorphy3 does not know or reads wrongly, sexed adjectives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cuescope.gender.lexicon import lexicon
from cuescope.gender.slavic.morph import inflections, parses
from cuescope.gender.wordlist import wordlist


@cache
def _surfaces(lang: str) -> dict[str, str]:
    """Surface forms of the listed nouns with their gender: m, f or c."""
    found: dict[str, str] = {}
    for kind, slot in (("masculine", "m"), ("feminine", "f"), ("common", "c")):
        for lemma in sorted(wordlist(lang, "nouns").get(kind, ())):
            for surface in inflections(lemma, lang):
                found.setdefault(surface, slot)
        for lemma in sorted(wordlist(lang, "nouns").get(kind + "-fixed", ())):
            found[lemma] = slot
    for slot, lemma in _lexicon_gaps(lang):
        for surface in inflections(lemma, lang):
            found.setdefault(surface, slot)
    return found


def _lexicon_gaps(lang: str) -> Iterator[tuple[str, str]]:
    """One-word lexicon forms that the dictionary does not know as a person of that gender."""
    for entry in lexicon(lang).values():
        columns = (("m", entry.masculine), ("f", entry.feminine), ("m", entry.epicene))
        for slot, lemma in ((slot, form) for slot, forms in columns for form in forms):
            own = parses(lemma, lang)
            person = any(p.pos == "noun" and p.animate and p.known and not p.name for p in own)
            thing = any(p.pos == "noun" and p.known and p.slot in ("n", "f", "c") for p in own)
            adjective = own and own[0].pos == "adj" and own[0].known
            known = person or adjective or (slot == "m" and thing)
            if " " not in lemma and not known:
                yield slot, lemma


def known_noun(form: str, lang: str) -> str | None:
    """The gender of a noun in the project's own list (`languages/LANG.nouns.tsv`)."""
    return _surfaces(lang).get(form.lower())


def sexed_adjective(form: str, lang: str) -> str | None:
    """The gender in the sense of an adjective: женский, отцовский."""
    for parse in parses(form, lang):
        for sense in ("feminine", "masculine"):
            if parse.lemma in wordlist(lang, "nouns").get("adjective-" + sense, ()):
                return sense[0]
    return None
