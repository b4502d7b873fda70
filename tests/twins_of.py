"""Twins for small models: sentences of one frame, with target forms of their own."""

from __future__ import annotations

from cuescope.data.contrast import pair
from cuescope.data.items import Item
from cuescope.inside.ready import Ready, Twins, twins

_FRAMES = [
    ("The mechanic called because {} was late.", "mechanic", ("she", "he"), "O médico falaram."),
    ("The nurse said that {} was tired and went home.", "nurse", ("she", "he"), "A enfermeira."),
    ("The developer argued because {} idea cannot be late.", "developer", ("her", "his"), "O a"),
    ("The lawyer met {} co-worker.", "lawyer", ("her", "his"), "O desenvolvedor e a enfermeira"),
]


def _item(frame: str, noun: str, cue: str, gold: str) -> Item:
    text, start = frame.format(cue), frame.index("{}")
    at = text.index(noun)
    return Item(text, (at, at + len(noun)), (start, start + len(cue)), gold, gold, noun=noun)  # type: ignore[arg-type]


def make(mt, *, like: bool | None = None, count: int = 4) -> Ready[Twins]:
    """Twins with contrasts of different depth; `like` keeps those of like or unlike length."""
    pairs, forms = [], []
    for number, (frame, noun, (she, he), target) in enumerate(_FRAMES):
        female, male = _item(frame, noun, she, "female"), _item(frame, noun, he, "male")
        pairs.append(pair(male, female, number))
        forms.append((f"{target} naïve", f"{target} desenvolvedor"))
    found = twins(mt, pairs, forms=forms)
    assert len(found) == len(pairs), found.skipped
    kept = [one for one in found if like is None or one.like_length is like]
    return Ready(kept[:count], {}, "tiny")
