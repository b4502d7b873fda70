"""Heads that say what they would say in the twin sentence, in a forward pass or in generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.edit.follow import Follower, followed
from cuescope.inside.edit.outputs import another_shape, editing
from cuescope.inside.effect.feed import UNLIKE, matched, other
from cuescope.inside.heads import Head, Hook, Place, by_layer, hooked, layer_of, signed
from cuescope.inside.options import Side, Where, check_option, check_options
from cuescope.models.spans import Encoding
from cuescope.models.turn import alone

if TYPE_CHECKING:
    from cuescope.inside.ready import Twins
    from cuescope.models.translator import Translator


class _Match(NamedTuple):
    """A twin, and its position for each edited position of the sentence itself."""

    encoding: Encoding
    positions: list[tuple[int, int]]


class _State(NamedTuple):
    """The decoder's state for the sentences and for their twins."""

    ours: Any
    theirs: Any

    def select(self, rows: Tensor) -> _State:
        return _State(self.ours.select(rows), self.theirs.select(rows))

    def newest(self) -> Tensor:
        return torch.cat([self.ours.newest(), self.theirs.newest()], 1)

    def after(self, steps: Tensor) -> _State:
        own = steps.shape[2] - self.theirs.newest().shape[1]
        return _State(self.ours.after(steps[..., :own]), self.theirs.after(steps[..., own:]))


class _Alongside(Follower):
    """Runs the twins first, with the same words so far, and keeps what their heads said."""

    def __init__(self, mt: Translator, matches: dict[tuple[int, ...], _Match], deep: bool) -> None:
        super().__init__(mt.engine)
        self.mt, self.matches, self.deep = mt, matches, deep
        self.mode = "off"  # record: a twin runs; write: the sentences themselves
        self.said: dict[Place, Tensor] = {}
        self.embedded: Tensor | None = None
        self._states: Tensor | None = None
        self._mask: Tensor | None = None

    @contextmanager
    def _as(self, mode: str) -> Iterator[None]:
        before, self.mode = self.mode, mode
        try:
            yield
        finally:
            self.mode = before

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        keys = [tuple(row[: int(n)]) for row, n in zip(ids.tolist(), mask.sum(1), strict=True)]
        unknown = next((k for k in keys if k not in self.matches), None)
        if unknown is not None:
            raise CueScopeError(
                "a sentence without a twin was met",
                expected=f"only the {len(self.matches)} sentences whose twins were given",
                found=f"one of {len(unknown)} sub-words",
                do="run the very sentences of the pairs, on the side that is patched",
            )
        batch = self.mt.pad([self.matches[key].encoding for key in keys])
        with self._as("record"):
            self._states, self._mask = self.root.encode(batch.ids, batch.mask), batch.mask
        self.here = torch.zeros(ids.shape, dtype=torch.bool, device=ids.device)
        self.there = torch.zeros_like(ids)
        for row, key in enumerate(keys):
            for ours, theirs in self.matches[key].positions:
                self.here[row, ours], self.there[row, ours] = True, theirs
        with self._as("write"):
            return super().encode(ids, mask)

    def decode(self, states: Tensor, mask: Tensor, inputs: Tensor) -> Tensor:
        if self.deep:
            with self._as("record"):
                self.root.decode(*self._theirs(states), inputs)
        with self._as("write"):
            return super().decode(states, mask, inputs)

    def start(self, states: Tensor, mask: Tensor) -> Any:
        ours = super().start(states, mask)
        return _State(ours, self.root.start(*self._theirs(states))) if self.deep else ours

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        if not self.deep:
            return super().step(tokens, state)
        self.place(state.ours.at)  # for what else stands in the twins' way
        with self._as("record"):
            _, theirs = self.root.step(tokens, state.theirs)
        with self._as("write"):
            hidden, ours = super().step(tokens, state.ours)
        return hidden, _State(ours, theirs)

    def _theirs(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """The twins' encoder states, row by row those of the last batch."""
        assert self._states is not None
        assert self._mask is not None
        if len(states) != len(self._states):
            raise CueScopeError(
                "the decoder runs other sentences than the encoder did",
                expected=f"the {len(self._states)} rows of the last batch",
                found=str(len(states)),
            )
        return self._states, self._mask


def _matches(
    twins: Sequence[Twins], into: Side, where: Where, *, needed: bool
) -> dict[tuple[int, ...], _Match]:
    """By the ids of a sentence: its twin, and which position there is which here."""
    matches = {}
    for pair in twins:
        here, positions = pair.twin(into), matched(pair, into, where)
        if positions is None and needed:
            raise CueScopeError(
                UNLIKE,
                expected="a twin position for every position that is patched",
                found=here.item.text,
                do='leave such pairs out, or patch where="noun"',
            )
        matches[here.encoding.ids] = _Match(pair.twin(other(into)).encoding, positions or [])
    return matches


@alone
def patched(
    mt: Translator,
    twins: Sequence[Twins],
    *,
    into: Side = "male",
    where: Where = "all",
    embeddings: bool = False,
    **heads: Sequence[Head],
) -> Iterator[None]:
    """Heads say what they would say in the twin: `patched(mt, twins, encoder=[(2, 1)])`.

    The sentences of the side `into` are run inside. `where` limits encoder heads to the noun's or
    the cue's positions. In the decoder, the twin is always given the words emitted so far.
    """
    check_option("into", into, Side)
    check_options(where=where)
    wanted = by_layer(mt, heads)
    deep = any(site != "encoder" for site, _ in wanted)
    if deep and where != "all":
        raise CueScopeError(
            "noun and cue are positions of the source", expected='where="all"', found=where
        )
    matches = _matches(twins, into, where, needed="encoder" in heads or embeddings)
    run = _Alongside(mt, matches, deep)

    def moved(place: Place, x: Tensor, theirs: Tensor) -> Tensor:
        if place[0] != "encoder":
            if theirs.shape != x.shape:
                raise another_shape(place, x, theirs)
            return theirs
        rows = torch.arange(len(x), device=x.device)[:, None]
        return torch.where(run.here[..., None], theirs[rows, run.there], x)

    def edit(place: Place, x: Tensor) -> Tensor | None:
        if run.mode == "record":
            run.said[place] = x
        if run.mode != "write":
            return None
        theirs, x = moved(place, x, run.said[place]), x.clone()
        for head in wanted[place]:
            part = mt.head_slice(*place, head)
            x[..., part] = theirs[..., part]
        return x

    def first(_: nn.Module, args: Any) -> Any:
        if run.mode == "record":
            run.embedded = args[0]
        if run.mode != "write" or run.embedded is None:
            return None
        return (moved(("encoder", 0), args[0], run.embedded), *args[1:])

    hooks = [Hook(layer_of(mt, "encoder", 0), first)] if embeddings else []
    named = f"patch into {into} at {where}{' and embeddings' if embeddings else ''}"
    on = signed(mt, named, heads)
    with on, followed(mt, run), hooked(mt, hooks), editing(mt, list(wanted), edit):
        yield
