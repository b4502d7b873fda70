"""Violins: entropies of he, she and they; a measure by bins of translation quality (figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.measures.quality import Quality
from cuescope.show.figures.canvas import AS_IT_IS, COLOURS, axes_for, legend
from cuescope.stats.palette import light

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from cuescope.run.study import Study

_WIDTH = 0.8


@dataclass(frozen=True)
class Binned:
    """A measure in bins of quality: each row its bin (from 0, low to high) and its group."""

    measure: str
    metric: str
    edges: tuple[float, ...]
    frame: pd.DataFrame  # columns value, quality, group, bin
    left_out: int = 0  # rows without a value or a quality

    def table(self) -> pd.DataFrame:
        """Items, mean and median of each bin and group, and the name of the quality metric."""
        made = self.frame.groupby(["bin", "group"], sort=True)["value"]
        return made.agg(["size", "mean", "median"]).reset_index().assign(metric=self.metric)


def binned(
    values: Sequence[float],
    quality: Quality,
    groups: Sequence[str] | None = None,
    *,
    bins: int | Sequence[float] = 3,
    measure: str = "H",
) -> Binned:
    """Values sorted into bins of quality: `bins` of equal size, or between given edges.

    >>> made = binned([1, 2, 3], Quality("chrF", (10.0, 20.0, 90.0)), bins=3)
    >>> made.frame["bin"].tolist()
    [0, 1, 2]
    """
    import pandas as pd

    given = list(groups) if groups is not None else ["all"] * len(values)
    if not len(values) == len(quality.scores) == len(given):
        raise CueScopeError(
            "values, qualities and groups do not match",
            expected=f"{len(values)} of each",
            found=f"{len(quality.scores)} qualities, {len(given)} groups",
        )
    data = pd.DataFrame({"value": values, "quality": quality.scores, "group": given}, dtype=object)
    data = data.astype({"value": float, "quality": float})
    known = np.isfinite(data["value"]) & np.isfinite(data["quality"])
    left_out, data = int((~known).sum()), data[known].reset_index(drop=True)
    edges = _edges(data["quality"].to_numpy(), bins)
    places = np.searchsorted(edges[1:-1], data["quality"].to_numpy(), side="right")
    inside = (data["quality"] >= edges[0]) & (data["quality"] <= edges[-1])
    left_out += int((~inside).sum())
    frame = data.assign(bin=places)[inside].reset_index(drop=True)
    return Binned(measure, quality.metric, tuple(map(float, edges)), frame, left_out)


def _edges(scores: Any, bins: int | Sequence[float]) -> Any:
    if isinstance(bins, int):
        if bins < 1 or len(scores) < bins:
            raise CueScopeError(
                "these bins cannot be filled",
                expected="at least one bin, and as many items as bins",
                found=f"{bins} bins, {len(scores)} items",
            )
        return np.quantile(scores, np.linspace(0, 1, bins + 1))
    edges = np.asarray(bins, dtype=float)
    if edges.size < 2 or not (np.diff(edges) > 0).all():
        raise CueScopeError(
            "edges of bins must rise", expected="two or more, rising", found=str(list(bins))
        )
    return edges


def violin(
    data: Binned | Study, ax: Axes | None = None, *, measure: str | None = None, title: str = ""
) -> Axes:
    """One violin a bin and group, or one each for he, she and they of a study's `measure`.

    The line is the median, the dot the mean, n stands above. A group of one value, or half of
    whose values are equal, has no density: it is drawn as its points.
    """
    if isinstance(data, Binned):
        return _by_quality(data, ax, title)
    return _by_version(data, ax, measure, title)


def _by_version(data: Study, ax: Axes | None, measure: str | None, title: str) -> Axes:
    from cuescope.run.study import VERSIONS

    name = measure or next(iter(data.measured))
    if name not in data.measured:
        raise CueScopeError("not measured", expected=", ".join(data.measured), found=name)
    place: Any = axes_for(1, ax, 3.6, 3.2, bar=0.0)[0]
    for at, values in enumerate(data.entropies(name).T):
        _one(place, values, at, _WIDTH, light(VERSIONS[at]))
    place.set_xticks(range(len(VERSIONS)), VERSIONS)
    place.set_ylabel(f"H ({name.upper()}), nats", **AS_IT_IS)
    _finish(place, title)
    return place  # type: ignore[no-any-return]


def _by_quality(data: Binned, ax: Axes | None, title: str) -> Axes:
    if not len(data.frame):
        raise CueScopeError("nothing to draw", expected="items with a value", found="none")
    place: Any = axes_for(1, ax, 6.0, bar=0.0)[0]
    groups = list(dict.fromkeys(data.frame["group"]))
    width = _WIDTH / len(groups)
    for g, group in enumerate(groups):
        colour = COLOURS[g % len(COLOURS)]
        for number in range(len(data.edges) - 1):
            chosen = data.frame[(data.frame["group"] == group) & (data.frame["bin"] == number)]
            at = number + (g - (len(groups) - 1) / 2) * width
            _one(place, chosen["value"].to_numpy(), at, width, colour)
        place.plot([], [], color=colour, linewidth=6, label=group)
    edges = pairwise(data.edges)
    names = [f"B{i + 1}\n{a:.0f} to {b:.0f}" for i, (a, b) in enumerate(edges)]
    place.set_xticks(range(len(names)), names)
    place.set_xlabel(f"quality of the translation: {data.metric}", **AS_IT_IS)
    place.set_ylabel(data.measure, **AS_IT_IS)
    _finish(place, title)
    if groups != ["all"]:
        legend(place)
    return place  # type: ignore[no-any-return]


def _one(ax: Any, values: Any, at: float, width: float, colour: str) -> None:
    if not len(values):
        return
    if len(values) > 1 and np.ptp(values) > 0 and not _heaped(values):
        drawn = ax.violinplot(values, [at], widths=0.95 * width, showextrema=False)
        for body in drawn["bodies"]:
            body.set(facecolor=colour, edgecolor=colour, alpha=0.45)
    else:
        places = at + width * _aside(values)
        ax.scatter(places, values, color=colour, s=9, alpha=0.6, linewidths=0)
    middle = float(np.median(values))
    ax.hlines(middle, at - width / 4, at + width / 4, color=colour, linewidth=2)
    ax.plot([at], [float(np.mean(values))], "o", c="white", mec=colour, ms=4.5, mew=1.2)
    ax.annotate(
        f"n={len(values)}",
        (at, 1.0),
        xytext=(0, 2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontsize="x-small",
    )


def _heaped(values: Any) -> bool:
    """Is half of the values one? A density would smear such a heap, of zeros, into a shape."""
    return bool(np.unique(np.round(values, 6), return_counts=True)[1].max() >= len(values) / 2)


def _aside(values: Any) -> Any:
    """Where dots of about one height lie side by side, in widths of their group."""
    spread = float(np.ptp(values)) or 1.0
    rows = np.round(40 * (np.asarray(values) - np.min(values)) / spread).astype(int)
    nth = np.array([int((rows[:n] == row).sum()) for n, row in enumerate(rows)])
    many = np.array([int((rows == row).sum()) for row in rows])
    return (nth - (many - 1) / 2) * np.minimum(0.03, 0.8 / many)


def _finish(ax: Any, title: str) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        ax.set_title(title, pad=16, fontsize="medium", **AS_IT_IS)
