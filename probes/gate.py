"""Does the gate stop what it must, and only that? On OPUS-MT's and Google's Italian WinoMT.

1. OPUS-MT's output against itself. 2. The same with 3 % of its feminine readings turned masculine:
does it fail, and is every turned sentence named? 3. Releases that differ by chance only, on sets of
nouns drawn with replacement; how many of them does it stop? Of two systems' outputs one is "before"
and one "after", drawn anew for every sentence, or for every noun; or each release takes for every
sentence the verdict of any sentence with that noun and gender, of either system.

python probes/gate.py [--releases N] [--seeds N]
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from cuescope.data import reference
from cuescope.data.items import Pair
from cuescope.errors import in_words
from cuescope.gender.counterpart import counterpart
from cuescope.measures.verdict import JudgedPair, Verdict
from cuescope.run.release import Side, gate
from cuescope.run.score import Score, score

SETS = ("reg", "pro", "anti")
BROKEN = 0.03


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    data = f"winomt:{reference.find('winomt')}"
    there = reference.find("winomt").parent / "translations"
    base = score(data, {n: there / f"opus-mt/en-it.{n}.txt" for n in SETS}, "it")
    same = gate(base, base)
    print(f"against itself: {'passed' if same.passed else 'FAILED'}")
    for seed in range(options.seeds):
        broken(base, data, seed)
    google = score(data, {"reg": there / "google/en-it.txt"}, "it")
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


def chance(first: Score, second: Score, by: str, releases: int) -> None:
    """Which of two systems comes first is a matter of chance: so is every difference."""
    ones = {v.item.text: v for v in first.sets["reg"]}
    others = {v.item.text: v for v in second.sets["reg"]}
    pairs = [
        p for p, *_ in first.judged if {p.pro.text, p.anti.text} <= others.keys() & ones.keys()
    ]
    twins = [p for p in pairs if p.minimal]
    nouns = sorted({v.item.noun for v in ones.values()})
    of_noun: defaultdict[str, list[str]] = defaultdict(list)
    for text, verdict in ones.items():
        of_noun[verdict.item.noun].append(text)
    pool: defaultdict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in (*ones.values(), *others.values()):
        pool[verdict.item.noun, verdict.item.gold].append(verdict)
    by_noun: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in twins:
        by_noun[pair.pro.noun].append(pair)
    stopped: dict[str, int] = {"any": 0, "mpa": 0, "male": 0, "female": 0}
    for number in range(releases):
        draw = random.Random(f"{by} {number}")
        sides: tuple[list[Verdict], list[Verdict]] = ([], [])
        judged: tuple[list[JudgedPair], list[JudgedPair]] = ([], [])
        for copy, noun in enumerate(draw.choices(nouns, k=len(nouns))):
            turned = draw.random() < 0.5
            swap = {t: draw.random() < 0.5 if by == "sentence" else turned for t in of_noun[noun]}
            made: tuple[dict[str, Verdict], dict[str, Verdict]] = ({}, {})
            for text in of_noun[noun]:
                two = (ones[text], others[text])
                if by == "pool":
                    alike = pool[noun, two[0].item.gold]
                    two = tuple(replace(v, reading=draw.choice(alike).reading) for v in two)
                for at, one in enumerate(reversed(two) if swap[text] else two):
                    item = replace(one.item, noun=f"{noun} {copy}", text=f"{text}{' ' * copy}")
                    made[at][text] = replace(one, item=item)
            for at in (0, 1):
                sides[at].extend(made[at].values())
                judged[at].extend(
                    (Pair(a.item, b.item, p.index), a, b)
                    for p in by_noun[noun]
                    if (a := made[at].get(p.pro.text)) and (b := made[at].get(p.anti.text))
                )
        scores = [
            Side(name, "it", Score({"all": tuple(v)}, tuple(j), all_pairs=True))
            for name, v, j in zip(("before", "after"), sides, judged, strict=True)
        ]
        found = gate(scores[1], scores[0])
        stopped["any"] += not found.passed
        for rule in found.rules:
            stopped[rule.measure.name] += rule.failed
    told = ", ".join(f"{name} {count}" for name, count in stopped.items())
    print(f"by chance, drawn by {by}: stopped of {releases}: {told}", flush=True)


if __name__ == "__main__":
    in_words(main)
