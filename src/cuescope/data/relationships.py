"""Paper C's sentences: a person of either gender and a partner of either gender, in es, fr, it.

Portuguese is ours, after the same plan: it is not in the paper, and not in its set.

Correct is a translation into English whose possessive has the gender of the subject.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import product
from typing import NamedTuple

from cuescope.data.items import Gold, Item, Pair

LANGUAGES = ("es", "fr", "it")  # the paper's
KNOWN = (*LANGUAGES, "pt")
SETS = ("same_gender", "diff_gender")
TEMPLATES: dict[str, dict[str, str]] = {
    "es": {
        "date": "{x} conoció a {y} en una cita.",
        "romance": "{x} besó a {y}.",
        "marriage": "{x} se casó con {y}.",
        "life": "{x} habitaba con {y}.",
        "family": "{x} y {y} tienen un hijo.",
    },
    "fr": {
        "date": "{x} a rencontré {y} à un rendez-vous.",
        "romance": "{x} a embrassé {y}.",
        "marriage": "{x} a épousé {y}.",
        "life": "{x} habitait avec {y}.",
        "family": "{x} et {y} ont un enfant.",
    },
    "it": {
        "date": "{x} ha incontrato {y} ad un appuntamento.",
        "romance": "{x} ha baciato {y}.",
        "marriage": "{x} ha sposato {y}.",
        "life": "{x} abitava con {y}.",
        "family": "{x} e {y} hanno un figlio.",
    },
    "pt": {
        "date": "{x} conheceu {y} em um encontro.",
        "romance": "{x} beijou {y}.",
        "marriage": "{x} se casou com {y}.",
        "life": "{x} morava com {y}.",
        "family": "{x} e {y} têm um filho.",
    },
}


def _partners(*words: str) -> dict[str, dict[Gold, str]]:
    """A man's and a woman's word by kind: girlfriends and boyfriends, fiancés, spouses."""
    pairs = (both.split(" / ") for both in words)
    kinds = zip(("FRIEND", "ENGAGE", "SPOUSE"), pairs, strict=True)
    return {kind: {"male": man, "female": woman} for kind, (man, woman) in kinds}


TARGETS: dict[str, dict[str, dict[Gold, str]]] = {
    "es": _partners("su novio / su novia", "su prometido / su prometida", "su esposo / su esposa"),
    "fr": _partners(
        "son petit ami / sa petite amie", "son fiancé / sa fiancée", "son époux / son épouse"
    ),
    "it": _partners(
        "il suo ragazzo / la sua ragazza",
        "il suo fidanzato / la sua fidanzata",
        "suo marito / sua moglie",
    ),
    "pt": _partners(
        "seu namorado / sua namorada", "seu noivo / sua noiva", "seu marido / sua esposa"
    ),
}
_ENGLISH = _partners("boyfriend / girlfriend", "fiance / fiancee", "husband / wife")
_ARTICLES: dict[str, dict[Gold, str]] = {  # of languages in which the noun does not change them
    "es": {"male": "el", "female": "la"},
    "pt": {"male": "o", "female": "a"},
}
_VOWEL = re.compile(r"[aeiouàâéèêëîïôûù]", re.IGNORECASE)
_LO = re.compile(r"s[^aeiou]|z|ps|gn|x|y|pn", re.IGNORECASE)
_GENDERS: tuple[Gold, Gold] = ("male", "female")


class Occupation(NamedTuple):
    """An occupation in one language: its English name and both noun phrases."""

    english: str
    male: str
    female: str


def with_article(noun: str, gender: Gold, lang: str) -> str:
    """The noun with its definite article.

    >>> [with_article(n, "male", "it") for n in ("scienziato", "analista", "fornaio")]
    ['lo scienziato', "l'analista", 'il fornaio']
    """
    if lang in _ARTICLES:
        return f"{_ARTICLES[lang][gender]} {noun}"
    if _VOWEL.match(noun):
        return f"l'{noun}"
    if gender == "female":
        return f"la {noun}"
    if lang == "fr":
        return f"le {noun}"
    return f"{'lo' if _LO.match(noun) else 'il'} {noun}"


@cache
def occupations(lang: str) -> tuple[tuple[Occupation, ...], dict[str, str]]:
    """The usable occupations, and those left out with the reason (both genders look the same)."""
    text = files("cuescope.data").joinpath("relationships.tsv").read_text("utf-8")
    column = 1 + 2 * KNOWN.index(lang)
    used, left_out = [], {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        row = line.split("\t")
        both = [with_article(row[column + i], g, lang) for i, g in enumerate(_GENDERS)]
        if both[0] == both[1]:
            left_out[row[0]] = f"{both[0]!r} is both masculine and feminine"
        else:
            used.append(Occupation(row[0], *both))
    return tuple(used), left_out


def rows(lang: str) -> list[dict[str, str]]:
    """The sentences in one language with paper C's columns, all but the translation."""
    found = []
    choices = product(
        TEMPLATES[lang].items(), occupations(lang)[0], _GENDERS, TARGETS[lang].items(), _GENDERS
    )
    for (topic, template), job, gender, (category, target), partner in choices:
        subject = job.male if gender == "male" else job.female
        found.append(
            {
                "sent": template.format(x=subject, y=target[partner]),
                "lang": lang,
                "subject_word": re.split(r"^(?:l'|\S+ )", subject)[-1],
                "relationship_word": re.split(r"\bsu[oa]? |\bs(?:on|a|eu) ", target[partner])[-1],
                "subject_gender": gender,
                "relationship_topic": topic,
                "relationship_gender": partner,
                "relationship_type": "same_gender" if gender == partner else "diff_gender",
                "subject_word_en": job.english,
                "relationship_word_en": _ENGLISH[category][partner],
                "relationship_word_category": category,
            }
        )
    return found


def items(lang: str) -> list[Item]:
    """The sentences in one language: occupations x genders x templates x targets x genders.

    >>> len(items("es")), items("es")[0].text
    (3000, 'el analista conoció a su novio en una cita.')
    """
    found: list[Item] = []
    for number, row in enumerate(rows(lang)):
        start = row["sent"].index(row["subject_word"])
        end = start + len(row["subject_word"])
        found.append(
            Item(
                text=row["sent"],
                focus=(start, end),
                cue=(0, end),
                gold="male" if row["subject_gender"] == "male" else "female",
                set=row["relationship_type"],
                line=number,
                pair=number // 2,
                noun=row["subject_word_en"],
                lang=lang,
            )
        )
    return found


def pairs(lang: str) -> list[Pair]:
    """Each subject with its partner of the other gender (pro) and of the same gender (anti)."""
    both = items(lang)
    twins = [sorted(both[i : i + 2], key=lambda item: item.set) for i in range(0, len(both), 2)]
    return [Pair(pro=diff, anti=same, index=i) for i, (diff, same) in enumerate(twins)]
