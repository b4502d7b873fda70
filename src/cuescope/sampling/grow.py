"""Prefixes of many sources, advanced together; steps are kept up to a limit and made again after.

Over the limit, those go that only the least likely prefixes need: most are never looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from cuescope.models.decoding import check_finite
from cuescope.sampling.states import Node, States
from cuescope.sampling.truncate import allowed

if TYPE_CHECKING:
    from cuescope.models.translator import Batch, Translator


@dataclass(eq=False, slots=True)
class Prefix:
    """A node of the tree and the probability to get there."""

    source: int  # its row in the batch
    ids: tuple[int, ...]
    mass: float
    before: Node | None  # what was looked at to get there; nothing at the start, or if let go
    label: str | None = None
    ended: bool = False  # by itself or by the length limit


@dataclass(eq=False)
class Tree:
    """The ε-truncated prefix trees of a batch; `grow` looks at prefixes, each counted."""

    mt: Translator
    batch: Batch
    epsilon: float
    kept: int  # steps, at most
    evaluations: list[int] = field(init=False)

    def __post_init__(self) -> None:
        engine = self.mt.engine
        states = engine.encode(self.batch.ids, self.batch.mask)
        start = engine.start(states, self.batch.mask)
        self._budgets = [self.mt.limits.of(len(one)) for one in self.batch.encodings]
        # The first step is the same whenever it is asked for; it counts when it is.
        fed = self._numbers([engine.start_id] * len(self._budgets))
        self._hidden, base = engine.step(fed, start)
        self._first = base.newest()
        self.states = States(base)
        self._waiting: set[Prefix] = set()
        self.evaluations = [0] * len(self._budgets)

    def roots(self) -> list[Prefix]:
        """The empty prefix of each source."""
        return [Prefix(row, (), 1.0, None) for row in range(len(self._budgets))]

    def grow(self, prefixes: list[Prefix], least: float) -> tuple[list[list[Prefix]], list[float]]:
        """The children of prefixes of one length, and the mass of those under `least`, not made."""
        engine, forced, step = self.mt.engine, self.mt.tokenizer.forced, len(prefixes[0].ids)
        hidden, nodes = self._look(prefixes)
        check_finite(hidden)
        for prefix in prefixes:
            self.evaluations[prefix.source] += 1
        if step < len(forced):
            following = [([forced[step]], [1.0])] * len(prefixes)
        else:
            found = allowed(engine, engine.project(hidden), self.epsilon)
            bounds = np.searchsorted(found.rows.cpu().numpy(), np.arange(len(prefixes) + 1))
            words, p = found.tokens.tolist(), found.probability.tolist()
            following = [(words[a:b], p[a:b]) for a, b in pairwise(bounds)]
        children: list[list[Prefix]] = []
        left: list[float] = []
        for prefix, node, (words, p) in zip(prefixes, nodes, following, strict=True):
            masses = [prefix.mass * share for share in p]
            born = [
                self._child(prefix, word, mass, node, step >= len(forced))
                for word, mass in zip(words, masses, strict=True)
                if mass >= least
            ]
            children.append(born)
            left.append(sum(mass for mass in masses if mass < least))
            self.states.drop(node)  # its children hold it now
        self._let_go()
        return children, left

    def leave(self, prefix: Prefix) -> None:
        """A prefix that will not be looked at, or has been: what was kept for it may go."""
        self._waiting.discard(prefix)
        self.states.drop(prefix.before)
        prefix.before = None

    def _child(self, prefix: Prefix, word: int, mass: float, node: Node, free: bool) -> Prefix:
        ids = (*prefix.ids, word)
        ended = (word == self.mt.engine.eos_id and free) or len(ids) >= self._budgets[prefix.source]
        if ended:
            return Prefix(prefix.source, ids, mass, None, prefix.label, ended)
        node.users += 1
        child = Prefix(prefix.source, ids, mass, node, prefix.label)
        self._waiting.add(child)
        return child

    def _look(self, prefixes: list[Prefix]) -> tuple[Tensor, list[Node]]:
        """What the decoder says after each prefix, and the steps that were made for it."""
        sources = [prefix.source for prefix in prefixes]
        if not prefixes[0].ids:
            return self._hidden[self._numbers(sources)], self._begin(sources)
        self._make_again([prefix for prefix in prefixes if prefix.before is None])
        before = [prefix.before for prefix in prefixes if prefix.before is not None]
        return self._step([prefix.ids[-1] for prefix in prefixes], before)

    def _begin(self, sources: list[int]) -> list[Node]:
        return self.states.add(
            self._first[self._numbers(sources)], sources, [None for _ in sources]
        )

    def _step(self, fed: list[int], before: list[Node]) -> tuple[Tensor, list[Node]]:
        hidden, state = self.mt.engine.step(self._numbers(fed), self.states.after(before))
        return hidden, self.states.add(state.newest(), [node.source for node in before], before)

    def _make_again(self, lost: list[Prefix]) -> None:
        """The steps before prefixes that were let go, what is common to several made once."""
        if not lost:
            return
        sources = list(dict.fromkeys(prefix.source for prefix in lost))
        known: dict[tuple[int, tuple[int, ...]], Node] = {}
        known.update(zip(((source, ()) for source in sources), self._begin(sources), strict=True))
        for size in range(1, len(lost[0].ids)):
            ways = list(dict.fromkeys((prefix.source, prefix.ids[:size]) for prefix in lost))
            before = [known[source, ids[:-1]] for source, ids in ways]
            _, nodes = self._step([ids[-1] for _, ids in ways], before)
            known.update(zip(ways, nodes, strict=True))
            for source, _ in ways:
                self.evaluations[source] += 1
        for prefix in lost:
            prefix.before = known[prefix.source, prefix.ids[:-1]]
            prefix.before.users += 1
        for node in known.values():
            self.states.drop(node)

    def _numbers(self, numbers: list[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.long, device=self.mt.device)

    def _let_go(self) -> None:
        """Over the limit, keep what the likeliest prefixes wait for, with some room to grow."""
        held = self.states.held
        if held.total() <= self.kept:
            return
        room = self.kept * 3 // 4
        for prefix in sorted(self._waiting, key=lambda p: (p.mass, p.source, p.ids)):
            if held.total() <= room:
                return
            self.states.drop(prefix.before)
            prefix.before = None
