"""A disk that fails: it counts the file operations of a piece of work, and breaks at one of them.

A crash is what `kill -9` leaves behind: what was written before it is there, nothing after it is
done, and no handler tidies up. An I/O error is what the system answers; the program goes on.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cuescope import files

WRITING = ("makedirs", "open", "write", "fsync", "chmod", "replace")
WRITES = (*WRITING, "mkstemp", "unlink")
ERRORS = (errno.ENOSPC, errno.EIO)


class Crash(BaseException):
    """The process is no more."""


class Disk:
    """The operations on the files under a folder, in order; at one of them it breaks, `how`."""

    def __init__(
        self,
        folder: Path,
        at: int | None = None,
        how: str | int = "before",
        end: Callable[[], Any] | None = None,
    ) -> None:
        self.folder, self.at, self.how = folder, at, how
        self.end = end  # ends the process; without it, an exception that nothing catches
        self.seen: list[str] = []
        self.dead = False

    def does(self, name: str, run: Callable[[], Any], half: Callable[[], Any] | None = None) -> Any:
        """One operation; `half` does a part of it."""
        if self.dead:
            raise Crash
        self.seen.append(name)
        if len(self.seen) - 1 != self.at:
            return run()
        if isinstance(self.how, int):
            raise OSError(self.how, os.strerror(self.how))
        self.dead = True
        if self.how == "after":
            run()
        elif self.how == "middle" and half:
            half()
        if self.end:
            self.end()
        raise Crash

    def calls(self, module: Any, name: str) -> Callable[..., Any]:
        """An operation of a module, counted."""
        real = getattr(module, name)

        def counted(*args: Any, **options: Any) -> Any:
            half = None
            if name == "write":
                half = lambda: real(args[0], bytes(args[1])[: len(args[1]) // 2])  # noqa: E731
            return self.does(name, lambda: real(*args, **options), half)

        return counted

    @contextmanager
    def under(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
        """cuescope's own file operations, and its reading of this folder, go over this disk."""
        ours = {name: self.calls(os, name) for name in WRITING}
        rest = {name: getattr(os, name) for name in dir(os) if name not in ours}

        def inside(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
            def counted(path: Any, *args: Any, **options: Any) -> Any:
                work = lambda: real(path, *args, **options)  # noqa: E731
                return self.does(name, work) if self.folder in Path(path).parents else work()

            return counted

        with monkeypatch.context() as patch:
            patch.setattr(files, "os", SimpleNamespace(**ours, **rest))
            made = SimpleNamespace(mkstemp=self.calls(tempfile, "mkstemp"))
            patch.setattr(files, "tempfile", made)
            patch.setattr(Path, "read_bytes", inside("read", Path.read_bytes))
            patch.setattr(Path, "unlink", inside("unlink", Path.unlink))
            patch.setattr(np, "load", inside("read", np.load))
            yield self
