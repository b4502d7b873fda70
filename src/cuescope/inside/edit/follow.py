"""An engine that stands before another while a `with` lasts, to know what is being run."""

from __future__ import annotations

from collections.abc import Iterator
from threading import get_ident
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor

from cuescope.models.turn import alone, refused

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


class At(NamedTuple):
    """A decoder's state with its place: sampling comes back to shorter prefixes."""

    state: Any
    at: int

    def select(self, rows: Tensor) -> At:
        """The state of these rows."""
        return At(self.state.select(rows), self.at)

    def newest(self) -> Tensor:
        """What the last step has added."""
        told: Tensor = self.state.newest()
        return told

    def after(self, steps: Tensor) -> At:
        """These rows' sources after other steps."""
        return At(self.state.after(steps), steps.shape[1])


class Follower:
    """Hands everything on; keeps the sources of the last `encode` and the step of the decoder."""

    def __init__(self, engine: Any) -> None:
        self.inner = engine
        self.root: Any = getattr(engine, "root", engine)  # the model itself, under all followers
        self.ids: list[tuple[int, ...]] = []
        self.at = 0
        self._thread = get_ident()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def place(self, at: int) -> None:
        """Be told the step that runs next, with all followers below."""
        if get_ident() != self._thread:
            raise refused()
        self.at = at
        if isinstance(self.inner, Follower):
            self.inner.place(at)

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Remember the sources, without their padding."""
        self.place(0)
        self.ids = [tuple(row[: int(n)]) for row, n in zip(ids.tolist(), mask.sum(1), strict=True)]
        out: Tensor = self.inner.encode(ids, mask)
        return out

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """All steps at once, from the first."""
        self.place(0)
        out: Tensor = self.inner.decode(states, mask, inputs)
        return out

    def start(self, states: Tensor, mask: Tensor) -> Any:
        """Before the first step."""
        self.place(0)
        return At(self.inner.start(states, mask), 0)

    def step(self, tokens: Tensor, state: At) -> tuple[Tensor, Any]:
        """One step further than the state, whichever step was the last one run."""
        self.place(state.at)
        hidden, after = self.inner.step(tokens, state.state)
        return hidden, At(after, state.at + 1)


@alone
def followed(mt: Translator, follower: Any) -> Iterator[None]:
    """Let a follower stand before the engine."""
    before = mt.engine
    mt.engine = follower
    try:
        yield
    finally:
        mt.engine = before
