"""What all figures share: axes given or made, a colour bar that fits, text as it is, saving."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.files import write
from cuescope.stats import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (
    palette.light("accent"),
    "#E69F00",
    "#009E73",
    "#CC79A7",
)  # told apart by the colour-blind
AS_IT_IS: dict[str, Any] = {"parse_math": False}  # a `$` in a word is no formula
_FONTS: Any = {"pdf.fonttype": 42, "ps.fonttype": 42}  # TrueType: journals refuse Type 3
_LONGEST = 20  # characters of a token
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")  # controls, lone surrogates, line ends


def axes_for(
    count: int, ax: Any, width: float = 4.2, height: float = 3.6, *, bar: float = 0.8
) -> list[Any]:
    """The given axes, which must be as many as the panels, or a new row of them (inches each)."""
    if ax is None:
        try:
            from matplotlib import pyplot as plt
        except ImportError:
            raise CueScopeError("figures need matplotlib", do="pip install matplotlib") from None
        size = (width * count + bar, height)
        _, made = plt.subplots(1, count, figsize=size, squeeze=False, layout="constrained")
        return list(made[0])
    given = list(np.ravel(ax)) if isinstance(ax, (Sequence, np.ndarray)) else [ax]
    if len(given) != count:
        raise CueScopeError(
            "axes and panels do not match", expected=str(count), found=str(len(given))
        )
    return given


def colour_bar(drawn: Any, axes: Sequence[Any], label: str, *, height: float = 1.0) -> Any:
    """One bar for all panels, right of the last; it never reaches into a neighbour's place.

    A constrained or tight layout makes room for it. Without either, the panels move together
    within the place that they had.
    """
    last = axes[-1]
    inside = last.inset_axes([1.04, (1 - height) / 2, 0.05, height])
    bar = last.figure.colorbar(drawn, cax=inside)
    bar.outline.set_visible(False)
    bar.set_label(label, **AS_IT_IS)
    bar.ax.tick_params(labelsize="small")
    figure = last.get_figure(root=True)
    over = bar.ax.get_tightbbox().x1 - last.get_window_extent().x1
    for ax in axes:
        ax.set_axes_locator(_Room(ax, axes, over / figure.dpi))
    return bar


class _Room:
    """A panel's place, narrower by `inches` for its group, where no layout engine makes room."""

    def __init__(self, ax: Any, group: Sequence[Any], inches: float) -> None:
        self.ax, self.group, self.inches = ax, group, inches

    def get_subplotspec(self) -> Any:
        """What `tight_layout` asks a locator for."""
        return self.ax.get_subplotspec()

    def __call__(self, ax: Any, _: Any) -> Any:
        from matplotlib.transforms import Bbox

        place, figure = ax.get_position(original=True), ax.get_figure(root=True)
        if figure.get_layout_engine() is not None:
            return place
        whole = Bbox.union([each.get_position(original=True) for each in self.group])
        room = self.inches * figure.dpi / ax.figure.bbox.width
        scale = max(0.2, 1 - room / whole.width)
        start = whole.x0 + (place.x0 - whole.x0) * scale
        return Bbox.from_bounds(start, place.y0, place.width * scale, place.height)


def colour_map(scale: str) -> Any:
    """The report's scale, as matplotlib takes it."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list(f"cuescope {scale}", palette.SCALES[scale][0])


def legend(ax: Any, **options: Any) -> None:
    """A small legend without a frame, its names as they are."""
    for text in ax.legend(frameon=False, fontsize="small", **options).get_texts():
        text.set_parse_math(False)


def shown(tokens: Sequence[str]) -> list[str]:
    """Sub-words as labels: a dash where a word goes on, no control characters, not too long.

    >>> shown(["▁me", "chanic", ".", "▁", "she", "</s>"])
    ['me', '-chanic', '.', '▁', 'she', '</s>']
    """
    return [_shown(token, before) for token, before in zip(tokens, ["▁", *tokens], strict=False)]


def _shown(token: str, before: str) -> str:
    word = token.removeprefix("▁")
    if word == token and word[:1].isalnum() and before != "▁":
        word = f"-{word}"
    kept = "".join("␣" if unicodedata.category(c) in _UNSEEN else c for c in word[:_LONGEST])
    return (f"{kept[:-1]}…" if len(word) > _LONGEST else kept) or token


def save(figure: Axes | Figure | Sequence[Axes], path: str | Path, *, dpi: int = 200) -> Path:
    """Write a figure, given as itself or by its axes; the ending says how (.pdf, .png, .svg).

    In a PDF, shapes stay vectors and fonts are embedded as TrueType. The same figure gives the
    same bytes. The global settings of matplotlib are left alone.
    """
    import matplotlib as mpl

    one = figure[0] if isinstance(figure, (Sequence, np.ndarray)) else figure
    whole: Any = one.get_figure(root=True)
    path = Path(path)
    kind = path.suffix.removeprefix(".").lower()
    known = whole.canvas.get_supported_filetypes()
    if kind not in known:
        raise CueScopeError(
            f"{path.name}: no such kind of figure",
            expected=", ".join(f".{name}" for name in sorted(known)),
            found=path.suffix or "no ending",
        )
    dateless = {"pdf": "CreationDate", "svg": "Date"}.get(kind)
    whole.draw_without_rendering()  # a layout settles in two rounds
    made = io.BytesIO()
    with mpl.rc_context({**_FONTS, "svg.hashsalt": "cuescope"}):
        whole.savefig(
            made,
            format=kind,
            dpi=dpi,
            bbox_inches="tight",
            metadata={dateless: None} if dateless else None,
        )
    write(path, made.getvalue())
    return path
