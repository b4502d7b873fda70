"""Where the cue's gender is besides the heads: feed-forward blocks, and the stream by position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuescope.errors import Unfit
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.plans import FEED_FORWARD, STREAM, Edit, layers_of
from cuescope.inside.effect.shares import restored
from cuescope.inside.options import Where
from cuescope.inside.ready import Ready, Twins
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from cuescope.models.translator import Progress, Translator

UNLIKE = "noun or cue of different length in the twins"


class Block(NamedTuple):
    """What a layer's block restores when it says what it says in the twin, at some positions."""

    site: str
    layer: int
    where: Where
    restored: Value

    @property
    def name(self) -> str:
        """Which block, and where it is patched."""
        return f"{self.site} {self.layer} ({self.where})"


def blocks(
    mt: Translator, twins: Ready[Twins], progress: Progress | None = None
) -> tuple[list[Block], Ready[Twins]]:
    """Feed-forward blocks at all positions, the noun's and the cue's; the stream that leaves each
    encoder layer at the noun's and the cue's. And the pairs that could be used."""
    fit = twins.without(["" if _fits(one) else UNLIKE for one in twins])
    if not len(fit):
        raise Unfit("no pair can be used", found=repr(fit.skipped))
    encoder, decoder = (range(layers_of(mt, side)) for side in ("encoder", "decoder"))
    source: tuple[Where, ...] = ("all", "noun", "cue")
    edits = [
        Edit(FEED_FORWARD["encoder"], n, None, where=where) for where in source for n in encoder
    ]
    edits += [Edit(FEED_FORWARD["decoder"], n, None) for n in decoder]
    edits += [Edit(STREAM, n, None, where=where) for where in source[1:] for n in encoder]
    found = restored(mt, fit, [[edit] for edit in edits], progress=progress)
    made = [
        Block(edit.site, edit.layer, edit.where, found.value("restored", at))
        for at, edit in enumerate(edits)
    ]
    return made, fit


def _fits(one: Twins) -> bool:
    wheres: tuple[Where, ...] = ("all", "noun", "cue")
    return all(feeding.matched(one, "male", where) for where in wheres)
