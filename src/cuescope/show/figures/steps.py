"""How few heads carry the cue: what is restored as heads join, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.show.figures.canvas import COLOURS, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.inside.effect.sets import Step


def steps(taken: Sequence[Step], ax: Axes | None = None) -> Axes:
    """Bars of the share of the gap restored by the heads so far (`sets.greedy`).

    The dark part of a bar is what its own head adds. Of heads that were judged on other pairs than
    they were chosen on, that share is drawn.
    """
    if not taken:
        raise CueScopeError("nothing to draw", expected="at least one head", found="none")
    place: Any = axes_for(1, ax, 1.6 + 0.55 * len(taken), 3.0, bar=0.0)[0]
    several = len({step.site for step in taken}) > 1
    before = 0.0
    for at, step in enumerate(taken):
        share = step.restored if step.held is None else step.held.value
        place.bar(at, before, color=COLOURS[0], alpha=0.3, width=0.7)
        place.bar(at, share - before, bottom=before, color=COLOURS[0], width=0.7)
        place.annotate(
            f"{100 * share:.0f} %",
            (at, share),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize="small",
        )
        before = share
    site = [f"{step.site}\n" if several else "" for step in taken]
    names = [f"{where}{step.layer}.{step.head}" for where, step in zip(site, taken, strict=True)]
    plus = [name if at == 0 else f"+ {name}" for at, name in enumerate(names)]
    place.set_xticks(range(len(taken)), plus, fontsize="small")
    place.set_xlim(-0.6, len(taken) - 0.4)
    place.set_ylim(0, max(1.0, 1.12 * max(step.restored for step in taken)))
    place.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
    place.set_xlabel("heads" if several else f"{taken[0].site} heads (layer.head)")
    place.set_ylabel("share of the gap restored")
    place.spines[["top", "right"]].set_visible(False)
    return place  # type: ignore[no-any-return]
