"""Is the model less sure where it should be? Entropies of he / she / they, as in paper B.

Samples contrast sets of WinoMT and prints H, norm-H and ΔH with intervals in the shape of its
Tables 4 and 15, and single sets in the shape of Table 5. S3E's α is tuned on the entropy of gender.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

import cuescope as cs
from cuescope import data as sets_of
from cuescope.errors import in_words
from cuescope.measures.equivalence import Gender, Normalised
from cuescope.measures.nli import NLI
from cuescope.measures.similarity import CharNGrams, UniversalSentenceEncoder
from cuescope.measures.uncertainty import Part
from cuescope.run.study import VERSIONS, Study, contrast_sets, study
from cuescope.stats.value import Value


def cell(value: Value) -> str:
    return f"{value.value:6.2f} [{value.low:5.2f}, {value.high:5.2f}]"


def report(found: Study) -> None:
    print("\nH by ambiguity (Tables 4 and 15; intervals over sets)")
    print(f"{'':6}{'Unamb.':>22}{'Amb.':>22}{'ΔH':>22}{'ΔH as printed there':>24}")
    for name, values in found.values.items():
        row = ("H unambiguous", "H ambiguous", "ΔH", "ΔH, printed")
        print(f"{name:6}" + "".join(f"{cell(values[label]):>22}" for label in row))
    print("\nH and norm-H by pronoun")
    for name, values in found.values.items():
        for kind in ("H", "norm-H"):
            cells = "".join(f"{cell(values[f'{kind} {version}']):>22}" for version in VERSIONS)
            print(f"{name:6}{kind:7}{cells}")
        print(
            f"      {found.certain(name)} of {len(found.sets)} sets have no entropy: norm-H 1, ΔH 0"
        )


def examples(found: Study, count: int) -> None:
    """Sets in which gender varies most, with the entropy of each version (Table 5)."""
    order = found.entropies("ge").sum(1).argsort()[::-1][:count]
    print("\nsentence" + " " * 82 + "".join(f"{name:>7}" for name in found.measured))
    for number in order:
        for place, item in enumerate(found.sets[number]):
            h = "".join(f"{found.entropies(name)[number, place]:7.2f}" for name in found.measured)
            print(f"{item.text[:88]:90}{h}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--data", default="winomt")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--epsilon", type=float, default=0.02)
    parser.add_argument("--nli", help="an NLI model for SE; without one, normalised text")
    parser.add_argument("--similarity", choices=("use", "chars"), default="use")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    sets, left_out = contrast_sets(sets_of.load(given.data), given.sets)
    mt = cs.load(given.model)
    texts = list(dict.fromkeys(item.text for one in sets for item in one))
    begin = time.perf_counter()
    drawn = mt.sample(texts, given.samples, epsilon=given.epsilon)
    sampled = time.perf_counter() - begin
    parts: dict[str, Part] = {
        "s3e": UniversalSentenceEncoder() if given.similarity == "use" else CharNGrams(),
        "se": NLI(given.nli) if given.nli else Normalised(),
        "ge": Gender((mt.tgt or "pt")[:2]),
    }
    found = study(mt, sets, parts, samples=given.samples, epsilon=given.epsilon, drawn=drawn)
    print(
        f"{mt!r}\n{len(sets)} contrast sets, {len(texts)} sources × {given.samples} samples: ",
        end="",
    )
    print(f"sampled in {sampled:.0f} s on {given.threads} threads", *left_out.elements())
    print(f"SE by {parts['se'].name}, S3E by {parts['s3e'].name}; {found.tuned}")
    report(found)
    examples(found, 5)
    print(f"\nsignature {found.signature}")
    if given.json:
        import json

        given.json.write_text(json.dumps(found.to_json(), indent=1, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    in_words(main)
