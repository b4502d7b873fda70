"""Heads taken out or made louder, for as long as a `with`: anything run inside runs under it.

They hold for a forward pass and for generation alike, they nest, they raise if they met nothing,
and they leave the model as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.edit.follow import Follower, followed
from cuescope.inside.heads import Head, Hook, Place, by_layer, hooked, recorded, signed
from cuescope.inside.options import Value, check_options
from cuescope.models.turn import alone
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

Edit = Callable[[Place, Tensor], Tensor | None]  # the heads side by side → edited, or left


@alone
def editing(mt: Translator, places: Sequence[Place], edit: Edit) -> Iterator[None]:
    """Edit what enters these layers' output projections; raise if one of them was never met."""
    met, recalled = dict.fromkeys(places, 0), mt.recalled

    def hook(place: Place) -> Any:
        def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
            edited = edit(place, args[0])
            if edited is None:
                return None
            if edited.shape != args[0].shape:
                raise another_shape(place, args[0], edited)
            met[place] += 1
            return (edited, *args[1:])

        return before

    with hooked(mt, [Hook(mt.out_proj(*place), hook(place)) for place in places]):
        yield
    if mt.recalled == recalled:  # what was kept of it had met it before
        check_met(met)


def check_met(met: dict[Place, int]) -> None:
    """Raise for what was never met."""
    for (site, layer), times in met.items():
        if not times:
            raise CueScopeError(
                f"an intervention at {site} layer {layer} met nothing",
                expected="a forward pass or a translation inside the `with`",
                found="none that runs that layer",
                do="run the model inside the `with`; `decode` for decoder and cross",
            )


def another_shape(place: Place, x: Tensor, found: Tensor) -> CueScopeError:
    """What is said where values do not fit a head."""
    return CueScopeError(
        f"an intervention met another shape at {place[0]} layer {place[1]}",
        expected=str(list(x.shape)),
        found=str(list(found.shape)),
        do="give values for the sentences that are run",
    )


@alone
def scale(mt: Translator, factor: float, **heads: Sequence[Head]) -> Iterator[None]:
    """Make heads louder or softer: `scale(mt, 2.0, encoder=[(2, 1)])`."""
    wanted = by_layer(mt, heads)

    def edit(place: Place, x: Tensor) -> Tensor:
        x = x.clone()
        for head in wanted[place]:
            x[..., mt.head_slice(*place, head)] *= factor
        return x

    with signed(mt, f"scale {factor:g}", heads), editing(mt, list(wanted), edit):
        yield


@alone
def ablate(
    mt: Translator,
    value: Value = "zero",
    *,
    over: Sequence[str] | None = None,
    seed: int = 0,
    **heads: Sequence[Head],
) -> Iterator[None]:
    """Take heads out: `ablate(mt, "mean", encoder=[(2, 5)])`.

    zero: they say nothing. mean: what they say on average over the words of `over` (sentences).
    resample: what they said somewhere in `over`, drawn anew for each position.
    """
    wanted = by_layer(mt, heads)
    place_of = Follower(mt.engine)
    draw = replacement(mt, list(wanted), value, over, seed)

    def edit(place: Place, x: Tensor) -> Tensor:
        first = 0 if place[0] == "encoder" else place_of.at
        values = draw(place, first, x.shape[1])
        if values.shape[-1] != x.shape[-1]:
            raise another_shape(place, x, values)
        x = x.clone()
        for head in wanted[place]:
            part = mt.head_slice(*place, head)
            x[..., part] = values[..., part]
        return x

    named = f"ablate {value}" if value == "zero" else f"ablate {value} {_told(over, seed)}"
    with signed(mt, named, heads), followed(mt, place_of), editing(mt, list(wanted), edit):
        yield


def _told(over: Sequence[str] | None, seed: int) -> str:
    return f"seed {seed} over {hash_text(over) if over is not None else 'simplegen'}"


def replacement(
    mt: Translator, places: Sequence[Place], value: Value, over: Sequence[str] | None, seed: int = 0
) -> Callable[[Place, int, int], Tensor]:
    """(place, first position, how many) → what ablated heads say there [1, 1 or many, width]."""
    check_options(value=value)
    if value == "zero":
        return partial(_nothing, mt)
    pools = said(mt, places, over)
    if value == "mean":
        return partial(_mean, {place: pool.mean(0)[None, None] for place, pool in pools.items()})
    generator = torch.Generator().manual_seed(seed)
    order = torch.randint(2**31, (mt.engine.longest,), generator=generator)
    return partial(_resampled, pools, order)


def _nothing(mt: Translator, place: Place, first: int, count: int) -> Tensor:
    return torch.zeros(1, 1, mt.out_proj(*place).in_features, device=mt.device)


def _mean(means: Mapping[Place, Tensor], place: Place, first: int, count: int) -> Tensor:
    return means[place]


def _resampled(
    pools: Mapping[Place, Tensor], order: Tensor, place: Place, first: int, count: int
) -> Tensor:
    pool = pools[place]
    chosen = order[first : first + count] % len(pool)
    return pool[chosen.to(pool.device)][None]


@torch.no_grad()
def said(mt: Translator, places: Sequence[Place], over: Sequence[str] | None) -> dict[Place, Any]:
    """What heads say over some sentences [position, width], in the model's own translations."""
    texts = list(reference(mt) if over is None else over)
    batch = mt.batch(texts)
    with recorded(mt, places) as seen:
        states = mt.engine.encode(batch.ids, batch.mask)
        kept = batch.mask.bool()
        if all(site == "encoder" for site, _ in places):
            return {place: values[kept] for place, values in seen.items()}
        found = [hypothesis.ids for hypothesis in mt.generate(texts)]
        width = max(map(len, found))
        padded = [[*ids, *[mt.engine.target_pad_id] * (width - len(ids))] for ids in found]
        states = mt.engine.encode(batch.ids, batch.mask)
        inputs = mt.decoder_inputs(torch.tensor(padded, device=mt.device))
        mt.engine.decode(states, batch.mask, inputs)
    steps = torch.tensor([[step < len(ids) for step in range(width)] for ids in found])
    return {p: v[kept if p[0] == "encoder" else steps.to(mt.device)] for p, v in seen.items()}


def reference(mt: Translator) -> list[str]:
    """Sentences to average over where none are given: a few of SimpleGEN, which are shipped."""
    from cuescope.data import load
    from cuescope.models.languages import short

    if short(mt.src) not in (None, "en"):
        raise CueScopeError(
            f"{mt.name} does not translate from English",
            expected="sentences to average over",
            found="none",
            do="give some: over=[…]",
        )
    return [item.text for item in load("simplegen")[::48]]
