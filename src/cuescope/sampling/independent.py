"""The obvious way, one row a sample: the oracle of the tests and the benchmark's neighbour."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import torch

from cuescope.models.decoding import check_finite
from cuescope.sampling.samples import Sample, Samples
from cuescope.sampling.truncate import allowed, check

if TYPE_CHECKING:
    from cuescope.models.translator import Translator


@torch.no_grad()
def independent(mt: Translator, text: str, n: int, epsilon: float, seed: int) -> Samples:
    """`n` samples of a text drawn side by side in one batch; finished rows leave it."""
    check(n, epsilon)
    engine, forced = mt.engine, mt.tokenizer.forced
    batch = mt.batch([text])
    budget = mt.limits.of(len(batch.encodings[0]))
    rng = torch.Generator(mt.device).manual_seed(seed)
    first = torch.zeros(n, dtype=torch.long, device=mt.device)
    state = engine.start(engine.encode(batch.ids, batch.mask), batch.mask).select(first)
    tokens = torch.full_like(first, engine.start_id)
    drawn: list[list[int]] = [[] for _ in range(n)]
    scores = torch.zeros(n, 2, dtype=torch.float64)
    alive, evaluations, ended = list(range(n)), 0, set()
    for step in range(budget):
        evaluations += len(alive)
        hidden, state = engine.step(tokens, state)
        if step < len(forced):
            tokens = torch.full_like(tokens, forced[step])
        else:
            found = allowed(engine, engine.project(check_finite(hidden)), epsilon)
            # Row r's probabilities climb from r to r + 1: one uniform number a row finds its place.
            climb = found.probability.cumsum(0)
            uniform = torch.rand(len(alive), generator=rng, dtype=climb.dtype, device=mt.device)
            wanted = torch.arange(len(alive), device=mt.device) + uniform
            at = torch.searchsorted(climb, wanted).clamp(max=len(climb) - 1)
            tokens = found.tokens[at]
            scores[alive] += torch.stack([found.logprob.double(), found.probability.log()], 1)[
                at
            ].cpu()
        for row, token in zip(alive, tokens.tolist(), strict=True):
            drawn[row].append(token)
            if token == engine.eos_id and step >= len(forced):
                ended.add(row)
        keep = [place for place, row in enumerate(alive) if row not in ended]
        if not keep:
            break
        if len(keep) < len(alive):
            chosen = torch.tensor(keep, device=mt.device)
            state, tokens, alive = state.select(chosen), tokens[chosen], [alive[k] for k in keep]
    same: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for row, ids in enumerate(drawn):
        same[tuple(ids)].append(row)
    sequences = []
    for sequence, rows in same.items():
        logprob, truncated = scores[rows[0]].tolist()
        text = mt.tokenizer.decode(sequence)
        sequences.append(Sample(sequence, text, len(rows), logprob, truncated, rows[0] in ended))
    sequences.sort(key=lambda found: (-found.count, found.ids))
    return Samples(text, tuple(sequences), epsilon, seed, evaluations)
