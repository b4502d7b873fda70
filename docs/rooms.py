"""Draws the rooms of `src/cuescope` from its imports: docs/rooms.svg.

A room stands below all that use it. An arrow is an import that no way through other rooms says
already; what lies on the ground is open to all.

python docs/rooms.py
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import import_graph as graph

PICTURE = Path(__file__).with_suffix(".svg")
WIDTH, BOX, HEIGHT, ACROSS, DOWN, EDGE = 1000, 226, 78, 14, 32, 24
LINE = 34  # letters of a room's docstring in one line
_STYLE = (
    "text{font-family:system-ui,Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1f2933}"
    ".name{font-weight:600;font-size:16px}.says{font-size:11px;fill:#52606d}"
    ".room{fill:#eef4fb;stroke:#4a7fb5}.file{fill:#f7f3ea;stroke:#b59b5b}"
    "path{fill:none;stroke:#7b8794;stroke-width:1.5;marker-end:url(#tip)}"
)


def ways(source: Path) -> dict[str, set[str]]:
    """What each room imports, without what those rooms import themselves (at any depth)."""
    direct: dict[str, set[str]] = {name: set() for name in graph.top(source)}
    for a, b in graph.edges(graph.imports(source)):
        if a in direct and b in direct:
            direct[a].add(b)

    def reached(name: str) -> set[str]:
        return direct[name].union(*(reached(other) for other in direct[name]))

    return {
        name: {b for b in some if not any(b in reached(other) for other in some)}
        for name, some in direct.items()
    }


def rows(down: dict[str, set[str]]) -> list[list[str]]:
    """Top row first: every room one row below the lowest of those that use it."""

    def depth(name: str) -> int:
        return max((1 + depth(user) for user, some in down.items() if name in some), default=0)

    found: dict[int, list[str]] = {}
    for name in sorted(down, key=graph.ORDER.index):
        found.setdefault(depth(name), []).append(name)
    return [found[at] for at in sorted(found)]


def draw(source: Path = graph.SOURCE) -> str:
    """The picture as SVG text; the same tree gives the same text."""
    known = graph.modules(source)
    single = [name for name in graph.GROUND if name in known]
    down = {name: some - set(single) for name, some in ways(source).items() if name not in single}
    at: dict[str, tuple[int, int]] = {}
    y = EDGE
    for row in rows(down):
        for name, x in _spread(row, down, at):
            at[name] = (x, y)
        y += HEIGHT + DOWN
    boxes = [_box(name, *at[name], BOX, "room", known[name]) for name in down]
    narrow = (WIDTH - 2 * EDGE - 12 * (len(single) - 1)) // len(single)
    for place, name in enumerate(single):
        middle = EDGE + place * (narrow + 12) + narrow // 2
        boxes.append(_box(name, middle, y, narrow, "file", known[name]))
    arrows = [_arrow(at[a], at[b]) for a in down for b in sorted(down[a])]
    height = y + HEIGHT // 2 + EDGE
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" role="img">',
            "<title>The rooms of cuescope: an arrow is an import</title>",
            f"<style>{_STYLE}</style>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" '
            'style="fill:#7b8794;stroke:none;marker-end:none"/></marker></defs>',
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
            *arrows,
            *boxes,
            "</svg>\n",
        ]
    )


def _spread(
    row: list[str], down: dict[str, set[str]], at: dict[str, tuple[int, int]]
) -> Iterable[tuple[str, int]]:
    """The middles of a row's boxes: each below its users as far as its neighbours let it."""
    wished = {}
    for name in row:
        users = [at[user][0] for user, some in down.items() if name in some]
        wished[name] = sum(users) // len(users) if users else WIDTH // 2
    order = sorted(row, key=lambda name: (wished[name], row.index(name)))
    step = BOX + ACROSS
    middle = sum(wished.values()) // len(row)
    reach = step * (len(row) - 1) // 2 + BOX // 2 + EDGE
    middle = min(max(middle, reach), WIDTH - reach)
    left = middle - step * (len(row) - 1) // 2
    return [(name, left + place * step) for place, name in enumerate(order)]


def _box(name: str, x: int, y: int, width: int, kind: str, path: Path) -> str:
    says = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").splitlines()[0]
    lines = textwrap.wrap(says.replace("`", "").rstrip("."), LINE) if kind == "room" else []
    height = HEIGHT if lines else HEIGHT // 2
    top = y + (height - 18 - 14 * len(lines)) // 2 + 14
    text = [f'<text class="name" x="{x}" y="{top}">{escape(name)}</text>']
    text += [
        f'<text class="says" x="{x}" y="{top + 3 + 14 * (place + 1)}">{escape(line)}</text>'
        for place, line in enumerate(lines)
    ]
    left = x - width // 2
    shape = f'<rect class="{kind}" x="{left}" y="{y}" width="{width}" height="{height}" rx="6"/>'
    return "\n".join([shape, *text])


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    (a, top), (b, bottom) = start, end
    top += HEIGHT
    bend = (bottom - top) // 2
    return f'<path d="M{a} {top}C{a} {top + bend} {b} {bottom - bend} {b} {bottom}"/>'


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
    print(PICTURE)
