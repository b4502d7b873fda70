"""A batch that grows while the model's own layers run: each edited head joins at its own layer.

The first rows are the sentences as they are. Before a layer runs, a copy of them joins for each of
its heads that is to be edited; what the layers below computed is thus never computed again. The
layers are the model's own, so nothing here depends on the architecture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.effect.feed import Donor, Feed
from cuescope.inside.effect.savings import reading, sharing
from cuescope.inside.heads import Hook, Place, hooked, layer_of, write

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


class Block(NamedTuple):
    """One copy of the sentences, with one head edited; the first block has none."""

    site: str
    layer: int
    head: int


class Wave:
    """The rows of one climb through encoder and decoder."""

    def __init__(
        self,
        mt: Translator,
        fed: Feed,
        donors: Mapping[Place, Donor],
        join: Mapping[Place, Sequence[int]],
        given: Mapping[Place, Sequence[int]] | None = None,
    ) -> None:
        self.mt, self.fed, self.donors = mt, fed, donors
        self.join, self.given = join, given or {}
        self.blocks: list[Block] = []
        self._base = torch.arange(fed.pairs, device=mt.device)
        self._called = 0  # rows of the call that runs
        self._joined = 0  # rows before those that joined last
        self._origin = self._base  # each row's row in that call
        self._pair = self._base  # each row's sentence

    @torch.no_grad()
    def climb(self) -> Tensor:
        """Hidden states where the choice falls [1 + block, pair, width]."""
        states, mask = self.encode()
        with self._climbing("decoder", len(states)):
            hidden = self.mt.engine.decode(states, mask, self.fed.inputs[self._pair])
        rows = torch.arange(len(hidden), device=hidden.device)
        chosen = hidden[rows, self.fed.steps[self._pair]]
        return chosen.view(-1, self.fed.pairs, chosen.shape[-1])

    @torch.no_grad()
    def encode(self) -> tuple[Tensor, Tensor]:
        """Encoder states of the sentences and of every edited encoder head, with their mask."""
        with self._climbing("encoder", self.fed.pairs):
            states = self.mt.engine.encode(self.fed.ids, self.fed.mask)
        return states, self.fed.mask[self._pair]

    @contextmanager
    def _climbing(self, side: str, rows: int) -> Iterator[None]:
        """Let rows join in one call of the encoder or the decoder."""
        mt, sites = self.mt, ("encoder",) if side == "encoder" else ("decoder", "cross")
        layers = mt.sites["encoder" if side == "encoder" else "cross"][0]
        self._called = self._joined = rows
        self._origin = torch.arange(rows, device=mt.device)
        active = {p for p in (*self.join, *self.given) if p[0] in sites}
        hooks = []
        for layer in range(min((layer for _, layer in active), default=layers), layers):
            grow = self._grow(layer, [s for s in sites if (s, layer) in self.join])
            hooks.append(Hook(layer_of(mt, side, layer), grow, kwargs=True))
        hooks += [Hook(mt.out_proj(*place), self._edit(place)) for place in sorted(active)]
        with hooked(mt, [*hooks, *self._savings(side, layers), *self._further(side)]):
            yield

    def _further(self, side: str) -> list[Hook]:
        """What else acts in this climb, after the savings."""
        return []

    def _savings(self, side: str, layers: int) -> list[Hook]:
        """Do not project twice what is the same in several rows, nor what nobody will read."""
        mt, family, hooks = self.mt, self.mt.family, []
        own = ("query", "key", "value")
        site = "encoder" if side == "encoder" else "decoder"
        for layer in range(layers):
            same = self._unread if (site, layer) == ("decoder", 0) else self._fresh
            if site in mt.sites:
                hooks += sharing(mt.attention(site, layer), family, own, same)
            if side == "decoder":
                hooks += sharing(mt.attention("cross", layer), family, own[1:], self._shared)
        if side == "decoder":
            if not {*self.join, *self.given} & {("decoder", 0)}:
                if "decoder" in mt.sites:
                    hooks += sharing(mt.attention("decoder", 0), family, ("out",), self._unread)
                hooks += sharing(mt.attention("cross", 0), family, own[:1], self._unread)
            hooks += reading(layer_of(mt, side, layers - 1), family, self._read)
        return hooks

    def _unread(self, rows: int) -> tuple[int, Tensor] | None:
        """Before the decoder first looks at the source, a sentence is the same in all its rows."""
        if rows != len(self._pair) or rows == self.fed.pairs:
            return None
        return self.fed.pairs, self._pair

    def _fresh(self, rows: int) -> tuple[int, Tensor] | None:
        """Rows that have just joined are still copies of the sentences."""
        if rows != len(self._origin) or rows == self._joined:
            return None
        old = torch.arange(self._joined, device=self._origin.device)
        return self._joined, torch.cat([old, self._pair[self._joined :]])

    def _shared(self, rows: int) -> tuple[int, Tensor] | None:
        """Rows that joined in the decoder have the encoder states of the sentence itself."""
        if rows != len(self._origin) or rows == self._called:
            return None
        return self._called, self._origin

    def _read(self, rows: int) -> Tensor | None:
        """The step of each row that is read in the end."""
        return self.fed.steps[self._pair] if rows == len(self._pair) else None

    def _grow(self, layer: int, sites: Sequence[str]) -> Any:
        """Before a layer: the rows of its heads join, and all that goes with rows grows with it."""

        def before(_: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
            now = self._joined = len(self._origin)
            fresh = [Block(s, layer, head) for s in sites for head in self.join[s, layer]]
            new = self._base.repeat(len(fresh))
            self.blocks += fresh
            self._origin = torch.cat([self._origin, new])
            self._pair = torch.cat([self._pair, new])

            def grown(x: Any) -> Any:
                if isinstance(x, (tuple, list)):
                    return type(x)(map(grown, x))
                if not isinstance(x, Tensor) or x.ndim < 3:
                    return x
                if x.shape[0] == now:
                    return torch.cat([x, x[new]]) if len(new) else x
                if x.shape[0] == self._called:
                    return x[self._origin]
                if x.shape[0] == 1:
                    return x
                raise CueScopeError(
                    "a layer was given something that does not go with its rows",
                    expected=f"1, {self._called} or {now} rows",
                    found=str(list(x.shape)),
                    do="report this model's architecture",
                )

            return grown(args), {name: grown(x) for name, x in kwargs.items()}

        return before

    def _edit(self, place: Place) -> Any:
        """Before an output projection: write the edited heads."""
        site, layer = place
        donor = self.donors[place]
        parts = {
            head: self.mt.head_slice(site, layer, head)
            for head in {*self.join.get(place, ()), *self.given.get(place, ())}
        }

        def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...]:
            x = args[0].clone()
            check_fits(x, donor.values, place)
            for head in self.given.get(place, ()):
                at = None if donor.at is None else donor.at[self._pair]
                values = donor.values.expand(self.fed.pairs, -1, -1)[self._pair]
                write(x, parts[head], values[..., parts[head]], at)
            blocks = x.view(-1, self.fed.pairs, *x.shape[1:])
            for number, block in enumerate(self.blocks, 1):
                if (block.site, block.layer) == place:
                    part = parts[block.head]
                    write(blocks[number], part, donor.values[..., part], donor.at)
            return (x, *args[1:])

        return before


def check_fits(x: Tensor, values: Tensor, place: Place) -> None:
    """Raise where what replaces a head has another shape than the head."""
    wanted, found = x.shape[1:], values.shape[1:]
    if x.ndim != 3 or found[1] != wanted[1] or found[0] not in (1, wanted[0]):
        raise CueScopeError(
            f"an intervention met another shape at {place[0]} layer {place[1]}",
            expected=f"[…, {wanted[0]} positions, {wanted[1]} wide]",
            found=str(list(values.shape)),
            do="give values for the sentences that are run",
        )
