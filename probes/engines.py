"""Do two workers give what one gives, and how much sooner? A real model, real pairs, every stage.

The same run in several folders: on one process and one thread, on one process and as many threads
as there are workers, on processes, on Ray's workers; of both kinds of workers one is killed (-9) in
mid-run. Every kept file is compared by its bytes, the findings value by value (of several threads
too, where rounding may differ: the run says so). Times are those of the run with the start of its
workers; CPU seconds are those of the processes that this one began itself (Ray's are not).

    python probes/engines.py firefox:en-pt --pairs 40 --workers 2
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import cuescope as cs
from cuescope.errors import in_words
from cuescope.run import engine, forked, hired, stages
from cuescope.run.investigate import investigate
from cuescope.run.settings import Settings

_KILLED_AT = 25  # the number of the chunk, of all


def main() -> None:
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    ask.add_argument("model", nargs="?", default="firefox:en-pt")
    ask.add_argument("--data", default="simplegen")
    ask.add_argument("--pairs", type=int, default=40)
    ask.add_argument("--workers", type=int, default=2)
    ask.add_argument("--engines", default="serial,threads,processes,ray")
    given = ask.parse_args()
    torch.set_num_threads(1)
    mt = cs.load(given.model)
    pairs = cs.pairs(given.data)
    some = given.pairs
    use = {"limit": some, "heads": some // 2, "sets": some // 4, "samples": 64, "examples": 4}
    told = {}
    with tempfile.TemporaryDirectory() as place:
        for name in given.engines.split(","):
            alone = name in ("serial", "threads")
            who = {"engine": "serial" if alone else name, "workers": 0 if alone else given.workers}
            settings = Settings(given.model, data=given.data, **who, **use)
            torch.set_num_threads(given.workers if name == "threads" else 1)
            told[name] = _run(mt, pairs, settings, Path(place) / name)
    first = told[next(iter(told))]
    print(
        f"{mt.name}, {some} pairs of {given.data}, {given.workers} workers; one killed in mid-run"
    )
    for name, (seconds, cpu, kept, killed) in told.items():
        other = [one for one, content in kept.items() if content != first[2].get(one)]
        lacking = sorted(first[2].keys() - kept.keys())
        ratio = first[0] / seconds
        print(
            f"{name:10} {seconds:7.1f} s wall, {cpu:7.1f} s CPU, {ratio:.2f} times as fast, "
            f"{len(kept)} results, other bytes: {', '.join(other + lacking) or 'none'}"
            + (f"; killed: process {killed}" if killed else "")
        )


def _run(
    mt: cs.Translator, pairs: Any, settings: Settings, folder: Path
) -> tuple[float, float, dict[str, bytes], int]:
    """Wall-clock and CPU seconds, what is kept, and which worker was killed."""
    killed: list[int] = []
    kinds = {"Forked": forked.Forked, "Process": hired.Process, "RayActor": hired.RayActor}
    for name, kind in kinds.items():
        setattr(engine, name, _mortal(kind, killed))
    start, before = time.perf_counter(), _cpu()
    with engine.working(mt, settings):
        run = investigate(mt, pairs, out=folder, settings=settings)
        found = stages.findings(run)
    took = time.perf_counter() - start
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}
    kept["the findings"] = json.dumps(found, sort_keys=True).encode()
    return took, _cpu() - before, kept, killed[0] if killed else 0


def _mortal(kind: Any, killed: list[int]) -> Callable[..., Any]:
    """A worker that is killed with the chunk of that number."""
    sends = [0]

    class Mortal(kind):
        """The same."""

        def send(self, sent: bytes) -> None:
            """The chunk, and at its turn the signal."""
            sends[0] += 1
            due = sends[0] == _KILLED_AT
            number = self.pid if due else 0
            super().send(sent)
            if due:
                os.kill(number, signal.SIGKILL)
                killed.append(number)

    return Mortal


def _cpu() -> float:
    """Seconds of this process and of those that it began and that have ended."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, whose))


if __name__ == "__main__":
    in_words(main)
