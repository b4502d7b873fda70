"""Whole commands whose every call on files can be made to fail: `faulty.c` stands before libc.

What has it loaded forks a child for each schedule; the child arms it, and ends as the command does.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("faulty.c")
COMPILER = shutil.which("cc") or shutil.which("gcc") or ""


def again_with_it(folder: Path) -> None:
    """Begin this program anew with the calls in between, unless they are there already."""
    made = folder / "faulty.so"
    if "faulty.so" in os.environ.get("LD_PRELOAD", ""):
        return
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", made, SOURCE, "-ldl"], check=True)
    os.environ["LD_PRELOAD"] = str(made)
    os.execv(sys.executable, [sys.executable, *sys.argv])


class Ended(NamedTuple):
    """How a command ended, and the calls on files of the folder that it made."""

    code: int
    said: str
    calls: list[str]


def ended(work: Callable[[], object], folder: Path, at: int = -1, error: int = 0) -> Ended:
    """Run a command in a child, with the call of this number under `folder` refused."""
    told = [Path(tempfile.mkstemp()[1]) for _ in range(2)]
    child = os.fork()
    if child == 0:
        _in_the_child(work, folder, at, error, *told)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    said, calls = (one.read_text("utf-8", "replace") for one in told)
    for one in told:
        one.unlink()
    return Ended(code, said, calls.split("\n")[:-1])


def _in_the_child(
    work: Callable[[], object], folder: Path, at: int, error: int, said: Path, calls: Path
) -> None:
    code: object = 99
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(said, os.O_WRONLY), 2)
        library = ctypes.CDLL(None)
        library.faulty_name.restype = ctypes.c_char_p
        library.faulty_arm(str(folder).encode(), ctypes.c_long(at), error)
        try:
            work()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        seen = [library.faulty_name(ctypes.c_long(n)) for n in range(library.faulty_count())]
        library.faulty_disarm()
        calls.write_bytes(b"".join(name + b"\n" for name in seen))
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 98)
