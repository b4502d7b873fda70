"""Which heads look from the noun to its cue, and do they look alike for her and for him?

Paper A on one model: attention noun → cue in the encoder and in cross-attention, averaged over
minimal pairs whose focus noun opens the sentence; then over the pairs that the model gets right,
split by the cue's gender and by pro / anti. Prints tables; --figure draws the split.

python probes/cue_attention.py [--model firefox:en-pt] [--winomt DIR] [--limit N] [--figure FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from rich.console import Console

import cuescope as cs
from cuescope import data
from cuescope.commands.attention import show
from cuescope.data.items import Pairs
from cuescope.errors import in_words
from cuescope.inside.read.attention import attention, twin_subjects
from cuescope.inside.ready import subject_pairs
from cuescope.show.figures import heatmap


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--winomt", help="its folder, unless where reference data are")
    parser.add_argument("--limit", type=int, help="first pairs only")
    parser.add_argument("--figure", type=Path, help="heatmaps by gender, as .png or .pdf")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console = Console()
    pairs = subject_pairs(data.pairs("winomt", options.winomt))
    mt = cs.load(options.model)
    if options.limit:
        pairs = Pairs(pairs[: options.limit])
    ready = twin_subjects(mt, pairs)
    console.print(f"{mt}\n{pairs}\n{ready}", highlight=False)
    found = attention(mt, ready, ["encoder", "cross"])
    for site, scores in found.items():
        console.rule(site)
        show(scores.mean("pair"), console)
        right = scores.where(accurate_pair=True)
        console.print(f"accurate pairs: {len(right) // 2} of {len(scores) // 2}", highlight=False)
        for by in ("gold", "set"):
            for value, part in right.split(by).items():
                console.rule(f"accurate pairs, {by} = {value}", align="left", style="dim")
                show(part.mean(), console, top=3)
    weighted = attention(mt, ready, ["encoder"], measure="norm")["encoder"]
    console.rule("encoder, weighted by what the cue's values bring")
    show(weighted.mean("pair"), console)
    if options.figure:
        axes = heatmap(found["encoder"].split("gold"))
        axes[0].figure.savefig(options.figure, dpi=160)


if __name__ == "__main__":
    in_words(main)
