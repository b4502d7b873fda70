"""Does the model prefer the reference of the right gender? ΔI and ΔLogProb on MT-GenEval's twins.

Each twin is a source in the feminine and in the masculine, with a reference each. The incorrect
translation is made as paper B asked its translators: the gendered words of the reference take the
other gender, the pronouns stay true. Below 0 the model prefers the correct one. Where a pronoun is
all that shows the gender the model must use it; where a noun does (mother, actor) it need not.
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
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.measures.relative import delta_logprob, delta_surprisal, of_means
from cuescope.measures.similarity import CharNGrams, UniversalSentenceEncoder
from cuescope.measures.uncertainty import Array, Group, Uncertainty, measure
from cuescope.stats import share

MARK = re.compile(r"<([FM])>(.*?)</\1>")
CUES = set("he she his her him hers himself herself".split())
PRONOUNS = {
    "pt": set("ele ela eles elas dele dela deles delas nele nela o a os as lo la no na".split()),
    "es": set("él ella ellos ellas lo la los las".split()),
    "it": set("lui lei lo la li le gli".split()),
    "fr": set("il elle ils elles lui le la celui celle".split()),
}


class Source(NamedTuple):
    """A source with its correct and its incorrect reference; `cue` is a pronoun or a noun."""

    gender: str
    cue: str
    text: str
    correct: str
    incorrect: str


def plain(line: str) -> str:
    return " ".join(MARK.sub(r"\2", line).split())


def other_gender(own: str, other: str, pronouns: set[str]) -> str | None:
    """The own reference with the other's gendered words; None if they differ elsewhere too."""
    ours, theirs = MARK.split(own), MARK.split(other)
    if ours[::3] != theirs[::3]:
        return None
    for at in range(2, len(ours), 3):
        if not {ours[at].strip().lower(), theirs[at].strip().lower()} <= pronouns:
            ours[at] = theirs[at]
    text = " ".join("".join(part for at, part in enumerate(ours) if at % 3 != 1).split())
    return text if text != plain(own) else None


def twins(folder: Path, lang: str, count: int) -> list[Source]:
    """Sources of `count` twins: first those that only a pronoun tells apart, then others evenly."""

    def lines(gender: str, side: str) -> list[str]:
        return (folder / f"{gender}.en_{lang}.{side}").read_text("utf-8").splitlines()

    rows = zip(*(lines(g, s) for g in ("feminine", "masculine") for s in ("en", lang)), strict=True)
    found: dict[str, list[tuple[Source, Source]]] = {"pronoun": [], "noun": []}
    for woman, hers, man, his in rows:
        wrong = [other_gender(*pair, PRONOUNS[lang]) for pair in ((hers, his), (his, hers))]
        if wrong[0] is None or wrong[1] is None or plain(woman) == plain(man):
            continue
        marked = {word.strip().lower() for _, word in MARK.findall(woman) + MARK.findall(man)}
        cue = "pronoun" if marked <= CUES else "noun"
        first = Source("feminine", cue, plain(woman), plain(hers), wrong[0])
        found[cue].append((first, Source("masculine", cue, plain(man), plain(his), wrong[1])))
    kept, rest = found["pronoun"][:count], found["noun"]
    more = min(count - len(kept), len(rest))
    kept += [rest[place * len(rest) // more] for place in range(more)]
    return [source for pair in kept for source in pair]


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
    for cue in ("pronoun", "noun"):
        for gender in ("feminine", "masculine"):
            chosen = values[[s.gender == gender and s.cue == cue for s in sources]]
            if not len(chosen):
                continue
            mean = of_means("mean", chosen[:, None], lambda means: means[..., 0])
            right = share("right preferred", int((chosen < 0).sum()), len(chosen))
            shown = f"{mean.value:8.4f} [{mean.low:7.4f}, {mean.high:7.4f}]"
            ties = int((chosen == 0).sum())
            print(f"{name:24}{cue:9}{gender:10} mean {shown}  {right.brief()}  ties {ties}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--data", type=Path, help="folder of MT-GenEval")
    parser.add_argument("--lang", choices=sorted(PRONOUNS), default="pt")
    parser.add_argument("--twins", type=int, default=300)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--epsilon", type=float, default=0.02)
    parser.add_argument("--alpha", type=float, default=256, help="from a pilot of 30 contrast sets")
    parser.add_argument("--similarity", choices=("use", "chars"), default="use")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    sources = twins(given.data or reference.find("geneval"), given.lang, given.twins)
    mt = cs.load(given.model)
    print(f"{mt!r}: {len(sources) // 2} twins, by cue and gender", flush=True)
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
    in_words(main)
