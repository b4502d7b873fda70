"""On target and off: what a head does to the noun the cue is about, and to the other person's noun.

Both on the same pairs and in the same unit, the gap between the twins at the focus noun: a head
that moves the other noun as far as the focus noun has 1 over 1, whatever the model makes of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cuescope.errors import Unfit
from cuescope.stats import measured
from cuescope.stats.intervals import Array, Clusters, estimate, ratio
from cuescope.stats.scores import Grid, Scores
from cuescope.stats.value import Value

Side = Literal["male", "female"]
SIDES: tuple[Side, Side] = ("male", "female")


@dataclass(frozen=True, eq=False)
class OffTarget:
    """The heads of a site: `on` and `off` as shares of the focus noun's gap, `spill` off over on.

    `whole` is what the cue itself does: the other noun's gap over the focus noun's. A head whose
    spill-over is that of `whole` passes the cue on as the model does.
    """

    on: Grid
    off: Grid
    spill: Grid
    whole: Value

    def head(self, layer: int, head: int) -> dict[str, Value]:
        """On, off and spill of one head."""
        grids = {"on": self.on, "off": self.off, "spill": self.spill}
        return {name: _at(name, grid, layer, head) for name, grid in grids.items()}


def _at(name: str, grid: Grid, layer: int, head: int) -> Value:
    value, low, high = (float(x[layer, head]) for x in (grid.values, grid.low, grid.high))
    percent = name != "spill"
    return Value(name, value, low, high, grid.n, grid.signature, percent, grid.over)


def off_target(
    on: Mapping[Side, Scores], off: Mapping[Side, Scores], others: Mapping[int, str]
) -> OffTarget:
    """Scores of patching towards the focus noun and towards the other noun, by direction.

    `off` must be plain changes (normalise="none"); `others` names the other noun of each pair.
    """
    scores = [*on.values(), *off.values()]
    known = [set(one.rows["pair"]) for one in scores]
    pairs = [pair for pair in scores[0].rows["pair"] if all(pair in each for each in known)]
    if not pairs:
        raise Unfit("no pair has a choice at both nouns", found=f"{len(scores[0])} at one")
    parts = [_changes(on[side], off[side], pairs) for side in SIDES]
    ours, theirs, gap, beside = (sum(each) / len(SIDES) for each in zip(*parts, strict=True))
    rows = on["male"].rows.iloc[_places(on["male"], pairs)]
    labels = {name: rows[name].tolist() for name in ("noun", "template") if name in rows}
    shared = Clusters(**{"other noun": [others[pair] for pair in pairs]}, **labels)
    here = np.broadcast_to(gap[:, None, None], ours.shape)

    def grid(name: str, over: Array, under: Array) -> Grid:
        found = estimate(np.stack([over, under], axis=-1), ratio, shared)
        numbers = (found.value, found.low, found.high)
        first = on["male"]
        facts = first.signature | {"into": "both"}
        site = first.site
        return Grid(*numbers, len(pairs), site, name, "pair", signature=facts, over=found.over)

    return OffTarget(
        on=grid("on target", ours, here),
        off=grid("off target", theirs, here),
        spill=grid("spill-over", theirs, ours),
        whole=measured(
            "gap of the other noun over the focus noun's",
            np.stack([beside, gap], axis=1),
            ratio,
            shared,
            percent=False,
            signature=on["male"].signature | {"into": "both"},
        ),
    )


def _changes(on: Scores, off: Scores, pairs: Sequence[int]) -> tuple[Array, Array, Array, Array]:
    """Changes of both nouns' choices and both gaps, all in mean gaps of the focus noun."""
    gaps = on.rows["gap"].to_numpy(dtype=float)
    # Shares of the mean gap, back to changes: the mean was over all pairs that were patched.
    scale = gaps.mean() if on.per is not None else 1.0
    mine, theirs = _places(on, pairs), _places(off, pairs)
    gap = gaps[mine]
    beside = off.rows["gap"].to_numpy(dtype=float)[theirs]
    unit = gap.mean()
    return on.values[mine] * scale / unit, off.values[theirs] / unit, gap / unit, beside / unit


def _places(scores: Scores, pairs: Sequence[int]) -> list[int]:
    place = {pair: n for n, pair in enumerate(scores.rows["pair"])}
    return [place[pair] for pair in pairs]
