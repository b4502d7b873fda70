"""Tuned heads: their query, key, value and output slices replaced, and no other weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from cuescope.errors import CueScopeError
from cuescope.mend import slices
from cuescope.mend.mend import Mend

if TYPE_CHECKING:
    from torch import Tensor

    from cuescope.data.items import Item
    from cuescope.models.translator import Translator


def values(mend: Mend, mt: Translator) -> Mapping[str, Tensor]:
    """The slices that the mend holds, each of one of its heads."""
    wanted = slices.read(mt, mend.heads)
    if set(wanted) != set(mend.values):
        raise CueScopeError(
            f"this mend does not fit {mt.name}",
            expected=f"{len(wanted)} slices, {', '.join(sorted(wanted)[:2])} …",
            found=f"{len(mend.values)}, {', '.join(sorted(mend.values)[:2])} …",
        )
    return mend.values


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[None]:
    """The tuned slices in the model's own weights, for as long as the `with`."""
    said = f"tuned {mend.signature['values']}"
    return slices.placed(mt, values(mend, mt), said, mend.heads)
