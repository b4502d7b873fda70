"""How many CPU threads are fastest on this machine now: measured, as others may be using it."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter

import torch

_TIMES = 5


def fastest(most: int | None = None, seconds: Callable[[int], float] | None = None) -> int:
    """1, 2, 4 … or all of torch's own number, whichever does a small layer's work soonest.

    Threads wait for each other after every product: where others use the cores, two can be ten
    times slower than one. More of them must be a tenth faster to be taken.
    """
    most = torch.get_num_threads() if most is None else most
    if most < 2 or os.environ.get("OMP_NUM_THREADS"):
        return most  # told from outside
    counts = sorted({most, *(2**n for n in range(most.bit_length()) if 2**n <= most)})
    best, least = 1, float("inf")
    for count in counts:
        took = (seconds or _layer)(count)
        if took < 0.9 * least:
            best, least = count, took
    return best


def _layer(threads: int) -> float:
    """The median time of a few products like those of a small model."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        rows, weights = torch.rand(640, 384), torch.rand(384, 1536)
        taken = []
        for _ in range(_TIMES + 1):
            start = perf_counter()
            for _ in range(4):
                torch.relu(rows @ weights) @ weights.T
            taken.append(perf_counter() - start)
        return sorted(taken[1:])[_TIMES // 2]  # the first one wakes the threads
    finally:
        torch.set_num_threads(before)
