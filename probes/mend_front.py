"""What gated units gain and damage on lessons held out, by how loud they are: to choose recipes by.

Lessons of templates held out, and of templates apart, all with nouns held out; those in which
syntax says whose pronoun it is, and those in which sense must. Our own arithmetic, not the engine.

python probes/mend_front.py MEND [--factors 0.5,1,1.5] [--times 2]
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import cuescope as cs
from cuescope.data.items import Pairs
from cuescope.errors import in_words
from cuescope.inside.ready import target_language
from cuescope.mend import Mend, gated, lessons
from cuescope.mend.export import snapped
from cuescope.mend.judge import Material, judged, mended, plain
from cuescope.mend.table import signed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mend", type=Path)
    parser.add_argument("--factors", default="1", help="times what the mend says")
    parser.add_argument("--times", type=int, default=2, help="draws of nouns for each template")
    options = parser.parse_args()
    mend = Mend.load(options.mend)
    mt = cs.load(mend.model)
    systems = {"plain": plain(mt)}
    for factor in map(float, options.factors.split(",")):
        louder = replace(mend, values=gated.louder(mend.values, factor))
        systems[f"x{factor:g}"] = mended(snapped(louder, mt), mt)
    sources = {
        "held out": lessons.lessons(options.times, seed=11, held_out=True),
        "apart": lessons.apart(options.times, seed=3),
    }
    for source, some in sources.items():
        for tells in ("syntax", "sense"):
            kept = [one.pair for one in some if one.sure == (tells == "syntax") and one.other]
            material = Material(Pairs(kept, all_pairs=True), target_language(mt, None))
            print(f"{source}, {tells} tells: {len(kept)} pairs")
            for one in judged(systems, material):
                values = {n: one.values[n].shown() for n in ("strict_mpa", "male", "other_she")}
                change = f"; {signed(one.change['other_she'])}" if one.change else ""
                told = [f"{name} {value}" for name, value in values.items()]
                print(f"  {one.name:6} " + ", ".join(told) + change)


if __name__ == "__main__":
    in_words(main)
