"""Where a model must choose between two genders: two tokens after one prefix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from cuescope.gender.counterpart import counterpart

if TYPE_CHECKING:
    from cuescope.inside.ready import Subject
    from cuescope.models.translator import Translator

Origin = Literal["translations", "forms", "own prefix"]
PARTED = "no contrast: the twins' translations part before the noun"
_UNKNOWN = "no contrast: the other gender's form is not known"
_NEUTRAL = "no contrast: the noun's phrase shows no gender"


@dataclass(frozen=True)
class Contrast:
    """Where a model must choose a gender: after `prefix` it emits one of two tokens.

    `prefix` are emitted ids, forced tags included, without the decoder's start. `origin`: the
    twins' own translations, given forms, or forms after a prefix that is one twin's own.
    """

    prefix: tuple[int, ...]
    feminine: int
    masculine: int
    origin: Origin

    @property
    def step(self) -> int:
        """The decoding step at which the choice falls."""
        return len(self.prefix)


def from_translations(mt: Translator, male: Subject, female: Subject, lang: str) -> Contrast | None:
    """The twins' own translations, where they part by the gender of the noun's phrase.

    The two tokens must be one word in two genders, as far as its forms are known: a cue before the
    noun may be translated within the phrase ("Homens", "Mulheres trabalhadoras").
    """
    if (male.reading.gender, female.reading.gender) != ("masculine", "feminine"):
        return None
    at = _common(male.target.ids, female.target.ids)
    within = all(at in _phrase(one) for one in (male, female))
    if not within:
        return None
    made = Contrast(
        male.target.ids[:at], female.target.ids[at], male.target.ids[at], "translations"
    )
    known = [
        one
        for one in (_against(mt, twin, lang, "translations") for twin in (male, female))
        if isinstance(one, Contrast)
    ]
    sure = made in known if known else male.item.order == "cue after"
    return made if sure else None


def _phrase(one: Subject) -> tuple[int, ...]:
    """The steps of the noun and of the words that show its gender."""
    marks = [(mark.start, mark.end) for mark in one.reading.evidence]
    spans = [*marks, *([one.reading.span] if one.reading.span else [])]
    return tuple(range(one.target.positions(*min(spans))[0], max(one.steps) + 1))


def from_forms(mt: Translator, male: Subject, female: Subject, lang: str) -> Contrast | str:
    """What the model chose for the twins alike, against the same phrase in the other gender."""
    reason = _UNKNOWN
    for one in (male, female):
        made = _against(mt, one, lang, "forms")
        if isinstance(made, str):
            reason = made if reason == _UNKNOWN else reason
        elif made.step > _common(male.target.ids, female.target.ids):
            reason = PARTED
        else:
            return made
    return reason


def own_prefix(mt: Translator, one: Subject, lang: str) -> Contrast | str:
    """The choice after a sentence's own words: there the twin's, which part earlier, never come.

    A sentence whose cue comes first has translated it by then ("Minha irmã é …"). With the prefix
    held, what the twin's source changes is the cue's direct effect on the noun; what the words
    said so far do for the noun's gender is no part of it.
    """
    made = _against(mt, one, lang, "own prefix")
    if isinstance(made, str):
        return made
    ids, chosen = one.target.ids, (made.feminine, made.masculine)
    alike = made.prefix == ids[: made.step] and made.step < len(ids) and ids[made.step] in chosen
    return made if alike else "no contrast: the model cuts its own words otherwise"


def _against(mt: Translator, one: Subject, lang: str, origin: Origin) -> Contrast | str:
    """A translation against itself with the noun's phrase in the other gender."""
    if one.reading.gender not in ("masculine", "feminine"):
        return _NEUTRAL
    text = one.target.text
    other = counterpart(text, one.reading, lang, one.item.noun)
    if other is None:
        return _UNKNOWN
    texts = (text, other) if one.reading.gender == "feminine" else (other, text)
    return from_texts(mt, *texts, origin)


def from_texts(
    mt: Translator, feminine: str, masculine: str, origin: Origin = "forms"
) -> Contrast | str:
    """Two translations contrasted at the first sub-word where they part."""
    ours, theirs = (mt.tokenise_target(text).ids for text in (feminine, masculine))
    at = _common(ours, theirs)
    if at >= min(len(ours), len(theirs)):
        return "no contrast: the two forms are one"
    return Contrast(ours[:at], ours[at], theirs[at], origin)


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many first tokens are shared."""
    return sum(1 for _ in takewhile(lambda ab: ab[0] == ab[1], zip(a, b, strict=False)))
