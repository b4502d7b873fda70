"""Italian plurals that look like a masculine singular: *due infermiere*, *erano cameriere*.

*Infermiere* is a man in the dictionary, and several women where the words before it ask for a
plural.
"""

from __future__ import annotations

from cuescope.gender.forms import Form
from cuescope.gender.reading import Evidence
from cuescope.gender.romance.clause import form_at, kind_at
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.phrase import Noun
from cuescope.gender.romance.subject import phrases
from cuescope.gender.romance.words import attribute, weigh
from cuescope.gender.words import Word


def number(
    words: list[Word], noun: Noun | None, determiners: list[Evidence], lang: str
) -> Noun | None:
    """The noun; as a feminine where it is the plural of one in -a."""
    if noun is None or not romance(lang).vowel_plurals:
        return noun
    name = form_at(words, noun.first)
    woman = name.endswith("e") and person_nouns(lang).get(name[:-1] + "a") == "feminine"
    if woman and _many(words, noun.first, determiners, lang):
        return noun._replace(form=Form("feminine"))
    return noun


def _many(words: list[Word], first: int, determiners: list[Evidence], lang: str) -> bool:
    """Do the words before a noun in -e ask for a plural?"""
    if determiners:  # le infermiere
        return any(m.gender == "feminine" and m.word.lower().endswith("e") for m in determiners)
    i, rules = first - 1, grammar(lang)
    if _plural_adjective(form_at(words, i), lang) or rules.has("many", form_at(words, i)):
        return True
    if form_at(words, i) == "come":
        return _plural_subject(words, i, lang)
    while kind_at(words, i, lang) == "adverb":
        i -= 1
    if not rules.has("plural", form_at(words, i)):
        return False
    return form_at(words, i) != "sono" or _has_subject(words, i - 1, lang)  # sono: I am, they are


def _plural_adjective(form: str, lang: str) -> bool:
    """*brave infermiere*, *giovani cameriere*."""
    if form.endswith("e"):
        return attribute(form, lang) == "feminine"
    plain = weigh(form, lang)
    return form.endswith("i") and plain.kind == "content" and plain.gender == "neutral"


def _has_subject(words: list[Word], i: int, lang: str) -> bool:
    while kind_at(words, i, lang) == "adverb":
        i -= 1
    return kind_at(words, i, lang) in ("content", "pronoun") and form_at(words, i) != "io"


def _plural_subject(words: list[Word], at: int, lang: str) -> bool:
    """Is the subject of the clause that *come* stands in a plural: *queste donne lavorano come*?"""
    known, i = phrases(words[:at], lang), at - 1
    while i >= 0 and kind_at(words, i, lang) not in ("mark", "conjunction"):
        if grammar(lang).has("relative", form_at(words, i)):  # le donne che lavorano come
            of = i - 2 if form_at(words, i - 1) == "," else i - 1
            several = form_at(words, i + 1).endswith("no")  # not: le zie dicono che lavora come
            return several and any(p.plural for p in known if p.last == of)
        i -= 1
    if form_at(words, i + 1) == "loro":
        return True
    return next((p.plural for p in known if p.first == i + 1), False)
