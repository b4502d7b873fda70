"""A floor under the attention that the noun pays to its cue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from cuescope.errors import CueScopeError
from cuescope.inside.edit.follow import Follower, followed
from cuescope.inside.edit.outputs import check_met
from cuescope.inside.heads import Head, by_layer, signed
from cuescope.inside.interface import Call, Output, attending
from cuescope.inside.read.capture import weights
from cuescope.models.turn import alone

if TYPE_CHECKING:
    from cuescope.inside.ready import Placed, Subject
    from cuescope.models.translator import Translator


@alone
def floor(
    mt: Translator, subjects: Sequence[Subject | Placed], least: float, **heads: Sequence[Head]
) -> Iterator[None]:
    """Encoder heads give the cue at least `least` of the noun's attention; the rest is scaled.

    `floor(mt, subjects, 0.3, encoder=[(2, 1)])`; the sentences of `subjects` are run inside.
    """
    wanted = by_layer(mt, heads)
    if not 0 <= least < 1 or set(heads) != {"encoder"}:
        raise CueScopeError(
            "a floor is a share of encoder attention",
            expected="0 ≤ least < 1, encoder=[(layer, head), …]",
            found=f"{least}, {', '.join(heads)}",
        )
    run = Follower(mt.engine)
    known = {one.encoding.ids: one for one in subjects}
    layers = {id(mt.attention(*place)): place for place in wanted}
    met, recalled = dict.fromkeys(wanted, 0), mt.recalled

    def around(call: Call, attend: Callable[[Call], Output]) -> Output:
        out, rest = attend(call)
        place = layers.get(id(call.module))
        if place is None:
            return out, rest
        nouns, cues = _places(run.ids, known, call)
        alpha = weights(call)[:, wanted[place]]
        edited = torch.where(nouns[:, None, :, None], _raised(alpha, cues, least), alpha)
        met[place] += 1
        out = out.clone()  # [batch, position, head, width of a head]
        values = call.value[:, wanted[place]]
        out[:, :, wanted[place]] = (edited @ values).transpose(1, 2).to(out.dtype)
        return out, rest

    with signed(mt, f"floor {least:g}", heads), followed(mt, run), attending(mt, around):
        yield
    if mt.recalled == recalled:
        check_met(met)


def _raised(alpha: Tensor, cues: Tensor, least: float) -> Tensor:
    """Rows in which the cue has at least its share; each row still sums to 1."""
    on = cues[:, None, None, :]
    share = torch.where(on, alpha, 0.0).sum(-1, keepdim=True)
    count = on.sum(-1, keepdim=True).clamp(min=1)
    # A cue that had nothing gets the floor in equal parts.
    parts = torch.where(share > 0, alpha / share.clamp(min=1e-30), 1.0 / count)
    lifted = torch.where(on, parts * least, alpha * (1 - least) / (1 - share).clamp(min=1e-30))
    return torch.where((share < least) & on.any(-1, keepdim=True), lifted, alpha)


def _places(
    ids: list[tuple[int, ...]], known: dict[tuple[int, ...], Subject | Placed], call: Call
) -> tuple[Tensor, Tensor]:
    """Where the nouns and the cues of a batch stand [batch, position]."""
    batch, length = call.query.shape[0], call.query.shape[2]
    found = torch.zeros(2, batch, length, dtype=torch.bool, device=call.query.device)
    if len(ids) != batch or any(one not in known for one in ids):
        raise CueScopeError(
            "a sentence was met whose noun and cue are not known",
            expected=f"only the {len(known)} sentences that were given",
            found=f"a batch of {batch}",
        )
    for row, one in enumerate(ids):
        for at, positions in enumerate((known[one].noun, known[one].cue)):
            found[at, row, list(positions)] = True
    return found[0], found[1]
