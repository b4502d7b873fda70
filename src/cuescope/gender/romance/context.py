"""Where a noun and its determiners show no gender: what agrees with it, and what refers to it.

In its phrase and its own clause: *l'assistente, stanca*, *L'insegnante è stata assunta*.
Beyond, as a last resort and a second reading: *con l'insegnante e l'ha invitata*.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.gender.reading import Evidence, Gender
from cuescope.gender.romance.clause import (
    Found,
    expletive,
    impersonal,
    inverted,
    kind_at,
    object_at,
    of_person,
    predicate_at,
)
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.referent import only_referent
from cuescope.gender.romance.subject import (
    Phrase,
    governed,
    has_subject,
    is_name,
    is_plural,
    keeps_subject,
    opens_clause,
    phrases,
)
from cuescope.gender.romance.words import attribute, weigh
from cuescope.gender.words import Word

_WITH_PEOPLE = frozenset({"a", "à", "con", "com", "avec", "per", "para", "pour"})


def context(words: list[Word], first: int, last: int, lang: str) -> Iterator[Evidence]:
    """A pronoun, or a predicate that does not agree by grammar, that seems to be about the noun."""
    if found := _own_predicate(words, first, last, lang):
        yield _evidence(words, found, "predicate noun (last resort)")
    elif pronoun := _anaphor(words, first, last + 1, lang):
        yield _evidence(words, pronoun, "anaphor (last resort)")
    elif only := only_referent(words, first, last, lang):
        yield _evidence(words, only, "only referent (last resort)")


def predicate(words: list[Word], first: int, last: int, lang: str) -> Iterator[Evidence]:
    """An adjective right after the phrase, or one that its own verb links to it.

    *Cada estudante é uma mulher* names a sex, as the cue does; nothing agrees with the noun.
    """
    if found := _attribute(words, last + 1, lang):
        yield _evidence(words, found, "attribute")
    elif (found := _own_predicate(words, first, last, lang)) and not grammar(lang).has(
        "is_a", words[found[0]].form.lower()
    ):
        yield _evidence(words, found, "predicate")


def _own_predicate(words: list[Word], first: int, last: int, lang: str) -> Found | None:
    return predicate_at(words, _subject(words, first, last, lang), lang)


def _evidence(words: list[Word], found: tuple[int, Gender], rule: str) -> Evidence:
    word = words[found[0]]
    return Evidence(word.form, word.start, word.end, rule, found[1])


def _attribute(words: list[Word], i: int, lang: str) -> Found | None:
    """An adjective right after the noun, perhaps after a comma or an adverb."""
    many = is_plural(words, i - 1, lang)
    if i < len(words) and words[i].form == ",":
        i += 1
    while i < len(words) and grammar(lang).has("adverb", words[i].form.lower()):
        i += 1  # also one that may be a determiner (*su cliente más antigua*)
    if i >= len(words) or _named(words[i].form.lower(), lang):
        return None
    language, gender = romance(lang), attribute(words[i].form, lang)
    plural = words[i].form.lower().endswith(("i", "e") if language.vowel_plurals else "s")
    alike = plural == many or (language.singular_s and not many)  # un élève français
    return None if gender == "neutral" or not alike else (i, gender)


def _named(form: str, lang: str) -> bool:
    """A person of its own, and no adjective (*l'insegnante anziana*)."""
    return form in person_nouns(lang) and not grammar(lang).has("attributive", form)


def _subject(words: list[Word], first: int, last: int, lang: str) -> int | None:
    """Where the noun's own verb may start; after a preposition, only a relative clause has one."""
    after, rules = last + 1, grammar(lang)
    if after < len(words) and rules.has("relative", words[after].form.lower()):
        return after + 1
    start = first - 1
    while start >= 0 and kind_at(words, start, lang) in ("determiner", "possessive"):
        start -= 1
    before = words[start + 1 : first + 1]
    contracted = bool(before) and start >= 0 and words[start].start == before[0].start
    if start >= 0 and (contracted or kind_at(words, start, lang) == "preposition"):
        return None  # la petizione del contadino, che era breve
    if after + 1 < len(words) and words[after].form == ",":  # su guía, que era mexicana
        return after + 2 if rules.has("relative", words[after + 1].form.lower()) else after
    return _after_complement(words, after, lang)


def _after_complement(words: list[Word], i: int, lang: str) -> int:
    """Past what depends on the noun: *l'insegnante di matematica era stanca*."""
    j = i
    while kind_at(words, j, lang) == "preposition":
        j += 1
        while kind_at(words, j, lang) in ("determiner", "possessive"):
            j += 1
        end = j
        while kind_at(words, j, lang) == "content" and j < end + 2:
            j += 1
        if j == end:
            return i
    return j if kind_at(words, j, lang) in ("copula", "auxiliary", "adverb") else i


def _anaphor(words: list[Word], first: int, i: int, lang: str) -> Found | None:
    """A later pronoun or predicate, as long as no other person noun comes between.

    After *and* or *but* the subject stays the sentence's first noun: no predicate for a later one.
    """
    nouns, rules, known = person_nouns(lang), grammar(lang), phrases(words, lang)
    others = [p for p in known if not p.first <= first <= p.last]
    many = is_plural(words, i - 1, lang)
    own, subject, joined = opens_clause(words, first, lang), first <= 1, False
    relative = i < len(words) and rules.has("relative", words[i].form.lower())
    for j in range(i, len(words)):
        form = words[j].form.lower()
        if kind_at(words, j, lang) == "conjunction":
            joined = rules.has("coordinator", form)
        relative = relative and kind_at(words, j, lang) not in ("conjunction", "mark")
        named = j > i and is_name(words, j, lang) and _stands_alone(words, j, known, lang)
        if named or (form in nouns and kind_at(words, j - 1, lang) == "determiner"):
            return _shared(words, j, lang) if subject and own else None
        alike = many == (
            not romance(lang).vowel_plurals and form.endswith("s")
        )  # Elle parle aux enfants
        if alike and (found := _pronoun(words, j, others, own or relative, lang)):
            return found
        found = predicate_at(words, j, lang) if rules.has("copula", form) else None
        if (
            found
            and rules.has("plural", form) == many
            and (subject or not joined)
            and not impersonal(words, j, found[0], lang)
            and not inverted(words, found[0], lang)
            and not has_subject(words, j, found[1], others, lang)
        ):
            return found
    return None


def _stands_alone(words: list[Word], i: int, known: list[Phrase], lang: str) -> bool:
    """Is the name at `i` a person's part in the clause, not *di Roma*, *il gruppo Abba*?"""
    before = words[i - 1].form.lower()
    part = kind_at(words, i - 1, lang) == "preposition" and before not in _WITH_PEOPLE
    return not (
        part or is_name(words, i - 1, lang) or any(p.first < i <= p.last + 1 for p in known)
    )


def _shared(words: list[Word], i: int, lang: str) -> Found | None:
    """The predicate of a second verb with the same subject: *…, quindi è stata licenziata*."""
    for j in range(i, len(words)):
        form, rules = words[j].form.lower(), grammar(lang)
        joins = kind_at(words, j, lang) == "conjunction" and not rules.has("consecutive", form)
        if joins or rules.has("other_clause", form):
            return None  # così si è stufata: perhaps somebody else
        if rules.has("plural", form) or not rules.has("copula", form):
            continue
        found = predicate_at(words, j, lang) if keeps_subject(words, j, lang) else None
        if found and not (impersonal(words, j, found[0], lang) or inverted(words, found[0], lang)):
            return found
    return None


def _pronoun(
    words: list[Word], i: int, others: list[Phrase], subject: bool, lang: str
) -> Found | None:
    """*lei*, *l'ha aiutata*, *aiutarla*: but *pulirla* may be about a thing named before.

    Nobody is the object of what he does himself: a subject's clitics are about someone else.
    """
    weight, form = weigh(words[i].form, lang), words[i].form.lower()
    if found := object_at(words, i, lang):
        told = kind_at(words, i + 1, lang) == "copula"  # le è stato detto
        return found if told or not subject else None
    if weight.kind != "pronoun" or weight.gender == "neutral" or expletive(words, i, lang):
        return None
    if grammar(lang).has("personal", form):
        return None if subject and governed(words, i, lang) else (i, weight.gender)
    if subject or not weight.rule.startswith("pronoun -"):
        return None
    thing = any(p.gender == weight.gender and not p.person for p in others if p.last < i)
    dative = weight.rule in ("pronoun -le", "pronoun -gli")
    return (i, weight.gender) if dative or of_person(form, lang) or not thing else None
