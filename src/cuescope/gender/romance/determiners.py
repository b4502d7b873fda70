"""Articles, demonstratives and possessives of a Romance noun, and when their form is forced."""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.gender.reading import Evidence, Gender
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.language import romance
from cuescope.gender.romance.phrase import Noun, weight_at
from cuescope.gender.romance.words import Weight, weigh
from cuescope.gender.words import Word

DETERMINERS = ("determiner", "possessive")


def determiners_of(
    words: list[Word], inner: list[int], first: int, noun: Noun | None, lang: str
) -> Iterator[Evidence]:
    """Articles, demonstratives and possessives before the noun, inside the span and to its left."""
    found = [i for i in inner if weight_at(words, i, lang).kind in DETERMINERS]
    if not found and noun is not None:
        found = _to_the_left(words, min([first, *inner]), lang)
    for i in sorted(found):
        gender = _determiner(words, i, noun, lang)
        if gender != "neutral" and not (
            noun and i not in inner and _foreign(words, i, gender, noun, lang)
        ):
            article = grammar(lang).has("article", words[i].form.lower())
            rule = "article" if article else "determiner"
            yield Evidence(words[i].form, words[i].start, words[i].end, rule, gender)
    if found and noun is not None and _silent(words, found, noun, lang):
        yield from _adjectives(words, max(found), noun, lang)


def _silent(words: list[Word], found: list[int], noun: Noun, lang: str) -> bool:
    """Do neither the determiners nor the noun, known for somebody, show a gender?"""
    known = noun.form.gender == "neutral" and noun.rule in ("noun form", "noun list")
    return known and all(weight_at(words, i, lang).gender == "neutral" for i in found)


def _adjectives(words: list[Word], last: int, noun: Noun, lang: str) -> Iterator[Evidence]:
    """What stands between a determiner that is silent and the noun: *su nueva colega*."""
    people, listed = person_nouns(lang), grammar(lang)
    for i in range(last + 1, noun.first):
        form, weight = words[i].form.lower(), weight_at(words, i, lang)
        names = form not in people and (listed.has("noun", form) or listed.has("sex", form))
        if weight.kind == "content" and weight.gender != "neutral" and not names:
            yield Evidence(words[i].form, words[i].start, words[i].end, "adjective", weight.gender)


def _foreign(words: list[Word], i: int, gender: Gender, noun: Noun, lang: str) -> bool:
    """Does it belong to another noun in between (*el premio Mujeres*, *una vez elegido*)?"""
    listed = grammar(lang)  # as mulheres secretários: the article is the phrase's
    rest = [w.form.lower() for w in words[i + 1 : noun.first]]
    between = [f for f in rest if not listed.has("sexed", f) and weigh(f, lang).kind == "content"]
    if noun.form.open:  # a antiga chefe, but: uma vez presidente
        between = [f for f in between if listed.has("noun", f) or listed.has("thing", f)]
    return bool(between) and noun.form.gender not in ("neutral", gender)


def _to_the_left(words: list[Word], first: int, lang: str) -> list[int]:
    """Determiners just before `first`, over adjectives that agree (*la célèbre actrice*)."""
    found: list[int] = []
    pending: list[int] = []
    for i in range(first - 1, max(first - 6, -1), -1):
        weight = weight_at(words, i, lang)
        if weight.kind in DETERMINERS:
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


def _determiner(words: list[Word], i: int, noun: Noun | None, lang: str) -> Gender:
    """The gender a determiner shows before this noun; `neutral` where its form is forced."""
    word, weight = words[i].form.lower(), weight_at(words, i, lang)
    following = words[i + 1].form.lower() if i + 1 < len(words) else ""
    if weight.kind == "possessive":  # mon amie: the vowel asks for it
        return "neutral" if following[:1] in "aeiouyhàâéèêëîïôœù" else weight.gender
    if noun is None:
        return weight.gender
    name = words[noun.first].form.lower()
    if grammar(lang).has("stressed_a", name) and word in ("el", "un", "algún", "ningún"):
        return "neutral"
    if word in romance(lang).preposition_too and _is_preposition(words, i, noun, lang):
        return "neutral"
    return weight.gender


def _is_preposition(words: list[Word], i: int, noun: Noun, lang: str) -> bool:
    """Portuguese *a* before a plural, or before a role: *promovido a chefe*, *de soldado a cabo*.

    A preposition and a person in the singular have an article between them (*à chefe*, *ao chefe*),
    so that *respeitou a chefe* has one.
    """
    if i and words[i - 1].start == words[i].start:  # à = a + a
        return False
    name, known = words[noun.first].form.lower(), person_nouns(lang)
    if weight_at(words, noun.first, lang).kind == "pronoun":  # disse a alguém
        return True
    singulars = (name.removesuffix("s"), name.removesuffix("es"))
    if name.endswith("s") and (noun.form.gender != "neutral" or any(n in known for n in singulars)):
        return True
    stems = tuple(grammar(lang).words["role"])
    becomes = i > 0 and bool(stems) and words[i - 1].form.lower().startswith(stems)
    step = i > 1 and weight_at(words, i - 2, lang).kind == "preposition"
    apart = step and words[i - 2].start != words[i - 1].start
    return becomes or (apart and words[i - 2].form.lower() == "de")
