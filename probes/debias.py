"""Does taking the gender direction out of profession words change how a model genders them?

Translates minimal pairs of SimpleGEN (or --data) with the model as it is and hard-debiased, and
prints accuracy and minimal pair accuracy of both, with McNemar's test on the same sentences.
"""

from __future__ import annotations

import argparse

import torch

import cuescope as cs
from cuescope.data import pairs
from cuescope.errors import in_words
from cuescope.inside.edit.debias import debias
from cuescope.inside.edit.gender_direction import one_token
from cuescope.run.investigate import investigate
from cuescope.run.run import Run
from cuescope.stats import mcnemar


def verdicts(run: Run) -> list[bool]:
    return [verdict.correct for name in ("pro", "anti") for verdict in run.score.sets[name]]


def show(title: str, run: Run) -> None:
    print(f"\n{title}")
    for name, values in run.accuracy().items():
        print(f"  {name:5}" + "   ".join(value.brief() for value in values.values()))
    print(f"  {run.mpa().value.brief()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="firefox:en-pt")
    parser.add_argument("--data", default="simplegen")
    parser.add_argument("--limit", type=int, default=300, help="pairs, drawn from the set")
    parser.add_argument("--keep-norm", action="store_true", help="words keep their length")
    parser.add_argument("--all", action="store_true", help="pairs of longer words too")
    given = parser.parse_args()
    torch.set_num_threads(1)
    mt = cs.load(given.model)
    chosen = list(pairs(given.data))
    if not given.all:
        nouns = one_token(mt, (pair.pro.noun for pair in chosen))
        print(f"nouns that are not one token, left out: {nouns.skipped}")
        chosen = [pair for pair in chosen if pair.pro.noun in nouns.ids]
    wanted = min(given.limit, len(chosen))
    chosen = [chosen[i * len(chosen) // wanted] for i in range(wanted)]
    before = mt.weights_hash
    original = investigate(mt, chosen)
    nouns_here = {pair.pro.noun for pair in chosen}
    with debias(mt, sorted(nouns_here), keep_norm=given.keep_norm) as report:
        debiased = investigate(mt, chosen)
    assert mt.weights_hash == before
    print(f"{len(chosen)} pairs; {report}")
    found = report.direction
    print(
        f"direction from {len(found.pairs)} pairs, {100 * found.explained:.0f} % of their variance"
    )
    print("lean:", "  ".join(f"{w} {v:+.2f}" for w, v in sorted(report.lean.items())))
    show("original", original)
    show("debiased", debiased)
    changed = sum(original.translations[s] != t for s, t in debiased.translations.items())
    test = mcnemar(verdicts(original), verdicts(debiased))
    print(f"\n{changed} of {len(original.translations)} translations changed")
    print(f"right only before {test.only_first}, only after {test.only_second}; p = {test.p:.3f}")


if __name__ == "__main__":
    in_words(main)
