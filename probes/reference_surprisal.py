"""Does the model prefer the reference of the right gender? ΔI and ΔLogProb on MT-GenEval's twins.

Each twin is a source in the feminine and in the masculine, with a reference each: the other one's
reference is the incorrect translation. Below 0 the model prefers the correct one.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

import cuescope as cs
from cuescope.measures.relative import delta_logprob, delta_surprisal, of_means
from cuescope.measures.similarity import CharNGrams, UniversalSentenceEncoder
from cuescope.measures.uncertainty import Array, Group, Uncertainty, measure
from cuescope.stats import share

MARKS = re.compile(r"</?[FM]>")


class Source(NamedTuple):
    """A source with its correct and its incorrect reference."""

    gender: str
    text: str
    correct: str
    incorrect: str


def twins(folder: Path, lang: str, count: int) -> list[Source]:
    """Sources of `count` twins taken evenly out of those that differ on both sides."""

    def lines(gender: str, side: str) -> list[str]:
        text = (folder / f"{gender}.en_{lang}.{side}").read_text("utf-8")
        return [" ".join(MARKS.sub("", line).split()) for line in text.splitlines()]

    rows = zip(*(lines(g, s) for g in ("feminine", "masculine") for s in ("en", lang)), strict=True)
    rows = [row for row in rows if row[0] != row[2] and row[1] != row[3]]
    chosen = [rows[place * len(rows) // count] for place in range(min(count, len(rows)))]
    found = []
    for woman, hers, man, his in chosen:
        found += [Source("feminine", woman, hers, his), Source("masculine", man, his, hers)]
    return found


def log_probability(mt: cs.Translator, sources: list[Source]) -> Array:
    """ΔLogProb of each source."""
    texts = [source.text for source in sources]
    scores = [
        np.array([one.logprob for one in mt.score(texts, references)])
        for references in ([s.correct for s in sources], [s.incorrect for s in sources])
    ]
    return delta_logprob(*scores)


def surprisal(measured: list[Uncertainty], sources: list[Source], itself: bool) -> Array:
    """ΔI of each source."""
    rows = list(zip(measured, sources, strict=True))
    both = [
        np.array([one.surprisal(getattr(source, which), itself=itself) for one, source in rows])
        for which in ("correct", "incorrect")
    ]
    return delta_surprisal(*both)


def report(name: str, values: Array, sources: list[Source]) -> None:
    for gender in ("feminine", "masculine"):
        chosen = values[[source.gender == gender for source in sources]]
        mean = of_means("mean", chosen[:, None], lambda means: means[..., 0])
        right = share("right preferred", int((chosen < 0).sum()), len(chosen))
        shown = f"{mean.value:8.4f} [{mean.low:7.4f}, {mean.high:7.4f}]"
        ties = int((chosen == 0).sum())
        print(f"{name:24}{gender:10}  mean {shown}  {right.brief()}  ties {ties}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/geneval"))
    parser.add_argument("--lang", default="pt")
    parser.add_argument("--twins", type=int, default=300)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--epsilon", type=float, default=0.02)
    parser.add_argument(
        "--alpha", type=float, default=256, help="as probes/uncertainty.py tunes it"
    )
    parser.add_argument("--similarity", choices=("use", "chars"), default="use")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    mt = cs.load(given.model)
    sources = twins(given.data, given.lang, given.twins)
    print(f"{mt!r}: {len(sources) // 2} twins")
    report("ΔLogProb", log_probability(mt, sources), sources)
    begin = time.perf_counter()
    drawn = mt.sample([s.text for s in sources], given.samples, epsilon=given.epsilon)
    print(f"sampled in {time.perf_counter() - begin:.0f} s on {given.threads} threads")
    groups = [
        Group.of(one.texts, given=(source.correct, source.incorrect))
        for one, source in zip(drawn, sources, strict=True)
    ]
    part = UniversalSentenceEncoder() if given.similarity == "use" else CharNGrams()
    measured = measure(groups, part, alpha=given.alpha)
    report("ΔI, one of the samples", surprisal(measured, sources, True), sources)
    report("ΔI, samples alone", surprisal(measured, sources, False), sources)
    print(f"S3E by {part.name}, α {given.alpha:g}; ε {given.epsilon}; signature {mt.signature}")


if __name__ == "__main__":
    main()
