"""A head is a dot: what one measure says of it against what another says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.comparison import compare as compared
from cuescope.figures.heatmap import _axes
from cuescope.scores import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def compare(a: Scores, b: Scores, ax: Axes | None = None, *, label: int = 5) -> Any:
    """Scatter of all heads of a site; those that disagree most, and the strongest, are named.

    Colour is the layer. The title has the rank correlation with its interval.
    """
    found = compared(a, b)
    [ax] = _axes(1, ax)
    table = found.heads
    dots = ax.scatter(table["a"], table["b"], c=table["layer"], cmap="cividis", s=22)
    strongest = table[table[["rank_a", "rank_b"]].min(axis=1) <= 2]
    named = sorted({*strongest.index, *found.disagree(label).index})
    for _, row in table.loc[named].iterrows():
        name = f"{int(row['layer'])}.{int(row['head'])}"
        ax.annotate(name, (row["a"], row["b"]), xytext=(4, 3), textcoords="offset points")
    ax.axhline(0, color="0.8", zorder=0, linewidth=0.8)
    ax.set_xlabel(found.names[0])
    ax.set_ylabel(found.names[1])
    shown = f"ρ = {found.rho:.2f} [{found.low:.2f}, {found.high:.2f}]"
    ax.set_title(f"{found.site}: {shown} (n = {found.n})", fontsize="medium")
    bar = ax.figure.colorbar(dots, ax=ax, shrink=0.8)
    bar.set_label("layer")
    return ax
