"""Attention rollout (Abnar and Zuidema 2020): how much of each input stands in each state.

Every layer keeps half of what it had (the residual) and takes half from where its heads look on
average. It is a picture, no cause: values, norms and feed-forward blocks are left out.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.inside.read.maps import attention_maps
from cuescope.models.translator import Translator


class Rollout(NamedTuple):
    """Shares of the source words in each encoder state [query, source], and of the source and
    the fed target words in each decoder state; a row of both together sums to 1."""

    encoder: Tensor
    source: Tensor | None
    target: Tensor | None


def rollout(mt: Translator, text: str, translation: str | None = None) -> Rollout:
    """The rollout of one sentence; of the decoder too, if it has self-attention."""
    maps = {site: m.weights.mean(1) for site, m in attention_maps(mt, text, translation).items()}
    encoder = _identity(maps["encoder"])
    for layer in maps["encoder"]:
        encoder = _half(layer @ encoder, encoder)
    if "decoder" not in maps:
        return Rollout(encoder, None, None)
    target = _identity(maps["decoder"])
    source = torch.zeros_like(maps["cross"][0])
    for own, cross in zip(maps["decoder"], maps["cross"], strict=True):
        target, source = _half(own @ target, target), _half(own @ source, source)
        target, source = target / 2, _half(cross @ encoder, source)
    return Rollout(encoder, source, target)


def _identity(layers: Tensor) -> Tensor:
    if layers.shape[-1] != layers.shape[-2]:
        raise CueScopeError("rollout needs square maps", found=str(list(layers.shape)))
    return torch.eye(layers.shape[-1], device=layers.device, dtype=layers.dtype)


def _half(attended: Tensor, kept: Tensor) -> Tensor:
    return (attended + kept) / 2
