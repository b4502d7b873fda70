"""Does the gate stop what it must, and only that? On OPUS-MT's and Google's Italian WinoMT.

1. OPUS-MT's output against itself. 2. The same with 3 % of its feminine readings turned masculine:
does it fail, and is every turned sentence named? 3. Releases that differ by chance only, on sets of
nouns drawn with replacement; how many of them does it stop? Of two systems' outputs one is "before"
and one "after", drawn anew for every sentence, or for every noun; or each release takes for every
sentence the verdict of any sentence with that noun and gender, of either system. 4. The same where
a drop is allowed and the true one is just that: what is right after is lost at a rate that makes it
so, the same for all sentences, or another for every noun.

python probes/gate.py [--releases N] [--seeds N] [--allowed POINTS]
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from pathlib import Path

from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.gender.counterpart import counterpart
from cuescope.run.release.gate import ALPHA, DEFAULT, gate
from cuescope.run.score import Score, score
from cuescope.stats.fall import fall, tarone
from cuescope.stats.intervals import Clusters

SETS = ("reg", "pro", "anti")
BROKEN = 0.03


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--allowed", type=float, help="only 4., with such a drop, in points")
    options = parser.parse_args()
    data = f"winomt:{reference.find('winomt')}"
    there = reference.find("winomt").parent / "translations"
    base = score(data, {n: there / f"opus-mt/en-it.{n}.txt" for n in SETS}, "it")
    google = score(data, {"reg": there / "google/en-it.txt"}, "it")
    if options.allowed is not None:
        for by in ("sentence", "noun", "pool"):
            for even in (True, False):
                chance(base, google, by, options.releases, options.allowed / 100, even)
        return
    same = gate(base, base)
    print(f"against itself: {'passed' if same.passed else 'FAILED'}")
    for seed in range(options.seeds):
        broken(base, data, seed)
    for by in ("sentence", "noun", "pool"):
        chance(base, google, by, options.releases)


def broken(base: Score, data: str, seed: int) -> None:
    """Turn 3 % of the feminine readings in the files, and score those."""
    feminine = {
        v.item.text: text
        for found in base.sets.values()
        for v in found
        if v.reading.gender == "feminine"
        and (text := counterpart(v.translation, v.reading, "it", v.item.noun))
    }
    drawn = random.Random(seed).sample(sorted(feminine), round(BROKEN * len(feminine)))
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, found in base.sets.items():
            files[name] = Path(folder) / name
            lines = [feminine[t] if (t := v.item.text) in drawn else v.translation for v in found]
            files[name].write_text("\n".join(lines) + "\n", "utf-8")
        made = gate(score(data, files, "it"), base)
    named = {
        before.item.text
        for one in (*made.release.pairs, *made.release.sentences)
        for before, after in one.sentences
        if before.translation != after.translation
    }
    right = {v.item.text for found in base.sets.values() for v in found if v.correct}
    hurt = [text for text in drawn if text in right]
    told = "; ".join(
        f"{r.measure.name} {100 * r.measure.change.value:+.2f} (broke {r.measure.broke}, mended "
        f"{r.measure.mended}) p {r.p:.4f}{' FAIL' if r.failed else ''}"
        for r in made.rules
    )
    print(
        f"seed {seed}: {len(drawn)} of {len(feminine)} feminine readings turned, "
        f"{'passed' if made.passed else 'failed'}; named {len(named & set(hurt))} of {len(hurt)} "
        f"that were right, {len(named - set(drawn))} others; {told}",
        flush=True,
    )


def chance(
    first: Score, second: Score, by: str, releases: int, allowed: float = 0.0, even: bool = True
) -> None:
    """Which of two systems comes first is a matter of chance: so is every difference.

    The verdicts go straight to the test that the gate makes, by rule as it does. With `allowed`,
    each share truly falls by that, evenly or by noun.
    """
    ones, others = ({v.item.text: v for v in one.sets["reg"]} for one in (first, second))
    shared = [text for text in ones if text in others]
    twins = [p for p, *_ in first.judged if p.minimal and {p.pro.text, p.anti.text} <= {*shared}]
    nouns = sorted({ones[text].item.noun for text in shared})
    texts, pairs, pool = (defaultdict(list) for _ in range(3))
    for text in shared:
        item = ones[text].item
        texts[item.noun].append((text, item.gold))
        pool[item.noun, item.gold] += [ones[text].correct, others[text].correct]
    for pair in twins:
        pairs[pair.pro.noun].append(pair)
    right = {
        gold: _mean(
            [v.correct for one in (ones, others) for t in shared if (v := one[t]).item.gold == gold]
        )
        for gold in ("male", "female")
    }
    right["mpa"] = _mean([one[p.pro.text].correct and one[p.anti.text].correct
                          for one in (ones, others) for p in twins])  # fmt: skip
    stopped = dict.fromkeys(("any", *DEFAULT), 0)
    for number in range(releases):
        draw = random.Random(f"{by} {number}")
        rules: dict[str, list[tuple[bool, bool, int]]] = {name: [] for name in DEFAULT}
        for copy, noun in enumerate(draw.choices(nouns, k=len(nouns))):
            turned = draw.random() < 0.5
            found = {}
            for text, gold in texts[noun]:
                two = (ones[text].correct, others[text].correct)
                if by == "pool":
                    two = (draw.choice(pool[noun, gold]), draw.choice(pool[noun, gold]))
                swap = turned if by == "noun" else draw.random() < 0.5
                found[text] = two[::-1] if swap else two
                if gold in rules:
                    rules[gold].append((*found[text], copy))
            for pair in pairs[noun]:
                both = [found[item.text] for item in pair]
                rules["mpa"].append((*(all(side) for side in zip(*both, strict=True)), copy))
        falls = []
        for name, rows in rules.items():
            before, after, copies = zip(*rows, strict=True)
            if allowed:
                rates = {copy: 1.0 if even else draw.expovariate(1) for copy in sorted({*copies})}
                lost = [allowed / right[name] * rates[copy] for copy in copies]
                after = [
                    one and draw.random() >= rate for one, rate in zip(after, lost, strict=True)
                ]
            falls.append(fall(before, after, Clusters(noun=copies), allowed))
        failed = [p < ALPHA for p in tarone(falls, ALPHA)]
        stopped["any"] += any(failed)
        for name, one in zip(rules, failed, strict=True):
            stopped[name] += one
    told = ", ".join(f"{name} {count}" for name, count in stopped.items())
    drop = f", and a drop of {100 * allowed:g} points, " + ("even" if even else "by noun")
    print(
        f"by chance, drawn by {by}{drop if allowed else ''}: stopped of {releases}: {told}",
        flush=True,
    )


def _mean(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


if __name__ == "__main__":
    in_words(main)
