"""What is lost without a head? Every head taken out, by zero, mean and resampling.

Over minimal pairs whose focus noun opens the sentence: the share of the twins' gap that is lost;
whether the three kinds of ablation agree, and whether what is lost without a head is what the
head restores when it is patched in.

python probes/head_ablation.py [--model firefox:en-pt] [--winomt DIR] [--limit 96]
"""

from __future__ import annotations

import argparse

import torch
from rich.console import Console

import cuescope as cs
from cuescope import data
from cuescope.commands.attention import show
from cuescope.data.items import Pairs
from cuescope.errors import in_words
from cuescope.inside.effect.ablation import ablation
from cuescope.inside.effect.patch import patch
from cuescope.inside.ready import subject_pairs
from cuescope.measures.agreement import compare, halves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--winomt", help="its folder, unless where reference data are")
    parser.add_argument("--limit", type=int, default=96, help="first pairs only; 0: all")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console = Console(width=100)
    pairs = subject_pairs(data.pairs("winomt", options.winomt))
    mt = cs.load(options.model)
    pairs = Pairs(pairs[: options.limit]) if options.limit else pairs
    ready = mt.twins(pairs)
    console.print(f"{mt}\n{ready}", highlight=False)
    found = {value: ablation(mt, ready, value=value)["encoder"] for value in ("mean", "zero")}
    found["resample"] = ablation(mt, ready, value="resample")["encoder"]
    for value, scores in found.items():
        console.rule(value)
        show(scores.mean(), console, what="share of the gap lost")
        console.print(f"two halves of the pairs: ρ = {halves(scores).value:.3f}", highlight=False)
    restored = patch(mt, ready)["encoder"]
    console.rule("agreement")
    for value, scores in found.items():
        console.print(f"{value} and patching: {compare(scores, restored)}", highlight=False)
    console.print(f"mean and zero: {compare(found['mean'], found['zero'])}", highlight=False)


if __name__ == "__main__":
    in_words(main)
