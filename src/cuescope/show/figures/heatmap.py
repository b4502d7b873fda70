"""Layers down, heads across: where in a model something happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.show.figures.canvas import AS_IT_IS, axes_for, colour_bar, colour_map
from cuescope.stats.scores import Grid, Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ORDER = ("male", "female")  # as in the papers' tables
_MEASURES = {
    "attention": "attention to the cue",
    "norm": "‖α·v·W_O‖ from the cue",
    "effect": "share of the gap",
    "attribution": "share of the gap, by gradient",
    "ablation": "share of the gap lost",
}


def heatmap(
    scores: Scores | Grid | Mapping[str, Scores | Grid],
    ax: Axes | Sequence[Axes] | None = None,
    *,
    by: str | None = None,
) -> Any:
    """One panel, or one per name of a mapping, all on one colour scale; returns the axes.

    `by="gold"` draws all, male and female side by side. A dot marks the heads above the threshold
    (attention: the uniform share). Signed values get a scale that is pale at 0.
    """
    named = _panels(scores, by)
    grids = {name: s.mean() if isinstance(s, Scores) else s for name, s in named.items()}
    low, high = _range(list(grids.values()))
    layers, heads = np.max([grid.values.shape for grid in grids.values()], axis=0)
    width = float(np.clip(0.34 * heads, 2.6, 4.6))
    axes = axes_for(len(grids), ax, width, min(width * layers / heads, 9.0) + 0.9)
    drawn = None
    for place, (name, grid) in zip(axes, grids.items(), strict=True):
        drawn = place.pcolormesh(
            *_corners(grid),
            grid.values,
            cmap=colour_map("two" if low < 0 else "one"),
            vmin=low,
            vmax=high,
            edgecolors=place.figure.get_facecolor(),  # in a PDF cells are shapes: nothing blurs
            linewidth=0.4,
        )
        _label(place, name, grid, first=place is axes[0])
    grid = list(grids.values())[-1]
    tall = max(1.0, 0.45 * grid.values.shape[1] / grid.values.shape[0])
    bar = colour_bar(drawn, axes, _MEASURES.get(grid.measure, grid.measure), height=tall)
    if grid.threshold is not None and grid.threshold <= high:  # what the dots mean
        bar.ax.plot([0.5], [grid.threshold], "o", c="white", mec="black", ms=3.5, mew=0.6)
    return axes if isinstance(scores, Mapping) or by else axes[0]


def _panels(scores: Any, by: str | None) -> dict[str, Scores | Grid]:
    named = dict(scores) if isinstance(scores, Mapping) else {"": scores}
    if strange := [one for one in named.values() if not isinstance(one, Scores | Grid)]:
        raise CueScopeError(
            "a heatmap is drawn of the scores of heads",
            expected='scores, as run.attention("encoder") or run.patch("encoder") gives them',
            found=type(strange[0]).__name__,
        )
    if by is None:
        return named
    if not isinstance(scores, Scores):
        raise CueScopeError(
            "only scores can be split", expected="Scores", found=type(scores).__name__
        )
    parts = {str(name): part for name, part in scores.split(by).items()}
    order = sorted(parts, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER))
    return {"all": scores, **{name: parts[name] for name in order}}


def _corners(grid: Grid) -> tuple[Any, Any]:
    """The edges of the cells: whole numbers are their middles."""
    layers, heads = grid.values.shape
    return np.arange(heads + 1) - 0.5, np.arange(layers + 1) - 0.5


def _label(ax: Any, name: str, grid: Grid, *, first: bool) -> None:
    layers, heads = grid.values.shape
    title = f"{name}: {grid.site}" if name and name != grid.site else grid.site
    ax.set_title(f"{title}\nn = {grid.n} {grid.unit}s", fontsize="medium", **AS_IT_IS)
    ax.set_aspect("equal")
    ax.set_xlim(-0.5, heads - 0.5)
    ax.set_ylim(layers - 0.5, -0.5)
    ax.set_facecolor("0.85")  # a head without a value
    ax.set_xlabel("head")
    ax.set_ylabel("layer" if first else "")
    for axis, count in ((ax.xaxis, heads), (ax.yaxis, layers)):
        axis.set_ticks(range(0, count, -(-count // 12)))
        axis.set_tick_params(length=0, labelsize="small")
    ax.spines[:].set_visible(False)
    if grid.threshold is not None:
        over = np.argwhere(grid.values > grid.threshold)
        cell = ax.get_window_extent().width / ax.get_figure(root=True).dpi * 72 / heads
        size = float(np.clip((0.28 * cell) ** 2, 2.0, 16.0))
        ax.scatter(over[:, 1], over[:, 0], s=size, c="white", edgecolors="black", linewidths=0.6)


def _range(grids: Sequence[Grid]) -> tuple[float, float]:
    """One scale for all panels: from 0, or the same size to both sides."""
    known = [grid.values[np.isfinite(grid.values)] for grid in grids]
    values = np.concatenate(known) if known else np.empty(0)
    if not values.size:
        raise CueScopeError(
            "nothing to draw",
            expected="a grid with at least one value",
            found="only empty cells",
            do="see `skipped`: why does no sentence have a value?",
        )
    size = float(np.abs(values).max()) or 1.0
    return (-size if values.min() < 0 else 0.0), size
