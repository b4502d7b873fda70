"""The gender direction of a model's source embeddings, after Bolukbasi et al. (2016)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cuescope.errors import CueScopeError

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

PAIRS = (  # Bolukbasi's ten definitional pairs, feminine first
    ("she", "he"),
    ("her", "his"),
    ("woman", "man"),
    ("Mary", "John"),
    ("herself", "himself"),
    ("daughter", "son"),
    ("mother", "father"),
    ("gal", "guy"),
    ("girl", "boy"),
    ("female", "male"),
)


@dataclass(frozen=True)
class Direction:
    """A unit vector that points from masculine to feminine, and what it was made from."""

    vector: Tensor
    pairs: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[tuple[str, str], str], ...]  # pairs that are not one token each
    explained: float  # share of the pairs' variance along this direction


@dataclass(frozen=True)
class Tokens:
    """Words that the model reads as one token, and the others, each with its reason."""

    ids: dict[str, int]
    skipped: dict[str, str]


def source_embedding(mt: Translator) -> nn.Embedding:
    """The table of source embeddings; it may be shared with the decoder."""
    found: Any = mt.engine.module
    for name in (*mt.family.encoder.split(".{}")[0].split(".")[:-1], "embed_tokens"):
        found = getattr(found, name, None)
    if not isinstance(found, nn.Embedding):
        raise CueScopeError(
            f"the source embeddings of {mt.name} were not found",
            expected="a torch Embedding named embed_tokens in its encoder",
            found=type(found).__name__,
            do="add the family's name for it in inside/edit/gender_direction.py",
        )
    return found


def one_token(mt: Translator, words: Iterable[str]) -> Tokens:
    """Which words stand in the source vocabulary as they are; a bare `▁` in front counts not."""
    ids: dict[str, int] = {}
    skipped: dict[str, str] = {}
    unknown = set.intersection(*({*mt.tokenise(c).ids} for c in "\ue000\ue001"))  # no text has them
    for word in dict.fromkeys(words):
        encoding = mt.tokenise(word)
        places = encoding.positions(0, len(word))
        pieces = [encoding.pieces[i] for i in places]
        if len(pieces) != 1:
            skipped[word] = f"{len(pieces)} tokens: {' '.join(pieces)}"
        elif pieces[0].lstrip("▁") != word or encoding.ids[places[0]] in unknown:
            skipped[word] = f"unknown to the vocabulary: {pieces[0]}"
        else:
            ids[word] = encoding.ids[places[0]]
    return Tokens(ids, skipped)


def gender_direction(mt: Translator, pairs: Sequence[tuple[str, str]] = PAIRS) -> Direction:
    """First principal component of the definitional pairs, each centred on its own mean."""
    tokens = one_token(mt, (word for pair in pairs for word in pair))
    used = [pair for pair in pairs if all(word in tokens.ids for word in pair)]
    if not used:
        raise CueScopeError(
            f"no pair of words shows {mt.name}'s gender direction",
            expected="at least one definitional pair whose words are one token each",
            found="; ".join(f"{w}: {why}" for w, why in list(tokens.skipped.items())[:4]),
            do="give pairs= of words in the source language, feminine first",
        )
    table = source_embedding(mt).weight.detach()
    rows = torch.tensor([[tokens.ids[word] for word in pair] for pair in used], device=table.device)
    points = table[rows].double()  # [pair, feminine / masculine, width]
    centred = (points - points.mean(1, keepdim=True)).flatten(0, 1)
    _, sizes, axes = torch.linalg.svd(centred, full_matrices=False)
    if float(sizes[0]) == 0:
        raise CueScopeError(
            f"{mt.name} embeds the definitional pairs alike",
            expected="feminine and masculine words with different embeddings",
            found=f"no difference in {len(used)} pairs",
        )
    along = (points[:, 0] - points[:, 1]).mean(0) @ axes[0]
    vector = axes[0] * (1 if float(along) >= 0 else -1)
    skipped = tuple(
        (pair, "; ".join(f"{w}: {tokens.skipped[w]}" for w in pair if w in tokens.skipped))
        for pair in pairs
        if pair not in used
    )
    share = float(sizes[0] ** 2 / (sizes**2).sum())
    return Direction(vector.to(table.dtype), tuple(used), skipped, share)
