"""Louder heads: what they say, times a factor. The cheapest mend, and it does not aim.

The factor is put on the heads' columns of the output projection, so that folding it into the
weights is the very same arithmetic; `mt.scale` does it to what enters the projection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from cuescope.mend import slices
from cuescope.mend.mend import Mend

if TYPE_CHECKING:
    from torch import Tensor

    from cuescope.data.items import Item
    from cuescope.inside.heads import Head
    from cuescope.models.translator import Translator


def louder(
    mt: Translator, factor: float, *, fitted: str = "nothing", **heads: Sequence[Head]
) -> Mend:
    """Heads made louder, as a mend: `louder(mt, 6.0, encoder=[(2, 1)])`."""
    return Mend.of(mt, "louder", {"factor": factor}, heads, fitted)


def values(mend: Mend, mt: Translator) -> Mapping[str, Tensor]:
    """The output slices of the heads, times the factor."""
    before = slices.read(mt, mend.heads, "o")
    return {name: value * mend.numbers["factor"] for name, value in before.items()}


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[None]:
    """The heads of the mend times its factor, for as long as the `with`."""
    said = f"louder {mend.numbers['factor']:g}"
    return slices.placed(mt, values(mend, mt), said, mend.heads)
