"""The gender of a Romance noun phrase: article first, then noun, then adjectives, then context.

The article decides where it contradicts the noun (*à carpinteiro*, *la ingeniero*): it is what a
system changes to follow a cue, and what a native reader hears first. The phrase is then
marked inconsistent. A word that names the sex (*femininos*, *mulheres*) is set aside: it translates
the cue and says nothing of the noun.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuescope.gender.forms import surfaces
from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence, Gender, Reading
from cuescope.gender.romance.context import context, predicate
from cuescope.gender.romance.determiners import determiners_of
from cuescope.gender.romance.grammar import grammar, inflected_gender
from cuescope.gender.romance.guard import can_be_person, stands_as_noun, takes_either
from cuescope.gender.romance.inclusive import inclusive
from cuescope.gender.romance.inflect import inflections
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.number import number
from cuescope.gender.romance.phrase import Noun, core_of, head, weight_at
from cuescope.gender.romance.sex import agreement, sense_leads, sex_named
from cuescope.gender.romance.words import can_be_noun, is_word, weigh
from cuescope.gender.words import Unfinished, Word, within, written

__all__ = [
    "can_be_noun",
    "can_be_person",
    "inflected_gender",
    "inflections",
    "read_phrase",
    "settled",
    "stands_as_noun",
    "takes_either",
]


class _Own(NamedTuple):
    """What a phrase shows by itself: its determiners, its noun and what stands inside it."""

    words: list[Word]
    inside: list[int]
    core: list[int]
    noun: Noun | None
    shown: list[Evidence]
    leading: list[Evidence]
    aside: list[Evidence]

    @property
    def last(self) -> int:
        return max(self.core[-1], self.noun.last if self.noun else 0)

    @property
    def open(self) -> bool:
        """Does only a noun speak that is masculine by default (*presidente*)? Then others may."""
        if self.noun is None or not self.noun.form.open or not self.shown:
            return False
        return self.shown[0].start == self.words[self.noun.first].start


def read_phrase(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> Reading:
    """The gender shown by the noun (phrase) at `span`, with the words that show it."""
    own = _own(text, words, span, lang, entry)
    if own is None:
        return Reading("unknown", True, (), None)
    words, inside, core, noun, shown, leading, aside = own
    place = (words[core[0]].start, words[core[-1]].end)
    if both := inclusive(words, noun, lang):
        return Reading("neutral", True, (both,), place)
    if own.open:
        shown = [*_behind(own, lang), *shown]
    if not shown and len(core) < len(inside):
        rest = [i for i in inside if i not in core]
        shown = [m for i in rest if (m := _any(words, i, lang)) and m.gender != "neutral"]
    beyond: list[Evidence] = []
    if not shown and not _nobody(own, lang):
        shown = _behind(own, lang)
        beyond = [] if shown else list(context(words, core[0], own.last, lang))
    gender = shown[0].gender if shown else "neutral"
    agreeing = [*shown, *agreement(words, aside, noun, lang)]
    fits = _consistent(agreeing, noun, words, leading)
    return Reading(gender, fits, tuple(shown), place, tuple(beyond), tuple(aside))


def settled(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry
) -> Gender | None:
    """The gender that no word to come can change, or None: see `gender.settled`.

    What a noun of the lexicon shows inside its phrase goes before all that follows; a phrase that
    shows nothing, or an open noun alone, asks the words behind it, as far as they are written.
    """
    own = _own(text, written(words), span, lang, entry)
    if own is None or len(own.core) < len(own.inside) or not _listed(own, lang, entry):
        return None
    if inclusive(own.words, own.noun, lang):
        return "neutral"
    asked = own.open or not (own.shown or _nobody(own, lang))
    behind = _behind(own._replace(words=Unfinished(own.words)), lang) if asked else []
    shown = [*behind, *own.shown]
    return shown[0].gender if shown else "neutral"


def _own(
    text: str, words: list[Word], span: tuple[int, int], lang: str, entry: Entry | None
) -> _Own | None:
    """The phrase itself; nothing here looks further than the word after the span."""
    if romance(lang).bare_apostrophes:
        words = list(_accents(words, lang))
    inside = [i for i in within(words, span) if is_word(words[i].form)]
    if not inside:
        return None
    noun = head(words, inside, lang, entry)
    core = core_of(words, inside, lang, noun)
    first = noun.first if noun else core[0]
    inner = [i for i in core if i < first] if noun else core
    determiners = list(determiners_of(words, inner, first, noun, lang))
    noun = number(words, noun, determiners, lang)
    sexed = list(sex_named(words, core, noun, lang))
    leading = sexed if sense_leads(words, noun, entry, lang) else []
    marks = [
        *leading,
        *determiners,
        *_noun(text, words, noun),
        *_attributes(words, core, noun, lang),
        *(m for i in core if (m := _pronoun(words, i, lang))),
    ]
    shown = [m for m in marks if m.gender != "neutral"]
    return _Own(words, inside, core, noun, shown, leading, [] if leading else sexed)


def _listed(own: _Own, lang: str, entry: Entry) -> bool:
    """Is the span a form of the entry, not a compound with one: there the reader looks about."""
    return tuple(own.words[i].form.lower() for i in own.inside) in surfaces(entry, lang)


def _behind(own: _Own, lang: str) -> list[Evidence]:
    """What the words behind a phrase show of its gender."""
    return list(predicate(own.words, own.core[0], own.last, lang))


def _nobody(own: _Own, lang: str) -> bool:
    """*alguien*, *alguém* have no gender that a later word could tell."""
    core = [own.noun.first] if own.noun else own.core
    return all(weigh(own.words[i].form, lang).kind == "pronoun" for i in core)


def _accents(words: list[Word], lang: str) -> Iterator[Word]:
    """*e'*, *perche'* as some systems write *è*, *perché*; a quoted noun stays as it is."""
    written, before = False, ""
    for word, follows in zip(words, [*words[1:], None], strict=False):  # there may be no word
        quoted = follows is not None and follows.form in "'’" and follows.start == word.end
        guesses = _accented(word.form) if quoted else ()
        known = next((form for form in guesses if weigh(form, lang).kind != "content"), None)
        if quoted and before in ("lo", "la", "le", "gli", "si") and word.form.endswith("o"):
            known = word.form[:-1] + "ò"  # la chiamo'
        if not (written and word.form in "'’"):
            yield word._replace(form=known) if known else word
        written, before = known is not None, word.form.lower()


def _accented(form: str) -> tuple[str, ...]:
    marks = {"a": "à", "e": "èé", "i": "ì", "o": "ò", "u": "ù"}.get(form[-1], "")
    return tuple(form[:-1] + mark for mark in marks)


def _consistent(
    shown: list[Evidence], noun: Noun | None, words: list[Word], leading: list[Evidence]
) -> bool:
    """No two words disagree, an open noun aside (*la médecin*), or what a sense overrules."""
    judged = [m for m in shown if m not in leading]
    if noun is not None and (noun.form.open or leading):
        start, end = words[noun.first].start, words[noun.last].end
        judged = [m for m in judged if not start <= m.start < end]
    return len({m.gender for m in judged}) <= 1


def _mark(word: Word, rule: str, gender: Gender) -> Evidence:
    return Evidence(word.form, word.start, word.end, rule, gender)


def _noun(text: str, words: list[Word], noun: Noun | None) -> Iterator[Evidence]:
    if noun is not None and noun.form.gender != "neutral":
        start, end = words[noun.first].start, words[noun.last].end
        yield Evidence(text[start:end], start, end, noun.rule, noun.form.gender)


def _attributes(
    words: list[Word], core: list[int], noun: Noun | None, lang: str
) -> Iterator[Evidence]:
    """The other nouns, adjectives and participles of the phrase."""
    rules = grammar(lang)
    named = noun is not None and rules.has("sexed", words[noun.first].form.lower())
    for i in core:
        weight = weight_at(words, i, lang)
        inside = noun is not None and noun.first <= i <= noun.last
        beside = named and weight.rule == "noun form"  # la donna poliziotto
        names = rules.has("sex", words[i].form.lower())
        shown = weight.kind == "content" and weight.gender != "neutral"
        if shown and not (inside or beside or names):
            yield _mark(words[i], "adjective", weight.gender)


def _pronoun(words: list[Word], i: int, lang: str) -> Evidence | None:
    weight = weight_at(words, i, lang)
    return _mark(words[i], weight.rule, weight.gender) if weight.kind == "pronoun" else None


def _any(words: list[Word], i: int, lang: str) -> Evidence | None:
    weight = weight_at(words, i, lang)
    return _mark(words[i], weight.rule, weight.gender)
