"""Long work that goes on where it stopped: each chunk is on the disk before the next is made.

What is measured is certain from its facts, so its chunks come in the same order every time: a log
of them is read back from the first to the last, and the rest is made: here, or by several workers.
"""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import numpy as np

from cuescope.files import append, remove, write
from cuescope.files.fetch import lost

KIND = ".part.jsonl"  # of the files
T = TypeVar("T")
Map = Callable[[Sequence[Callable[[], T]]], Iterator[T]]  # what calls give, in their order
_ARRAY = "array"


class Log:
    """The chunks of one measure, as far as they are made."""

    def __init__(self, path: Path, facts: str) -> None:
        self.path, self.facts = path, facts
        self._known = _read(path, facts)
        self._at, self._open = 0, False

    def ahead(self, labels: Sequence[str]) -> int:
        """How many of the next chunks are kept."""
        known = [told for told, _ in self._known[self._at : self._at + len(labels)]]
        same = [told == label for told, label in zip(known, labels, strict=False)]
        return [*same, False].index(False)

    def take(self, label: str, make: Callable[[], Any]) -> Any:
        """The next chunk: as it is kept, or made and kept."""
        if self._at < len(self._known):
            told, chunk = self._known[self._at]
            if told == label:
                self._at += 1
                return chunk
            del self._known[self._at :]  # another order than before: none of the rest is of use
        made = make()
        if not self._open:
            # no folder is made: the one of the run is there, or was taken away
            lines = enumerate([["facts", self.facts], *self._known])
            write(self.path, "".join(_line(*one) for one in lines), parents=False)
            self._open = True
        append(self.path, _line(1 + len(self._known), [label, made]))
        self._known.append((label, made))
        self._at += 1
        return made


_LOG: ContextVar[Log | None] = ContextVar("log", default=None)
_MAP: ContextVar[Map[Any] | None] = ContextVar("map", default=None)


def kept(label: str, make: Callable[[], T]) -> T:
    """A chunk of work: from the log of what is being measured, or made, and kept if there is one.

    What is made is plain data and arrays; tuples come back as lists.

    >>> kept("2 pairs", lambda: [1.5, 2.5])
    [1.5, 2.5]
    """
    log = _LOG.get()
    return make() if log is None else log.take(label, make)


def each(work: Sequence[tuple[str, Callable[[], T]]]) -> Iterator[T]:
    """The same for chunks that do not need each other, in their order: workers may make them.

    >>> list(each([("first", lambda: 1.5), ("second", lambda: 2.5)]))
    [1.5, 2.5]
    """
    log, workers = _LOG.get(), _MAP.get()
    if workers is None:
        for label, make in work:
            yield kept(label, make)
        return
    known = log.ahead([label for label, _ in work]) if log else 0
    made = workers([make for _, make in work[known:]])
    with closing(made):  # type: ignore[type-var]
        for label, _ in work:
            yield log.take(label, partial(next, made)) if log else next(made)


class Told:
    """Progress as chunks tell it; in a worker it is silent, and told for it when it is done."""

    def __init__(self, to: Callable[[int], None] | None = None) -> None:
        self.to = to

    def __call__(self, done: int) -> None:
        """So many more are done."""
        if self.to:
            self.to(done)

    def __reduce__(self) -> tuple[type[Told], tuple[()]]:
        return Told, ()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux: those of a container, or of taskset
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers() -> Map[Any] | None:
    """Who makes the chunks; None: this process, one after the other."""
    return _MAP.get()


def forget() -> None:
    """In a copy of this process: whatever is kept or shared, is so by the other."""
    _LOG.set(None)
    _MAP.set(None)


@contextmanager
def shared(by: Map[Any]) -> Iterator[None]:
    """Let others make the chunks of `each`."""
    before = _MAP.set(by)
    try:
        yield
    finally:
        _MAP.reset(before)


@contextmanager
def keeping(path: Path | None, facts: str) -> Iterator[None]:
    """Keep the chunks made inside at this place, until all is done; None keeps nothing."""
    before = _LOG.set(Log(path, facts) if path else None)
    try:
        yield
    finally:
        _LOG.reset(before)
    if path:
        remove(path)


def _line(number: int, record: Any) -> str:
    text = json.dumps(record, ensure_ascii=False, default=_packed)
    return f"{_sum(number, text)} {text}\n"


def _sum(number: int, text: str) -> str:
    """A checksum of a line and its place: one that moved is seen."""
    return f"{crc32(f'{number} {text}'.encode()):08x}"


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        data = b64encode(np.ascontiguousarray(value).tobytes()).decode()
        return {_ARRAY: [value.dtype.str, list(value.shape), data]}
    raise TypeError(f"a chunk cannot hold {type(value).__name__}")


def _unpacked(value: dict[str, Any]) -> Any:
    if list(value) != [_ARRAY]:
        return value
    kind, shape, data = value[_ARRAY]
    return np.frombuffer(b64decode(data), dtype=np.dtype(kind)).reshape(shape).copy()


def _read(path: Path, facts: str) -> list[tuple[str, Any]]:
    """The whole chunks of a log of these facts; what was cut off or damaged ends it."""
    found: list[tuple[str, Any]] = []
    if not path.is_file():
        return found
    try:
        lines = path.read_bytes().decode("utf-8", "replace").split("\n")[:-1]
    except OSError:
        lost(path)
        return found
    for number, line in enumerate(lines):
        told, _, text = line.partition(" ")
        if told != _sum(number, text):
            break
        try:
            label, chunk = json.loads(text, object_hook=_unpacked)
        except (ValueError, TypeError, KeyError, RecursionError):
            break
        found.append((label, chunk))
    if len(found) < len(lines):  # no cut at the end, which a stop in mid-write makes
        lost(path)
    return found[1:] if found and found[0] == ("facts", facts) else []
