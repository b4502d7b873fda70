"""Results in a notebook: small tables as HTML, all text escaped, for light and dark pages.

A class shows itself by `_repr_html_`; what it has to say goes through `table` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape as escaped
from typing import TYPE_CHECKING

from cuescope.stats.palette import SCALES, mixed

if TYPE_CHECKING:
    from cuescope.stats.scores import Grid
    from cuescope.stats.value import Value

_LONGEST = 400  # characters of a cell
_TABLE = "border-collapse:collapse;margin:.3em 0;font-size:.92em;font-variant-numeric:tabular-nums"
_NOTE = "opacity:.75;font-size:.85em;margin:.1em 0"


@dataclass(frozen=True)
class Cell:
    """A cell of a table: text, and what is seen when pointing at it."""

    text: str
    title: str = ""
    bold: bool = False
    right: bool = True  # numbers stand right, words left
    fill: tuple[int, int, int] | None = None


def escape(given: object) -> str:
    """Any text, safe in an element or in a quoted attribute.

    >>> escape('<b>"she" & he</b>')
    '&lt;b&gt;&quot;she&quot; &amp; he&lt;/b&gt;'
    """
    return escaped(str(given).encode("utf-8", "replace").decode())


def table(
    rows: Iterable[Sequence[object]],  # Cell, or a word
    head: Sequence[str] = (),
    *,
    title: str = "",
    notes: Iterable[str] = (),
) -> str:
    """A table with its title above and its notes below; what is no Cell is a word.

    >>> table([["MPA", Cell("5.0 %")]])[:5], "<td" in table([["MPA", Cell("5.0 %")]])
    ('<div>', True)
    """
    made = [[_as_cell(one) for one in row] for row in rows]
    sides = [cell.right for cell in made[0]] if made else []
    above = "".join(
        _cell("th", Cell(h, bold=True, right=r)) for h, r in zip(head, sides, strict=False)
    )
    lines = [f"<tr>{above}</tr>"] if above else []
    lines += [f"<tr>{''.join(_cell('td', cell) for cell in row)}</tr>" for row in made]
    return (
        "<div>"
        + (f"<div><b>{escape(title)}</b></div>" if title else "")
        + f'<table style="{_TABLE}">{"".join(lines)}</table>'
        + "".join(f'<div style="{_NOTE}">{escape(note)}</div>' for note in notes)
        + "</div>"
    )


def _as_cell(given: object) -> Cell:
    return given if isinstance(given, Cell) else Cell(str(given), right=False)


def _cell(tag: str, cell: Cell) -> str:
    style = f"padding:2px 7px;text-align:{'right' if cell.right else 'left'}"
    if cell.bold:
        style += ";font-weight:bold"
    if cell.fill is not None:
        ink = "#000" if _light(cell.fill) else "#fff"
        style += f";background:rgb{cell.fill};color:{ink}".replace(" ", "")
    title = f' title="{escape(cell.title)}"' if cell.title else ""
    words = cell.text if len(cell.text) <= _LONGEST else f"{cell.text[: _LONGEST - 1]}…"
    return f'<{tag} dir="auto" style="{style}"{title}>{escape(words)}</{tag}>'


# -- values ------------------------------------------------------------------------------------


def value(one: Value) -> str:
    """A value in a line; its signature is seen when pointing at it."""
    number, interval = _shown(one)
    where = f' title="{escape(one.signature)}"'
    return f"<span{where}>{escape(one.name)} = <b>{escape(number)}</b> {escape(interval)}</span>"


def values(named: Mapping[str, Value], *, title: str = "", notes: Iterable[str] = ()) -> str:
    """A row for each value."""
    rows = []
    for name, one in named.items():
        number, interval = _shown(one)
        told = str(one.signature)
        rows.append([Cell(name, told, right=False), Cell(number, told, bold=True), Cell(interval)])
    return table(rows, title=title, notes=notes)


def by_group(
    groups: Mapping[str, Mapping[str, Value]], *, title: str = "", notes: Iterable[str] = ()
) -> str:
    """A row a group and a column a value: accuracy by set, entropies by measure."""
    columns = list(dict.fromkeys(name for group in groups.values() for name in group))
    rows = []
    for name, group in groups.items():
        shown = [_shown(group[c]) if c in group else ("", "") for c in columns]
        cells = (Cell(f"{number} {rest.partition(' (')[0]}", rest) for number, rest in shown)
        rows.append([name, *cells])
    return table(rows, ["", *columns], title=title, notes=notes)


def _shown(one: Value) -> tuple[str, str]:
    """Number, and interval with n."""
    shown = one.shown()
    if not shown.interval:
        return f"{shown.value} {one.units()}", ""
    return shown.value, f"{shown.interval} {one.units()}"


# -- heads -------------------------------------------------------------------------------------


def grid(one: Grid, notes: Iterable[str] = ()) -> str:
    """Layers down, heads across, in the colours of the heatmap; the interval when pointing."""
    import numpy as np

    known = one.values[np.isfinite(one.values)]
    size = float(np.abs(known).max()) if known.size else 0.0
    low = -size if known.size and known.min() < 0 else 0.0
    rows = []
    for layer, line in enumerate(one.values):
        cells = [
            _head(one, layer, head, (float(v) - low) / ((size - low) or 1.0), low < 0)
            for head, v in enumerate(line)
        ]
        rows.append([Cell(str(layer), bold=True), *cells])
    told = [*notes]
    if one.threshold is not None:
        told.insert(0, f"bold: above the uniform share, {one.threshold:.3f}")
    title = f"{one.measure}, {one.site}: mean of {one.n} {one.unit}s"
    head = ["layer\\head", *map(str, range(one.values.shape[1]))]
    return table(rows, head, title=title, notes=told)


def _head(one: Grid, layer: int, head: int, level: float, signed: bool) -> Cell:
    number = float(one.values[layer, head])
    if number != number:
        return Cell("", "no value")
    interval = f"[{one.low[layer, head]:.3f}, {one.high[layer, head]:.3f}]"
    return Cell(
        f"{round(number, 2) + 0.0:.2f}",  # no -0.00
        f"{layer}.{head}: {number:.3f} {interval}",
        bold=one.threshold is not None and number > one.threshold,
        fill=colour(level, "two" if signed else "one"),
    )


def colour(level: float, scale: str = "one") -> tuple[int, int, int]:
    """The colour of a level from 0 to 1 on a scale of the palette.

    >>> colour(0.0), colour(1.0), colour(0.5, "two")
    ((244, 241, 232), (0, 34, 78), (245, 242, 236))
    """
    red, green, blue = bytes.fromhex(mixed(SCALES[scale][0], level)[1:])
    return red, green, blue


def _light(fill: tuple[int, int, int]) -> bool:
    """Is black the better ink on it?"""
    red, green, blue = ((c / 255) ** 2.2 for c in fill)
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18)
