"""Gated units: a few more in the encoder's feed-forward blocks, which fire only where a cue is.

A rectified unit below its threshold adds exactly nothing, so a sentence without a cue is translated
by the very numbers of before; and no weight that was there is touched. Where a model's units are
smooth (swish, gelu), the new ones listen `SHARP` times as hard and say that much less: rectified,
to the last digit, wherever they are not within a hair of their threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.heads import signed
from cuescope.mend.mend import Mend
from cuescope.models.turn import alone

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.models.marian_grow import Grid, Units
    from cuescope.models.translator import Translator

PARTS = ("in", "bias", "out")
BALLAST = 8  # units of a block that never fire
SHARP = 64.0  # a power of two: it costs no digit
_SMOOTH = ("swish", "silu", "gelu", "gelu_new")


def blocks(mt: Translator) -> list[Any]:
    """What holds `fc1` and `fc2` of each of the encoder's feed-forward blocks."""
    encoder: Any = getattr(mt.engine, "encoder", None) or mt.engine.module.get_encoder()  # type: ignore[operator]
    layers = list(getattr(encoder, "layers", ()))
    found = [getattr(layer, "ffn", layer) for layer in layers]
    two = all(isinstance(getattr(block, "fc1", None), nn.Linear) for block in found)
    if not found or not two or activation(mt) not in ("relu", *_SMOOTH):
        raise CueScopeError(
            f"{mt.name} cannot have gated units",
            expected=f"blocks of two matrices with relu, {', '.join(_SMOOTH)} between them",
            found=f"{type(encoder).__name__}, {activation(mt)}",
            do="tune heads: `cuescope mend fit --kind tuned`",
        )
    return found


def activation(mt: Translator) -> str:
    """What is between the matrices of a block, as the model's configuration names it."""
    config: Any = mt.engine.module.config
    names = ("activation", "activation_function", "dense_act_fn")
    return str(next((getattr(config, n) for n in names if hasattr(config, n)), "unknown"))


def values(mend: Mend, mt: Translator) -> Mapping[str, Tensor]:
    """The units that the mend holds, checked against the model's blocks."""
    there = blocks(mt)
    wanted = {f"encoder.{n}.{part}" for n in range(len(there)) for part in PARTS}
    shapes = {tuple(mend.values[name].shape) for name in wanted & set(mend.values)}
    many, width = count(mend), there[0].fc1.in_features
    if wanted != set(mend.values) or shapes != {(many, width), (many,), (width, many)}:
        raise CueScopeError(
            f"this mend does not fit {mt.name}",
            expected=f"units for {len(there)} blocks of width {width}",
            found=f"{len(mend.values)} tensors of the shapes {sorted(shapes)}",
            do="load the model that it was fitted on",
        )
    return mend.values


def count(mend: Mend) -> int:
    """How many units a block gets."""
    return len(mend.values.get("encoder.0.bias", ()))


@torch.no_grad()
def widen(mt: Translator, units: Mapping[str, Tensor]) -> None:
    """Put the units into the model's blocks, as their last ones."""
    sharp = 1.0 if activation(mt) == "relu" else SHARP
    for number, block in enumerate(blocks(mt)):
        into, bias, out = (units[f"encoder.{number}.{part}"] for part in PARTS)
        into, bias, out = into * sharp, bias * sharp, out / sharp
        for name, weights, biases in (
            ("fc1", [block.fc1.weight, into], [block.fc1.bias, bias]),
            ("fc2", [block.fc2.weight, out], [block.fc2.bias]),
        ):
            whole = torch.cat([w.to(weights[0]) for w in weights], 0 if name == "fc1" else 1)
            made = nn.Linear(whole.shape[1], whole.shape[0]).to(whole)
            made.weight.copy_(whole)
            made.bias.copy_(torch.cat([b.to(whole) for b in biases]))
            setattr(block, name, made.requires_grad_(False))


@alone
def _placed(mt: Translator, units: Mapping[str, Tensor], said: str) -> Iterator[None]:
    _ = mt.signature  # the hash of the weights is taken before they change
    before = [(block, block.fc1, block.fc2) for block in blocks(mt)]
    try:
        widen(mt, units)
        with signed(mt, said):
            yield
    finally:
        for block, first, second in before:
            block.fc1, block.fc2 = first, second


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[None]:
    """The units in the model's blocks, for as long as the `with`."""
    return _placed(mt, values(mend, mt), f"gated {mend.signature['values']}")


def louder(units: Mapping[str, Tensor], factor: float) -> dict[str, Tensor]:
    """Units that say so many times as much, and fire where they did."""
    return {n: value * factor if n.endswith(".out") else value for n, value in units.items()}


def on_grid(units: Mapping[str, Tensor], grids: Mapping[int, Grid]) -> dict[str, Tensor]:
    """Units as the file's int8 holds them, with their ballast; biases stay as they are.

    The engine shifts activations by 127 to make them unsigned and takes the shift away again in
    float. So that this too is the same number as before, the units' weights into every place
    must sum to zero: the last units, which never fire, have what is needed for that.
    """
    found = {}
    for name, value in units.items():
        _, layer, part = name.split(".")
        grid = grids[int(layer)]
        step = {"in": grid.into, "out": grid.out}.get(part, 0.0)
        if not step:
            found[name] = value.clone()
            continue
        whole = (value * step).round().clamp(-127, 127)
        if part == "out":
            _balance(whole)
        found[name] = whole / step
    for number in range(len(units) // len(PARTS)):
        found[f"encoder.{number}.in"][-BALLAST:] = 0.0
        found[f"encoder.{number}.bias"][-BALLAST:] = -1.0
    return found


def _balance(whole: Tensor) -> None:
    """Fill the last columns so that every row of whole numbers sums to zero; in place."""
    most = 127 * BALLAST
    live = whole[:, :-BALLAST]
    for row in ((live.sum(1).abs() > most).nonzero()[:, 0]).tolist():  # too one-sided: shrink it
        live[row] = (live[row] * (most / 2 / float(live[row].sum().abs()))).round()
    need = -live.sum(1)
    for at in range(BALLAST):
        part = need.clamp(-127, 127)
        whole[:, whole.shape[1] - BALLAST + at] = part
        need = need - part


def as_marian(units: Mapping[str, Tensor]) -> dict[int, Units]:
    """The units by layer, as Marian writes its matrices."""
    from cuescope.models.marian_grow import Units

    def array(layer: int, part: str) -> Any:
        return units[f"encoder.{layer}.{part}"].detach().cpu().numpy()

    layers = range(len(units) // len(PARTS))
    return {n: Units(array(n, "in").T, array(n, "bias"), array(n, "out").T) for n in layers}
