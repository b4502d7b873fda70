"""Damage every kind of file some thousand times: it is read right, or refused in words.

Each reader runs in a process of its own with a bound on memory and on the time of one reading: a
crash, a hang and a hunger for memory are faults like a traceback. Every fault is printed with the
seed that makes it again.

python probes/fuzz.py [--mutations N] [--only NAME,…] [--seed N]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import torch

from cuescope.errors import in_words

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

MEMORY, SECONDS = 6 << 30, 60


def one(name: str, mutations: int, seed: int) -> None:
    """All mutations of one reader; faults are counted by where they come from."""
    from readers import READERS

    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    first: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as scratch:
        reader = READERS[name](Path(scratch))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, _late)
        started = time.process_time()
        for number in range(mutations):
            signal.alarm(SECONDS)
            try:
                counts[reader.tried(random.Random(f"{name} {seed + number}"))] += 1
            except Exception as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {error}"
                faults[place[:110]] += 1
                first.setdefault(place[:110], seed + number)
            signal.alarm(0)
        spent = time.process_time() - started
    print(f"{name:20} {mutations:6,} mutations  read {counts['read']:5,}  said {counts['said']:5,}"
          f"  faults {sum(faults.values()):5,}  {spent:6.1f} s CPU", flush=True)  # fmt: skip
    for place, count in faults.most_common(12):
        print(f"    {count:5,} × {place} (seed {first[place]})", flush=True)
    sys.exit(bool(faults))


def _in_a_child(work: Callable[[], None]) -> int:
    """The exit code of work in a process of its own, whose complaints are not shown."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    code = 3
    try:
        work()
    except SystemExit as end:
        code = int(bool(end.code))
    finally:
        os._exit(code)


def _late(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=300)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    from readers import READERS  # once: what is imported is there in each child

    torch.set_num_threads(1)
    names = asked.only.split(",") if asked.only else list(READERS)
    failed = []
    for name in names:
        code = _in_a_child(lambda name=name: one(name, asked.mutations, asked.seed))
        if code not in (0, 1):
            print(f"{name:20} died with code {code}", flush=True)
        failed += [name] * (code != 0)
    print(f"{len(names) - len(failed)} of {len(names)} readers without a fault")
    sys.exit(bool(failed))


if __name__ == "__main__":
    in_words(main)
