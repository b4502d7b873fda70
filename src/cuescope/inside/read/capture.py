"""Attention weights of the wanted cells only: SDPA makes the output, we softmax a few rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError, one_of
from cuescope.inside.interface import Call, Output, attending
from cuescope.models.translator import Translator
from cuescope.models.turn import alone

Positions = Sequence[Sequence[int]]
Weigh = Callable[[str, int, Call], Tensor]  # site, layer, call → factor [batch, head, key]


class Places(NamedTuple):
    """Which cells of each sentence's map: query rows × key columns; None means all of them."""

    queries: Positions | None = None
    keys: Positions | None = None


@dataclass
class _Index:
    """Positions as a padded tensor [batch, most], and where it holds real ones."""

    at: Tensor
    real: Tensor

    @classmethod
    def of(cls, positions: Positions, device: torch.device) -> _Index:
        most = max(map(len, positions), default=0)
        padded = [[*p, *[-1] * (most - len(p))] for p in positions]
        at = torch.tensor(padded, device=device).view(len(positions), most)
        return cls(at.clamp(min=0), at >= 0)


class Captured:
    """What was seen, per site: `cells` as they are, `mean` over each sentence's cells."""

    def __init__(self, mt: Translator, places: Mapping[str, Places], weigh: Weigh | None) -> None:
        self._weigh, self._places = weigh, dict(places)
        self._modules = {
            id(mt.attention(site, layer)): (site, layer)
            for site in places
            for layer in range(_layers(mt, site))
        }
        self._found: dict[tuple[str, int], Tensor] = {}
        device = mt.device
        self._index = {
            site: tuple(None if p is None else _Index.of(p, device) for p in wanted)
            for site, wanted in places.items()
        }

    def __call__(self, call: Call, attend: Callable[[Call], Output]) -> Output:
        """Stand around one attention call."""
        where = self._modules.get(id(call.module))
        if where is not None:
            self._keep(*where, call)
        return attend(call)

    @torch.no_grad()
    def _keep(self, site: str, layer: int, call: Call) -> None:
        queries, keys = self._index[site]
        if layer == 0:
            self._check(site, call)
        if (site, layer) in self._found:
            raise _met_twice(site)
        rows = weights(call, None if queries is None else queries.at)
        if self._weigh is not None:
            rows = rows * self._weigh(site, layer, call)[:, :, None]
        if keys is not None:
            at = keys.at[:, None, None].expand(-1, rows.shape[1], rows.shape[2], -1)
            rows = rows.gather(-1, at)
        self._found[site, layer] = rows

    def _check(self, site: str, call: Call) -> None:
        batch, _, length, _ = call.query.shape
        sizes = (length, call.key.shape[2])
        for index, size, name in zip(self._index[site], sizes, ("query", "key"), strict=True):
            if index is None:
                continue
            if len(index.at) != batch or (index.at.numel() and int(index.at.max()) >= size):
                far = int(index.at.max())
                raise CueScopeError(
                    f"the {site} attention that was met has another shape",
                    expected=f"{len(index.at)} sentences, {name} positions to {far}",
                    found=f"{batch} sentences of {size} positions",
                    do="run the very batch whose positions were given, teacher-forced",
                )
        mask = call.mask
        if mask is not None:
            first = mask[:, 0, 0, 0]
            if not bool((first if first.dtype == torch.bool else first == 0).all()):
                raise CueScopeError(
                    "the batch is padded on the left",
                    expected="padding on the right: other padding shifts the positions",
                    found="a first position that is masked",
                    do="make the batch with `mt.batch`",
                )

    def finish(self) -> None:
        """Raise if a wanted site was never met."""
        for site, layer in self._modules.values():
            if (site, layer) not in self._found:
                raise CueScopeError(
                    f"no {site} attention was met",
                    expected=f"a forward pass through {site} layer {layer}",
                    found="none inside the `with`",
                    do="encode for the encoder; decode, too, for decoder and cross",
                )

    def cells(self, site: str) -> Tensor:
        """[sentence, layer, head, query, key]; NaN where a sentence has fewer than another."""
        layers = sorted(layer for s, layer in self._found if s == site)
        found = torch.stack([self._found[site, layer] for layer in layers], 1)
        queries, keys = self._index[site]
        for index, shape in ((queries, (1, 1, -1, 1)), (keys, (1, 1, 1, -1))):
            if index is not None and not bool(index.real.all()):
                real = index.real.view(len(index.real), *shape)
                found = found.masked_fill(~real, torch.nan)
        return found

    def mean(self, site: str) -> Tensor:
        """[sentence, layer, head]: the mean over the cells, NaN where there is none."""
        return self.cells(site).flatten(-2).nanmean(-1)


def _met_twice(site: str) -> CueScopeError:
    return CueScopeError(
        f"the {site} attention was met twice",
        expected="one forward pass of one batch inside the `with`",
        found="a second one, or decoding step by step",
        do="open one `with capture` per batch, and teacher-force the translation",
    )


def _layers(mt: Translator, site: str) -> int:
    do = "a recurrent decoder has none: ask for another site"
    one_of(site, mt.sites, f"{mt.name} has no {site} attention", do)
    return mt.sites[site][0]


@alone
def capture(
    mt: Translator, places: Mapping[str, Places], *, weigh: Weigh | None = None
) -> Iterator[Captured]:
    """Attention of the wanted cells of the one batch that runs inside.

    with capture(mt, {"encoder": Places([[1]], [[5]])}) as seen:
        mt.engine.encode(batch.ids, batch.mask)
    seen.cells("encoder")      # [sentence, layer, head, query, key]
    """
    seen = Captured(mt, places, weigh)
    with attending(mt, seen):
        yield seen
    seen.finish()


def weights(call: Call, queries: Tensor | None = None) -> Tensor:
    """Attention weights [batch, head, query, key] of query rows [batch, n], or of all."""
    query, masks = call.query, [call.mask, call.options.get("position_bias")]
    if queries is not None:
        query = _rows(query, queries)
        masks = [m if m is None or m.shape[2] == 1 else _rows(m, queries) for m in masks]
    scores = (query * call.scaling) @ call.key.transpose(-1, -2)
    for mask in masks:
        if mask is not None and mask.dtype == torch.bool:
            scores = scores.masked_fill(~mask, -torch.inf)
        elif mask is not None:
            scores = scores + mask
    if call.causal:
        at = torch.arange(call.query.shape[2], device=query.device)[None]
        at = at if queries is None else queries
        later = torch.arange(call.key.shape[2], device=query.device) > at[:, None, :, None]
        scores = scores.masked_fill(later, -torch.inf)
    return scores.softmax(-1)


def _rows(values: Tensor, rows: Tensor) -> Tensor:
    """Rows [batch, n] of values [1 or batch, 1 or head, query, width]."""
    values = values.expand(len(rows), -1, -1, -1)
    at = rows[:, None, :, None].expand(-1, values.shape[1], -1, values.shape[3])
    return values.gather(2, at)
