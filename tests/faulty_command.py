"""`cuescope investigate` as a whole, small, again and again: on disks that fail, killed, at once.

The model is opened once and what it computes is remembered, so that a command costs little more
than what it reads, writes and tells; each one is a process of its own where it is killed.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import cuescope as cs
from cuescope.commands import options
from cuescope.files.chunks import Log
from cuescope.run import investigate
from faults import Disk
from small_run import Remembering, chosen
from test_cli import Done, run

ASKED = ("--limit", "4", "--heads", "4", "--sets", "2", "--samples", "4", "--examples", "1")
ONLY = ("--only", "gender,attention,effect,uncertainty,maps", "--lang", "pt", "--threads", "1")
KILLED = 137


@contextmanager
def prepared(mt: cs.Translator) -> Iterator[None]:
    """The model is open, and remembers."""
    with pytest.MonkeyPatch.context() as patch:
        weights = mt.signature["weights"]  # which nothing changes here: looked at once
        patch.setattr(mt._weights, "of", lambda *_, **__: weights)
        patch.setattr(options, "open_model", lambda *_, **__: mt)
        patch.setattr(investigate, "Store", Remembering)
        patch.setattr(investigate, "_CHUNK", 1)
        patch.setattr(Log, "take", lambda *given: Remembering.take(*given))
        yield


def learnt(folder: Path) -> Path:
    """The pairs that the model has learnt by heart, as a set of one's own."""
    rows = ["text\tfocus\tcue\tgold\tstereotype\tpair"]
    for number, item in ((at, item) for at, pair in enumerate(chosen()) for item in pair):
        spans = [f"{span[0]}:{span[1]}" for span in (item.focus, item.cue)]
        rows.append("\t".join([item.text, *spans, item.gold, item.stereotype, str(number)]))
    path = folder / "learnt.tsv"
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def command(mt: cs.Translator, folder: Path, *more: str) -> Done:
    """The command's own `main`: exit code, and what it printed. The set is beside the folder."""
    data = ("--data", folder.parent / "learnt.tsv")
    return run("investigate", mt.name, "--out", folder, *data, *ASKED, *ONLY, *more)


def on(disk: Disk, work: Callable[[], Done]) -> Done:
    """The same over a disk."""
    with pytest.MonkeyPatch.context() as patch, disk.under(patch):
        return work()


def in_a_child(work: Callable[[], Done]) -> int:
    """The exit code of the same as a process of its own."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 99  # an exception, which a command never ends in
    try:
        code = work().returncode
    finally:
        os._exit(code)


def left(folder: Path) -> dict[str, Any]:
    """All that is in a run's folder: bytes; the numbers without how long it took."""
    found: dict[str, Any] = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"
    }
    told = json.loads(found["statistics.json"])
    del told["seconds"]
    return {**found, "statistics.json": told}


def one_sentence(done: Done) -> str:
    """The one sentence of a command that failed; an error if there is none, or another."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    (told,) = [line for line in done.stderr.splitlines() if line.startswith("cuescope: ")]
    return told


def at_once(mt: cs.Translator, folder: Path, count: int, seed: int) -> list[int]:
    """Exit codes of so many commands on one folder; 2 only if another had it."""
    children = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            code = 99
            try:
                time.sleep(random.Random(f"{seed} {number}").random() * 0.2)
                done = command(mt, folder)
                code = done.returncode
                if code == 2 and "is being written by another run" not in one_sentence(done):
                    code = 98
            finally:
                os._exit(code)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
