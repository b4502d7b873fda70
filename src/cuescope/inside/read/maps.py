"""Whole attention maps of single sentences, for pictures and for rollout."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from cuescope.inside.read.capture import Places, Weigh, capture
from cuescope.inside.ready import emitted
from cuescope.models.spans import Encoding
from cuescope.models.translator import Translator


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Weights [layer, head, query, key] of one sentence, and the tokens of both axes.

    In `cross` and `decoder`, row t is the step that emits `queries[t]`; the keys of `decoder` are
    what it was fed, one token earlier, the start first.
    """

    site: str
    weights: Tensor
    queries: tuple[str, ...]
    keys: tuple[str, ...]


@torch.no_grad()
def attention_maps(
    mt: Translator,
    text: str,
    translation: str | Encoding | None = None,
    *,
    weigh: Weigh | None = None,
) -> dict[str, AttentionMap]:
    """Every site's map of a sentence; without a translation, of the model's own."""
    source = mt.batch([text])
    if translation is None:
        translation = emitted(mt, mt.generate(text)[0].ids)
    elif isinstance(translation, str):
        translation = mt.tokenise_target(translation)
    target = mt.pad([translation], target=True)
    with capture(mt, dict.fromkeys(mt.sites, Places()), weigh=weigh) as seen:
        states = mt.engine.encode(source.ids, source.mask)
        mt.engine.decode(states, source.mask, mt.decoder_inputs(target.ids))
    read, said = source.encodings[0].pieces, target.encodings[0].pieces
    axes = {
        "encoder": (read, read),
        "decoder": (said, ("<start>", *said[:-1])),
        "cross": (said, read),
    }
    return {site: AttentionMap(site, seen.cells(site)[0], *axes[site]) for site in mt.sites}
