"""Progress of an audit, where somebody watches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

Told = Callable[[int], None]
Watch = Callable[[str, str, int], Any]  # name, label, units → a context that yields a Told


@contextmanager
def watched(watch: Watch | None, name: str, label: str, units: int) -> Iterator[Told]:
    """What to call with each number of units done."""
    with watch(name, label, units) if watch else nullcontext(lambda _: None) as told:
        yield told
