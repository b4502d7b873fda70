"""Path patching: what a head does by way of the noun's value in the layers above it.

The sender speaks as in the twin while every other head of the encoder keeps saying what it said;
what thus reaches the noun is carried, alone, into the values that one later head reads there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import UNLIKE, Feed
from cuescope.inside.effect.measure import leaning, normalised
from cuescope.inside.effect.patch import scores
from cuescope.inside.heads import Head, Hook, Place, hooked, places, recorded, write
from cuescope.inside.options import Measure, Normalise, Side, check_option, check_options
from cuescope.models.translator import by_length
from cuescope.stats.intervals import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuescope.inside.ready import Ready, Twins
    from cuescope.models.translator import Translator
    from cuescope.stats.scores import Scores


def paths(
    mt: Translator,
    twins: Ready[Twins],
    sender: Head,
    *,
    into: Side = "male",
    measure: Measure = "logit difference",
    normalise: Normalise = "mean",
    batch_size: int = 16,
) -> Scores:
    """The effect of an encoder head through the noun's value in each head of the later layers.

    Scores[pair, layer, head] of the receivers; layers up to the sender's have no value.
    """
    check_option("into", into, Side)
    check_options(measure=measure, normalise=normalise)
    mt.head_slice("encoder", *sender)
    layers, heads = mt.sites["encoder"]
    if sender[0] + 1 >= layers:
        raise CueScopeError(
            "no layer comes after the sender",
            expected=f"an encoder layer before the last, {layers - 1}",
            found=str(sender),
        )
    kept = twins.without(["" if one.like_length else UNLIKE for one in twins])
    found = np.full((len(kept), layers, heads), np.nan)
    base, donor = np.zeros(len(kept)), np.zeros(len(kept))
    for some in by_length([len(one.male.encoding) for one in kept], batch_size):
        batch = [kept[n] for n in some]
        base[some], donor[some], effects = _through_values(mt, batch, sender, into, measure)
        for (layer, head), effect in effects.items():
            found[some, layer, head] = effect
    gap = donor - base
    settings = {"measure": measure, "into": into, "sender": f"{sender[0]}.{sender[1]}"}
    shares, per = normalised(found, gap, normalise)
    columns = {"base": base, "twin": donor, "gap": gap}
    return scores(mt, kept, "encoder", "path", shares, settings, per, mt.signature, **columns)


@torch.no_grad()
def _through_values(
    mt: Translator, batch: Sequence[Twins], sender: Head, into: Side, measure: Measure
) -> tuple[Array, Array, dict[Head, Array]]:
    """Base and twin values, and the change through each receiver."""
    fed = feeding.feed(mt, batch, into)
    donors, hidden = feeding.from_twin(mt, batch, into, ["encoder"], "all")
    with recorded(mt, places(mt, ["encoder"])) as said:
        plain = feeding.hidden_of(mt, fed)

    def prefer(hidden: Tensor) -> Array:
        out: Array = leaning(mt, fed, hidden[None], measure)[0]
        return out

    noun = torch.zeros(fed.ids.shape, dtype=torch.bool, device=mt.device)
    for row, one in enumerate(batch):
        noun[row, list(one.twin(into).noun)] = True
    values = _sent(mt, fed, dict(said), donors["encoder", sender[0]].values, sender)
    base = prefer(plain)
    effects = {}
    layers, heads = mt.sites["encoder"]
    for layer in range(sender[0] + 1, layers):
        for head in range(heads):
            edit = _receive(values[layer], mt.head_slice("encoder", layer, head), noun)
            with hooked(mt, [Hook(_value(mt, layer), edit, after=True)]):
                effects[layer, head] = prefer(feeding.hidden_of(mt, fed)) - base
    return base, prefer(hidden), effects


def _sent(
    mt: Translator, fed: Feed, said: dict[Place, Tensor], twin: Tensor, sender: Head
) -> dict[int, Tensor]:
    """The values of the layers above, with the sender as in the twin and all other heads frozen."""
    seen: dict[int, Tensor] = {}

    def frozen(place: Place) -> Any:
        def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...]:
            x = said[place].clone()
            if place[1] == sender[0]:
                part = mt.head_slice("encoder", *sender)
                write(x, part, twin[..., part], None)
            return (x, *args[1:])

        return before

    def keep(layer: int) -> Any:
        def after(_: nn.Module, __: Any, out: Tensor) -> None:
            seen[layer] = out

        return after

    wanted = places(mt, ["encoder"])
    hooks = [Hook(mt.out_proj(*place), frozen(place)) for place in wanted]
    hooks += [Hook(_value(mt, layer), keep(layer), after=True) for _, layer in wanted]
    with hooked(mt, hooks):
        mt.engine.encode(fed.ids, fed.mask)
    return seen


def _receive(values: Tensor, part: slice, noun: Tensor) -> Any:
    def after(_: nn.Module, __: Any, out: Tensor) -> Tensor:
        out = out.clone()
        write(out, part, values[..., part], noun)
        return out

    return after


def _value(mt: Translator, layer: int) -> nn.Module:
    """The projection that makes the values of an encoder layer's heads."""
    found = getattr(mt.attention("encoder", layer), mt.family.value)
    assert isinstance(found, nn.Module)
    return found
