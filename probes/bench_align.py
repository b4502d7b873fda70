"""How does the built-in aligner compare with fast_align, on real output and on gold links?

Prints, per system's output: how often both find the same words for WinoMT's focus noun, and the
time; then, per gold language: F1 of the links, trained with real text, on the gold alone, and one
sentence at a time. Run with OMP_NUM_THREADS=1 for the time on one thread.

    python probes/bench_align.py [--show N] [--only TEXT]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from cuescope.align import Alignment, align

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
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


def timed(*args: object, engine: str) -> tuple[list[Alignment], float]:
    began = time.perf_counter()
    return align(*args, engine=engine), time.perf_counter() - began  # type: ignore[arg-type]


def compare(path: Path, show: int) -> None:
    """One line on one system's output, and the first few disagreements."""
    sources, targets = parallel(path)
    lang = path.name.split("-")[1].split(".")[0]
    spans = list(focus(DATA / "winomt" / SETS.get(path.stem.split(".")[-1], "en.txt")))
    ours, our_time = timed(sources, targets, "en", lang, engine="builtin")
    theirs, their_time = timed(sources, targets, "en", lang, engine="systran-align")
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
    print(
        f"{path.parent.name}/{path.name:20} n {len(sources)}  both {both}  same {same / both:.4f}"
        f"  overlapping {touching / both:.4f}  only one {one}"
        f"  time {our_time:.2f} s / {their_time:.2f} s",
        flush=True,
    )


def gold(lang: str) -> tuple[list[str], list[str], list[set[tuple[int, int]]]]:
    """Sentences and links of a gold file."""
    rows = [r.split("\t") for r in (GOLD / f"{lang}.tsv").read_text("utf-8").splitlines()[1:]]
    links = [{tuple(map(int, p.split("-"))) for p in r[2].split()} for r in rows]
    return [r[0] for r in rows], [r[1] for r in rows], links  # type: ignore[return-value]


def f1(found: Iterable[Alignment], expected: Iterable[set[tuple[int, int]]]) -> float:
    """F1 of links; with sure links only, 1 - AER."""
    pairs = [(set(a.links), e) for a, e in zip(found, expected, strict=True)]
    right = sum(len(a & e) for a, e in pairs)
    return 2 * right / sum(len(a) + len(e) for a, e in pairs)


def judge(lang: str) -> None:
    """F1 of both engines on the gold links of a language."""
    sources, targets, links = gold(lang)
    more = parallel(DATA / "translations" / TEXTS[lang])
    for engine in ("builtin", "systran-align"):
        text = align(sources + more[0], targets + more[1], "en", lang, engine=engine)
        alone = align(sources, targets, "en", lang, engine=engine)
        single = [
            align([s], [t], "en", lang, engine=engine)[0]
            for s, t in zip(sources, targets, strict=True)
        ]
        scores = [f1(found, links) for found in (text[: len(links)], alone, single)]
        print(
            f"gold {lang} {engine:14} links {sum(map(len, links))}  with text {scores[0]:.3f}"
            f"  alone {scores[1]:.3f}  one by one {scores[2]:.3f}",
            flush=True,
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--show", type=int, default=0, help="disagreements to print per file")
    options.add_argument("--only", default="", help="files whose path contains this")
    given = options.parse_args()
    for path in sorted((DATA / "translations").glob("*/*.txt")):
        if given.only in str(path):
            compare(path, given.show)
    for lang in TEXTS:
        if given.only in f"gold {lang}":
            judge(lang)


if __name__ == "__main__":
    main()
