"""Word alignment: which words of a translation stand for which words of its source."""

from __future__ import annotations

from collections.abc import Sequence

from cuescope.align.alignment import Alignment
from cuescope.align.engines import ENGINES, Corpus
from cuescope.align.symmetrise import HEURISTICS
from cuescope.errors import CueScopeError, one_each
from cuescope.gender.words import Word, words

__all__ = ["ENGINES", "HEURISTICS", "Alignment", "align"]

MAX_CELLS = 1_000_000  # of one sentence pair, words × words: bounds the memory of a step


def align(
    sources: Sequence[str],
    targets: Sequence[str],
    src: str,
    tgt: str,
    *,
    engine: str = "builtin",
    heuristic: str = "grow-diag-final-and",
) -> list[Alignment]:
    """Align each source with its translation, learning from all the pairs given.

    An empty side gives an alignment without links. Neither the order of the pairs nor capitals
    matter.

    >>> [a] = align(["The nurse slept."], ["L'infermiera dormiva."], "en", "it")
    >>> [(a.source[i].form, a.target[j].form) for i, j in a.links]
    [('The', "L'"), ('nurse', 'infermiera'), ('slept', 'dormiva'), ('.', '.')]
    """
    _check(sources, targets, engine, heuristic)
    sides = [
        (tuple(words(s, src)), tuple(words(t, tgt))) for s, t in zip(sources, targets, strict=True)
    ]
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], int] = {}
    for number, (source, target) in enumerate(sides, 1):
        if len(source) * len(target) > MAX_CELLS:
            raise CueScopeError(
                f"pair {number} is too long to align",
                expected=f"source words × target words ≤ {MAX_CELLS:,}",
                found=f"{len(source):,} × {len(target):,}",
                do="split it into sentences, or leave it out",
            )
        key = (_forms(source), _forms(target))
        counts[key] = counts.get(key, 0) + 1
    # Sorted and counted: sums then run in one order, whatever the order of the pairs.
    distinct = sorted(key for key in counts if all(key))
    text = Corpus(
        [s for s, _ in distinct],
        [t for _, t in distinct],
        [counts[key] for key in distinct],
        (src, tgt),
    )
    found = ENGINES[engine](text, heuristic)
    linked = dict(zip(distinct, found, strict=True))
    return [
        Alignment(s, t, tuple(sorted(linked.get((_forms(s), _forms(t)), ()))), (src, tgt))
        for s, t in sides
    ]


def _forms(side: Sequence[Word]) -> tuple[str, ...]:
    return tuple(w.form.lower() for w in side)


def _check(sources: Sequence[str], targets: Sequence[str], engine: str, heuristic: str) -> None:
    one_each(sources, targets)
    for what, name, known in (("engine", engine, ENGINES), ("heuristic", heuristic, HEURISTICS)):
        if name not in known:
            raise CueScopeError(
                f"no such {what} for alignment", expected=", ".join(known), found=name
            )
