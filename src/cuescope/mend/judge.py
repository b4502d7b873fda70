"""Mends judged by everything at once: what is gained, what is damaged, before and after.

A system is anything that translates: the plain model, a mended one, an exported file in Firefox's
engine. All are asked the same sentences, none of which a mend may have been fitted on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING

import numpy as np

from cuescope.data.contrast import contrast
from cuescope.data.items import Item, Pairs
from cuescope.errors import CueScopeError
from cuescope.measures.registry import Measure, known
from cuescope.measures.simplegen import SimpleGen, of_gender
from cuescope.measures.verdict import JudgedPair, judge
from cuescope.mend.quiet import CUES
from cuescope.run.score import Score
from cuescope.signature import Signature, hash_text
from cuescope.stats import measured, share
from cuescope.stats.intervals import Clusters, ratio
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.mend.mend import Mend
    from cuescope.models.translator import Translator

Says = Callable[[Sequence[str], "Sequence[Item] | None"], list[str]]  # texts, and items if known
_CUES = re.compile(rf"\b(?:{'|'.join(CUES)})\b", re.IGNORECASE)
PAIRED = ("strict_mpa", "other_she", "other_he")  # whose change is given with its own interval


@dataclass(frozen=True)
class Material:
    """What systems are judged on: pairs, sentences without a cue, ordinary text with references."""

    pairs: Pairs
    lang: str
    free: tuple[str, ...] = ()
    ordinary: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    groups: Mapping[str, tuple[Item, ...]] = field(default_factory=dict)  # SimpleGEN's, by name

    @property
    def items(self) -> list[Item]:
        """Both twins of every pair, one after the other."""
        return [item for pair in self.pairs for item in pair]

    @cached_property
    def they(self) -> list[Item]:
        """The pairs' sentences with *they*: nothing should follow from it. Those in which another
        word shows the gender too have no such version; the n of the share says how many have."""
        found = []
        for pair in self.pairs:
            try:
                found.append(contrast(pair.pro).they)
            except CueScopeError:
                continue
        return found

    @property
    def signature(self) -> Signature:
        """Hashes of all that is asked."""
        parts = {
            "pairs": [item.text for item in self.items],
            "free": self.free,
            "ordinary": [*self.ordinary, *self.references],
            "groups": [item.text for some in self.groups.values() for item in some],
        }
        return Signature({name: hash_text(some) for name, some in parts.items() if some})


@dataclass(frozen=True)
class Judged:
    """One system's numbers by name; `change` against the first system, pair by pair."""

    name: str
    values: dict[str, Value]
    quality: dict[str, float] = field(default_factory=dict)  # BLEU, chrF, time
    seconds: float = 0.0  # of CPU, for the pairs' sentences
    change: dict[str, Value] = field(default_factory=dict)
    said: dict[str, list[str]] = field(default_factory=dict, repr=False)
    pairs: tuple[JudgedPair, ...] = field(default=(), repr=False)


def mended(mend: Mend, mt: Translator) -> Says:
    """The mended model as a system. Kinds that must be told where noun and cue stand (floor)
    leave text without a cue as it is."""

    def says(texts: Sequence[str], items: Sequence[Item] | None = None) -> list[str]:
        if mend.kind == "floor" and items is None:
            return mt.translate(texts)
        with mend.on(mt, items):
            return mt.translate(texts)

    return says


def plain(mt: Translator) -> Says:
    """The model as it is."""
    return lambda texts, _: mt.translate(texts)


def judged(systems: dict[str, Says], material: Material, *, keep: bool = False) -> list[Judged]:
    """Every system on the same material; the first is the one that the others change."""
    if not systems or not len(material.pairs):
        raise CueScopeError(
            "nothing to judge", expected="systems, and pairs of another set than the mend's own"
        )
    found: list[Judged] = []
    for name, says in systems.items():
        found.append(_one(name, says, material, found[0] if found else None))
    return found if keep else [replace(one, said={}, pairs=()) for one in found]


def _one(name: str, says: Says, material: Material, first: Judged | None) -> Judged:
    items, signature = material.items, material.signature | {"system": name}
    began = _cpu()
    said = {"pairs": says([item.text for item in items], items)}
    seconds = _cpu() - began
    said["they"] = says([item.text for item in material.they], None)
    said |= {
        part: says(texts, None)
        for part, texts in (("free", material.free), ("ordinary", material.ordinary))
        if texts
    }
    verdicts = judge(items, said["pairs"], material.lang, others=True)
    pairs = tuple(zip(material.pairs, verdicts[::2], verdicts[1::2], strict=True))
    score = Score({"pairs": tuple(verdicts)}, pairs, all_pairs=True, signature=signature)
    values = _values(score) | _groups(says, material, signature)
    quality = _quality(said, material)
    change: dict[str, Value] = {}
    if first is not None:
        values |= _changed(said, first.said, material, signature)
        change = {name: _difference(name, pairs, first.pairs) for name in PAIRED}
        change = {name: value for name, value in change.items() if value.n}
        if first.seconds and seconds:
            quality["time"] = seconds / first.seconds
    return Judged(name, values, quality, seconds, change, said, pairs)


def _cpu() -> float:
    """Seconds of this process and of those that it has waited for: the engine is one."""
    return process_time() + sum(os.times()[2:4])


def _groups(says: Says, material: Material, sign: Signature) -> dict[str, Value]:
    """The share that is right of each of SimpleGEN's groups, and what stereotype makes of it."""
    if not material.groups:
        return {}
    items = [item for some in material.groups.values() for item in some]
    verdicts = iter(judge(items, says([item.text for item in items], items), material.lang))
    outcomes = {
        name: tuple(of_gender(next(verdicts).reading.gender, item.gold) for item in some)
        for name, some in material.groups.items()
    }
    made = SimpleGen(outcomes, sign, material.groups)
    return {name: made.correct(name) for name in outcomes} | made.deltas()


def _values(score: Score) -> dict[str, Value]:
    made = score.measures()
    by_gold = score.accuracy("pairs")
    wanted = ("strict_mpa", "mpa", "other_she", "other_he", "other_turns")
    found = {name: made[name] for name in wanted if name in made}
    return {**found, "male": by_gold["male"], "female": by_gold["female"]}


def _changed(
    said: dict[str, list[str]], before: dict[str, list[str]], material: Material, sign: Signature
) -> dict[str, Value]:
    """The share of translations that are not what the first system said, word for word."""
    found = {}
    for part in ("they", "free", "ordinary"):
        if part not in said:
            continue
        unlike = [a != b for a, b in zip(said[part], before[part], strict=True)]
        if part == "ordinary":  # those in which no pronoun tells a gender
            unlike = [u for u, text in zip(unlike, material.ordinary, strict=True) if free(text)]
        shared = Clusters.of(material.they) if part == "they" else None
        found[f"{part}_changed"] = share(f"{part} changed", unlike, None, shared, signature=sign)
    return found


def free(text: str) -> bool:
    """Has a sentence no pronoun that tells a gender?

    >>> free("The lake is deep."), free("She saw it.")
    (True, False)
    """
    return _CUES.search(text) is None


def _difference(name: str, after: Sequence[JudgedPair], before: Sequence[JudgedPair]) -> Value:
    """The change of a measure over the pairs that count for it in both systems, in points."""
    measure = next(one for one in known() if one.name == name)
    kept = [n for n, pair in enumerate(after) if measure.asks is None or measure.asks(*pair)]
    mine, theirs = (measure.table([some[n] for n in kept]) for some in (after, before))
    both = mine[:, 1] * theirs[:, 1]
    table = np.stack([(mine[:, 0] - theirs[:, 0]) * both, both], axis=1)
    shared = _clusters(measure, [after[n] for n in kept])
    return measured(f"{measure.label}, change", table, ratio, shared, bounds=(-1.0, 1.0))


def _clusters(measure: Measure, pairs: Sequence[JudgedPair]) -> Clusters:
    if measure.alike is not None:
        return measure.alike(pairs)
    return Clusters.of(pair.pro for pair, _, _ in pairs)


def _quality(said: dict[str, list[str]], material: Material) -> dict[str, float]:
    if not material.references:
        return {}
    import sacrebleu

    args = said["ordinary"], [list(material.references)]
    return {
        "BLEU": float(sacrebleu.corpus_bleu(*args).score),
        "chrF": float(sacrebleu.corpus_chrf(*args).score),
    }


def by_noun(one: Judged, nouns: Sequence[str]) -> dict[str, Value]:
    """Strict MPA of the pairs whose focus noun was among those fitted on, and of the others."""
    parts: dict[str, list[JudgedPair]] = {"seen": [], "unseen": []}
    for pair in one.pairs:
        parts["seen" if pair[0].pro.noun in nouns else "unseen"].append(pair)
    measure = next(m for m in known() if m.name == "strict_mpa")
    return {name: measure.value(some) for name, some in parts.items() if some}
