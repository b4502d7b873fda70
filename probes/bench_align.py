"""How does the built-in aligner compare with fast_align, on real output and on gold links?

Prints, per system's output: how often both find the same words for WinoMT's focus noun, and the
time; then, per gold language: F1 of the links, trained with real text, on the gold alone, and one
sentence at a time. Run with OMP_NUM_THREADS=1 for the time on one thread.

    python probes/bench_align.py [--show N] [--only TEXT]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from cuescope.align import align
from cuescope.align.gold import f1, read_gold
from cuescope.data import reference
from cuescope.errors import in_words

ROOT = Path(__file__).resolve().parents[1]
GOLD = ROOT / "tests" / "gold_links"
TEXTS = {"it": "google/en-it.txt", "es": "google/en-es.txt", "pt": "firefox/en-pt.reg.txt"}
SETS = {"pro": "en_pro.txt", "anti": "en_anti.txt"}


def parallel(path: Path) -> tuple[list[str], list[str]]:
    """Sources and translations of a file of `source ||| translation`."""
    rows = [line.partition(" ||| ") for line in path.read_text("utf-8").splitlines()]
    return [s for s, _, _ in rows], [t for _, _, t in rows]


def focus(path: Path) -> Iterator[tuple[int, int]]:
    """The character span of the focus noun in each line of a WinoMT file."""
    for line in path.read_text("utf-8").splitlines():
        _, index, sentence, noun = line.split("\t")
        start = sum(len(word) + 1 for word in sentence.split(" ")[: int(index)])
        yield start, start + len(noun)


def compare(path: Path, show: int = 0) -> dict[str, float]:
    """The focus noun of one system's output, found by both engines; prints some disagreements."""
    sources, targets = parallel(path)
    lang = path.name.split("-")[1].split(".")[0]
    spans = list(focus(reference.find("winomt", SETS.get(path.stem.split(".")[-1], "en.txt"))))
    began = time.process_time()
    ours = align(sources, targets, "en", lang)
    between = time.process_time()
    theirs = align(sources, targets, "en", lang, engine="systran-align")
    ended = time.process_time()
    both = same = touching = one = 0
    for span, a, b, source, target in zip(spans, ours, theirs, sources, targets, strict=True):
        x, y = a.target_span(*span), b.target_span(*span)
        one += (x is None) != (y is None)
        if x is None or y is None:
            continue
        both += 1
        same += x == y
        touching += x[0] < y[1] and y[0] < x[1]
        if x != y and show > 0:
            show -= 1
            print(
                f"    {source[slice(*span)]}: {target[slice(*x)]} / {target[slice(*y)]}: {target}"
            )
    return {
        "n": len(sources),
        "both": both,
        "same": same / both,
        "overlapping": touching / both,
        "only one": one,
        "seconds": between - began,
        "systran seconds": ended - between,
    }


def judge(lang: str, engine: str) -> dict[str, float]:
    """F1 on the gold links: trained with real text, on the gold alone, one sentence at a time."""
    gold = read_gold(GOLD / f"{lang}.tsv")
    sources, targets = [g.source for g in gold], [g.target for g in gold]
    more = parallel(reference.find("translations", TEXTS[lang]))
    text = align(sources + more[0], targets + more[1], "en", lang, engine=engine)
    alone = align(sources, targets, "en", lang, engine=engine)
    single = [align([g.source], [g.target], "en", lang, engine=engine)[0] for g in gold]
    return {
        "links": sum(len(g.links) for g in gold),
        "with text": f1(text[: len(gold)], gold),
        "alone": f1(alone, gold),
        "one by one": f1(single, gold),
    }


def line(name: str, values: dict[str, float]) -> str:
    shown = (f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v}" for k, v in values.items())
    return f"{name:28} " + "  ".join(shown)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--show", type=int, default=0, help="disagreements to print per file")
    options.add_argument("--only", default="", help="files whose path contains this, or `gold`")
    given = options.parse_args()
    pooled: list[dict[str, float]] = []
    for path in sorted(reference.find("translations").glob("*/*.txt")):
        if given.only in str(path):
            pooled.append(compare(path, given.show))
            print(line(f"{path.parent.name}/{path.name}", pooled[-1]), flush=True)
    if total := sum(p["both"] for p in pooled):
        for name in ("same", "overlapping"):
            print(f"all files: {name} {sum(p[name] * p['both'] for p in pooled) / total:.4f}")
    for lang in TEXTS:
        for engine in ("builtin", "systran-align"):
            if given.only in f"gold {lang}":
                print(line(f"gold {lang} {engine}", judge(lang, engine)), flush=True)


if __name__ == "__main__":
    in_words(main)
