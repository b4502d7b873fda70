"""Gated units: a few more in the feed-forward blocks, which fire only where a cue is or has come.

Those of the encoder take the cue to the noun; those of the decoder say what the noun has become:
after *a conta* still *dora*. A rectified unit below its threshold adds exactly nothing, so a
sentence without a cue is translated by the very numbers of before; and no weight that was there is
touched. Where a model's units are smooth (swish, gelu), the new ones listen `SHARP` times as hard
and say that much less: rectified, to the last digit, wherever they are not within a hair of their
threshold.
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
SIDES = ("encoder", "decoder")
BALLAST = 8  # units of a block that never fire
SHARP = 64.0  # a power of two: it costs no digit
_SMOOTH = ("swish", "silu", "gelu", "gelu_new")


def blocks(mt: Translator) -> dict[str, Any]:
    """What holds `fc1` and `fc2` of each feed-forward block, by name: encoder.0, …, decoder.1."""
    found: dict[str, Any] = {}
    for side in SIDES:
        stack: Any = getattr(mt.engine, side, None) or getattr(mt.engine.module, f"get_{side}")()
        layers = list(getattr(stack, "layers", ()))
        found |= {f"{side}.{n}": getattr(layer, "ffn", layer) for n, layer in enumerate(layers)}
    two = all(isinstance(getattr(block, "fc1", None), nn.Linear) for block in found.values())
    if not found or not two or activation(mt) not in ("relu", *_SMOOTH):
        raise CueScopeError(
            f"{mt.name} cannot have gated units",
            expected=f"blocks of two matrices with relu, {', '.join(_SMOOTH)} between them",
            found=f"{type(mt.engine.module).__name__}, {activation(mt)}",
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
    mine = [name for name in there if name.startswith(tuple(sides(mend)))]
    wanted = {f"{name}.{part}" for name in mine for part in PARTS}
    shapes = {tuple(mend.values[name].shape) for name in wanted & set(mend.values)}
    many, width = count(mend), there["encoder.0"].fc1.in_features
    if wanted != set(mend.values) or shapes != {(many, width), (many,), (width, many)}:
        raise CueScopeError(
            f"this mend does not fit {mt.name}",
            expected=f"units for the {len(there)} blocks of width {width}, or for those of a side",
            found=f"{len(mend.values)} tensors of the shapes {sorted(shapes)}",
            do="load the model that it was fitted on",
        )
    return mend.values


def count(mend: Mend) -> int:
    """How many units a block gets."""
    return next((len(value) for name, value in mend.values.items() if name.endswith(".bias")), 0)


def sides(mend: Mend) -> set[str]:
    """Where the mend has units: encoder, decoder."""
    return {name.split(".")[0] for name in mend.values}


def by_block(units: Mapping[str, Tensor]) -> dict[str, tuple[Tensor, Tensor, Tensor]]:
    """What units hear, their bias, what they say: of each block that has some."""
    names = dict.fromkeys(name.rsplit(".", 1)[0] for name in units)
    return {
        name: (units[f"{name}.in"], units[f"{name}.bias"], units[f"{name}.out"]) for name in names
    }


@torch.no_grad()
def widen(mt: Translator, units: Mapping[str, Tensor]) -> None:
    """Put the units into the model's blocks, as their last ones."""
    sharp = 1.0 if activation(mt) == "relu" else SHARP
    there = blocks(mt)
    for block_name, (into, bias, out) in by_block(units).items():
        block = there[block_name]
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
    before = [(block, block.fc1, block.fc2) for block in blocks(mt).values()]
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


def on_grid(units: Mapping[str, Tensor], grids: Mapping[str, Grid]) -> dict[str, Tensor]:
    """Units as the file's int8 holds them, with their ballast; biases stay as they are.

    The engine shifts activations by 127 to make them unsigned and takes the shift away again in
    float. So that this too is the same number as before, the units' weights into every place
    must sum to zero: the last units, which never fire, have what is needed for that.
    """
    found = {}
    for name, value in units.items():
        block, part = name.rsplit(".", 1)
        step = {"in": grids[block].into, "out": grids[block].out}.get(part, 0.0)
        whole = (value * step).round().clamp(-127, 127) if step else value.clone()
        if step and part == "out":
            _balance(whole)
        found[name] = whole / step if step else whole
    for into, bias, _ in by_block(found).values():
        into[-BALLAST:] = 0.0
        bias[-BALLAST:] = -1.0
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


def as_marian(units: Mapping[str, Tensor]) -> dict[str, Units]:
    """The units by block, as Marian writes its matrices."""
    from cuescope.models.marian_grow import Units

    found = {}
    for name, some in by_block(units).items():
        into, bias, out = (part.detach().cpu().numpy() for part in some)
        found[name] = Units(into.T, bias, out.T)
    return found
