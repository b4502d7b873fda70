"""Tuning heads: small steps on their slices alone, everything else held where it was.

The loss of a sentence is the surprise at the words that say the focus noun's gender, and at every
other word the divergence from the plain model, which also keeps the other person as it was.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Heads, by_layer
from cuescope.mend import slices
from cuescope.mend.mend import Mend
from cuescope.mend.targets import Target
from cuescope.signature import hash_text

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

Told = Callable[[int, float, float], None]  # step, loss on what is learned, loss held out


@dataclass(frozen=True)
class Tuning:
    """How heads are tuned; the defaults are for models of Firefox's size."""

    steps: int = 300
    rate: float = 5e-4  # of Adam, falling to 0 as a cosine
    batch: int = 32  # sentences with a cue in a step; half as many without
    hold: float = 1.0  # weight of staying where the plain model is
    limit: float = 1.0  # most that a slice's weight may be, as a share of its matrix's largest
    every: int = 25  # steps between looks at what is held out
    seed: int = 0


class Lot(NamedTuple):
    """Sentences as tensors, and what the plain model thinks at each of their steps."""

    ids: Tensor
    mask: Tensor
    inputs: Tensor
    labels: Tensor
    focus: Tensor
    weight: Tensor  # of staying where the plain model is
    real: Tensor
    hidden: Tensor


class Tuner:
    """The loss of a translator's slices on some targets.

    Probabilities are among the sub-words that any of the targets has: a tenth of the vocabulary,
    with nearly all of the mass.
    """

    def __init__(
        self, mt: Translator, hold: float, targets: Sequence[Target], other: float = 1.0
    ) -> None:
        self.mt, self.hold, self.other = mt, hold, other
        seen = {token for target in targets for token in target.ids}
        self.words = torch.tensor(sorted(seen), device=mt.device)
        width = mt.out_proj(*next((s, 0) for s in mt.sites)).out_features
        with torch.no_grad():  # the projection is affine: its matrix, whoever made it
            zero = torch.zeros(1, width, device=mt.device)
            bias = mt.engine.project(zero)[0]
            matrix = mt.engine.project(torch.eye(width, device=mt.device)) - bias
        self.bias, self.matrix = bias[self.words], matrix[:, self.words].contiguous()

    @torch.no_grad()
    def lot(self, targets: Sequence[Target]) -> Lot:
        """A batch, with the plain model's hidden states; to be made before anything is tuned."""
        mt = self.mt
        source = mt.batch([target.source for target in targets])
        longest = max(len(target.ids) for target in targets)
        labels = torch.zeros(len(targets), longest, dtype=torch.long)
        focus, real = (torch.zeros(labels.shape, dtype=torch.bool) for _ in range(2))
        weight = torch.full(labels.shape, self.hold)
        for row, target in enumerate(targets):
            labels[row, : len(target.ids)] = torch.tensor(target.ids)
            real[row, : len(target.ids)] = True
            focus[row, sorted(target.focus)] = True
            weight[row, sorted(target.other)] = self.hold * self.other
        labels = labels.to(mt.device)
        inputs = mt.decoder_inputs(labels)
        states = mt.engine.encode(source.ids, source.mask)
        hidden = mt.engine.decode(states, source.mask, inputs)
        labels = torch.searchsorted(self.words, labels)
        return Lot(source.ids, source.mask, inputs, labels, focus, weight, real, hidden[real])

    def loss(self, lot: Lot) -> Tensor:
        """Mean over sentences: surprise at the focus, divergence from the plain model elsewhere."""
        engine = self.mt.engine
        hidden = engine.decode(engine.encode(lot.ids, lot.mask), lot.mask, lot.inputs)
        now = self._logp(hidden[lot.real])
        was = self._logp(lot.hidden)
        focus, weight = lot.focus[lot.real], lot.weight[lot.real]
        surprise = -now.gather(1, lot.labels[lot.real][:, None])[focus]
        apart = (weight * (was.exp() * (was - now)).sum(-1))[~focus]
        return (surprise.sum() + apart.sum()) / len(lot.ids)

    def _logp(self, hidden: Tensor) -> Tensor:
        return (hidden @ self.matrix + self.bias).log_softmax(-1)


def tune(
    mt: Translator,
    heads: Heads,
    learn: Sequence[Target],
    keep: Sequence[Target],
    *,
    held_out: Sequence[Target],
    tuning: Tuning | None = None,
    fitted: dict[str, str] | None = None,
    told: Told | None = None,
) -> Mend:
    """The heads' slices after small steps on `learn` and `keep`; stopped where `held_out` is best.

    The model is left as it was.
    """
    tuning = tuning or Tuning()
    if not learn or not held_out:
        raise CueScopeError(
            "nothing to tune on", expected="sentences to learn and sentences held out", found="none"
        )
    before = slices.read(mt, heads)
    weights = mt.signature["weights"]
    tuner = Tuner(mt, tuning.hold, [*learn, *keep, *held_out])
    made = lots(tuner, learn, keep, tuning.steps, tuning.batch, tuning.seed)
    judged = [tuner.lot(held_out[at : at + 64]) for at in range(0, len(held_out), 64)]
    parameters, masks, most = _opened(mt, heads, tuning.limit)
    optimizer = torch.optim.Adam(parameters)
    best, kept = mean(tuner, judged), before
    try:
        for step in range(tuning.steps):
            rate = tuning.rate * (1 + math.cos(math.pi * step / tuning.steps)) / 2
            optimizer.param_groups[0]["lr"] = rate
            loss = tuner.loss(made[step % len(made)])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            for parameter, mask in zip(parameters, masks, strict=True):
                assert parameter.grad is not None
                parameter.grad *= mask
            optimizer.step()
            with torch.no_grad():
                for parameter, bound in zip(parameters, most, strict=True):
                    parameter.clamp_(-bound, bound)
            if (step + 1) % tuning.every == 0 or step + 1 == tuning.steps:
                found = mean(tuner, judged)
                if told:
                    told(step + 1, float(loss.detach()), found)
                if found < best:
                    best, kept = found, slices.read(mt, heads)
    finally:
        for parameter in parameters:
            parameter.requires_grad_(False)
            parameter.grad = None
        slices.put(mt, before)
    texts = [f"{t.source}\t{t.text}" for t in (*learn, *keep, *held_out)]
    facts = {"targets": hash_text(texts), "count": f"{len(learn)}+{len(keep)}", **(fitted or {})}
    numbers = {name: float(value) for name, value in asdict(tuning).items()}
    return Mend("tuned", mt.name, weights, heads, numbers, kept, facts)


def lots(
    tuner: Tuner, learn: Sequence[Target], keep: Sequence[Target], steps: int, size: int, seed: int
) -> list[Lot]:
    """Batches of what is to be learned, each with half as many sentences to hold."""
    draw = random.Random(seed)
    order, made = draw.sample(learn, len(learn)), []
    for at in range(0, min(len(order), steps * size), size):
        held = draw.sample(keep, min(len(keep), size // 2))
        made.append(tuner.lot([*order[at : at + size], *held]))
    return made


@torch.no_grad()
def mean(tuner: Tuner, some: list[Lot]) -> float:
    """The loss of some batches, a sentence."""
    sizes = [len(lot.ids) for lot in some]
    found = [float(tuner.loss(lot)) for lot in some]
    return sum(a * b for a, b in zip(sizes, found, strict=True)) / sum(sizes)


def _opened(mt: Translator, heads: Heads, limit: float) -> tuple[list[Any], list[Any], list[Any]]:
    """The matrices of the heads' layers, which of their weights may move, and how far out."""
    parameters, masks, most = [], [], []
    for (site, layer), some in by_layer(mt, heads).items():
        for letter in slices.LETTERS:
            weight = slices.projection(mt, site, layer, letter).weight
            mask = torch.zeros_like(weight)
            for head in some:
                slices.view(mt, slices.key(site, (layer, head), letter), mask).fill_(1.0)
            weight.requires_grad_(True)
            parameters.append(weight)
            masks.append(mask)
            most.append(float(weight.detach().abs().max()) * limit)
    return parameters, masks, most
