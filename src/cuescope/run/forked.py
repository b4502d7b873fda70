"""Workers that are copies of this process: the model is there already, and its memory is shared.

They are copied from a first copy (`Nursery`), made as the run begins, which does nothing else: so
one that replaces a lost worker knows no more than the others, and torch, which does not compute
gradients in the copy of a process that has done so itself, is asked once whether it will.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

from cuescope.files import chunks
from cuescope.run.hired import Lost, Piped
from cuescope.run.worker import Model, Worker, serve

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator

_NUMBER = struct.Struct("!q")


class Forked(Piped):
    """A copy of this process, at the other end of a pipe."""

    def __init__(self, nursery: Nursery, number: int) -> None:
        super().__init__()
        try:
            self.pid = nursery.copy(self.theirs.fileno(), number)
        finally:
            self.theirs.close()

    def lost(self) -> Lost:
        """It is no child of ours: nobody can tell how it ended."""
        self.end()
        return Lost(f"process {self.pid} is gone")

    def end(self) -> None:
        """Let it go: with the pipe, or with its nursery, it ends."""
        self.ends.close()


class Nursery:
    """The copy from which workers are copied, for as long as a `with` lasts."""

    def __init__(self, mt: Translator, model: Model) -> None:
        self._ours, theirs = socket.socketpair()
        self._pid = _fork()
        if self._pid == 0:
            _alone_with(theirs.fileno())
            _breed(theirs, lambda number: _worker(mt, model, number))
        theirs.close()
        self.fit = self._ours.recv(1) == b"y"

    def copy(self, pipe: int, number: int) -> int:
        """One more worker at the end of this pipe: the number of its process."""
        try:
            socket.send_fds(self._ours, [_NUMBER.pack(number)], [pipe])
            return int(_NUMBER.unpack(self._ours.recv(_NUMBER.size))[0])
        except (OSError, struct.error):
            raise Lost("the process that workers are copied from is gone") from None

    def end(self) -> None:
        """Let all of them go, whatever they do."""
        self._ours.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


@contextmanager
def nursery(mt: Translator, model: Model) -> Iterator[Nursery | None]:
    """One, or None where a process cannot be copied, or its copies could not do all."""
    if sys.platform != "linux" or mt.device.type != "cpu":  # elsewhere libraries forbid it
        yield None
        return
    made = Nursery(mt, model)
    try:
        yield made if made.fit else None
    finally:
        made.end()


def _fork() -> int:
    import warnings

    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():  # newer Pythons warn where there are other threads
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _alone_with(*kept: int) -> None:
    """No file of the run's stays open here but these: a lock would outlive who holds it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked ends it
    edges = [2, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for low, high in pairwise(edges):
        os.closerange(low + 1, high)
    with suppress(OSError):  # what the run reads and writes is not ours
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)


def _breed(asked: socket.socket, work: Callable[[int], Any]) -> NoReturn:
    """Copy this process as often as is asked, until nobody can ask any more."""
    children: set[int] = set()
    try:
        asked.sendall(b"y" if _can_differentiate() else b"n")
        while True:
            told, pipes, *_ = socket.recv_fds(asked, _NUMBER.size, 1)
            if len(told) < _NUMBER.size:
                break
            child = os.fork()
            if child == 0:
                _work(pipes[0], _NUMBER.unpack(told)[0], work)
            children.add(child)
            os.close(pipes[0])
            asked.sendall(_NUMBER.pack(child))
    except OSError:
        pass
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)  # none is waited for before: the number is still its own
        for child in children:
            os.waitpid(child, 0)  # what they have spent is told with what this one has
        os._exit(0)


def _work(pipe: int, number: int, work: Callable[[int], Any]) -> NoReturn:
    try:
        _alone_with(pipe)
        serve(pipe, lambda: work(number))
    finally:
        os._exit(0)


def _worker(mt: Translator, model: Model, number: int) -> Worker:
    import torch

    torch.set_num_threads(1)
    chunks.forget()
    made = Worker(model, number)
    made.mt = mt  # as it is: nothing is opened, and it is the run's own
    return made


def _can_differentiate() -> bool:
    """Does torch compute gradients in a copy of this process?"""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            import torch

            with torch.enable_grad():
                one = torch.ones(1, requires_grad=True)
                torch.autograd.grad(one.sum(), one)
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
