"""Last resort, when a noun phrase shows no gender: predicates and pronouns around it.

*L'insegnante è stata assunta*, *l'assistente, stanca*, *con l'insegnante e l'ha invitata*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cuescope.gender.reading import Evidence, Gender
from cuescope.gender.romance_grammar import grammar, person_nouns
from cuescope.gender.romance_words import attribute, weigh
from cuescope.words import Word

_CLITICS: dict[str, dict[str, Gender]] = {
    "es": {"la": "feminine", "lo": "masculine"},
    "pt": {"a": "feminine", "o": "masculine"},
    "it": {"la": "feminine", "lo": "masculine", "le": "feminine", "gli": "masculine"},
    "fr": {"la": "feminine", "le": "masculine"},
}
_FINITE = {
    "es": re.compile(r"(ó|aba|ía|ieron|aron|ará|ió)$"),
    "pt": re.compile(r"(ou|eu|iu|ava|ia|ará)$"),
    "it": re.compile(r"(ò|ì|ava|eva|iva|ise|ese|ette|isse|iese|iede|ece|ose)$"),
    "fr": re.compile(r"(a|ait|it|ut|era)$"),
}


def context(words: list[Word], first: int, last: int, lang: str) -> Iterator[Evidence]:
    """The first agreeing word outside the phrase at words `first` to `last`, if there is one."""
    found = list(predicate(words, first, last, lang))
    if not found and (pronoun := _anaphor(words, first, last + 1, lang)):
        found = [_evidence(words, pronoun, "anaphor")]
    yield from found


def predicate(words: list[Word], first: int, last: int, lang: str) -> Iterator[Evidence]:
    """An adjective right after the phrase, or the predicate of which it is the subject."""
    if found := _attribute(words, last + 1, lang):
        yield _evidence(words, found, "attribute")
    elif found := _predicate(words, _subject(words, first, last, lang), lang):
        yield _evidence(words, found, "predicate")


def _evidence(words: list[Word], found: tuple[int, Gender], rule: str) -> Evidence:
    word = words[found[0]]
    return Evidence(word.form, word.start, word.end, f"{rule} (last resort)", found[1])


def _kind(words: list[Word], i: int, lang: str) -> str:
    return weigh(words[i].form, lang).kind if 0 <= i < len(words) else "mark"


def _attribute(words: list[Word], i: int, lang: str) -> tuple[int, Gender] | None:
    """An adjective right after the noun, perhaps after a comma or an adverb."""
    if i < len(words) and words[i].form == ",":
        i += 1
    while _kind(words, i, lang) == "adverb":
        i += 1
    if i >= len(words) or words[i].form.lower() in person_nouns(lang):
        return None
    gender = attribute(words[i].form, lang)
    return None if gender == "neutral" else (i, gender)


def _subject(words: list[Word], first: int, last: int, lang: str) -> int | None:
    """Where the noun's own verb may start; after a preposition, only a relative clause has one."""
    after = last + 1
    if after < len(words) and grammar(lang).has("relative", words[after].form.lower()):
        return after + 1
    start = first - 1
    while start >= 0 and _kind(words, start, lang) in ("determiner", "possessive"):
        start -= 1
    before = words[start + 1 : first + 1]
    contracted = bool(before) and start >= 0 and words[start].start == before[0].start
    governed = contracted or _kind(words, start, lang) == "preposition"
    return None if governed and start >= 0 else after


def _predicate(words: list[Word], i: int | None, lang: str) -> tuple[int, Gender] | None:
    """Copula and participle or adjective, from word `i` on."""
    if i is None:
        return None
    rules = grammar(lang)
    while _kind(words, i, lang) in ("adverb", "pronoun", "auxiliary"):
        i += 1
    if not (i < len(words) and rules.has("copula", words[i].form.lower())):
        return None
    for j in range(i + 1, min(i + 6, len(words))):
        if _kind(words, j, lang) in ("adverb", "copula", "auxiliary"):
            continue
        if not words[j].form.lower().endswith(("mente", "ment")):
            return _content(words, j, lang)
    return None


def _content(words: list[Word], i: int, lang: str) -> tuple[int, Gender] | None:
    """Word `i`, if it is an adjective, participle or noun that shows a gender."""
    weight = weigh(words[i].form, lang)
    return (i, weight.gender) if weight.kind == "content" and weight.gender != "neutral" else None


def _anaphor(words: list[Word], first: int, i: int, lang: str) -> tuple[int, Gender] | None:
    """A later pronoun or predicate, as long as no other person noun comes between.

    After *and* or *but* the subject stays the sentence's first noun: no predicate for a later one.
    """
    nouns, rules = person_nouns(lang), grammar(lang)
    subject, joined = first <= 1, False
    for j in range(i, len(words)):
        form = words[j].form.lower()
        if _kind(words, j, lang) == "conjunction":
            joined = rules.has("coordinator", form)
        if form in nouns and _kind(words, j - 1, lang) == "determiner":
            return None
        weight = weigh(words[j].form, lang)
        personal = rules.has("personal", form) or weight.rule.startswith("pronoun -")
        if weight.kind == "pronoun" and weight.gender != "neutral" and personal:
            return j, weight.gender
        if found := _object(words, j, lang):
            return found
        if (
            (subject or not joined)
            and rules.has("copula", form)
            and (found := _predicate(words, j, lang))
        ):
            return found
    return None


def _object(words: list[Word], i: int, lang: str) -> tuple[int, Gender] | None:
    """An object pronoun before a verb: *l'ha invitata*, *la licenziò*, *le disse*."""
    form = words[i].form.lower()
    rules = grammar(lang)
    follows = words[i + 1].form.lower() if i + 1 < len(words) else ""
    helped = rules.has("auxiliary", follows)
    if form == "l'" and helped and i + 2 < len(words):
        return _content(words, i + 2, lang)
    gender = _CLITICS[lang].get(form, "neutral")
    verbal = helped or bool(_FINITE[lang].search(follows) and follows not in person_nouns(lang))
    return (i, gender) if gender != "neutral" and verbal else None
