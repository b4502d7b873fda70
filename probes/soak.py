"""Does memory stay flat? Many sentences through one model: translated, scored, sampled, aligned.

The resident memory after the first tenth is the measure: at the end it may be 1.1 times that.

python probes/soak.py [--model NAME] [--sentences N]
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import torch

import cuescope as cs
from cuescope.errors import in_words

CHUNK, LIMIT = 500, 1.1
WHO = "mechanic nurse lawyer cook driver teacher clerk baker farmer painter".split()
DID = "slept left called smiled waited laughed cried sang ran fell".split()
WHEN = "today early late again twice alone outside there quietly yesterday".split()


def resident() -> float:
    """Megabytes of this process that are in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def sentences(count: int) -> list[str]:
    """Short ones, each another: the number in them is drawn."""
    rng = random.Random(0)
    return [
        f"The {rng.choice(WHO)} {rng.choice(DID)} {rng.choice(WHEN)} {number}."
        for number in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="", help="a small one with random weights if not given")
    parser.add_argument("--sentences", type=int, default=20_000)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        mt = cs.load(asked.model) if asked.model else _small(Path(scratch))
        every, first, started = sentences(asked.sentences), 0.0, time.process_time()
        for at in range(0, len(every), CHUNK):
            some = every[at : at + CHUNK]
            found = mt.translate(some)
            mt.score(some[:50], found[:50])
            mt.sample(some[:10], 16, seed=at)
            gc.collect()
            done = at + len(some)
            if not first and done >= len(every) / 10:
                first = resident()
            if done % (len(every) // 10) < CHUNK:
                print(f"{done:7,} sentences  {resident():8.1f} MB", flush=True)
        ratio = resident() / first
    word = "flat" if ratio <= LIMIT else "it grows"
    spent = time.process_time() - started
    print(f"{ratio:.3f} × the memory after the first tenth: {word} ({spent:.0f} s CPU)")
    sys.exit(ratio > LIMIT)


def _small(folder: Path) -> cs.Translator:
    import tiny

    mt = cs.load(str(tiny.marian(folder)), check=False)
    mt.limits = type(mt.limits)(most=12)
    return mt


if __name__ == "__main__":
    in_words(main)
