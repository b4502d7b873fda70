"""The figures for readers without JavaScript: plain SVG, in the place of those that move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuescope.run.findings import GridOf, Site, UncertaintyOf
from cuescope.show.report.say import percent
from cuescope.stats import palette
from cuescope.stats.html import escape

_CELL, _EDGE = 22, 26  # of a grid
_WIDE, _HIGH = 340, 220  # of a chart
_SIZES = {"attention": 2.0, "attention_at_noun": 2.0}  # how far a scale reaches, in thresholds


def grid(found: GridOf, site: Site, measure: str, name: str) -> str:
    """Layers down, heads across; a number where a head carries the cue, a dot above the uniform
    share of attention."""
    values = [value for row in found["scores"] for value in row if value is not None]
    if not values:
        return ""
    least = _SIZES[measure] * (found["threshold"] or 0.0) if measure in _SIZES else 0.1
    size, signed = max(map(abs, (*values, least))) or 1.0, min(values) < 0
    columns, rows = len(found["scores"][0]), len(found["scores"])
    ends = [
        *(_text(_EDGE + (n + 0.5) * _CELL, 12, str(n)) for n in range(columns)),
        *(_text(10, _EDGE - 10 + (n + 0.5) * _CELL + 4, str(n)) for n in range(rows)),
    ]
    cells = []
    for layer, row in enumerate(found["scores"]):
        for head, value in enumerate(row):
            if value is None:
                continue
            x, y = _EDGE + head * _CELL, _EDGE - 10 + layer * _CELL
            place = f'x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}"'
            cells.append(f'<rect {place} fill="{palette.at(value, size, signed=signed)}"/>')
            if found["threshold"] is not None and value > found["threshold"]:
                cells.append(_dot(x + 0.5 * _CELL, y + 0.5 * _CELL, "deep", 2))
            if measure not in _SIZES and site["carrying"].get(f"{layer}.{head}") == "carries":
                dark = value > 0.6 * size
                cells.append(
                    _text(x + _CELL / 2, y + 15, f"{100 * value:.0f}", "deep" if dark else "ink")
                )
    return _svg(_EDGE + columns * _CELL, _EDGE + rows * _CELL, name, [*ends, *cells])


def scatter(site: Site, name: str) -> str:
    """Attention against effect: every head a dot, those that carry the cue by name."""
    looks, does = site["attention"], site["effect"]
    if not looks or not does:
        return ""
    dots = [
        (x, y, f"{layer}.{head}")
        for layer, row in enumerate(does["all"]["scores"])
        for head, y in enumerate(row)
        if y is not None and (x := looks["all"]["scores"][layer][head]) is not None
    ]
    if not dots:
        return ""
    right = max(x for x, _, _ in dots) or 1.0
    low, high = min(0.0, *(y for _, y, _ in dots)), max(0.06, *(y for _, y, _ in dots))
    parts = [_line(40, _up(0.0, low, high), _WIDE - 10, _up(0.0, low, high))]
    for x, y, head in dots:
        across, up = 40 + 290 * x / right, _up(y, low, high)
        carries = site["carrying"].get(head) == "carries"
        parts.append(_dot(across, up, "dot-head" + " carries" * carries, 3.5))
        if carries:
            parts.append(_text(across, up - 8, head, "name"))
    parts += [
        _text(190, _HIGH - 4, f"attention, 0 to {right:.2f}"),
        _text(36, _up(high, low, high) + 4, percent(high), anchor="end"),
        _text(36, _up(0.0, low, high) + 4, "0 %", anchor="end"),
    ]
    return _svg(_WIDE, _HIGH, name, parts)


def steps(site: Site, name: str) -> str:
    """A bar for what the heads taken so far restore."""
    taken = site["together"]
    if not taken or not taken["steps"]:
        return ""
    parts = []
    for at, one in enumerate(taken["steps"]):
        share, y = one["restored"]["value"] or 0.0, 24 * at
        place = f'x="56" y="{y + 4}" height="16" width="{max(0.0, min(1.2, share)) * 180:.0f}"'
        head = f"{'+ ' * bool(at)}{one['layer']}.{one['head']}"
        parts += [
            f'<rect class="added" {place}/>',
            _text(50, y + 16, head, "name", "end"),
            _text(64 + 180 * max(0.0, min(1.2, share)), y + 16, percent(share), anchor="start"),
        ]
    return _svg(_WIDE, 24 * len(taken["steps"]) + 4, name, parts)


def dots(study: UncertaintyOf, measure: str) -> str:
    """Every sentence a dot above he, she and they, and the mean with its interval."""
    told = study["measures"].get(measure)
    if told is None:
        return ""
    values = {v: told["entropy"].get(v, []) for v in ("he", "she", "they")}
    high = max((v for some in values.values() for v in some), default=0.0) or 0.05
    parts = [_line(40, _up(0.0, 0.0, high), _WIDE - 10, _up(0.0, 0.0, high))]
    for at, (version, some) in enumerate(values.items()):
        middle = 90 + 100 * at
        parts += [*_heap(some, middle, high, version), _text(middle, _HIGH - 4, version, "name")]
        mean = told["values"].get(f"H {version}")
        if mean and mean["value"] is not None:
            side = middle + 42
            if mean["low"] is not None and mean["high"] is not None:
                ends = [_up(mean[k] or 0.0, 0.0, high) for k in ("low", "high")]  # type: ignore[literal-required]
                parts.append(_line(side, ends[0], side, ends[1], "interval"))
            parts.append(_dot(side, _up(mean["value"], 0.0, high), "mean", 4))
    name = f"Entropy of every sentence, {measure.upper()}"
    parts.append(_text(36, _up(high, 0.0, high) + 4, f"{high:.2f}", anchor="end"))
    parts.append(_text(_WIDE / 2, 12, name, "name"))
    return _svg(_WIDE, _HIGH, name, parts)


def _heap(values: Sequence[float], middle: float, high: float, version: str) -> Iterator[str]:
    """Dots at about one height lie side by side."""
    rows: dict[int, list[float]] = {}
    for value in values:
        rows.setdefault(round(_up(value, 0.0, high) / 5), []).append(value)
    for some in rows.values():
        step = min(5.4, 70 / len(some))
        for at, value in enumerate(some):
            across = middle + (at - (len(some) - 1) / 2) * step
            yield _dot(across, _up(value, 0.0, high), f"sample {version}", 2.2)


def _up(value: float, low: float, high: float) -> float:
    return _HIGH - 24 - (value - low) / ((high - low) or 1.0) * (_HIGH - 44)


def _svg(width: float, height: float, name: str, parts: Sequence[str]) -> str:
    """Shown only where no script runs; as wide as drawn, or as the page."""
    return (
        f'<noscript><svg class="chart still" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" role="img" aria-label="{escape(name)}">{"".join(parts)}</svg>'
        "</noscript>"
    )


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{name}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "zero") -> str:
    return f'<line class="{kind}" x1="{x1:.0f}" y1="{y1:.1f}" x2="{x2:.0f}" y2="{y2:.1f}"/>'


def _dot(x: float, y: float, kind: str, r: float) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'
