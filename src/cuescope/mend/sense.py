"""Of the lessons in which sense must tell whose pronoun it is, those in which the model can tell.

The pronoun's own state, where the second block of the encoder takes it up (before the heads that
carry the cue to the nouns), is asked by a logistic regression which of two people is meant; each
predicate by one that has not seen it. Where it is sure and right, the lesson is learned; where it
is not sure, both people are held as they were; where it is sure and wrong, the lesson is left out,
for no unit that hears such a state could do both.
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

BLOCK = "encoder.1"
FOLDS = 5
_PENALTY = 3e-3  # on squared weights


class Told(NamedTuple):
    """What the model can tell, what it cannot, how often it is sure and wrong; the pronoun's states
    where either person is meant and it can tell, and everywhere; and the same of what is held
    out."""

    learn: list[Target]
    rest: list[Target]
    wrong: int
    first: Tensor
    second: Tensor
    states: Tensor
    apart: list[Target]  # held out: to learn, and to hold


def told(
    mt: Translator, some: Sequence[Target], least: float, *, held_out: Sequence[Target] = ()
) -> Told:
    """Split targets of two people: sure is what is told by `least` or more, in logits."""
    asked = [one for one in some if one.asked]
    alone = [one for one in some if not one.asked]
    if len(asked) < 2 * FOLDS:
        none = torch.empty(0)
        return Told([], list(some), 0, none, none, none, [one.only_held for one in held_out])
    states, first = cue_states(mt, asked), _first(asked, mt)
    ends = sorted({one.asked.end for one in asked if one.asked})
    folds = dict(zip(ends, random.Random(0).choices(range(FOLDS), k=len(ends)), strict=True))
    fold = torch.tensor([folds[one.asked.end] for one in asked if one.asked])
    margin = torch.zeros(len(asked), device=states.device)
    for number in range(FOLDS):
        mine = (fold == number).to(states.device)
        if mine.any() and not mine.all():
            margin[mine] = _Regression(states[~mine], first[~mine])(states[mine])
    right, wrong = _sure(margin, first, least)
    learn, rest = _split(asked, right, wrong)
    apart = [one.only_held for one in held_out if not one.asked]
    if other := [one for one in held_out if one.asked]:
        found = _Regression(states, first)(cue_states(mt, other))
        known, unknown = _split(other, *_sure(found, _first(other, mt), least))
        apart += [*known, *(one.only_held for one in unknown)]
    return Told(
        learn,
        rest + alone,
        int(wrong.sum()),
        states[right & first],
        states[right & ~first],
        states,
        apart,
    )


def _first(some: Sequence[Target], mt: Translator) -> Tensor:
    return torch.tensor([one.asked.first for one in some if one.asked], device=mt.device)


def _sure(margin: Tensor, first: Tensor, least: float) -> tuple[Tensor, Tensor]:
    """Where it is sure and right, and where it is sure and wrong."""
    sure, right = margin.abs() > least, (margin > 0) == first
    return sure & right, sure & ~right


def _split(
    some: Sequence[Target], right: Tensor, wrong: Tensor
) -> tuple[list[Target], list[Target]]:
    """What is told rightly, and what is not told."""
    both = list(zip(some, right.tolist(), wrong.tolist(), strict=True))
    return [one for one, yes, _ in both if yes], [one for one, yes, no in both if not (yes or no)]


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
