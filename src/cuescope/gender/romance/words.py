"""What one Romance word says about gender: by list, by lexicon, by ending."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cuescope.gender.forms import plain
from cuescope.gender.languages import per_language
from cuescope.gender.reading import Gender
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance

_CLOSED = (
    *("determiner", "possessive", "pronoun", "preposition", "conjunction"),
    *("adverb", "copula", "auxiliary"),
)


@dataclass(frozen=True)
class Weight:
    """One word's part of speech as far as the lists know it, and the gender it shows."""

    kind: str
    gender: Gender
    rule: str


def is_word(form: str) -> bool:
    """Letters, not punctuation."""
    return form[:1].isalnum()


@per_language
@lru_cache(maxsize=1 << 16)
def weigh(form: str, lang: str) -> Weight:
    """What a word shows by itself; the kind is `content` for nouns, adjectives and participles.

    >>> weigh("abogadas", "es")
    Weight(kind='content', gender='feminine', rule='noun form')
    """
    word = form.lower().replace("’", "'")
    rules = grammar(lang)
    if not is_word(word):
        return Weight("mark", "neutral", "punctuation")
    for kind in _CLOSED:
        if rules.has(kind, word):
            return Weight(kind, rules.words[kind][word], kind)
    return _clitic(word, lang) or _content(word, lang)


def _content(word: str, lang: str) -> Weight:
    """A noun, adjective or participle: listed, in the lexicon, or judged by its ending."""
    rules = grammar(lang)
    if is_open(word, lang):
        return Weight("content", "masculine", "noun form")
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        for kind in ("noun", "adjective"):
            if rules.has(kind, form):
                return Weight("content", rules.words[kind][form], f"{kind} list")
    if (known := person_nouns(lang).get(word)) is not None:
        return Weight("content", known, "noun form")
    if rules.has("verb", word):
        return Weight("verb", "neutral", "verb")
    if "-" in word:
        return _compound(word, lang)
    found = rules.ending(word)
    return (
        Weight("content", found[1], f"ending -{found[0]}")
        if found
        else Weight("content", "neutral", "")
    )


def is_open(word: str, lang: str) -> bool:
    """Masculine unless an article says otherwise: *presidente*, *médecin*."""
    listed = grammar(lang).words["open"]
    return word in listed or (word.endswith("s") and word[:-1] in listed)


def _compound(word: str, lang: str) -> Weight:
    """A hyphenated word: the last part that shows a gender (*vice-presidente*, *grand-mère*).

    A part that is masculine by default yields to another (*médica-chefe*).
    """
    parts = [part for part in word.split("-") if part]
    weights = [(is_open(part, lang), weigh(part, lang)) for part in reversed(parts)]
    shown = [(o, w) for o, w in weights if w.kind == "content" and w.gender != "neutral"]
    listed = [(o, w) for o, w in shown if not w.rule.startswith("ending")]
    best = sorted(listed or shown, key=lambda found: found[0])
    return best[0][1] if best else Weight("content", "neutral", "")


def _clitic(word: str, lang: str) -> Weight | None:
    """An object pronoun at the end of a verb: *sostenerla*, *vê-lo*, *ringraziarla*."""
    match = romance(lang).clitics.search(word)
    listed = grammar(lang).words
    if match is None or word in person_nouns(lang) or word in listed["verb"]:
        return None
    if word in listed["noun"]:  # charla
        return None
    gender: Gender = (
        "masculine" if match.group(1) in romance(lang).masculine_clitics else "feminine"
    )
    return Weight("pronoun", gender, f"pronoun -{match.group(1)}")


def attribute(form: str, lang: str) -> Gender:
    """The gender of a word right after a noun: listed, or by an ending that verbs do not have."""
    rules, word = grammar(lang), form.lower()
    if rules.has("attributive", word):
        return rules.words["attributive"][word]
    found = rules.ending(word, "attribute")
    if found is None or weigh(form, lang).kind != "content":
        return "neutral"
    verb = found[0] in romance(lang).accented and plain(word) == word  # critica, but crítica
    return "neutral" if verb else found[1]


def can_be_noun(form: str, lang: str) -> bool:
    """Not a function word, number or mark."""
    return form[:1].isalpha() and weigh(form, lang).kind == "content"
