"""A head is a dot: what one measure says of it against what another says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.measures.agreement import compare as compared
from cuescope.show.figures.canvas import AS_IT_IS, axes_for, colour_bar
from cuescope.stats.scores import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIDES = ((4, 3), (4, -10), (-4, 3), (-4, -10), (0, 6), (0, -14))  # points from the dot


def compare(a: Scores, b: Scores, ax: Axes | None = None, *, label: int = 5) -> Axes:
    """Scatter of all heads of a site; those that disagree most, and the strongest, are named.

    Colour is the layer. The title has the rank correlation with its interval.
    """
    found = compared(a, b)
    place: Any = axes_for(1, ax)[0]
    table = found.heads
    layers = int(table["layer"].max()) + 1
    dots = place.scatter(
        table["a"], table["b"], c=table["layer"], cmap=_layers(layers), s=26, zorder=2,
        vmin=-0.5, vmax=layers - 0.5, edgecolors="white", linewidths=0.5,
    )  # fmt: skip
    place.axhline(0, color="0.8", zorder=0, linewidth=0.8)
    place.set_xlabel(found.names[0], **AS_IT_IS)
    place.set_ylabel(found.names[1], **AS_IT_IS)
    interval = f"ρ = {found.rho:.2f} [{found.low:.2f}, {found.high:.2f}]"
    place.set_title(f"{found.site}: {interval} (n = {found.n})", fontsize="medium", **AS_IT_IS)
    place.spines[["top", "right"]].set_visible(False)
    bar = colour_bar(dots, [place], "layer", height=0.8)
    bar.set_ticks(range(0, layers, -(-layers // 12)))
    strongest = table[table[["rank_a", "rank_b"]].min(axis=1) <= 2]
    named = table.loc[sorted({*strongest.index, *found.disagree(label).index})]
    _name(
        place,
        [(f"{r.layer:.0f}.{r.head:.0f}", (r.a, r.b)) for r in named.itertuples()],
        table[["a", "b"]].to_numpy(),
    )
    return place  # type: ignore[no-any-return]


def _layers(count: int) -> Any:
    from matplotlib import colormaps

    return colormaps["cividis"].resampled(count)


def _name(ax: Any, dots: Any, every: Any) -> None:
    """Names beside their dots, each on the side where it covers least."""
    ax.get_figure(root=True).draw_without_rendering()  # a layout moves the axes only then
    taken: list[Any] = []
    places = ax.transData.transform(every)

    def covers(box: Any) -> int:
        outside = bool(box.x0 < ax.bbox.x0 or box.x1 > ax.bbox.x1 or box.y0 < ax.bbox.y0)
        names = sum(bool(box.overlaps(other)) for other in taken)
        return 10 * (names + outside) + sum(bool(box.contains(*at)) for at in places)

    for name, at in dots:
        tried = [
            ax.annotate(
                name, at, xytext=(x, y), textcoords="offset points", fontsize="small",
                ha="left" if x > 0 else "right" if x < 0 else "center",
            )
            for x, y in _SIDES
        ]  # fmt: skip
        best = min(tried, key=lambda text: covers(text.get_window_extent()))
        taken.append(best.get_window_extent())
        for text in tried:
            if text is not best:
                text.remove()
