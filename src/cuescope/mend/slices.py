"""A head's slices of its layer's weights, read and replaced.

They are `head_slice` rows of the query, key and value projections, and as many columns of the
output projection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Head, Heads, by_layer, signed
from cuescope.models.turn import alone

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

LETTERS = "qkvo"


def key(site: str, head: Head, letter: str) -> str:
    """The name of a slice.

    >>> key("encoder", (2, 1), "q")
    'encoder.2.1.q'
    """
    return f"{site}.{head[0]}.{head[1]}.{letter}"


def parts(name: str) -> tuple[str, Head, str]:
    """A slice's site, head and letter, from its name."""
    site, layer, head, letter = name.split(".")
    return site, (int(layer), int(head)), letter


def projection(mt: Translator, site: str, layer: int, letter: str) -> nn.Linear:
    """The query, key, value or output projection of a layer."""
    if letter == "o":
        return mt.out_proj(site, layer)
    found = getattr(mt.attention(site, layer), f"{letter}_proj", None)
    if not isinstance(found, nn.Linear):
        raise CueScopeError(
            f"heads of {mt.name} cannot be tuned",
            expected=f"a projection of its own for each of {', '.join(LETTERS)}",
            found=f"{type(mt.attention(site, layer)).__name__} without {letter}_proj",
        )
    return found


def view(mt: Translator, name: str, weight: Tensor) -> Tensor:
    """A head's part of a projection's weight, not copied: rows, or for the output columns."""
    site, head, letter = parts(name)
    part = mt.head_slice(site, *head)
    return weight[:, part] if letter == "o" else weight[part]


def read(mt: Translator, heads: Heads, letters: Iterable[str] = LETTERS) -> dict[str, Tensor]:
    """The slices of these heads as the model has them now, by name; copies."""
    by_layer(mt, heads)  # each is there
    names = [key(site, h, x) for site, some in heads.items() for h in some for x in letters]
    return {name: view(mt, name, _weight(mt, name).detach()).clone() for name in names}


def _weight(mt: Translator, name: str) -> Tensor:
    site, (layer, _), letter = parts(name)
    return projection(mt, site, layer, letter).weight


@torch.no_grad()
def put(mt: Translator, values: Mapping[str, Tensor]) -> None:
    """Write slices into the model's weights; all of them fit, or nothing is written."""
    for name, value in values.items():
        there = view(mt, name, _weight(mt, name))
        if there.shape != value.shape:
            raise CueScopeError(
                f"this mend does not fit {mt.name}",
                expected=f"{name} of shape {list(there.shape)}",
                found=str(list(value.shape)),
                do="load the model that it was fitted on",
            )
    for name, value in values.items():
        weight = _weight(mt, name)
        view(mt, name, weight).copy_(value.to(weight))


@alone
def placed(mt: Translator, values: Mapping[str, Tensor], said: str, heads: Heads) -> Iterator[None]:
    """The slices in place for as long as the `with`, and the old ones back, bit for bit."""
    known = mt.signature  # the hash of the weights is taken before they change
    before = {name: view(mt, name, _weight(mt, name).detach()).clone() for name in values}
    if all(torch.equal(before[name], value.to(before[name])) for name, value in values.items()):
        raise CueScopeError(
            f"this mend changes nothing in {mt.name} {known['weights']}",
            expected="slices that differ from the model's own",
            found=f"{len(values)} equal ones",
            do="fit it, or take another factor",
        )
    try:
        put(mt, values)
        with signed(mt, said, heads):
            yield
    finally:
        put(mt, before)
