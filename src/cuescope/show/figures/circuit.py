"""The circuit for papers: the sentence, the heads it passes, as wide as their effects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.show.circuit import WIDTH, drawn
from cuescope.show.figures.canvas import axes_for
from cuescope.stats.palette import light

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.run.circuit import Circuit

_COLOURS = {"encoder": "accent", "decoder": "they", "cross": "focus"}  # as in the report


def circuit(found: Circuit, ax: Axes | None = None) -> Axes:
    """The heads of `run.circuit()` between the sentence, below, and the choice, above.

    Solid lines are paths, as wide as the share of the gap that passes; dotted ones are where a head
    looks from the noun.
    """
    if not found.document["heads"]:
        raise CueScopeError("nothing to draw", expected="at least one head", found="none")
    drawing = drawn(found.document)
    place: Any = axes_for(1, ax, 5.0, 5.0 * drawing.height / WIDTH, bar=0.0)[0]
    for line in drawing.lines:
        path = line.kind == "path"
        place.plot(
            [line.x1, line.x2],
            [line.y1, line.y2],
            color="0.35",
            alpha=0.6 if path else 0.5,
            linewidth=line.width if path else 0.6 + 2 * line.share,
            linestyle="-" if path else ":",
            zorder=1,
            solid_capstyle="butt",
        )
        if line.label:
            place.annotate(line.label, line.middle, fontsize="x-small", va="center")
    for dot in drawing.dots:
        if dot.kind in ("spot", "choice"):
            down = 14 if dot.kind == "spot" else -6
            place.annotate(dot.label, (dot.x, dot.y + down), ha="center", fontsize="small")
            continue
        colour = light(_COLOURS[dot.kind])
        place.scatter(dot.x, dot.y, s=380, color=colour, zorder=2)
        place.annotate(
            dot.label,
            (dot.x, dot.y),
            ha="center",
            va="center",
            color="white",
            fontsize="small",
            zorder=3,
        )
    place.set_xlim(0, WIDTH)
    place.set_ylim(drawing.height, 0)
    place.axis("off")
    return place  # type: ignore[no-any-return]
