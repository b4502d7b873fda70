"""Words that name the sex beside a Romance noun: *os médicos femininos*, *la mujer policía*.

They translate the cue, and any system can translate it word by word: what they mean is no evidence
of the noun's own gender. How they are inflected is: *os presidentes femininas* contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuescope.gender.lexicon import Entry
from cuescope.gender.reading import Evidence
from cuescope.gender.romance.grammar import grammar, person_nouns
from cuescope.gender.romance.phrase import Noun
from cuescope.gender.romance.words import weigh
from cuescope.gender.words import Word


def sex_named(
    words: list[Word], core: list[int], noun: Noun | None, lang: str
) -> Iterator[Evidence]:
    """What names the sex in the phrase and right beside its noun, with the sex that it names."""
    if noun is None:
        return
    nouns, adjectives = grammar(lang).words["sexed"], grammar(lang).words["sex"]
    near = {noun.first - 1, noun.last + 1, *core}
    for i in sorted(i for i in near if 0 <= i < len(words)):
        form = words[i].form.lower()
        inside = noun.first <= i <= noun.last
        sex = adjectives.get(form) or (None if inside else nouns.get(form))
        if sex:
            yield Evidence(words[i].form, words[i].start, words[i].end, "names the sex", sex)


def sense_leads(words: list[Word], noun: Noun | None, entry: Entry | None, lang: str) -> bool:
    """Is the noun none of a person: *un personaje femenino*, *voix féminines*, *roupa masculina*?

    Its own gender says nothing of anybody's sex, so that only the adjective speaks of one.
    """
    if noun is None or entry is not None:
        return False
    form = words[noun.first].form.lower()
    known = form in person_nouns(lang) or grammar(lang).has("sexed", form)
    return grammar(lang).has("fixed", form) or not known


def agreement(
    words: list[Word], aside: list[Evidence], noun: Noun | None, lang: str
) -> Iterator[Evidence]:
    """The gender in which a word that was set aside is inflected; a noun after the noun is free.

    *Mulheres diretores* disagree, *un medico donna* is as it should be.
    """
    for mark in aside:
        leads = noun is not None and mark.start < words[noun.first].start
        shown = weigh(mark.word, lang).gender
        if (leads or grammar(lang).has("sex", mark.word.lower())) and shown != "neutral":
            yield Evidence(mark.word, mark.start, mark.end, "agreement", shown)
