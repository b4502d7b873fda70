"""Does pushing the heads that carry the cue change the translation's gender? Held out.

The heads with the largest effect and the factor are chosen on SimpleGEN; what they do is measured
on WinoMT's pairs, which had no say in it: two runs, plain and pushed, side by side, and two heads
of no effect pushed as much for control. What it costs is measured in BLEU on FLORES.

python probes/steering.py [--model firefox:en-pt] [--winomt DIR] [--heads 2] [--out DIR]
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import sacrebleu
from rich.console import Console

import cuescope as cs
from cuescope.commands.summary import show
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.run import findings
from cuescope.run.compare import side_by_side
from cuescope.show.compare.tables import tables

FACTORS = (2.0, 3.0, 4.0, 6.0)


def chosen(mt: cs.Translator, count: int) -> tuple[list, list, float]:
    """On SimpleGEN: the heads of most effect, as many of the least, and the best factor."""
    run = cs.investigate(mt, cs.pairs("simplegen"), limit=200)
    effect = np.abs(run.patch("encoder").mean().values)
    order = [tuple(map(int, divmod(at, effect.shape[1]))) for at in np.argsort(-effect, axis=None)]
    heads, control = order[:count], order[-count:]
    found = {}
    for factor in FACTORS:
        with mt.scale(factor, encoder=heads):
            found[factor] = float(cs.investigate(mt, run.pairs).mpa().value)
    print("SimpleGEN, MPA by factor:", {f: f"{100 * v:.1f} %" for f, v in found.items()})
    return heads, control, max(found, key=found.__getitem__)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--winomt", help="its folder, unless where reference data are")
    parser.add_argument("--heads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("artifacts/steering"))
    options = parser.parse_args()
    pairs = cs.pairs("winomt", options.winomt)
    flores = reference.find("flores")
    mt = cs.load(options.model)
    heads, control, factor = chosen(mt, options.heads)
    print(f"pushed by {factor:g}: {heads}; control: {control}")
    settings = {"data": "winomt", "heads": 40, "sets": 20, "samples": 32, "examples": 12}
    lines = [(flores / f"en-pt.dev.{side}").read_text("utf-8") for side in ("en", "pt")]
    sources, references = (text.splitlines()[:200] for text in lines)
    console, folders = Console(width=110), []
    for name, some in {"plain": [], "control": control, "pushed": heads}.items():
        with mt.scale(factor, encoder=some) if some else nullcontext():
            run = cs.investigate(mt, pairs, out=options.out / name, **settings)
            found = run.findings()
            findings.write(options.out / name, found)
            run.report(options.out / name / "report.html")
            quality = sacrebleu.corpus_bleu(mt.translate(sources), [references]).score
        folders.append(options.out / name)
        print(f"{name}: {run.mpa().value.brief()}, BLEU of 200 sentences {quality:.1f}")
    show(found, console)
    for table in tables(side_by_side(*folders)).values():
        console.print(table.to_rich(), "", highlight=False)


if __name__ == "__main__":
    in_words(main)
