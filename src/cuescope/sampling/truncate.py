"""The ε rule: what may be drawn next, and with what probability."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.models.decoding import bar, check_finite
from cuescope.models.engine import Engine


class Allowed(NamedTuple):
    """The tokens left by the ε rule, rows one after the other, ids rising within a row."""

    rows: Tensor
    tokens: Tensor
    probability: Tensor  # float64, sums to 1 within a row
    logprob: Tensor  # under the whole model, before anything was taken away


def allowed(engine: Engine, logits: Tensor, epsilon: float) -> Allowed:
    """Barred tokens go first; then those under ε, but never the most likely; the rest sums to 1.

    Which is what transformers' `epsilon_cutoff` does: the threshold is met by what it equals.
    """
    logits = logits.float()
    barred = logits[:, list(engine.barred)]
    highest = bar(engine, logits).amax(-1, keepdim=True)
    weight = (logits - highest).exp_()  # 1 for the most likely: it meets every threshold
    total = weight.sum(-1)
    logp = highest[:, 0] + total.log()
    whole = torch.cat([logp[:, None], barred], -1).logsumexp(-1)
    check_finite(whole - whole)  # an infinite logit is no better than one that is no number
    least = (epsilon * total).clamp(min=torch.finfo(total.dtype).tiny, max=1)
    rows, tokens = (weight >= least[:, None]).nonzero(as_tuple=True)
    kept = weight[rows, tokens].double()
    mass = kept.new_zeros(len(weight)).index_add_(0, rows, kept)
    return Allowed(rows, tokens, kept / mass[rows], logits[rows, tokens] - whole[rows])


def check(n: int, epsilon: float) -> None:
    """Complain of what cannot be drawn."""
    if n < 1:
        raise CueScopeError("nothing to draw", expected="n, 1 or more samples", found=f"n = {n}")
    if not 0 <= epsilon < 1:  # also false for NaN
        raise CueScopeError(
            "ε out of range",
            expected="0 ≤ ε < 1; 0 keeps every token, 0.02 is paper B's",
            found=f"ε = {epsilon}",
        )
