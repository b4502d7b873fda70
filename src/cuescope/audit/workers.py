"""Several cores at once: the crew of the runs translates whole blocks of sentences and judges them.

A block is always the same sentences, whoever takes it, so the words do not depend on the cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from cuescope.audit.knobs import Knobs
from cuescope.audit.systems import BATCH, FACTOR, Model, System, opened
from cuescope.files import chunks
from cuescope.inside.translator import Translator
from cuescope.run.engine import working
from cuescope.run.kept_files import Line
from cuescope.run.settings import Settings
from cuescope.run.store import Lines

BLOCK = 128
FACTS = {"batch": BATCH, "block": BLOCK, "longest": FACTOR}  # what bears on the words
T = TypeVar("T")
_open: dict[tuple[Model, Knobs], System] = {}  # of this process: the last one


@contextmanager
def crew(mt: Translator, jobs: int = 0) -> Iterator[None]:
    """Inside, blocks go to as many processes as there are cores, or as are named; 1: none but this.

    Each worker opens `mt` to see that it has the very model.
    """
    jobs = jobs or chunks.cores()
    try:
        with working(mt, Settings(mt.name, workers=jobs if jobs > 1 else 0)):
            yield
    finally:
        _open.clear()


def says(model: Model, knobs: Knobs, told: Callable[[int], None]) -> Lines:
    """What makes the lines of a block with any row's system, here or in a worker."""
    return partial(_block, model, knobs, chunks.Told(told))


def _block(model: Model, knobs: Knobs, told: chunks.Told, texts: Sequence[str]) -> list[Line]:
    key = (model, knobs)
    if key not in _open:
        _open.clear()
        _open[key] = opened(model, knobs)
    found = _open[key].says(texts)
    told(len(texts))
    return [
        {"source": text, "translation": said, "cut": cut}
        for text, (said, cut) in zip(texts, found, strict=True)
    ]


def each(calls: Sequence[Callable[[], T]]) -> Iterable[T]:
    """What the calls give, in their order: made by the crew, or here."""
    shared: chunks.Map[T] | None = chunks.workers()
    return shared(calls) if shared else (call() for call in calls)
