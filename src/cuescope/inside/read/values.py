"""What heads bring, not only where they look: attention weighted by values."""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from cuescope.inside.interface import Call
from cuescope.inside.read.capture import Weigh
from cuescope.models.translator import Translator


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


def _apart(side_by_side: Tensor, heads: int) -> Tensor:
    """[…, heads × width] → […, heads, width]."""
    return side_by_side.view(*side_by_side.shape[:-1], heads, -1)
