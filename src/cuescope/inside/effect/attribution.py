"""Attribution patching: the effect of all heads at once, from two forwards and one backward.

A head's effect is estimated by its gradient: (what the twin says − what it says) · ∂measure. It is
exact where the rest of the model is linear between the twins; `steps` averages the gradient over
points between them, which is closer and costs a forward and a backward each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from cuescope.errors import Unfit
from cuescope.files.chunks import each
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.feed import UNLIKE, Feed
from cuescope.inside.effect.measure import normalised, preference
from cuescope.inside.effect.patch import scores
from cuescope.inside.effect.ways import each_way
from cuescope.inside.heads import Hook, Place, every_head, hooked, layer_of, places
from cuescope.inside.options import Measure, Patching
from cuescope.models.translator import by_length
from cuescope.models.turn import alone
from cuescope.stats.scores import Scores

if TYPE_CHECKING:
    from cuescope.inside.ready import Ready, Twins
    from cuescope.models.translator import Progress, Translator


def attribute(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str] = ("encoder",),
    how: Patching = Patching(),
    *,
    steps: int = 0,
    batch_size: int = 32,
    progress: Progress | None = None,
) -> dict[str, Scores]:
    """The estimated effect of each head, in the shape and units of `patch`.

    `steps` > 0: the integrated variant, for twins of like length.
    """
    every_head(mt, sites)
    return each_way(
        how, lambda one: _one_way(mt, twins, sites, one, max(steps, 0), batch_size, progress)
    )


def _one_way(
    mt: Translator,
    twins: Ready[Twins],
    sites: Sequence[str],
    how: Patching,
    steps: int,
    batch_size: int,
    progress: Progress | None,
) -> dict[str, Scores]:
    """The estimates in one direction."""
    reasons = [_reason(one, sites, how, steps) for one in twins]
    fit = twins.without(reasons)
    if not len(fit):
        raise Unfit("no pair can be used", found=repr(fit.skipped))
    found = {site: np.zeros((len(fit), *mt.sites[site])) for site in sites}
    base, donor = np.zeros(len(fit)), np.zeros(len(fit))
    batches = list(by_length([len(one.male.encoding) for one in fit], batch_size))
    work = [
        (
            f"attribute {how.side} {some[0]} and {len(some) - 1} more",
            partial(_plain, mt, [fit[n] for n in some], sites, how, steps),
        )
        for some in batches
    ]
    for some, (plain, twin, effects) in zip(batches, each(work), strict=True):
        base[some], donor[some] = plain, twin
        for site, layer, effect in effects:
            found[site][some, layer] = effect
        if progress:
            progress(len(some))
    gap, made, whose = donor - base, {}, mt.signature
    for site, change in found.items():
        shares, per = normalised(change, gap, how.normalise)
        facts = {**how.facts(), "steps": steps}
        columns = {"base": base, "twin": donor, "gap": gap}
        made[site] = scores(mt, fit, site, "attribution", shares, facts, per, whose, **columns)
    return made


def _plain(
    mt: Translator, batch: Sequence[Twins], sites: Sequence[str], how: Patching, steps: int
) -> tuple[Any, Any, list[Any]]:
    """Base and twin values, and the changes of each layer of a site as arrays."""
    (base, twin), effects = _estimate(mt, batch, sites, how, steps)
    arrays = [(*place, effect.double().cpu().numpy()) for place, effect in effects.items()]
    return base, twin, arrays


def _reason(one: Twins, sites: Sequence[str], how: Patching, steps: int) -> str:
    if steps and not one.like_length:
        return UNLIKE
    unlike = "encoder" in sites and feeding.matched(one, how.side, how.where) is None
    return UNLIKE if unlike else ""


def _estimate(
    mt: Translator,
    batch: Sequence[Twins],
    sites: Sequence[str],
    how: Patching,
    steps: int,
) -> tuple[tuple[Any, Any], dict[Place, Tensor]]:
    """Base and twin values, and each head's estimated change [pair, head] by layer."""
    into, measure = how.side, how.measure
    fed = feeding.feed(mt, batch, into)
    with torch.no_grad(), _embedded(mt) as theirs:
        donors, hidden = feeding.from_twin(mt, batch, into, sites, how.where)
        twin = preference(mt, hidden, fed.feminine, fed.masculine, measure)
    wanted = places(mt, sites)
    with torch.no_grad(), _embedded(mt) as ours:
        plain, said, _ = _with_gradients(mt, fed, wanted, measure, None)
    points = [(step + 0.5) / steps for step in range(steps)] or [0.0]
    total: dict[Place, Tensor] = {}
    for point in points:
        between = ours[0] + point * (theirs[0] - ours[0]) if steps else None
        with torch.enable_grad():
            value, _, probes = _with_gradients(mt, fed, wanted, measure, between)
            slopes = torch.autograd.grad(value.sum(), list(probes.values()))
        for place, slope in zip(probes, slopes, strict=True):
            total[place] = total.get(place, 0) + slope / len(points)
    effects = {}
    for place, slope in total.items():
        change = (donors[place].values - said[place]) * slope
        at = donors[place].at
        if at is not None:
            change = change * at[..., None]
        heads = mt.sites[place[0]][1]
        effects[place] = change.view(*change.shape[:2], heads, -1).sum((1, 3))
    return (plain.cpu().numpy(), twin.cpu().numpy()), effects


def _with_gradients(
    mt: Translator, fed: Feed, wanted: Sequence[Place], measure: Measure, embedded: Tensor | None
) -> tuple[Tensor, dict[Place, Tensor], dict[Place, Tensor]]:
    """The measure, what each layer's heads said, and a zero added to it that has a gradient."""
    said: dict[Place, Tensor] = {}
    probes: dict[Place, Tensor] = {}

    def hook(place: Place) -> Any:
        def before(_: nn.Module, args: tuple[Any, ...]) -> tuple[Any, ...]:
            said[place] = args[0].detach()
            probes[place] = torch.zeros_like(args[0], requires_grad=True)
            return (args[0] + probes[place], *args[1:])

        return before

    with ExitStack() as stack:
        hooks = [Hook(mt.out_proj(*place), hook(place)) for place in wanted]
        stack.enter_context(hooked(mt, hooks))
        if embedded is not None:
            stack.enter_context(embedding(mt, embedded))
        hidden = feeding.hidden_of(mt, fed)
    value = preference(mt, hidden, fed.feminine, fed.masculine, measure)
    return value, said, probes


@alone
def embedding(mt: Translator, values: Tensor) -> Iterator[None]:
    """The encoder starts from these embeddings [row, position, width], positions included."""

    def before(_: nn.Module, args: Any) -> Any:
        return (values, *args[1:])

    with hooked(mt, [Hook(layer_of(mt, "encoder", 0), before)]):
        yield


@contextmanager
def _embedded(mt: Translator) -> Iterator[list[Tensor]]:
    """What the encoder's first layer is given."""
    seen: list[Tensor] = []

    def keep(_: nn.Module, args: Any) -> None:
        seen.insert(0, args[0].detach())

    with hooked(mt, [Hook(layer_of(mt, "encoder", 0), keep)]):
        yield seen


def embedded(mt: Translator, ids: Tensor, mask: Tensor) -> Tensor:
    """The embeddings of these ids as the first encoder layer sees them."""
    with torch.no_grad(), _embedded(mt) as seen:
        mt.engine.encode(ids, mask)
    return seen[0]
