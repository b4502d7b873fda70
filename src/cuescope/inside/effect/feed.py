"""Twins as batches: the sources of one side, the common prefix, the two tokens to contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Place, places, recorded
from cuescope.inside.options import Side, Where

if TYPE_CHECKING:
    from cuescope.inside.contrast import Contrast
    from cuescope.inside.ready import Twins
    from cuescope.models.translator import Translator

UNLIKE = "twins of different length after tokenisation"


def other(side: Side) -> Side:
    """The twin's side."""
    return "female" if side == "male" else "male"


class Feed(NamedTuple):
    """A batch of one side's sentences, teacher-forced on the prefix up to the choice."""

    ids: Tensor  # [pair, source]
    mask: Tensor
    inputs: Tensor  # [pair, target], padded on the right
    steps: Tensor  # [pair]: where the choice falls
    feminine: Tensor  # [pair]: the two tokens
    masculine: Tensor

    @property
    def pairs(self) -> int:
        """How many."""
        return len(self.steps)


def feed(mt: Translator, twins: Sequence[Twins], side: Side, into: Side | None = None) -> Feed:
    """The batch of one side, before the choice as the side `into` meets it (its own if not told).

    The twin that gives its heads is fed the words of the sentence that they are patched into.
    """
    return fed(mt, [t.twin(side).item.text for t in twins], [t.at(into or side) for t in twins])


def fed(mt: Translator, texts: Sequence[str], choices: Sequence[Contrast]) -> Feed:
    """Sentences, each up to the step of its own choice."""
    batch = mt.batch(list(texts))
    width = 1 + max(choice.step for choice in choices)
    inputs = torch.full((len(choices), width), mt.engine.target_pad_id)
    for row, choice in enumerate(choices):
        said = [mt.engine.start_id, *choice.prefix]
        inputs[row, : len(said)] = torch.tensor(said)
    facts = [[getattr(c, k) for c in choices] for k in ("step", "feminine", "masculine")]
    steps, feminine, masculine = (torch.tensor(f, device=mt.device) for f in facts)
    return Feed(batch.ids, batch.mask, inputs.to(mt.device), steps, feminine, masculine)


def hidden_of(mt: Translator, fed: Feed) -> Tensor:
    """Hidden states where the choice falls [pair, width]."""
    states = mt.engine.encode(fed.ids, fed.mask)
    hidden = mt.engine.decode(states, fed.mask, fed.inputs)
    return hidden[torch.arange(fed.pairs, device=mt.device), fed.steps]


class Donor(NamedTuple):
    """What replaces the heads of one layer: values [pair, position, width], and where."""

    values: Tensor
    at: Tensor | None  # [pair, position]; None: everywhere


def matched(one: Twins, side: Side, where: Where) -> list[tuple[int, int]] | None:
    """Source positions of one side with those of its twin; None where they have no match."""
    ours, theirs = one.twin(side), one.twin(other(side))
    if where == "all":
        return [(i, i) for i in range(len(ours.encoding))] if one.like_length else None
    a, b = getattr(ours, where), getattr(theirs, where)
    return list(zip(a, b, strict=True)) if len(a) == len(b) else None


def from_twin(
    mt: Translator, twins: Sequence[Twins], side: Side, sites: Sequence[str], where: Where
) -> tuple[dict[Place, Donor], Tensor]:
    """The twins' heads, laid out for the sentences of `side`; and the twins' hidden states."""
    fed = feed(mt, twins, other(side), side)
    with recorded(mt, places(mt, sites)) as seen:
        hidden = hidden_of(mt, fed)
    return laid_out(mt, twins, side, where, seen), hidden


def laid_out(
    mt: Translator,
    twins: Sequence[Twins],
    side: Side,
    where: Where,
    seen: Mapping[Place, Tensor],
) -> dict[Place, Donor]:
    """What was seen in the twins, each position where the sentence of `side` has it."""
    base = feed(mt, twins, side)
    found: dict[Place, Donor] = {}
    here = torch.zeros(base.ids.shape, dtype=torch.bool, device=mt.device)
    there = torch.zeros_like(base.ids)
    for row, one in enumerate(twins):
        for ours, theirs in matched(one, side, where) or ():
            here[row, ours], there[row, ours] = True, theirs
    rows = torch.arange(len(twins), device=mt.device)[:, None]
    for place, values in seen.items():
        if place[0].startswith("encoder"):
            found[place] = Donor(values[rows, there], here)
        elif where == "all":
            found[place] = Donor(values, None)
        elif where == "noun":  # the step that chooses the noun's form
            steps = torch.arange(values.shape[1], device=mt.device)
            found[place] = Donor(values, steps == base.steps[:, None])
        else:
            raise CueScopeError(
                f"the cue stands in no position of the {place[0]} site",
                expected="where = all or noun; cue for the encoder only",
                found=where,
            )
    return found
