"""What an aligner returns for one sentence pair: words, links, and spans carried across."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cuescope.align.prior import function_words
from cuescope.gender.words import Word


@dataclass(frozen=True)
class Alignment:
    """The words of both sides and the links between them, by index."""

    source: tuple[Word, ...]
    target: tuple[Word, ...]
    links: tuple[tuple[int, int], ...]
    languages: tuple[str, str]

    def pharaoh(self) -> str:
        """Both sides and the links, as alignment tools write them: `a b ||| c d ||| 0-0 1-1`."""
        sides = (" ".join(word.form for word in side) for side in (self.source, self.target))
        return " ||| ".join([*sides, " ".join(f"{i}-{j}" for i, j in self.links)])

    def target_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the source text between two characters stands in the target, or None.

        The best contiguous piece of the linked words; articles and prepositions at its edges
        are left out unless the source span has one too.

        >>> from cuescope.align import align
        >>> [pair] = align(["The nurse slept."], ["L'infermiera dormiva."], "en", "it")
        >>> pair.target_span(4, 9)
        (2, 12)
        """
        asked = {i for i, w in enumerate(self.source) if w.start < end and start < w.end}
        linked = sorted({j for i, j in self.links if i in asked})
        if not linked:
            return None
        weight = {j: self._weight(j, asked) for j in linked}
        pieces = self._pieces(linked)
        if not any(_is_light(self.source[i], self.languages[0]) for i in asked):
            pieces = [_trim(piece, weight) for piece in pieces]
        centre = sum(asked) / len(asked) / len(self.source)

        def rank(piece: Sequence[int]) -> tuple[float, float]:
            off = abs(sum(piece) / len(piece) / len(self.target) - centre)
            return sum(weight.get(j, 0.0) for j in piece), -off

        best = max(pieces, key=rank)
        return min(self.target[j].start for j in best), max(self.target[j].end for j in best)

    def _weight(self, j: int, asked: Collection[int]) -> float:
        """How much a linked word speaks for its piece: content words that mean nothing else most.

        A word that translates as many other content words (the verb next to the noun) counts less.
        """
        if _is_light(self.target[j], self.languages[1]):
            return 0.01 if self.target[j].form.isalpha() else 0.001
        linked = {i for i, k in self.links if k == j}
        others = {
            i for i in linked - set(asked) if not _is_light(self.source[i], self.languages[0])
        }
        return 0.5 if len(others) >= len(linked & set(asked)) else 1.0

    def _pieces(self, linked: Sequence[int]) -> list[list[int]]:
        """Runs of linked words, stepping over up to two unlinked function words.

        So *agente di polizia* stays one piece if only its nouns are linked.
        """
        taken = {j for _, j in self.links}
        pieces = [[linked[0]]]
        for j in linked[1:]:
            gap = range(pieces[-1][-1] + 1, j)
            loose = (k not in taken and self.target[k].form.isalpha() for k in gap)
            light = (_is_light(self.target[k], self.languages[1]) for k in gap)
            if len(gap) <= 2 and all(loose) and all(light):
                pieces[-1] += [*gap, j]
            else:
                pieces.append([j])
        return pieces


def _is_light(word: Word, lang: str) -> bool:
    """Whether a word is punctuation or a known function word."""
    return not any(map(str.isalnum, word.form)) or word.form.lower() in function_words(lang)


def _trim(piece: list[int], weight: Mapping[int, float]) -> list[int]:
    """The piece from its first to its last word of the highest weight."""
    top = max(weight.get(j, 0.0) for j in piece)
    best = [n for n, j in enumerate(piece) if weight.get(j, 0.0) == top]
    return piece[best[0] : best[-1] + 1]
