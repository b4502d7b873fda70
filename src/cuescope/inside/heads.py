"""Heads by site, and what they say: the input of each layer's output projection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.models.turn import alone, own

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

Head = tuple[int, int]  # layer, head
Heads = Mapping[str, Sequence[Head]]  # by site
Named = Head | str  # as people write it: (2, 1) or "2.1"
Given = Named | Sequence[Named]
Place = tuple[str, int]  # site, layer


def head_of(given: object) -> Head:
    """A head as people write it.

    >>> head_of("2.1"), head_of((2, 1))
    ((2, 1), (2, 1))
    """
    parts = given.split(".") if isinstance(given, str) else given
    try:
        layer, head = (int(part) for part in parts)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise CueScopeError(
            "heads are named by layer and head", expected='"2.1" or (2, 1)', found=repr(given)
        ) from None
    return layer, head


def named(heads: Mapping[str, Given]) -> dict[str, list[Head]]:
    """Heads by site, however they are written; one alone needs no list.

    >>> named({"encoder": "2.1", "cross": [(1, 2), "0.3"]})
    {'encoder': [(2, 1)], 'cross': [(1, 2), (0, 3)]}
    """
    return {site: [head_of(one) for one in _several(given)] for site, given in heads.items()}


def _several(given: object) -> Sequence[object]:
    alone = isinstance(given, str) or (
        isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, int) for x in given)
    )
    return [given] if alone else list(given)  # type: ignore[call-overload]


def by_layer(mt: Translator, heads: Heads) -> dict[Place, list[int]]:
    """The heads of each site's layer, each checked to be there."""
    found: dict[Place, list[int]] = {}
    for site, wanted in heads.items():
        for layer, head in wanted:
            mt.head_slice(site, layer, head)
            found.setdefault((site, layer), []).append(head)
    if not found:
        raise CueScopeError(
            "no head is named",
            expected="heads by site, as encoder=[(2, 5)]",
            found=str(dict(heads)),
            do=f"name heads of {', '.join(mt.sites)}; `mt.sites` counts them",
        )
    return found


def every_head(mt: Translator, sites: Sequence[str]) -> dict[str, list[Head]]:
    """All heads of these sites."""
    for site in sites:
        mt.attention(site, 0)
    return {
        site: [(a, b) for a in range(mt.sites[site][0]) for b in range(mt.sites[site][1])]
        for site in sites
    }


def places(mt: Translator, sites: Sequence[str]) -> list[Place]:
    """All layers of these sites."""
    return [(site, layer) for site in sites for layer in range(mt.sites[site][0])]


def layer_of(mt: Translator, side: str, layer: int) -> nn.Module:
    """A whole layer of the encoder or the decoder, as the model itself calls it."""
    path = mt.family.encoder if side == "encoder" else mt.family.cross
    found = mt.family._resolve(mt.engine.module, path.split("{}")[0] + str(layer))
    assert isinstance(found, nn.Module)
    return found


class Hook(NamedTuple):
    """What stands before (or after) a module of the model while a `with` lasts."""

    module: nn.Module
    call: Callable[..., Any]
    after: bool = False
    kwargs: bool = False  # is it given the keywords, too?


@alone
def hooked(mt: Translator, hooks: Iterable[Hook]) -> Iterator[None]:
    """Hooks for this thread alone, gone afterwards, after an exception too."""
    with ExitStack() as stack:
        for module, call, after, kwargs in hooks:
            add = module.register_forward_hook if after else module.register_forward_pre_hook
            stack.callback(add(own(call), with_kwargs=kwargs).remove)
        yield


@alone
def signed(mt: Translator, what: str, heads: Heads | None = None) -> Iterator[None]:
    """Say in every signature made inside that an intervention was on."""
    named = [
        f"{site} {'+'.join(f'{layer}.{head}' for layer, head in some)}"
        for site, some in (heads or {}).items()
    ]
    mt.interventions.append(" ".join([what, *named]))
    try:
        yield
    finally:
        mt.interventions.pop()


@alone
def recorded(mt: Translator, wanted: Sequence[Place]) -> Iterator[dict[Place, Tensor]]:
    """What the heads of these layers said in the last call: [row, position, heads side by side]."""
    seen: dict[Place, Tensor] = {}
    with hooked(mt, [listening(mt, place, seen) for place in wanted]):
        yield seen


def listening(mt: Translator, place: Place, seen: dict[Place, Tensor]) -> Hook:
    """Put what the heads of a layer say, side by side, into `seen`."""

    def before(_: nn.Module, args: tuple[Any, ...]) -> None:
        seen[place] = args[0]

    return Hook(mt.out_proj(*place), before)


def write(x: Tensor, part: slice, values: Tensor, at: Tensor | None) -> None:
    """Put `values` into a head's slice of x, where `at` [row, position] says so."""
    old = x[..., part]
    new = values.expand_as(old)
    x[..., part] = new if at is None else torch.where(at[..., None], new, old)
