"""Marian's lexical shortlist: the few target words that the words of a source can become.

A model with one scores those words alone. It is faster, and a word that is not on the list cannot
be said, however right it is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from cuescope.errors import refusal
from cuescope.models import decoding
from cuescope.models.decoding import Hypothesis
from cuescope.models.translator import Batch, Translator

MAGIC = 0xF11A48D5013417F5
_HEADER = struct.Struct("<6Q")  # magic, checksum, first, best, offsets, words
_EIGHT = 8  # the int8 product of Marian takes columns by eights

_corrupt = refusal(
    "{} is not a whole shortlist",
    expected="Marian's binary shortlist (lex.*.s2t.bin as Firefox ships it)",
    do="get the model again: `cuescope models get NAME`",
)


@dataclass(frozen=True)
class Shortlist:
    """Target words by source word, and the `first` ones (the most frequent) that always count."""

    first: int
    best: int
    offsets: np.ndarray
    words: np.ndarray
    shared: bool = True  # one vocabulary for both sides: a source word may be copied

    def of(self, sources: Iterable[int], vocabulary: int) -> list[int]:
        """The words that sentences with these source words may use, in order, by eights.

        As Marian chooses them: the first ones, those listed for each source word, the source words
        themselves, and the next frequent ones until eight divides their number.
        """
        chosen = set(range(min(self.first, vocabulary)))
        for word in {*sources}:
            if word < len(self.offsets) - 1:  # the row of padding stands for no word
                chosen.update(self.words[self.offsets[word] : self.offsets[word + 1]].tolist())
                if self.shared:
                    chosen.add(word)
        spare = (word for word in range(self.first, vocabulary) if word not in chosen)
        while len(chosen) % _EIGHT and (more := next(spare, None)) is not None:
            chosen.add(more)
        return sorted(chosen)


def read(path: Path, *, shared: bool = True) -> Shortlist:
    """A shortlist file: a header, where each source word's list begins, the lists."""
    data = path.read_bytes()
    if len(data) < _HEADER.size:
        raise _corrupt(path.name, f"{len(data)} bytes")
    magic, told, first, best, count, size = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise _corrupt(path.name, f"it begins with {magic:#x}")
    whole = _HEADER.size + 8 * count + 4 * size
    if count < 1 or whole != len(data):
        raise _corrupt(path.name, f"{len(data):,} bytes where {whole:,} are promised")
    if told != checksum(data):
        raise _corrupt(path.name, "other bytes than those of its checksum")
    offsets = np.frombuffer(data, "<u8", count, _HEADER.size).astype(np.int64)
    words = np.frombuffer(data, "<u4", size, _HEADER.size + 8 * count)
    if offsets[-1] != size or (np.diff(offsets) < 0).any() or offsets[0] != 0:
        raise _corrupt(path.name, "lists that overlap or go beyond the file")
    return Shortlist(first, best, offsets, words, shared)


def checksum(data: bytes) -> int:
    """Marian's own, of the file from its third number on, eight bytes at a time."""
    found = 0
    for value in np.frombuffer(data, "<u8", len(data) // 8 - 2, 16).tolist():
        found ^= (value + 0x9E3779B9 + (found << 6) + (found >> 2)) & 0xFFFFFFFFFFFFFFFF
    return found


class _Short:
    """An engine whose words are those of one shortlist: rows of its output, renumbered."""

    def __init__(self, engine: Any, words: Sequence[int]) -> None:
        self._engine = engine
        self.words = torch.tensor([*words, engine.start_id])
        self.vocabulary, self.start_id = len(words), len(words)
        self.eos_id = words.index(engine.eos_id)
        self.barred = tuple(at for at, word in enumerate(words) if word in engine.barred)
        rows = self.words[:-1]
        self._weight = engine.output.weight[rows].T.contiguous()
        self._bias = engine.output.bias[rows]

    def start(self, states: Tensor, mask: Tensor) -> Any:
        return self._engine.start(states, mask)

    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        hidden, state = self._engine.step(self.words[tokens], state)
        return hidden, state

    def project(self, hidden: Tensor) -> Tensor:
        return torch.addmm(self._bias, hidden, self._weight)


@dataclass(eq=False, repr=False)
class Shortlisted(Translator):
    """A Firefox model that says only what its shortlist lets it; one list serves a whole batch."""

    shortlist: Shortlist | None = None

    @classmethod
    def of(cls, mt: Translator, shortlist: Shortlist) -> Shortlisted:
        """The same model with a shortlist."""
        if len(shortlist.words) and shortlist.words.max() >= mt.engine.vocabulary:
            raise _corrupt(mt.name, f"the word {shortlist.words.max():,}, which the model lacks")
        known = {one.name: getattr(mt, one.name) for one in fields(mt) if one.init}
        return cls(**known, shortlist=shortlist)

    def _search(
        self, batch: Batch, beam: int, prefixes: Sequence[tuple[int, ...]] | None = None
    ) -> list[Hypothesis]:
        assert self.shortlist is not None
        assert prefixes is None
        states = self.engine.encode(batch.ids, batch.mask)
        sources = {index for encoding in batch.encodings for index in encoding.ids}
        engine: Any = _Short(self.engine, self.shortlist.of(sources, self.engine.vocabulary))
        args = (engine, states, batch.mask, (), self.limits)
        found = decoding.greedy(*args) if beam == 1 else _best(decoding.beam(*args, width=beam))
        return [replace(one, ids=tuple(engine.words[list(one.ids)].tolist())) for one in found]


def _best(found: list[list[Hypothesis]]) -> list[Hypothesis]:
    return [several[0] for several in found]
