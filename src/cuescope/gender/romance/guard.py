"""May a Romance word be the noun that is looked for, or is it a verb, a participle, a thing?"""

from __future__ import annotations

import re

from cuescope.gender.romance.clause import INFINITIVE, form_at, kind_at
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.subject import AGENTS
from cuescope.gender.words import Word

_CLITICS = ("l'", "li", "le", "la", "lo")
_AS = ("como", "come", "comme")
_TRADE = re.compile(r"er[oa]$")
_ADVERB = re.compile(r"(mente|ment)$")
_THING = re.compile(  # endings of acts, states, tools and places
    r"(ci[oó]n(es)?|sión|siones|zion[ei]|ção|ções|[ts]ions?|dad(es)?|dades?|tà|tés?|tud|tudes?|tudine"
    r"|ment[oi]s?|ments?|mientos?|gem|gens|aggi|aggio|ages?|ería|eri[ae]s?|ism[oei]s?|nz[ae]|nças?"
    r"|nci[ae]s?|[ae]nces?|log[ií]as?|logies?|ur[ae]s?|polvere|ndo|mente)$"
)


def stands_as_noun(words: list[Word], first: int, last: int, lang: str) -> bool:
    """A form of the lexicon is no noun as a participle (*aveva commesso alcuni errori*), nor as
    the adjective of a thing (*l'economia meccanica*, *o dinheiro médico*)."""
    return first < last or not (_after_have(words, first, lang) or _of_thing(words, first, lang))


def _of_thing(words: list[Word], i: int, lang: str) -> bool:
    led = kind_at(words, i - 2, lang) in ("determiner", "possessive", "preposition")
    return led and grammar(lang).has("thing", form_at(words, i - 1))


def _after_have(words: list[Word], i: int, lang: str) -> bool:
    """Is word `i` a participle after *have*? A bare plural may be a noun: *tem empregados*."""
    k = i - 1
    while kind_at(words, k, lang) == "adverb" or _ADVERB.search(form_at(words, k)):
        k -= 1
    language, form = romance(lang), form_at(words, i)
    if kind_at(words, k, lang) != "auxiliary" or not language.participle.search(form):
        return False
    agrees = language.agreeing and form_at(words, k - 1) in _CLITICS  # li ha impiegati
    return agrees or bool(language.masculine_participle.search(form))


def can_be_person(words: list[Word], i: int, lang: str) -> bool:
    """May a word that no lexicon knows name a person: a noun with a determiner, and no thing?"""
    rules, form = grammar(lang), form_at(words, i)
    if not stands_as_noun(words, i, i, lang) or rules.has("thing", form):
        return False
    if form in person_nouns(lang):
        return True
    before = kind_at(words, i - 1, lang)
    led = before in ("determiner", "possessive")
    led = led or (before == "content" and kind_at(words, i - 2, lang) in ("determiner",))
    if _THING.search(form) or not (led or _bare_role(words, i, lang)):
        return False
    return bool(AGENTS.search(form)) or not INFINITIVE.search(form)


def _bare_role(words: list[Word], i: int, lang: str) -> bool:
    """A trade without an article: *elle est fauconnière*, *trabaja como cetrera*."""
    form, known_as = form_at(words, i).removesuffix("s"), form_at(words, i - 1) in _AS
    linked = known_as or kind_at(words, i - 1, lang) == "copula"
    return linked and bool(AGENTS.search(form) or (known_as and _TRADE.search(form)))


def takes_either(form: str, lang: str) -> bool:
    """May a noun for someone stand with articles of either gender: no thing, no *vítima*?"""
    return not any(grammar(lang).has(kind, form.lower()) for kind in ("fixed", "thing"))
