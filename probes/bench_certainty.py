"""What does a certified P(feminine) cost, against one that is sampled, and does it hold?

On WinoMT sentences: 128 ε-samples of each, and the tree enumerated to a width of .01; evaluations,
time and what is known then. On some of them very many samples: does their share of each gender lie
inside the interval, as far as chance allows? And how far do the bounds move with the batch, which
is what rounding does?

python probes/bench_certainty.py                                     firefox:en-pt, all of it
python probes/bench_certainty.py --model path/to/opus-mt-en-fr --once --most 2400 \
    --inside 4 --many 2000                                           a broader tree: what it affords
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

import cuescope as cs
from cuescope import data
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.inside.certified import GENDERS, Certified, ge_between
from cuescope.inside.ready import target_language
from cuescope.measures.alone import read_alone
from cuescope.sampling import Samples
from cuescope.sampling.bounds import ROUNDING

T = TypeVar("T")


def timed(what: Callable[[], T]) -> tuple[T, float]:
    begin = time.process_time()
    return what(), time.process_time() - begin


def shares(item: cs.Item, samples: Samples, lang: str) -> Counter[str]:
    """The share of samples of each gender, each read by its sentence pair alone."""
    found: Counter[str] = Counter()
    for text, count in samples.texts.items():
        found[read_alone(item, text, lang).gender] += count / samples.n  # type: ignore[assignment]
    return found


def cost(
    mt: cs.Translator, items: Sequence[cs.Item], given: argparse.Namespace
) -> tuple[Certified, int]:
    """Evaluations and time of both ways, in turns; what each leaves open, and what samples took."""
    texts = [item.text for item in items]
    mt.sample(texts[:2], 8)
    mt.enumerate(items[:2], given.width)
    limits = {"width": given.width, "most": given.most}
    drawn, *sampling = timed(lambda: mt.sample(texts, given.samples))
    found, *counting = timed(lambda: mt.enumerate(items, **limits))
    if not given.once:
        sampling.append(timed(lambda: mt.sample(texts, given.samples, seed=1))[1])
        counting.append(timed(lambda: mt.enumerate(items, **limits))[1])
    ours = [one.evaluations for one in found]
    theirs = [one.evaluations for one in drawn]
    widths = [one.undecided for one in found]
    lang = target_language(mt)
    error = []
    for item, samples in zip(items, drawn, strict=True):
        p = shares(item, samples, lang)["feminine"]
        error.append(2 * 1.96 * math.sqrt(p * (1 - p) / samples.n))
    print(f"{mt.name}: {len(items)} sentences, CPU seconds, {len(sampling)} runs of each in turns")
    rows = [
        (f"{given.samples} samples", theirs, sampling, error),
        (f"enumerated to {given.width}", ours, counting, widths),
    ]
    for name, spent, seconds, width in rows:
        print(
            f"  {name:20} {statistics.fmean(spent):7.1f} evaluations a sentence (median "
            f"{statistics.median(spent):.0f}, most {max(spent)}), "
            f"{' and '.join(f'{one:.1f}' for one in seconds)} s; width of P(feminine): mean "
            f"{statistics.fmean(width):.4f}, median {statistics.median(width):.4f}"
        )
    print(
        f"  evaluations: {sum(ours) / sum(theirs):.2f} of the samples'; time: "
        f"{sum(counting) / sum(sampling):.2f}"
    )
    less = sum(a < b for a, b in zip(widths, error, strict=True))
    print(f"  narrower than the samples' 95 % interval in {less} of {len(items)}")
    majority = sum(one.majority is not None for one in found)
    entropies = [high - low for low, high in map(ge_between, found)]
    print(
        f"  wider than asked: {found.exhausted}; the likeliest gender is certain in {majority} of "
        f"{len(items)}; mean width of GE {statistics.fmean(entropies):.4f}"
    )
    alone = mt.enumerate(items[: given.inside], **limits, batch_size=1)
    moved = max(
        (
            abs(one.mass.get(g, 0.0) - other.mass.get(g, 0.0)) / max(one.mass.get(g, 0.0), 1e-3)
            for one, other in zip(alone, found, strict=False)
            for g in GENDERS
            if one.reached and other.reached and one.evaluations == other.evaluations
        ),
        default=0.0,  # a source that has spent all stops wherever its batch stood
    )
    print(f"  one at a time or in a batch: the masses differ by {moved:.1e} of themselves at most")
    assert moved < ROUNDING, "more than the rounding that the intervals allow for"
    return found, sum(theirs)


def inside(mt: cs.Translator, items: Sequence[cs.Item], found: Certified, n: int) -> None:
    """Very many samples of each sentence against its intervals: z beyond the nearer end."""
    lang, worst = target_language(mt), []
    for item, one, drawn in zip(
        items, found, mt.sample([i.text for i in items], n, seed=7), strict=False
    ):
        seen = shares(item, drawn, lang)
        for gender in GENDERS:
            low, high = one.interval(gender)
            end = min(max(seen[gender], low), high)
            error = math.sqrt(max(end * (1 - end), 1 / n) / n)
            worst.append((abs(seen[gender] - end) / error, item.text, gender))
    bound = statistics.NormalDist().inv_cdf(1 - 0.005 / len(worst))
    z, text, gender = max(worst)
    print(f"{mt.name}: {n:,} samples of each of {len(items)} sentences, {len(worst)} shares")
    print(
        f"  outside their intervals by more than 1.96 errors: {sum(z > 1.96 for z, *_ in worst)} "
        f"(by chance at most {0.05 * len(worst):.0f}); the furthest {z:.2f} errors, "
        f"of {bound:.2f} allowed over all: {gender} of {text!r}"
    )
    assert z < bound, "samples outside a certified interval"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="firefox:en-pt")
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--width", type=float, default=0.01)
    parser.add_argument("--most", type=int, default=4096, help="evaluations of a sentence")
    parser.add_argument("--once", action="store_true", help="each way timed once")
    parser.add_argument("--inside", type=int, default=20, help="sentences sampled very often")
    parser.add_argument("--many", type=int, default=100_000, help="samples of each of those")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    mt = cs.load(given.model)
    every = data.load(f"winomt:{reference.find('winomt', 'en.txt').parent}")
    items = every[:: max(1, len(every) // given.sentences)][: given.sentences]
    found, theirs = cost(mt, items, given)
    inside(mt, items[: given.inside], found, given.many)
    ours = sum(one.evaluations for one in found)
    width = statistics.fmean(one.undecided for one in found)
    if width > given.width or ours > 2 * theirs:
        raise SystemExit(f"missed: width {width:.4f}, {ours / theirs:.2f} times the evaluations")


if __name__ == "__main__":
    in_words(main)
