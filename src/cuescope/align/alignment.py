"""What an aligner returns for one sentence pair: words, links, and spans carried across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuescope.align.prior import function_words
from cuescope.words import Word


@dataclass(frozen=True)
class Alignment:
    """The words of both sides and the links between them, by index."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    links: tuple[tuple[int, int], ...]
    languages: tuple[str, str]

    def target_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the source text between two characters stands in the target, or None.

        The best contiguous piece of the linked words; articles and prepositions at its edges
        are left out unless the source span has one too.

        >>> from cuescope.align import align
        >>> [pair] = align(["The nurse slept."], ["L'infermiera dormiva."], "en", "it")
        >>> pair.target_span(4, 9)
        (2, 12)
        """
        asked = [i for i, w in enumerate(self.source) if w.start < end and start < w.end]
        linked = sorted({j for i, j in self.links if i in set(asked)})
        if not linked:
            return None
        light = [_weight(w, self.languages[1]) < 1 for w in self.target]
        pieces = self._pieces(linked, light)
        if not any(_weight(self.source[i], self.languages[0]) < 1 for i in asked):
            pieces = [_trim(piece, light) for piece in pieces]
        centre = sum(asked) / len(asked) / len(self.source)

        def rank(piece: Sequence[int]) -> tuple[float, float]:
            weight = sum(_weight(self.target[j], self.languages[1]) for j in piece)
            return weight, -abs(sum(piece) / len(piece) / len(self.target) - centre)

        best = max(pieces, key=rank)
        return min(self.target[j].start for j in best), max(self.target[j].end for j in best)

    def _pieces(self, linked: Sequence[int], light: Sequence[bool]) -> list[list[int]]:
        """Runs of linked words; a run may step over function words (*agente di polizia*)
        that are linked to nothing else.
        """
        taken = {j for _, j in self.links}
        pieces = [[linked[0]]]
        for j in linked[1:]:
            gap = range(pieces[-1][-1] + 1, j)
            joined = all(light[k] and k not in taken and self.target[k].form.isalpha() for k in gap)
            if len(gap) <= 2 and joined:
                pieces[-1] += [*gap, j]
            else:
                pieces.append([j])
        return pieces


def _weight(word: Word, lang: str) -> float:
    """1 for a content word; function words and punctuation count only among themselves."""
    if not any(c.isalnum() for c in word.form):
        return 0.001
    return 0.05 if word.form.lower() in function_words(lang) else 1.0


def _trim(piece: list[int], light: Sequence[bool]) -> list[int]:
    """The piece without function words at its edges, unless it has nothing else."""
    content = [j for j in piece if not light[j]]
    return piece[piece.index(content[0]) : piece.index(content[-1]) + 1] if content else piece
