"""Figure 1 of paper D: what is lost against the time that is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.show.figures.canvas import AS_IT_IS, COLOURS, axes_for, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.audit.speed import Measured, Speed

PANELS = (("BLEU", "pro", "anti"), ("momc", "fofc", "mofc", "fomc"))
_NAMES = {"momc": "MoMc", "fofc": "FoFc", "mofc": "MoFc", "fomc": "FoMc"}
_MARKS = "osD^"
_FIT = 3  # points that a trend line needs
_ROOM = 20.0  # per cent that whiskers have beside twice the farthest point


def drops(found: Speed, ax: Sequence[Axes] | None = None) -> list[Axes]:
    """Relative drop of each measure over the relative drop of time, a point a knob, with trends.

    Left BLEU, pro and anti as in the paper, right its four groups. Whiskers are intervals; of few
    sentences they may leave the panel, whose scale is that of the points. A knob that breaks the
    model is a point, and bears on no trend.
    """
    rows = [one for one in found.rows[1:] if one.time is not None and one.drops]
    if not rows:
        raise CueScopeError("nothing to draw", expected="at least one knob that ran", found="none")
    places: list[Any] = axes_for(len(PANELS), ax, 5.0, 4.2, bar=0.0)
    for place, names in zip(places, PANELS, strict=True):
        _panel(place, rows, names)
    places[0].set_ylabel("relative % drop")
    return places


def _panel(place: Any, rows: Sequence[Measured], names: Sequence[str]) -> None:
    for name, colour, mark in zip(names, COLOURS, _MARKS, strict=False):
        known = [one for one in rows if name in one.drops and np.isfinite(one.drops[name].value)]
        points = [(one.time, one.drops[name]) for one in known if one.time]
        if not points:
            continue
        x = np.array([100 * (1 - time.value) for time, _ in points])
        y = np.array([100 * drop.value for _, drop in points])
        wide = np.array([[100 * (d.value - d.low), 100 * (d.high - d.value)] for _, d in points]).T
        place.errorbar(
            x, y, yerr=np.nan_to_num(np.maximum(wide, 0)), fmt=mark, color=colour, markersize=5,
            elinewidth=0.6, alpha=0.85, label=_NAMES.get(name, name), zorder=3,
        )  # fmt: skip
        whole = np.array([not one.broken for one in known if one.time])
        x, y = x[whole], y[whole]
        if len(x) >= _FIT and np.ptp(x) > 0:
            slope, start = np.polyfit(x, y, 1)
            ends = np.array([x.min(), x.max()])
            place.plot(ends, start + slope * ends, color=colour, linewidth=1.2, zorder=2)
    far = max((abs(100 * one.drops[n].value) for one in rows for n in names if n in one.drops
               and np.isfinite(one.drops[n].value)), default=0.0)  # fmt: skip
    low, high = place.get_ylim()
    place.set_ylim(max(low, -_ROOM - 2 * far), min(high, _ROOM + 2 * far))
    place.axhline(0, color="0.7", linewidth=0.8, zorder=1)
    place.axvline(0, color="0.7", linewidth=0.8, zorder=1)
    place.set_xlabel("relative % drop in time", **AS_IT_IS)
    place.spines[["top", "right"]].set_visible(False)
    if place.get_legend_handles_labels()[0]:
        legend(place, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
