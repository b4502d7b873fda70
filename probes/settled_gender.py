"""Does a gender that is settled before the sentence ends ever change? Counted, none is allowed.

Three times on real text: sampled translations of a model, every prefix of them by the model's own
tokens; published translations, cut at every letter; and the same spliced, so that the beginning of
one goes on as the rest of another, which no model may ever say. And are the model's samples read
alone, as the enumeration does, as they are after aligning all of them together?
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import cuescope as cs
from cuescope import data
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.gender.settled import settled
from cuescope.inside.ready import target_language
from cuescope.measures.alone import beside, read_alone
from cuescope.measures.equivalence import Gender
from cuescope.measures.uncertainty import Group
from cuescope.sampling import Samples

PUBLISHED = {lang: f"google/en-{lang}.txt" for lang in ("de", "es", "fr", "it", "ru", "uk")}


class Count(NamedTuple):
    """Pairs of a beginning and a whole, those decided, those that then read otherwise."""

    pairs: int
    decided: int
    changed: list[tuple[str, str]]

    def __str__(self) -> str:
        shown = "".join(f"\n    {start!r} → {whole!r}" for start, whole in self.changed[:5])
        return f"{self.pairs:,} pairs, {self.decided:,} decided, {len(self.changed)} changed{shown}"


def agreement(items: Sequence[cs.Item], drawn: Sequence[Samples], lang: str) -> str:
    """Samples read alone against samples aligned all together, as their measures read them."""
    groups = [Group.of(one.texts, item=item) for item, one in zip(items, drawn, strict=True)]
    unlike: Counter[tuple[str, str]] = Counter()
    shown = []
    for group, labels in zip(groups, Gender(lang).labels(groups), strict=True):
        assert group.item is not None
        for text, count, label in zip(group.texts, group.counts, labels, strict=True):
            alone = read_alone(group.item, text, lang).gender
            if alone != label:
                unlike[alone, label] += count
                shown.append(f"\n    {group.item.noun}, {alone} / {label}: {text}")
    total = sum(one.n for one in drawn)
    told = ", ".join(f"{a} / {b} {count:,}" for (a, b), count in unlike.most_common())
    return (
        f"{total:,} samples, {unlike.total():,} read otherwise alone than together"
        f"{f' ({told})' if told else ''}{''.join(shown[:12])}"
    )


def sampled(items: Sequence[cs.Item], drawn: Sequence[Samples], mt: cs.Translator) -> Count:
    """Prefixes of sampled translations, as the enumeration meets them."""
    lang, pairs, decided, changed = target_language(mt), 0, 0, []
    for item, samples in zip(items, drawn, strict=True):
        known: dict[tuple[int, ...], str | None] = {}
        for sample in samples:
            final = read_alone(item, sample.text, lang).gender
            for cut in range(1, len(sample.ids)):
                ids = sample.ids[:cut]
                if ids not in known:
                    known[ids] = settled(
                        mt.tokenizer.decode(ids), item.noun, lang, beside(item.text, item.focus)
                    )
                pairs += 1
                decided += known[ids] is not None
                if known[ids] not in (None, final):
                    changed.append((mt.tokenizer.decode(ids), sample.text))
    return Count(pairs, decided, changed)


def published(items: Sequence[cs.Item], texts: Sequence[str], lang: str, seed: int = 0) -> Count:
    """Beginnings of any length, going on as they do and as two others would."""
    rng, pairs, decided, changed = random.Random(seed), 0, 0, []
    for item, text in zip(items, texts, strict=True):
        final = read_alone(item, text, lang).gender
        for cut in range(2, len(text)):
            start = text[:cut].strip()
            early = settled(start, item.noun, lang, beside(item.text, item.focus))
            pairs += 1
            if early is None:
                continue
            decided += 1
            if early != final:
                changed.append((start, text))
            if rng.random() < 0.2:
                other = rng.choice(texts)
                whole = start + other[rng.randrange(len(other)) :]
                pairs, decided = pairs + 1, decided + 1
                if early != read_alone(item, whole, lang).gender:
                    changed.append((start, whole))
    return Count(pairs, decided, changed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt", help="empty: published text alone")
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--samples", type=int, default=1024)
    parser.add_argument("--lines", type=int, default=1000, help="published translations of each")
    given = parser.parse_args()
    every = data.load(f"winomt:{reference.find('winomt', 'en.txt').parent}")
    counts = []
    if given.model:
        mt = cs.load(given.model)
        items = every[:: max(1, len(every) // given.sentences)][: given.sentences]
        drawn = mt.sample([item.text for item in items], given.samples)
        print(f"{mt.name}, {len(items)} sentences: {agreement(items, drawn, target_language(mt))}")
        counts.append(sampled(items, drawn, mt))
        print(f"{mt.name}, their beginnings: {counts[-1]}")
    for lang, name in PUBLISHED.items():
        lines = reference.find("translations", name).read_text("utf-8").splitlines()
        known = {item.text: item for item in every}
        halves = [line.partition(" ||| ")[::2] for line in lines]
        both = [(known[source.strip()], said.strip()) for source, said in halves if source in known]
        both = both[:: max(1, len(both) // given.lines)]
        counts.append(published([item for item, _ in both], [said for _, said in both], lang))
        print(f"{name}: {counts[-1]}")
    if any(count.changed for count in counts):
        raise SystemExit("a settled gender changed: the rule is wrong")


if __name__ == "__main__":
    in_words(main)
