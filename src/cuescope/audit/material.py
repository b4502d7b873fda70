"""What every system of a speed audit is asked, and what its answers are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from cuescope import data
from cuescope.audit.settings import SpeedSettings
from cuescope.data import simplegen
from cuescope.data.items import Item, Pair, sample
from cuescope.errors import one_each
from cuescope.files import read_sentences
from cuescope.measures.corpus import BLEU, CHRF, FALL
from cuescope.measures.simplegen import Forms, Outcome, SimpleGen, dictionary, of_gender, table_a8
from cuescope.measures.verdict import Verdict, judge
from cuescope.run.score import Score
from cuescope.run.score_simplegen import by_forms
from cuescope.signature import Signature, hash_text
from cuescope.stats import measured, share
from cuescope.stats.intervals import Array, Clusters
from cuescope.stats.value import Value

GROUPS: dict[str, tuple[str, ...]] = {  # column → the sets of SimpleGEN in it
    "pro": ("momc", "fofc"),
    "anti": ("mofc", "fomc"),
    "fofc": ("fofc",),
    "mofc": ("mofc",),
    "momc": ("momc",),
    "fomc": ("fomc",),
}
OTHER = ("other_she", "other_he", "other_turns")
Said = Mapping[str, str]  # translation by sentence


@dataclass(frozen=True)
class Material:
    """SimpleGEN's pairs, a test set with references, and pairs with two people if there are any."""

    lang: str
    pairs: tuple[Pair, ...] = field(repr=False)
    sources: tuple[str, ...] = field(repr=False)
    references: tuple[str, ...] = field(repr=False)
    others: tuple[Pair, ...] = field(default=(), repr=False)
    forms: Forms | None = field(default=None, repr=False)
    protocol: str = "cuescope's lexica"

    @classmethod
    def of(cls, use: SpeedSettings, lang: str) -> Material:
        """Read and draw what the settings name."""
        sources, references = (read_sentences(path) for path in (use.sources, use.references))
        one_each(sources, references, "the test set's files", f"lines in {use.references}")
        drawn = sample(list(zip(sources, references, strict=True)), use.test)
        forms, protocol = None, cls.protocol
        if use.dictionary is not None:
            forms, protocol = dictionary(use.dictionary), "the dictionary given"
        elif (printed := table_a8(lang)) is not None:
            forms, protocol = printed, "the dictionary of Table A8"
        return cls(
            lang,
            tuple(sample(list(simplegen.pairs(all_pairs=True)), use.pairs)),
            tuple(source for source, _ in drawn),
            tuple(reference for _, reference in drawn),
            tuple(data.pairs(use.others).sample(use.other_pairs)) if use.others else (),
            forms,
            protocol,
        )

    @cached_property
    def texts(self) -> list[str]:
        """Every sentence once, longest first: batches are of like length."""
        items = [item.text for pair in (*self.pairs, *self.others) for item in pair]
        return sorted(dict.fromkeys([*self.sources, *items]), key=lambda text: (-len(text), text))

    @property
    def signature(self) -> Signature:
        """Hashes of all that is asked."""
        facts = {"sources": self.texts, "references": self.references}
        hashed = {name: hash_text(lines) for name, lines in facts.items()}
        return Signature({**hashed, "lang": self.lang, "protocol": self.protocol})


@dataclass(frozen=True)
class Answers:
    """One system's answers, judged; changes are taken against another's on the same sentences."""

    values: dict[str, Value]
    hits: dict[str, Array] = field(repr=False)  # by column: correct or not, sentence by sentence
    shared: dict[str, Clusters] = field(repr=False)
    quality: dict[str, Array] = field(repr=False)  # what each test sentence adds to BLEU and chrF

    def drops(self, baseline: Answers, signature: Signature) -> dict[str, Value]:
        """Relative drops from the baseline, of a system that answers the same."""
        found = {
            metric.name: metric.drop(baseline.quality[metric.name], table, signature)
            for metric in (BLEU, CHRF)
            if (table := self.quality.get(metric.name)) is not None
        }
        for name, hits in self.hits.items():
            table = np.stack([baseline.hits[name], hits], axis=1)
            label = f"{name}, relative drop"
            found[name] = measured(
                label, table, _fallen, self.shared[name], bounds=FALL, signature=signature
            )
        return found


def _fallen(sums: Array) -> Array:
    return np.asarray(1 - sums[..., 1] / sums[..., 0])


def answers(material: Material, said: Said, signature: Signature) -> Answers:
    """Judge what a system said: SimpleGEN by its protocol, MPA and the other noun by the lexica."""
    items = [item for pair in material.pairs for item in pair]
    verdicts = judge(items, [said[item.text] for item in items], material.lang, others=True)
    made = _simplegen(material, items, said, verdicts, signature)
    values: dict[str, Value] = {}
    hits, shared = {}, {}
    for name, sets in GROUPS.items():
        there = tuple(one for one in sets if one in made.outcomes)
        values[name] = made.correct(*there)
        hits[name] = np.array(
            [outcome == "correct" for one in there for outcome in made.outcomes[one]], dtype=float
        )
        shared[name] = Clusters.of(item for one in there for item in made.items[one])
    values |= made.deltas()
    flat = [outcome for one in made.outcomes.values() for outcome in one]
    every = [item for one in made.items.values() for item in one]
    values["inconclusive"] = share(
        "inconclusive",
        [outcome == "inconclusive" for outcome in flat],
        None,
        Clusters.of(every),
        signature=signature,
    )
    values |= _of_pairs(material.pairs, verdicts, ("mpa", "strict_mpa"), signature)
    two = material.others
    if two:
        both = [item for pair in two for item in pair]
        verdicts = judge(both, [said[item.text] for item in both], material.lang, others=True)
    values |= _of_pairs(two or material.pairs, verdicts, OTHER, signature)
    quality = {}
    for metric in (BLEU, CHRF):
        texts = [said[source] for source in material.sources]
        quality[metric.name] = metric.rows(texts, material.references)
        values[metric.name] = metric.value(quality[metric.name], signature)
    return Answers(values, hits, shared, quality)


def _simplegen(
    material: Material,
    items: Sequence[Item],
    said: Said,
    verdicts: Sequence[Verdict],
    signature: Signature,
) -> SimpleGen:
    by_set: dict[str, list[int]] = {}
    for at, item in enumerate(items):
        by_set.setdefault(item.set, []).append(at)
    given = {name: tuple(items[at] for at in places) for name, places in by_set.items()}
    outcomes: dict[str, tuple[Outcome, ...]]
    if material.forms is not None:
        judged = {
            name: tuple((item, said[item.text]) for item in some) for name, some in given.items()
        }
        outcomes = by_forms(judged, material.forms)
    else:
        outcomes = {
            name: tuple(of_gender(verdicts[at].reading.gender, items[at].gold) for at in places)
            for name, places in by_set.items()
        }
    return SimpleGen(outcomes, signature, given)


def _of_pairs(
    pairs: Sequence[Pair],
    verdicts: Sequence[Verdict],
    names: Sequence[str],
    signature: Signature,
) -> dict[str, Value]:
    """Measures of minimal pairs: those that differ in more than the cue are left out."""
    judged = tuple(zip(pairs, verdicts[::2], verdicts[1::2], strict=True))
    made = Score({}, judged, signature=signature).measures()
    return {name: made[name] for name in names if name in made}
