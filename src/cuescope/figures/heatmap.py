"""Layers down, heads across: where in a model something happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.scores import Grid, Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ONE_WAY, _TWO_WAYS = "cividis", "PuOr"  # readable to the colour-blind, and in grey


def heatmap(
    scores: Scores | Grid | Mapping[str, Scores | Grid],
    ax: Axes | Sequence[Axes] | None = None,
) -> Any:
    """One panel, or one per name of a mapping, all on one colour scale; returns the axes.

    A dot marks the heads above the threshold (attention: the uniform share). Signed values get
    a scale that is pale at 0.
    """
    named = dict(scores) if isinstance(scores, Mapping) else {"": scores}
    grids = {name: s.mean() if isinstance(s, Scores) else s for name, s in named.items()}
    axes = _axes(len(grids), ax)
    low, high = _range(list(grids.values()))
    image = None
    for place, (name, grid) in zip(axes, grids.items(), strict=True):
        image = place.imshow(
            grid.values,
            cmap=_TWO_WAYS if low < 0 else _ONE_WAY,
            vmin=low,
            vmax=high,
            aspect="equal",
        )
        _label(place, name, grid)
    if image is not None:
        bar = axes[0].figure.colorbar(image, ax=list(axes), shrink=0.8)
        first = next(iter(grids.values()))
        bar.set_label(_MEASURES.get(first.measure, first.measure))
    return list(axes) if isinstance(scores, Mapping) else axes[0]


_MEASURES = {"attention": "attention to the cue", "norm": "‖α·v·W_O‖ from the cue"}


def _label(ax: Any, name: str, grid: Grid) -> None:
    layers, heads = grid.values.shape
    title = f"{name}: {grid.site}" if name else grid.site
    ax.set_title(f"{title} (n = {grid.n} {grid.unit}s)", fontsize="medium")
    ax.set_xlabel("head")
    ax.set_ylabel("layer")
    ax.set_xticks(range(heads))
    ax.set_yticks(range(layers))
    if grid.threshold is not None:
        over = np.argwhere(grid.values > grid.threshold)
        ax.scatter(over[:, 1], over[:, 0], s=14, c="white", edgecolors="black", linewidths=0.6)


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


def _axes(count: int, ax: Any) -> list[Any]:
    if ax is None:
        try:
            from matplotlib import pyplot as plt
        except ImportError:
            raise CueScopeError("figures need matplotlib", do="pip install matplotlib") from None
        _, made = plt.subplots(
            1, count, figsize=(4.2 * count + 0.8, 3.6), squeeze=False, layout="constrained"
        )
        return list(made[0])
    given = list(ax) if isinstance(ax, (Sequence, np.ndarray)) else [ax]
    if len(given) != count:
        raise CueScopeError(
            "axes and panels do not match", expected=str(count), found=str(len(given))
        )
    return given
