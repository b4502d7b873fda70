"""How often do the intervals hold the truth? On grids of sentences with planted effects.

Nouns and templates push sentences up or down; 95 % of the intervals should hold the value that was
planted. Beside it: the plain interval, which takes every sentence for independent of the others.
The way of making them was chosen on one family of grids and is measured on others.

python probes/coverage.py [--worlds N]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import numpy as np

import planted
from cuescope.errors import in_words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=1000)
    worlds = parser.parse_args().worlds
    for place, (family, made_of) in enumerate(planted.FAMILIES.items()):
        cases = made_of.cases()
        head = f"{'effects':9} {'of':9} {'held':>6} {'plain':>6}  median width"
        print(f"\n{family:31} {'number':9} {head}")
        found = []
        for seed, case in enumerate(cases, start=1000 * place):
            made = planted.covered(case, worlds, seed)
            found.append(100 * made.held)
            told = f"{100 * made.held:5.1f}% {100 * made.plain:5.1f}%  {made.width:.3f}"
            print(f"{case.grid:31} {case.kind:9} {case.shape:9} {case.effect:9} {told}", flush=True)
        for name in ("share", "mean", "ratio"):
            for shape in dict.fromkeys(case.shape for case in cases):
                for effects in (True, False):
                    some = [
                        held
                        for held, case in zip(found, cases, strict=True)
                        if case.kind.startswith(name)
                        and (case.shape, case.effect != "none") == (shape, effects)
                    ]
                    if some:
                        print(_summary(f"{family}, {name}s, {shape if effects else 'none'}", some))


def _summary(name: str, held: list[float]) -> str:
    near = sum(92.5 <= one <= 97.5 for one in held)
    spread = f"{min(held):.1f} to {max(held):.1f} %, mean {np.mean(held):.1f} %"
    return f"{name}: {spread}; {near} of {len(held)} round to 93–97 %"


if __name__ == "__main__":
    in_words(main)
