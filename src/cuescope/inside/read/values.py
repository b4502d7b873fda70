"""What heads bring, not only where they look: their outputs, and attention weighted by values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Hook, hooked
from cuescope.inside.interface import Call
from cuescope.inside.read.capture import Weigh
from cuescope.models.translator import Translator
from cuescope.models.turn import alone


def value_norms(mt: Translator) -> Weigh:
    """For `capture(weigh=…)`: cells become ‖α·v·W_O‖, how much of the key reaches the query.

    A head may look at a word and take nothing from it (its value is short, or W_O drops it).
    """

    @cache
    def gram(site: str, layer: int) -> Tensor:
        """W_O·W_Oᵀ of every head: v·G·v is the squared norm of v·W_O, without making v·W_O."""
        projection = mt.out_proj(site, layer).weight.detach()
        parts = _apart(projection, mt.sites[site][1])  # [width, head, head's width]
        return torch.einsum("whd,whe->hde", parts, parts)

    def weigh(site: str, layer: int, call: Call) -> Tensor:
        squared = ((call.value @ gram(site, layer)) * call.value).sum(-1)
        return squared.clamp(min=0).sqrt()

    return weigh


class HeadOutputs:
    """What entered `out_proj`, layer by layer: the heads side by side."""

    def __init__(self, mt: Translator, site: str) -> None:
        self.site, self._mt = site, mt
        self._seen: dict[int, Tensor] = {}

    def get(self) -> Tensor:
        """[sentence, layer, position, head, width of a head]."""
        layers, heads = self._mt.sites[self.site]
        if len(self._seen) < layers:
            raise CueScopeError(
                f"no {self.site} head was met",
                expected=f"a forward pass through {layers} layers inside the `with`",
                found=f"{len(self._seen)} layers",
                do="encode for the encoder; decode, too, for decoder and cross",
            )
        found = torch.stack([self._seen[layer] for layer in range(layers)], 1)
        return _apart(found, heads)

    def written(self) -> Tensor:
        """What each head adds to the stream: its output through its slice of W_O, no bias."""
        layers, heads = self._mt.sites[self.site]
        parts = [self._mt.out_proj(self.site, layer).weight for layer in range(layers)]
        projection = _apart(torch.stack(parts), heads)  # [layer, width, head, head's width]
        return torch.einsum("blphd,lwhd->blphw", self.get(), projection)

    def hook(self, layer: int) -> Any:
        """The pre-hook for a layer's `out_proj`."""

        def before(_: nn.Module, args: tuple[Tensor, ...]) -> None:
            self._seen[layer] = args[0].detach()

        return before


def _apart(side_by_side: Tensor, heads: int) -> Tensor:
    """[…, heads × width] → […, heads, width]."""
    return side_by_side.view(*side_by_side.shape[:-1], heads, -1)


@alone
def head_outputs(mt: Translator, site: str) -> Iterator[HeadOutputs]:
    """Outputs of every head of a site for the batch that runs inside; the last one counts."""
    seen = HeadOutputs(mt, site)
    mt.attention(site, 0)  # raises where the model has no such site
    layers = range(mt.sites[site][0])
    with hooked(mt, [Hook(mt.out_proj(site, layer), seen.hook(layer)) for layer in layers]):
        yield seen
    seen.get()
