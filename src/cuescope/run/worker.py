"""A worker of a run: it opens the model once, makes the chunks it is sent, and hands them back.

What is sent is the chunk's own call, with the model by reference: a worker has its own. Both ends
are one program's; nothing of it is ever read from a file or from another machine's user.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator


class Model(NamedTuple):
    """What a worker opens, and what must come out."""

    name: str
    src: str | None
    tgt: str | None
    device: str
    signature: str


class _Packing(pickle.Pickler):
    """Calls as bytes; the model is not among them."""

    def __init__(self, into: io.BytesIO, mt: Translator) -> None:
        super().__init__(into, protocol=5)
        self.mt = mt

    def persistent_id(self, thing: Any) -> str | None:
        """The model's name in the bytes."""
        return "mt" if thing is self.mt else None


class _Unpacking(pickle.Unpickler):
    def __init__(self, sent: bytes, mt: Translator) -> None:
        super().__init__(io.BytesIO(sent))
        self.mt = mt

    def persistent_load(self, name: Any) -> Translator:
        """The worker's own model."""
        return self.mt


def packed(call: Callable[[], Any], mt: Translator) -> bytes:
    """A call of a function of ours with its arguments, for a worker."""
    into = io.BytesIO()
    _Packing(into, mt).dump(call)
    return into.getvalue()


def opened(answer: bytes) -> Any:
    """What a worker made; what it raised is raised here."""
    made, error = pickle.loads(answer)
    if error is not None:
        raise error
    return made


class Worker:
    """Makes chunks with a model of its own; on one thread, so that all workers count alike."""

    def __init__(self, model: Model, number: int) -> None:
        self.model, self.number = model, number

    @cached_property
    def mt(self) -> Translator:
        """The model, opened at the first chunk; refused unless it is the run's."""
        import torch

        from cuescope.inside.translator import load

        torch.set_num_threads(1)
        told = self.model
        device = told.device
        if device == "cuda":  # one for each worker, as far as there are so many
            device = f"cuda:{self.number % max(1, torch.cuda.device_count())}"
        mt = load(told.name, src=told.src, tgt=told.tgt, device=device, check=False)
        if str(mt.signature) != told.signature:
            raise CueScopeError(
                "a worker cannot open this very model: it was changed in memory, is under an "
                "intervention, or the worker runs another release",
                expected=told.signature,
                found=str(mt.signature),
                do="measure it in this process: engine=serial",
            )
        return mt

    def process(self) -> int:
        """Where it is, to the system."""
        return os.getpid()

    def do(self, sent: bytes) -> bytes:
        """What a call gives, or the error that it raises."""
        try:
            return pickle.dumps((_Unpacking(sent, self.mt).load()(), None))
        except Exception as error:
            if not isinstance(error, CueScopeError):
                error.add_note(f"in a worker:\n{traceback.format_exc()}")
            try:
                pickle.loads(told := pickle.dumps((None, error)))
            except Exception:  # an error that cannot travel: what it says does
                told = pickle.dumps((None, RuntimeError(traceback.format_exc())))
            return told


def main(descriptor: int) -> None:
    """A worker process of its own: until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked ends it
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the run's own output is not ours
    serve(descriptor)


def serve(descriptor: int, worker: Callable[[], Worker] | None = None) -> None:
    """Make whatever chunks come by this pipe; by which the model is told, too, if there is none."""
    from multiprocessing.connection import Connection

    ends = Connection(descriptor)
    try:
        mine = worker() if worker else Worker(Model(*ends.recv()), ends.recv())
        while True:
            ends.send_bytes(mine.do(ends.recv_bytes()))
    except (EOFError, OSError):
        pass
