"""What a clause says of somebody: predicates, object pronouns, and whose they cannot be."""

from __future__ import annotations

import re

from cuescope.gender.reading import Gender
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import Word

Found = tuple[int, Gender]
_GERUND = re.compile(r"[aeiê]ndo(?:s[ei]|l[oaei]|gli)?$")  # agrees with nothing
INFINITIVE = re.compile(r"(?:[aeiío]r|[aei]re|oir|dre)(?:s[ei]|l[oaei]|gli)?$")
_PRESENT = re.compile(r"(?:[ae]|[oò]|ó|ou|ait|erà|era|ará|[ae]va|aba|[aei]sse)$")


def kind_at(words: list[Word], i: int, lang: str) -> str:
    """The part of speech of word `i`; beyond the text, a mark."""
    return weigh(words[i].form, lang).kind if 0 <= i < len(words) else "mark"


def form_at(words: list[Word], i: int) -> str:
    """Word `i` in lower case, with a straight apostrophe; nothing beyond the text."""
    return words[i].form.lower().replace("’", "'") if 0 <= i < len(words) else ""


def content_at(words: list[Word], i: int, lang: str) -> Found | None:
    """Word `i`, if it is an adjective, participle or noun that shows a gender."""
    if not 0 <= i < len(words) or _GERUND.search(form_at(words, i)):
        return None
    weight = weigh(words[i].form, lang)
    return (i, weight.gender) if weight.kind == "content" and weight.gender != "neutral" else None


def predicate_at(words: list[Word], i: int | None, lang: str) -> Found | None:
    """Copula and participle or adjective, from word `i` on."""
    if i is None:
        return None
    rules = grammar(lang)
    start = i
    while kind_at(words, i, lang) in ("adverb", "pronoun", "auxiliary") or (
        rules.has("modal", form_at(words, i))  # poteva essere stanca
    ):
        i += 1
    helped = kind_at(words, i - 1, lang) == "auxiliary" and i > start
    form = form_at(words, i)
    linked = rules.has("copula", form) or (helped and rules.has("been", form))
    if not (linked or _passive(words, i, lang)):
        return None
    if rules.has("reflexive", form) and form_at(words, i - 1) not in romance(lang).reflexives:
        return None  # hizo ruido, but se hizo famosa
    for j in range(i + 1, min(i + 6, len(words))):
        if kind_at(words, j, lang) in ("adverb", "copula", "auxiliary"):
            continue
        if not form_at(words, j).endswith(("mente", "ment")):
            thing = rules.has("noun", form_at(words, j)) and not rules.has(
                "is_a", form_at(words, j)
            )
            found = None if thing else content_at(words, j, lang)  # foi parte, era vittima
            return _is_a(words, j, lang) or found
    return None


def _passive(words: list[Word], i: int, lang: str) -> bool:
    """*venne licenziata*: a verb that makes a passive, if a participle follows it."""
    if not grammar(lang).has("passive", form_at(words, i)):
        return False
    i += 1
    while kind_at(words, i, lang) == "adverb":
        i += 1
    told = content_at(words, i, lang) is not None and not grammar(lang).has(
        "noun", form_at(words, i)
    )
    return (
        told
        and len(form_at(words, i)) > 4
        and bool(romance(lang).participle.search(form_at(words, i)))
    )


def inverted(words: list[Word], i: int, lang: str) -> bool:
    """Does a subject follow the predicate `i`: *era stata pagata la fattura*?"""
    k = i + 1
    if grammar(lang).has("been", form_at(words, i)):
        while kind_at(words, k, lang) == "adverb":
            k += 1
        k += kind_at(words, k, lang) == "content"
    led = kind_at(words, k, lang) in ("determiner", "possessive") and form_at(words, k) != "d'"
    return led and not _is_a(words, k, lang)


def _is_a(words: list[Word], i: int, lang: str) -> Found | None:
    """*era una donna*, *è la migliore*: nouns that name a sex; a profession may not."""
    lead = weigh(words[i].form, lang)
    if lead.kind != "determiner":
        return None
    listed = grammar(lang).words["is_a"]
    for j in range(i + 1, i + 4):  # una brava ragazza
        shown = listed.get(form_at(words, j))
        gender = lead.gender if shown == "neutral" else shown
        if gender not in (None, "neutral"):
            return j, gender
        if kind_at(words, j, lang) not in ("determiner", "content"):
            return None
    return None


def object_at(words: list[Word], i: int, lang: str) -> Found | None:
    """An object pronoun before a verb: *l'ha invitata*, *la licenziò*, *le disse*."""
    rules, form, follows = grammar(lang), form_at(words, i), form_at(words, i + 1)
    if form_at(words, i - 1) in ("se", "me", "te", "ce", "ve"):  # se lo meritava: it, not him
        return None
    helped = rules.has("auxiliary", follows)
    verb = i + 2 if helped else i + 1
    gender = romance(lang).objects.get(form, "neutral")
    if (form == "l'" or (gender == "masculine" and form != "gli")) and _of_thing(words, verb, lang):
        return None
    if form == "l'":
        return content_at(words, verb, lang) if helped else None
    told = form in romance(lang).datives and rules.has("copula", follows)  # le è stato detto
    verbal = helped or told or _finite(follows, lang)
    return (i, gender) if gender != "neutral" and verbal else None


def _of_thing(words: list[Word], i: int, lang: str) -> bool:
    """*lo fece*, *l'ha detto*: it, not him; but *lo fece ridere* is about a man."""
    listed = grammar(lang).has("of_thing", form_at(words, i))
    return listed and not INFINITIVE.search(form_at(words, i + 1))


def _finite(word: str, lang: str) -> bool:
    """Is this word a finite verb, as far as lists and endings can tell it from a noun?"""
    rules = grammar(lang)
    if rules.has("nominal", word) or rules.has("noun", word) or word in person_nouns(lang):
        return False
    if rules.has("finite", word) or (_PRESENT.search(word) and of_person(word, lang)):
        return True
    return len(word) > 4 and rules.ending(word, "finite_ending") is not None


def of_person(word: str, lang: str) -> bool:
    """Does one do this to people rather than to things (*ringraziarla*)?"""
    return any(word.lower().startswith(stem) for stem in grammar(lang).words["of_person"])


def impersonal(words: list[Word], i: int, j: int, lang: str) -> bool:
    """Is the predicate `j` of the copula `i` about nobody: *era necessario*, *le è stato detto*?"""
    rules = grammar(lang)
    k = i - 1
    while kind_at(words, k, lang) in ("adverb", "auxiliary"):
        k -= 1
    if form_at(words, k) in romance(lang).datives:
        return True
    if rules.has("idiom", form_at(words, j)):  # era finita: it was over
        return True
    last = j + 1 if rules.has("been", form_at(words, j)) else j
    while kind_at(words, last, lang) == "adverb":
        last += 1
    if not (
        rules.has("impersonal", form_at(words, j)) or rules.has("impersonal", form_at(words, last))
    ):
        return False
    after = form_at(words, last + 1)
    clause = ("che", "que", "qu'", "di", "de", "d'", "se", "si", "a", "per", "para", "pour")
    return after in clause or bool(INFINITIVE.search(after))


def expletive(words: list[Word], i: int, lang: str) -> bool:
    """A pronoun that stands for nobody: *il faut*, *il y a*, *il est dangereux de*."""
    if not form_at(words, i) or form_at(words, i) != romance(lang).expletive:
        return False
    k = i + 1
    while form_at(words, k) in ("ne", "n'", "me", "te", "lui", "leur", "s'", "se"):
        k += 1
    if grammar(lang).has("expletive", form_at(words, k)):
        return True
    j = k + 1
    while kind_at(words, j, lang) in ("adverb", "copula"):
        j += 1
    return kind_at(words, k, lang) == "copula" and impersonal(words, i, j, lang)
