"""What a head looks for, in words: the source words that its attention prefers, over sentences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cuescope.inside.read.maps import attention_maps

if TYPE_CHECKING:
    from cuescope.inside.effect.edges import Node
    from cuescope.inside.ready import Subject
    from cuescope.models.translator import Translator

END = "end of sentence"
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_LEAST = 3  # sentences that must have a word


class Word(NamedTuple):
    """A word, the mean attention that it gets, and the sentences that have it."""

    word: str
    weight: float
    n: int


class Looks(NamedTuple):
    """From one kind of place: mean attention by spot of the source, and the words that get most."""

    spots: Mapping[str, float]  # cue, noun, end, other: they add up to 1
    words: tuple[Word, ...]


def looks(
    mt: Translator, subjects: Sequence[Subject], nodes: Sequence[Node], most: int = 5
) -> dict[tuple[Node, str], Looks]:
    """Of each head and each place that it looks from: noun, cue and end in the encoder; in `cross`
    the step at which the gender is chosen."""
    spots: dict[tuple[Node, str], list[dict[str, float]]] = defaultdict(list)
    words: dict[tuple[Node, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in subjects:
        maps = attention_maps(mt, one.item.text, one.target)
        names = list(_names(one))
        for node in nodes:
            weights = maps[node.site].weights[node.layer, node.head].double().cpu().numpy()
            for start, rows in _rows(one, node.site, len(weights)):
                share = weights[list(rows)].mean(0)
                spot: dict[str, float] = defaultdict(float)
                word: dict[str, float] = defaultdict(float)
                for weight, (where, name) in zip(share, names, strict=False):
                    spot[where] += float(weight)
                    word[name] += float(weight)
                spots[node, start].append(spot)
                for name, weight in word.items():
                    words[node, start][name].append(weight)
    return {
        key: Looks(
            {
                spot: float(np.mean([one.get(spot, 0.0) for one in some]))
                for spot in ("cue", "noun", "end", "other")
            },
            _top(words[key], most),
        )
        for key, some in spots.items()
    }


def _top(words: Mapping[str, Sequence[float]], most: int) -> tuple[Word, ...]:
    known = [Word(w, float(np.mean(v)), len(v)) for w, v in words.items() if len(v) >= _LEAST]
    return tuple(sorted(known, key=lambda one: -one.weight)[:most])


def _rows(one: Subject, site: str, length: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    if site == "encoder":
        yield "noun", one.noun
        yield "cue", one.cue
        yield "end", (len(one.encoding) - 1,)
    elif one.choice is not None and one.choice.step < length:
        yield "choice", (one.choice.step,)


def _names(one: Subject) -> Iterator[tuple[str, str]]:
    """Spot and word of each source position."""
    last = len(one.encoding) - 1
    found = [match.span() for match in _WORD.finditer(one.item.text)]
    for place, offset in enumerate(one.encoding.offsets):
        if place in one.cue:
            spot = "cue"
        elif place in one.noun:
            spot = "noun"
        else:
            spot = "end" if place == last else "other"
        inside = [s for s in found if offset and s[0] < offset[1] and offset[0] < s[1]]
        if spot == "noun":
            name = "the noun"
        elif inside:
            name = one.item.text[slice(*inside[0])].lower()
        else:
            name = END if place == last else one.encoding.pieces[place]
        yield spot, name
