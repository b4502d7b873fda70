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
    """What the model can tell, what it cannot, how often it is sure and wrong; and lessons held
    out, to learn or to hold by the same."""

    learn: list[Target]
    rest: list[Target]
    wrong: int
    apart: list[Target]


class Sides(NamedTuple):
    """The pronoun's states where the first of two people is meant, where the second is, and
    everywhere."""

    first: Tensor
    second: Tensor
    everywhere: Tensor


def told(
    mt: Translator, some: Sequence[Target], least: float, *, held_out: Sequence[Target] = ()
) -> Told:
    """Split targets of two people: sure is what is told by `least` or more, in logits."""
    asked, alone = _asked(some), [one for one in some if not one.asked]
    if len(asked) < 2 * FOLDS:
        return Told([], list(some), 0, [one.only_held for one in held_out])
    states, first = cue_states(mt, asked), _first(asked, mt)
    ends = sorted({one.asked.end for one in asked if one.asked})
    folds = dict(zip(ends, random.Random(0).choices(range(FOLDS), k=len(ends)), strict=True))
    fold = torch.tensor([folds[one.asked.end] for one in asked if one.asked])
    margin = torch.zeros(len(asked), device=states.device)
    for number in range(FOLDS):
        mine = (fold == number).to(states.device)
        if mine.any() and not mine.all():
            margin[mine] = _Regression(states[~mine], first[~mine])(states[mine])
    learn, rest = _split(asked, margin, first, least)
    apart = [one.only_held for one in held_out if not one.asked]
    if other := _asked(held_out):
        found = _Regression(states, first)(cue_states(mt, other))
        known, unknown = _split(other, found, _first(other, mt), least)
        apart += [*known, *(one.only_held for one in unknown)]
    return Told(learn, rest + alone, len(asked) - len(learn) - len(rest), apart)


def sides(mt: Translator, learn: Sequence[Target], asked: Sequence[Target]) -> Sides | None:
    """Of what is learned, by syntax or by sense, on which side the pronoun's states are; everywhere
    is where it is asked but not learned too."""
    if not (some := _asked(learn)):
        return None
    states, first = cue_states(mt, some), _first(some, mt)
    rest = [cue_states(mt, more)] if (more := _asked(asked)) else []
    return Sides(states[first], states[~first], torch.cat([*rest, states]))


def _asked(some: Sequence[Target]) -> list[Target]:
    return [one for one in some if one.asked]


def _first(some: Sequence[Target], mt: Translator) -> Tensor:
    return torch.tensor([one.asked.first for one in some if one.asked], device=mt.device)


def _split(
    some: Sequence[Target], margin: Tensor, first: Tensor, least: float
) -> tuple[list[Target], list[Target]]:
    """What is sure and right, and what is not sure; the rest is sure and wrong."""
    sure, right = (margin.abs() > least).tolist(), ((margin > 0) == first).tolist()
    both = list(zip(some, sure, right, strict=True))
    return [one for one, a, b in both if a and b], [one for one, a, _ in both if not a]


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
