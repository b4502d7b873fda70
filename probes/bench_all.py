"""All benchmarks in one run: cuescope beside what a user would take instead, and how it grows.

Every contest is run in rounds in which all take turns, so that a busy machine is fair to all. A
ratio is of processor time, theirs over ours, the geometric mean of the rounds with its 95 %
interval; memory is the most that torch held at once, beyond what it held before. Growth is the
exponent of time in the number of sentences, heads, samples and sub-words: 1 is proportional.

    python probes/bench_all.py --quick --threads 1     a few minutes, printed
    python probes/bench_all.py --into docs             writes docs/benchmarks.md, all of it

The page holds this run and nothing else. A contest ends after its rounds, or after two of them once
its time is up (`--seconds`), so that the whole of it takes some ten minutes on two quiet cores.
nnsight must be installed; transformer-lens and inseq are not in the environment of the tests, and
are not run (bench_sweep.py --lens PYTHON runs the former in an environment of its own).
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

# A thread that waits busily for another is counted as processor time: it sleeps instead.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch
from scipy.stats import linregress, t

import bench_capture
import bench_page
import bench_sampling
import bench_sweep
import bench_translate
import cuescope as cs
from bench_align import parallel
from bench_page import SWEEP, Contest, Work
from cuescope import data
from cuescope.align import align
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.inside.effect.patch import patch
from cuescope.inside.heads import every_head
from cuescope.inside.options import Patching
from cuescope.inside.ready import subjects
from cuescope.sampling.independent import independent


def sweeps(mt: Any, threads: int, rounds: int, every: int) -> Contest:
    """Every head patched from the twin."""
    ready = bench_sweep.one_pair(mt)
    loop = bench_sweep.Loop(mt, ready, every)
    _ = mt.signature
    heads = sum(layers * each for layers, each in mt.sites.values())
    factor = (heads + 2) / (len(loop.heads()) + 2)
    wave = bench_sweep.wavefront(mt, ready)
    others = {
        "plain hooks": loop.hooks(cached=False),
        "plain hooks, encoder kept": loop.hooks(cached=True),
        "nnsight": loop.nnsight(),
    }

    def agree(found: dict[str, Any]) -> None:
        for name in others:
            gap = np.abs(found[name] - found["cuescope"][::every]).max()
            assert gap < 1e-5 * max(1.0, loop.largest()), f"{name} does not agree: {gap}"

    told = {name: (work, factor) for name, work in others.items()}
    return Contest(f"{SWEEP}, {heads} heads: {mt.name}", wave, told, threads, rounds, agree)


def capture(mt: Any, ready: Sequence[Any], threads: int, rounds: int) -> Contest:
    """How nouns attend to their cues."""
    sites, some = ["encoder", "cross"], list(ready)
    ours, bare = bench_capture.captured(mt, sites), bench_capture.plain(mt, sites)
    maps = bench_capture.eager(mt, sites)

    def eager() -> Any:
        bench_capture.switch(mt, "eager")
        try:
            return maps(some)
        finally:
            bench_capture.switch(mt, "sdpa")

    others: dict[str, tuple[Work, float]] = {
        "output_attentions": (eager, 1.0),
        "the forward pass alone": (lambda: bare(some), 1.0),
    }
    name = f"attention to the cue, {len(some)} sentences: {mt.name}"
    return Contest(name, lambda: ours(some), others, threads, rounds)


@cache
def _shapes(layers: int) -> tuple[Any, Any]:
    """Random models of the shapes of OPUS-MT and NLLB, made once."""
    like = cs.load("firefox:en-pt", check=False)
    return bench_capture.opus_shape(like), bench_sweep.nllb_shape(like, layers)


def contests(quick: bool, threads: int, rounds: int, every: int) -> Iterator[Contest]:
    """All of them, on so many threads."""
    firefox, marian = cs.load("firefox:en-pt", check=False), cs.load("argos:zh-en", check=False)
    lines = reference.find("winomt", "en.txt").read_text("utf-8").splitlines()
    texts = [line.split("\t")[2] for line in lines]
    few = texts[:: len(texts) // (4 if quick else 6)]
    opus, nllb = _shapes(2 if quick else 12)
    yield sweeps(opus, threads, rounds, 24 if quick else every)
    yield sweeps(nllb, threads, min(rounds, 3), 6 * every)  # a round of it takes most of a minute
    items = [item for item in data.load("winomt") if item.cue and item.cue > item.focus]
    ready = subjects(firefox, items[: 48 if quick else 80])[: 32 if quick else 64]
    yield capture(firefox, ready, threads, rounds)
    yield capture(opus, ready, threads, rounds)
    n = 32 if quick else 64
    yield Contest(
        f"{n} ε-samples, {len(few)} sentences: {firefox.name}",
        lambda: firefox.sample(few, n),
        {
            "independent, in one batch": (
                lambda: [independent(firefox, x, n, 0.02, 1) for x in few],
                1.0,
            )
        },
        threads,
        rounds,
    )
    some = bench_sampling.CHINESE[: 1 if quick else 2]
    yield Contest(
        f"{n} ε-samples, {len(some)} sentences: {marian.name}",
        lambda: marian.sample(some, n),
        {
            "generate(num_return_sequences), lm-polygraph's call": (
                lambda: bench_sampling.generated(marian, some, n, 0.02),
                1.0,
            )
        },
        threads,
        rounds,
    )
    many = texts[: 64 if quick else 128]
    ours, theirs = bench_translate.firefox_work(firefox, many, 64)
    name = f"greedy translation, {len(many)} sentences: {firefox.name}"
    yield Contest(name, ours, {"generate, same shape": (theirs, 1.0)}, threads, rounds)
    given = bench_translate.chinese(16 if quick else 32)
    ours, theirs, _ = bench_translate.opus_work(marian, given, 64)
    name = f"greedy translation, {len(given)} sentences: {marian.name}"
    yield Contest(name, ours, {"generate, same weights": (theirs, 1.0)}, threads, rounds)
    path = reference.find("translations", "google", "en-it.txt")
    sources, targets = (one[: 500 if quick else 1000] for one in parallel(path))
    yield Contest(
        f"word alignment, {len(sources):,} sentences",
        lambda: align(sources, targets, "en", "it"),
        {
            "fast_align (systran-align)": (
                lambda: align(sources, targets, "en", "it", engine="systran-align"),
                1.0,
            )
        },
        threads,
        rounds,
    )


def growth(rounds: int) -> Iterator[list[str]]:
    """What is made larger, from where to where, and the exponent of its time."""
    mt = cs.load("firefox:en-pt", check=False)
    lines = reference.find("winomt", "en.txt").read_text("utf-8").splitlines()
    texts = [line.split("\t")[2] for line in lines]
    opus = bench_capture.opus_shape(mt)
    ready, heads = bench_sweep.one_pair(opus), every_head(opus, ("encoder",))["encoder"]
    long = "The developer argued with the designer because she did not like the idea of it"
    works: dict[str, tuple[Sequence[int], Callable[[int], Any]]] = {
        "sentences translated": ([64, 128, 256], lambda n: mt.generate(texts[:n])),
        "heads swept, OPUS-MT shape": (
            [6, 12, 24, 48],
            lambda n: patch(opus, ready, ("encoder",), Patching(), heads={"encoder": heads[-n:]}),
        ),
        "samples of a sentence": ([32, 128, 512], lambda n: mt.sample(texts[::800], n)),
        "sub-words of the source, encoder alone": (
            [16, 32, 64, 128],
            lambda n: _encoded(opus, " ".join([long] * 12), n),
        ),
    }
    for name, (sizes, work) in works.items():
        work(sizes[0])
        points = []
        for _ in range(rounds):
            for size in sizes:
                begun = time.process_time()
                work(size)
                points.append((math.log(size), math.log(time.process_time() - begun)))
        found = linregress(*zip(*points, strict=True))
        half = float(t.ppf(0.975, len(points) - 2)) * found.stderr
        told = f"{found.slope:.2f} [{found.slope - half:.2f}, {found.slope + half:.2f}]"
        yield [name, ", ".join(map(str, sizes)), told]


@torch.no_grad()
def _encoded(mt: Any, text: str, length: int) -> None:
    batch = mt.batch([text] * 16)
    mt.engine.encode(batch.ids[:, :length], batch.mask[:, :length])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small, under five minutes")
    parser.add_argument("--rounds", type=int, default=3, help="at least 2")
    parser.add_argument("--every", type=int, default=8, help="the loops run one head in K")
    parser.add_argument("--threads", default="1,2", help="as 1,2")
    parser.add_argument("--only", default="", help="contests whose name holds this word")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of a contest, after two rounds"
    )
    parser.add_argument("--into", type=Path, help="folder in which benchmarks.md is written")
    given = parser.parse_args()
    torch.set_grad_enabled(False)
    begun, rounds = time.perf_counter(), max(2, given.rounds)
    words = ["python probes/bench_all.py", *(["--quick"] if given.quick else [])]
    words += [f"--only '{given.only}'"] if given.only else []
    words += [f"--rounds {rounds} --every {given.every} --threads {given.threads}"]
    words += [f"--seconds {given.seconds:g}"]
    made: list[Contest] = []
    grown: list[list[str]] = []
    rates: dict[int, float] = {}

    def tell(*rows: list[str]) -> None:
        """On the screen, and on the page: a run that is stopped leaves what it has."""
        for row in rows:
            print("  ".join(row), flush=True)
        if given.into:
            spent = (time.perf_counter() - begun, time.process_time())
            told = bench_page.page(made, grown, rates, " ".join(words), spent)
            (given.into / "benchmarks.md").write_text(told, "utf-8")

    for threads in map(int, given.threads.split(",")):
        torch.set_num_threads(threads)
        rates[threads] = bench_page.rate()
        for one in contests(given.quick, threads, rounds, given.every):
            if given.only not in one.name:
                continue
            made.append(one.run(given.seconds))
            tell(*one.rows())
    torch.set_num_threads(1)
    grows = "1" in given.threads and not given.only
    for row in growth(2 if given.quick else rounds) if grows else ():
        grown.append(row)
        tell(row)
    print(bench_page.why(made, rates))
    wall, cpu = time.perf_counter() - begun, time.process_time()
    print(f"{wall:.0f} s, {cpu:.0f} CPU seconds in all")


if __name__ == "__main__":
    in_words(main)
