"""Small plots that stand at the end of a table's row: a value and its interval on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuescope.run import findings
from cuescope.run.findings import Number

if TYPE_CHECKING:
    from cuescope.run.compare import SideBySide, Versus

_WIDE, _HIGH, _EDGE = 200, 22, 8  # in units of the plot


@dataclass(frozen=True)
class Strips:
    """A plot for every row of a table, and the legend below it."""

    drawn: Sequence[str]
    legend: str = ""


def accuracy(found: SideBySide) -> Strips:
    """Male and female accuracy of each row of table 1, from 0 to 100 %."""
    from cuescope.show.compare.tables import sets_of

    drawn = []
    for name in sets_of(found.runs):
        for run in found.runs:
            values = run.findings["accuracy"].get(name)
            if values:
                marks = [
                    _mark(values.get("male"), 0, 1, "he", "square"),
                    _mark(values.get("female"), 0, 1, "she", "dot"),
                ]
                drawn.append(_svg(marks, 0, 1))
    key = (
        '<p class="note"><span class="key he">■</span> male '
        '<span class="key she">●</span> female, from 0 to 100 %</p>'
    )
    return Strips(drawn, key)


def minimal_pairs(found: SideBySide) -> Strips:
    """MPA of each row of table 2, from 0 to 100 %."""
    from cuescope.show.compare.tables import minimal_pairs_of

    numbers = [one["mpa"] for run in found.runs for one in minimal_pairs_of(run).values()]
    drawn = [_svg([_mark(number, 0, 1, "one", "dot")], 0, 1) for number in numbers]
    return Strips(drawn, '<p class="note">The plot: MPA, from 0 to 100 %.</p>')


def difference(versus: Versus) -> Strips:
    """Each difference about a line at 0, shares and ΔH on scales of their own."""
    values = [one.value for one in versus.differences]
    drawn = []
    for value in values:
        alike = [v for v in values if v.percent == value.percent and v.sure]
        most = max((abs(b) for v in alike for b in (v.low, v.high)), default=1.0) or 1.0
        number = findings.number(value)
        sure = "one" if value.low > 0 or value.high < 0 else "faint"
        drawn.append(_svg([_mark(number, -most, most, sure, "dot")], -most, most))
    return Strips(drawn)


def _at(value: float, low: float, high: float) -> float:
    """Where a value lies, in units of the plot."""
    return round(_EDGE + (_WIDE - 2 * _EDGE) * (value - low) / (high - low), 1)


def _mark(number: Number | None, low: float, high: float, colour: str, shape: str) -> str:
    """A mark at the value, a line over the interval; nothing where there is no value."""
    if number is None:
        return ""
    value, first, last = number["value"], number["low"], number["high"]
    if value is None or first is None or last is None or not number["n"]:
        return ""
    y = _HIGH / 2
    x, x1, x2 = (_at(v, low, high) for v in (value, first, last))
    line = f'<line x1="{x1}" x2="{x2}" y1="{y}" y2="{y}"/>'
    if shape == "square":
        mark = f'<rect x="{x - 4:.1f}" y="{y - 4}" width="8" height="8"/>'
    else:
        mark = f'<circle cx="{x}" cy="{y}" r="4.5"/>'
    return f'<g class="{colour}">{line}{mark}</g>'


def _svg(marks: Sequence[str], low: float, high: float) -> str:
    """The axis with its ends, and a tick at 0 where it lies inside."""
    y = _HIGH / 2
    ticks = "".join(
        f'<line x1="{x}" x2="{x}" y1="{y - 6}" y2="{y + 6}"/>'
        for x in (_at(v, low, high) for v in ((low, high) if low >= 0 else (0.0,)))
    )
    axis = f'<line x1="{_EDGE}" x2="{_WIDE - _EDGE}" y1="{y}" y2="{y}"/>{ticks}'
    return (
        f'<svg class="strip" viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" '
        f'aria-hidden="true"><g class="axis">{axis}</g>{"".join(marks)}</svg>'
    )
