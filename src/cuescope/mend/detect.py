"""Directions in which some states stand out: what gated units begin with.

Each is a discriminant, of unit length, with how far its states stand out of all others along it,
and how far the others reach.
"""

from __future__ import annotations

import torch
from torch import Tensor

NEAR = 180  # states among which a detector of a side is drawn


def places(
    some: Tensor, everywhere: Tensor, count: int, *, best: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Discriminants of drawn places against quiet text, how far they stand out, and its top."""
    drawn = torch.randint(len(some), (1200 if best else count,), device=some.device)
    into = (some[drawn] - everywhere.mean(0)) @ _inverse(everywhere)
    into = into / into.norm(dim=1, keepdim=True)
    top = (everywhere @ into.T).amax(0)
    gap = (into * some[drawn]).sum(1) - top
    if best:  # places that quiet text does not have: there the cue has come
        kept = gap.topk(4 * count).indices[torch.randperm(4 * count, device=gap.device)[:count]]
        into, gap, top = into[kept], gap[kept], top[kept]
    return into, gap, top


def side(mine: Tensor, rest: Tensor, calm: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Discriminants of neighbours among `mine` against the rest; they must pass `calm` alone."""
    inverse = _inverse(rest)
    found, gaps, tops = [], [], []
    for _ in range(count):
        apart = mine - mine[torch.randint(len(mine), (1,), device=mine.device)]
        near = (apart @ inverse * apart).sum(1).topk(NEAR, largest=False).indices
        middle = mine[near[torch.randperm(NEAR, device=near.device)[: NEAR // 3]]].mean(0)
        into = (middle - rest.mean(0)) @ inverse
        into = into / into.norm()
        found.append(into)
        tops.append((calm @ into).amax())
        gaps.append((middle * into).sum() - tops[-1])
    return torch.stack(found), torch.stack(gaps), torch.stack(tops)


def _inverse(states: Tensor) -> Tensor:
    """Of their covariance, with a little added to every direction."""
    little = 1e-2 * torch.eye(states.shape[1], device=states.device)
    found: Tensor = torch.linalg.inv(torch.cov(states.T) + little)
    return found
