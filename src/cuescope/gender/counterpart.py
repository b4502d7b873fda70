"""A translated noun phrase in the other gender: *O mecânico* ↔ *A mecânica*.

Where the two part is where a model must choose; what comes after that place does not matter.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from typing import Literal

from cuescope.gender.forms import entry
from cuescope.gender.reading import Evidence, Reading

Shown = Literal["masculine", "feminine"]

# masculine ↔ feminine; of several partners the first is taken
_DETERMINERS: dict[str, str] = {
    "pt": "o/a os/as um/uma uns/umas do/da dos/das no/na nos/nas ao/à aos/às pelo/pela pelos/pelas "
    "dum/duma num/numa este/esta esse/essa aquele/aquela meu/minha seu/sua nosso/nossa "
    "algum/alguma nenhum/nenhuma outro/outra deste/desta desse/dessa neste/nesta ambos/ambas",
    "es": "el/la los/las un/una unos/unas al/a_la del/de_la este/esta ese/esa aquel/aquella "
    "nuestro/nuestra algún/alguna ningún/ninguna otro/otra",
    "it": "il/la lo/la i/le gli/le un/una uno/una del/della dello/della dei/delle degli/delle "
    "al/alla allo/alla ai/alle agli/alle dal/dalla dallo/dalla nel/nella sul/sulla questo/questa "
    "quel/quella quello/quella",
    "fr": "le/la un/une du/de_la au/à_la ce/cette cet/cette mon/ma ton/ta son/sa",
    "de": "der/die den/die dem/der des/der ein/eine einen/eine einem/einer eines/einer "
    "dieser/diese diesen/diese diesem/dieser kein/keine keinen/keine keinem/keiner "
    "vom/von_der zum/zur beim/bei_der im/in_der am/an_der mein/meine sein/seine ihr/ihre",
}
_PAST = {  # a past tense is the gendered word of a Slavic clause
    "ru": (("лся", "лась"), ("л", "ла")),
    "uk": (("вся", "лася"), ("в", "ла")),
}
_ONSET = re.compile(r"(s[^aeiouàèéìòùh]|z|gn|ps|x|y|pn)", re.IGNORECASE)  # *lo studente*
_LONG = {"il": "lo", "un": "uno", "del": "dello", "al": "allo", "dal": "dallo", "quel": "quello"}
_VOWEL = re.compile(r"[aeiouhàâäèéêëìîïòôöùû]", re.IGNORECASE)
_ELIDED = {  # *l'avvocata*, *l'infirmier*
    "it": {"il": "l'", "la": "l'", "del": "dell'", "della": "dell'", "al": "all'", "alla": "all'"},
    "fr": {"le": "l'", "la": "l'", "du": "de l'", "de la": "de l'", "au": "à l'", "à la": "à l'"},
}


def counterpart(text: str, reading: Reading, lang: str, noun: str | None = None) -> str | None:
    """The translation with its noun phrase in the other gender, or None where no rule knows it.

    >>> from cuescope.gender import read
    >>> text = "O mecânico chegou."
    >>> counterpart(text, read(text, (2, 10), "pt", noun="mechanic"), "pt", "mechanic")
    'A mecânica chegou.'
    """
    if reading.gender not in ("masculine", "feminine"):
        return None
    other: Shown = "feminine" if reading.gender == "masculine" else "masculine"
    changed, moved = text, False
    for mark in sorted(reading.evidence, key=lambda mark: -mark.start):
        if mark.rule in ("attribute", "predicate") or mark.gender != reading.gender:
            continue
        new = _in_gender(mark, text[mark.start : mark.end], other, lang, noun)
        if new is None:
            continue
        rest = changed[mark.end :]
        if _VOWEL.match(rest.lstrip()) and new in _ELIDED.get(lang, {}):
            new, rest = _ELIDED[lang][new], rest.lstrip()
        elif lang == "it" and _ONSET.match(rest.lstrip()):
            new = _LONG.get(new, new)
        changed, moved = changed[: mark.start] + _case(new, text[mark.start]) + rest, True
    return changed if moved and changed != text else None


def _in_gender(mark: Evidence, form: str, to: Shown, lang: str, noun: str | None) -> str | None:
    """One gendered word in the other gender: a determiner, the noun, or a past tense."""
    word = form.lower()
    if word in _table(lang, to):
        return _table(lang, to)[word]
    if mark.rule == "noun form" and noun is not None:
        return _noun(word, to, lang, noun)
    for endings in _PAST.get(lang, ()):
        old, new = endings if to == "feminine" else endings[::-1]
        if word.endswith(old) and mark.rule != "noun form":
            return word[: -len(old)] + new
    return None


def _noun(word: str, to: Shown, lang: str, noun: str) -> str | None:
    """The form of the lexicon's other column that is most like this one."""
    known = entry(noun, lang)
    if known is None:
        return None
    columns = {"masculine": known.masculine, "feminine": known.feminine}
    theirs = columns.pop(to)
    ours = [form.lower() for form in next(iter(columns.values()))]
    if word not in ours or not theirs:
        return None
    return max(theirs, key=lambda form: _alike(form.lower(), word))


def _alike(a: str, b: str) -> int:
    """How many first letters are the same."""
    return sum(1 for _ in takewhile(lambda ab: ab[0] == ab[1], zip(a, b, strict=False)))


@cache
def _table(lang: str, to: Shown) -> dict[str, str]:
    pairs = [row.replace("_", " ").split("/") for row in _DETERMINERS.get(lang, "").split()]
    found: dict[str, str] = {}
    for masculine, feminine in pairs:
        old, new = (masculine, feminine) if to == "feminine" else (feminine, masculine)
        found.setdefault(old, new)
    return found


def _case(word: str, like: str) -> str:
    return word[:1].upper() + word[1:] if like.isupper() else word
