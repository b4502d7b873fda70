"""The gender of a Romance noun phrase: article first, then noun, then adjectives, then context.

The article decides where it contradicts the noun (*à carpinteiro*, *la ingeniero*): it is what a
system changes to follow a cue, and what a native reader hears first. The phrase is then
marked inconsistent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuescope.gender.forms import Form, surfaces
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.gender.romance_context import context, predicate
from cuescope.gender.romance_grammar import grammar, inflected_gender, person_nouns
from cuescope.gender.romance_inflect import inflections
from cuescope.gender.romance_words import Weight, can_be_noun, is_open, is_word, weigh
from cuescope.words import Word

__all__ = ["can_be_noun", "inflected_gender", "inflections", "read_phrase"]

_DETERMINERS = ("determiner", "possessive")
_LINKS = ("preposition", "conjunction")
_LONGEST = 8  # words in a lexicon form


class _Noun(NamedTuple):
    """The head: its words are `first` to `last`, with the form the lexicon gives it."""

    first: int
    last: int
    form: Form
    rule: str


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender shown by the noun (phrase) at `span`, with the words that show it."""
    if lang == "it":
        words = list(_accents(words))
    inside = [i for i, w in enumerate(words) if w.start < span[1] and w.end > span[0]]
    inside = [i for i in inside if is_word(words[i].form)]
    if not inside:
        return Reading("unknown", True, (), None)
    noun = _head(words, inside, lang, entry)
    core = _core(words, inside, lang, noun)
    first = noun.first if noun else core[0]
    inner = [i for i in core if i < first] if noun else core
    determiners = list(_determiners(words, inner, first, noun, lang))
    noun = _plural(words, noun, determiners, lang)
    marks = [
        *_apposition(words, noun, lang),
        *determiners,
        *_noun(text, words, noun),
        *_attributes(words, core, noun, lang),
        *(m for i in core if (m := _pronoun(words, i, lang))),
    ]
    shown = [m for m in marks if m.gender != "neutral"]
    if noun and noun.form.open and shown and shown[0].start == words[noun.first].start:
        shown = [*predicate(words, core[0], max(core[-1], noun.last), lang), *shown]
    if not shown and len(core) < len(inside):
        rest = [i for i in inside if i not in core]
        shown = [m for i in rest if (m := _any(words, i, lang)) and m.gender != "neutral"]
    if not shown and not _indefinite(words, noun, lang):
        last = max(core[-1], noun.last if noun else 0)
        shown = list(context(words, core[0], last, lang))
    place = (words[core[0]].start, words[core[-1]].end)
    if not shown:
        return Reading("neutral", True, (), place)
    return Reading(shown[0].gender, _consistent(shown, noun, words), tuple(shown), place)


def _indefinite(words: list[Word], noun: _Noun | None, lang: str) -> bool:
    """*alguien*, *alguém* have no gender that a later pronoun could tell."""
    return noun is not None and weigh(words[noun.first].form, lang).kind == "pronoun"


def _accents(words: list[Word]) -> Iterator[Word]:
    """*e'*, *perche'* as some systems write *è*, *perché*."""
    for i, word in enumerate(words):
        quoted = i + 1 < len(words) and words[i + 1].form in "'’" and words[i + 1].start == word.end
        accented = dict(zip("aeiou", "àèìòù", strict=True)).get(word.form[-1]) if quoted else None
        if word.form in "'’" and i and words[i - 1].end == word.start:
            continue
        yield word._replace(form=word.form[:-1] + accented) if accented else word


def _consistent(shown: list[Evidence], noun: _Noun | None, words: list[Word]) -> bool:
    """No two words disagree, the noun aside where it is open (*la médecin*) or in apposition."""
    judged = shown
    if noun is not None:
        start, end = words[noun.first].start, words[noun.last].end
        named = next((m for m in shown if m.rule == "apposition"), None)
        if named is not None and named.start >= start:  # un medico donna: the noun leads
            judged = [m for m in shown if m is not named]
        elif named is not None or noun.form.open:
            judged = [m for m in shown if not start <= m.start < end]
    return len({m.gender for m in judged}) <= 1


def _mark(word: Word, rule: str, gender: Gender) -> Evidence:
    return Evidence(word.form, word.start, word.end, rule, gender)


def _weight(words: list[Word], i: int, lang: str) -> Weight:
    """What word `i` is where it stands: the first half of a contraction is a preposition."""
    word = words[i]
    if i + 1 < len(words) and words[i + 1].start == word.start:
        return Weight("preposition", "neutral", "preposition")
    return weigh(word.form, lang)


def _head(words: list[Word], inside: list[int], lang: str, entry: Entry | None) -> _Noun | None:
    """The noun in the span: as the lexicon's entry has it, else the first that is known."""
    if entry is not None:
        known = surfaces(entry, lang)
        beside = [i for i in _around(inside) if 0 <= i < len(words)]  # an aligner may be off by two
        for i in (*inside, *beside):
            for size in range(min(_LONGEST, len(words) - i), 0, -1):
                key = tuple(w.form.lower() for w in words[i : i + size])
                if key in known:
                    form = known[key]
                    if form.gender != "feminine" and is_open(key[0], lang):
                        form = Form("masculine", open=True)
                    return _Noun(i, i + size - 1, form, "noun form")
    best: _Noun | None = None
    for i in inside:
        weight = _weight(words, i, lang)
        if best is not None and weight.kind in _LINKS:
            break
        if weight.kind in ("content", "verb"):
            form = Form(weight.gender, is_open(words[i].form.lower(), lang))
            found = _Noun(i, i, form, weight.rule)
            if weight.rule in ("noun form", "noun list"):
                return found
            best = best or found
    return best


def _around(inside: list[int]) -> list[int]:
    return [inside[-1] + 1, inside[-1] + 2, inside[0] - 1, inside[0] - 2]


def _core(words: list[Word], inside: list[int], lang: str, noun: _Noun | None) -> list[int]:
    """The words of the span without leading prepositions and without what depends on the noun."""
    start = 0
    while start < len(inside) - 1 and _weight(words, inside[start], lang).kind in _LINKS:
        start += 1
    core: list[int] = []
    for i in inside[start:]:
        if core and _weight(words, i, lang).kind in _LINKS and (noun is None or i > noun.last):
            break
        core.append(i)
    if noun is None:
        return core
    return sorted({*core, *range(noun.first, noun.last + 1)})


def _determiners(
    words: list[Word], inner: list[int], first: int, noun: _Noun | None, lang: str
) -> Iterator[Evidence]:
    """Articles, demonstratives and possessives before the noun, inside the span and to its left."""
    found = [i for i in inner if _weight(words, i, lang).kind in _DETERMINERS]
    if not found and noun is not None:
        found = _to_the_left(words, min([first, *inner]), lang)
    for i in sorted(found):
        gender = _determiner(words, i, noun, lang)
        if gender != "neutral" and not (
            noun and i not in inner and _foreign(words, i, gender, noun, lang)
        ):
            article = grammar(lang).has("article", words[i].form.lower())
            yield _mark(words[i], "article" if article else "determiner", gender)


def _foreign(words: list[Word], i: int, gender: Gender, noun: _Noun, lang: str) -> bool:
    """Does it belong to another noun in between (*el premio Mujeres*, *una vez elegido*)?"""
    between = [weigh(w.form, lang).kind for w in words[i + 1 : noun.first]]
    return "content" in between and noun.form.gender not in ("neutral", gender)


def _to_the_left(words: list[Word], first: int, lang: str) -> list[int]:
    """Determiners just before `first`, over adjectives that agree (*la célèbre actrice*)."""
    found: list[int] = []
    pending: list[int] = []
    for i in range(first - 1, max(first - 6, -1), -1):
        weight = _weight(words, i, lang)
        if weight.kind in _DETERMINERS:
            if any(not _agree(weight, weigh(words[j].form, lang)) for j in pending):
                break
            found.append(i)
            pending = []
            if grammar(lang).has("article", words[i].form.lower()):
                break
        elif found:
            break
        elif weight.kind == "content" and weight.rule and len(pending) < 2:
            pending.append(i)
        else:
            break
    return found


def _agree(determiner: Weight, other: Weight) -> bool:
    return "neutral" in (determiner.gender, other.gender) or determiner.gender == other.gender


def _determiner(words: list[Word], i: int, noun: _Noun | None, lang: str) -> Gender:
    """The gender a determiner shows before this noun; `neutral` where its form is forced."""
    word, weight = words[i].form.lower(), _weight(words, i, lang)
    following = words[i + 1].form.lower() if i + 1 < len(words) else ""
    if weight.kind == "possessive":  # mon amie: the vowel asks for it
        return "neutral" if following[:1] in "aeiouyhàâéèêëîïôœù" else weight.gender
    if noun is None:
        return weight.gender
    name = words[noun.first].form.lower()
    if grammar(lang).has("stressed_a", name) and word in ("el", "un", "algún", "ningún"):
        return "neutral"
    if lang == "pt" and word == "a" and _is_preposition(words, i, noun, lang):
        return "neutral"
    return weight.gender


def _is_preposition(words: list[Word], i: int, noun: _Noun, lang: str) -> bool:
    """Portuguese *a* before a masculine or plural noun, unless only an article can stand there."""
    if i and words[i - 1].start == words[i].start:  # à = a + a
        return False
    if words[noun.first].form.lower().endswith("s") and noun.form.gender != "neutral":
        return True
    before = _weight(words, i - 1, lang).kind if i else "mark"
    return noun.form.gender == "masculine" and before not in ("mark", *_LINKS)


def _plural(
    words: list[Word], noun: _Noun | None, determiners: list[Evidence], lang: str
) -> _Noun | None:
    """Italian *le infermiere*: after a plural article, a masculine in -e is a plural in -a."""
    if lang != "it" or noun is None:
        return noun
    name = words[noun.first].form.lower()
    many = any(m.gender == "feminine" and m.word.lower().endswith("e") for m in determiners)
    if many and name.endswith("e") and person_nouns(lang).get(name[:-1] + "a") == "feminine":
        return noun._replace(form=Form("feminine"))
    return noun


def _noun(text: str, words: list[Word], noun: _Noun | None) -> Iterator[Evidence]:
    if noun is not None and noun.form.gender != "neutral":
        start, end = words[noun.first].start, words[noun.last].end
        yield Evidence(text[start:end], start, end, noun.rule, noun.form.gender)


def _apposition(words: list[Word], noun: _Noun | None, lang: str) -> Iterator[Evidence]:
    """*la mujer policía*, *un medico donna*, *figura maschile*: what names the sex leads."""
    if noun is None:
        return
    nouns, adjectives = grammar(lang).words["sexed"], grammar(lang).words["sex"]
    for i in (noun.first, noun.first - 1, noun.last + 1):
        form = words[i].form.lower() if 0 <= i < len(words) else ""
        gender = adjectives.get(form) or (nouns.get(form) if i != noun.first else None)
        if gender:
            yield _mark(words[i], "apposition", gender)


def _attributes(
    words: list[Word], core: list[int], noun: _Noun | None, lang: str
) -> Iterator[Evidence]:
    """The other nouns, adjectives and participles of the phrase."""
    rules = grammar(lang)
    named = noun is not None and rules.has("sexed", words[noun.first].form.lower())
    for i in core:
        weight = _weight(words, i, lang)
        inside = noun is not None and noun.first <= i <= noun.last
        beside = named and weight.rule == "noun form"  # la donna poliziotto
        names = rules.has("sex", words[i].form.lower())
        shown = weight.kind == "content" and weight.gender != "neutral"
        if shown and not (inside or beside or names):
            yield _mark(words[i], "adjective", weight.gender)


def _pronoun(words: list[Word], i: int, lang: str) -> Evidence | None:
    weight = _weight(words, i, lang)
    return _mark(words[i], weight.rule, weight.gender) if weight.kind == "pronoun" else None


def _any(words: list[Word], i: int, lang: str) -> Evidence | None:
    weight = _weight(words, i, lang)
    return _mark(words[i], weight.rule, weight.gender)
