"""Hard-debiasing as an intervention: profession words lose the gender direction of the encoder.

After Bolukbasi et al. (2016) and its use on translation models in paper B: encoder side, words of
one token. What the embedding puts out is edited, not the weights: they stay bit-identical.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from cuescope.data.cues.english import word_class
from cuescope.errors import CueScopeError
from cuescope.inside.edit.follow import Follower, followed
from cuescope.inside.edit.gender_direction import (
    PAIRS,
    Direction,
    gender_direction,
    one_token,
    source_embedding,
)
from cuescope.inside.heads import Hook, hooked, signed
from cuescope.models.turn import alone
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


@dataclass
class Debiased:
    """What a debiasing does: the words that are edited, those that are not, and how often."""

    direction: Direction
    words: dict[str, int]  # word → its token
    skipped: dict[str, str]  # word → why it is left as it is
    lean: dict[str, float]  # cosine with the direction beforehand: above 0 leans feminine
    edited: int = 0  # tokens edited so far
    met: set[str] = field(default_factory=set)

    def __repr__(self) -> str:
        return (
            f"Debiased({len(self.words)} words of one token, {len(self.skipped)} left as they are; "
            f"{self.edited} tokens edited, {len(self.met)} different)"
        )


@alone
def debias(
    mt: Translator,
    words: Iterable[str] | None = None,
    *,
    pairs: Sequence[tuple[str, str]] = PAIRS,
    keep_norm: bool = False,
    must_meet: bool = True,
) -> Iterator[Debiased]:
    """Neutralise profession words for as long as the `with`: w − (w·g)g in place of w.

    `words` are some two hundred professions unless given. With `keep_norm` a word keeps
    its length (Bolukbasi's words all have length 1). Raises if no such word was met, unless
    `must_meet` says that there need be none.
    """
    found = _plan(mt, sorted(word_class("professions")) if words is None else words, pairs)
    of_token = {token: word for word, token in found.words.items()}
    wanted = torch.tensor(sorted(of_token), device=mt.device)
    gate = _Gate(mt.engine)

    def edit(_: nn.Module, args: tuple[Any, ...], out: Tensor) -> Tensor | None:
        if not gate.open:
            return None
        mask = torch.isin(args[0], wanted)
        if not bool(mask.any()):
            return None
        chosen = args[0][mask].tolist()
        found.edited += len(chosen)
        found.met.update(of_token[token] for token in chosen)
        edited = out.clone()
        edited[mask] = neutral(out[mask], found.direction.vector, keep_norm=keep_norm)
        return edited

    named = f"debias {hash_text([*found.words, *map(str, pairs)])}{' keep norm' * keep_norm}"
    hook = Hook(source_embedding(mt), edit, after=True)
    with signed(mt, named), hooked(mt, [hook]), followed(mt, gate):
        yield found
    if must_meet and not found.edited:
        raise CueScopeError(
            f"debiasing {mt.name} met nothing",
            expected=f"sentences with one of {len(found.words)} words, run inside the `with`",
            found="none",
            do="translate inside the `with`, and see `words` for those that are one token",
        )


def neutral(vectors: Tensor, direction: Tensor, *, keep_norm: bool = False) -> Tensor:
    """Vectors without their part along a unit direction.

    >>> neutral(torch.tensor([[3.0, 4.0]]), torch.tensor([1.0, 0.0])).tolist()
    [[0.0, 4.0]]
    """
    rest = vectors - (vectors @ direction)[..., None] * direction
    if keep_norm:
        size = vectors.norm(dim=-1, keepdim=True)
        rest = rest * size / rest.norm(dim=-1, keepdim=True).clamp_min(1e-12)
    return rest


def _plan(mt: Translator, words: Iterable[str], pairs: Sequence[tuple[str, str]]) -> Debiased:
    direction = gender_direction(mt, pairs)
    gendered = {word for pair in pairs for word in pair}
    asked = list(dict.fromkeys(words))
    tokens = one_token(mt, (word for word in asked if word not in gendered))
    skipped = tokens.skipped | {w: "defines the direction" for w in asked if w in gendered}
    if not tokens.ids:
        raise CueScopeError(
            f"none of these words is one token for {mt.name}",
            expected="profession words of the source vocabulary",
            found="; ".join(f"{w}: {why}" for w, why in list(skipped.items())[:4]) or "no words",
        )
    table = source_embedding(mt).weight.detach()
    rows = table[torch.tensor(list(tokens.ids.values()), device=table.device)]
    cosines = (rows @ direction.vector) / rows.norm(dim=-1).clamp_min(1e-12)
    lean = dict(zip(tokens.ids, cosines.tolist(), strict=True))
    return Debiased(direction, tokens.ids, skipped, lean)


class _Gate(Follower):
    """Open while the encoder runs: the decoder may use the very same embedding module."""

    open = False

    def encode(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Encode with the gate open."""
        self.open = True
        try:
            return super().encode(ids, mask)
        finally:
            self.open = False
