"""Choosing: the most probable translation whose noun has the cue's gender. No weight is changed.

The plain translation decides where: at the words of the noun's phrase that show its gender. From
there on the phrase is put into the cue's gender and the rest decoded on. What comes out is read: a
translation is taken only if the noun has the cue's gender and nobody else's gender has changed;
else the plain one stays, and why is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuescope.data.cues.english import word_class
from cuescope.data.items import Item
from cuescope.errors import CueScopeError
from cuescope.gender.counterpart import Shown
from cuescope.inside.ready import target_language
from cuescope.measures.verdict import NAMED
from cuescope.mend import phrase
from cuescope.mend.mend import Mend
from cuescope.mend.revise import Given, Log, Outcome, Referents, revising
from cuescope.mend.seen import Seen, fits_either, look, look_again
from cuescope.models.decoding import Hypothesis

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cuescope.models.translator import Translator

TRIES = 8  # candidates of the model's own, where turning the phrase round by rule did not do


def choosing(mt: Translator, *, found: bool = False, tries: int = TRIES) -> Mend:
    """Choosing, as a mend: nothing is fitted, nothing is changed in the weights.

    With `found` the rules are asked whose pronoun it is, where referents are given, too.
    """
    if tries < 0:
        raise CueScopeError("tries out of range", expected="0 or more", found=str(tries))
    return Mend.of(mt, "choosing", {"tries": tries, "found": float(found)})


def apply(
    mend: Mend,
    mt: Translator,
    items: Sequence[Item] | None = None,
    referents: Referents | None = None,
) -> AbstractContextManager[Log]:
    """Translations chosen for as long as the `with`; it hands out the log of what was done.

    `items` say whose pronoun it is; without them `referents` are asked, by default the rules.
    """
    from cuescope.data.referent import Rules

    given = items is not None and not mend.numbers["found"]
    finder = Given(items or ()) if given else referents or Rules()
    chooser = Chooser(mt, finder, int(mend.numbers["tries"]), target_language(mt))
    return revising(mt, f"choosing by {finder.name}", chooser)


_SPOILT = "another person's gender would change"


@dataclass
class _Case:
    """A sentence whose noun is to be turned: what is known of it so far."""

    row: int
    item: Item
    to: Shown
    seen: Seen
    best: Hypothesis | None = None
    reason: str = ""


@dataclass
class Chooser:
    """Revises translations: each is kept, or replaced by the most probable one that fits."""

    mt: Translator
    referents: Referents
    tries: int
    lang: str  # of the translations

    def __call__(self, texts: Sequence[str], found: list[Hypothesis]) -> Iterator[Outcome]:
        """What becomes of each translation, in order."""
        outcomes: dict[int, Outcome] = {}
        cases: list[_Case] = []
        for row, (text, plain) in enumerate(zip(texts, found, strict=True)):
            case = self._case(row, text, plain)
            if isinstance(case, str):
                outcomes[row] = Outcome(text, plain, case)
            else:
                cases.append(case)
        for ways in self.ways:
            self._try([case for case in cases if case.best is None], ways)
        for case in cases:
            made, plain = case.best or found[case.row], found[case.row]
            reason = "chosen" if case.best else case.reason
            outcomes[case.row] = Outcome(texts[case.row], made, reason, plain)
        return (outcomes[row] for row in range(len(texts)))

    @property
    def ways(self) -> tuple[phrase.Ways, ...]:
        """What is tried, one after the other: what changes least comes first."""
        by_rule = (phrase.turned_round("last"), phrase.turned_round("beyond"), phrase.opened)
        return (*by_rule, phrase.likeliest(self.tries))

    def _case(self, row: int, text: str, plain: Hypothesis) -> _Case | str:
        """The sentence made ready, or why its translation stays as it is."""
        item = self.referents.find(text)
        if isinstance(item, str):
            return item
        if item.cue is None or item.gold not in NAMED:
            return "the cue shows no gender"
        if item.noun.lower() in word_class("indefinites"):
            return "an indefinite pronoun takes no gender"
        translation = self.mt.tokenizer.decode(plain.ids)
        seen = look(item, translation, self.lang)
        to: Shown = "masculine" if item.gold == "male" else "feminine"
        if seen.focus.gender == to and seen.focus.consistent:
            return "has the cue's gender already"
        if seen.focus.gender == "unknown":
            return "the noun is not found in the translation"
        return _Case(row, item, to, seen)

    def _try(self, cases: list[_Case], ways: phrase.Ways) -> None:
        """Decode on from every candidate prefix, and keep each case's most probable fit."""
        tried = ways(self.mt, [(case.item, case.seen, case.to) for case in cases])
        rows = [(case, ids) for case, some in zip(cases, tried, strict=True) for ids in some]
        spoilt = self._decode(rows)
        self._decode(
            [
                (case, ids)
                for case, seen in spoilt
                if case.best is None
                for ids in phrase.turned_back(self.mt, seen, case.seen)
            ]
        )
        for case in cases:
            case.reason = case.reason or "no form of the phrase in the cue's gender is known"

    def _decode(self, rows: list[tuple[_Case, phrase.Ids]]) -> list[tuple[_Case, Seen]]:
        """Take what fits; hand back what would, had it not changed another person's gender."""
        texts, prefixes = [case.item.text for case, _ in rows], [ids for _, ids in rows]
        spoilt = []
        for (case, _), one in zip(rows, self.mt.generate(texts, prefixes=prefixes), strict=True):
            seen = look_again(case.item, self.mt.tokenizer.decode(one.ids), case.seen)
            refused = _refused(case, one, seen)
            case.reason = refused or case.reason
            if refused == _SPOILT:
                spoilt.append((case, seen))
            elif not refused and (case.best is None or _score(one) > _score(case.best)):
                case.best = one
        return spoilt


def _score(one: Hypothesis) -> float:
    return -math.inf if one.score is None else one.score


def _refused(case: _Case, one: Hypothesis, seen: Seen) -> str:
    """Why a candidate is not taken; nothing, if it fits."""
    if not one.finished:
        return "the translation in the cue's gender does not come to an end"
    if seen.focus.gender != case.to or not seen.focus.consistent:
        return "no candidate has the noun in the cue's gender"
    if not fits_either(seen):
        return "the noun has one gender for everyone"
    return "" if seen.genders == case.seen.genders else _SPOILT
