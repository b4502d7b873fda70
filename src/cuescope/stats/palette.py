"""One colour language for report and figures: he, she, they, noun and cue, and the two scales.

Each has a colour for light pages and one for dark ones; `page.css` names the same.
"""

from __future__ import annotations

from collections.abc import Sequence

NAMED: dict[str, tuple[str, str]] = {
    "he": ("#8a5a00", "#e5b55b"),
    "she": ("#00686f", "#5ec5c4"),
    "they": ("#5a5570", "#b6aede"),
    "accent": ("#1f4f7a", "#92bde4"),  # the noun, and encoder heads
    "focus": ("#b3540f", "#ffb070"),  # the cue, and cross-attention heads
}
SCALES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # for the colour-blind, and in grey
    "one": (  # after cividis
        tuple("#f4f1e8 #e6dba9 #cabb74 #9d9675 #6f7376 #3f5078 #00224e".split()),
        tuple("#20242c #16315e #3b4a6d #68696f #97907a #cbb968 #fee838".split()),
    ),
    "two": (  # after PuOr: below 0, and above
        tuple("#7f3b08 #b35806 #e08214 #fdb863 #f5f2ec #b2abd2 #8073ac #542788 #2d004b".split()),
        tuple("#ffd9a8 #e9a54a #a86f22 #5f4520 #23272f #433a6b #705db0 #a692e8 #ddd2ff".split()),
    ),
    "gender": (  # from he to she
        tuple("#8a5a00 #c9a24f #f5f2ec #6bb3b3 #00686f".split()),
        tuple("#e5b55b #8a6a2f #23272f #2f7574 #5ec5c4".split()),
    ),
}


def light(name: str) -> str:
    """The colour of a name on a light page, as figures have it."""
    return NAMED[name][0]


def mixed(stops: Sequence[str], share: float) -> str:
    """The colour at a share of a scale.

    >>> mixed(["#000000", "#ffffff"], 0.5)
    '#808080'
    """
    place = min(1.0, max(0.0, share)) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    two = [[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in stops[low : low + 2]]
    mix = (a + (b - a) * (place - low) for a, b in zip(*two, strict=True))
    return "#" + "".join(f"{int(value + 0.5):02x}" for value in mix)


def at(value: float, size: float, *, signed: bool) -> str:
    """The colour of a value in CSS, where the scale reaches to `size` (and to −`size`)."""
    share = (value / size + 1) / 2 if signed else value / size
    pale, dark = (mixed(stops, share) for stops in SCALES["two" if signed else "one"])
    return f"light-dark({pale}, {dark})"
