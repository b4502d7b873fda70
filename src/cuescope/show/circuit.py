"""Where the heads and paths of a circuit are drawn: the same for the report and for papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuescope.run.findings import CircuitOf
from cuescope.run.numbers import EdgeOf, NodeOf

WIDTH, ROW, FOOT = 360, 62, 30  # of the drawing, in its own units
SPOTS = {"cue": "cue", "noun": "noun", "other": "other words", "end": "end"}
WIDEST = 12.0  # a line that restores the whole gap
SEEN = 0.02  # of the gap: paths below it are not drawn
_LOOKED = 0.1  # of the attention: looks below it are not drawn


class Dot(NamedTuple):
    """A head, a spot of the sentence, or the choice at the top."""

    label: str
    x: float
    y: float
    kind: str  # spot, encoder, decoder, cross, choice
    size: float = 0.0  # total effect


class Line(NamedTuple):
    """A path (an effect), or where a head looks (attention)."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str  # path or look
    share: float
    label: str = ""

    @property
    def width(self) -> float:
        """As wide as its share."""
        return max(0.8, WIDEST * min(1.0, abs(self.share)))

    @property
    def middle(self) -> tuple[float, float]:
        """Where its label stands: nearer to its lower end, where lines have not met yet."""
        x, y = (a + 0.35 * (b - a) for a, b in ((self.x1, self.x2), (self.y1, self.y2)))
        return x + 7, y


class Drawing(NamedTuple):
    """All that is drawn, and how high it is."""

    dots: list[Dot]
    lines: list[Line]
    height: float


def drawn(told: CircuitOf) -> Drawing:
    """The sentence at the bottom, the heads in the order of their layers, the choice at the top."""
    rows = _rows(told["heads"])
    height = FOOT + ROW * (len(rows) + 1) + FOOT
    dots: dict[str, Dot] = {}
    for at, (spot, name) in enumerate(SPOTS.items()):
        dots[spot] = Dot(name, WIDTH * (at + 0.5) / len(SPOTS), height - FOOT, "spot")
    for row, heads in enumerate(rows, 1):
        for at, one in enumerate(heads):
            x = WIDTH * (at + 1) / (len(heads) + 1) + (20 if row % 2 else -20) * (len(heads) == 1)
            label, size = f"{one['layer']}.{one['head']}", one["total"]["value"] or 0.0
            dots[one["name"]] = Dot(label, x, height - FOOT - ROW * row, one["site"], size)
    dots["choice"] = Dot("the noun's gender", WIDTH / 2, FOOT, "choice")
    return Drawing(list(dots.values()), list(_lines(told, dots)), height)


def _rows(heads: Sequence[NodeOf]) -> list[list[NodeOf]]:
    order = {"encoder": 0, "decoder": 1, "cross": 1}
    places = sorted({(order[one["site"]], one["layer"], one["site"] == "cross") for one in heads})
    return [
        [o for o in heads if (order[o["site"]], o["layer"], o["site"] == "cross") == place]
        for place in places
    ]


def strongest(told: CircuitOf) -> dict[tuple[str, str], EdgeOf]:
    """The strongest path between every two heads, at all positions."""
    found: dict[tuple[str, str], EdgeOf] = {}
    for edge in told["edges"]:
        key = edge["sender"], edge["receiver"]
        if edge["where"] == "all" and _size(edge) > (_size(found[key]) if key in found else -1.0):
            found[key] = edge
    return found


def _size(edge: EdgeOf) -> float:
    return abs(edge["effect"]["value"] or 0.0)


def _lines(told: CircuitOf, dots: dict[str, Dot]) -> Iterator[Line]:
    for one in told["heads"]:
        here, look = dots[one["name"]], one["looks"].get("noun", {})
        for spot, share in look.items():
            if share >= _LOOKED:
                yield _line(dots[spot], here, "look", share)
        if (direct := one["direct"]["value"]) is not None and abs(direct) >= SEEN:
            yield _line(here, dots["choice"], "path", direct, f"{100 * direct:.0f} %")
    for (sender, receiver), edge in strongest(told).items():
        if _size(edge) >= SEEN:
            share = edge["effect"]["value"] or 0.0
            label = f"{100 * share:.0f} % {edge['by']}"
            yield _line(dots[sender], dots[receiver], "path", share, label)


def _line(a: Dot, b: Dot, kind: str, share: float, label: str = "") -> Line:
    return Line(a.x, a.y, b.x, b.y, kind, share, label)
