"""Break the disk under `cuescope investigate` at every file operation, kill it there, run it twice.

The whole command on a small model, from its words to its exit code. An error of the disk must end
in exit code 2 and one sentence, and the same command must then come to the same bytes as one that
nothing disturbed; so must one that is killed before, in the middle of or after an operation (the
folder's birth and the clearing by --fresh among them); and of several at once on one folder, one
has it, and the others say so. Bytes of every file of the folder are compared, findings and report
among them; of `statistics.json` all but the seconds.

    python probes/faults.py [--only kills,…] [--share K] [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import torch

from cuescope.errors import in_words
from faults import ERRORS, WRITES, Disk
from faulty_command import (
    KILLED,
    at_once,
    command,
    in_a_child,
    learnt,
    left,
    on,
    one_sentence,
    prepared,
)
from small_run import model


class Faults:
    """All schedules on one model; faults are printed and counted."""

    def __init__(self, mt: Any, scratch: Path) -> None:
        self.mt, self.scratch = mt, scratch
        self.found: Counter[str] = Counter()
        whole = scratch / "whole"
        done = command(mt, whole)
        assert done.returncode == 0, done.stderr
        self.truth = left(whole)
        self.first, self.again, self.fresh = (
            self._seen(*how) for how in (("first",), ("first",), ("first", "--fresh"))
        )

    def _seen(self, name: str, *more: str) -> list[str]:
        """The operations of a run, and whether it came to the same."""
        disk = Disk(self.scratch / name)
        done = on(disk, lambda: command(self.mt, disk.folder, *more))
        assert done.returncode == 0, done.stderr
        assert left(disk.folder) == self.truth, "two runs differ"
        return disk.seen

    def tried(self, what: str, folder: Path, wrong: str) -> None:
        """Count a schedule: is nothing wrong, and does the same command come to the same?"""
        self.found[f"{what}, all"] += 1
        if not wrong:
            done = command(self.mt, folder)
            if done.returncode:
                wrong = f"goes on with code {done.returncode}: {done.stderr[-300:]}"
            elif left(folder) != self.truth:
                names = self.truth.keys() | left(folder).keys()
                other = [n for n in names if left(folder).get(n) != self.truth.get(n)]
                wrong = f"other bytes: {other}"
        if wrong:
            self.found[f"{what}, faults"] += 1
            print(f"  {what} {folder.name}: {wrong}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)

    def errors(self, share: int) -> None:
        """An error of the disk at each operation of a first run."""
        for at in range(0, len(self.first), share):
            folder = self.scratch / f"error at {at} ({self.first[at]})"
            done = on(Disk(folder, at, ERRORS[at % 2]), lambda f=folder: command(self.mt, f))
            self.tried("errors of the disk", folder, _said(done))

    def reads(self, share: int) -> None:
        """A file that cannot be read back: made anew and said, or one sentence."""
        whole = self.scratch / "whole"
        for at in [at for at, name in enumerate(self.again) if name == "read"][::share]:
            folder = self.scratch / f"read at {at}"
            shutil.copytree(whole, folder)
            done = on(Disk(folder, at, ERRORS[1]), lambda f=folder: command(self.mt, f))
            anew = done.returncode == 0 and "it is made anew" in done.stderr
            self.tried("errors of reading", folder, "" if anew else _said(done))

    def kills(self, share: int) -> None:
        """Killed at each operation of a first run."""
        end = lambda: os._exit(KILLED)  # noqa: E731
        for at, name in list(enumerate(self.first))[::share]:
            for how in ("before", "middle") if name == "write" else ("before",):
                folder = self.scratch / f"killed {how} {at} ({name})"
                self._killed(folder, Disk(folder, at, how, end))
        for at in range(0, len(self.first), 2 * share):
            folder = self.scratch / f"killed after {at} ({self.first[at]})"
            self._killed(folder, Disk(folder, at, "after", end))

    def fresh_kills(self, share: int) -> None:
        """Killed while what is there is cleared away."""
        end = lambda: os._exit(KILLED)  # noqa: E731
        cleared = [at for at, name in enumerate(self.fresh) if name == "unlink"]
        for at in cleared[::share]:
            folder = self.scratch / f"fresh killed {at}"
            shutil.copytree(self.scratch / "whole", folder)
            self._killed(folder, Disk(folder, at, "before", end), "--fresh")

    def _killed(self, folder: Path, disk: Disk, *more: str) -> None:
        code = in_a_child(lambda: on(disk, lambda: command(self.mt, folder, *more)))
        self.tried("kills", folder, "" if code == KILLED else f"ended with {code}")

    def together(self, rounds: int) -> None:
        """Several commands at once on one folder: those that are refused say so."""
        for number in range(rounds):
            folder = self.scratch / f"round {number}"
            codes = at_once(self.mt, folder, (2, 4)[number % 2], number)
            good = set(codes) <= {0, 2} and 0 in codes
            self.tried("rounds of two and four", folder, "" if good else f"codes {codes}")


def _said(done: Any) -> str:
    """What is wrong with how a command failed; empty if nothing is."""
    try:
        one_sentence(done)
    except (AssertionError, ValueError) as error:
        return f"code {done.returncode}, {error}: {done.stderr[-300:]}"
    return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=int, default=1, help="one operation in K")
    parser.add_argument("--only", default="", help="as errors,reads,kills,fresh_kills")
    parser.add_argument("--rounds", type=int, default=100, help="of several commands at once")
    asked = parser.parse_args()
    asked.only = asked.only.split(",") if asked.only else []
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        mt = model(Path(scratch) / "model")
        learnt(Path(scratch))
        with prepared(mt):
            faults = Faults(mt, Path(scratch))
            writes = sum(name in WRITES for name in faults.first)
            reads = faults.again.count("read")
            print(f"{len(faults.first)} operations of a run, {writes} of them writing; "
                  f"{reads} reads of the next", flush=True)  # fmt: skip
            for work in (faults.errors, faults.reads, faults.kills, faults.fresh_kills):
                if work.__name__ in asked.only or not asked.only:
                    work(asked.share)
            faults.together(asked.rounds)
    for what, count in faults.found.items():
        print(f"{what}: {count}")
    print(f"{time.process_time():.0f} s CPU of this process")
    sys.exit(any(what.endswith("faults") for what in faults.found))


if __name__ == "__main__":
    in_words(main)
