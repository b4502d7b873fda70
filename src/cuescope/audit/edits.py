"""What a knob does to a loaded model: fewer bits, fewer layers, other arithmetic."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.models.translator import Translator

_LEAST = 1e-30  # a row of zeros stays zeros


@torch.no_grad()
def round_weights(mt: Translator, bits: int) -> int:
    """Round every matrix to so many bits, with a scale for each row; how many there were.

    A row is what one output is made from, or one word's embedding. Positions are no weights, and
    biases and norms stay as they are.
    """
    most, done = 2 ** (bits - 1) - 1, 0
    for name, weight in mt.engine.module.named_parameters():
        if weight.ndim < 2 or "embed_positions" in name:
            continue
        scale = (weight.abs().amax(-1, keepdim=True) / most).clamp(min=_LEAST)
        weight.copy_((weight / scale).round() * scale)
        done += 1
    if not done:
        raise CueScopeError(f"{mt.name} has no matrix to round", expected="weights", found="none")
    return done


def drop_layers(mt: Translator, count: int) -> None:
    """Leave out the last decoder layers, with no training after."""
    decoder = _decoder(mt)
    name = "block" if hasattr(decoder, "block") else "layers"
    layers = getattr(decoder, name)
    if not 0 < count < len(layers):
        raise CueScopeError(
            f"{mt.name} cannot lose {count} decoder layers",
            expected=f"1 to {len(layers) - 1}",
            found=str(count),
        )
    setattr(decoder, name, nn.ModuleList(list(layers)[: len(layers) - count]))
    mt.__dict__.pop("sites", None)


def _decoder(mt: Translator) -> Any:
    module: Any = mt.engine.module
    return module.get_decoder() if hasattr(module, "get_decoder") else module.decoder


def dynamic_int8(mt: Translator) -> None:
    """torch's dynamic quantisation of every linear layer, activations as they come."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quantise: Any = torch.ao.quantization.quantize_dynamic
        quantise(mt.engine.module, {nn.Linear}, dtype=torch.qint8, inplace=True)


def bfloat16(mt: Translator) -> None:
    """All weights and states in bfloat16; the logits are compared in float32."""
    engine: Any = mt.engine
    engine.module.to(torch.bfloat16)
    project = engine.project

    def wide(hidden: Tensor) -> Tensor:
        out: Tensor = project(hidden).float()
        return out

    engine.project = wide
