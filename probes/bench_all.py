"""All benchmarks in one run: cuescope beside what a user would take instead, and how it grows.

Every contest is run in rounds in which all take turns, so that a busy machine is fair to all. A
ratio is of processor time, theirs over ours, the geometric mean of the rounds with its 95 %
interval; memory is the most that torch held at once, beyond what it held before. Growth is the
exponent of time in the number of sentences, heads, samples and sub-words: 1 is proportional.

    python probes/bench_all.py --quick --threads 1         three minutes of CPU
    python probes/bench_all.py --threads 1 --into docs     writes its part of docs/benchmarks.md
    python probes/bench_all.py --threads 2 --into docs     the other part; the first one stays

nnsight must be installed; transformer-lens and inseq are not in the environment of the tests, and
are not run (bench_sweep.py --lens PYTHON runs the former in an environment of its own).
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import torch
from scipy.stats import linregress, t

import bench_capture
import bench_sampling
import bench_sweep
import bench_translate
import cuescope as cs
from bench_align import parallel
from cuescope import data
from cuescope.align import align
from cuescope.data import reference
from cuescope.errors import in_words
from cuescope.inside.effect.patch import patch
from cuescope.inside.heads import every_head
from cuescope.inside.options import Patching
from cuescope.inside.ready import subjects
from cuescope.sampling.independent import independent

Work = Callable[[], Any]
SWEEP = 10.0  # what the sweep should be faster than plain hooks
PAGE = """# Benchmarks

Written by `probes/bench_all.py --into docs`, part by part. All of a contest take turns within a
round. CPU seconds are the mean of the rounds, ratios the geometric mean of theirs over ours with a
95 % interval over the rounds, MB the most that torch held at once beyond what it held before. Loops
over heads run some of them and are scaled to all. Random weights at the shapes of OPUS-MT and
NLLB-600M. transformer-lens and inseq are not in the environment of the tests, and were not run.
"""
GROWTH = "Growth"


@dataclass
class Contest:
    """One thing to do: ours, and what else would do it, with how much of the work that did."""

    name: str
    ours: Work
    others: dict[str, tuple[Work, float]]  # and times how much it must be taken
    threads: int
    rounds: int
    agree: Callable[[dict[str, Any]], None] = lambda found: None
    times: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)

    def run(self) -> Contest:
        """All in turns."""
        every = {"cuescope": (self.ours, 1.0), **self.others}
        found: dict[str, Any] = {}
        for name, (work, _) in every.items():  # the first run is for memory: time is not cold
            keep = partial(lambda name, work: found.update({name: work()}), name, work)
            self.memory[name] = bench_capture.held(keep) / 1e6
        self.agree(found)
        for _ in range(self.rounds):
            for name, (work, factor) in every.items():
                begun = time.process_time()
                work()
                self.times.setdefault(name, []).append(factor * (time.process_time() - begun))
        return self

    def rows(self) -> Iterator[list[str]]:
        """For the table."""
        ours = self.times["cuescope"]
        yield [self.name, str(self.threads), "cuescope", f"{fmean(ours):.2f}", "", self._used("")]
        for name in self.others:
            middle, low, high = ratio(self.times[name], ours)
            told = f"{middle:.1f}× [{low:.1f}, {high:.1f}]"
            spent = f"{fmean(self.times[name]):.2f}"
            yield [self.name, str(self.threads), name, spent, told, self._used(name)]

    def _used(self, name: str) -> str:
        return f"{self.memory[name or 'cuescope']:.0f}"


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of the rounds' ratios, with its 95 % interval."""
    logs = [math.log(a / b) for a, b in zip(theirs, ours, strict=True)]
    half = float(t.ppf(0.975, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
    middle = fmean(logs)
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)


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
    name = f"every head patched, {heads} heads: {mt.name}"
    return Contest(name, wave, told, threads, rounds, agree)


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
    few = texts[:: len(texts) // (4 if quick else 16)]
    opus, nllb = _shapes(2 if quick else 12)
    yield sweeps(opus, threads, rounds, 24 if quick else every)
    yield sweeps(nllb, threads, min(rounds, 3), 48)  # one round of it takes a minute or two
    items = [item for item in data.load("winomt") if item.cue and item.cue > item.focus]
    ready = subjects(firefox, items[: 48 if quick else 80])[: 32 if quick else 64]
    yield capture(firefox, ready, threads, rounds)
    yield capture(opus, ready, threads, rounds)
    n = 32 if quick else 128
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
    some = bench_sampling.CHINESE[: 1 if quick else 8]
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
    many = texts[: 64 if quick else 256]
    ours, theirs = bench_translate.firefox_work(firefox, many, 64)
    name = f"greedy translation, {len(many)} sentences: {firefox.name}"
    yield Contest(name, ours, {"generate, same shape": (theirs, 1.0)}, threads, rounds)
    given = bench_translate.chinese(16 if quick else 64)
    ours, theirs, _ = bench_translate.opus_work(marian, given, 64)
    name = f"greedy translation, {len(given)} sentences: {marian.name}"
    yield Contest(name, ours, {"generate, same weights": (theirs, 1.0)}, threads, rounds)
    path = reference.find("translations", "google", "en-it.txt")
    sources, targets = (one[: 500 if quick else 2000] for one in parallel(path))
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


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def parts(
    made: Sequence[Contest], grown: Sequence[Sequence[str]], asked: str, took: float, kind: str
) -> dict[str, str]:
    """The parts of the page that this run can write, by heading."""
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("torch", "transformers", "nnsight")
    )
    about = f"`{asked}`: {took / 60:.0f} CPU minutes, the machine's load {os.getloadavg()[2]:.0f}"
    about += f" of {os.cpu_count()} cores; {libraries}; {platform.machine()}"
    about += f", Python {platform.python_version()}.\n\n"
    found = {}
    for threads in dict.fromkeys(one.threads for one in made):
        heading = f"On {threads} thread{'s' * (threads > 1)}{kind}"
        found[heading] = about + contested([one for one in made if one.threads == threads])
    if grown:
        told = table(["what", "sizes", "exponent [95 %]"], grown)
        found[GROWTH] = (
            f"{about}The exponent of CPU time on one thread: 1 is proportional.\n\n{told}"
        )
    return found


def contested(made: Sequence[Contest]) -> str:
    """The table of some contests, and where the sweep is slower than it should be."""
    rows = [row for one in made for row in one.rows()]
    head = ["what", "threads", "who", "CPU s", "theirs / ours [95 %]", "MB"]
    slow = [
        f"{one.name}, {one.threads} thread(s), {name}"
        for one in made
        if one.name.startswith("every head")
        for name in one.others
        if ratio(one.times[name], one.times["cuescope"])[0] < SWEEP
    ]
    told = f"\nThe sweep is less than {SWEEP:.0f}× faster here: {'; '.join(slow)}.\n"
    return table(head, rows) + (told if slow else "")


def put(path: Path, made: Mapping[str, str]) -> None:
    """Parts into the page; those that this run did not make stay as they are."""
    there = path.read_text("utf-8").split("\n## ")[1:] if path.is_file() else []
    known = {head: text.strip("\n") for head, _, text in (one.partition("\n") for one in there)}
    known |= {head: text.strip("\n") for head, text in made.items()}
    order = sorted(known, key=lambda head: (head == GROWTH, head))
    path.write_text(PAGE + "".join(f"\n## {h}\n{known[h]}\n" for h in order), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small, under five minutes")
    parser.add_argument("--rounds", type=int, help="at least 2 [3, or 5 without --quick]")
    parser.add_argument("--every", type=int, default=4, help="the loops run one head in K")
    parser.add_argument("--threads", default="1,2", help="as 1,2")
    parser.add_argument("--only", default="", help="contests whose name holds this word")
    parser.add_argument("--into", type=Path, help="folder in which benchmarks.md is written")
    given = parser.parse_args()
    torch.set_grad_enabled(False)
    rounds = max(2, given.rounds or (3 if given.quick else 5))
    words = ["python probes/bench_all.py", *(["--quick"] if given.quick else [])]
    words += [f"--only '{given.only}'"] if given.only else []
    words += [f"--rounds {rounds} --every {given.every} --threads {given.threads}"]
    kind = ", quick" * given.quick + (f": {given.only}" if given.only else "")
    made: list[Contest] = []
    grown: list[list[str]] = []

    def tell(*rows: list[str]) -> None:
        """On the screen, and on the page: a run that is stopped leaves what it has."""
        for row in rows:
            print("  ".join(row), flush=True)
        if given.into:
            told = parts(made, grown, " ".join(words), time.process_time(), kind)
            put(given.into / "benchmarks.md", told)

    for threads in map(int, given.threads.split(",")):
        torch.set_num_threads(threads)
        for one in contests(given.quick, threads, rounds, given.every):
            if given.only not in one.name:
                continue
            made.append(one.run())
            tell(*one.rows())
    torch.set_num_threads(1)
    grows = "1" in given.threads and not given.only
    for row in growth(2 if given.quick else rounds) if grows else ():
        grown.append(row)
        tell(row)
    print(f"{time.process_time():.0f} CPU seconds in all")


if __name__ == "__main__":
    in_words(main)
