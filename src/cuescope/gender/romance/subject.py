"""Nouns with their determiners, and which of them a verb belongs to."""

from __future__ import annotations

import re
from typing import NamedTuple

from cuescope.gender.reading import Gender
from cuescope.gender.romance.clause import INFINITIVE, form_at, kind_at, object_at
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import Word

SENTENCE_ENDS = frozenset(".!?;:…")
AGENTS = re.compile(
    r"(t[oó]r|tore|trice|tora|dora?|ist[ae]|iere|iera|eiro|eira|aio|aia|ante|ente|essa|log[oa]|logue"
    r"|eur|euse|ier|ière|ien|ienne)$"
)


class Phrase(NamedTuple):
    """A noun with its determiner: words `first` to `last`."""

    first: int
    last: int
    gender: Gender
    person: bool
    plural: bool


def phrases(words: list[Word], lang: str) -> list[Phrase]:
    """Every noun with a determiner, as far as lists and endings tell."""
    found: list[Phrase] = []
    i = 0
    while i < len(words):
        if kind_at(words, i, lang) not in ("determiner", "possessive") or object_at(words, i, lang):
            i += 1
            continue
        j = i
        while kind_at(words, j, lang) in ("determiner", "possessive", "adverb"):
            j += 1
        last = j
        last += kind_at(words, last, lang) == "verb" and last > i  # la porta: also a noun
        while kind_at(words, last, lang) == "content" and last < j + 3:
            last += 1
        if last > j and not grammar(lang).has("negative", form_at(words, i)):
            found.append(_phrase(words, i, j, last - 1, lang))
        i = max(last, i + 1)
    return found


def _phrase(words: list[Word], first: int, noun: int, last: int, lang: str) -> Phrase:
    known = person_nouns(lang)
    heads = [i for i in range(noun, last + 1) if form_at(words, i) in known]
    head = heads[0] if heads else noun
    leads = [weigh(words[i].form, lang).gender for i in range(first, noun)]
    form = form_at(words, head)
    own: Gender = "masculine" if form.endswith("o") else weigh(form, lang).gender
    shown = [g for g in (*leads, own) if g != "neutral"]
    person = bool(heads) or bool(AGENTS.search(form))
    fixed = grammar(lang).has("fixed", form)  # la guardia may be a man
    gender: Gender = "neutral" if fixed or not shown else shown[0]
    return Phrase(first, last, gender, person or fixed, _plural(form_at(words, first), lang))


def _plural(determiner: str, lang: str) -> bool:
    if romance(lang).vowel_plurals:
        gendered = weigh(determiner, lang).gender != "neutral"
        return gendered and determiner.endswith(("i", "e"))
    return determiner.endswith("s") and determiner not in ("más", "mais", "menos", "plus")


def is_plural(words: list[Word], i: int, lang: str) -> bool:
    """Does the noun at `i` look plural, and its determiner not singular (*cada guardaespaldas*)?"""
    vowels = romance(lang).vowel_plurals
    many = form_at(words, i).endswith("i" if vowels else ("s", "x"))
    lead = form_at(words, i - 1) if kind_at(words, i - 1, lang) == "determiner" else ""
    return many and (vowels or lead in ("", "d'") or lead.endswith(("s", "x")))


def has_subject(words: list[Word], i: int, gender: Gender, known: list[Phrase], lang: str) -> bool:
    """Has the verb at `i` a subject of its own: *il treno era*, *la macchina che era rotta*?"""
    rules = grammar(lang)
    k = i - 1
    while k >= 0 and not rules.has("relative", form_at(words, k)):
        weight = weigh(words[k].form, lang)
        silent = weight.kind == "pronoun" and weight.gender == "neutral"
        if not (
            silent or weight.kind in ("adverb", "auxiliary", "copula") or _modal(words, k, lang)
        ):
            break
        k -= 1
    if rules.has("relative", form_at(words, k)):
        before = k - 2 if form_at(words, k - 1) == "," else k - 1
        return any(p.first <= before <= p.last and p.gender in (gender, "neutral") for p in known)
    if kind_at(words, k, lang) == "pronoun":
        return True
    if kind_at(words, k, lang) not in ("content", "verb"):
        return False
    inside = any(p.first <= k <= p.last for p in known)
    named = words[k].form[:1].isupper()
    governed = kind_at(words, k - 1, lang) == "preposition"  # in fondo era
    return inside or named or (governed and not INFINITIVE.search(form_at(words, k)))


def _modal(words: list[Word], i: int, lang: str) -> bool:
    return grammar(lang).has("modal", form_at(words, i))


def governed(words: list[Word], i: int, lang: str) -> bool:
    """Does a preposition stand right before word `i`?"""
    return kind_at(words, i - 1, lang) == "preposition" or form_at(words, i - 1) == "d'"


def opens_clause(words: list[Word], first: int, lang: str) -> bool:
    """Does the noun open a clause, rather than stand after a verb or a preposition?"""
    i = first
    while kind_at(words, i - 1, lang) in ("determiner", "possessive") and i > 0:
        i -= 1
        if i and words[i - 1].start == words[i].start:  # all' is a + l'
            return False
    return i == 0 or kind_at(words, i - 1, lang) in ("mark", "conjunction")


def keeps_subject(words: list[Word], i: int, lang: str) -> bool:
    """Does the verb at `i` stand right after *e*, *quindi*, and so share the first subject?"""
    rules, k = grammar(lang), i - 1
    while k >= 0 and not rules.has("consecutive", form_at(words, k)):
        weight = weigh(words[k].form, lang)
        silent = weight.kind == "pronoun" and weight.gender == "neutral"
        if not (silent or weight.kind in ("auxiliary", "adverb")):
            return False
        k -= 1
    return k >= 0


def is_name(words: list[Word], i: int, lang: str) -> bool:
    """Does word `i` look like a name: a capital inside a sentence, and no known word?"""
    form = words[i].form
    inside = i > 0 and words[i - 1].form not in SENTENCE_ENDS
    capital = form[:1].isupper() and not (len(form) > 1 and form.isupper())
    known = form.lower() in person_nouns(lang) or kind_at(words, i, lang) != "content"
    return inside and capital and not known
