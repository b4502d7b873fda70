"""How many pairs does it take to name a carrier? Subsamples of real effects, named by the rule.

All pairs tell which heads carry the cue (5 % of the gap or more). Then pairs are drawn, of all or
of few nouns, and the rule is asked: how often does it name a head that does not carry (or oppose),
and how many of the carriers does it find? Beside it, the plain 95 % interval above 0, uncorrected.

python probes/carriers.py [--model firefox:en-pt] [--data simplegen] [--draws 150]
"""

from __future__ import annotations

import argparse

import numpy as np

import cuescope as cs
from cuescope.errors import in_words
from cuescope.measures import carriers as rule
from cuescope.stats.scores import Scores, both_ways


def wrong(scores: Scores, truth: dict[tuple[str, int, int], float]) -> bool:
    """Would the plain interval of some head that does not carry lie above 0?"""
    found = scores.estimate(plain=True)
    named = np.argwhere((found.value >= rule.LEAST) & (found.low > 0))
    return any(truth[scores.site, int(a), int(b)] < rule.LEAST for a, b in named)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--data", default="simplegen")
    parser.add_argument("--draws", type=int, default=150)
    args = parser.parse_args()
    run = cs.investigate(cs.load(args.model), cs.pairs(args.data))
    sites = [site for site in ("encoder", "cross") if site in run.mt.sites]
    whole = {
        site: both_ways(*(run.patch(site, into=into) for into in ("male", "female")))
        for site in sites
    }
    heads = [one for found in rule.carriers(whole).values() for one in found]
    truth = {(one.site, one.layer, one.head): one.value for one in heads}
    carrying = {key for key, value in truth.items() if value >= rule.LEAST}
    print("all pairs:", ", ".join(f"{o.site} {o.name} {o.value:.2f}" for o in heads if o.carries))
    places = {s: {p: n for n, p in enumerate(one.rows["pair"])} for s, one in whole.items()}
    common = sorted(set.intersection(*(set(of) for of in places.values())))
    rows = whole[sites[0]].rows
    noun = dict(zip(rows["pair"], rows["noun"], strict=True))
    rule.FEWEST = rule.NOUNS = 0  # what they should be is the question
    rng = np.random.default_rng(0)
    for few in (5, 8, len(set(noun.values()))):
        for count in (10, 20, 30, 40, 60, 120, 240):
            false, plain, named = [], [], []
            for _ in range(args.draws):
                chosen = set(rng.choice(sorted(set(noun.values())), few, replace=False))
                pool = [pair for pair in common if noun[pair] in chosen]
                if len(pool) < count:
                    continue
                pick = rng.choice(pool, count, replace=False)
                some = {s: one.take([places[s][p] for p in pick]) for s, one in whole.items()}
                found = [one for heads in rule.carriers(some).values() for one in heads]
                said = {(o.site, o.layer, o.head): o for o in found if o.carries or o.opposes}
                false.append(
                    any(
                        truth[key] < rule.LEAST if one.carries else truth[key] > -rule.LEAST
                        for key, one in said.items()
                    )
                )
                plain.append(any(wrong(one, truth) for one in some.values()))
                named.append(len(carrying & set(said)) / max(1, len(carrying)))
            if false:
                told = [f"{100 * np.mean(x):3.0f} %" for x in (plain, false, named)]
                print(
                    f"{count:4} pairs of {few:2} nouns: plain {told[0]} false, rule {told[1]} false"
                )
                print(f"{'':24} carriers found {told[2]}", flush=True)


if __name__ == "__main__":
    in_words(main)
