"""An engine that stands before another while a `with` lasts, to know what is being run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from torch import Tensor

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


class Follower:
    """Hands everything on; keeps the sources of the last `encode` and the step of the decoder."""

    def __init__(self, engine: Any) -> None:
        self.inner = engine
        self.root: Any = getattr(engine, "root", engine)  # the model itself, under all followers
        self.ids: list[tuple[int, ...]] = []
        self.at = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Remember the sources, without their padding."""
        self.ids = [tuple(row[: int(n)]) for row, n in zip(ids.tolist(), mask.sum(1), strict=True)]
        out: Tensor = self.inner.encode(ids, mask)
        return out

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """All steps at once, from the first."""
        self.at = 0
        out: Tensor = self.inner.decode(states, mask, inputs)
        return out

    def start(self, states: Tensor, mask: Tensor) -> Any:
        """Before the first step."""
        self.at = 0
        return self.inner.start(states, mask)

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        """One step further."""
        out = self.inner.step(tokens, state)
        self.at += 1
        return out  # type: ignore[no-any-return]


@contextmanager
def followed(mt: Translator, follower: Any) -> Iterator[None]:
    """Let a follower stand before the engine."""
    before = mt.engine
    mt.engine = follower
    try:
        yield
    finally:
        mt.engine = before
