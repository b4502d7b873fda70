"""Several cores at once: each translates whole blocks of sentences, one thread each.

A block is always the same sentences, whoever takes it, so the words do not depend on the cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context

from cuescope.audit.knobs import Knobs
from cuescope.audit.systems import Model, System, opened

BLOCK = 128
Told = Callable[[int], None]
_open: dict[tuple[Model, Knobs], System] = {}  # of this process: the last one


class Crew:
    """Translates with any row's system; `jobs` processes, or this one alone."""

    def __init__(self, pool: ProcessPoolExecutor | None, jobs: int) -> None:
        self._pool, self.jobs = pool, jobs

    def says(
        self, model: Model, knobs: Knobs, texts: Sequence[str], told: Told | None = None
    ) -> list[str]:
        """The translations, in order."""
        blocks = [texts[at : at + BLOCK] for at in range(0, len(texts), BLOCK)]
        if self._pool is None:
            found = [_block(model, knobs, block) for block in blocks]
            if told:
                told(len(texts))
        else:
            asked: list[Future[list[str]]] = [
                self._pool.submit(_block, model, knobs, block) for block in blocks
            ]
            for done in as_completed(asked):
                if told:
                    told(len(done.result()))
            found = [one.result() for one in asked]
        return [text for block in found for text in block]


@contextmanager
def crew(jobs: int = 0) -> Iterator[Crew]:
    """As many processes as there are cores, or as are named; 1: none but this."""
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1:
        try:
            yield Crew(None, 1)
        finally:
            _open.clear()
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_one_thread)
    try:
        yield Crew(pool, jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def _block(model: Model, knobs: Knobs, texts: Sequence[str]) -> list[str]:
    key = (model, knobs)
    if key not in _open:
        _open.clear()
        _open[key] = opened(model, knobs)
    return _open[key].says(texts)
