"""A contest between ways to do one thing, and the page that is written of a run of many."""

from __future__ import annotations

import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import fmean, stdev
from typing import Any

import torch
from scipy.stats import t
from torch.utils.flop_counter import FlopCounterMode

import bench_capture

Work = Callable[[], Any]
SWEEP, HOOKS, ENOUGH = "every head patched", "plain hooks", 10.0
ABOUT = """# Benchmarks

Written by `probes/bench_all.py --into docs` from one run, the one that is named below. All of a
contest take turns within a round. CPU seconds are the mean of the rounds; ratios are the geometric
mean of theirs over ours with a 95 % interval over the rounds, of CPU time and of the clock; MB is
the most that torch held at once beyond what it held before. Loops over heads run some of them and
are scaled to all. Random weights at the shapes of OPUS-MT and NLLB-600M, full depth unless it says
otherwise. Waiting threads sleep (`OMP_WAIT_POLICY=PASSIVE`). transformer-lens and inseq are not in
the environment of the tests, and were not run.
"""


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
    clock: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)
    multiplied: dict[str, float] = field(default_factory=dict)  # operations of matrix products

    def run(self, seconds: float) -> Contest:
        """All in turns; after two rounds it may end once its time is up."""
        every = {"cuescope": (self.ours, 1.0), **self.others}
        found: dict[str, Any] = {}
        for name, (work, factor) in every.items():  # the first run is for memory: time is not cold
            with FlopCounterMode(display=False) as counted:
                self.memory[name] = bench_capture.held(_into(found, name, work)) / 1e6
            self.multiplied[name] = factor * counted.get_total_flops()
        self.agree(found)
        begun = time.perf_counter()
        for number in range(self.rounds):
            if number >= 2 and time.perf_counter() - begun > seconds:
                break
            for name, (work, factor) in every.items():
                cpu, wall = time.process_time(), time.perf_counter()
                work()
                self.times.setdefault(name, []).append(factor * (time.process_time() - cpu))
                self.clock.setdefault(name, []).append(factor * (time.perf_counter() - wall))
        return self

    def ratio(self, name: str, *, clock: bool = False) -> tuple[float, float, float]:
        """How much longer another takes, with its 95 % interval."""
        times = self.clock if clock else self.times
        return ratio(times[name], times["cuescope"])

    def rows(self) -> Iterator[list[str]]:
        """For the table."""
        for name in ("cuescope", *self.others):
            told = ["", ""]
            if name != "cuescope":
                found = (self.ratio(name), self.ratio(name, clock=True))
                told = [f"{a:.1f}× [{low:.1f}, {high:.1f}]" for a, low, high in found]
            spent = f"{fmean(self.times[name]):.2f}"
            yield [self.name, str(self.threads), name, spent, *told, f"{self.memory[name]:.0f}"]


def _into(found: dict[str, Any], name: str, work: Work) -> Work:
    return lambda: found.update({name: work()})


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> tuple[float, float, float]:
    """The geometric mean of the rounds' ratios, with its 95 % interval."""
    logs = [math.log(a / b) for a, b in zip(theirs, ours, strict=True)]
    half = float(t.ppf(0.975, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
    middle = fmean(logs)
    return math.exp(middle), math.exp(middle - half), math.exp(middle + half)


def rate() -> float:
    """Operations of a large matrix product in a CPU second, on the threads that are set now."""
    a, b = torch.randn(2048, 1024), torch.randn(1024, 2048)
    a @ b
    begun, times = time.process_time(), 20
    for _ in range(times):
        a @ b
    return times * 2 * 2048 * 1024 * 2048 / (time.process_time() - begun)


def why(made: Sequence[Contest], rates: Mapping[int, float]) -> str:
    """Of which two factors each ratio of a sweep is made: how much is multiplied, and how fast."""
    lines = []
    for one in (one for one in made if one.name.startswith(SWEEP)):
        speed = {n: one.multiplied[n] / fmean(one.times[n]) for n in one.times}
        own = speed["cuescope"]
        lines.append(
            f"{one.name.partition(': ')[2]}, {_threads(one.threads)}: the sweep multiplies "
            f"{one.multiplied['cuescope'] / 1e9:.0f} billion operations' worth of matrices, at "
            f"{own / 1e9:.0f} billion in a CPU second, {own / rates[one.threads]:.0%} of what this "
            f"machine gives for one large product."
        )
        for name in one.others:
            more = one.multiplied[name] / one.multiplied["cuescope"]
            found = one.ratio(name)[0]
            less = "" if found >= ENOUGH else f", less than {ENOUGH:.0f}×"
            lines.append(
                f"- {name}: {more:.1f} times the operations, each {own / speed[name]:.1f} times as "
                f"long: {found:.1f}×{less}"
            )
    return "\n".join(lines)


def _threads(count: int) -> str:
    return f"{count} thread{'s' * (count > 1)}"


def verdict(made: Sequence[Contest]) -> str:
    """Is the sweep ten times as fast as plain hooks, at each shape?"""
    found = [one for one in made if one.name.startswith(SWEEP)]
    told = []
    for one in found:
        middle, low, high = one.ratio(HOOKS)
        held = "at least" if middle >= ENOUGH else "less than"
        told.append(
            f"- {one.name.partition(': ')[2]}, {_threads(one.threads)}: {middle:.1f}× "
            f"[{low:.1f}, {high:.1f}], {held} {ENOUGH:.0f}×"
        )
    return "\n".join(told)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def page(
    made: Sequence[Contest],
    grown: Sequence[Sequence[str]],
    rates: Mapping[int, float],
    asked: str,
    spent: tuple[float, float],
) -> str:
    """The whole page, of this run alone."""
    releases = ("torch", "transformers", "nnsight")
    libraries = ", ".join(f"{name} {version(name)}" for name in releases)
    wall, cpu = (seconds / 60 for seconds in spent)
    load = os.getloadavg()[2]
    told = [
        ABOUT,
        f"`{asked}`: {wall:.0f} minutes, {cpu:.0f} of CPU; load {load:.1f} on {os.cpu_count()} "
        f"cores at the end; {libraries}; {platform.machine()}, Python {platform.python_version()}.",
    ]
    head = ["what", "threads", "who", "CPU s", "CPU, theirs / ours [95 %]"]
    head += ["clock, theirs / ours [95 %]", "MB"]
    for threads in dict.fromkeys(one.threads for one in made):
        rows = [row for one in made if one.threads == threads for row in one.rows()]
        told.append(f"\n## On {_threads(threads)}\n{table(head, rows)}".rstrip("\n"))
    if any(one.name.startswith(SWEEP) for one in made):
        told.append(f"\n## Is a sweep ten times as fast as plain hooks?\n{verdict(made)}")
        told.append(f"\n## Why so much, and not more\n{_WHY}\n\n{why(made, rates)}")
    if grown:
        shown = table(["what", "sizes", "exponent [95 %]"], grown).rstrip("\n")
        words = "The exponent of CPU time on one thread: 1 is proportional."
        told.append(f"\n## Growth\n{words}\n\n{shown}")
    return "\n".join(told) + "\n"


_WHY = """A ratio of CPU time is the ratio of how much is multiplied times the ratio of how long an
operation takes. A loop over heads runs the whole model for each head, and reads every weight again
for a single sentence, which takes longer than multiplying by it; a sweep computes what is below a
head once, and multiplies for all heads together. The loops also compute the logits of every word at
every position, as the bare model does, which is most of their work where the vocabulary is large
and the layers are few; the sweep computes those of two words at one position. "Encoder kept"
is the smarter loop, which runs the encoder for its own heads alone: less is left to save."""
