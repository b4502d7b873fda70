"""What a tuned model should say: its own translation, with the focus noun's phrase put right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from cuescope.data.items import Item, Span
from cuescope.gender.counterpart import counterpart
from cuescope.gender.reading import Reading
from cuescope.inside.ready import target_language
from cuescope.measures.verdict import Verdict, judge

if TYPE_CHECKING:
    from cuescope.models.spans import Encoding
    from cuescope.models.translator import Progress, Translator


class Asked(NamedTuple):
    """Whose pronoun it is, of two people: where the cue stands, what is said after it, and is it
    the first one's?"""

    cue: Span
    end: str
    first: bool


@dataclass(frozen=True)
class Target:
    """A source sentence, the translation to learn, and the steps at which the gender is said."""

    source: str
    text: str
    ids: tuple[int, ...]
    focus: frozenset[int]  # steps; empty for sentences that only hold the model where it is
    other: frozenset[int] = frozenset()  # steps at which the other person's gender is said
    asked: Asked | None = None  # if there is another person

    @property
    def only_held(self) -> Target:
        """The same, with nobody's gender to be learned: both people's words are to stay."""
        return replace(self, focus=frozenset(), other=self.focus | self.other)


def targets(
    mt: Translator,
    items: Sequence[Item],
    *,
    lang: str | None = None,
    progress: Progress | None = None,
) -> tuple[list[Target], Counter[str]]:
    """Targets of items with a cue, and how many have none, by reason."""
    lang = target_language(mt, lang)
    said = mt.translate([item.text for item in items], progress=progress)
    verdicts = judge(items, said, lang, others=True)
    he = {v.item.pair: _other(v) for v in verdicts if v.item.gold == "male"}
    made, skipped = [], Counter[str]()
    for verdict in verdicts:
        if _other(verdict) == "feminine" and he.get(verdict.item.pair) == "masculine":
            skipped["the other noun turns too"] += 1  # that is not to be learned
            continue
        found = _target(mt, verdict, lang)
        if isinstance(found, Target):
            made.append(found)
        else:
            skipped[found] += 1
    return made, skipped


def _other(verdict: Verdict) -> str | None:
    return verdict.other.reading.gender if verdict.other else None


def held(mt: Translator, texts: Sequence[str], *, progress: Progress | None = None) -> list[Target]:
    """Targets of ordinary sentences: what the model says already."""
    said = mt.translate(texts, progress=progress)
    encoded = [mt.tokenise_target(text) for text in said]
    return [
        Target(source, to.text, to.ids, frozenset())
        for source, to in zip(texts, encoded, strict=True)
    ]


def _target(mt: Translator, verdict: Verdict, lang: str) -> Target | str:
    item, reading = verdict.item, verdict.reading
    if reading.gender not in ("masculine", "feminine"):
        return f"noun {reading.gender}"
    spans, text = _said(reading), verdict.translation
    if not verdict.correct:
        turned = counterpart(text, reading, lang, item.noun)
        if turned is None:
            return "no known form in the other gender"
        spans = changed(text, turned)
        text = turned
        verdict = judge([item], [text], lang, others=True)[0]
        if not verdict.correct:
            return "not right after turning"
    encoding = mt.tokenise_target(text)
    focus = _steps(encoding, spans)
    other = _steps(encoding, _said(verdict.other.reading)) if verdict.other else frozenset()
    return Target(item.text, text, encoding.ids, focus, other - focus, asked(verdict))


def asked(verdict: Verdict) -> Asked | None:
    """Whose pronoun the sentence asks, if it has two people."""
    item = verdict.item
    if verdict.other is None or item.cue is None:
        return None
    end = re.split(r"\{(?:sbj|obj|pos)\}", item.template, maxsplit=1)[-1]
    return Asked(item.cue, end, item.focus < verdict.other.item.focus)


def _said(reading: Reading) -> list[tuple[int, int]]:
    """Where a reading's gender is said."""
    return [(mark.start, mark.end) for mark in reading.evidence if mark.gender == reading.gender]


def changed(old: str, new: str) -> list[tuple[int, int]]:
    """The words of the new text that the old one does not have at their place.

    >>> changed("O médico viu o rio.", "A médica viu o rio.")
    [(0, 1), (2, 8)]
    """
    a, b = old.split(" "), new.split(" ")
    starts = [0]
    for word in b:
        starts.append(starts[-1] + len(word) + 1)
    return [
        (starts[at], starts[at] + len(b[at]))
        for tag, _, _, first, last in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if tag in ("replace", "insert")
        for at in range(first, last)
    ]


def _steps(encoding: Encoding, spans: list[tuple[int, int]]) -> frozenset[int]:
    return frozenset(step for span in spans for step in encoding.positions(*span))
