"""Values with their intervals as bars: accuracy by set and gender, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

from cuescope.errors import CueScopeError
from cuescope.show.figures.canvas import AS_IT_IS, COLOURS, axes_for, legend
from cuescope.stats.value import Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 0.8


def bars(values: Mapping[str, Mapping[str, Value]], ax: Axes | None = None) -> Axes:
    """A group of bars for each outer name, a colour for each inner one: `bars(run.accuracy())`.

    Whiskers are the intervals; a value that nothing was counted for has no bar.
    """
    series = list(dict.fromkeys(name for group in values.values() for name in group))
    known = [v for group in values.values() for v in group.values() if v.n]
    if not known:
        raise CueScopeError("nothing to draw", expected="at least one value", found="none")
    place: Any = axes_for(1, ax, 1.6 + 0.45 * len(values) * len(series), 3.0, bar=0.0)[0]
    width, colours = _WIDTH / len(series), cycle(COLOURS)
    for number, name in enumerate(series):
        shift = (number + 0.5) * width - _WIDTH / 2
        drawn = [
            (at + shift, group[name])
            for at, group in enumerate(values.values())
            if name in group and group[name].n
        ]
        place.bar(
            [at for at, _ in drawn],
            [v.value for _, v in drawn],
            0.92 * width,
            yerr=[[v.value - v.low for _, v in drawn], [v.high - v.value for _, v in drawn]],
            color="0.6" if name == "all" else next(colours),
            error_kw={"elinewidth": 1, "ecolor": place.xaxis.label.get_color()},
            label=name,
        )
    place.set_xticks(range(len(values)), list(values), **AS_IT_IS)
    place.spines[["top", "right"]].set_visible(False)
    if all(v.percent for v in known):
        place.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.0f} %")
        if min(v.low for v in known) >= 0:
            place.set_ylim(0, 1)
    names = {v.name.removesuffix(k).strip() for group in values.values() for k, v in group.items()}
    place.set_ylabel(names.pop() if len(names) == 1 else "", **AS_IT_IS)
    legend(place, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return place  # type: ignore[no-any-return]
