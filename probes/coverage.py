"""How often do the intervals hold the truth? On grids of sentences with planted effects.

Nouns and templates push sentences up or down; 95 % of the intervals should hold the value that was
planted. Beside it: the plain interval, which takes every sentence for independent of the others.

python probes/coverage.py [--worlds N]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import planted
from cuescope.errors import in_words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=1000)
    worlds = parser.parse_args().worlds
    print(f"{'grid':25} {'number':9} {'effect of':9} {'held':>6} {'plain':>6}  mean width")
    for seed, (grid, kind, effect) in enumerate(planted.cases()):
        made = planted.covered(planted.GRIDS[grid], kind, *planted.PLANTED[effect], worlds, seed)
        held, plain, width = made
        told = f"{100 * held:5.1f}% {100 * plain:5.1f}%  {width:.3f}"
        print(f"{grid:25} {kind:9} {effect:9} {told}", flush=True)


if __name__ == "__main__":
    in_words(main)
