"""Which heads carry the cue, how few of them suffice, and can they be used to steer?

Patches every head of one model from the twin sentence, over minimal pairs whose focus noun opens
the sentence; two disjoint halves must give the same heads. Then: attribution and attention against
the effect, the smallest set of heads for 90 % of the gap, the path of the first head through the
noun's value, and what is translated when the two strongest encoder heads are made louder.

python probes/head_patching.py [--model firefox:en-pt] [--winomt DIR] [--limit N] [--factor 4]
"""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console

import cuescope as cs
from cuescope import data
from cuescope.commands.attention import show
from cuescope.data.items import Pairs
from cuescope.errors import in_words
from cuescope.inside.effect import sets
from cuescope.inside.effect.attribution import attribute
from cuescope.inside.effect.measure import gender_scores
from cuescope.inside.effect.patch import patch
from cuescope.inside.effect.paths import paths
from cuescope.inside.read.attention import attention, twin_subjects
from cuescope.inside.ready import Ready, Twins, subject_pairs
from cuescope.measures.agreement import compare, halves
from cuescope.show.figures.compare import compare as scatter
from cuescope.stats import share


def strongest(scores: Any, count: int) -> list[tuple[int, int]]:
    """The heads that restore most."""
    mean = np.nan_to_num(scores.mean().values)
    order = np.argsort(-mean, axis=None)[:count]
    return [(int(a), int(b)) for a, b in zip(*np.unravel_index(order, mean.shape), strict=True)]


def steer(mt: cs.Translator, ready: Ready[Twins], heads: Any, factor: float, say: Any) -> None:
    """The noun's gender in translations of both twins, with and without louder heads."""
    plain = [(a, b) for a in range(mt.sites["encoder"][0]) for b in range(mt.sites["encoder"][1])]
    others = [head for head in plain if head not in heads]
    rng = np.random.default_rng(0)
    control = [others[i] for i in rng.choice(len(others), len(heads), replace=False)]
    for name, run in {
        "as it is": nullcontext,
        f"heads {heads} × {factor:g}": lambda: mt.scale(factor, encoder=heads),
        f"two others {control} × {factor:g}": lambda: mt.scale(factor, encoder=control),
        f"heads {heads} off (mean)": lambda: mt.ablate(value="mean", encoder=heads),
    }.items():
        right = []
        for side, wanted in (("female", 1), ("male", -1)):
            items = [getattr(one, side).item for one in ready]
            context: AbstractContextManager[Any] = run()
            with context:
                texts = mt.translate([item.text for item in items])
            right.append(gender_scores(mt, items, texts) == wanted)
        counts = {
            "she → feminine": right[0],
            "he → masculine": right[1],
            "both": right[0] & right[1],
        }
        say(f"  {name}")
        for what, hits in counts.items():
            say(f"    {share(what, int(hits.sum()), len(hits)).brief()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--winomt", help="its folder, unless where reference data are")
    parser.add_argument("--limit", type=int, help="first pairs only")
    parser.add_argument("--factor", type=float, default=4.0, help="how much louder")
    parser.add_argument("--figure", type=Path, help="attention against effect, as .png or .pdf")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console = Console(width=100)

    def say(text: object) -> None:
        console.print(str(text), highlight=False, markup=False)

    pairs = subject_pairs(data.pairs("winomt", options.winomt))
    mt = cs.load(options.model)
    pairs = Pairs(pairs[: options.limit]) if options.limit else pairs
    ready = mt.twins(pairs)
    say(f"{mt}\n{ready}")
    found = patch(mt, ready, tuple(site for site in mt.sites if site != "decoder"))
    for scores in found.values():
        show(scores.mean(), console, what="share of the gap restored")
        say(f"two disjoint halves of the pairs: ρ = {halves(scores).value:.3f} over all heads")
    effect = found["encoder"]
    some = ready[:64]
    for name, other in {
        "attribution": attribute(mt, ready)["encoder"],
        "integrated attribution": attribute(mt, ready, steps=5)["encoder"],
        "attention": attention(mt, twin_subjects(mt, pairs), ["encoder"])["encoder"],
    }.items():
        result = compare(other, effect)
        say(f"{name}: {result}")
        say(result.disagree(3).to_string(index=False))
    if options.figure:
        attended = attention(mt, twin_subjects(mt, pairs), ["encoder"])["encoder"]
        scatter(attended, effect).figure.savefig(options.figure, dpi=160)
    say("heads taken one by one until 90 % of the gap is restored (64 pairs)")
    for step in sets.greedy(mt, some):
        say(f"  {step.site} {step.layer}.{step.head}: {100 * step.restored:.1f} %")
    heads = strongest(effect, 2)
    first = min(heads)
    if first[0] + 1 < mt.sites["encoder"][0]:
        say(f"path of head {first[0]}.{first[1]} through the noun's value in later heads")
        say(paths(mt, some, first).top(3).to_string(index=False))
    say(f"gender of the noun in {len(ready)} pairs of translations")
    steer(mt, ready, heads, options.factor, say)
    say(effect.signature)


if __name__ == "__main__":
    in_words(main)
