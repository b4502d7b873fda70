"""How much does the prefix tree save? 128 ε-samples of 64 WinoMT sentences, three ways.

One run, same threads: our tree; independent sampling in one batch of 128 by the same model code;
and on a Marian model transformers' own `generate(num_return_sequences=128)`. The samples are
checked to come from one distribution.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch

import cuescope as cs
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.sampling import Samples
from cuescope.sampling.independent import independent

T = TypeVar("T")
CHINESE = [
    "护士说他很累。",
    "医生告诉护士她可以走了。",
    "工程师因为她迟到了而道歉。",
    "律师打电话给经理, 因为他需要帮助。",
]


def timed(what: Callable[[], T]) -> tuple[T, float]:
    begin = time.perf_counter()
    return what(), time.perf_counter() - begin


def variation(first: Samples, second: Samples) -> float:
    """Total variation between two draws, over texts."""
    a, b = first.texts, second.texts
    return sum(abs(a[text] / first.n - b[text] / second.n) for text in a | b) / 2


def compare(mt: cs.Translator, texts: Sequence[str], n: int, epsilon: float) -> float:
    """Tree against independent sampling; the ratio of wall-clock times."""
    mt.sample(texts[:2], 8)
    ours, fast = timed(lambda: mt.sample(texts, n, epsilon=epsilon))
    theirs, slow = timed(lambda: [independent(mt, text, n, epsilon, 1) for text in texts])
    ratios = [b.evaluations / a.evaluations for a, b in zip(ours, theirs, strict=True)]
    again = mt.sample(texts, n, epsilon=epsilon, seed=1)
    between = statistics.fmean(map(variation, ours, theirs))
    within = statistics.fmean(map(variation, ours, again))
    print(f"{mt.name}: {len(texts)} sentences, {n} samples, ε {epsilon}")
    for name, found, seconds in (("tree", ours, fast), ("independent", theirs, slow)):
        evaluations = sum(one.evaluations for one in found)
        print(f"  {name:12} {seconds:7.1f} s  {evaluations:9,} decoder evaluations")
    print(
        f"  time ratio {slow / fast:.1f}; evaluations: median ratio {statistics.median(ratios):.1f}"
    )
    print(
        f"  from {min(ratios):.1f} to {max(ratios):.1f}; total variation tree / independent ",
        end="",
    )
    print(f"{between:.3f}, tree / tree {within:.3f}")
    assert between < within + 0.03, "not the same distribution"
    assert statistics.median(ratios) >= 15 or mt.name != "firefox:en-pt"
    return slow / fast


def generated(
    mt: cs.Translator, texts: Sequence[str], n: int, epsilon: float
) -> list[Counter[str]]:
    """transformers' generate, sentence by sentence as it must be."""
    found = []
    for number, text in enumerate(texts):
        torch.manual_seed(number)
        batch = mt.batch([text])
        ids = mt.engine.module.generate(  # type: ignore[operator]
            input_ids=batch.ids,
            attention_mask=batch.mask,
            do_sample=True,
            num_beams=1,
            num_return_sequences=n,
            epsilon_cutoff=epsilon,
            top_k=0,
            max_new_tokens=mt.limits.of(int(batch.mask.sum())),
        )
        found.append(Counter(mt.tokenizer.decode(_emitted(mt, row)) for row in ids.tolist()))
    return found


def against_generate(mt: cs.Translator, texts: Sequence[str], n: int, epsilon: float) -> float:
    """Tree against generate."""
    ours, fast = timed(lambda: mt.sample(texts, n, epsilon=epsilon))
    theirs, slow = timed(lambda: generated(mt, texts, n, epsilon))
    print(f"{mt.name}: {len(texts)} sentences against generate(num_return_sequences={n})")
    print(f"  tree {fast:.1f} s, generate {slow:.1f} s: time ratio {slow / fast:.1f}")
    for one, other in zip(ours, theirs, strict=True):
        top = one.sequences[0].text
        assert abs(one.texts[top] - other[top]) / n < 0.25, "not the same distribution"
    return slow / fast


def _emitted(mt: cs.Translator, row: list[int]) -> list[int]:
    """The ids between the start and the end."""
    ids = row[1:]
    return ids[: ids.index(mt.engine.eos_id) + 1] if mt.engine.eos_id in ids else ids


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--samples", type=int, default=128)
    parser.add_argument("--epsilon", type=float, default=0.02)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--skip-generate", action="store_true", help="only the Firefox model")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    lines = reference.find("winomt", "en.txt").read_text("utf-8").splitlines()
    step = max(1, len(lines) // given.sentences)
    texts = [line.split("\t")[2] for line in lines[::step]][: given.sentences]
    ratio = compare(cs.load("firefox:en-pt"), texts, given.samples, given.epsilon)
    if not given.skip_generate:
        marian = cs.load("argos:zh-en")
        compare(marian, CHINESE, given.samples, given.epsilon)
        against_generate(marian, CHINESE, given.samples, given.epsilon)
    if ratio < 10:
        raise SystemExit(f"too slow: {ratio:.1f} times, expected 10 or more")


if __name__ == "__main__":
    in_words(main)
