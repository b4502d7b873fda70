"""Gain against damage: where each mend of a model stands, and which no other beats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.show.figures.canvas import COLOURS, axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]  # gain, damage: shares


def best(points: Mapping[str, Point]) -> list[str]:
    """Those that no other beats in both, by damage.

    >>> best({"a": (0.1, 0.1), "b": (0.7, 0.6), "c": (0.5, 0.7)})
    ['a', 'b']
    """
    kept = [
        name
        for name, (gain, damage) in points.items()
        if not any(
            g >= gain and d <= damage and (g, d) != (gain, damage) for g, d in points.values()
        )
    ]
    return sorted(kept, key=lambda name: points[name][1])


def front(
    points: Mapping[str, Point],
    ax: Axes | None = None,
    *,
    gain: str = "strict MPA",
    damage: str = "other noun feminine under she",
) -> Axes:
    """A dot a system: what it gains to the right, what it damages upwards; the front is a line."""
    if not points:
        raise CueScopeError("nothing to draw", expected="at least one system", found="none")
    place: Any = axes_for(1, ax, 5.6, 4.0, bar=0.0)[0]
    edge = best(points)
    place.plot(
        [points[name][0] for name in edge],
        [points[name][1] for name in edge],
        color=COLOURS[0],
        alpha=0.4,
        zorder=1,
    )
    for name, (x, y) in points.items():
        place.scatter(x, y, color=COLOURS[0] if name in edge else COLOURS[1], zorder=2)
        place.annotate(
            name,
            (x, y),
            xytext=(-5, 5) if x > 0.6 else (5, 5),
            ha="right" if x > 0.6 else "left",
            textcoords="offset points",
            fontsize="small",
        )
    for axis in (place.xaxis, place.yaxis):
        axis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    place.set_xlim(0, 1)
    place.set_ylim(0, max(0.3, 1.15 * max(y for _, y in points.values())))
    place.set_xlabel(f"gain: {gain}")
    place.set_ylabel(f"damage: {damage}")
    place.spines[["top", "right"]].set_visible(False)
    return place  # type: ignore[no-any-return]
