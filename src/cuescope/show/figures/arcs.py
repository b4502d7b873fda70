"""One head, one sentence: who looks at whom, with the words on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cuescope.errors import CueScopeError
from cuescope.models.spans import find
from cuescope.show.figures.canvas import AS_IT_IS, axes_for, shown
from cuescope.stats.palette import light

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.inside.read.maps import AttentionMap

Where = str | int | Sequence[int]
WIDEST = 5.0  # points of line width: a weight of 1
_LEAST = 0.02  # a weaker weight is no line
_WORDS, _GAP = 0.4, 0.02  # at most this share of the width for a column of words; then the lines
_NOUN, _CUE = light("accent"), light("focus")
_SIDES = {
    "encoder": ("source", "source"),
    "decoder": ("emits", "was fed"),
    "cross": ("emits", "source"),
}


def arcs(
    attention: AttentionMap,
    layer: int,
    head: int,
    ax: Axes | None = None,
    *,
    noun: Where | None = None,
    cue: Where | None = None,
) -> Axes:
    """The attention of one head: each word on the left looks at words on the right.

    A line is as wide as its weight. `noun` (left) and `cue` (right) are words or positions; the
    noun's lines stand out.
    """
    weights = _weights(attention, layer, head)
    queries, keys = attention.queries, attention.keys
    nouns, cues = _positions(queries, noun, "noun"), _positions(keys, cue, "cue")
    longest = max(len(queries), len(keys))
    place: Any = axes_for(1, ax, 4.4, 0.7 + 0.24 * longest, bar=0.0)[0]
    place.set_xlim(0, 1)
    place.set_ylim(longest - 0.4, -1.6)
    place.set_axis_off()
    start = _words(place, 0, attention, nouns)
    end = _words(place, 1, attention, cues)
    lines = [(q, k) for q, k in np.argwhere(weights >= _LEAST).tolist()]
    lines.sort(key=lambda line: (line[0] in nouns, weights[line]))  # the noun's on top
    rests = {(q, k) for q, k in lines if _is_end(queries[q]) or _is_end(keys[k])}
    _draw(place, lines, weights, nouns, (start, end), rests)
    told = _told(weights, nouns, cues)
    place.set_title(f"{attention.site} {layer}.{head}{told}", fontsize="medium")
    return place  # type: ignore[no-any-return]


def _words(ax: Any, side: int, attention: AttentionMap, marked: Sequence[int]) -> float:
    """One column of words, within the axes; returns where its lines start."""
    tokens = attention.keys if side else attention.queries
    colour, heading = (_NOUN, _CUE)[side], _SIDES.get(attention.site, ("", ""))[side]
    size = _font_size(ax, max(len(attention.keys), len(attention.queries)))
    style: dict[str, Any] = {"va": "center", "ha": "left" if side else "right", **AS_IT_IS}
    texts = [ax.text(0, -1.1, heading, fontsize=size, fontstyle="italic", **style)]
    for at, label in enumerate(shown(tokens)):
        bold = {"color": colour, "fontweight": "bold"} if at in marked else {}
        texts.append(ax.text(0, at, label, fontsize=size, **bold, **style))
    wide = max(text.get_window_extent().width for text in texts)
    share = float(wide / ax.get_window_extent().width)
    if share > _WORDS:
        size, share = size * _WORDS / share, _WORDS
    for text in texts:
        text.set(x=1 - share if side else share, fontsize=size)
    return 1 - share - _GAP if side else share + _GAP


def _draw(
    ax: Any,
    lines: list[Any],
    weights: Any,
    nouns: Sequence[int],
    ends: tuple[float, float],
    rests: set[tuple[int, int]],
) -> None:
    """Lines as wide as their weights; those of the end of the sentence are faded."""
    from matplotlib.collections import LineCollection

    x = np.linspace(0, 1, 40)
    bend = x**2 * (3 - 2 * x)  # level at both ends
    across = ends[0] + (ends[1] - ends[0]) * x
    curves = [np.column_stack([across, q + (k - q) * bend]) for q, k in lines]
    size = np.array([weights[line] for line in lines])
    loud = np.array([(not nouns or q in nouns) and (q, k) not in rests for q, k in lines])
    faded = np.array([line in rests for line in lines])
    shown = np.where(faded, 0.12, np.where(loud, 0.3 + 0.7 * size, 0.1 + 0.5 * size))
    ax.add_collection(
        LineCollection(
            curves,
            linewidths=WIDEST * size,
            colors=[_NOUN if one else "0.5" for one in loud],
            alpha=list(shown) if lines else None,
            capstyle="butt",
        )
    )


def _is_end(token: str) -> bool:
    """The end of the sentence, where heads rest that have nothing to do."""
    return token == "</s>"


def _font_size(ax: Any, rows: int) -> float:
    """Points: as large as small text, or as much as a row's height leaves."""
    from matplotlib.font_manager import FontProperties

    high = ax.get_window_extent().height / ax.get_figure(root=True).dpi * 72 / (rows + 1.2)
    return float(np.clip(0.8 * high, 3.0, FontProperties(size="small").get_size_in_points()))


def _told(weights: Any, nouns: Sequence[int], cues: Sequence[int]) -> str:
    """The number that all other figures show: the mean over the cells noun × cue."""
    if not (nouns and cues):
        return ""
    return f"\nnoun → cue: {weights[np.ix_(nouns, cues)].mean():.2f}"


def _weights(attention: AttentionMap, layer: int, head: int) -> Any:
    layers, heads = attention.weights.shape[:2]
    if not (0 <= layer < layers and 0 <= head < heads):
        raise CueScopeError(
            f"the {attention.site} has no such head",
            expected=f"{layers} layers × {heads} heads, both counted from 0",
            found=f"layer {layer}, head {head}",
        )
    return np.asarray(attention.weights[layer, head].detach().cpu(), dtype=float)


def _positions(tokens: Sequence[str], where: Where | None, name: str) -> list[int]:
    """Positions as given, or those of the pieces that spell a word."""
    if where is None:
        return []
    if isinstance(where, str):
        text, spans = "", []
        for token in tokens:
            start = len(text) + token.startswith("▁")
            text += token.replace("▁", " ")
            spans.append((start, len(text)))
        first, end = find(text, where)
        return [at for at, (a, b) in enumerate(spans) if a < end and first < b]
    found = [where] if isinstance(where, int) else [int(at) for at in where]
    if not all(0 <= at < len(tokens) for at in found):
        raise CueScopeError(
            f"the {name} lies outside the sentence",
            expected=f"positions from 0 to {len(tokens) - 1}",
            found=str(found),
        )
    return found
