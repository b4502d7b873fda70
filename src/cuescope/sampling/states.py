"""Decoder states as a tree: of each prefix that was looked at, what its last step has added.

A state of its own would hold the source and all steps before it again for every prefix; here a
prefix has one step, and its state is put together from the way to it when it is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from cuescope.models.engine import State


@dataclass(eq=False, slots=True)
class Node:
    """A prefix that was looked at: where its step is kept, and the prefix before it."""

    source: int  # its row in the batch
    place: int
    up: Node | None
    users: int = 1  # prefixes that need it, and whoever made it


@dataclass(eq=False)
class States:
    """The steps that are kept, and the states after the first step: one row a source."""

    base: State
    held: Counter[int] = field(default_factory=Counter)  # steps of each source
    _steps: Tensor | None = None
    _free: list[int] = field(default_factory=list)

    def add(self, newest: Tensor, sources: Sequence[int], ups: Sequence[Node | None]) -> list[Node]:
        """Keep a step of each row, in the hands of the caller until it is dropped."""
        short = len(sources) - len(self._free)
        if short > 0:
            known = 0 if self._steps is None else len(self._steps)
            more = newest.new_empty((max(short, known), newest.shape[1]))
            self._steps = more if self._steps is None else torch.cat([self._steps, more])
            self._free += range(len(self._steps) - 1, known - 1, -1)
        assert self._steps is not None
        places = [self._free.pop() for _ in sources]
        self._steps[places] = newest
        for up in ups:
            if up is not None:
                up.users += 1
        self.held.update(sources)
        return [Node(*one) for one in zip(sources, places, ups, strict=True)]

    def drop(self, node: Node | None) -> None:
        """One user less: a step that nobody needs goes, and perhaps those before it."""
        while node is not None:
            node.users -= 1
            if node.users:
                return
            self._free.append(node.place)
            self.held[node.source] -= 1
            node = node.up

    def after(self, nodes: Sequence[Node]) -> State:
        """The state after each of these steps, all as many steps far."""
        assert self._steps is not None
        ways = [_way(node) for node in nodes]
        rows = torch.tensor([node.source for node in nodes], device=self._steps.device)
        return self.base.select(rows).after(self._steps[torch.tensor(ways, device=rows.device)])


def _way(node: Node | None) -> list[int]:
    """The places of a step and of all before it, the first step first."""
    places = []
    while node is not None:
        places.append(node.place)
        node = node.up
    return places[::-1]
