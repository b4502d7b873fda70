"""Of the lessons in which sense must tell whose pronoun it is, those in which the model can tell.

The pronoun's own state, where the second block of the encoder takes it up (before the heads that
carry the cue to the nouns), is asked by a logistic regression which of two people is meant; each
frame by one that has not seen it. What it gets right is learned, all else is held as it was: a
gender is turned where something in the sentence speaks for it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from cuescope.mend.gated import blocks
from cuescope.mend.targets import Target

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

BLOCK = 1
FOLDS = 5
_PENALTY = 3e-3  # on squared weights


class Told(NamedTuple):
    """What the model can tell, the rest, and the pronoun's states: where either person is meant and
    it can tell, and everywhere."""

    learn: list[Target]
    rest: list[Target]
    first: Tensor
    second: Tensor
    states: Tensor


def told(mt: Translator, some: Sequence[Target], least: float) -> Told:
    """Split targets of two people: in `learn` the right one is meant by `least` or more, in
    logits."""
    asked = [one for one in some if one.asked]
    if len(asked) < 2 * FOLDS:
        return Told([], list(some), *(torch.empty(0) for _ in range(3)))
    states = cue_states(mt, asked)
    first = torch.tensor([one.asked.first for one in asked if one.asked], device=states.device)
    frames = sorted({one.asked.frame for one in asked if one.asked})
    folds = dict(zip(frames, random.Random(0).choices(range(FOLDS), k=len(frames)), strict=True))
    fold = torch.tensor([folds[one.asked.frame] for one in asked if one.asked])
    margin = torch.zeros(len(asked), device=states.device)
    for number in range(FOLDS):
        mine = (fold == number).to(states.device)
        if mine.any() and not mine.all():
            margin[mine] = _Regression(states[~mine], first[~mine])(states[mine])
    right = torch.where(first, margin, -margin) > least
    kept = right.tolist()
    rest = [one for one, yes in zip(asked, kept, strict=True) if not yes]
    return Told(
        [one for one, yes in zip(asked, kept, strict=True) if yes],
        rest + [one for one in some if not one.asked],
        states[right & first],
        states[right & ~first],
        states,
    )


@torch.no_grad()
def cue_states(mt: Translator, some: Sequence[Target]) -> Tensor:
    """The pronoun's state that the block takes up: [target, width]."""
    seen: list[Tensor] = []
    found = []
    hook = blocks(mt)[BLOCK].fc1.register_forward_pre_hook(lambda _, args: seen.append(args[0]))
    try:
        for at in range(0, len(some), 128):
            part = some[at : at + 128]
            batch = mt.batch([one.source for one in part])
            mt.engine.encode(batch.ids, batch.mask)
            for row, one in enumerate(part):
                assert one.asked
                places = mt.tokenise(one.source).positions(*one.asked.cue)
                found.append(seen[-1][row, list(places)].mean(0))
    finally:
        hook.remove()
    return torch.stack(found)


class _Regression:
    """A logistic regression of `yes` on standardised states; called, it gives logits."""

    def __init__(self, states: Tensor, yes: Tensor) -> None:
        self.mean, self.spread = states.mean(0), states.std(0) + 1e-5
        wide = (states - self.mean) / self.spread
        self.weights = torch.zeros(wide.shape[1] + 1, device=states.device, requires_grad=True)
        steps = torch.optim.LBFGS([self.weights], max_iter=60)

        def loss() -> float:
            steps.zero_grad()
            said = wide @ self.weights[:-1] + self.weights[-1]
            missed = torch.nn.functional.binary_cross_entropy_with_logits(said, yes.float())
            whole = missed + _PENALTY * (self.weights[:-1] ** 2).sum()
            torch.autograd.backward(whole)
            return float(whole.detach())

        steps.step(loss)  # type: ignore[no-untyped-call]

    @torch.no_grad()
    def __call__(self, states: Tensor) -> Tensor:
        return (states - self.mean) / self.spread @ self.weights[:-1] + self.weights[-1]
