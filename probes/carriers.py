"""How often does the rule name a head that carries nothing, and how many pairs does it take?

1. Made-up runs of 64 heads of which none carries anything: nouns and templates push the heads.
2. Real effects, each head's own effect taken out of them, nouns and templates drawn anew.
3. Subsamples of real effects: all pairs tell which heads carry the cue (5 % of the gap or more).
   Pairs are drawn, of all or of few nouns: how often is a head named that does not carry (or
   oppose), and how many of the carriers are found? Beside it, the plain 95 % interval above 0.

python probes/carriers.py [--model firefox:en-pt] [--data simplegen] [--draws 150] [--heads 240]
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

import cuescope as cs
from cuescope.errors import in_words
from cuescope.measures import carriers as rule
from cuescope.stats.scores import Scores, both_ways

SHAPES = {"encoder": (6, 8), "cross": (2, 8)}


def names(scores: Mapping[str, Scores]) -> list[rule.Carrier]:
    """What the rule says carries, or opposes."""
    found = rule.carriers(scores).values()
    return [one for heads in found for one in heads if one.carries or one.opposes]


def made_up(
    rng: np.random.Generator, pairs: int, nouns: int, templates: int, shared: float, heavy: bool
) -> dict[str, Scores]:
    """Effects of heads that carry nothing; `shared` of their variance is of nouns and templates.

    `heavy`: Student's with three degrees of freedom in place of the normal.
    """

    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_t(3, shape) / np.sqrt(3) if heavy else rng.normal(size=shape)

    noun, template = rng.integers(nouns, size=pairs), rng.integers(templates, size=pairs)
    names = {"noun": [f"n{n}" for n in noun], "template": [f"t{n}" for n in template]}
    rows = pd.DataFrame({"pair": range(pairs), **names})
    gap = np.exp(0.4 * rng.normal(size=pairs))
    made = {}
    for site, shape in SHAPES.items():
        of = [drawn(nouns, *shape)[noun], drawn(templates, *shape)[template]]
        values = np.sqrt(1 - shared) * drawn(pairs, *shape) + np.sqrt(shared / 2) * (of[0] + of[1])
        values *= 0.5 * gap[:, None, None]
        made[site] = Scores(values, site, "effect", rows, unit="pair", per=gap)
    return made


def without_effects(whole: Mapping[str, Scores]) -> dict[str, Scores]:
    """The same pairs, of which no head restores anything in the mean."""
    made = {}
    for site, one in whole.items():
        per = np.ones(len(one)) if one.per is None else one.per
        share = one.values.sum(0) / per.sum()
        made[site] = replace(one, values=one.values - share * per[:, None, None])
    return made


def anew(rng: np.random.Generator, whole: Mapping[str, Scores]) -> dict[str, Scores]:
    """Nouns and templates drawn with replacement; one drawn twice counts as two."""
    rows = next(iter(whole.values())).rows
    nouns, templates = (rows[name].astype(str).to_numpy() for name in ("noun", "template"))
    picks = [rng.choice(known, len(known)) for known in (np.unique(nouns), np.unique(templates))]
    at = [
        (place, f"{noun} {a}", f"{template} {b}")
        for a, noun in enumerate(picks[0])
        for b, template in enumerate(picks[1])
        for place in np.flatnonzero((nouns == noun) & (templates == template))
    ]
    labels = pd.DataFrame(at, columns=["place", "noun", "template"])
    places = labels["place"].to_numpy()
    fresh = pd.DataFrame(
        {"pair": range(len(at)), "noun": labels["noun"], "template": labels["template"]}
    )
    return {
        site: replace(
            one,
            values=one.values[places],
            rows=fresh,
            per=None if one.per is None else one.per[places],
        )
        for site, one in whole.items()
    }


def false_names(draws: int) -> None:
    """Of runs without a carrier, made up."""
    print("no head carries anything, made up: runs that name one")
    for pairs, nouns, templates in ((40, 8, 6), (60, 18, 12), (120, 18, 33), (240, 18, 33)):
        for shared in (0.0, 0.2, 0.5):
            told = []
            for heavy in (False, True):
                rng = np.random.default_rng(pairs)
                runs = (made_up(rng, pairs, nouns, templates, shared, heavy) for _ in range(draws))
                told.append(f"{100 * np.mean([bool(names(one)) for one in runs]):4.1f} %")
            grid = f"{pairs:4} pairs, {nouns:2} nouns × {templates:2} templates"
            part = f"{100 * shared:2.0f} % of the variance theirs"
            print(f"{grid}, {part}: normal {told[0]}, heavy tails {told[1]}", flush=True)


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
    parser.add_argument("--heads", type=int, default=240)
    parser.add_argument("--out", help="folder of a run: what it kept is not measured again")
    args = parser.parse_args()
    false_names(args.draws)
    mt, pairs = cs.load(args.model), cs.pairs(args.data)
    run = cs.investigate(mt, pairs, heads=args.heads, out=args.out).small
    sites = [site for site in ("encoder", "cross") if site in run.mt.sites]
    whole = {
        site: both_ways(*(run.patch(site, into=into) for into in ("male", "female")))
        for site in sites
    }
    heads = [one for found in rule.carriers(whole).values() for one in found]
    truth = {(one.site, one.layer, one.head): one.value for one in heads}
    carrying = {key for key, value in truth.items() if value >= rule.LEAST}
    rng, free = np.random.default_rng(0), without_effects(whole)
    rate = np.mean([bool(names(anew(rng, free))) for _ in range(args.draws)])
    print(
        f"real effects without their mean, drawn anew: {100 * rate:.1f} % name a head", flush=True
    )
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
