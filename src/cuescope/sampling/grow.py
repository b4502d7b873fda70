"""Prefixes of many sources, advanced together; states are kept up to a limit and made again after.

A family are prefixes whose parents were advanced in one step: its state has a row for each parent.
Over the limit, the rows go whose prefixes are the least likely: most of those are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from cuescope.models.decoding import check_finite
from cuescope.models.engine import State
from cuescope.sampling.truncate import allowed

if TYPE_CHECKING:
    from cuescope.models.translator import Batch, Translator


LOST = -1  # the row of a prefix whose state was let go


@dataclass(eq=False)
class Family:
    """Where prefixes wait: the state of their parents, unless it had to be let go."""

    number: int
    state: State | None
    rows: int
    waiting: set[Prefix] = field(default_factory=set)

    def masses(self) -> dict[int, float]:
        """The likeliest prefix that waits for each row."""
        found: dict[int, float] = {}
        for prefix in self.waiting:
            if prefix.row != LOST:
                found[prefix.row] = max(prefix.mass, found.get(prefix.row, 0.0))
        return found

    def keep(self, wanted: Sequence[int], device: torch.device) -> None:
        """Only these rows; prefixes that wait for others have lost theirs."""
        if self.state is None or len(wanted) == self.rows:
            return
        chosen = torch.tensor(wanted, dtype=torch.long, device=device)
        self.state = self.state.select(chosen) if len(wanted) else None
        places = {row: place for place, row in enumerate(wanted)}
        for prefix in self.waiting:
            prefix.row = places.get(prefix.row, LOST)
        self.rows = len(wanted)


@dataclass(eq=False, slots=True)
class Prefix:
    """A node of the tree and the probability to get there."""

    source: int  # its row in the batch
    ids: tuple[int, ...]
    mass: float
    family: Family
    row: int  # of its family's state
    label: str | None = None
    ended: bool = False  # by itself or by the length limit

    @property
    def place(self) -> tuple[int, int]:
        """Where its state is: those of one family stand together, and all that are lost."""
        return (LOST, LOST) if self.row == LOST else (self.family.number, self.row)


@dataclass(eq=False)
class Tree:
    """The ε-truncated prefix trees of a batch; `grow` looks at prefixes, each counted."""

    mt: Translator
    batch: Batch
    epsilon: float
    kept: int  # rows of states, at most
    evaluations: list[int] = field(init=False)

    def __post_init__(self) -> None:
        engine = self.mt.engine
        states = engine.encode(self.batch.ids, self.batch.mask)
        self._start = engine.start(states, self.batch.mask)
        self._families: list[Family] = []
        self._numbers = 0
        self._budgets = [self.mt.limits.of(len(one)) for one in self.batch.encodings]
        self.evaluations = [0] * len(self._budgets)

    def roots(self) -> list[Prefix]:
        """The empty prefix of each source."""
        family = self._family(self._start, len(self._budgets))
        roots = [Prefix(row, (), 1.0, family, row) for row in range(len(self._budgets))]
        family.waiting = set(roots)
        return roots

    def grow(self, prefixes: list[Prefix], least: float) -> tuple[list[list[Prefix]], list[float]]:
        """The children of prefixes of one length, and the mass of those under `least`, not made.

        Prefixes must stand in the order of their places.
        """
        engine, forced, step = self.mt.engine, self.mt.tokenizer.forced, len(prefixes[0].ids)
        fed = [prefix.ids[-1] if step else engine.start_id for prefix in prefixes]
        tokens = torch.tensor(fed, device=self.mt.device)
        hidden, state = engine.step(tokens, self._state(prefixes))
        check_finite(hidden)
        for prefix in prefixes:
            self.evaluations[prefix.source] += 1
        family = self._family(state, len(prefixes))
        if step < len(forced):
            following = [([forced[step]], [1.0])] * len(prefixes)
        else:
            found = allowed(engine, engine.project(hidden), self.epsilon)
            bounds = np.searchsorted(found.rows.cpu().numpy(), np.arange(len(prefixes) + 1))
            words, p = found.tokens.tolist(), found.probability.tolist()
            following = [(words[a:b], p[a:b]) for a, b in pairwise(bounds)]
        children: list[list[Prefix]] = []
        left: list[float] = []
        for row, (prefix, (words, p)) in enumerate(zip(prefixes, following, strict=True)):
            masses = [prefix.mass * share for share in p]
            born = [
                self._child(prefix, word, mass, family, row, step >= len(forced))
                for word, mass in zip(words, masses, strict=True)
                if mass >= least
            ]
            children.append(born)
            left.append(sum(mass for mass in masses if mass < least))
        family.waiting = {child for born in children for child in born if not child.ended}
        self._let_go(family)
        return children, left

    def leave(self, prefix: Prefix) -> None:
        """A prefix that will not be looked at, or has been: its state may go."""
        prefix.family.waiting.discard(prefix)
        if not prefix.family.waiting:
            prefix.family.state = None

    def _child(
        self, prefix: Prefix, word: int, mass: float, family: Family, row: int, free: bool
    ) -> Prefix:
        ids = (*prefix.ids, word)
        ended = (word == self.mt.engine.eos_id and free) or len(ids) >= self._budgets[prefix.source]
        return Prefix(prefix.source, ids, mass, family, row, prefix.label, ended)

    def _state(self, prefixes: list[Prefix]) -> Any:
        """One row a prefix: chosen from what was kept, or made again from the start."""
        parts = []
        for number, members in groupby(prefixes, key=lambda prefix: prefix.place[0]):
            some = list(members)
            parts.append(self._again(some) if number == LOST else self._chosen(some))
        return parts[0].join(parts[1:]) if len(parts) > 1 else parts[0]

    def _chosen(self, prefixes: list[Prefix]) -> State:
        family, rows = prefixes[0].family, [prefix.row for prefix in prefixes]
        assert family.state is not None
        if rows == list(range(family.rows)):
            return family.state
        return family.state.select(self._rows(rows))

    def _again(self, prefixes: list[Prefix]) -> State:
        """The states after all but the last token, what is common to several made once."""
        engine = self.mt.engine
        state, before = self._start, self._first()
        for step in range(len(prefixes[0].ids)):
            nodes = list(dict.fromkeys((p.source, p.ids[:step]) for p in prefixes))
            parents = [before[source, ids[: max(0, step - 1)]] for source, ids in nodes]
            fed = [ids[-1] if step else engine.start_id for _, ids in nodes]
            _, state = engine.step(self._rows(fed), state.select(self._rows(parents)))
            for source, _ in nodes:
                self.evaluations[source] += 1
            before = {node: row for row, node in enumerate(nodes)}
        last = [before[p.source, p.ids[:-1]] for p in prefixes]
        return state.select(self._rows(last))

    def _first(self) -> dict[tuple[int, tuple[int, ...]], int]:
        """The rows of the start."""
        return {(row, ()): row for row in range(len(self._budgets))}

    def _rows(self, numbers: list[int]) -> torch.Tensor:
        return torch.tensor(numbers, dtype=torch.long, device=self.mt.device)

    def _family(self, state: State, rows: int) -> Family:
        self._numbers += 1
        return Family(self._numbers, state, rows)

    def _let_go(self, newest: Family) -> None:
        """Over the limit, keep what the likeliest prefixes wait for, with some room to grow."""
        self._families = [f for f in self._families if f.state is not None and f.waiting]
        self._families.append(newest)
        if sum(family.rows for family in self._families) <= self.kept:
            return
        found = [
            (-mass, family.number, row)
            for family in self._families
            for row, mass in family.masses().items()
        ]
        room = max(1, self.kept * 3 // 4)
        chosen: dict[int, list[int]] = {}
        for _, number, row in sorted(found)[:room]:
            chosen.setdefault(number, []).append(row)
        for family in self._families:
            family.keep(sorted(chosen.get(family.number, [])), self.mt.device)
