"""Who makes the chunks of a run: this process, several, or a Ray cluster; with the same results.

A chunk is the same work whoever takes it. This process alone writes, in the chunks' order. A worker
that is lost is replaced and its chunk made again; so is a chunk that does not come back.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.files import chunks
from cuescope.run.forked import Forked, nursery
from cuescope.run.hired import Hired, Lost, Process, RayActor, cluster
from cuescope.run.worker import Model, opened, packed

if TYPE_CHECKING:
    from cuescope.inside.translator import Translator
    from cuescope.run.settings import Settings

_AHEAD = 8  # chunks of each worker that may be done before their turn
_LOST = 3  # workers that one chunk may cost
_LATE, _PATIENCE = 8.0, 30.0  # times the usual, and seconds, before a chunk is given to another too
_LOOK = 1.0  # seconds


class Crew:
    """So many workers of one kind, for the chunks of one model."""

    def __init__(self, mt: Translator, count: int, hire: Callable[[int], Hired]) -> None:
        self.mt, self.count, self._hire = mt, count, hire
        self._idle: list[Hired] = []
        self._busy: dict[Hired, int | None] = {}  # with which chunk; None: nobody waits for it
        self._hired = 0

    def map(self, calls: Sequence[Callable[[], Any]]) -> Iterator[Any]:
        """What the calls give, in their order."""
        work = _Work(len(calls))
        try:
            while work.at < len(calls):
                while (number := self._next(work)) is not None:
                    self._give(work, number, packed(calls[number], self.mt))
                for one in next(iter(self._busy)).ready(list(self._busy), _LOOK):
                    self._take(work, one)
                while work.at in work.found:
                    yield opened(work.found.pop(work.at))
                    work.at += 1
        finally:
            self._busy = dict.fromkeys(self._busy)

    def _next(self, work: _Work) -> int | None:
        """The chunk that is to be given now, if there is one and a worker for it."""
        if len(self._busy) >= self.count:
            return None
        return work.next(_AHEAD * self.count, [n for n in self._busy.values() if n is not None])

    def _give(self, work: _Work, number: int, sent: bytes) -> None:
        work.begun[number] = monotonic()
        try:
            if not self._idle:
                self._hired += 1
                self._idle.append(self._hire(self._hired - 1))
            one = self._idle.pop()
            one.send(sent)
            self._busy[one] = number
        except Lost as how:
            work.lose(number, how, [])

    def _take(self, work: _Work, one: Hired) -> None:
        number = self._busy.pop(one)
        try:
            answer = one.answer()
        except Lost as how:
            if number is not None:
                work.lose(number, how, self._busy.values())
            return
        self._idle.append(one)
        if number is not None:
            work.keep(number, answer)

    def end(self) -> None:
        """Let all workers go."""
        for one in (*self._idle, *self._busy):
            one.end()
        self._idle, self._busy = [], {}


class _Work:
    """How far the chunks of one call of `map` are."""

    def __init__(self, size: int) -> None:
        self.at = 0  # the one whose turn it is
        self.waiting = deque(range(size))
        self.found: dict[int, bytes] = {}
        self.begun: dict[int, float] = {}
        self.took: list[float] = []
        self.lost: Counter[int] = Counter()

    def next(self, ahead: int, running: Sequence[int]) -> int | None:
        """One that waits and is not too far ahead; else one that is late and runs but once."""
        if self.waiting and self.waiting[0] < self.at + ahead:
            return self.waiting.popleft()
        limit = max(_PATIENCE, _LATE * median(self.took)) if self.took else float("inf")
        for number in running:
            late = monotonic() - self.begun[number] > limit
            if late and running.count(number) == 1 and number not in self.found:
                return number
        return None

    def keep(self, number: int, answer: bytes) -> None:
        """What came back; the first of two counts."""
        if number >= self.at and number not in self.found:
            self.found[number] = answer
            self.took.append(monotonic() - self.begun[number])

    def lose(self, number: int, how: Lost, running: Any) -> None:
        """A worker is gone with a chunk, which waits again unless it is done or runs elsewhere."""
        self.lost[number] += 1
        if self.lost[number] > _LOST:
            raise CueScopeError(
                f"{_LOST + 1} workers were lost with the same piece of work",
                expected="workers that come back",
                found=f"the last one: {how}",
                do="fewer workers if memory is short (each holds the model), or engine serial",
            )
        if number >= self.at and number not in self.found and number not in running:
            self.waiting.appendleft(number)


@contextmanager
def working(mt: Translator, settings: Settings) -> Iterator[Crew | None]:
    """Inside, chunks are made by the settings' engine; unless there is one at work already."""
    if settings.on == "serial" or chunks.workers() is not None:
        yield None
        return
    import torch

    with _crew(mt, settings) as crew:
        before = torch.get_num_threads()
        torch.set_num_threads(1)  # as the workers: what is computed here is the same then
        try:
            with chunks.shared(crew.map):
                yield crew
        finally:
            torch.set_num_threads(before)


@contextmanager
def _crew(mt: Translator, settings: Settings) -> Iterator[Crew]:
    """Workers of the settings' kind, let go in the end whatever happens."""
    name = str(Path(mt.name).resolve()) if Path(mt.name).exists() else mt.name
    model = Model(name, mt.src, mt.tgt, mt.device.type, str(mt.signature))
    with ExitStack() as stack:
        hire: Callable[[int], Hired]
        if settings.on == "processes":
            cores = chunks.cores()
            copies = stack.enter_context(nursery(mt, model))
            hire = partial(Forked, copies) if copies else partial(Process, model)
        else:
            cores = stack.enter_context(cluster(settings.ray, settings.workers))
            hire = partial(RayActor, model)
        crew = Crew(mt, settings.workers or cores, hire)
        stack.callback(crew.end)
        yield crew
