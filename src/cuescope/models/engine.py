"""What a network must offer so that everything else need not know its architecture."""

from __future__ import annotations

from typing import Any, Protocol

from torch import Tensor, nn


class State(Protocol):
    """Where a decoder stands, one row per hypothesis; rows can be chosen, dropped and repeated."""

    def select(self, rows: Tensor) -> State:
        """The state of these rows, in this order; a row may be named several times."""
        ...

    def newest(self) -> Tensor:
        """What the last step has added to each row: [row, numbers]."""
        ...

    def after(self, steps: Tensor) -> State:
        """These rows' sources after other steps, as `newest` told them: [row, step, numbers]."""
        ...


def taken(steps: Tensor, *like: Tensor) -> tuple[Tensor, ...]:
    """Keys and values [row, head, step, width] from the front of [row, step, numbers]; the rest."""
    found = []
    for one in like:
        heads, width = one.shape[1], one.shape[3]
        told, steps = steps[..., : heads * width], steps[..., heads * width :]
        found.append(told.reshape(*told.shape[:2], heads, width).transpose(1, 2))
    return (*found, steps)


class Engine(Protocol):
    """An encoder-decoder as five steps. `start` may be advanced many times: states are values."""

    @property
    def module(self) -> nn.Module:
        """The torch module that holds the weights and takes the hooks."""
        ...

    vocabulary: int  # number of logits
    rows: int  # number of source embeddings
    start_id: int  # what the decoder is fed before the first token
    pad_id: int  # fills up sources, always on the right
    target_pad_id: int
    eos_id: int
    barred: tuple[int, ...]  # ids that the model must never generate
    longest: int  # most positions on either side

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[batch, source] → encoder states [batch, source, width]."""
        ...

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        """Teacher-forced: decoder inputs [batch, target] → hidden [batch, target, width]."""
        ...

    def start(self, states: Tensor, mask: Tensor) -> State:
        """The decoder's state before the first token."""
        ...

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, State]:
        """One token per row [batch] → hidden [batch, width] and the next state."""
        ...

    def project(self, hidden: Tensor) -> Tensor:
        """Hidden [..., width] → logits [..., vocabulary]."""
        ...

    def pick(self, hidden: Tensor, ids: Tensor) -> Tensor:
        """Hidden [row, width], ids [row, k] → those logits alone [row, k]."""
        ...
