"""The second release against the first: differences with intervals and tests, and the sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from cuescope.errors import CueScopeError
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.run.release.sides import Side
from cuescope.stats import McNemar, mcnemar, share
from cuescope.stats.fall import Fall, change, fall
from cuescope.stats.intervals import Clusters
from cuescope.stats.value import Value

WHO = ("all", "male", "female")
Kind = Literal["broke", "mended"]


@dataclass(frozen=True)
class Compared:
    """One share in both releases, over the units that both have."""

    name: str  # as rules call it: mpa, female, pro.female
    label: str
    before: Value
    after: Value
    change: Value
    test: McNemar  # takes units for independent
    outcomes: tuple[tuple[bool, ...], tuple[bool, ...]] = field(repr=False)
    clusters: Clusters = field(repr=False)

    @property
    def broke(self) -> int:
        """Right before, wrong after."""
        return self.test.only_first

    @property
    def mended(self) -> int:
        """Wrong before, right after."""
        return self.test.only_second

    def fall(self, allowed: float = 0.0) -> Fall:
        """How often it falls so far by chance, if the true fall is no more than is allowed."""
        return fall(*self.outcomes, self.clusters, allowed)

    def to_json(self) -> dict[str, Any]:
        """For files; shares are fractions of 1."""
        values = {name: getattr(self, name) for name in ("before", "after", "change")}
        return {
            "measure": self.name,
            "n": self.change.n,
            "over": self.change.over,
            **{name: value.number() for name, value in values.items()},
            "intervals": {name: value.interval() for name, value in values.items()},
            "broke": self.broke,
            "mended": self.mended,
            "mcnemar_p": self.test.p,
        }


@dataclass(frozen=True)
class Change:
    """What became right or wrong: the twins of a pair, or a sentence alone, before and after."""

    kind: Kind
    index: int | None  # of the pair
    sentences: tuple[tuple[Verdict, Verdict], ...]  # (before, after)

    @property
    def noun(self) -> str:
        """Whom it is about."""
        return self.sentences[0][0].item.noun

    def to_json(self) -> dict[str, Any]:
        """For files: each sentence with both translations and what they were read by."""
        return {
            "kind": self.kind,
            "pair": self.index,
            "noun": self.noun,
            "sentences": [
                {
                    "source": before.item.text,
                    "gold": before.item.gold,
                    "before": _told(before),
                    "after": _told(after),
                }
                for before, after in self.sentences
            ],
        }


def _told(verdict: Verdict) -> dict[str, Any]:
    return {
        "translation": verdict.translation,
        "gender": verdict.reading.gender,
        "correct": verdict.correct,
        "evidence": ", ".join(map(str, verdict.reading.evidence)) or verdict.reading.reason,
    }


@dataclass(frozen=True)
class Release:
    """Two releases on the sentences that both have."""

    first: Side
    second: Side
    measures: tuple[Compared, ...]
    pairs: tuple[Change, ...] = field(repr=False)  # that are right in one release only
    sentences: tuple[Change, ...] = field(repr=False)  # likewise, beyond those pairs
    notes: tuple[str, ...] = ()

    @cached_property
    def named(self) -> dict[str, Compared]:
        """The measures by name."""
        return {one.name: one for one in self.measures}

    def changes(self, kind: Kind) -> list[Change]:
        """The pairs that broke (were mended), then the sentences that did beyond them."""
        return [one for one in (*self.pairs, *self.sentences) if one.kind == kind]

    def to_json(self) -> dict[str, Any]:
        """For files."""
        return {
            "first": self.first.label,
            "second": self.second.label,
            "lang": self.second.lang,
            "measures": [one.to_json() for one in self.measures],
            "changes": [one.to_json() for one in (*self.pairs, *self.sentences)],
            "notes": list(self.notes),
            "signatures": [str(side.score.signature) for side in (self.first, self.second)],
        }

    def _repr_html_(self) -> str:
        from cuescope.run import html

        return html.release(self)


def versus(first: Side, second: Side) -> Release:
    """What the second release changes: shares with paired intervals, and the sentences."""
    keys = [key for key in first.sentences if key in second.sentences]
    both = [(first.sentences[key], second.sentences[key]) for key in keys]
    kept = [(a, b) for a, b in both if not (a.skipped or b.skipped)]
    if not kept:
        raise CueScopeError(
            f"{second.label} and {first.label} have no sentence in common",
            expected="translations of the same challenge set",
            found=f"{len(second.sentences):,} and {len(first.sentences):,} sentences",
        )
    counts = len(first.sentences), len(second.sentences)
    notes = []
    if {len(keys)} != set(counts):
        notes.append(f"{len(keys):,} sentences of {counts[0]:,} and {counts[1]:,} are in both")
    if len(kept) < len(both):
        notes.append(f"{len(both) - len(kept):,} sentences are skipped in one of them, and so here")
    for side in (first, second):
        notes += [f"{side.label}: {warning}" for warning in side.score.warnings]
    pairs = [(first.pairs[key], second.pairs[key]) for key in first.pairs if key in second.pairs]
    measures = [*_of_pairs(pairs), *_of_sentences("", kept)]
    if len(first.sets) > 1:
        for name, own in first.sets.items():
            theirs = second.sets.get(name, {})
            there = [(own[key], theirs[key]) for key in own if key in theirs]
            measures += _of_sentences(
                name, [(a, b) for a, b in there if not (a.skipped or b.skipped)]
            )
    turned = [one for one in map(_pair_change, pairs) if one]
    told = {id(before) for one in turned for before, _ in one.sentences}
    alone = [one for one in map(_change, kept) if one and id(one.sentences[0][0]) not in told]
    return Release(first, second, tuple(measures), tuple(turned), tuple(alone), tuple(notes))


def _compared(
    name: str, label: str, before: Sequence[bool], after: Sequence[bool], clusters: Clusters
) -> Compared:
    one, other = (share(label, list(right), None, clusters) for right in (before, after))
    return Compared(
        name,
        label,
        one,
        other,
        change(label, before, after, clusters),
        mcnemar(before, after),
        (tuple(before), tuple(after)),
        clusters,
    )


def _of_pairs(pairs: Sequence[tuple[JudgedPair, JudgedPair]]) -> list[Compared]:
    if not pairs:
        return []
    clusters = Clusters.of(one[0].pro for one, _ in pairs)
    ways: dict[tuple[str, str], Callable[[JudgedPair], bool]] = {
        ("mpa", "MPA"): right,
        ("strict_mpa", "strict MPA"): lambda one: (
            right(one) and one[1].consistent and one[2].consistent
        ),
    }
    return [
        _compared(name, label, [of(a) for a, _ in pairs], [of(b) for _, b in pairs], clusters)
        for (name, label), of in ways.items()
    ]


def right(pair: JudgedPair) -> bool:
    """Are both twins right?"""
    return pair[1].correct and pair[2].correct


def _of_sentences(name: str, both: Sequence[tuple[Verdict, Verdict]]) -> list[Compared]:
    found = []
    for who in WHO:
        there = [(a, b) for a, b in both if who in ("all", a.item.gold)]
        if there:
            clusters = Clusters.of(a.item for a, _ in there)
            label = " ".join(filter(None, ("accuracy", name, "" if who == "all" else who)))
            outcomes = [a.correct for a, _ in there], [b.correct for _, b in there]
            found.append(_compared(f"{name}.{who}" if name else who, label, *outcomes, clusters))
    return found


def _pair_change(both: tuple[JudgedPair, JudgedPair]) -> Change | None:
    (pair, *before), (_, *after) = both
    rights = tuple(map(right, both))
    if rights[0] == rights[1]:
        return None
    twins = tuple(zip(before, after, strict=True))
    return Change("broke" if rights[0] else "mended", pair.index, twins)


def _change(both: tuple[Verdict, Verdict]) -> Change | None:
    before, after = both
    if before.correct == after.correct:
        return None
    return Change("broke" if before.correct else "mended", before.item.pair, (both,))
