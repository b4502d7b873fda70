"""Which bias cues move a model's uncertainty about gender? Paper B's table 3, and table 15.

Samples the contrast sets of a challenge set, with and without names, by the model as it is and
(with --debias) hard-debiased; prints the effect of each cue on norm-H with its significance.
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext

import pandas as pd
import torch
from rich.console import Console

import cuescope as cs
from cuescope import data
from cuescope.data.cues import annotate, cue_table, named
from cuescope.data.items import ContrastSet
from cuescope.errors import in_words
from cuescope.inside.edit.debias import debias
from cuescope.measures.anova import anova
from cuescope.measures.equivalence import Gender
from cuescope.measures.similarity import CharNGrams
from cuescope.run.study import contrast_sets, study
from cuescope.show.tables import anova_table, entropy_table


def with_names(sets: list[ContrastSet], names: list[str]) -> list[ContrastSet]:
    """The sets again, he and she with a name; they has none."""
    table = dict(zip(("female", "male"), names, strict=True))
    made = [named([one.he, one.she], table).items for one in sets]
    return [
        ContrastSet(*pair, one.they) for pair, one in zip(made, sets, strict=True) if len(pair) == 2
    ]


def measured(mt: cs.Translator, sets: list[ContrastSet], given: argparse.Namespace) -> pd.DataFrame:
    """A row a source: its cues, H and norm-H."""
    target = (mt.tgt or "pt")[:2]
    parts = {"ge": Gender(target), "s3e": CharNGrams()}
    found = study(mt, sets, parts, samples=given.samples, epsilon=given.epsilon)
    items = [item for one in sets for item in one]
    table = cue_table(items, annotate(items, target=target, parser=given.parser))
    columns = [c for c in found.table() if c.startswith(("H ", "norm-H"))]
    joined = table.assign(**{c: found.table()[c] for c in columns}, set=found.table()["set"])
    return joined.drop_duplicates(["text", "noun", "names"])  # they stands in two sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default="firefox:en-pt")
    parser.add_argument("--data", default="winomt")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--epsilon", type=float, default=0.02)
    parser.add_argument("--names", nargs=2, default=("Ana", "Paulo"), help="feminine, masculine")
    parser.add_argument("--parser", default="rules", help="or a spaCy English model")
    parser.add_argument("--test", choices=("pooled", "welch", "cluster"), default="pooled")
    parser.add_argument("--debias", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(1)
    sets, _ = contrast_sets(data.load(given.data), given.sets)
    mt = cs.load(given.model)
    sets += with_names(sets, given.names)
    frames = {}
    for name in ("as it is", "debiased") if given.debias else ("as it is",):
        with debias(mt) if name == "debiased" else nullcontext():
            frames[mt.tgt or "", name] = measured(mt, sets, given)
    console = Console(width=220)
    for measure in ("norm-H ge", "norm-H s3e"):
        found = {
            key: anova(frame, measure, test=given.test, groups="set")
            for key, frame in frames.items()
        }
        console.print(anova_table(found).to_rich())
    rows = [frame.assign(lang=lang, model=model) for (lang, model), frame in frames.items()]
    plain = pd.concat(rows).query("names == 'no name'")
    console.print(entropy_table(plain, {"H s3e": "S3E", "H ge": "GE"}).to_rich())


if __name__ == "__main__":
    in_words(main)
