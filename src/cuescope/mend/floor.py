"""A floor under the noun's attention to its cue, as a mend: it must be told where both stand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from cuescope.errors import CueScopeError
from cuescope.inside.edit.floor import floor as floored
from cuescope.mend.mend import Mend

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.inside.heads import Head
    from cuescope.models.translator import Translator


def floor(
    mt: Translator, least: float, *, fitted: str = "nothing", **heads: Sequence[Head]
) -> Mend:
    """A least share of the noun's attention for the cue: `floor(mt, 0.3, encoder=[(2, 1)])`."""
    return Mend.of(mt, "floor", {"least": least}, heads, fitted)


def apply(
    mend: Mend, mt: Translator, items: Sequence[Item] | None = None
) -> AbstractContextManager[None]:
    """The floor under these items' sentences; others have no noun and cue, and are refused."""
    from cuescope.inside.ready import placed

    if not items:
        raise CueScopeError(
            "an attention floor must be told where noun and cue stand",
            expected="the items that are translated: `mend.on(mt, items)`",
            found="none",
        )
    places = [place for item in items if (place := placed(mt, item))]
    return floored(mt, places, mend.numbers["least"], **mend.heads)
